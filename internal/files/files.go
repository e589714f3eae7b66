package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit"
)

// The ends of the names of what gen writes beside x.go.
const (
	TestSuffix = "_assay_test.go"
	BugSuffix  = "_assay_bug_test.go"
)

// Own is an earlier file of assay's.
type Own struct {
	Name    string // absolute
	Content []byte
	Edited  bool // by hand: it is not ours to replace any more
	Bug     bool
}

// Earlier finds the files in dir that an earlier run wrote, by name. A file of such
// a name without assay's header counts as edited: it is the user's.
func Earlier(dir string) ([]Own, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []Own
	for _, e := range entries {
		name := e.Name()
		bug := strings.HasSuffix(name, BugSuffix)
		if !bug && !strings.HasSuffix(name, TestSuffix) {
			continue
		}
		full := filepath.Join(dir, name)
		content, err := os.ReadFile(full)
		if err != nil {
			return nil, err
		}
		generated, edited := emit.Verify(content)
		out = append(out, Own{full, content, edited || !generated, bug})
	}
	return out, nil
}

// New is a file to be written.
type New struct {
	Name    string // absolute
	Content []byte
}

// Replace makes dir hold files in place of the earlier ones in old that are not
// edited and not kept. All new content is on disk, under temporary names in the same
// directory, before the first file changes its name, so that a full disk or a missing
// permission leaves everything as it was. Files whose content stays the same are not
// touched. It returns how many files it wrote and removed.
func Replace(dir string, old []Own, files []New, keep func(name string) bool) (wrote, removed int, err error) {
	type pending struct{ tmp, name string }
	var todo []pending
	defer func() {
		for _, t := range todo {
			if rmErr := os.Remove(t.tmp); rmErr != nil && !errors.Is(rmErr, fs.ErrNotExist) && err == nil {
				err = rmErr
			}
		}
	}()
	for _, f := range files {
		if slices.ContainsFunc(old, func(o Own) bool { return o.Name == f.Name && bytes.Equal(o.Content, f.Content) }) {
			continue
		}
		tmp, err := WriteTemp(dir, f.Content)
		if tmp != "" {
			todo = append(todo, pending{tmp, f.Name})
		}
		if err != nil {
			return 0, 0, fmt.Errorf("writing %s: %w", f.Name, err)
		}
	}
	for len(todo) > 0 {
		t := todo[0]
		if err := os.Rename(t.tmp, t.name); err != nil {
			return wrote, removed, fmt.Errorf("writing %s: %w", t.name, err)
		}
		todo = todo[1:]
		wrote++
	}
	for _, o := range old {
		if o.Edited || keep(o.Name) || slices.ContainsFunc(files, func(f New) bool { return f.Name == o.Name }) {
			continue
		}
		if err := os.Remove(o.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return wrote, removed, fmt.Errorf("removing %s: %w", o.Name, err)
		}
		removed++
	}
	return wrote, removed, nil
}

// WriteTemp writes content to a new file in dir that the go command ignores, and
// makes sure that it has reached the disk. The name is returned even on error if
// there is something to remove.
func WriteTemp(dir string, content []byte) (name string, err error) {
	f, err := os.CreateTemp(dir, ".assay-*.tmp")
	if err != nil {
		return "", err
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
	}()
	if _, err := f.Write(content); err != nil {
		return f.Name(), err
	}
	if err := f.Chmod(0o644); err != nil {
		return f.Name(), err
	}
	return f.Name(), f.Sync()
}

// Writable reports, before any work is spent, why nothing can be written to dir.
func Writable(dir string) error {
	name, err := WriteTemp(dir, nil)
	if name != "" {
		if rmErr := os.Remove(name); err == nil {
			err = rmErr
		}
	}
	return err
}

// IsOwn reports whether a file has the name of one that gen writes.
func IsOwn(name string) bool {
	return strings.HasSuffix(name, TestSuffix) || strings.HasSuffix(name, BugSuffix)
}
