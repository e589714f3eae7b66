package check

import (
	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/vm"
)

// Behind a call, the caller takes for granted that the callee keeps its ensures clauses. There are three
// cases:
//
//   - The analysis has verified the clauses without assumptions, or only under assumptions that the
//     caller makes, too. No further assumption is made.
//   - The analysis has verified the clauses under other assumptions of the callee. The caller assumes
//     that these hold. The machine evaluates them; an assumption violated in the callee counts in the
//     caller when the call returns.
//   - Otherwise the caller assumes that the callee keeps its contract. The machine takes this
//     assumption for violated.
//
// The first two cases apply only to calls that the contract allows and whose clauses do not panic. If the
// callee requires something, or is called with a pointer that may be nil and that a clause reads through, the
// third case applies.

// The ordinals of the assumptions that a call makes about its callee.
const (
	keepsContract = 1 // the callee keeps its contract; the machine takes this for violated
	keepsPremise  = 2 // the assumptions of the callee hold
)

// remember evaluates, before a call, the old values in the callee's contract. It reports whether the contract
// can be used at this call. If it can, the state has these values under the contract's names for them.
func (a *analysis) remember(s *state, v *ssa.Call, callee *ssa.Function) bool {
	run := a.p.wrapper(callee)
	if run == nil || callee == a.fn || !a.p.requiresNothing(run) {
		return false
	}
	t := a.bind(s, run, v.Call.Args)
	harmless := a.harmlessly(func() {
		for _, ins := range run.Blocks[0].Instrs {
			if t.bottom || callOf(ins, callee) {
				return
			}
			if c, ok := ins.(*ssa.Call); ok && c.Call.StaticCallee() != nil {
				continue // if the callee requires something, nothing is remembered
			}
			a.step(t, ins)
		}
	})
	if !harmless || t.bottom {
		return false
	}
	*s = *t
	return true
}

// promised takes the callee's ensures clauses for granted. The parameter remembered says that the state has
// the old values. If it has not, nothing is known about old(...) in the clauses.
func (a *analysis) promised(s *state, v *ssa.Call, callee *ssa.Function, remembered bool) {
	run := a.p.wrapper(callee)
	if run == nil || callee == a.fn {
		return
	}
	results, ok := resultsOf(v)
	if !ok {
		return // go/ssa has no value for a result that is not used
	}
	if remembered {
		before := s.clone()
		var after *state
		if a.harmlessly(func() { after = a.ensured(before, run, callee, results) }) && a.keeps(s, v, callee) {
			*s = *after
			return
		}
	}
	if !a.assume(place{ins: v, kind: Callee, n: keepsContract}, Condition{Kind: vm.CondUnknown}, func() string { return callee.Name() + " keeps its contract" }) {
		return
	}
	if after := a.ensured(a.bind(s, run, v.Call.Args), run, callee, results); !after.bottom {
		*s = *after
	}
}

// resultsOf returns the values that are the results of a call.
func resultsOf(v *ssa.Call) (results []ssa.Value, ok bool) {
	switch n := v.Call.Signature().Results().Len(); n {
	case 0:
	case 1:
		results = []ssa.Value{v}
	default:
		results = make([]ssa.Value, n)
		for _, r := range *v.Referrers() {
			if e, ok := r.(*ssa.Extract); ok {
				results[e.Index] = e
			}
		}
		for _, r := range results {
			if r == nil {
				return nil, false
			}
		}
	}
	return results, true
}

// ensured returns the state behind a call whose callee keeps its contract, given a state in which the
// contract's parameters are bound.
func (a *analysis) ensured(s *state, run, callee *ssa.Function, results []ssa.Value) *state {
	var after *state
	a.behind(s, returned{run: run, fn: callee, results: results, clause: func(t *state, c *ssa.Call, _ string) {
		if cond := condition(&c.Call, c.Call.StaticCallee()); cond != nil {
			a.refine(t, cond, true)
		}
	}, end: func(t *state) { after = after.join(t) }})
	if after == nil {
		return &state{a: a, bottom: true}
	}
	return after
}

// keeps reports whether the caller may rely on the callee's contract behind a call that the contract allows.
// It makes an assumption if it needs one.
func (a *analysis) keeps(s *state, v *ssa.Call, callee *ssa.Function) bool {
	if a.p.leadsTo(callee, a.fn, map[*ssa.Function]bool{}) {
		return false // the contract's verification would rely on this very call
	}
	f := a.p.Analyse(callee)
	if f.Contract.Unverified() {
		return false
	}
	race, own := false, false
	for _, i := range f.Contract[0] {
		switch as := f.Assumptions[i]; {
		case as.Kind == Race:
			race = true
		case as.Kind == Receiver && len(v.Call.Args) > 0 && s.factOf(v.Call.Args[0]) == nonNil:
		default:
			own = true
		}
	}
	if race && !a.alone() {
		return false
	}
	return !own || a.assume(place{ins: v, kind: Callee, n: keepsPremise}, Condition{Kind: vm.CondPromised, Callee: callee, After: true}, func() string {
		return "what the contract of " + callee.Name() + " was verified under"
	})
}

// requiresNothing reports whether a contract allows every call. The parameter run is the function that calls
// the contract's function.
func (p *Program) requiresNothing(run *ssa.Function) bool {
	for _, ins := range run.Blocks[0].Instrs {
		c, ok := ins.(*ssa.Call)
		if !ok || c.Call.StaticCallee() == nil || p.annotation(c.Call.StaticCallee()) != contract.Assume {
			continue
		}
		pre, ok := c.Call.Args[0].(*ssa.Call)
		if !ok || pre.Call.StaticCallee() == nil || len(pre.Call.StaticCallee().Blocks) != 1 {
			return false
		}
		b := pre.Call.StaticCallee().Blocks[0]
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) != 1 {
			return false
		}
		k, ok := ret.Results[0].(*ssa.Const)
		return ok && k.Value != nil && k.Value.String() == "true"
	}
	return false
}

// leadsTo reports whether the analysis of from needs the analysis of to, through calls of functions
// with contracts.
func (p *Program) leadsTo(from, to *ssa.Function, seen map[*ssa.Function]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for _, b := range from.Blocks {
		for _, ins := range b.Instrs {
			c, ok := ins.(*ssa.Call)
			if !ok {
				continue
			}
			if callee := c.Call.StaticCallee(); callee != nil && p.wrapper(callee) != nil && p.leadsTo(callee, to, seen) {
				return true
			}
		}
	}
	for _, anon := range from.AnonFuncs {
		if p.leadsTo(anon, to, seen) {
			return true
		}
	}
	return false
}
