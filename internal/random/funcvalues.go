package random

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/testcase"
)

// maxFuncs is how many functions are known for one function type.
const maxFuncs = 12

// funcValue makes a value of a function type of a function that has a name: of the
// package, or of one that it imports. Unlike a stub such a function depends on its
// arguments, so an order is an order.
func (e *engine) funcValue(d *draft, t types.Type, sig *types.Signature) (testcase.Ref, bool) {
	list := e.functions(t, sig)
	if len(list) == 0 {
		return testcase.Ref{}, false
	}
	return d.add(list[e.rnd.IntN(len(list))]), true
}

// functions returns the operations that make a value of a function type of a function
// with a name; those of the package come first.
func (e *engine) functions(t types.Type, sig *types.Signature) []*testcase.Operation {
	key := e.pool.keys.of(t)
	list, ok := e.funcValues[key]
	if ok {
		return list
	}
	for _, p := range e.neighbours {
		for _, name := range p.Scope().Names() {
			f, ok := p.Scope().Lookup(name).(*types.Func)
			if !ok || len(list) == maxFuncs || !f.Exported() && (p != e.pkg.Types || e.pkg.ExternalTests) || name == "init" || name == "main" {
				continue
			}
			if args, ok := instance(f, sig); ok {
				list = append(list, &testcase.Operation{Kind: testcase.OpFuncValue, Type: t, Func: f, TypeArgs: args})
			}
		}
	}
	e.funcValues[key] = list
	return list
}

// instance reports whether a function has the signature, and with which type
// arguments: of a generic one they are the types of its parameters.
func instance(f *types.Func, sig *types.Signature) ([]types.Type, bool) {
	have := f.Signature()
	params := have.TypeParams()
	if params.Len() == 0 {
		return nil, types.Identical(have, sig)
	}
	if have.Params().Len() != sig.Params().Len() || have.Results().Len() != sig.Results().Len() {
		return nil, false
	}
	args := make([]types.Type, params.Len())
	for i := range have.Params().Len() {
		if p, ok := types.Unalias(have.Params().At(i).Type()).(*types.TypeParam); ok {
			args[p.Index()] = sig.Params().At(i).Type()
		}
	}
	if slices.Contains(args, nil) {
		return nil, false
	}
	inst, err := types.Instantiate(nil, have, args, true)
	if err != nil {
		return nil, false
	}
	return args, types.Identical(inst, sig)
}

// neighbours are the packages whose functions may be passed to functions: the one under
// test, those that it imports, and a few of the standard library if they are there.
func neighbours(pkg *types.Package) []*types.Package {
	out := []*types.Package{pkg}
	seen := map[string]bool{pkg.Path(): true}
	for _, p := range pkg.Imports() {
		if !seen[p.Path()] && p.Path() != "unsafe" {
			seen[p.Path()] = true
			out = append(out, p)
		}
	}
	found := reach(pkg)
	for _, path := range []string{"cmp", "strings", "unicode"} {
		if p := found[path]; p != nil && !seen[path] {
			out = append(out, p)
		}
	}
	return out
}
