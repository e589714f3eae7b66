//go:build !unix

package cache

import (
	"errors"
	"io/fs"
)

// usersAlone reports as an error that a file is no regular one. Who may read it is for the
// directory to say, which is the user's.
func usersAlone(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return errors.New("is no regular file")
	}
	return nil
}
