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
		if p, ok := elementOf(f.Type()).(*types.Pointer); ok && SameNamed(load.NamedOf(p.Elem()), named) {
			leads = true
		}
	}
	return kind && leads
}

// fewestKinds is how many structs of a package have to be nodes of one tree before the types count as kinds of nodes, and fewestLeading
// how many of them have to lead to further nodes. Messages, of which a package may have many, do not consist of messages.
const (
	fewestKinds   = 5
	fewestLeading = 3
)

// IsNode reports whether a type is that of nodes as Node has them, or one kind of node of a tree whose kinds of nodes are told
// apart by their types (kindsOfNodes).
func (r *Rules) IsNode(t types.Type) bool {
	if Node(r.Pkg, t) {
		return true
	}
	r.once.Do(r.read)
	named := load.NamedOf(t)
	return named != nil && r.nodes[named.Origin().Obj()]
}

// kindsOfNodes returns the types of the nodes of trees that the package makes of text, where types tell the kinds of nodes apart:
// structs that implement one interface of the package, through which several of them lead to further nodes. The nodes of
// buildtools/build, mvdan.cc/sh/syntax, hcl/v2/hclsyntax, metricsql and starlark/syntax are of such types, and the records of
// miekg/dns are not: each has a header, and none leads to another. What a node has to have is what its parser gives it.
func kindsOfNodes(pkg *load.Package) map[*types.TypeName]bool {
	out := make(map[*types.TypeName]bool)
	if pkg.Types == nil {
		return out
	}
	for _, node := range typesOf(pkg) {
		i, ok := node.Type().Underlying().(*types.Interface)
		if !ok || !node.Exported() || i.NumMethods() == 0 {
			continue
		}
		var kinds []*types.TypeName
		leading := 0
		for _, tn := range typesOf(pkg) {
			st, ok := tn.Type().Underlying().(*types.Struct)
			if !ok || !implements(tn.Type(), i) {
				continue
			}
			kinds = append(kinds, tn)
			if leadsTo(st, i) {
				leading++
			}
		}
		if len(kinds) < fewestKinds || leading < fewestLeading || !isParsed(pkg, i) {
			continue
		}
		for _, tn := range kinds {
			out[tn] = true
		}
	}
	return out
}

// typesOf returns the declared types of a package that are no aliases and have no type parameters, in the order of their names.
func typesOf(pkg *load.Package) []*types.TypeName {
	var out []*types.TypeName
	for _, name := range pkg.Types.Scope().Names() {
		tn, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		if named, ok := tn.Type().(*types.Named); ok && named.TypeParams().Len() == 0 {
			out = append(out, tn)
		}
	}
	return out
}

// leadsTo reports whether a struct has an exported field, or a list in one, of nodes: of the interface or of pointers to a kind.
func leadsTo(st *types.Struct, node *types.Interface) bool {
	for f := range st.Fields() {
		e := elementOf(f.Type())
		_, isPointer := types.Unalias(e).(*types.Pointer)
		if f.Exported() && (isPointer || types.IsInterface(e)) && implements(e, node) {
			return true
		}
	}
	return false
}

// isParsed reports whether an exported function or method of the package takes text, bytes or a reader and returns nodes, or a
// struct of the package with a field of nodes.
func isParsed(pkg *load.Package, node *types.Interface) bool {
	for _, t := range pkg.Targets {
		if !t.Exported || Data(t.Obj) == "" && !reads(t.Obj) {
			continue
		}
		for v := range t.Obj.Signature().Results().Variables() {
			e := elementOf(v.Type())
			if implements(e, node) {
				return true
			}
			if p, ok := e.(*types.Pointer); ok {
				e = p.Elem()
			}
			if st, ok := e.Underlying().(*types.Struct); ok && load.NamedOf(e) != nil && load.NamedOf(e).Obj().Pkg() == pkg.Types {
				for f := range st.Fields() {
					if implements(elementOf(f.Type()), node) {
						return true
					}
				}
			}
		}
	}
	return false
}

// reads reports whether a function takes an io.Reader.
func reads(fn *types.Func) bool {
	for p := range fn.Signature().Params().Variables() {
		if load.IsNamed(p.Type(), "io", "Reader") {
			return true
		}
	}
	return false
}

// implements reports whether values of a type, or pointers to them, implement an interface.
func implements(t types.Type, i *types.Interface) bool {
	return types.Implements(t, i) || !types.IsInterface(t) && types.Implements(types.NewPointer(t), i)
}

// elementOf returns the type of the elements of a list, and any other type as it is.
func elementOf(t types.Type) types.Type {
	if list, ok := t.Underlying().(*types.Slice); ok {
		return list.Elem()
	}
	return t
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

// Extended reports whether users make lists of an exported type of the package by calls of its methods, which put together what
// belongs together: two methods at least that take something, return nothing and have the list's address, as Start and Add1 of a
// path of operations and their points. What is written by hand is as good as a struct that is written by hand although it has a
// constructor. Two modules are known: golang/freetype's Path and srwiley/rasterx's.
func Extended(pkg *load.Package, t types.Type) bool {
	const fewest = 2
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !named.Obj().Exported() || named.Obj().Pkg() != pkg.Types {
		return false
	}
	if _, isList := named.Underlying().(*types.Slice); !isList {
		return false
	}
	n := 0
	for m := range named.Methods() {
		sig := m.Signature()
		_, byAddress := sig.Recv().Type().Underlying().(*types.Pointer)
		if m.Exported() && byAddress && sig.Params().Len() > 0 && sig.Results().Len() == 0 && m.Name() != "Push" {
			n++
		}
	}
	return n >= fewest
}
