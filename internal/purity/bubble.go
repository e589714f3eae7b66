package purity

import (
	"go/ast"
	"go/types"
	"go/version"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// bubblesSince is the version of Go whose standard library has testing/synctest.
const bubblesSince = "go1.25"

// Bubbles says which calls of a package belong into a bubble of testing/synctest: those whose outcome depends on the clock, or
// on how far goroutines have come.
type Bubbles struct {
	pkg   *load.Package
	funcs map[string]bool // the functions that may reach the clock or start goroutines, by the name of their target
}

// NewBubbles returns the bubbles of a package, or nil if its tests cannot or need not use any: the module builds with a version
// of Go without testing/synctest, or the package neither asks for the time nor starts goroutines.
func NewBubbles(pkg *load.Package) *Bubbles {
	if pkg.Info == nil || pkg.GoVersion == "" || version.Compare("go"+pkg.GoVersion, bubblesSince) < 0 {
		return nil
	}
	b := &Bubbles{pkg: pkg, funcs: make(map[string]bool)}
	callers, methods := make(map[string][]string), make(map[string][]string)
	for _, fd := range pkg.Funcs() {
		if fd.Recv != nil {
			methods[fd.Name.Name] = append(methods[fd.Name.Name], gosyntax.DeclName(fd))
		}
	}
	vars := b.variables()
	for _, fd := range pkg.Funcs() {
		name := gosyntax.DeclName(fd)
		if b.timed(fd, vars) {
			b.funcs[name] = true
		}
		ast.Inspect(fd, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if fn, ok := pkg.Info.Uses[id].(*types.Func); ok && fn.Pkg() == pkg.Types {
					for _, called := range meant(fn.Origin(), methods) {
						callers[called] = append(callers[called], name)
					}
				}
			}
			return true
		})
	}
	todo := slices.Sorted(maps.Keys(b.funcs))
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, caller := range callers[name] {
			if !b.funcs[caller] {
				b.funcs[caller] = true
				todo = append(todo, caller)
			}
		}
	}
	if len(b.funcs) == 0 {
		return nil
	}
	return b
}

// variables returns the package-level variables that hold a function of the clock, as in var now = time.Now.
func (b *Bubbles) variables() map[types.Object]bool {
	out := make(map[types.Object]bool)
	for _, f := range b.pkg.Syntax {
		for _, d := range f.Decls {
			gd, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range gd.Specs {
				spec, ok := s.(*ast.ValueSpec)
				if !ok || !slices.ContainsFunc(spec.Values, func(v ast.Expr) bool { return b.timed(v, nil) }) {
					continue
				}
				for _, name := range spec.Names {
					out[b.pkg.Info.Defs[name]] = true
				}
			}
		}
	}
	return out
}

// timed reports whether code mentions the clock, or one of the variables, or starts a goroutine.
func (b *Bubbles) timed(n ast.Node, vars map[types.Object]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.Ident:
			obj := b.pkg.Info.Uses[n]
			fn, ok := obj.(*types.Func)
			found = found || vars[obj] || ok && ofBubbles(fn)
		}
		return !found
	})
	return found
}

// ofBubbles reports whether a function of another package asks for the time, waits for it, or starts a goroutine.
func ofBubbles(fn *types.Func) bool {
	switch name := fn.FullName(); {
	case name == "time.Now", name == "time.Since", name == "time.Until", waitsForClock(name):
		return true
	case name == "context.WithTimeoutCause", name == "context.WithDeadlineCause", name == "context.AfterFunc", name == "testing/synctest.Wait":
		return true
	}
	return fn.Name() == "Go" && fn.Signature().Recv() != nil // of sync.WaitGroup, or of errgroup.Group
}

// Hold reports whether a sequence runs in a bubble. No bubbles hold none.
func (b *Bubbles) Hold(s *testcase.Sequence) bool {
	if b == nil {
		return false
	}
	for i := range s.Len() {
		fn := s.At(i).Op.Func
		if fn == nil {
			continue
		}
		if fn.Pkg() == b.pkg.Types && b.Holds(fn) || fn.Pkg() != b.pkg.Types && ofBubbles(fn) {
			return true
		}
	}
	return false
}

// Holds reports whether a call of a function of the package belongs into a bubble. A method of an interface may be any method
// of its name.
func (b *Bubbles) Holds(fn *types.Func) bool {
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		for name := range b.funcs {
			if strings.HasSuffix(name, "."+fn.Name()) {
				return true
			}
		}
		return false
	}
	return b.funcs[testcase.TargetName(fn)]
}
