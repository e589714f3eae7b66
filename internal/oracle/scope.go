package oracle

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
)

// scope is the scope in which expressions of the documentation are checked: in the package, where the
// package's own names need no prefix, or outside, where users write the package's name in front of exported
// names.
type scope struct {
	prog *load.Program
	pkg  *load.Package
	env  *types.Package
	// imports are further packages, by their names in an example's file.
	imports map[string]string
	failed  map[string]bool // names that denote no package
	// near says that only packages which the package under test depends on are known, and a few others of the standard library:
	// tests cannot import one that imports the package, and to find the others takes time.
	near bool
	// passed has the constants that translated calls pass, by function.
	passed map[string][][]constant.Value
}

// known are packages of the standard library that code in documentation uses without importing them.
var known = map[string]string{
	"bytes": "bytes", "errors": "errors", "fmt": "fmt", "io": "io", "math": "math", "sort": "sort", "strconv": "strconv",
	"strings": "strings", "time": "time", "context": "context", "url": "net/url", "big": "math/big", "json": "encoding/json", "regexp": "regexp", "unicode": "unicode",
	"slices": "slices", "maps": "maps", "http": "net/http", "httptest": "net/http/httptest", "sync": "sync", "net": "net", "os": "os", "hex": "encoding/hex", "base64": "encoding/base64",
}

func newScope(prog *load.Program, pkg *load.Package) *scope {
	return &scope{prog: prog, pkg: pkg, env: environment(pkg, false), failed: make(map[string]bool), passed: make(map[string][][]constant.Value)}
}

// environment returns a package with the names of another one, and its own name as users write it. The new
// package has the same path, so that unexported names are accessible. For code outside of the package it has
// only the package's name.
func environment(pkg *load.Package, outside bool) *types.Package {
	env := types.NewPackage(pkg.Path, pkg.Name)
	in := pkg.Types.Scope()
	// Where the package declares its own name, too, the name stands for the package, as it does for users.
	env.Scope().Insert(types.NewPkgName(token.NoPos, env, pkg.Name, pkg.Types))
	for _, n := range in.Names() {
		if !outside {
			env.Scope().Insert(in.Lookup(n))
		}
	}
	return env
}

// fresh returns a scope for one piece of code, which may declare variables and import packages, and
// which may be outside of the package.
func (s *scope) fresh(imports map[string]string, outside bool) *scope {
	return &scope{prog: s.prog, pkg: s.pkg, env: environment(s.pkg, outside), imports: imports, failed: make(map[string]bool), passed: s.passed}
}

// typeCheck type-checks an expression. The result info has the types of its parts.
func (s *scope) typeCheck(fset *token.FileSet, e ast.Expr) (info *types.Info, ok bool) {
	s.importFor(e)
	info = &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), Instances: make(map[*ast.Ident]types.Instance),
	}
	err := types.CheckExpr(fset, s.env, token.NoPos, e, info)
	return info, err == nil
}

// importFor imports the packages that an expression names.
func (s *scope) importFor(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok || s.env.Scope().Lookup(x.Name) != nil || s.failed[x.Name] {
			return true
		}
		if p := s.imported(x.Name); p != nil {
			s.env.Scope().Insert(types.NewPkgName(token.NoPos, s.env, x.Name, p))
		} else {
			s.failed[x.Name] = true
		}
		return true
	})
}

// imported returns the package that a name denotes, or nil if there is none.
func (s *scope) imported(name string) *types.Package {
	if path := s.imports[name]; path != "" {
		if path == s.pkg.Path {
			return s.pkg.Types
		}
		if s.near && !s.isNear(path) {
			return nil
		}
		if p, err := s.prog.ImportedPackage(path); err == nil {
			return p
		}
	}
	for _, p := range s.pkg.Types.Imports() {
		if p.Name() == name {
			return p
		}
	}
	if path := known[name]; path != "" && !s.near {
		if p, err := s.prog.ImportedPackage(path); err == nil {
			return p
		}
	}
	return nil
}

// isNear reports whether a package is one that scopes which are near may import.
func (s *scope) isNear(path string) bool {
	switch path {
	case "bytes", "errors", "fmt", "io", "math", "sort", "strconv", "strings", "time", "context":
		return true
	}
	return s.prog.DependsOn(s.pkg, path)
}

// declare makes a variable known. It hides another variable of the same name.
func (s *scope) declare(name string, t types.Type) (*types.Var, bool) {
	if name == "_" || s.env.Scope().Lookup(name) != nil {
		return nil, false
	}
	v := types.NewVar(token.NoPos, s.env, name, t)
	s.env.Scope().Insert(v)
	return v, true
}

// maxPassed is how many lists of arguments are kept for one function.
const maxPassed = 16

// note notes that a call of a function passes these constants. A nil stands for an argument that is no
// constant.
func (s *scope) note(target string, list []constant.Value) {
	if slices.ContainsFunc(list, func(v constant.Value) bool {
		return v != nil && v.Kind() == constant.String && len(constant.StringVal(v)) > longestText
	}) {
		return
	}
	same := func(l []constant.Value) bool {
		return slices.EqualFunc(l, list, func(a, b constant.Value) bool {
			return (a == nil) == (b == nil) && (a == nil || a.ExactString() == b.ExactString())
		})
	}
	if known := s.passed[target]; len(known) < maxPassed && !slices.ContainsFunc(known, same) {
		s.passed[target] = append(known, list)
	}
}
