package solver

import (
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/term"
)

// A Context is the solver's state for one exploration. It is used by one goroutine.
type Context struct {
	st      *term.Store
	backend Solver
	cfg     Config
	stats   Stats
	zeros   *term.Model // the empty model, which never changes
	ranges  *rangeSets
	cache   caches
	inter   intervals
	rep     repairer

	freePaths  []*PathCond
	freeChunks []*chunk
	freePages  []*page
	freeOrders []*order

	// last keeps the models of a branch's two sides for the Assume that follows.
	last struct {
		sig    uint64
		n      int
		c      term.ID
		models [2]*term.Model // where c is false, where it is true
	}
	mark    []uint32 // by leaf number: equal to markGen if the leaf is in the slice
	markGen uint32
	sliced  []term.ID
	todo    []term.ID
	query   []term.ID
}

// NewContext returns a context over the terms of st.
func NewContext(st *term.Store, backend Solver, cfg Config) *Context {
	return &Context{st: st, backend: backend, cfg: cfg, zeros: st.NewModel(), ranges: newRangeSets()}
}

// Store returns the terms' store.
func (x *Context) Store() *term.Store { return x.st }

// Stats returns the counts so far.
func (x *Context) Stats() Stats { return x.stats }

// Effort returns the work that the last layer has done so far, in its own units.
func (x *Context) Effort() int64 { return x.stats.BackendEffort }

// Branch decides whether p ∧ c and p ∧ ¬c are feasible, given that p is.
func (x *Context) Branch(p *PathCond, c term.ID) (onTrue, onFalse Verdict) {
	x.stats.Questions += 2
	x.reportQuestion(c)
	if c <= term.True || p.dead {
		x.stats.Trivial += 2
		switch {
		case p.dead:
			return Unsat, Unsat
		case c == term.True:
			return Sat, Unsat
		}
		return Unsat, Sat
	}
	if t, f, ok := x.byLayers(p, c, 2); ok {
		return t, f
	}
	return x.decide(p, c)
}

// reportQuestion reports a question to the listener, if there is one.
func (x *Context) reportQuestion(c term.ID) {
	if x.cfg.Asked != nil {
		x.cfg.Asked(c)
	}
}

// Feasible decides p ∧ c alone, given that p is feasible. It is half of a Branch.
func (x *Context) Feasible(p *PathCond, c term.ID) Verdict {
	x.stats.Questions++
	x.reportQuestion(c)
	if c <= term.True || p.dead {
		x.stats.Trivial++
		if c == term.False || p.dead {
			return Unsat
		}
		return Sat
	}
	if t, _, ok := x.byLayers(p, c, 1); ok {
		return t
	}
	m := x.begin(p, c)
	if !p.stale && x.st.Holds(c, m) {
		x.stats.ModelSide++
		x.last.models[1] = m
		return Sat
	}
	var v Verdict
	v, x.last.models[1] = x.askWhole(p, c, m)
	return v
}

// byLayers asks the layers that need no query about n sides of c. The result ok is false if they do not know.
func (x *Context) byLayers(p *PathCond, c term.ID, n int64) (t, f Verdict, ok bool) {
	x.last.c = 0
	if !x.cfg.NoDomains {
		if t, f, ok = x.byDomain(p, c); ok {
			x.stats.Domains += n
		}
	}
	if !ok && !x.cfg.NoOrder {
		if t, f, ok = x.byOrder(p, c); ok {
			x.stats.Order += n
		}
	}
	if !ok && !x.cfg.NoIntervals {
		if t, f, ok = x.byInterval(p, c); ok {
			x.stats.Intervals += n
		}
	}
	if ok {
		x.validate(p, c, t, f)
	}
	return t, f, ok
}

// byDomain answers conditions on a single leaf from its value set.
func (x *Context) byDomain(p *PathCond, c term.ID) (t, f Verdict, ok bool) {
	leaf, tt, isByte := x.st.TruthTable(c)
	var on, off bool
	var flags uint8
	if isByte {
		on, off, flags = p.domainSides(leaf, tt)
	} else {
		var r rangeSet
		if leaf, r = x.wideLeaf(c); r == noRanges {
			return 0, 0, false
		}
		old := p.rangesOf(leaf)
		both := x.ranges.intersect(old, r)
		on, off = both != emptyRanges, both != old
		flags = p.flagsOf(leaf)
	}
	switch {
	case !on && !off:
		p.dead = true // p is infeasible; an Unknown was assumed before
		return Unsat, Unsat, true
	case !on:
		return Unsat, Sat, !p.stale
	case !off:
		return Sat, Unsat, !p.stale
	}
	if flags&(shared|ordered) != 0 || isByte && p.flagsOf(leaf)&shared != 0 || p.stale {
		return 0, 0, false
	}
	return Sat, Sat, true
}

// wideLeaf returns the only leaf of c, if it has more than 8 and at most 64 bits, and the values for
// which c holds, if they are ranges.
func (x *Context) wideLeaf(c term.ID) (leaf term.ID, r rangeSet) {
	s := x.st.Support(c)
	if len(s) != 1 || !x.st.IsLeaf(s[0]) {
		return 0, noRanges
	}
	if w := x.st.Width(s[0]); w <= 8 || w > 64 {
		return 0, noRanges
	}
	return s[0], x.ofCondition(c)
}

// byOrder answers comparisons of two leaves from the order.
func (x *Context) byOrder(p *PathCond, c term.ID) (t, f Verdict, ok bool) {
	a, isAtom := x.atomOf(c)
	if !isAtom || p.stale || !x.fits(p.ord, a) {
		return 0, 0, false
	}
	t, f = x.answer(p.ord, a)
	if a.neg {
		t, f = f, t
	}
	switch {
	case t == Unsat && f == Unsat:
		p.dead = true
		return t, f, true
	case t == Unsat, f == Unsat:
		return t, f, true
	}
	return t, f, p.pureLeaf(a.a) && p.pureLeaf(a.b)
}

// begin prepares Branch and Feasible, and records what Assume needs afterwards. It returns the path's
// model with values for the free leaves of c.
func (x *Context) begin(p *PathCond, c term.ID) *term.Model {
	x.last.sig, x.last.n, x.last.c, x.last.models = p.sig, p.n, c, [2]*term.Model{}
	if p.stale && !p.tired {
		x.refresh(p) // a model may be found now
	}
	if p.stale {
		return x.edit(p.model).m
	}
	return p.settleFor(c)
}

// decide does the part of Branch that needs the path's model: the model answers for one side.
func (x *Context) decide(p *PathCond, c term.ID) (onTrue, onFalse Verdict) {
	neg := x.st.Not(c)
	m := x.begin(p, c)
	if p.stale {
		onTrue, x.last.models[1] = x.askWhole(p, c, m)
		onFalse, x.last.models[0] = x.askWhole(p, neg, m)
		return onTrue, onFalse
	}
	x.stats.ModelSide++
	if x.st.Holds(c, m) {
		x.last.models[1] = m
		onFalse, x.last.models[0] = x.ask(p, neg, m)
		return Sat, onFalse
	}
	x.last.models[0] = m
	onTrue, x.last.models[1] = x.ask(p, c, m)
	return onTrue, Sat
}

// askWhole does the same as ask for a path that may be infeasible. A satisfiable slice proves nothing for
// such a path, unless the model happens to satisfy the rest of the path.
func (x *Context) askWhole(p *PathCond, c term.ID, m *term.Model) (Verdict, *term.Model) {
	v, found := x.ask(p, c, m)
	if v != Sat || !p.stale {
		return v, found
	}
	e := x.edit(found)
	p.settleAll(&e)
	v = Sat
	p.each(func(_ int, k term.ID) bool {
		if !x.st.Holds(k, e.m) {
			v = Unknown
		}
		return v == Sat
	})
	if v != Sat || !x.st.Holds(c, e.m) {
		return Unknown, nil
	}
	return Sat, e.m
}

// ask decides p ∧ c by the layers that work on the slice of p that c depends on. The returned model is m with
// the slice's leaves changed.
func (x *Context) ask(p *PathCond, c term.ID, m *term.Model) (Verdict, *term.Model) {
	slice := x.slice(p, c)
	q := append(x.query[:0], slice...)
	if i, ok := slices.BinarySearch(q, c); !ok {
		q = slices.Insert(q, i, c)
	}
	x.query = q
	if _, ok := slices.BinarySearch(slice, x.st.Not(c)); ok {
		x.stats.Trivial++
		return x.validated(q, Unsat), nil
	}
	if !x.cfg.NoCache {
		if e := x.cache.find(q); e != nil {
			x.stats.Cache++
			if x.validated(q, e.v) == Sat {
				return Sat, x.combine(m, q, e.m)
			}
			return e.v, nil
		}
		if x.cache.hasCore(q) {
			x.stats.Cores++
			return x.validated(q, Unsat), nil
		}
	}
	if !x.cfg.NoResidues && byResidues(x.st, q) {
		x.stats.Residues++
		return x.validated(q, Unsat), nil
	}
	if !x.cfg.NoRepair && !p.stale {
		if r := x.repair(p, c, q, m); r != nil {
			x.stats.Repaired++
			return x.validated(q, Sat), r
		}
	}
	r := x.askBackend(q)
	if !x.cfg.NoCache { // Unknown is stored, too, because another attempt would cost the same
		x.cache.put(q, r)
	}
	if r.Verdict == Sat {
		return Sat, x.combine(m, q, r.Model)
	}
	return r.Verdict, nil
}

// combine returns m with the leaves of the query's conjuncts, and the elements of arrays, taken from r.
func (x *Context) combine(m *term.Model, query []term.ID, r *term.Model) *term.Model {
	e := x.edit(m)
	arrays := false
	for _, q := range query {
		for _, l := range x.st.Support(q) {
			switch {
			case x.st.Op(l) == term.OpArray:
				arrays = true
			case x.st.Width(l) > 64:
				e.writable().SetBig(l, r.GetBig(l))
			default:
				e.set(l, r.Get(l))
			}
		}
	}
	if arrays {
		for i := range x.st.Leaves() {
			if l := x.st.Leaf(i); x.st.Op(l) == term.OpElem && r.Has(l) {
				e.writable().SetBig(l, r.GetBig(l))
			}
		}
	}
	return e.m
}

// askBackend asks the backend, and checks the model by evaluation.
func (x *Context) askBackend(conjuncts []term.ID) Result {
	q := &Query{Conjuncts: conjuncts, Limit: x.cfg.Limit}
	start := time.Now()
	r := x.solve(q)
	d := time.Since(start)
	x.stats.Backend++
	x.stats.BackendTime += d
	x.stats.BackendEffort += r.Effort
	switch r.Verdict {
	case Sat:
		x.stats.BackendSat++
		x.checkModel(r.Model, conjuncts)
	case Unsat:
		x.stats.BackendUnsat++
	default:
		x.stats.BackendUnknown++
	}
	if x.cfg.Record != nil {
		x.cfg.Record(q, r, d)
	}
	return r
}

// checkModel panics unless m satisfies the conjuncts.
func (x *Context) checkModel(m *term.Model, conjuncts []term.ID) {
	for _, c := range conjuncts {
		if !x.st.Holds(c, m) {
			panic("bug: a model does not satisfy " + x.st.String(c))
		}
	}
}

// validated returns a layer's verdict on a query. If Config.Validate is set and the backend contradicts the
// verdict, it panics.
func (x *Context) validated(query []term.ID, v Verdict) Verdict {
	if !x.cfg.Validate || v == Unknown {
		return v
	}
	r := x.backend.Check(&Query{Conjuncts: slices.Clone(query), Limit: x.cfg.Limit})
	if r.Verdict != Unknown && r.Verdict != v {
		text := make([]string, len(query))
		for i, c := range query {
			text[i] = x.st.String(c)
		}
		panic("bug: a layer says " + v.String() + ", the backend " + r.Verdict.String() + ": " + strings.Join(text, " and "))
	}
	return v
}

// validate panics if the backend contradicts a layer's verdicts, provided that Config.Validate is set.
func (x *Context) validate(p *PathCond, c term.ID, t, f Verdict) {
	if !x.cfg.Validate {
		return
	}
	if p.dead {
		if !p.stale { // no Unknown was assumed, so a layer has given a wrong answer
			x.validated(p.Conjuncts(), Unsat)
		}
		return
	}
	for _, side := range []struct {
		c term.ID
		v Verdict
	}{{c, t}, {x.st.Not(c), f}} {
		r := x.backend.Check(&Query{Conjuncts: append(p.Conjuncts(), side.c), Limit: x.cfg.Limit})
		if r.Verdict != Unknown && side.v != Unknown && r.Verdict != side.v {
			panic("bug: a layer says " + side.v.String() + ", the backend " + r.Verdict.String() + ": " + p.String() + " and " + x.st.String(side.c))
		}
	}
}
