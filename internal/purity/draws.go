package purity

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// draws are packages whose functions give random numbers.
var draws = []string{"math/rand", "math/rand/v2", "crypto/rand"}

// Draws reports whether a function, or a function of its package that it calls by name, asks for random numbers. Whether
// they decide what it returns is not known.
func Draws(fn *ssa.Function) bool {
	seen := make(map[*ssa.Function]bool)
	var visit func(f *ssa.Function) bool
	visit = func(f *ssa.Function) bool {
		if f == nil || seen[f] {
			return false
		}
		if f.Pkg != nil && slices.Contains(draws, f.Pkg.Pkg.Path()) {
			return true
		}
		if f.Pkg != fn.Pkg && f.Origin() == nil {
			return false
		}
		seen[f] = true
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if ok && (visit(call.Common().StaticCallee()) || drawsBehind(call.Common())) {
					return true
				}
			}
		}
		return slices.ContainsFunc(f.AnonFuncs, visit)
	}
	return visit(fn)
}

// drawsBehind reports whether a call is one of a method of rand.Source or the like.
func drawsBehind(call *ssa.CallCommon) bool {
	return call.IsInvoke() && call.Method.Pkg() != nil && slices.Contains(draws, call.Method.Pkg().Path())
}
