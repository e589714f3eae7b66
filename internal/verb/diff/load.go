package diff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/versions"
)

// loading is the old version's program, which is loaded at the same time as the new one.
type loading struct {
	done chan struct{}
	prog *load.Program // nil if the version has none of the packages
	err  error
}

// startLoading begins to load the old version.
func startLoading(ctx context.Context, cfg session.Config, two *versions.Two) *loading {
	l := &loading{done: make(chan struct{})}
	go func() {
		defer close(l.done)
		var patterns []string
		for _, p := range two.Patterns {
			if isThere(two.Old.Dir, p) {
				patterns = append(patterns, p)
			}
		}
		if len(patterns) == 0 {
			return
		}
		l.prog, l.err = load.Load(ctx, load.Config{Dir: two.Old.Dir, Tags: cfg.Tags}, patterns...)
		if l.err != nil && ctx.Err() == nil {
			l.err = fmt.Errorf("the old version (%s): %s", two.Old.Name, two.Old.Replace(l.err.Error()))
		}
	}()
	return l
}

// isThere reports whether a pattern may match packages of a version. It is no error if only the other version
// has a directory.
func isThere(dir, pattern string) bool {
	if !strings.HasPrefix(pattern, ".") {
		return true
	}
	name := strings.TrimSuffix(strings.TrimSuffix(pattern, "..."), "/")
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}

// run is one run of the verb over all packages.
type run struct {
	how Config
	two *versions.Two
	old *loading

	packages map[string]*load.Package // the old version's packages, by their paths in the new one
	seen     map[string]bool          // the packages that the new version has, and whether they are compared or not even compile
	mu       sync.Mutex               // for seen, because several packages may be compared at the same time
}

// accepts waits for the old version, and pairs the packages.
func (r *run) accepts(prog *load.Program) error {
	<-r.old.done
	if r.old.err != nil {
		return r.old.err
	}
	r.packages, r.seen = map[string]*load.Package{}, map[string]bool{}
	for _, pkg := range prog.Packages {
		r.seen[pkg.Path] = len(pkg.Errors) > 0 // such a package is not compared, and it is not gone
	}
	if r.old.prog == nil {
		return nil
	}
	for _, pkg := range r.old.prog.Packages {
		r.packages[newPath(pkg, prog)] = pkg
	}
	r.pairMoved(prog)
	return nil
}

// pairMoved pairs packages that stand in other directories now: those that declare much the same under the same names,
// if there is exactly one such package on either side.
func (r *run) pairMoved(prog *load.Program) {
	moved := map[string][]string{}
	from := map[string][]string{}
	for _, new := range prog.Packages {
		if r.packages[new.Path] != nil || len(new.Errors) > 0 {
			continue
		}
		for path, old := range r.packages {
			if _, there := r.seen[path]; !there && len(old.Errors) == 0 && alike(old.Types.Scope().Names(), new.Types.Scope().Names()) {
				moved[new.Path], from[path] = append(moved[new.Path], path), append(from[path], new.Path)
			}
		}
	}
	for to, list := range moved {
		if len(list) == 1 && len(from[list[0]]) == 1 {
			r.packages[to] = r.packages[list[0]]
			delete(r.packages, list[0])
		}
	}
}

// alike reports whether of two lists of names, without repetition, four of five are in both.
func alike(a, b []string) bool {
	common := 0
	for _, name := range a {
		if slices.Contains(b, name) {
			common++
		}
	}
	return common > 0 && common*2*5 >= (len(a)+len(b))*4
}

// newPath returns the import path that a package of the old version has in the new version, whose module may
// have another name.
func newPath(old *load.Package, prog *load.Program) string {
	for _, pkg := range prog.Packages {
		if pkg.Path == old.Path {
			return old.Path
		}
	}
	rest := strings.TrimPrefix(old.Path, old.Module)
	for _, pkg := range prog.Packages {
		if pkg.Module != "" && old.Module != "" && pkg.Module != old.Module && pkg.Path == pkg.Module+rest {
			return pkg.Path
		}
	}
	return old.Path
}

// reportGone reports packages that the new version does not have any more.
func (r *run) reportGone(events *event.Stream) {
	if r.old.prog == nil {
		return
	}
	for _, pkg := range r.old.prog.Packages {
		path := ""
		if r.packages == nil {
			path = pkg.Path // the new version has no package at all that the run is about
		}
		for p, old := range r.packages {
			if old == pkg {
				path = p
			}
		}
		if path != "" && !r.seen[path] {
			events.Send(event.Unpaired{Package: path, Reason: "gone: only " + r.two.Old.Name + " has it"})
		}
	}
}
