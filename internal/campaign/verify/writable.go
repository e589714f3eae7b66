package verify

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/session"
)

// While assay tries tests they cannot write into the package's directory. A call that would write a file there fails, and
// a test may expect the failure, or hide the call in what it prepares. Where tests run freely the file is written. The
// suite therefore also runs in a copy of the directory that it may write.

// Bounds of a directory that is copied.
const (
	mostCopied      = 300 // files
	mostCopiedBytes = 16 << 20
)

// tryWritable takes out the tests that fail where the package's directory can be written, those that change it, and those that
// leave files in the home directory or among the temporary files: whoever runs the suite would find them there.
func (d *doubter) tryWritable(ctx context.Context) error {
	if len(d.names) == 0 || purity.Outside(d.Prog, d.Pkg) == "" {
		return nil
	}
	if d.litters {
		var stop context.CancelFunc
		ctx, stop = d.littering(ctx)
		defer stop()
	}
	place := writable{pkg: d.Pkg.Dir, home: filepath.Join(d.plain.Tmp, "home")}
	b := d.plain
	b.Tmp, b.Dir = place.home, filepath.Join(place.home, "writable")
	if ok, err := place.clear(b.Dir); err != nil || !ok {
		return err
	}
	if err := d.try(ctx, b, gotest.Trial{}, "where its directory can be written"); err != nil {
		return err
	}
	if left, err := place.left(b.Dir); err != nil || left == "" {
		return err
	}
	ctx, stop := d.littering(ctx)
	defer stop()
	if err := d.startsWith(ctx, &place, b); err != nil {
		return err
	}
	for _, name := range slices.Clone(d.names) {
		if _, err := place.clear(b.Dir); err != nil {
			return err
		}
		d.processes++
		if _, err := b.Try(ctx, gotest.Trial{Names: []string{name}, Timeout: atLeast}); err != nil {
			return err
		}
		left, err := place.left(b.Dir)
		if err != nil {
			return err
		}
		if left != "" {
			d.litters = true
			d.takeNamed(name, left)
		}
	}
	return nil
}

// startsWith finds out what the package and what it imports leave when they are initialised, before any test: x/tools makes a directory
// for its index of modules. No test is to blame for that.
func (d *doubter) startsWith(ctx context.Context, w *writable, b gotest.Binary) error {
	if _, err := w.clear(b.Dir); err != nil {
		return err
	}
	d.processes++
	const none = "Test_that_nobody_wrote"
	if _, err := b.Try(ctx, gotest.Trial{Names: []string{none}, Timeout: atLeast}); err != nil {
		return err
	}
	after, err := contents(b.Dir)
	if err != nil {
		return err
	}
	w.atStart, err = os.ReadDir(w.home)
	w.changed = !maps.Equal(w.before, after)
	return err
}

// littering returns a context for finding out which test leaves files. That has to be known even if the time for doubting is over;
// a few processes tell.
func (d *doubter) littering(ctx context.Context) (context.Context, context.CancelFunc) {
	const longest = 10 * time.Second
	return context.WithTimeout(d.User, max(longest, time.Until(session.DeadlineOf(ctx))))
}

// writable is a home directory for tests, with a copy of the package's directory.
type writable struct {
	pkg, home string
	before    map[string][sha256.Size]byte // the content of the copy
	// atStart is what the home directory has, and changed whether the copy is changed, once the package is initialised.
	atStart []fs.DirEntry
	changed bool
}

// clear makes the home directory empty but for a fresh copy of the package's directory in dir. It returns false if that
// directory is too large.
func (w *writable) clear(dir string) (bool, error) {
	if err := errors.Join(os.RemoveAll(w.home), os.Mkdir(w.home, 0o700)); err != nil {
		return false, err
	}
	var err error
	w.before, err = copyFiles(w.pkg, dir)
	return w.before != nil, err
}

// left says what tests have left behind, or "" if there is nothing.
func (w *writable) left(dir string) (string, error) {
	after, err := contents(dir)
	if err != nil {
		return "", err
	}
	if !w.changed && !maps.Equal(w.before, after) {
		return "it changes files in its directory", nil
	}
	entries, err := os.ReadDir(w.home)
	for _, e := range entries {
		if e.Name() != filepath.Base(dir) && !slices.ContainsFunc(w.atStart, func(s fs.DirEntry) bool { return s.Name() == e.Name() }) {
			return "it leaves files behind: " + e.Name(), err
		}
	}
	return "", err
}

// memoryDir is where Linux has a file system in memory.
const memoryDir = "/dev/shm"

// tryInMemory takes out the tests that fail where temporary files are on a file system in memory, as in many containers: how large a
// directory is, and in which order its files come, differs from one file system to the other.
func (d *doubter) tryInMemory(ctx context.Context) error {
	if len(d.names) == 0 || purity.Outside(d.Prog, d.Pkg) == "" {
		return nil
	}
	tmp, err := os.MkdirTemp(memoryDir, "assay")
	if err != nil {
		return nil // there is none, or it cannot be written
	}
	defer os.RemoveAll(tmp)
	b := d.plain
	b.Tmp = tmp
	return d.try(ctx, b, gotest.Trial{}, "where temporary files are in memory")
}

// tryReadable takes out the tests that hold only where files of the machine cannot be read. Code may behave
// differently under confinement and say nothing about it, so its test would fail elsewhere. If the package
// can read files at all, the tests run once more with all files readable. Only the names of failing tests are
// used of that run, because the tests' messages could quote files that they have read.
func (d *doubter) tryReadable(ctx context.Context) error {
	if d.Config.Confine == guard.Off || len(d.names) == 0 || purity.Outside(d.Prog, d.Pkg) == "" {
		return nil
	}
	b := d.plain
	b.Policy = func(tmp string) guard.Policy {
		p := d.Policy(tmp)
		p.Read = []string{"/"}
		return p
	}
	d.processes++
	res, err := b.Try(ctx, gotest.Trial{Names: d.names, Timeout: max(atLeast, d.usual*patience)})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		d.MarkPartial() // with more time it might be known which tests fail
		return nil
	}
	for _, name := range res.Failed {
		d.takeNamed(name, "it holds only where files of the machine cannot be read")
	}
	return nil
}

// takeNamed takes out a test by its name.
func (d *doubter) takeNamed(name, why string) {
	for _, f := range d.s.Files {
		if i := slices.IndexFunc(f.Tests, func(t emit.Test) bool { return t.Name == name }); i >= 0 {
			d.take(f.Tests[i], why)
		}
	}
	d.names = slices.DeleteFunc(d.names, func(n string) bool { return n == name })
}

// copyFiles makes a directory a copy of another one, and returns what is in it. It returns nil for a directory that is too
// large. What is no regular file is left out, as are directories of version control.
func copyFiles(from, to string) (map[string][sha256.Size]byte, error) {
	if err := os.RemoveAll(to); err != nil {
		return nil, err
	}
	files, size := 0, int64(0)
	tooLarge := false
	err := filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		switch {
		case e.IsDir() && e.Name() == ".git":
			return fs.SkipDir
		case e.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		case !e.Type().IsRegular():
			return nil
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files++
		size += int64(len(content))
		if files > mostCopied || size > mostCopiedBytes {
			tooLarge = true
			return fs.SkipAll
		}
		return os.WriteFile(filepath.Join(to, rel), content, 0o600)
	})
	if err != nil {
		return nil, fmt.Errorf("copying %s: %w", from, err)
	}
	if tooLarge {
		return nil, os.RemoveAll(to)
	}
	return contents(to)
}

// contents returns what identifies the content of each file below a directory.
func contents(dir string) (map[string][sha256.Size]byte, error) {
	out := make(map[string][sha256.Size]byte)
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if !e.Type().IsRegular() {
			out[name] = [sha256.Size]byte{}
			return nil
		}
		content, err := os.ReadFile(name)
		out[name] = sha256.Sum256(content)
		return err
	})
	return out, err
}
