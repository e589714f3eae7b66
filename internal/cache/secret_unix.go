//go:build unix

package cache

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// usersAlone returns an error if others may have read or written a file.
func usersAlone(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return errors.New("is no regular file")
	}
	if info.Mode().Perm()&0o077 != 0 {
		return errors.New("can be read or written by others")
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return errors.New("is another user's")
	}
	return nil
}
