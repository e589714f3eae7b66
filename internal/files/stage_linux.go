package files

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// nameless returns a new file in dir that has no name, nil where there are no such files.
func nameless(dir string) *os.File {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil // making one with a name says what is wrong, if anything is
	}
	f := os.NewFile(uintptr(fd), dir)
	if _, err := os.Stat(ofDescriptor(f)); err != nil {
		_ = f.Close() // without /proc it could never get a name; nothing is in it
		return nil
	}
	return f
}

// ofDescriptor is the name by which a descriptor is a file.
func ofDescriptor(f *os.File) string { return "/proc/self/fd/" + strconv.Itoa(int(f.Fd())) }

// give gives a file without a name one. That another file has it is os.ErrExist.
func give(f *os.File, name string) error {
	if err := unix.Linkat(unix.AT_FDCWD, ofDescriptor(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "link", Old: f.Name(), New: name, Err: err}
	}
	return nil
}
