package solver

import "github.com/goassay/assay/internal/term"

// An Answer is the outcome of Solve.
type Answer struct {
	// Verdict is Unsat if the path's own conjuncts are unsatisfiable, and Unknown if the solver gave up on
	// them.
	Verdict Verdict
	// Model satisfies the path and everything that was kept, if the verdict is Sat.
	Model *term.Model
	// KeptSoft and KeptAssumptions tell which of the arguments of Solve hold in Model.
	KeptSoft, KeptAssumptions []bool
	// Exact is false if an Unknown on the way leaves open whether more could have been kept.
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

// Solve finds inputs for p under three classes of constraints. Hard constraints are p's conjuncts.
// Assumptions (assumeOrExecuteConcretely) are expected to hold, but the user wants to know if they do not.
// Soft constraints are preferences. Earlier assumptions have priority over later ones, earlier soft
// constraints over later ones, and any assumption over all soft constraints.
//
// UTBot, which introduced the classes, drops the soft constraints in the unsatisfiable core, then the
// assumptions in it, and tries twice. Solve is exact: it keeps each assumption that is consistent with p and
// with those kept before, then soft constraints likewise. The kept sets are thus the lexicographically
// greatest and therefore maximal: to take back a dropped constraint, one of higher priority would have to be
// given up. A constraint that the present model satisfies costs no query, so there is one query for each
// conflict.
func (x *Context) Solve(p *PathCond, soft, assumptions []term.ID) Answer {
	a := Answer{KeptSoft: make([]bool, len(soft)), KeptAssumptions: make([]bool, len(assumptions)), Exact: true}
	q := p.Fork()
	defer q.Release()
	if q.stale {
		x.refresh(q)
	}
	if q.dead {
		a.Verdict = Unsat
		return a
	}
	keep := func(ts []term.ID, kept []bool, dropped *int64) {
		for i, t := range ts {
			switch x.Feasible(q, t) {
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
	if !q.stale {
		keep(assumptions, a.KeptAssumptions, &x.stats.DroppedAssumptions)
		keep(soft, a.KeptSoft, &x.stats.DroppedSoft)
	} else {
		// The path itself is too hard. It may be easier with constraints added: all of them, then only the
		// assumptions.
		a.Exact = false
		x.solveBlind(q, soft, assumptions, &a)
	}
	a.Model, a.Verdict = x.Model(q)
	return a
}

// solveBlind looks for a model of a path that has none yet, under fewer and fewer of the constraints.
func (x *Context) solveBlind(q *PathCond, soft, assumptions []term.ID, a *Answer) {
	for _, n := range []int{len(soft), 0} {
		all := q.Fork()
		for _, t := range assumptions {
			x.Assume(all, t)
		}
		for _, t := range soft[:n] {
			x.Assume(all, t)
		}
		m, v := x.Model(all)
		all.Release()
		if v != Sat {
			continue
		}
		for i := range assumptions {
			a.KeptAssumptions[i] = true
		}
		for i := range n {
			a.KeptSoft[i] = true
		}
		q.model, q.stale = m, false
		return
	}
}
