package solver

import "github.com/goassay/assay/internal/term"

// An Answer is the outcome of Solve.
type Answer struct {
	// Verdict is Unsat where the path's own conjuncts are, Unknown where the solver gave up on them.
	Verdict Verdict
	// Model satisfies the path and all that was kept, where the verdict is Sat.
	Model *term.Model
	// KeptSoft and KeptAssumptions tell which of the arguments of Solve hold in Model.
	KeptSoft, KeptAssumptions []bool
	// Exact is false where Unknown on the way leaves open whether more could have been kept.
	Exact bool
}

// AllAssumptions reports whether no assumption was dropped.
func (a *Answer) AllAssumptions() bool {
	for _, k := range a.KeptAssumptions {
		if !k {
			return false
		}
	}
	return true
}

// Solve finds inputs for p by the procedure for three classes of constraints (Galeotti
// et al., "Inferring Loop Invariants"-style assume and assumeOrExecuteConcretely as in
// UTBot). Hard are p's conjuncts. Soft constraints are preferences and the first of them weighs
// most; assumptions weigh more than any soft constraint.
//
// The kept sets are exactly these: assumptions are kept greedily from the first, each
// where it is consistent with p and those kept before; then soft constraints likewise.
// So the kept sets are maximal and lexicographically greatest, and a soft constraint is never kept at the cost of an assumption.
func (x *Context) Solve(p *PathCond, soft, assumptions []term.ID) Answer {
	a := Answer{KeptSoft: make([]bool, len(soft)), KeptAssumptions: make([]bool, len(assumptions)), Exact: true}
	m, v := x.Model(p)
	a.Verdict = v
	if v != Sat {
		return a
	}
	a.Model = m
	q := p.Fork()
	defer q.Release()
	keep := func(ts []term.ID, kept []bool, dropped *int64) {
		for i, t := range ts {
			on, _ := x.Branch(q, t)
			switch on {
			case Sat:
				kept[i] = true
				x.Assume(q, t)
				continue
			case Unknown:
				a.Exact = false
			}
			*dropped++
		}
	}
	keep(assumptions, a.KeptAssumptions, &x.stats.DroppedAssumptions)
	keep(soft, a.KeptSoft, &x.stats.DroppedSoft)
	if m, v := x.Model(q); v == Sat {
		a.Model = m
	}
	return a
}
