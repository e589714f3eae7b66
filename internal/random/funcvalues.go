package random

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// maxFuncs is how many functions are known for one function type.
const maxFuncs = 12

// funcValue makes a value of a function type from a named function, of the package or of one that it
// imports. Unlike a stub, such a function depends on its arguments; a comparison, for example, is a
// real order.
func (e *engine) funcValue(d *draft, t types.Type, sig *types.Signature) (testcase.Ref, bool) {
	list := e.functions(t, sig)
	if len(list) == 0 {
		return testcase.Ref{}, false
	}
	return d.add(list[e.rnd.IntN(len(list))]), true
}

// functions returns operations that make values of a function type from named functions, those of the
// package first.
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

// instance reports whether a function has the signature. For a generic function it returns the type
// arguments, which it infers from the types of the parameters.
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

// closure makes a function that calls a method of an object that the draft has: a method
// value, or a callback that changes the very thing that it is called from.
func (e *engine) closure(d *draft, t types.Type, sig *types.Signature, level int) (testcase.Ref, bool) {
	on := d.self
	if n := len(d.slots); n > 0 && (on.typ == nil || e.rnd.IntN(3) == 0) {
		on = d.slots[e.rnd.IntN(n)]
	}
	if on.typ == nil || sig.Variadic() {
		return testcase.Ref{}, false
	}
	// A closure captures the value that exists at that point; a variable would be shared.
	have := e.slotType(d.stmts[on.ref.Stmt].Op, on.ref.Result)
	if have == nil || !types.Identical(have, on.typ) {
		return testcase.Ref{}, false
	}
	switch on.typ.Underlying().(type) {
	case *types.Pointer, *types.Interface:
	default:
		return testcase.Ref{}, false
	}
	list := e.onType[e.pool.keys.of(on.typ)]
	if len(list) == 0 {
		return testcase.Ref{}, false
	}
	a := list[e.rnd.IntN(len(list))]
	if a.op.Kind != testcase.OpMethod || a.spread {
		return testcase.Ref{}, false
	}
	op := &testcase.Operation{Kind: testcase.OpClosure, Type: t, Func: a.op.Func, TypeArgs: a.op.TypeArgs, Returns: sameTypes(a.results, sig.Results())}
	args := []testcase.Ref{on.ref}
	// Other arguments are scalars, or empty: of a pointer or a function the nil would be
	// our mistake.
	scalar := func(want types.Type) bool {
		switch u := want.Underlying().(type) {
		case *types.Basic:
			r, ok := e.value(d, want, level+1)
			args = append(args, r)
			return ok
		case *types.Interface:
			if u.NumMethods() > 0 && !gosyntax.IsError(want) {
				return false
			}
		case *types.Slice, *types.Map, *types.Struct, *types.Array:
		default:
			return false
		}
		args = append(args, d.add(e.zeroOp(want)))
		return true
	}
	for _, p := range a.params[1:] {
		var fits []int
		for i := range sig.Params().Len() {
			if types.AssignableTo(sig.Params().At(i).Type(), p) {
				fits = append(fits, i)
			}
		}
		if len(fits) > 0 && e.rnd.IntN(4) > 0 {
			op.Pass = append(op.Pass, fits[e.rnd.IntN(len(fits))])
			continue
		}
		op.Pass = append(op.Pass, -1)
		if !scalar(p) {
			return testcase.Ref{}, false
		}
	}
	if !op.Returns {
		for r := range sig.Results().Variables() {
			if !scalar(r.Type()) {
				return testcase.Ref{}, false
			}
		}
	}
	return d.add(op, args...), true
}

// sameTypes reports whether a list of types is that of a tuple's variables.
func sameTypes(list []types.Type, tuple *types.Tuple) bool {
	if len(list) != tuple.Len() {
		return false
	}
	for i, t := range list {
		if !types.Identical(t, tuple.At(i).Type()) {
			return false
		}
	}
	return true
}

// neighbours are the packages whose functions may be passed as arguments: the package under test, its
// imports, and a few of the standard library if they are loaded.
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

// calledFunction makes a function for a parameter that takes any value and calls it by reflection: mostly one that the draft has
// already, since code that takes a function back looks for the same one.
func (e *engine) calledFunction(d *draft, v *types.Var) (testcase.Ref, bool) {
	called := e.givers.Called()
	if !called.Takes(v) || e.rnd.IntN(8) == 0 {
		return testcase.Ref{}, false
	}
	if at := e.lastCalled(d); at >= 0 && e.rnd.IntN(4) > 0 {
		return testcase.Ref{Stmt: at}, true
	}
	list := called.Functions()
	op := list[min(e.rnd.IntN(len(list)), e.rnd.IntN(len(list)))]
	// One literal in two places is two functions in a test, and one in a harness.
	if at := slices.IndexFunc(d.stmts, func(st testcase.Statement) bool { return st.Op == op }); at >= 0 {
		return testcase.Ref{Stmt: at}, true
	}
	return d.add(op), true
}

// lastCalled returns the last statement of a draft that makes a function for such a parameter, or -1.
func (e *engine) lastCalled(d *draft) int {
	list := e.givers.Called().Functions()
	for i := len(d.stmts) - 1; i >= 0; i-- {
		if slices.Contains(list, d.stmts[i].Op) {
			return i
		}
	}
	return -1
}

// passedOn makes the values for a parameter whose elements become the arguments of a function that the draft has: those that fit its
// parameters, mostly.
func (e *engine) passedOn(d *draft, v *types.Var) ([]testcase.Ref, bool) {
	if !e.givers.Called().Passes(v) || e.rnd.IntN(8) == 0 {
		return nil, false
	}
	at := e.lastCalled(d)
	if at < 0 {
		return nil, false
	}
	var out []testcase.Ref
	for p := range d.stmts[at].Op.Type.(*types.Signature).Params().Variables() {
		r, ok := e.value(d, p.Type(), 1)
		if !ok {
			return nil, false
		}
		out = append(out, r)
	}
	return out, true
}

// onePassedOn makes the value for a parameter that becomes an argument of a function that the draft has: one that fits the first
// parameter behind a context.
func (e *engine) onePassedOn(d *draft, v *types.Var) (testcase.Ref, bool) {
	if v == nil || !types.IsInterface(v.Type()) || !e.givers.Called().Passes(v) || e.rnd.IntN(8) == 0 {
		return testcase.Ref{}, false
	}
	at := e.lastCalled(d)
	if at < 0 {
		return testcase.Ref{}, false
	}
	for p := range d.stmts[at].Op.Type.(*types.Signature).Params().Variables() {
		if !load.IsNamed(p.Type(), "context", "Context") {
			return e.value(d, p.Type(), 1)
		}
	}
	return testcase.Ref{}, false
}

// isAwaited reports, mostly, whether a text is likely to name a function that the draft has handed over: what is published under
// another topic is heard by nobody.
func (e *engine) isAwaited(d *draft, b *types.Basic) bool {
	return b.Info()&types.IsString != 0 && e.givers.Called() != nil && e.lastCalled(d) >= 0 && e.rnd.IntN(4) > 0
}

// last returns the last parameter of an action that calls a function, or nil.
func (a *action) last() *types.Var {
	if !a.op.IsCall() || a.op.Via != nil {
		return nil
	}
	return a.input(a.op.Func.Signature().Params().Len() - 1)
}
