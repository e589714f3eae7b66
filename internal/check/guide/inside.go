package guide

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/check"
)

// Inside adds assertions where functions call or use the unexported functions for which open holds, and where
// they call or use functions that do so, and returns the functions with such places. The assertions are never
// verified. Functions are analysed one by one, so a caller's analysis sees nothing unverified behind such a
// call, and an exploration of the caller would be pruned before it. With these assertions the exploration
// goes on, and finds out whether users can reach the failure.
//
// The parameter fs has all known functions, and inside reports which of them no user calls: unexported ones, and
// function literals. A function with a contract is left out, because its callers are responsible for its requirements.
//
// What a call may lead to is taken too widely rather than too narrowly: a call through an interface leads to all methods of
// the name, a call of a function value to all functions of the type that are used as values. Of a generic
// function all instances count as one, because fs has only some of them.
func Inside(fs []*check.Function, open, inside func(*check.Function) bool) []*check.Function {
	r := &reach{taken: takenIn(fs), funcs: map[any]bool{}}
	add := func(f *check.Function) { r.funcs[declaration(f.Fn)], r.list = true, append(r.list, f.Fn) }
	in := map[*ssa.Function]bool{}
	for _, f := range fs {
		if !f.Contracted && open(f) {
			in[f.Fn] = true
			add(f)
		}
	}
	for again := true; again; {
		again = false
		for _, f := range fs {
			if !in[f.Fn] && !f.Contracted && inside(f) && len(r.sites(f.Fn)) > 0 {
				in[f.Fn], again = true, true
				add(f)
			}
		}
	}
	var out []*check.Function
	for _, f := range fs {
		sites := r.sites(f.Fn)
		for _, ins := range sites {
			kind := check.Anonymous // it is not known when what is used, deferred or started runs
			if _, ok := ins.(*ssa.Call); ok && !r.usedBy(ins) {
				kind = check.InsideCall
			}
			f.Assertions = append(f.Assertions, check.Assertion{Kind: kind, Pos: check.Position(ins), Text: check.DescribeAssertion(ins, kind), Instr: ins, Premise: check.Premise{}})
		}
		if len(sites) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// reach is a set of functions, of which it is asked whether instructions lead there.
type reach struct {
	funcs map[any]bool // by declaration
	list  []*ssa.Function
	taken map[any]bool // the functions that are used as values
}

// declaration returns what a function was declared as. It is the same for all instances of a generic function, and for a
// method, its method values and what go/ssa makes to promote it. Function literals are declared as themselves.
func declaration(fn *ssa.Function) any {
	if obj, ok := fn.Object().(*types.Func); ok {
		return obj.Origin()
	}
	return fn
}

// takenIn returns the functions that other functions, or the initialisers of variables, use as values.
func takenIn(fs []*check.Function) map[any]bool {
	out := map[any]bool{}
	var init *ssa.Function
	look := func(fn *ssa.Function) {
		for _, b := range fn.Blocks {
			for _, ins := range b.Instrs {
				for _, used := range usedFunctions(ins) {
					out[declaration(used)] = true
				}
			}
		}
	}
	for _, f := range fs {
		look(f.Fn)
		if init == nil && f.Fn.Pkg != nil {
			init = f.Fn.Pkg.Func("init")
		}
	}
	if init != nil {
		look(init)
	}
	return out
}

// usedFunctions returns the functions that are operands of an instruction, but for the one that it calls.
func usedFunctions(ins ssa.Instruction) []*ssa.Function {
	var room [8]*ssa.Value
	var callee *ssa.Value
	if c, ok := ins.(ssa.CallInstruction); ok {
		callee = &c.Common().Value
	}
	var out []*ssa.Function
	for _, v := range ins.Operands(room[:0]) {
		if v == nil || v == callee {
			continue
		}
		if fn, ok := (*v).(*ssa.Function); ok {
			out = append(out, fn)
		}
	}
	return out
}

// sites lists the instructions of a function that lead to a function of the set, except those that lead to itself.
func (r *reach) sites(fn *ssa.Function) []ssa.Instruction {
	var out []ssa.Instruction
	for _, b := range fn.Blocks {
		for _, ins := range b.Instrs {
			if r.usedBy(ins) || r.calledBy(fn, ins) {
				out = append(out, ins)
			}
		}
	}
	return out
}

// usedBy reports whether an instruction uses a function of the set as a value: by its name, or by an interface that code of
// other packages gets. Interfaces that are declared in the package itself are called there, where calledBy sees it.
func (r *reach) usedBy(ins ssa.Instruction) bool {
	if slices.ContainsFunc(usedFunctions(ins), func(used *ssa.Function) bool { return r.named(used) }) {
		return true
	}
	made, ok := ins.(*ssa.MakeInterface)
	if !ok || declaredIn(made.Type(), ins.Parent()) {
		return false
	}
	return slices.ContainsFunc(r.list, func(f *ssa.Function) bool {
		method, _ := declaration(f).(*types.Func)
		if method == nil || method.Signature().Recv() == nil {
			return false
		}
		found, _, _ := types.LookupFieldOrMethod(made.X.Type(), false, method.Pkg(), method.Name())
		m, isMethod := found.(*types.Func)
		return isMethod && m.Origin() == method
	})
}

// declaredIn reports whether a type is declared in the package of a function.
func declaredIn(t types.Type, fn *ssa.Function) bool {
	named, ok := types.Unalias(t).(*types.Named)
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	obj := fn.Object()
	return ok && obj != nil && named.Obj().Pkg() == obj.Pkg()
}

// named reports whether a function is one of the set, or the value of a method of an interface that may be one.
func (r *reach) named(fn *ssa.Function) bool {
	d := declaration(fn)
	if m, ok := d.(*types.Func); ok && m.Signature().Recv() != nil && types.IsInterface(m.Signature().Recv().Type()) {
		return r.method(m)
	}
	return r.funcs[d]
}

// method reports whether a method of an interface may be one of the set. The types' arguments are not compared, because
// the instance that the code makes may be none of those in the set.
func (r *reach) method(m *types.Func) bool {
	return slices.ContainsFunc(r.list, func(f *ssa.Function) bool {
		d, ok := declaration(f).(*types.Func)
		if !ok || d.Signature().Recv() == nil || d.Name() != m.Name() || !m.Exported() && d.Pkg() != m.Pkg() {
			return false
		}
		return d.Signature().Params().Len() == m.Signature().Params().Len() && d.Signature().Results().Len() == m.Signature().Results().Len()
	})
}

// calledBy reports whether an instruction of a function calls a function of the set, other than itself.
func (r *reach) calledBy(fn *ssa.Function, ins ssa.Instruction) bool {
	c, ok := ins.(ssa.CallInstruction)
	if !ok {
		return false
	}
	call := c.Common()
	if call.IsInvoke() {
		return r.method(call.Method)
	}
	switch callee := call.Value.(type) {
	case *ssa.Function:
		return declaration(callee) != declaration(fn) && r.named(callee)
	case *ssa.Builtin, *ssa.MakeClosure: // the instruction that makes the closure uses the function
		return false
	}
	return slices.ContainsFunc(r.list, func(f *ssa.Function) bool {
		d := declaration(f)
		return r.taken[d] && (types.Identical(f.Signature, call.Value.Type().Underlying()) || f.Origin() != nil)
	})
}
