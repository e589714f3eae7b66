package purity

import (
	"go/token"
	"go/types"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"golang.org/x/tools/go/ssa"
)

// This file decides, for a panic about an index, whether a caller passed a slice that is shorter than
// the function's constant indexes say it has to be.

// ShortBuffer reports whether a panic about an index comes from writing to a slice that
// the caller passed for the results and made too short.
func ShortBuffer(pkg *load.Package, stack []Frame) bool {
	f, fn := flowAt(pkg, stack)
	if fn == nil {
		return false
	}
	found := false
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		addr, ok := in.(*ssa.IndexAddr)
		if !ok {
			return
		}
		if partOfArgument(addr.X, map[ssa.Value]bool{}) {
			found = found || isStored(addr) || looksAhead(fn, addr)
		}
	})
	return found
}

// isStored reports whether something is written where an address points to.
func isStored(addr *ssa.IndexAddr) bool {
	if addr.Referrers() == nil {
		return false
	}
	for _, r := range *addr.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == addr {
			return true
		}
	}
	return false
}

// looksAhead reports whether an element is read for nothing but the check of its index,
// `_ = p[3]`, in a function that writes to the same slice.
func looksAhead(fn *ssa.Function, addr *ssa.IndexAddr) bool {
	if addr.Referrers() == nil {
		return false
	}
	for _, r := range *addr.Referrers() {
		if load, ok := r.(*ssa.UnOp); !ok || len(*load.Referrers()) > 0 {
			return false
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if other, ok := in.(*ssa.IndexAddr); ok && other.X == addr.X && isStored(other) {
				return true
			}
		}
	}
	return false
}

// partOfArgument reports whether a slice is a parameter or a part of one, also where a loop
// goes through it.
func partOfArgument(x ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[x] {
		return true // nothing else comes in on the way round
	}
	seen[x] = true
	switch x := x.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.Slice:
		return partOfArgument(x.X, seen)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if !partOfArgument(e, seen) {
				return false
			}
		}
		return true
	}
	return false
}

// BeyondArgument returns the number of the parameter, a text or a slice of the outermost function on the stack, which a panic about
// an index has read beyond: the innermost function takes an element or a part of what was handed on to it unchanged. It returns -1 if
// there is no such parameter.
func BeyondArgument(pkg *load.Package, stack []Frame) int {
	f, fn := flowAt(pkg, stack)
	if fn == nil {
		return -1
	}
	param := -1
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		if x := indexed(in); x != nil {
			if o := f.origin(fn, x, stack, 0); o.AtDoor && o.Door >= 0 {
				param = o.Door
			}
		}
	})
	return param
}

// FixedSize reports whether a panic about an index comes from reading a fixed element, other
// than the first, of a slice that the caller passed, in a function that never asks for the
// slice's length and has no error to return: like encoding/binary's Uint64, xxhash's reads of
// words and an image's pixels, it says by its reading how long the slice has to be.
func FixedSize(pkg *load.Package, stack []Frame) bool {
	f, fn := flowAt(pkg, stack)
	if fn == nil || gosyntax.ReturnsError(fn.Signature) {
		return false
	}
	found := false
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		var of ssa.Value
		switch in := in.(type) {
		case *ssa.IndexAddr:
			of = in.X
		case *ssa.Slice:
			of = in.X
		}
		p, ok := of.(*ssa.Parameter)
		if !ok {
			return
		}
		if _, slice := p.Type().Underlying().(*types.Slice); slice && fixedReads(p) {
			found = true
		}
	})
	return found
}

// fixedReads reports whether a function uses only fixed elements and parts of a slice, among them one
// beyond the first element.
func fixedReads(p *ssa.Parameter) bool {
	beyond := false
	fixed := func(v ssa.Value) bool {
		c, ok := v.(*ssa.Const)
		beyond = beyond || ok && c.Int64() > 0
		return ok || v == nil
	}
	for _, r := range *p.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			if !fixed(r.Index) {
				return false
			}
		case *ssa.Slice:
			if !fixed(r.Low) || !fixed(r.High) || !fixed(r.Max) {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return beyond
}

// ByLength returns the number of the parameter by whose length a division leaves a remainder that panics, or -1 if there is
// none: list[n%len(list)] chooses an element, and there is none in an empty list.
func ByLength(pkg *load.Package, stack []Frame) int {
	f, fn := flowAt(pkg, stack)
	if fn == nil {
		return -1
	}
	param := -1
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		rem, ok := in.(*ssa.BinOp)
		if !ok || rem.Op != token.REM {
			return
		}
		call, ok := unwrap(rem.Y).(*ssa.Call)
		if !ok {
			return
		}
		if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			if p, ok := call.Call.Args[0].(*ssa.Parameter); ok {
				param = indexOf(fn, p)
			}
		}
	})
	return param
}

// IndexedFields returns the fields that hold what the line of a panic takes an element or a part of.
func IndexedFields(pkg *load.Package, stack []Frame) []*types.Var {
	f, fn := flowAt(pkg, stack)
	if fn == nil {
		return nil
	}
	var out []*types.Var
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		if x := indexed(in); x != nil {
			if o := f.origin(fn, x, stack, 0); o.Field != nil {
				out = append(out, o.Field)
			}
		}
	})
	return out
}

// GuardFields returns the fields that the function of a panic reads for a condition on the way to the panic's line, or passes to
// a call whose result is such a condition.
func GuardFields(pkg *load.Package, stack []Frame) []*types.Var {
	f, fn := flowAt(pkg, stack)
	if fn == nil {
		return nil
	}
	var out []*types.Var
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		in, ok := v.(ssa.Instruction)
		if !ok || seen[v] {
			return
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.FieldAddr:
			if st, ok := x.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct); ok {
				out = append(out, st.Field(x.Field).Origin())
			}
		case *ssa.Field:
			if st, ok := x.X.Type().Underlying().(*types.Struct); ok {
				out = append(out, st.Field(x.Field).Origin())
			}
		}
		for _, o := range in.Operands(nil) {
			if *o != nil {
				visit(*o)
			}
		}
	}
	f.eachOnLine(fn, stack[0].Line, func(in ssa.Instruction) {
		for b := in.Block().Idom(); b != nil; b = b.Idom() {
			if br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
				visit(br.Cond)
			}
		}
	})
	return out
}
