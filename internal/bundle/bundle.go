// Package bundle describes the files of a directory so that they can be copied to other machines.
//
//  1. Of lists the regular files below a directory, with a digest of each, in packs. If there are too many, what no Go package
//     needs is left out (walk.go), and the list says so.
//  2. Content returns the content of a pack: its files, one after the other.
//  3. Encode and Decode convert the list to and from bytes; Digest names it.
//  4. Unpack gives another directory these files, and no others, given a source of packs by digest.
//
// A pack has small files of one directory, because to send a file takes about as long as to send ten. A
// change to one file makes one pack another one.
//
// Invariants: nothing that is received is trusted. Unpacked files have the digests of their list; no
// name leads out of the directory, and none is in the list twice; files and bytes are within the
// limits, which is checked before the first byte is written. Nor is trusted what is in the directory
// already: a file is left as it is only if it has the digest.
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
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// The limits of a bundle. A module beyond these limits contains more than source.
const (
	MaxFiles = 100_000
	MaxFile  = 32 << 20
	MaxTotal = 512 << 20
	// MaxPack bounds a pack of several files. A larger file is a pack of its own.
	MaxPack = 256 << 10
)

// File is a file of a bundle.
type File struct {
	Name   string `json:"name"` // relative, with slashes
	Size   int64  `json:"size"`
	Digest string `json:"digest"` // see Digest
}

// Pack is a part of the files of a directory.
type Pack struct {
	Digest string `json:"digest"` // the digest of the files' contents, one after the other
	Files  []File `json:"files"`
}

// Manifest lists the files of a bundle, by directory and name.
type Manifest struct {
	Packs []Pack `json:"packs"`
	// Omitted says, where Of has made the list, what it has left out by itself.
	Omitted Omitted `json:"-"`
}

// Files returns all files.
func (m *Manifest) Files() iter.Seq[File] {
	return func(yield func(File) bool) {
		for _, p := range m.Packs {
			for _, f := range p.Files {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// compare orders names: by directory, then by the name within it.
func compare(a, b string) int {
	return cmp.Or(cmp.Compare(path.Dir(a), path.Dir(b)), cmp.Compare(path.Base(a), path.Base(b)))
}

// Digest returns the name of a content: its SHA-256 in hexadecimal digits.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// vcs are the names of what version control keeps.
var vcs = []string{".git", ".hg", ".svn", ".bzr", ".jj"}

// Of lists the files below a directory, except those for which leave returns true. Temporary files and the user's
// configuration and caches are left out, where their directories are below the other, and so is what is gone again before it
// is read. The go command writes counters into the configuration while others read.
func Of(root string, leave func(name string) bool) (*Manifest, error) {
	found, omitted, err := filesOf(root, leave, MaxFiles)
	if err != nil {
		return nil, err
	}
	m := &Manifest{Packs: pack(found), Omitted: omitted}
	for i := range m.Packs {
		p := &m.Packs[i]
		data, err := p.read(root)
		for errors.Is(err, fs.ErrNotExist) {
			before := len(p.Files)
			p.Files = slices.DeleteFunc(p.Files, func(f File) bool {
				_, err := os.Lstat(filepath.Join(root, filepath.FromSlash(f.Name)))
				return errors.Is(err, fs.ErrNotExist)
			})
			if len(p.Files) == before {
				break // it is there again
			}
			data, err = p.read(root)
		}
		if err != nil {
			return nil, err
		}
		p.Digest = Digest(data)
	}
	m.Packs = slices.DeleteFunc(m.Packs, func(p Pack) bool { return len(p.Files) == 0 })
	return m, nil
}

// pack divides sorted files into packs.
func pack(files []File) []Pack {
	var out []Pack
	var size int64
	for i, f := range files {
		if i == 0 || path.Dir(f.Name) != path.Dir(files[i-1].Name) || size+f.Size > MaxPack {
			out = append(out, Pack{})
			size = 0
		}
		last := &out[len(out)-1]
		last.Files = append(last.Files, f)
		size += f.Size
	}
	return out
}

// read returns the content of a pack, and notes the size and the digest of each file.
func (p *Pack) read(root string) ([]byte, error) {
	var all []byte
	for i := range p.Files {
		f := &p.Files[i]
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		if f.Size > MaxFile {
			return nil, fmt.Errorf("%s is too large to be sent to workers, more than %d MB: run without workers, on several machines with -shard i/n", name, MaxFile>>20)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f.Size, f.Digest = int64(len(data)), Digest(data)
		all = append(all, data...)
	}
	return all, nil
}

// Content returns the content of a pack of a list that Of has made.
func (p Pack) Content(root string) ([]byte, error) {
	now := Pack{Files: slices.Clone(p.Files)}
	data, err := now.read(root)
	if err != nil {
		return nil, err
	}
	for i, f := range now.Files {
		if f != p.Files[i] {
			return nil, fmt.Errorf("%s was changed while it was sent to workers: try again", filepath.Join(root, filepath.FromSlash(f.Name)))
		}
	}
	return data, nil
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
	var total int64
	before, files := "", 0
	for f := range m.Files() {
		switch {
		case f.Name != path.Clean(f.Name) || !filepath.IsLocal(filepath.FromSlash(f.Name)) || f.Name == "." || strings.ContainsAny(f.Name, "\\\x00"):
			return fmt.Errorf("bundle: a file named %q", f.Name)
		case files > 0 && compare(before, f.Name) >= 0:
			return fmt.Errorf("bundle: %q is out of order or there twice", f.Name)
		case f.Size < 0 || f.Size > MaxFile:
			return fmt.Errorf("bundle: %s has %d bytes, which is more than %d", f.Name, f.Size, MaxFile)
		}
		if total += f.Size; total > MaxTotal {
			return fmt.Errorf("bundle: more than %d bytes", int64(MaxTotal))
		}
		if files++; files > MaxFiles {
			return fmt.Errorf("bundle: more than %d files", MaxFiles)
		}
		before = f.Name
	}
	return nil
}

// Unpack makes a directory contain the files, and nothing else. What is there already and is as it should be
// is left alone, so that a directory in which the last job left most files as they were is ready at once. The
// function content returns the content of a pack; it is called by several goroutines. Unpack checks the
// content.
func (m *Manifest) Unpack(dir string, content func(digest string) ([]byte, error)) (err error) {
	if err := m.validate(); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	there, err := m.tidy(root)
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	var unpack errgroup.Group
	const atOnce = 8
	unpack.SetLimit(atOnce)
	for _, p := range m.Packs {
		if !slices.ContainsFunc(p.Files, func(f File) bool { return !there[f.Name] }) {
			continue
		}
		unpack.Go(func() error {
			data, err := content(p.Digest)
			if err != nil {
				return fmt.Errorf("bundle: %s and what is beside it: %w", p.Files[0].Name, err)
			}
			return p.unpack(root, data, there)
		})
	}
	return unpack.Wait()
}

// unpack creates the files of a pack that are not there.
func (p Pack) unpack(root *os.Root, data []byte, there map[string]bool) error {
	for _, f := range p.Files {
		if int64(len(data)) < f.Size || Digest(data[:f.Size]) != f.Digest {
			return fmt.Errorf("bundle: %s is not what its digest says", f.Name)
		}
		text := data[:f.Size]
		data = data[f.Size:]
		if there[f.Name] {
			continue
		}
		name := filepath.FromSlash(f.Name)
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fmt.Errorf("bundle: %w", err)
		}
		if err := root.WriteFile(name, text, 0o644); err != nil {
			return fmt.Errorf("bundle: %w", err)
		}
	}
	if len(data) > 0 {
		return fmt.Errorf("bundle: %d bytes follow on %s", len(data), p.Files[len(p.Files)-1].Name)
	}
	return nil
}

// tidy removes from a directory what is not as in the list, and returns the files that are. Programs that ran
// in the directory may have left anything there.
func (m *Manifest) tidy(root *os.Root) (there map[string]bool, err error) {
	want, dirs := make(map[string]File), map[string]bool{".": true}
	for f := range m.Files() {
		want[f.Name] = f
		for d := path.Dir(f.Name); !dirs[d]; d = path.Dir(d) {
			dirs[d] = true
		}
	}
	there = make(map[string]bool)
	var visit func(dir string) error
	visit = func(dir string) error {
		// A directory that nobody may read or write cannot be emptied otherwise.
		if err := root.Chmod(filepath.FromSlash(dir), 0o755); err != nil {
			return err
		}
		entries, err := fs.ReadDir(root.FS(), dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			var err error
			switch f, file := want[name]; {
			case e.IsDir():
				if err = visit(name); err == nil && !dirs[name] {
					err = root.Remove(filepath.FromSlash(name))
				}
			case file && e.Type().IsRegular() && same(root, f):
				there[name] = true
			default:
				err = root.Remove(filepath.FromSlash(name))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return there, visit(".")
}

// same reports whether a file is there as Unpack writes it.
func same(root *os.Root, f File) bool {
	info, err := root.Lstat(filepath.FromSlash(f.Name))
	const owners, plain = 0o700, 0o600
	if err != nil || info.Size() != f.Size || info.Mode().Perm()&owners != plain {
		return false
	}
	data, err := root.ReadFile(filepath.FromSlash(f.Name))
	return err == nil && Digest(data) == f.Digest
}
