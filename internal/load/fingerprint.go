package load

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Fingerprint identifies everything that decides what the package under test does and what its tests
// show: its source and test files with their comments, because directives are comments, except files
// for which leave returns true; its testdata; the go version of its module; and the compiled form of
// the package and of each dependency, which stands for assembly, embedded files and the compiler, too.
// Packages that only the tests import are identified by the requirements in go.mod and go.sum. Files in
// testdata are identified by size and time. The result is 64 hexadecimal digits.
func (p *Program) Fingerprint(pkg *Package, leave func(file string) bool) (string, error) {
	h := newPrint()
	h.note("package", pkg.Path, pkg.Dir, pkg.Module, pkg.GoVersion)
	files := slices.DeleteFunc(slices.Concat(pkg.GoFiles, pkg.TestFiles, requirements(pkg)), leave)
	if err := p.noteFiles(h, pkg, files); err != nil {
		return "", err
	}
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	if err := p.noteClosure(h, pkg.Path); err != nil {
		return "", err
	}
	return h.String(), nil
}

// ContentPrint identifies everything that Fingerprint does, but for one version of a package among
// several, each in a directory of its own: it depends neither on that directory nor on times. Packages of
// modules that are in directories of the user's are identified by their sources, because their compiled
// form has the names of the directories in it.
func (p *Program) ContentPrint(pkg *Package, leave func(file string) bool) (string, error) {
	h := newPrint()
	h.note("package", pkg.Path, pkg.Module, pkg.GoVersion)
	for _, name := range slices.DeleteFunc(slices.Concat(pkg.TestFiles, requirements(pkg)), leave) {
		if err := p.noteContent(h, filepath.Base(name), name); err != nil {
			return "", err
		}
	}
	data := filepath.Join(pkg.Dir, "testdata")
	err := filepath.WalkDir(data, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || !e.Type().IsRegular():
			return err
		}
		rel, err := filepath.Rel(data, name)
		if err != nil {
			return err
		}
		return p.noteContent(h, rel, name)
	})
	if err != nil {
		return "", err
	}
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	for _, l := range p.closure(pkg.Path) {
		if !p.fromUser(l, pkg) {
			if l.Export == "" && l.ImportPath != "unsafe" {
				return "", fmt.Errorf("%s: it was not compiled", l.ImportPath)
			}
			h.note("import", l.ImportPath, filepath.Base(l.Export))
			continue
		}
		h.note("source", l.ImportPath, l.Module.GoVersion)
		for _, name := range slices.Concat(l.GoFiles, l.CgoFiles, l.SFiles, l.EmbedFiles) {
			if err := p.noteContent(h, name, filepath.Join(l.Dir, name)); err != nil {
				return "", err
			}
		}
	}
	return h.String(), nil
}

// fromUser reports whether a package is in a directory of the user's: of a module without a version, in the
// place of another by a replace directive, or vendored by pkg's module.
func (p *Program) fromUser(l *listed, pkg *Package) bool {
	if l.Standard || l.Module == nil {
		return false
	}
	if l.Module.Version == "" || l.Module.Replace != nil && l.Module.Replace.Version == "" {
		return true
	}
	own := p.deps.listed[pkg.Path]
	return own != nil && own.Module != nil && own.Module.Dir != "" && strings.HasPrefix(l.Dir, own.Module.Dir+string(filepath.Separator))
}

// noteContent adds the content of a file. The content may be one that an editor has not saved yet.
func (p *Program) noteContent(h print, as, name string) error {
	sum := sha256.New()
	if src, ok := p.deps.cfg.Overlay[name]; ok {
		sum.Write(src)
	} else {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close() // the file is only read, so nothing can be lost
		if _, err := io.Copy(sum, f); err != nil {
			return err
		}
	}
	h.note("file", as, hex.EncodeToString(sum.Sum(nil)))
	return nil
}

// requirements returns the files go.mod and go.sum of the package's module.
func requirements(pkg *Package) []string {
	var out []string
	if root, err := filepath.Abs(pkg.Dir); err == nil && pkg.Module != "" {
		for _, name := range []string{"go.mod", "go.sum"} {
			if found := FindUpwards(root, name); found != "" {
				out = append(out, found)
			}
		}
	}
	return out
}

// print is a hash over lists of strings.
type print struct{ hash.Hash }

func newPrint() print { return print{sha256.New()} }

// note adds a list to the hash.
func (h print) note(parts ...string) {
	for _, s := range parts {
		fmt.Fprintf(h, "%d %s ", len(s), s)
	}
	h.Write([]byte{'\n'})
}

// String returns the hash as 64 hexadecimal digits.
func (h print) String() string { return hex.EncodeToString(h.Sum(nil)) }

// noteFiles adds the content of files, and the package's testdata.
func (p *Program) noteFiles(h print, pkg *Package, files []string) error {
	for _, name := range files {
		src, ok := p.deps.cfg.Overlay[name]
		if !ok {
			var err error
			if src, err = os.ReadFile(name); err != nil {
				return err
			}
		}
		h.note("file", name, string(src))
	}
	return filepath.WalkDir(filepath.Join(pkg.Dir, "testdata"), func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			h.note("data", name, fmt.Sprint(info.Size(), info.ModTime().UnixNano()))
		}
		return err
	})
}

// noteClosure adds the compiled form of a package and of everything that it imports.
func (p *Program) noteClosure(h print, path string) error {
	for _, l := range p.closure(path) {
		if l.Export == "" && l.ImportPath != "unsafe" {
			return fmt.Errorf("%s: it was not compiled", l.ImportPath)
		}
		h.note("import", l.ImportPath, filepath.Base(l.Export)) // the file's name is a hash of its content
	}
	return nil
}

// closure returns the package and all that it imports, by import path.
func (p *Program) closure(path string) []*listed {
	var out []*listed
	seen := map[string]bool{}
	todo := []string{path}
	for len(todo) > 0 {
		l := p.deps.listed[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		if l == nil || seen[l.ImportPath] {
			continue
		}
		seen[l.ImportPath] = true
		out = append(out, l)
		for _, i := range l.Imports {
			todo = append(todo, cmp.Or(l.ImportMap[i], i))
		}
	}
	slices.SortFunc(out, func(a, b *listed) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return out
}

// FindUpwards finds a file of that name in dir or above, or returns "" if there is none.
func FindUpwards(dir, name string) string {
	for {
		if full := filepath.Join(dir, name); exists(full) {
			return full
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
