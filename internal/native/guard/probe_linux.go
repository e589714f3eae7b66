package guard

import (
	"iter"

	"golang.org/x/sys/unix"
)

// reachOut tries to reach other processes and the network.
func reachOut() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err == nil {
			unix.Close(fd)
		}
		if !yield("open sockets", err) {
			return
		}
		if !yield("signal other processes", unix.Kill(unix.Getppid(), 0)) {
			return
		}
		fd, err = unix.PidfdOpen(unix.Getppid(), 0)
		if err == nil {
			unix.Close(fd)
		}
		yield("get hold of other processes", err)
	}
}
