// Command hostile tries one of many ways to do harm or to learn secrets, as its first
// argument says. The second is a directory with decoys, outside of what it may touch; its
// working directory is its own. It prints what the attempt came to: "refused", or
// "escaped". Whatever it can do to decoys the test sees by itself.
//
// Nothing here changes anything but decoys, even where nothing confines it: other
// processes are sent signal 0 at most, and system files are opened at most.
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"syscall"

	_ "example.com/hostile/check"
	"example.com/hostile/dep"
)

// world is what an attack knows.
type world struct {
	decoys string // the directory with decoys
	parent int    // the test's process
	tcp    string // where the test listens
	udp    string
	name   string // of the test's abstract socket
}

// attack returns nil if it succeeded.
type attack func(w world) error

func main() {
	attacks := map[string]attack{}
	for _, group := range []map[string]attack{files(), processes(), network(), kernel(), resources()} {
		for name, a := range group {
			attacks[name] = a
		}
	}
	attacks["init of a dependency"] = func(world) error { return dep.Err }
	if os.Args[1] == "list" {
		var names []string
		for name := range attacks {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			fmt.Println(name)
		}
		return
	}
	w := world{decoys: os.Args[2], parent: os.Getppid()}
	if len(os.Args) > 5 {
		w.tcp, w.udp, w.name = os.Args[3], os.Args[4], os.Args[5]
	}
	a := attacks[os.Args[1]]
	if a == nil {
		fmt.Println("no such attack")
		os.Exit(3)
	}
	if err := a(w); err != nil {
		fmt.Println("refused:", err)
		return
	}
	fmt.Println("escaped")
}

// call makes a system call.
func call(nr uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if _, _, errno := syscall.Syscall6(nr, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
		return errno
	}
	return nil
}

// denied makes a system call that fails in any case, and succeeds as an attack unless
// the failure is a refusal.
func denied(nr uintptr, args ...uintptr) error {
	err := call(nr, args...)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOSYS) {
		return err
	}
	return nil
}

// pid is the number of a process below /proc.
func pid(n int) string { return "/proc/" + strconv.Itoa(n) }
