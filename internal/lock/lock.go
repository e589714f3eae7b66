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

// Supported says whether the system has such locks; a file system may refuse them still.
const Supported = supported

// Try locks a directory unless another process has it, and reports whether it has locked it.
// Where there are no locks it never has.
func Try(dir string) (unlock func(), ok bool) {
	unlock, busy := tryDir(dir)
	return unlock, supported && !busy
}

// Alone is Try for what must not be done twice at a time: it also reports false where the file system
// refuses locks, so that nobody could know.
func Alone(dir string) (unlock func(), ok bool) {
	unlock, ok = Try(dir)
	if !ok {
		return unlock, false
	}
	if second, again := Try(dir); again {
		second()
		unlock()
		return func() {}, false
	}
	return unlock, true
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
