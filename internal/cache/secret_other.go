//go:build !unix

package cache

import (
	"errors"
	"io/fs"
)

// usersAlone returns an error if a file is not a regular one. On this system the permissions of the
// user's directory protect it.
func usersAlone(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return errors.New("is no regular file")
	}
	return nil
}
