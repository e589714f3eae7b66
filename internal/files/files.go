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

	"github.com/goassay/assay/internal/emit/testfile"
)

// The ends of the names of files that gen writes beside x.go.
const (
	TestSuffix = "_assay_test.go"
	BugSuffix  = "_assay_bug_test.go"
	// ExhaustiveSuffix ends the names of files with tests that enumerate all inputs.
	ExhaustiveSuffix = "_exhaustive_assay_test.go"
)

// Own is an earlier file of assay's.
type Own struct {
	Name    string // absolute
	Content []byte
	Edited  bool // by hand, so we must not replace it any more
	Bug     bool
}

// Earlier finds the files in dir that an earlier run wrote, by name. A file with such a name but
// without assay's header counts as edited: it is the user's.
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
		generated, edited := testfile.Verify(content)
		out = append(out, Own{full, content, edited || !generated, bug})
	}
	return out, nil
}

// New is a file to be written.
type New struct {
	Name    string // absolute
	Content []byte
}

// Replace makes dir hold files in place of the earlier ones in old that are not edited and not kept. All new
// content is on disk, in files that have no names yet or temporary ones, before the first name in the
// directory changes. A full disk or a missing permission therefore leaves everything as it was. Files whose
// content stays the same are not touched. It returns how many files it wrote and removed.
func Replace(dir string, old []Own, files []New, keep func(name string) bool) (wrote, removed int, err error) {
	type pending struct {
		*staged
		name string
	}
	var todo []pending
	defer func() {
		for _, t := range todo {
			if dropErr := t.drop(); err == nil {
				err = dropErr
			}
		}
	}()
	for _, f := range files {
		if slices.ContainsFunc(old, func(o Own) bool { return o.Name == f.Name && bytes.Equal(o.Content, f.Content) }) {
			continue
		}
		s, err := stage(dir, f.Content)
		if err != nil {
			return 0, 0, fmt.Errorf("writing %s: %w", f.Name, err)
		}
		todo = append(todo, pending{s, f.Name})
	}
	for len(todo) > 0 {
		t := todo[0]
		todo = todo[1:]
		if err := t.commit(t.name); err != nil {
			return wrote, removed, fmt.Errorf("writing %s: %w", t.name, err)
		}
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

// Write makes a file hold the content. At any time the file holds the old or the new content.
func Write(name string, content []byte) error {
	s, err := stage(filepath.Dir(name), content)
	if err != nil {
		return err
	}
	return s.commit(name)
}

// Writable returns the reason why nothing can be written to dir. It is called before any work is done.
func Writable(dir string) error {
	s, err := stage(dir, nil)
	if err != nil {
		return err
	}
	return s.drop()
}

// IsOwn reports whether a file has a name that gen gives.
func IsOwn(name string) bool {
	return strings.HasSuffix(name, TestSuffix) || strings.HasSuffix(name, BugSuffix)
}
