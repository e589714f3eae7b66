// Package cache keeps results between runs, in a directory of the user's, so that the verbs need not do the
// same work again.
//
//  1. KeyOf makes a key of everything that a result depends on.
//  2. Put stores a result under its key. An entry is a file named by its key. It is written under
//     another name and renamed, so any number of processes can share the directory without a lock.
//  3. The entry is authenticated with a secret of the user's (HMAC-SHA-256, secret.go), which lies
//     outside of the directory.
//  4. Get returns the entry of a key. A file that is cut off, damaged, in another format or made with
//     another secret does not count as an entry, and is written anew.
//  5. Trim removes entries that were not used for a long time.
//
// A directory that was restored from elsewhere, or that others can write to, thus costs time but cannot plant
// code. Entries are never necessary: if one cannot be written, the next run only takes longer.
//
// Invariant: a key is made of everything that a result depends on, the program that made it included; results
// are never changed and never become invalid.
package cache

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
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
	"strings"
	"syscall"
	"time"
)

// Dir is a directory of entries.
type Dir struct {
	root   *os.Root // nothing outside of it is touched, whatever links it contains
	secret []byte   // authenticates entries
}

// Key names an entry.
type Key [sha256.Size]byte

// Name returns the name of the directory.
func (d *Dir) Name() string { return d.root.Name() }

// KeyOf makes a key from everything that a result depends on. The parts are kept apart: ("ab", "c") is
// another key than ("a", "bc").
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
const magic = "assay cache 2\n"

// largest is the largest size of an entry's file in bytes. A larger file is not ours.
const largest = 64 << 20

// Open creates the directory if it does not exist, and removes entries that were not used for a long
// time. Only entries made with the same secret are accepted; see [Secret].
func Open(path string, secret []byte) (*Dir, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	d := &Dir{root, secret}
	if err := d.trim(time.Now()); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return d, nil
}

// file returns the name of an entry's file within the directory.
func (d *Dir) file(k Key) string {
	name := hex.EncodeToString(k[:])
	return filepath.Join(name[:2], name)
}

// seal authenticates an entry together with its key. Neither another content nor another entry of the user's
// can thus take its place.
func (d *Dir) seal(k Key, data []byte) []byte {
	h := hmac.New(sha256.New, d.secret)
	h.Write([]byte(magic))
	h.Write(k[:])
	h.Write(data)
	return h.Sum(nil)
}

// Get returns the entry with that key, if there is one that was made with the directory's secret. This
// counts as use.
func (d *Dir) Get(k Key) ([]byte, bool) {
	data, ok := d.Peek(k)
	if ok {
		now := time.Now()
		_ = d.root.Chtimes(d.file(k), now, now) // if it fails, the entry only looks older than it is
	}
	return data, ok
}

// Peek does the same as Get, but does not count as a use.
func (d *Dir) Peek(k Key) ([]byte, bool) {
	name := d.file(k)
	f, err := d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	defer f.Close() // it is only read
	all, err := readRegular(f)
	if err != nil {
		return nil, false
	}
	rest, ok := bytes.CutPrefix(all, []byte(magic))
	if !ok || len(rest) < sha256.Size {
		return nil, false
	}
	sum, data := rest[:sha256.Size], rest[sha256.Size:]
	if !hmac.Equal(sum, d.seal(k, data)) {
		return nil, false
	}
	return data, true
}

// readRegular reads a file that is not too long. Anything but a regular file is an error, because
// reading a pipe, for example, may wait for ever.
func readRegular(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > largest {
		return nil, fmt.Errorf("%s is no file of a cache", f.Name())
	}
	return io.ReadAll(io.LimitReader(f, largest))
}

// Put stores an entry.
func (d *Dir) Put(k Key, data []byte) error {
	if err := d.put(d.file(k), slices.Concat([]byte(magic), d.seal(k, data), data)); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// put makes a file with this name that holds the content.
func (d *Dir) put(name string, content []byte) (err error) {
	dir := filepath.Dir(name)
	if err := d.root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp := filepath.Join(dir, beginning+rand.Text())
	f, err := d.root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = d.root.Remove(tmp) // the error that is returned says more
		}
	}()
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return d.root.Rename(tmp, name)
}

const (
	// Unused is how long an entry is kept after its last use.
	Unused = 30 * 24 * time.Hour
	// Limit bounds the directory in bytes. The entries used last are kept.
	Limit = 512 << 20
	// between is the time between two checks of these bounds.
	between = 24 * time.Hour
	// trimmed is the name of the file whose time says when the last check was.
	trimmed = "trimmed"
	// beginning begins the names of files that are being written.
	beginning = "new-"
)

// entryFile is a file of the cache.
type entryFile struct {
	name string
	size int64
	used time.Time
}

// trim removes entries that are too old or too many, unless that was done a short time ago.
func (d *Dir) trim(now time.Time) error {
	if info, err := d.root.Stat(trimmed); err == nil && now.Sub(info.ModTime()) < between {
		return nil
	}
	_, err := d.Trim(now, Unused, Limit)
	return err
}

// Trim removes entries that were not used for the given time, and the least recently used ones beyond the
// given size. It also removes files of a process that was ended while it wrote. It returns what it removed.
// The directory may belong to the user and contain other files, so Trim touches only files that have the name
// of an entry.
func (d *Dir) Trim(now time.Time, unused time.Duration, limit int64) ([]Entry, error) {
	files, err := d.files()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b entryFile) int { return b.used.Compare(a.used) })
	var size int64
	var removed []Entry
	for _, e := range files {
		size += e.size
		age := now.Sub(e.used)
		if size > limit || age > unused || age > between && !e.whole() {
			if err := d.root.Remove(e.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return removed, err
			}
			if e.whole() {
				removed = append(removed, e.entry())
			}
		}
	}
	return removed, d.root.WriteFile(trimmed, nil, 0o600)
}

// Entry is an entry of the directory.
type Entry struct {
	Key  Key
	Size int64 // in bytes, of its file
	Used time.Time
}

// Entries returns the entries of the directory, whoever made them, the most recently used first.
func (d *Dir) Entries() ([]Entry, error) {
	files, err := d.files()
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, f := range files {
		if f.whole() {
			out = append(out, f.entry())
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Or(b.Used.Compare(a.Used), bytes.Compare(a.Key[:], b.Key[:])) })
	return out, nil
}

// Remove removes an entry. It is no error if there is no such entry.
func (d *Dir) Remove(k Key) error {
	if err := d.root.Remove(d.file(k)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// whole reports whether the file is an entry, and not one that is still being written.
func (e entryFile) whole() bool { return !strings.HasPrefix(filepath.Base(e.name), beginning) }

// entry returns the entry that the file holds.
func (e entryFile) entry() Entry {
	out := Entry{Size: e.size, Used: e.used}
	if _, err := hex.Decode(out.Key[:], []byte(filepath.Base(e.name))); err != nil {
		panic("bug: cache: the name of an entry: " + err.Error())
	}
	return out
}

// files returns the files of entries, and those that are still being written.
func (d *Dir) files() ([]entryFile, error) {
	inside := d.root.FS()
	folders, err := fs.ReadDir(inside, ".")
	if err != nil {
		return nil, err
	}
	var out []entryFile
	for _, folder := range folders {
		if !folder.IsDir() || len(folder.Name()) != 2 || !isHex(folder.Name()) {
			continue
		}
		entries, err := fs.ReadDir(inside, folder.Name())
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			name := e.Name()
			isEntry := len(name) == 2*len(Key{}) && isHex(name) && strings.HasPrefix(name, folder.Name())
			if !e.Type().IsRegular() || !isEntry && !strings.HasPrefix(name, beginning) {
				continue
			}
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue // another process was faster
			}
			if err != nil {
				return nil, err
			}
			out = append(out, entryFile{filepath.Join(folder.Name(), name), info.Size(), info.ModTime()})
		}
	}
	return out, nil
}

// isHex reports whether a name consists of lower-case hexadecimal digits.
func isHex(name string) bool { return strings.Trim(name, "0123456789abcdef") == "" }
