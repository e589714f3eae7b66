//go:build unix

package check

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of this process, which does not depend on other processes.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
