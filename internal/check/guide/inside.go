package guide

import (
	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/check"
)

// Inside adds assertions at calls of the unexported functions for which broken holds, and of functions that
// call them, and returns the functions with such calls. The assertions, of kind InsideCall, are never
// verified. Functions are analysed one by one, so a caller's analysis sees nothing unverified behind such a
// call, and an exploration of the caller would be pruned before it. With these assertions the exploration
// goes on, and finds out whether users can reach the failure.
//
// The parameter fs has all known functions, and inside reports which of them are unexported. A function with
// a contract is left out, because its callers are responsible for its requirements.
func Inside(fs []*check.Function, broken, inside func(*check.Function) bool) []*check.Function {
	open := map[*ssa.Function]bool{}
	for _, f := range fs {
		open[f.Fn] = !f.Contracted && broken(f)
	}
	for again := true; again; {
		again = false
		for _, f := range fs {
			if !open[f.Fn] && !f.Contracted && inside(f) && len(callsOf(f, open)) > 0 {
				open[f.Fn], again = true, true
			}
		}
	}
	var out []*check.Function
	for _, f := range fs {
		calls := callsOf(f, open)
		for _, c := range calls {
			f.Assertions = append(f.Assertions, check.Assertion{Kind: check.InsideCall, Pos: check.Position(c), Text: check.DescribeAssertion(c, check.InsideCall), Instr: c, Premise: check.Premise{}})
		}
		if len(calls) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// callsOf lists the calls that a function makes of functions in a set, except calls of itself.
func callsOf(f *check.Function, set map[*ssa.Function]bool) []*ssa.Call {
	var out []*ssa.Call
	for _, b := range f.Fn.Blocks {
		for _, ins := range b.Instrs {
			if c, ok := ins.(*ssa.Call); ok {
				if callee := c.Call.StaticCallee(); callee != nil && callee != f.Fn && set[callee] {
					out = append(out, c)
				}
			}
		}
	}
	return out
}
