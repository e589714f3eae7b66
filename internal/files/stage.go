package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// The beginning and the end of temporary names. The go command ignores such files.
const (
	tempPrefix = ".assay-"
	tempSuffix = ".tmp"
)

// staged is the content of a file that has reached the disk and waits for its name. If the system has files
// without names it is such a file, so that nothing stays if the process ends. Otherwise it has a temporary
// name.
type staged struct {
	file *os.File // without a name, or nil if it has one
	tmp  string   // its name
	dir  string
}

// stage writes content to dir.
func stage(dir string, content []byte) (_ *staged, err error) {
	s := &staged{dir: dir}
	f := nameless(dir)
	if f != nil {
		s.file = f
	} else {
		if f, err = os.CreateTemp(dir, tempPrefix+"*"+tempSuffix); err != nil {
			return nil, err
		}
		s.tmp = f.Name()
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	if s.file == nil {
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return nil, errors.Join(err, s.drop())
	}
	return s, nil
}

// commit gives the content its name, in place of a file that has the name already. The staged content must
// not be used afterwards, even if commit fails.
func (s *staged) commit(name string) error {
	if s.file != nil {
		err := give(s.file, name)
		if err == nil {
			return s.file.Close()
		}
		if !errors.Is(err, os.ErrExist) {
			return errors.Join(err, s.drop())
		}
		// Only a file with a name can replace another one. The file has a temporary name for a moment.
		s.tmp = tempName(name)
		if err := give(s.file, s.tmp); err != nil {
			s.tmp = ""
			return errors.Join(err, s.drop())
		}
	}
	if err := os.Rename(s.tmp, name); err != nil {
		return errors.Join(err, s.drop())
	}
	if s.file != nil {
		return s.file.Close()
	}
	return nil
}

// tempName returns the temporary name for a file. It is always the same: only one process works in a
// directory, and a file that another process has left under this name is removed first.
func tempName(name string) string {
	tmp := filepath.Join(filepath.Dir(name), tempPrefix+filepath.Base(name)+tempSuffix)
	_ = os.Remove(tmp) // creating the file reports whether the name is free
	return tmp
}

// drop discards the content.
func (s *staged) drop() error {
	var err error
	if s.file != nil {
		err = s.file.Close()
	}
	if s.tmp != "" {
		err = errors.Join(err, os.Remove(s.tmp))
	}
	return err
}

// Clean removes files in dir that a killed process has left while it wrote.
func Clean(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); e.Type().IsRegular() && strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, name)))
		}
	}
	return err
}
