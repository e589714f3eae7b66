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
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, false
	}
	i := bytes.LastIndexByte(stat, ')') // the name may contain anything
	if i < 0 {
		return 0, 0, false
	}
	fields := bytes.Fields(stat[i+1:])
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
