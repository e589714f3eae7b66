package solver

import (
	"math/bits"

	"github.com/goassay/assay/internal/term"
)

// A free leaf is one that its value set or a pure component of the order describes completely. Models are not
// kept up to date for free leaves, because most paths never need a model. This file gives free leaves values.

// editor is a model that is copied before its first change.
type editor struct {
	x   *Context
	m   *term.Model // the model, never nil
	own bool
}

func (x *Context) edit(m *term.Model) editor {
	if m == nil {
		m = x.zeros
	}
	return editor{x: x, m: m}
}

func (e *editor) set(leaf term.ID, v uint64) {
	if e.m.Get(leaf) == v && (v == 0 || e.m.Has(leaf)) {
		return
	}
	e.writable().Set(leaf, v)
}

func (e *editor) writable() *term.Model {
	if !e.own {
		e.m, e.own = e.m.Clone(), true
	}
	return e.m
}

// settle gives a free leaf a value that p allows. It also gives values to the rest of the leaf's component of
// the order.
func (p *PathCond) settle(e *editor, leaf term.ID) {
	st := p.x.st
	if st.Op(leaf) == term.OpArray || st.Width(leaf) > 64 {
		return
	}
	// The slot's own flags count: if an array is later read at symbolic indexes elsewhere, its elements
	// are not tracked here.
	f := p.slotFlags(leaf)
	switch {
	case f&shared != 0:
	case f&ordered != 0:
		i := p.ord.find(leaf)
		if c := p.ord.component(i); p.pure(c, p.slotFlags) {
			p.settleOrder(e, c)
		}
	case f&bounded != 0:
		if !p.allowed(leaf, e.m.Get(leaf)) {
			e.set(leaf, p.choose(leaf))
		}
	}
}

// settleOrder gives the leaves of a pure component values, unless their present values fit.
func (p *PathCond) settleOrder(e *editor, set uint32) {
	if !p.x.orderHolds(p.ord, set, e.m) {
		p.x.assignOrder(p.ord, set, e.writable())
	}
}

// orderHolds reports whether m respects the order on a set of places.
func (x *Context) orderHolds(o *order, set uint32, m *term.Model) bool {
	less := func(a, b uint64) bool { return a < b }
	if o.sign == term.OpSlt {
		flip := uint64(1) << (o.width - 1)
		less = func(a, b uint64) bool { return a^flip < b^flip }
	}
	for s := set; s != 0; s &= s - 1 {
		i := bits.TrailingZeros32(s)
		a := m.Get(o.leaf[i])
		for r := (o.le[i] | o.ne[i]) & set &^ (1 << i); r != 0; r &= r - 1 {
			j := bits.TrailingZeros32(r)
			b := m.Get(o.leaf[j])
			if o.le[i]>>j&1 != 0 && less(b, a) || (o.lt[i]|o.ne[i])>>j&1 != 0 && a == b {
				return false
			}
		}
	}
	return true
}

// settleAll gives every free leaf of p a value.
func (p *PathCond) settleAll(e *editor) {
	for i, g := range p.pages {
		if g == nil {
			continue
		}
		for k, f := range g.flags {
			if f != 0 {
				p.settle(e, p.x.st.Leaf(i*pageLen+k))
			}
		}
	}
}

// settleFor gives the free leaves that c depends on values and returns the model.
func (p *PathCond) settleFor(c term.ID) *term.Model {
	e := p.x.edit(p.model)
	for _, l := range p.x.st.Support(c) {
		p.settle(&e, l)
		if p.x.st.Op(l) == term.OpArray { // any element may be read
			p.settleAll(&e)
		}
	}
	return e.m
}
