package solver

import (
	"time"

	"github.com/goassay/assay/internal/term"
)

// A Context is what one exploration holds. It is used by one goroutine.
type Context struct {
	st      *term.Store
	backend Solver
	cfg     Config
	stats   Stats

	freePaths  []*PathCond
	freeChunks []*chunk

	// last remembers the models of a branch's two sides for the Assume that follows.
	last struct {
		sig    uint64
		n      int
		c      term.ID
		models [2]*term.Model // where c is false, where it is true
	}
	mark    []uint32 // by leaf number: equal to markGen where the leaf is in the slice
	markGen uint32
	query   []term.ID
	todo    []term.ID
}

// NewContext returns a context over the terms of st.
func NewContext(st *term.Store, backend Solver, cfg Config) *Context {
	return &Context{st: st, backend: backend, cfg: cfg}
}

// Store returns the terms' store.
func (x *Context) Store() *term.Store { return x.st }

// Stats returns the counts so far.
func (x *Context) Stats() Stats { return x.stats }

// Branch decides whether p ∧ c and p ∧ ¬c are feasible, where p is.
func (x *Context) Branch(p *PathCond, c term.ID) (onTrue, onFalse Verdict) {
	x.stats.Questions += 2
	switch {
	case p.dead:
		x.stats.Trivial += 2
		return Unsat, Unsat
	case c == term.True:
		x.stats.Trivial += 2
		return Sat, Unsat
	case c == term.False:
		x.stats.Trivial += 2
		return Unsat, Sat
	}
	x.last.sig, x.last.n, x.last.c, x.last.models = p.sig, p.n, c, [2]*term.Model{}
	m, v := x.Model(p)
	if v != Sat {
		t, f := x.ask(p, c, true), x.ask(p, x.st.Not(c), false)
		return t, f
	}
	x.stats.ModelSide++
	if x.st.Holds(c, m) {
		x.last.models[1] = m
		return Sat, x.ask(p, x.st.Not(c), false)
	}
	x.last.models[0] = m
	return x.ask(p, c, true), Sat
}

// ask decides p ∧ c by the backend, on the slice of p that c depends on.
func (x *Context) ask(p *PathCond, c term.ID, side bool) Verdict {
	x.slice(p, c)
	r := x.check(x.query)
	if r.Verdict == Sat {
		i := 0
		if side {
			i = 1
		}
		x.last.models[i] = x.combine(p, x.query, r.Model)
	}
	return r.Verdict
}

// combine returns p's model with the leaves of the query's conjuncts taken from m.
func (x *Context) combine(p *PathCond, query []term.ID, m *term.Model) *term.Model {
	var out *term.Model
	if p.model == nil {
		out = x.st.NewModel()
	} else {
		out = p.model.Clone()
	}
	for _, q := range query {
		x.st.Vars(q, func(l term.ID) {
			if x.st.Op(l) == term.OpArray {
				return
			}
			copyLeaf(x.st, out, m, l)
		})
	}
	for i := range x.st.Leaves() { // elements of arrays read at symbolic indexes
		if l := x.st.Leaf(i); x.st.Op(l) == term.OpElem && m.Has(l) {
			copyLeaf(x.st, out, m, l)
		}
	}
	return out
}

func copyLeaf(st *term.Store, dst, src *term.Model, l term.ID) {
	if st.Width(l) > 64 {
		dst.SetBig(l, src.GetBig(l))
	} else {
		dst.Set(l, src.Get(l))
	}
}

// slice sets x.query to c and the conjuncts of p that share leaves with it, directly or through others.
func (x *Context) slice(p *PathCond, c term.ID) {
	x.query = append(x.query[:0], c)
	p.each(func(_ int, k term.ID) bool {
		x.query = append(x.query, k)
		return true
	})
}

// check asks the backend.
func (x *Context) check(conjuncts []term.ID) Result {
	q := &Query{Conjuncts: conjuncts, Limit: x.cfg.Limit}
	start := time.Now()
	r := x.backend.Check(q)
	d := time.Since(start)
	x.stats.Backend++
	x.stats.BackendTime += d
	x.stats.BackendEffort += r.Effort
	switch r.Verdict {
	case Sat:
		x.stats.BackendSat++
		for _, c := range conjuncts {
			if !x.st.Holds(c, r.Model) {
				panic("bug: the backend's model does not satisfy " + x.st.String(c))
			}
		}
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

// Assume adds c to p. The caller knows that p ∧ c is feasible, or that it is Unknown.
func (x *Context) Assume(p *PathCond, c term.ID) {
	switch c {
	case term.True:
		return
	case term.False:
		p.dead = true
	}
	var m *term.Model
	if x.last.sig == p.sig && x.last.n == p.n {
		switch {
		case x.last.c == c:
			m = x.last.models[1]
		case x.st.Not(x.last.c) == c:
			m = x.last.models[0]
		}
	}
	p.push(c)
	switch {
	case m != nil:
		p.model, p.stale = m, false
	case !p.stale && x.holds(p.model, c):
	default:
		p.stale = true
	}
}

func (x *Context) holds(m *term.Model, c term.ID) bool {
	if m == nil {
		m = x.st.NewModel()
	}
	return x.st.Holds(c, m)
}

// Model returns a model of p, which the caller must not change.
func (x *Context) Model(p *PathCond) (*term.Model, Verdict) {
	if p.dead {
		return nil, Unsat
	}
	if p.stale {
		r := x.check(p.Conjuncts())
		if r.Verdict != Sat {
			return nil, r.Verdict
		}
		p.model, p.stale = r.Model, false
	}
	if p.model == nil {
		p.model = x.st.NewModel()
	}
	return p.model, Sat
}
