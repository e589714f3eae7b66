package files

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// nameless returns a new file in dir without a name, or nil if the system has no such files.
func nameless(dir string) *os.File {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil // if there is an error, creating a file with a name reports it
	}
	f := os.NewFile(uintptr(fd), dir)
	if _, err := os.Stat(ofDescriptor(f)); err != nil {
		_ = f.Close() // without /proc it can never get a name; it is empty
		return nil
	}
	return f
}

// ofDescriptor returns a name for the file behind a descriptor.
func ofDescriptor(f *os.File) string { return "/proc/self/fd/" + strconv.Itoa(int(f.Fd())) }

// give gives a name to a file without one. If another file has the name, the error is os.ErrExist.
func give(f *os.File, name string) error {
	if err := unix.Linkat(unix.AT_FDCWD, ofDescriptor(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "link", Old: f.Name(), New: name, Err: err}
	}
	return nil
}
