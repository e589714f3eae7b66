package random

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Functions often take values of a type of another module of which nobody can write a literal: a cty.Value, a uuid of a
// library, a node of a document. Without a way to make one all their parameters are zero values, and hardly any of their code
// runs. The type's own package has the functions and variables that users take.

// Bounds of what is read: through how many types, and how many ways there are to make a value of one type.
const (
	foreignDepth = 5
	maxForeign   = 24
	maxArguments = 3
)

// foreignFactories returns the ways in which packages of other modules make values of their types, for types that occur in what the
// package's functions take. The standard library's are in the table of factories.
func foreignFactories(pkg *load.Package) map[string][]*maker {
	f := &foreign{pkg: pkg, seen: map[string]bool{}, out: map[string][]*maker{}}
	for _, t := range pkg.Targets {
		if t.Skip != "" || t.Obj.Signature().TypeParams().Len() > 0 {
			continue
		}
		for p := range t.Obj.Signature().Params().Variables() {
			f.visit(p.Type(), 0)
		}
	}
	return f.out
}

type foreign struct {
	pkg  *load.Package
	seen map[string]bool
	out  map[string][]*maker
}

// visit finds the ways to make a type, and those for what its makers and literals take.
func (f *foreign) visit(t types.Type, depth int) {
	t = types.Unalias(t)
	key := types.TypeString(t, nil)
	if depth > foreignDepth || f.seen[key] {
		return
	}
	f.seen[key] = true
	switch u := t.(type) {
	case *types.Named:
		if f.isClosed(u) {
			f.find(u, depth)
			return
		}
		if st, ok := u.Underlying().(*types.Struct); ok {
			for v := range st.Fields() {
				if v.Exported() {
					f.visit(v.Type(), depth+1)
				}
			}
			return
		}
		f.visit(u.Underlying(), depth)
	case *types.Pointer:
		f.visit(u.Elem(), depth)
	case *types.Slice:
		f.visit(u.Elem(), depth)
	case *types.Array:
		f.visit(u.Elem(), depth)
	case *types.Map:
		f.visit(u.Key(), depth)
		f.visit(u.Elem(), depth)
	case *types.Signature:
		for v := range u.Results().Variables() {
			f.visit(v.Type(), depth+1)
		}
	}
}

// isClosed reports whether a type is of another module, and neither a literal nor a stand-in will do for it.
func (f *foreign) isClosed(n *types.Named) bool {
	p := n.Obj().Pkg()
	if p == nil || p == f.pkg.Types || !n.Obj().Exported() || n.TypeParams().Len() > 0 || !isOfModule(p.Path()) || strings.Contains("/"+p.Path()+"/", "/internal/") {
		return false
	}
	switch u := n.Underlying().(type) {
	case *types.Struct:
		return !zeroUsable(n, u)
	case *types.Interface:
		return u.NumMethods() > 0 && !gosyntax.IsError(n)
	}
	return false
}

// isOfModule reports whether a path is that of a package of a module, not of the standard library.
func isOfModule(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// find finds the exported variables and functions of a type's package that are, or return, a value of the type or a pointer to one.
func (f *foreign) find(n *types.Named, depth int) {
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		var m *maker
		var made types.Type
		switch o := scope.Lookup(name).(type) {
		case *types.Var:
			m, made = &maker{op: &testcase.Operation{Kind: testcase.OpGlobal, Var: o}}, o.Type()
		case *types.Func:
			if !f.canCall(o) {
				continue
			}
			m, made = newMaker(&testcase.Operation{Kind: testcase.OpFunc, Func: o}), o.Signature().Results().At(0).Type()
		default:
			continue
		}
		key := types.TypeString(made, nil)
		if !scope.Lookup(name).Exported() || load.NamedOf(made) == nil || load.NamedOf(made).Obj() != n.Obj() || len(f.out[key]) >= maxForeign {
			continue
		}
		f.out[key] = append(f.out[key], m)
		for _, p := range m.params {
			f.visit(p, depth+1)
		}
	}
}

// canCall reports whether a function can be called to make a value: it takes little, and returns one value, perhaps with an error.
func (f *foreign) canCall(fn *types.Func) bool {
	sig := fn.Signature()
	rs := sig.Results()
	if sig.TypeParams().Len() > 0 || rs.Len() == 0 || rs.Len() > 2 || rs.Len() == 2 && !gosyntax.IsError(rs.At(1).Type()) || sig.Params().Len() > maxArguments {
		return false
	}
	return !slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(p *types.Var) bool {
		switch p.Type().Underlying().(type) {
		case *types.Signature, *types.Chan:
			return true
		}
		return !nameable(p.Type(), f.pkg)
	})
}
