package load

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// maxPassedOn is through how many functions of the package a result is followed that one function passes on from another.
const maxPassedOn = 4

// behind returns the type of the package that a function makes although its result is an interface: the type that all
// values have which it returns first, nil aside. It returns nil if there is no such type, or if it is not the only one.
// The package's SSA must be built.
func (pkg *Package) behind(fn *ssa.Function) types.Type {
	res := fn.Signature.Results()
	if res.Len() == 0 || !types.IsInterface(res.At(0).Type()) || len(fn.TypeArgs()) > 0 || fn.TypeParams().Len() > 0 {
		return nil
	}
	b := &returned{pkg: pkg.SSA, seen: make(map[ssa.Value]bool), only: true}
	b.function(fn, maxPassedOn)
	named := receiverNamed(b.made)
	if !b.only || named == nil || named.Obj().Pkg() != pkg.Types {
		return nil
	}
	return b.made
}

// returned collects which types the values have that a function returns as an interface.
type returned struct {
	pkg  *ssa.Package
	seen map[ssa.Value]bool
	made types.Type // the type found, or nil
	only bool       // no other type was found, and nothing whose type is unknown
}

// function looks at what a function returns first. It follows results of other functions through depth calls.
func (b *returned) function(fn *ssa.Function, depth int) {
	if fn == nil || len(fn.Blocks) == 0 || depth == 0 || fn.Pkg != b.pkg {
		b.only = false
		return
	}
	for _, block := range fn.Blocks {
		if ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok {
			b.value(ret.Results[0], depth)
		}
	}
}

// value looks at a value that is returned.
func (b *returned) value(v ssa.Value, depth int) {
	if b.seen[v] || !b.only {
		return
	}
	b.seen[v] = true
	switch v := v.(type) {
	case *ssa.Const: // nil
	case *ssa.MakeInterface:
		b.only = b.made == nil || types.Identical(b.made, v.X.Type())
		b.made = v.X.Type()
	case *ssa.ChangeInterface:
		b.value(v.X, depth)
	case *ssa.Phi:
		for _, e := range v.Edges {
			b.value(e, depth)
		}
	case *ssa.Call:
		b.function(v.Call.StaticCallee(), depth-1)
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		if !ok || v.Index != 0 {
			b.only = false
			return
		}
		b.function(call.Call.StaticCallee(), depth-1)
	default:
		b.only = false
	}
}
