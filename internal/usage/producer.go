package usage

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// Producer returns the function of the package whose results users pass on as values of a type that has no
// name, or nil if there is no such function, or more than one. Only lists of lists and maps of lists have a
// producer, because two functions hardly use such a type by chance. A value that is written by hand may be
// one that the package never makes, like a matrix whose rows differ in length.
func Producer(pkg *load.Package, t types.Type) *types.Func {
	if pkg.Types == nil || load.NamedOf(t) != nil {
		return nil
	}
	var elem types.Type
	switch u := types.Unalias(t).(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Map:
		elem = u.Elem()
	default:
		return nil
	}
	switch elem.Underlying().(type) {
	case *types.Slice, *types.Map:
	default:
		return nil
	}
	var out *types.Func
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok || !f.Exported() || f.Signature().Results().Len() == 0 || f.Signature().TypeParams().Len() > 0 || f.Signature().Variadic() || !types.Identical(f.Signature().Results().At(0).Type(), t) || takes(f, t) {
			continue
		}
		if out != nil {
			return nil
		}
		out = f
	}
	return out
}

// takes reports whether a function has a parameter of a type.
func takes(f *types.Func, t types.Type) bool {
	for p := range f.Signature().Params().Variables() {
		if types.Identical(p.Type(), t) {
			return true
		}
	}
	return false
}

// Node reports whether a type is that of the nodes of a tree which tells its kinds of nodes apart by a field: a struct of the
// package with a field of an enumeration of the package called Op, Kind or Type, or with one of these at the end of its
// name, and fields that lead to other nodes. The nodes of regexp/syntax, yaml, x/net/html and blackfriday are of such types.
// Which of the other fields a node has to have depends on its kind, so that one which is written by hand, or made by a
// function that takes nothing but the kind, need not be a node that a parser makes.
func Node(pkg *load.Package, t types.Type) bool {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() != pkg.Types {
		return false
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	kind, leads := false, false
	for f := range st.Fields() {
		kind = kind || isKind(f.Name()) && isEnumeration(pkg, f.Type())
		next := f.Type()
		if list, ok := next.Underlying().(*types.Slice); ok {
			next = list.Elem()
		}
		if p, ok := next.(*types.Pointer); ok && SameNamed(load.NamedOf(p.Elem()), named) {
			leads = true
		}
	}
	return kind && leads
}

// MakesNode reports whether a function of the package makes a node of such a tree and takes nothing but the node's kind.
func MakesNode(pkg *load.Package, fn *types.Func) bool {
	sig := fn.Signature()
	return fn.Pkg() == pkg.Types && sig.Recv() == nil && sig.Results().Len() == 1 && sig.Params().Len() == 1 &&
		Node(pkg, sig.Results().At(0).Type()) && isEnumeration(pkg, sig.Params().At(0).Type())
}

func isKind(field string) bool {
	for _, word := range []string{"Kind", "Type", "Op"} {
		if strings.HasSuffix(field, word) {
			return true
		}
	}
	return false
}

// isEnumeration reports whether the package declares at least two constants of a type of its own.
func isEnumeration(pkg *load.Package, t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() != pkg.Types {
		return false
	}
	n := 0
	for _, name := range pkg.Types.Scope().Names() {
		if c, ok := pkg.Types.Scope().Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) {
			n++
		}
	}
	return n >= 2
}
