package solver

import "github.com/goassay/assay/internal/term"

// Assume adds c to p. The caller knows that p ∧ c is feasible, or that the answer was Unknown.
func (x *Context) Assume(p *PathCond, c term.ID) {
	x.reportQuestion(c)
	switch {
	case c == term.True || p.dead:
		return
	case c == term.False:
		p.dead = true
		p.push(c)
		return
	}
	// The model that Branch has found for this side.
	var found *term.Model
	if l := &x.last; l.c != 0 && l.sig == p.sig && l.n == p.n {
		if l.c == c {
			found = l.models[1]
		} else if x.st.Not(l.c) == c {
			found = l.models[0]
		}
	}
	x.add(p, c, found)
}

// add adds c, or its parts if it is a conjunction.
func (x *Context) add(p *PathCond, c term.ID, found *term.Model) {
	for x.st.Op(c) == term.OpAnd {
		x.add(p, x.st.Arg(c, 1), found)
		c = x.st.Arg(c, 0)
	}
	// A condition on a free leaf narrows its set and needs no model.
	if leaf, tt, ok := x.st.TruthTable(c); ok {
		if p.flagsOf(leaf)&(shared|ordered) == 0 {
			p.push(c)
			p.narrowByte(leaf, tt)
			return
		}
		x.addTracked(p, c, found, func() { p.narrowByte(leaf, tt) })
		return
	}
	if leaf, r := x.wideLeaf(c); r != noRanges {
		if p.flagsOf(leaf)&(shared|ordered) == 0 {
			p.push(c)
			p.narrowRanges(leaf, r)
			return
		}
		x.addTracked(p, c, found, func() { p.narrowRanges(leaf, r) })
		return
	}
	if a, ok := x.atomOf(c); ok && x.fits(p.ord, a) {
		enter := func() {
			p.addOrder(a)
			p.setFlag(a.a, ordered)
			p.setFlag(a.b, ordered)
		}
		if p.pureLeaf(a.a) && p.pureLeaf(a.b) {
			p.push(c)
			enter()
			return
		}
		x.addTracked(p, c, found, enter)
		return
	}
	x.addTracked(p, c, found, func() {
		for _, l := range x.st.Support(c) {
			if x.st.Op(l) == term.OpArray {
				p.shareArray(x.st.ArrayOf(l))
			} else {
				p.setFlag(l, shared)
			}
		}
	})
}

// shareArray marks the known elements of a as shared, because any of them may have been read.
func (p *PathCond) shareArray(a term.Array) {
	st := p.x.st
	for i := range len(p.pages) * pageLen {
		if i >= st.Leaves() {
			break
		}
		if l := st.Leaf(i); st.Op(l) == term.OpElem && st.ArrayOf(l) == a && p.slotFlags(l) != 0 {
			p.setFlag(l, shared)
		}
	}
}

// addTracked adds a conjunct after which the model, and not the value sets, has the values of its leaves. The
// function note records facts that the conjunct implies.
func (x *Context) addTracked(p *PathCond, c term.ID, found *term.Model, note func()) {
	m := p.settleFor(c) // while these leaves are still free
	p.push(c)
	note()
	switch {
	case found != nil:
		// The model was found for all of the slice, so it respects the sets and the order, too.
		p.model, p.stale = found, false
	case !p.stale && x.st.Holds(c, m):
		p.model = m
	default:
		p.model, p.stale = m, true
	}
}

// Model returns a model of p, which the caller must not change, and which is
// evaluated against all of p before it is returned.
func (x *Context) Model(p *PathCond) (*term.Model, Verdict) {
	if p.dead {
		return nil, Unsat
	}
	if p.stale {
		if v := x.refresh(p); v != Sat {
			return nil, v
		}
	}
	e := x.edit(p.model)
	p.settleAll(&e)
	p.each(func(_ int, c term.ID) bool {
		if !x.st.Holds(c, e.m) {
			panic("bug: the path's model does not satisfy " + x.st.String(c) + " of " + p.String())
		}
		return true
	})
	p.model = e.m
	return e.m, Sat
}

// refresh finds a model for a path that has lost it.
func (x *Context) refresh(p *PathCond) Verdict {
	r := x.askBackend(p.Conjuncts())
	switch r.Verdict {
	case Sat:
		p.model, p.stale = x.combine(p.model, p.Conjuncts(), r.Model), false
	case Unsat:
		p.dead = true
	default:
		p.tired = true
	}
	return r.Verdict
}
