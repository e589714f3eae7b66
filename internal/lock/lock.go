// Package lock makes processes of assay wait for one another that would write to one directory.
//
// The lock is the kernel's lock on the directory itself (flock), so it leaves no file behind and ends
// with the process, however that ends. It works between processes of assay only.
//
// Not supported: systems without flock, and file systems that refuse it. There processes do not wait,
// and of two runs over one package the later one's files stay.
package lock

import (
	"context"
	"time"
)

// Try locks a directory unless another process has it, and reports whether it has locked it.
// Where there are no locks it never has.
func Try(dir string) (unlock func(), ok bool) {
	unlock, busy := tryDir(dir)
	return unlock, supported && !busy
}

// interval is how often a lock is tried that another process has.
const interval = 100 * time.Millisecond

// Dir locks a directory. If another process has the lock, Dir calls waits once, and waits until the
// lock is free or ctx ends; then it returns ctx's error. If the system has no locks, Dir succeeds
// without one. The caller has to call unlock in the end.
func Dir(ctx context.Context, dir string, waits func()) (unlock func(), err error) {
	l, busy := tryDir(dir)
	if busy {
		waits()
	}
	for busy {
		select {
		case <-ctx.Done():
			return func() {}, ctx.Err()
		case <-time.After(interval):
		}
		l, busy = tryDir(dir)
	}
	return l, nil
}
