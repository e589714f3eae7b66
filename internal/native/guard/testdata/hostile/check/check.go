// Package check ends the program before any of its attacks where nothing confines it. It
// is initialised first, and tries only what does no harm.
package check

import (
	"fmt"
	"os"
	"syscall"
)

func init() {
	const prGetNoNewPrivs = 39
	if on, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prGetNoNewPrivs, 0, 0, 0, 0, 0); errno != 0 || on != 1 {
		leave("it can gain privileges")
	}
	if fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); err == nil {
		syscall.Close(fd)
		leave("it can open sockets")
	}
	if len(os.Args) < 3 {
		leave("it was not told where the decoys are")
	}
	if f, err := os.Open(os.Args[2] + "/decoy"); err == nil {
		f.Close()
		leave("it can read what is not its own")
	}
	if f, err := os.OpenFile(os.Args[2]+"/decoy", os.O_WRONLY, 0); err == nil {
		f.Close()
		leave("it can write what is not its own")
	}
}

func leave(why string) {
	fmt.Println("NOT CONFINED:", why)
	os.Exit(3)
}
