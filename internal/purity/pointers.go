package purity

import (
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"
)

// This file computes the summary of one function from its instructions and its callees' summaries.
//
// Of each pointer, slice, map, channel, interface and function value it computes the roots: the inputs
// of the function (parameters and free variables) from which the memory behind the value can have been
// reached. Memory that the call itself allocates has no root. A store through a pointer then changes
// its roots, and a returned pointer adds its roots to those of the results.
//
// The order of instructions does not matter to the analysis, and allocated memory is one lump: a
// pointer that is stored anywhere in it (the taint) may be loaded from everywhere in it.

// roots is a set of inputs: bit i is parameter i, and free variables follow the parameters.
type roots uint64

const (
	rootGlobal  roots = 1 << 62 // memory that package-level variables lead to
	rootUnknown roots = 1 << 63 // any memory
	maxRoots          = 62
)

// pointers computes the summary of one function.
type pointers struct {
	fn      *ssa.Function
	callee  func(*ssa.Function) summary
	known   map[ssa.Value]roots // in this round
	earlier map[ssa.Value]roots // in the round before
	taint   roots               // roots of pointers that were stored into allocated memory
	sum     summary
}

// summariseBody computes the summary of a function, given the summaries of its callees. It goes through the
// function until a round finds nothing new: roots in one round depend on the taint, and in loops on the
// roots, of the round before.
func summariseBody(fn *ssa.Function, callee func(*ssa.Function) summary) summary {
	a := &pointers{fn: fn, callee: callee}
	for {
		sum, taint := a.sum, a.taint
		a.earlier, a.known = a.known, make(map[ssa.Value]roots)
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				a.instr(in)
			}
		}
		if a.sum == sum && a.taint == taint && maps.Equal(a.known, a.earlier) {
			return a.sum
		}
	}
}

// instr adds the effect of an instruction to the summary.
func (a *pointers) instr(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		a.store(a.roots(in.Addr), a.roots(in.Val))
	case *ssa.MapUpdate:
		a.store(a.roots(in.Map), a.roots(in.Key)|a.roots(in.Value))
	case *ssa.Call:
		a.call(&in.Call)
	case *ssa.Return:
		for _, r := range in.Results {
			if leads(r.Type(), nil) {
				a.sum.results |= a.roots(r) | a.taint
			}
		}
	case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.Select:
		a.sum.impure = true
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			a.sum.impure = true
		}
	}
}

// store notes that a value is stored into memory: the memory changes, and the value's roots can be
// loaded from it.
func (a *pointers) store(memory, value roots) {
	a.change(memory)
	a.taint |= value
}

// change notes that memory changes.
func (a *pointers) change(memory roots) {
	a.sum.changes |= memory
	if memory&rootUnknown != 0 {
		a.sum.impure = true
	}
}

// call adds the effect of a call to the summary.
func (a *pointers) call(c *ssa.CallCommon) {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		a.builtin(b.Name(), c.Args)
		return
	}
	callee := c.StaticCallee()
	if callee == nil {
		a.sum.impure = true
		return
	}
	s := a.callee(callee)
	a.sum.impure = a.sum.impure || s.impure
	if s.changes == 0 {
		return
	}
	a.change(a.atCall(c, s.changes))
	// The summary does not say where the callee stored which argument: any may be anywhere now.
	for _, arg := range arguments(c) {
		a.taint |= a.roots(arg)
	}
}

// builtin adds the effect of a call of a builtin function to the summary.
func (a *pointers) builtin(name string, args []ssa.Value) {
	switch name {
	case "append", "copy":
		a.change(a.roots(args[0])) // append may write behind the length
		for _, arg := range args[1:] {
			a.taint |= a.roots(arg)
		}
	case "delete", "clear":
		a.change(a.roots(args[0]))
	case "close", "print", "println":
		a.sum.impure = true
	}
}

// arguments lists the inputs of a call with a static callee: its arguments, then its free variables.
func arguments(c *ssa.CallCommon) []ssa.Value {
	args := c.Args
	if m, ok := c.Value.(*ssa.MakeClosure); ok {
		args = append(args[:len(args):len(args)], m.Bindings...)
	}
	return args
}

// atCall translates roots of the callee to roots of the caller: an input of the callee becomes the
// roots of the argument.
func (a *pointers) atCall(c *ssa.CallCommon, r roots) roots {
	out := r & (rootGlobal | rootUnknown)
	for i, arg := range arguments(c) {
		if r&(1<<i) != 0 {
			out |= a.roots(arg) | a.taint // the argument may be allocated memory
		}
	}
	return out
}

// roots returns the roots of a value. The operands of phis may form a cycle; within it, a value whose
// roots are being computed has those of the round before. summariseBody repeats rounds until these do not
// grow any more.
func (a *pointers) roots(v ssa.Value) roots {
	if r, ok := a.known[v]; ok {
		return r
	}
	a.known[v] = a.earlier[v]
	r := a.compute(v) | a.earlier[v]
	a.known[v] = r
	return r
}

// compute returns the roots of a value according to the instruction that makes it.
func (a *pointers) compute(v ssa.Value) roots {
	if !leads(v.Type(), nil) {
		return 0 // a number has no memory behind it
	}
	if whole := wholeOf(v); whole != nil {
		return a.roots(whole)
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		return 0
	case *ssa.Global:
		return rootGlobal
	case *ssa.Parameter, *ssa.FreeVar:
		return a.input(v)
	case *ssa.Phi:
		return a.union(v.Edges)
	case *ssa.MakeClosure:
		return a.union(v.Bindings)
	case *ssa.Convert:
		return a.convert(v)
	case *ssa.Call:
		return a.result(&v.Call)
	// These load from memory. If it is allocated memory, they may load any pointer stored there.
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return a.roots(v.X) | a.taint
		}
	case *ssa.Lookup:
		return a.roots(v.X) | a.taint
	case *ssa.Next:
		return a.roots(v.Iter) | a.taint
	}
	return rootUnknown
}

// wholeOf returns the operand of an instruction that selects a part of a value or changes only its
// type, so that the result has the operand's roots. It returns nil for other instructions.
func wholeOf(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return v.X
	case *ssa.IndexAddr:
		return v.X
	case *ssa.Field:
		return v.X
	case *ssa.Index:
		return v.X
	case *ssa.Slice:
		return v.X
	case *ssa.SliceToArrayPointer:
		return v.X
	case *ssa.ChangeType:
		return v.X
	case *ssa.ChangeInterface:
		return v.X
	case *ssa.MakeInterface:
		return v.X
	case *ssa.TypeAssert:
		return v.X
	case *ssa.Extract:
		return v.Tuple
	case *ssa.Range:
		return v.X
	}
	return nil
}

// union returns the roots of all the values.
func (a *pointers) union(list []ssa.Value) roots {
	var r roots
	for _, v := range list {
		r |= a.roots(v)
	}
	return r
}

// input returns the root of a parameter or free variable.
func (a *pointers) input(v ssa.Value) roots {
	for i, p := range a.fn.Params {
		if p == v {
			return 1 << i
		}
	}
	for i, p := range a.fn.FreeVars {
		if p == v {
			return 1 << (len(a.fn.Params) + i)
		}
	}
	return rootUnknown
}

// convert returns the roots of a conversion's result.
func (a *pointers) convert(v *ssa.Convert) roots {
	if b, ok := v.X.Type().Underlying().(*types.Basic); ok {
		if b.Info()&types.IsString != 0 {
			return 0 // []byte(s) allocates
		}
		if b.Kind() == types.Uintptr {
			return rootUnknown
		}
	}
	return a.roots(v.X)
}

// result returns the roots of a call's result.
func (a *pointers) result(c *ssa.CallCommon) roots {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			return a.roots(c.Args[0]) | a.taint
		case "ssa:wrapnilchk":
			return a.roots(c.Args[0])
		case "min", "max":
			return 0
		}
		return rootUnknown
	}
	callee := c.StaticCallee()
	if callee == nil {
		return rootUnknown
	}
	s := a.callee(callee)
	r := a.atCall(c, s.results)
	if s.changes != 0 {
		r |= a.taint
	}
	return r
}

// leads reports whether a value of type t can lead to memory that can be changed. seen are the structs
// around t, nil at first.
func leads(t types.Type, seen map[types.Type]bool) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return leads(u.Elem(), seen)
	case *types.Struct:
		if seen[t] {
			return false
		}
		if seen == nil {
			seen = make(map[types.Type]bool)
		}
		seen[t] = true
		for f := range u.Fields() {
			if leads(f.Type(), seen) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for v := range u.Variables() {
			if leads(v.Type(), seen) {
				return true
			}
		}
		return false
	}
	return true
}
