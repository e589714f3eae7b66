package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/build"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load/callers"
	"github.com/goassay/assay/internal/load/lexicon"
	"github.com/goassay/assay/internal/load/requests"
)

// Readable returns the directories with the source that the package is built from: its module, the
// modules of its imports, and the Go tree. If the user's home directory is within the module, the
// module contains more than that, and the package's own directory replaces it.
func (p *Program) Readable(pkg *Package) []string {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	out := []string{pkg.Dir}
	home, err := os.UserHomeDir()
	if err != nil {
		home = string(filepath.Separator) // a module at the root contains every home directory
	}
	for _, l := range p.closure(pkg.Path) {
		dir := l.Dir
		if l.Standard {
			if root, ok := strings.CutSuffix(l.Dir, filepath.FromSlash("/src/"+l.ImportPath)); ok {
				dir = root
			}
		} else if l.Module != nil && l.Module.Dir != "" && !isInside(home, l.Module.Dir) {
			dir = l.Module.Dir
		}
		if dir != "" {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isInside reports whether a file is a directory or in it.
func isInside(name, dir string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Import is an import of one package by another.
type Import struct{ From, Path string }

// Imports returns the imports of the package and of its dependencies outside the standard library,
// sorted by the importing package.
func (p *Program) Imports(pkg *Package) []Import {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	var out []Import
	for _, l := range p.closure(pkg.Path) {
		if l.Standard {
			continue
		}
		for _, path := range l.Imports {
			out = append(out, Import{l.ImportPath, path})
		}
	}
	return out
}

// Outside returns the directories of the user's that a package or its hand-written tests import packages from and that are not
// within root, as go.mod names them. What the go command keeps (modules that it has downloaded, the standard library) is not
// the user's. Whoever has only the files in root cannot build the package.
func (p *Program) Outside(pkg *Package, root string) ([]string, error) {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	paths := append(slices.Sorted(maps.Keys(pkg.TestImports)), pkg.Path)
	unknown := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return path == "C" || p.deps.listed[path] != nil })
	if len(unknown) > 0 {
		if err := p.listMore(unknown...); err != nil {
			return nil, err
		}
	}
	found := make(map[string]bool)
	for _, path := range paths {
		for _, l := range p.closure(path) {
			if !p.fromUser(l, pkg) {
				continue
			}
			dir := l.Dir
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				dir = real
			}
			if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) {
				continue
			}
			name := l.Dir
			if m := l.Module; m.Replace != nil {
				name = m.Replace.Path
			}
			found[strings.TrimSuffix(name, "/")] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// Callers returns the code elsewhere in the module of a package that uses the package. A package outside of a module has none, and
// neither has one of a dependency. A Program reads them once, so that they are the same for the key of a result and for the result.
func (p *Program) Callers(pkg *Package) []callers.Caller {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	x := p.moduleOf(pkg)
	if x == nil {
		return nil
	}
	if found, ok := p.deps.callersOf[pkg.Path]; ok {
		return found
	}
	found := x.Of(pkg.Path, pkg.Name, pkg.Dir)
	p.deps.callersOf[pkg.Path] = found
	return found
}

// Importing returns the files of a package's module that import another package, by their full names: examples, then tests, then others.
func (p *Program) Importing(pkg *Package, path string) []string {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	x := p.moduleOf(pkg)
	if x == nil {
		return nil
	}
	return x.Importing(path)
}

// ImportedWith returns what else the files of a package's module import that import another package.
func (p *Program) ImportedWith(pkg *Package, path string) []string {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	x := p.moduleOf(pkg)
	if x == nil {
		return nil
	}
	return x.ImportedWith(path)
}

// moduleOf returns the files of the module of a package, nil for one outside of a module and for one of a dependency. The caller holds mu.
func (p *Program) moduleOf(pkg *Package) *callers.Index {
	l := p.deps.listed[pkg.Path]
	if l == nil || l.Standard || l.Module == nil || l.Module.Dir == "" || l.Module.Version != "" {
		return nil
	}
	if home, err := os.UserHomeDir(); err == nil && isInside(home, l.Module.Dir) {
		return nil // the module's directory has much that is no code of the module
	}
	if p.deps.callers == nil {
		p.deps.callers, p.deps.callersOf = make(map[string]*callers.Index), make(map[string][]callers.Caller)
	}
	x := p.deps.callers[l.Module.Dir]
	if x == nil {
		x = callers.NewIndex(l.Module.Dir)
		p.deps.callers[l.Module.Dir] = x
	}
	return x
}

// Lexicon returns the texts that the package's module gives to what is called so. Like Callers it is read once.
func (pkg *Package) Lexicon() *lexicon.Lexicon {
	pkg.lexicon.Do(func() {
		if pkg.prog == nil {
			return // a package without a program, as tests make some
		}
		pkg.prog.deps.mu.Lock()
		defer pkg.prog.deps.mu.Unlock()
		if x := pkg.prog.moduleOf(pkg); x != nil {
			pkg.named = pkg.prog.deps.lexicons.Of(x.Files(), pkg.Dir)
		}
	})
	return pkg.named
}

// Requests returns what is known about the HTTP requests that the functions of a package send, themselves or by functions of other
// packages of the module. Those packages are loaded from source only if a call leads into them, and if code of the module that they
// import may send a request at all. Where the package sends requests, those that read a notation in which answers are written are
// loaded as well.
func (pkg *Package) Requests() *requests.Facts {
	pkg.requests.Do(func() {
		pkg.requestFacts = pkg.requestsBy(false)
		if pkg.requestFacts.Any() {
			pkg.requestFacts = pkg.requestsBy(true)
		}
	})
	return pkg.requestFacts
}

// mostRequested is how many other packages are loaded at the most because requests of one package may lead into them.
const mostRequested = 8

// requestsBy returns what Requests does; decoders says whether packages that only read answers are loaded.
func (pkg *Package) requestsBy(decoders bool) *requests.Facts {
	own := &requests.Source{Types: pkg.Types, Info: pkg.Info, Syntax: pkg.Syntax}
	loaded := 0
	return requests.Of(own, func(path string) *requests.Source {
		if path == pkg.Path || loaded == mostRequested || !pkg.prog.mayRequest(pkg, path, decoders) {
			return nil
		}
		loaded++
		src, err := pkg.prog.PackageSource(path)
		if err != nil {
			return nil // the requests of a package without source are not known
		}
		return &requests.Source{Types: src.Types, Info: src.Info, Syntax: src.Syntax}
	})
}

// mayRequest reports whether a package of the module of pkg has to do with requests: it may send some, or imports a package that
// does; or it reads a notation, if that counts.
func (p *Program) mayRequest(pkg *Package, path string, decoders bool) bool {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	l := p.deps.listed[path]
	if pkg.Module == "" || !l.isOf(pkg.Module) {
		return false
	}
	return p.leadsToRequests(path) || decoders && (slices.Contains(l.Imports, "encoding/json") || slices.Contains(l.Imports, "encoding/xml"))
}

// isOf reports whether a package, which may be nil, belongs to a module.
func (l *listed) isOf(module string) bool {
	return l != nil && l.Module != nil && l.Module.Path == module
}

// leadsToRequests reports whether the text of a package, or of one that it imports from its own module, mentions clients. The caller
// holds the lock.
func (p *Program) leadsToRequests(path string) bool {
	d := &p.deps
	if d.requesting == nil {
		d.requesting = make(map[string]bool)
	}
	known, ok := d.requesting[path]
	if ok {
		return known
	}
	d.requesting[path] = false // no package imports itself
	l := d.listed[path]
	found := slices.Contains(l.Imports, "net/http") && p.mentionsClients(l)
	for _, i := range l.Imports {
		if i = l.mapped(i); !found && l.Module != nil && d.listed[i].isOf(l.Module.Path) {
			found = p.leadsToRequests(i)
		}
	}
	d.requesting[path] = found
	return found
}

// mentionsClients reports whether a file of a package has one of the names by which code sends requests and takes their answers.
func (p *Program) mentionsClients(l *listed) bool {
	names := [][]byte{[]byte("http.Client"), []byte("http.DefaultClient"), []byte("http.NewRequest"), []byte("http.Response, "), []byte("http.Get("), []byte("http.Post"), []byte("http.Head(")}
	for _, file := range l.abs(l.GoFiles) {
		src, err := p.Source(file)
		if err != nil {
			continue // the type checker reports it
		}
		if slices.ContainsFunc(names, func(name []byte) bool { return bytes.Contains(src, name) }) {
			return true
		}
	}
	return false
}

// DependsOn reports whether a package imports another one, directly or through others.
func (p *Program) DependsOn(pkg *Package, path string) bool {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	return slices.ContainsFunc(p.closure(pkg.Path), func(l *listed) bool { return l.ImportPath == path })
}

// cgoFile returns a file of the package that the go command would compile with C for the user, and leaves out
// for assay, or "" if there is none.
func (l *listed) cgoFile(cfg Config) string {
	if len(l.CgoFiles) > 0 {
		return l.abs(l.CgoFiles)[0]
	}
	if len(l.IgnoredGoFiles) == 0 || cfg.getenv("CGO_ENABLED") == "0" {
		return ""
	}
	bc := build.Default
	bc.CgoEnabled = true
	for name, field := range map[string]*string{"GOOS": &bc.GOOS, "GOARCH": &bc.GOARCH} {
		if v := cfg.getenv(name); v != "" {
			*field = v
		}
	}
	if cfg.Tags != "" {
		bc.BuildTags = strings.Split(cfg.Tags, ",")
	}
	bp, err := bc.ImportDir(l.Dir, 0)
	if err != nil || len(bp.CgoFiles) == 0 || !cfg.hasCompiler() {
		return ""
	}
	return l.abs(bp.CgoFiles)[0]
}

// leftOut returns the packages that patterns with "..." match and that go list has left out because all
// their files use cgo, so that the user can be told. Listing them with cgo compiles nothing.
func leftOut(ctx context.Context, cfg Config, patterns []string, all []*listed) ([]*listed, error) {
	wild := slices.ContainsFunc(patterns, func(p string) bool { return strings.Contains(p, "...") })
	if !wild || cfg.getenv("CGO_ENABLED") == "0" || !cfg.hasCompiler() {
		return nil, nil
	}
	args := []string{"list", "-e", "-find", "-json=ImportPath,Name,Dir,CgoFiles"}
	if cfg.Tags != "" {
		args = append(args, "-tags="+cfg.Tags)
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), patterns...)...)
	cmd.Dir, cmd.Env = cfg.Dir, cfg.environ([]string{"CGO_ENABLED=1"})
	text, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, nil // with -e the go command lists what it can, and the first listing has reported errors
	}
	known := map[string]bool{}
	for _, l := range all {
		known[l.ImportPath] = true
	}
	var out []*listed
	for dec := json.NewDecoder(bytes.NewReader(text)); ; {
		l := new(listed)
		if err := dec.Decode(l); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if len(l.CgoFiles) > 0 && !known[l.ImportPath] {
			out = append(out, l)
		}
	}
}

// hasCompiler reports whether the go command would find a C compiler, without which it
// leaves cgo out by itself.
func (cfg Config) hasCompiler() bool {
	if cfg.getenv("CGO_ENABLED") == "1" {
		return true
	}
	for _, cc := range []string{cfg.getenv("CC"), "gcc", "clang"} {
		if word, _, _ := strings.Cut(cc, " "); word != "" {
			if _, err := exec.LookPath(word); err == nil {
				return true
			}
		}
	}
	return false
}

// DirOf returns the directory of a package that is known by its path, "" if there is none.
func (p *Program) DirOf(path string) string {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	if l := p.deps.listed[path]; l != nil {
		return l.Dir
	}
	return ""
}
