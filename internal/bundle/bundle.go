// Package bundle describes the files of a directory so that they can be copied to other machines.
//
//  1. Of lists the regular files below a directory, with a digest of each.
//  2. Encode and Decode convert the list to and from bytes; Digest names it.
//  3. Unpack creates the files, given a source of contents by digest.
//
// Invariants: nothing that is received is trusted. Unpacked files have the digests of their list; no
// name leads out of the directory, and none is in the list twice; files and bytes are within the
// limits, which is checked before the first byte is written.
//
// Not supported: symbolic links, devices and permissions. Directories of version control are left out,
// because no build reads them.
package bundle

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The limits of a bundle. A module beyond these limits contains more than source.
const (
	MaxFiles = 100_000
	MaxFile  = 32 << 20
	MaxTotal = 512 << 20
)

// File is a file of a bundle.
type File struct {
	Name   string `json:"name"` // relative, with slashes
	Size   int64  `json:"size"`
	Digest string `json:"digest"` // see Digest
}

// Manifest lists the files of a bundle by name.
type Manifest struct {
	Files []File `json:"files"`
}

// Digest returns the name of a content: its SHA-256 in hexadecimal digits.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Of lists the files below a directory, except those for which leave returns true.
func Of(root string, leave func(name string) bool) (*Manifest, error) {
	m := &Manifest{}
	var total int64
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && slices.Contains([]string{".git", ".hg", ".svn", ".bzr", ".jj"}, e.Name()) {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(root, name)
		if err != nil || !e.Type().IsRegular() || leave(filepath.ToSlash(rel)) {
			return err
		}
		f, err := describe(name, filepath.ToSlash(rel))
		if err != nil {
			return err
		}
		m.Files = append(m.Files, f)
		total += f.Size
		if len(m.Files) > MaxFiles || total > MaxTotal {
			return fmt.Errorf("%s is too much to be sent to workers: more than %d files or %d MB", root, MaxFiles, MaxTotal>>20)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(m.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return m, nil
}

// describe reads a file for its digest.
func describe(name, rel string) (File, error) {
	f, err := os.Open(name)
	if err != nil {
		return File{}, err
	}
	defer f.Close() // it is only read
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, MaxFile+1))
	if err == nil && n > MaxFile {
		err = fmt.Errorf("%s is too large to be sent to workers: more than %d MB", name, MaxFile>>20)
	}
	return File{Name: rel, Size: n, Digest: hex.EncodeToString(h.Sum(nil))}, err
}

// Encode returns the list as bytes. The bytes are the same for the same files.
func (m *Manifest) Encode() []byte {
	data, err := json.Marshal(m)
	if err != nil {
		panic("bug: bundle: " + err.Error()) // strings and numbers
	}
	return data
}

// Decode reads a list, and refuses one that cannot be unpacked safely.
func Decode(data []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	return &m, m.validate()
}

// validate returns the reason why the list must not be unpacked.
func (m *Manifest) validate() error {
	if len(m.Files) > MaxFiles {
		return fmt.Errorf("bundle: %d files, which is more than %d", len(m.Files), MaxFiles)
	}
	var total int64
	for i, f := range m.Files {
		switch {
		case f.Name != path.Clean(f.Name) || !filepath.IsLocal(filepath.FromSlash(f.Name)) || f.Name == "." || strings.ContainsAny(f.Name, "\\\x00"):
			return fmt.Errorf("bundle: a file named %q", f.Name)
		case i > 0 && m.Files[i-1].Name >= f.Name:
			return fmt.Errorf("bundle: %q is out of order or there twice", f.Name)
		case f.Size < 0 || f.Size > MaxFile:
			return fmt.Errorf("bundle: %s has %d bytes, which is more than %d", f.Name, f.Size, MaxFile)
		}
		if total += f.Size; total > MaxTotal {
			return fmt.Errorf("bundle: more than %d bytes", int64(MaxTotal))
		}
	}
	return nil
}

// Unpack creates the files in an empty directory. The function content returns the content with a digest.
// Unpack checks the content.
func (m *Manifest) Unpack(dir string, content func(digest string) ([]byte, error)) (err error) {
	if err := m.validate(); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for _, f := range m.Files {
		data, err := content(f.Digest)
		if err != nil {
			return fmt.Errorf("bundle: %s: %w", f.Name, err)
		}
		if int64(len(data)) != f.Size || Digest(data) != f.Digest {
			return fmt.Errorf("bundle: %s is not what its digest says", f.Name)
		}
		name := filepath.FromSlash(f.Name)
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fmt.Errorf("bundle: %w", err)
		}
		if err := root.WriteFile(name, data, 0o644); err != nil {
			return fmt.Errorf("bundle: %w", err)
		}
	}
	return nil
}
