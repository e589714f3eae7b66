package solver

import (
	"slices"

	"github.com/goassay/assay/internal/term"
)

// If a query says that two leaves are equal, one leaf replaces the other before the query goes to the
// backend. Words may then cancel; without that the backend would have to search over their bits. (Of the
// refutations in Triangle, those with an equality took nine tenths of the time.) Other definitions stay as
// they are. A leaf that equals a constant would make new terms of every conjunct for every constant, while
// the backend knows the old terms already.

// equalities is a query in which leaves are replaced by leaves that equal them.
type equalities struct {
	rep   map[term.ID]term.ID // the leaf that stands for a leaf
	facts []term.ID           // the conjuncts that say so
}

// equalitiesOf finds the equalities of variables among the conjuncts, or nil if there are none.
func (x *Context) equalitiesOf(conjuncts []term.ID) *equalities {
	var e *equalities
	for _, c := range conjuncts {
		if x.st.Op(c) != term.OpEq {
			continue
		}
		a, b := x.st.Arg(c, 0), x.st.Arg(c, 1)
		if x.st.Op(a) != term.OpVar || x.st.Op(b) != term.OpVar {
			continue
		}
		if e == nil {
			e = &equalities{rep: map[term.ID]term.ID{}}
		}
		e.facts = append(e.facts, c)
		if a, b = e.find(a), e.find(b); a != b {
			e.rep[max(a, b)] = min(a, b)
		}
	}
	if e != nil {
		for l := range e.rep {
			e.rep[l] = e.find(l)
		}
	}
	return e
}

func (e *equalities) find(l term.ID) term.ID {
	for {
		r, ok := e.rep[l]
		if !ok {
			return l
		}
		l = r
	}
}

// solve asks the backend about a query whose equalities have been used.
func (x *Context) solve(q *Query) Result {
	if x.cfg.NoEqualities {
		return x.backend.Check(q)
	}
	e := x.equalitiesOf(q.Conjuncts)
	if e == nil {
		return x.backend.Check(q)
	}
	short := &Query{Limit: q.Limit}
	became := make([]term.ID, len(q.Conjuncts))
	for i, c := range q.Conjuncts {
		became[i] = x.st.Subst(c, e.rep)
		switch became[i] {
		case term.True:
		case term.False:
			return Result{Verdict: Unsat, Core: append(slices.Clone(e.facts), c)}
		default:
			short.Conjuncts = append(short.Conjuncts, became[i])
		}
	}
	slices.Sort(short.Conjuncts)
	short.Conjuncts = slices.Compact(short.Conjuncts)
	r := x.backend.Check(short)
	switch r.Verdict {
	case Sat:
		for l, other := range e.rep {
			r.Model.SetBig(l, r.Model.GetBig(other))
		}
	case Unsat:
		if len(r.Core) == 0 { // the backend names no core
			break
		}
		core := slices.Clone(e.facts)
		for i, c := range q.Conjuncts {
			if slices.Contains(r.Core, became[i]) {
				core = append(core, c)
			}
		}
		r.Core = core
	}
	return r
}
