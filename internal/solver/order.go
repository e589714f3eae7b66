package solver

import (
	"math/bits"

	"github.com/goassay/assay/internal/term"
)

// This file keeps the order between leaves of one width: which leaves are known to be at most, less than, or
// different from which others. Code that sorts or walks search trees asks only such questions, and closure
// answers its queries. All comparisons of one order are signed, or all are unsigned; equalities are neither.

// maxOrdered is how many leaves one path's order holds; comparisons between more leaves are left to the other
// layers.
const maxOrdered = 32

type order struct {
	refs   int32
	n      int32
	width  int32
	sign   term.Op // OpSlt or OpUlt after the first such comparison, before that OpNone
	leaf   [maxOrdered]term.ID
	le     [maxOrdered]uint32 // bit j of le[i]: i <= j; reflexive and transitive
	lt     [maxOrdered]uint32 // i < j
	ne     [maxOrdered]uint32 // i != j, symmetric
	anyNot bool               // some ne is not empty
}

// An atom is a comparison of two leaves, perhaps negated.
type atom struct {
	op   term.Op // OpSlt, OpUlt or OpEq
	a, b term.ID
	neg  bool
}

// atomOf recognises a comparison of two leaves of one width that is wide enough for maxOrdered leaves
// to differ.
func (x *Context) atomOf(c term.ID) (a atom, ok bool) {
	st := x.st
	if st.Op(c) == term.OpNot {
		a.neg, c = true, st.Arg(c, 0)
	}
	switch a.op = st.Op(c); a.op {
	case term.OpEq, term.OpUlt, term.OpSlt:
	default:
		return a, false
	}
	a.a, a.b = st.Arg(c, 0), st.Arg(c, 1)
	return a, st.IsLeaf(a.a) && st.IsLeaf(a.b) && st.Width(a.a) >= 6
}

// fits reports whether a belongs into the order o, which may be nil.
func (x *Context) fits(o *order, a atom) bool {
	if o == nil {
		return true
	}
	if int(o.width) != x.st.Width(a.a) || a.op != term.OpEq && o.sign != term.OpNone && o.sign != a.op {
		return false
	}
	room := maxOrdered - int(o.n)
	if o.find(a.a) < 0 {
		room--
	}
	if o.find(a.b) < 0 {
		room--
	}
	return room >= 0
}

func (o *order) find(leaf term.ID) int {
	for i, l := range o.leaf[:o.n] {
		if l == leaf {
			return i
		}
	}
	return -1
}

// answer says whether the atom without its negation must hold (Sat, Unsat), cannot hold (Unsat, Sat), or may
// do either (Sat, Sat), provided that only the order is known. If more is known, only the Unsat is certain.
func (x *Context) answer(o *order, a atom) (on, off Verdict) {
	i, j := -1, -1
	if o != nil {
		i, j = o.find(a.a), o.find(a.b)
	}
	if i < 0 || j < 0 {
		return Sat, Sat
	}
	below, above := o.le[i]>>j&1 != 0, o.le[j]>>i&1 != 0 // i <= j, j <= i
	if a.op == term.OpEq {
		switch {
		case below && above:
			return Sat, Unsat
		case o.lt[i]>>j&1 != 0 || o.lt[j]>>i&1 != 0 || o.ne[i]>>j&1 != 0:
			return Unsat, Sat
		case !below && !above && !o.anyNot: // unrelated: equal or not, as we like
			return Sat, Sat
		}
	} else {
		switch {
		case o.lt[i]>>j&1 != 0:
			return Sat, Unsat
		case above:
			return Unsat, Sat
		case !below:
			return Sat, Sat
		}
	}
	// The remaining atoms may leave no room between leaves, so both are tried.
	try := func(neg bool) Verdict {
		c := *o
		b := a
		b.neg = neg
		if c.add(b, i, j) {
			return Sat
		}
		return Unsat
	}
	return try(false), try(true)
}

// add adds the atom between the places i and j and closes the order. It returns false if the result is a
// contradiction.
func (o *order) add(a atom, i, j int) bool {
	switch {
	case a.op == term.OpEq && a.neg:
		o.ne[i] |= 1 << j
		o.ne[j] |= 1 << i
		o.anyNot = true
	case a.op == term.OpEq:
		o.edge(i, j, false)
		o.edge(j, i, false)
	case a.neg: // the atom is not i < j
		o.edge(j, i, false)
	default:
		o.edge(i, j, true)
	}
	for o.anyNot && o.unequal() {
	}
	for k := range int(o.n) {
		if (o.lt[k]|o.ne[k])>>k&1 != 0 {
			return false
		}
	}
	return true
}

// edge closes the order under i <= j, or i < j.
func (o *order) edge(i, j int, strict bool) {
	for a := range int(o.n) {
		if o.le[a]>>i&1 == 0 {
			continue
		}
		under := strict || o.lt[a]>>i&1 != 0
		o.le[a] |= o.le[j]
		o.lt[a] |= o.lt[j]
		if under {
			o.lt[a] |= o.le[j]
		}
	}
}

// unequal carries inequalities over to leaves that are equal and makes i <= j with i != j
// strict; it reports whether anything changed.
func (o *order) unequal() (changed bool) {
	n := int(o.n)
	for i := range n {
		for m := o.ne[i]; m != 0; m &= m - 1 {
			j := bits.TrailingZeros32(m)
			for e := o.le[i]; e != 0; e &= e - 1 { // all leaves that equal i
				k := bits.TrailingZeros32(e)
				if o.le[k]>>i&1 != 0 && o.ne[k]>>j&1 == 0 {
					o.ne[k] |= 1 << j
					o.ne[j] |= 1 << k
					changed = true
				}
			}
			if o.le[i]>>j&1 != 0 && o.lt[i]>>j&1 == 0 {
				o.edge(i, j, true)
				changed = true
			}
		}
	}
	return changed
}

// place returns the place of a leaf. It makes one if there is none.
func (o *order) place(leaf term.ID) int {
	if i := o.find(leaf); i >= 0 {
		return i
	}
	i := int(o.n)
	o.n++
	o.leaf[i] = leaf
	o.le[i] = 1 << i
	return i
}

// addOrder adds the atom to p's order.
func (p *PathCond) addOrder(a atom) {
	x := p.x
	o := x.newOrder()
	if p.ord != nil {
		*o = *p.ord
		x.dropOrder(p.ord)
	}
	o.refs, o.width = 1, int32(x.st.Width(a.a))
	if a.op != term.OpEq {
		o.sign = a.op
	}
	p.ord = o
	i := o.place(a.a)
	j := o.place(a.b)
	if !o.add(a, i, j) {
		p.dead = true
	}
}

func (x *Context) newOrder() *order {
	if n := len(x.freeOrders); n > 0 {
		o := x.freeOrders[n-1]
		x.freeOrders = x.freeOrders[:n-1]
		return o
	}
	return new(order)
}

func (x *Context) dropOrder(o *order) {
	if o.refs--; o.refs == 0 {
		*o = order{}
		x.freeOrders = append(x.freeOrders, o)
	}
}

// component returns the places that are related to i, directly or through others.
func (o *order) component(i int) uint32 {
	seen, todo := uint32(1)<<i, uint32(1)<<i
	for todo != 0 {
		k := bits.TrailingZeros32(todo)
		todo &= todo - 1
		next := o.le[k] | o.ne[k]
		for j := range int(o.n) {
			next |= o.le[j] >> k & 1 << j
		}
		todo |= next &^ seen
		seen |= next
	}
	return seen
}

// pure reports whether the order says everything about a set of places, according to the leaves' flags.
func (p *PathCond) pure(set uint32, flags func(term.ID) uint8) bool {
	for m := set; m != 0; m &= m - 1 {
		if flags(p.ord.leaf[bits.TrailingZeros32(m)])&(shared|bounded) != 0 {
			return false
		}
	}
	return true
}

// pureLeaf reports whether only the order says anything about the leaf.
func (p *PathCond) pureLeaf(leaf term.ID) bool {
	if p.flagsOf(leaf)&(shared|bounded) != 0 {
		return false
	}
	if p.ord == nil {
		return true
	}
	i := p.ord.find(leaf)
	return i < 0 || p.pure(p.ord.component(i), p.flagsOf)
}

// assignOrder gives the leaves of a set of places values that respect the order: 0, 1, 2, ... in the first
// order that fits. Equal leaves get equal values, and all others get different values.
func (x *Context) assignOrder(o *order, set uint32, m *term.Model) {
	next := uint64(0)
	for left := set; left != 0; {
		for k := left; ; k &= k - 1 {
			if k == 0 {
				panic("bug: a cyclic order")
			}
			i := bits.TrailingZeros32(k)
			var class, below uint32
			for j := range int(o.n) {
				if o.le[j]>>i&1 != 0 {
					if o.le[i]>>j&1 != 0 {
						class |= 1 << j
					} else {
						below |= 1 << j
					}
				}
			}
			if below&left != 0 {
				continue
			}
			for c := class; c != 0; c &= c - 1 {
				m.Set(o.leaf[bits.TrailingZeros32(c)], next)
			}
			left &^= class
			next++
			break
		}
	}
}
