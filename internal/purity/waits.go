package purity

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Waits reports whether a function, or a function of its package that it calls, waits for another
// goroutine: it receives, sends, selects, or waits for a condition or a group. If a call of it waits
// for ever, only its partner may be missing, as for io.Pipe's Write without a reader. Locks do not
// count: a function that takes a lock twice waits for itself.
func Waits(fn *ssa.Function) bool { return anyInstruction(fn, waits) }

// WaitsOnField reports whether a function, or a function of its package that it calls, sends on or receives from a channel in
// an exported field. Whoever uses the object has to be at the other end.
func WaitsOnField(fn *ssa.Function) bool {
	return anyInstruction(fn, func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Send:
			return inExportedField(in.Chan)
		case *ssa.Select:
			return in.Blocking && slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return inExportedField(s.Chan) })
		case *ssa.UnOp:
			return in.Op == token.ARROW && inExportedField(in.X)
		}
		return false
	})
}

// MakesPipe reports whether a function, or a function of its package that it calls, makes a pipe by io.Pipe or net.Pipe.
func MakesPipe(fn *ssa.Function) bool {
	return anyInstruction(fn, func(in ssa.Instruction) bool {
		call, ok := in.(ssa.CallInstruction)
		if !ok || call.Common().StaticCallee() == nil || call.Common().StaticCallee().Object() == nil {
			return false
		}
		made := call.Common().StaticCallee().Object()
		return made.Name() == "Pipe" && made.Pkg() != nil && (made.Pkg().Path() == "io" || made.Pkg().Path() == "net")
	})
}

// inExportedField reports whether a value was read from an exported field.
func inExportedField(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	addr, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	st, ok := addr.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	return ok && st.Field(addr.Field).Exported()
}

// anyInstruction reports whether something holds for an instruction of a function, or of one of its package that it calls.
func anyInstruction(fn *ssa.Function, is func(ssa.Instruction) bool) bool {
	return anyFunction(fn, func(f *ssa.Function) bool {
		return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, is) })
	})
}

// anyFunction reports whether something holds for a function, or for one of its package that it calls.
func anyFunction(fn *ssa.Function, is func(*ssa.Function) bool) bool {
	seen := make(map[*ssa.Function]bool)
	var visit func(f *ssa.Function) bool
	visit = func(f *ssa.Function) bool {
		if f == nil || seen[f] || f.Pkg != fn.Pkg && f.Origin() == nil {
			return false
		}
		seen[f] = true
		if is(f) {
			return true
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(ssa.CallInstruction); ok && visit(call.Common().StaticCallee()) {
					return true
				}
			}
		}
		return false
	}
	return visit(fn)
}

// waits reports whether an instruction waits for another goroutine.
func waits(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Send:
		return true
	case *ssa.Select:
		return in.Blocking
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case ssa.CallInstruction:
		if callee := in.Common().StaticCallee(); callee != nil && callee.Object() != nil && callee.Object().Pkg() != nil && callee.Object().Pkg().Path() == "sync" {
			return callee.Name() == "Wait"
		}
	}
	return false
}
