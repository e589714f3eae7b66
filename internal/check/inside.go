package check

import "golang.org/x/tools/go/ssa"

// Inside adds to functions what their calls of unexported functions meet. An unexported
// function without a contract says nothing of what it may be called with, so that pre_f, the
// condition under which a call of it is verified, is taken to be false where it has an
// assertion that is not verified whatever it is called with, or calls such a function. An
// assertion of kind Inside at the call keeps what leads there from being pruned, so that
// what is broken inside is also looked for through the doors that users have. Inside says
// which functions are not exported; fs are the functions that are known.
func Inside(fs []*Function, inside func(*Function) bool) {
	open := map[*ssa.Function]bool{}
	for _, f := range fs {
		open[f.Fn] = inside(f) && !f.contracted && f.unverified()
	}
	for again := true; again; {
		again = false
		for _, f := range fs {
			if !open[f.Fn] && inside(f) && !f.contracted && len(f.callsOf(open)) > 0 {
				open[f.Fn], again = true, true
			}
		}
	}
	for _, f := range fs {
		for _, c := range f.callsOf(open) {
			f.Assertions = append(f.Assertions, Assertion{Kind: InsideCall, Pos: position(c), Text: describeAssertion(c, InsideCall), Instr: c, Premise: Premise{}})
		}
	}
}

// unverified reports whether a function has an assertion that is not verified under any
// assumptions, and that an execution may break.
func (f *Function) unverified() bool {
	for _, as := range f.Assertions {
		if as.Premise.Unverified() && as.Kind != LossyConvert && as.Kind != Anonymous {
			return true
		}
	}
	return false
}

// callsOf lists the calls of some functions, but for its own.
func (f *Function) callsOf(set map[*ssa.Function]bool) []*ssa.Call {
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
