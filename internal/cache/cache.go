// Package cache keeps results between runs, in a directory of the user's: what was
// computed is found again by a key made of everything that it depends on.
//
// Entries are files, one each, named by their key. A file is written under another name
// and renamed, so that any number of processes can share the directory without a lock,
// and carries a hash of its content: what is cut off, damaged or somebody else's is no
// entry, and is written anew. Nothing here is ever needed; an entry that cannot be
// written costs the next run its time and nothing else.
//
// Invariant: a key is made of everything that a result depends on, the program that
// made it included; there is no way to change or to expire a result.
package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Dir is a directory of entries.
type Dir struct{ path string }

// Key names an entry.
type Key [sha256.Size]byte

// KeyOf makes a key of what a result depends on. The parts are kept apart: ("ab", "c")
// is another key than ("a", "bc").
func KeyOf(parts ...string) Key {
	h := sha256.New()
	var n [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return Key(h.Sum(nil))
}

// Program identifies the running program by a hash of its file, for keys.
func Program() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	defer f.Close() // it was only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// magic begins every entry; it changes with the form of the files.
const magic = "assay cache 1\n"

// Open makes the directory if it is not there, and removes entries that nobody has used
// for a long time.
func Open(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	d := &Dir{path}
	if err := d.trim(time.Now()); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return d, nil
}

func (d *Dir) file(k Key) string {
	name := hex.EncodeToString(k[:])
	return filepath.Join(d.path, name[:2], name)
}

// Get returns the entry of that key, and whether there is one.
func (d *Dir) Get(k Key) ([]byte, bool) {
	name := d.file(k)
	all, err := os.ReadFile(name)
	if err != nil {
		return nil, false
	}
	rest, ok := bytes.CutPrefix(all, []byte(magic))
	if !ok || len(rest) < sha256.Size {
		return nil, false
	}
	sum, data := Key(rest[:sha256.Size]), rest[sha256.Size:]
	if sha256.Sum256(data) != sum {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(name, now, now) // if it fails, the entry only looks older than it is
	return data, true
}

// Put stores an entry.
func (d *Dir) Put(k Key, data []byte) (err error) {
	name := d.file(k)
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // the error that is returned says more
			err = fmt.Errorf("cache: %w", err)
		}
	}()
	sum := sha256.Sum256(data)
	for _, part := range [][]byte{[]byte(magic), sum[:], data} {
		if _, err := f.Write(part); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

const (
	// unused is how long an entry is kept that nobody asks for.
	unused = 30 * 24 * time.Hour
	// between is how often that is looked at.
	between = 24 * time.Hour
	// limit bounds the directory, in bytes; the entries used last are kept.
	limit = 512 << 20
	// trimmed is the name of the file whose time says when that was last.
	trimmed = "trimmed"
)

// trim removes entries that are too old or too many, unless that was done not long ago.
func (d *Dir) trim(now time.Time) error {
	mark := filepath.Join(d.path, trimmed)
	if info, err := os.Stat(mark); err == nil && now.Sub(info.ModTime()) < between {
		return nil
	}
	type entry struct {
		name string
		size int64
		used time.Time
	}
	var entries []entry
	err := filepath.WalkDir(d.path, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name == mark {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another process was faster
		}
		if err == nil {
			entries = append(entries, entry{name, info.Size(), info.ModTime()})
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b entry) int { return b.used.Compare(a.used) })
	var size int64
	for _, e := range entries {
		size += e.size
		if size > limit || now.Sub(e.used) > unused {
			if err := os.Remove(e.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return os.WriteFile(mark, nil, 0o600)
}
