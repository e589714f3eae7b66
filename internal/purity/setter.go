package purity

import "golang.org/x/tools/go/ssa"

// SetsAndReturnsItself reports whether a method does nothing but set fields of its receiver, and returns the receiver, so that
// calls can be written in a chain.
func SetsAndReturnsItself(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil || len(fn.Blocks) != 1 || fn.Signature.Results().Len() != 1 {
		return false
	}
	self := fn.Params[0]
	sets := false
	for _, in := range fn.Blocks[0].Instrs {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			if in.X != self {
				return false
			}
		case *ssa.Store:
			sets = true
		case *ssa.Return:
			if in.Results[0] != self {
				return false
			}
		case *ssa.DebugRef, *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface:
		default:
			return false
		}
	}
	return sets
}
