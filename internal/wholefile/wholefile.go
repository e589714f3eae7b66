// Package wholefile replaces files so that nobody reads one that is half written.
//
//  1. [Replace] writes the new content to a temporary file in the same directory.
//  2. It gives that file the name of the old one. On most systems a rename happens at once or not at all.
//
// It is for files that people and other programs read while assay runs: reports, baselines. Generated tests have a room of
// their own, which knows what was edited by hand.
package wholefile

import (
	"os"
	"path/filepath"
)

// Replace gives a file new content. If that fails, the old content stays.
func Replace(name string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".assay-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the rename there is no file of this name to remove
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
