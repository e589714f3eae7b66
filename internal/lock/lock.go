// Package lock makes processes of assay that would write to one directory wait for one another.
//
//  1. Dir locks a directory. If another process has the lock, it waits.
//  2. Try and Alone lock a directory only if they need not wait.
//  3. The returned function unlocks the directory.
//
// The lock is the kernel's lock on the directory itself (flock). It leaves no file behind, and ends with the
// process, however the process ends. It works between processes of assay only.
//
// Not supported: systems without flock, and file systems that refuse it. Processes do not wait there, and of
// two runs over one package the later one's files stay.
package lock

import (
	"context"
	"time"
)

// Supported says whether the system has such locks. A file system may still refuse them.
const Supported = supported

// Try locks a directory unless another process has it, and reports whether it has locked it. On systems
// without locks it never has.
func Try(dir string) (unlock func(), ok bool) {
	unlock, busy := tryDir(dir)
	return unlock, supported && !busy
}

// Alone does the same as Try, for work that must not be done twice at the same time. It also reports false if
// the file system refuses locks, because then nobody could know whether another process works.
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

// interval is how often a process that waits tries to lock.
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
