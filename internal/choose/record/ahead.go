package record

import (
	"go/types"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/giver/called"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// mostAhead bounds the operations that are known before there are cases.
const mostAhead = 60

// Ahead returns the operations that wrapping is likely to take, before there are cases: for each function and interface that
// functions of the package take, themselves or in a field of a struct, their receivers among these, and for the functions that tests pass where any value may be. A harness that has them need not be built again when
// tests are chosen, which took a large package more time than choosing itself.
func Ahead(pkg *load.Package) []*testcase.Operation {
	if pkg.Types == nil {
		return nil
	}
	recorders := giver.NewRecorders(pkg.Types, pkg.StartsGoroutines())
	var out []*testcase.Operation
	seen := make(map[*testcase.Helper]bool)
	places := called.Of(pkg)
	of := func(t types.Type, name string) {
		if h := recorders.Of(t, name); h != nil && !seen[h] && len(out) < mostAhead {
			seen[h] = true
			out = append(out, &testcase.Operation{Kind: testcase.OpFunc, Func: h.Func, Via: h})
		}
	}
	add := func(v *types.Var) {
		name := v.Name()
		if name == "" || name == "_" {
			name = otherwise
		}
		of(v.Type(), name)
		if places.Takes(v) {
			for _, op := range places.Functions() {
				of(op.Type, name)
			}
		}
	}
	for _, t := range pkg.Targets {
		if t.Skip != "" || t.Obj == nil || !t.Exported && pkg.ExternalTests || t.Obj.Signature().TypeParams().Len() > 0 || t.Obj.Signature().RecvTypeParams().Len() > 0 {
			continue
		}
		if t.Recv != nil { // tests set the fields of the object, too
			for f := range fieldsOf(pkg, t.Recv) {
				add(f)
			}
		}
		for v := range t.Obj.Signature().Params().Variables() {
			add(v)
			for f := range fieldsOf(pkg, v.Type()) {
				add(f)
			}
		}
	}
	return out
}

// fieldsOf yields the exported fields of a struct of the package, or of one that is pointed to.
func fieldsOf(pkg *load.Package, t types.Type) func(yield func(*types.Var) bool) {
	return func(yield func(*types.Var) bool) {
		named := load.NamedOf(t)
		if named == nil || named.Obj().Pkg() != pkg.Types || named.TypeArgs().Len() > 0 {
			return
		}
		s, ok := named.Underlying().(*types.Struct)
		if !ok {
			return
		}
		for f := range s.Fields() {
			if f.Exported() && !yield(f) {
				return
			}
		}
	}
}
