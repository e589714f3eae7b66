package guide

import (
	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/check"
)

// Inside makes calls of some unexported functions, and of unexported functions that call
// them, meet an assertion that is not verified, of kind InsideCall, and returns the
// functions with such calls. Each function is analysed for itself, so what leads to a call
// of a function without a contract is pruned where nothing behind it is open (pre_f is
// true); with these assertions what is broken inside is looked for by way of those who
// call it. fs are all functions that are known; a function literal has no calls here, and
// a function with a contract is called within it.
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

// callsOf lists the calls of some functions, but for its own.
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
