package purity

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Leaves reports whether a call of fn cannot change a field of its package's types: fn, and the functions of its package that it
// calls, at most read the field. It returns false where that is not known: where functions are called whose code is not
// known before they run, or where something is done with what the field holds.
func Leaves(fn *ssa.Function, field *types.Var) bool {
	return !anyInstruction(fn, func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			st, ok := in.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
			return ok && sameField(st.Field(in.Field), field) && !onlyRead(in)
		case ssa.CallInstruction:
			_, builtin := in.Common().Value.(*ssa.Builtin)
			return in.Common().StaticCallee() == nil && !builtin
		case *ssa.MakeClosure:
			return true
		}
		return false
	})
}

// sameField reports whether two variables are one field, of a generic type or of an instance of it.
func sameField(a, b *types.Var) bool { return a == b || a.Name() == b.Name() && a.Pos() == b.Pos() }

// onlyRead reports whether an address is used for nothing but to read from it, and what is read for nothing that could change
// what it refers to.
func onlyRead(addr ssa.Value) bool {
	for _, in := range *addr.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if in.Op != token.MUL || !harmless(in) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// harmless reports whether a value that was read is a number, a text or the like, or is only asked for its length or for
// elements of such types.
func harmless(v ssa.Value) bool {
	if _, basic := v.Type().Underlying().(*types.Basic); basic {
		return true
	}
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Lookup:
			if _, basic := in.Type().Underlying().(*types.Basic); !basic {
				return false
			}
		case *ssa.IndexAddr:
			if !onlyRead(in) {
				return false
			}
		case *ssa.Call:
			b, ok := in.Call.Value.(*ssa.Builtin)
			if !ok || b.Name() != "len" && b.Name() != "cap" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// SetsFields reports whether fn, or a function of its package that it calls, stores something in a field of an object that it
// has not made itself.
func SetsFields(fn *ssa.Function) bool {
	return anyInstruction(fn, func(in ssa.Instruction) bool {
		store, ok := in.(*ssa.Store)
		if !ok {
			return false
		}
		field, ok := store.Addr.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		_, own := field.X.(*ssa.Alloc)
		return !own
	})
}
