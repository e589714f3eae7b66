package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Omitted says which files of a directory are not in a bundle although nobody asked for that, because they are too large or too
// many.
type Omitted struct {
	Large []string // files that are larger than MaxFile
	Dirs  []string // directories of which files are left out because all would be too many, the one with the most first
	Files int      // the number of these files
}

// String says in a line what was left out, or "" if nothing was.
func (o Omitted) String() string {
	var parts []string
	few := func(names []string) string {
		const most = 3
		if more := len(names) - most; more > 0 {
			names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", more))
		}
		return strings.Join(names, ", ")
	}
	if len(o.Large) > 0 {
		parts = append(parts, fmt.Sprintf("%s (larger than %d MB)", few(o.Large), MaxFile>>20))
	}
	if o.Files > 0 {
		parts = append(parts, fmt.Sprintf("%d files that are neither of packages nor what these embed (in %s)", o.Files, few(o.Dirs)))
	}
	return strings.Join(parts, " and ")
}

// errTooMuch says that a directory has more than a bundle may have.
var errTooMuch = errors.New("too many files")

// walk looks for the files of a directory.
type walk struct {
	root  string
	leave func(name string) bool
	// lean leaves out what no package needs: only files in directories with Go code are found, those in their testdata, what
	// they embed, and what describes modules and packages.
	lean bool
	most int // how many files there may be

	elsewhere []string // directories of the user's that are not looked into
	found     []File
	total     int64
	omitted   Omitted
	missed    map[string]int // by directory, how many files are left out
}

// filesOf returns the files below a directory that a bundle has, so many at most, and says what was left out of it for being
// too much.
func filesOf(root string, leave func(name string) bool, most int) ([]File, Omitted, error) {
	for _, lean := range []bool{false, true} {
		w := &walk{root: root, leave: leave, lean: lean, most: most, elsewhere: []string{filepath.Clean(os.TempDir())}, missed: make(map[string]int)}
		for _, dir := range []func() (string, error){os.UserConfigDir, os.UserCacheDir} {
			if name, err := dir(); err == nil {
				w.elsewhere = append(w.elsewhere, filepath.Clean(name))
			}
		}
		_, err := w.visit(".", false, nil)
		if errors.Is(err, errTooMuch) {
			continue
		}
		slices.SortFunc(w.found, func(a, b File) int { return compare(a.Name, b.Name) })
		slices.Sort(w.omitted.Large)
		for dir := range w.missed {
			w.omitted.Dirs = append(w.omitted.Dirs, dir)
		}
		slices.SortFunc(w.omitted.Dirs, func(a, b string) int { return cmp.Or(w.missed[b]-w.missed[a], cmp.Compare(a, b)) })
		return w.found, w.omitted, err
	}
	return nil, Omitted{}, fmt.Errorf("%s is too much to be sent to workers, more than %d files or %d MB even without what no package needs: run without workers, on several machines with -shard i/n", root, most, MaxTotal>>20)
}

// visited says what was found in a directory and below it.
type visited struct {
	noted  int // files of the bundle
	missed int // files that are left out, unless they are in the list of directories already
}

// visit notes the files of a directory and of those below it. Everything is noted in a directory that is whole: testdata, or
// one that is embedded. The patterns, relative to the root, name what is embedded.
func (w *walk) visit(dir string, whole bool, patterns []string) (v visited, err error) {
	entries, err := os.ReadDir(filepath.Join(w.root, filepath.FromSlash(dir)))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && dir != "." {
			err = nil // it is gone again
		}
		return v, err
	}
	isPackage := false
	if w.lean && !whole {
		for _, e := range entries {
			if e.Type().IsRegular() && path.Ext(e.Name()) == ".go" {
				isPackage = true
				patterns = append(slices.Clip(patterns), embedded(w.root, path.Join(dir, e.Name()))...)
			}
		}
	}
	below := make(map[string]visited) // directories
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		isEmbedded := func() bool {
			return slices.ContainsFunc(patterns, func(p string) bool { ok, _ := path.Match(p, name); return ok }) // a bad pattern matches nothing
		}
		n := 0
		switch {
		case slices.Contains(vcs, e.Name()): // in a submodule of git, .git is a file
		case e.IsDir() && slices.Contains(w.elsewhere, filepath.Join(w.root, filepath.FromSlash(name))):
		case e.IsDir():
			below[name], err = w.visit(name, whole || isPackage && e.Name() == "testdata" || w.lean && isEmbedded(), patterns)
			n = below[name].noted
		case !e.Type().IsRegular() || w.leave(name):
		case w.lean && !whole && !isPackage && dir != "." && !describes(e.Name()) && !isEmbedded():
			v.missed++
		default:
			n, err = w.note(name, e)
		}
		if err != nil {
			return v, err
		}
		v.noted += n
	}
	return w.listMissed(dir, v, below), nil
}

// listMissed notes in which directories files are left out: a directory of which nothing is in the bundle stands for those
// below it.
func (w *walk) listMissed(dir string, v visited, below map[string]visited) visited {
	if v.noted == 0 && dir != "." {
		for _, b := range below {
			v.missed += b.missed
		}
		return v
	}
	below[dir] = v
	for name, b := range below {
		if b.missed > 0 {
			w.missed[name] = b.missed
			w.omitted.Files += b.missed
		}
	}
	return visited{noted: v.noted}
}

// note notes a file, unless it is too large, and returns how many were noted.
func (w *walk) note(name string, e fs.DirEntry) (int, error) {
	info, err := e.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if info.Size() > MaxFile {
		w.omitted.Large = append(w.omitted.Large, name)
		return 0, nil
	}
	w.found = append(w.found, File{Name: name, Size: info.Size()})
	if w.total += info.Size(); len(w.found) > w.most || w.total > MaxTotal {
		return 0, errTooMuch
	}
	return 1, nil
}

// describes reports whether a file of that name describes a module, or the packages below it.
func describes(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	return name == "go.mod" || name == "go.sum" || name == "modules.txt" || stem == "readme"
}

// embedded returns the patterns by which a Go file embeds others, relative to the root. What is no pattern embeds nothing.
func embedded(root, file string) (patterns []string) {
	src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return nil // it is gone again
	}
	for line := range strings.Lines(string(src)) {
		rest, ok := strings.CutPrefix(line, "//go:embed ")
		for rest = strings.TrimSpace(rest); ok && rest != ""; rest = strings.TrimSpace(rest) {
			one := rest
			if quoted, err := strconv.QuotedPrefix(rest); err == nil {
				one = quoted
			} else {
				one, _, _ = strings.Cut(rest, " ")
			}
			rest = rest[len(one):]
			if text, err := strconv.Unquote(one); err == nil {
				one = text
			}
			patterns = append(patterns, path.Join(path.Dir(file), strings.TrimPrefix(one, "all:")))
		}
	}
	return patterns
}
