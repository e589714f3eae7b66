package native

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// dieWithParent has the kernel kill the process when this one dies.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// usage returns the processor time that a process has used and the bytes that it
// keeps in memory; ok is false if the system does not say.
func usage(pid int) (cpu time.Duration, rss int64, ok bool) {
	fields := status(fmt.Sprintf("/proc/%d/stat", pid))
	if len(fields) < 22 {
		return 0, 0, false
	}
	num := func(i int) int64 {
		n, err := strconv.ParseInt(string(fields[i]), 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	const tick = time.Second / 100 // USER_HZ
	return time.Duration(num(11)+num(12)) * tick, num(21) * int64(os.Getpagesize()), true
}

// wanting reports whether some thread of a process runs, or would if it got a processor.
func wanting(pid int) bool {
	dir := fmt.Sprintf("/proc/%d/task", pid)
	threads, err := os.ReadDir(dir)
	if err != nil {
		return false // it has ended
	}
	for _, t := range threads {
		// R is running or ready to, D waiting for a disk.
		if f := status(dir + "/" + t.Name() + "/stat"); len(f) > 0 && (f[0][0] == 'R' || f[0][0] == 'D') {
			return true
		}
	}
	return false
}

// status returns the fields of a stat file behind the name: the state is the first.
func status(file string) [][]byte {
	stat, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name may contain anything
}
