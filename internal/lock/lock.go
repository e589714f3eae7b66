// Package lock has processes of assay that would write to one directory wait for one
// another.
//
// The lock is one of the kernel's on the directory itself (flock), so it leaves no file
// behind and ends with the process, however that ends. It holds between processes of
// assay only: nobody else is kept out.
//
// Not supported: systems without flock, and file systems that refuse it. There nobody waits, and
// of two runs over one package the later one's files stay.
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

// Dir locks a directory. Where another process has it, waits is called once, and Dir waits
// until it is free or ctx ends, whose error it returns then. Where a lock cannot be had
// at all there is none. The caller calls unlock in the end.
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
