//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package lock

import (
	"errors"
	"os"
	"syscall"
)

const supported = true

// tryDir locks a directory, or reports that another process has it.
func tryDir(dir string) (unlock func(), busy bool) {
	f, err := os.Open(dir)
	if err != nil {
		return func() {}, false
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return func() { _ = f.Close() }, false // closing the directory unlocks it
	}
	_ = f.Close() // nothing was written to the directory's descriptor
	return func() {}, errors.Is(err, syscall.EWOULDBLOCK)
}
