package lazy

import "math/bits"

// variable is a slot with the values that it may still have.
type variable struct {
	dom   *domain
	mask  uint64
	elems int32 // for the length of a slice, how many slots an element has; otherwise -1
}

// relation is a comparison.
type relation int32

const (
	eq relation = iota
	ne
	lt
	le
	gt
	ge
)

func (r relation) holds(a, b int64) bool {
	switch r {
	case eq:
		return a == b
	case ne:
		return a != b
	case lt:
		return a < b
	case le:
		return a <= b
	case gt:
		return a > b
	}
	return a >= b
}

// not returns the relation that holds where r does not.
func (r relation) not() relation { return [...]relation{ne, eq, ge, gt, le, lt}[r] }

// swap returns the relation with its operands swapped.
func (r relation) swap() relation { return [...]relation{eq, ne, gt, ge, lt, le}[r] }

// constraint says that a relation holds between two variables.
type constraint struct {
	x, y int32
	r    relation
}

// undo is an entry of the trail.
type undo struct {
	kind uint8
	at   int64
	old  uint64
	s    int32
}

const (
	undoCell = iota
	undoMask
	undoTop
)

// choice is a point where executions diverge: the machine's state there, and the remaining alternatives.
type choice struct {
	alts     []alternative
	next     int
	stack    int // where the stack begins in saved
	depth    int // how many frames there were
	pc       int32
	mem      int
	trail    int
	links    int
	barrier  int64
	maxSaved int
}

// alternative narrows a variable, or adds a constraint.
type alternative struct {
	slot int32
	mask uint64
	c    constraint
	link bool
}

// single returns the number of the only value of a variable, or -1.
func (v *variable) single() int {
	if v.mask&(v.mask-1) != 0 {
		return -1
	}
	return bits.TrailingZeros64(v.mask)
}

// narrow removes values from a variable. If an object thereby is the variable's value, this object is no
// longer like the others.
func (m *machine) narrow(slot int32, mask uint64) {
	v := &m.vars[slot]
	if v.mask == mask {
		return
	}
	m.trail = append(m.trail, undo{undoMask, int64(slot), v.mask, 0})
	v.mask = mask
	m.settle(slot)
}

// settle notes the object that has become a variable's only value.
func (m *machine) settle(slot int32) {
	v := &m.vars[slot]
	i := v.single()
	if i < 0 || v.dom.class[i] < 0 || v.dom.labelled {
		return
	}
	if c, x := v.dom.class[i], v.dom.index[i]; x > m.top[c] {
		m.trail = append(m.trail, undo{undoTop, int64(c), uint64(uint32(m.top[c])), 0})
		m.top[c] = x
	}
}

// allowed returns the values that have to be tried for a variable. Of several objects that are alike it
// returns only the first.
func (m *machine) allowed(v *variable) uint64 {
	if v.dom.objects == 0 || v.dom.labelled {
		return v.mask
	}
	out := v.mask
	for rest := v.mask & v.dom.objects; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		if v.dom.index[i] > m.top[v.dom.class[i]]+1 {
			out &^= 1 << i
		}
	}
	return out
}

// indistinguishable returns the values of a mask that no test can tell from value i, apart from i itself.
// These are the objects that no field holds yet.
func (m *machine) indistinguishable(v *variable, i int) uint64 {
	d := v.dom
	if d.class[i] < 0 || d.labelled || d.index[i] <= m.top[d.class[i]] {
		return 1 << i
	}
	out := uint64(1) << i
	for rest := v.mask & d.objects; rest != 0; rest &= rest - 1 {
		if j := bits.TrailingZeros64(rest); d.class[j] == d.class[i] && d.index[j] > m.top[d.class[i]] {
			out |= 1 << j
		}
	}
	return out
}

// concrete returns the value of a cell. If the value is undecided, ok is false, and m.alts has the
// alternatives.
func (m *machine) concrete(x val) (int64, bool) {
	slot := x.s&^part - 1
	v := &m.vars[slot]
	i := v.single()
	if i < 0 {
		a := m.allowed(v)
		if a&(a-1) != 0 {
			m.alts = m.alts[:0]
			for ; a != 0; a &= a - 1 {
				m.alts = append(m.alts, alternative{slot: slot, mask: a & -a})
			}
			return 0, false
		}
		m.narrowLinked(slot, a)
		if m.dead {
			m.alts = m.alts[:0]
			return 0, false
		}
		i = bits.TrailingZeros64(a)
	} else {
		m.settle(slot)
	}
	if x.s&part != 0 {
		return v.dom.vals[i][1], true
	}
	return v.dom.vals[i][0], true
}

// narrowLinked does the same as narrow, and propagates the constraints.
func (m *machine) narrowLinked(slot int32, mask uint64) {
	m.narrow(slot, mask)
	if len(m.links) > 0 && !m.propagate() {
		m.dead = true
	}
}

// split groups the values of a variable by the outcome of a test. If there is only one outcome, it is
// returned with ok. Otherwise m.alts has the groups.
func (m *machine) split(x val, outcome func(cell int64) int64) (int64, bool) {
	slot := x.s&^part - 1
	v := &m.vars[slot]
	p := 0
	if x.s&part != 0 {
		p = 1
	}
	m.outs = m.outs[:0]
	m.alts = m.alts[:0]
	for rest := v.mask; rest != 0; {
		i := bits.TrailingZeros64(rest)
		same := m.indistinguishable(v, i) & rest
		rest &^= same
		o := outcome(v.dom.vals[i][p])
		found := false
		for j := range m.outs {
			if m.outs[j] == o {
				m.alts[j].mask |= same
				found = true
			}
		}
		if !found {
			m.outs = append(m.outs, o)
			m.alts = append(m.alts, alternative{slot: slot, mask: same})
		}
	}
	if len(m.outs) == 1 {
		return m.outs[0], true
	}
	return 0, false
}

// compare compares two cells. If the outcome is undecided, ok is false, and m.alts has the alternatives.
func (m *machine) compare(r relation, x, y val) (holds, ok bool) {
	if x.s != 0 {
		if b, one := m.decided(x); one {
			x = val{b: b}
		}
	}
	if y.s != 0 {
		if b, one := m.decided(y); one {
			y = val{b: b}
		}
	}
	switch {
	case x.s == 0 && y.s == 0:
		return r.holds(x.b, y.b), true
	case x.s == y.s:
		return r == eq || r == le || r == ge, true
	case x.s != 0 && y.s != 0:
		return m.compareVariables(r, x, y)
	case x.s == 0:
		x, y, r = y, x, r.swap()
	}
	o, ok := m.split(x, func(cell int64) int64 {
		if r.holds(cell, y.b) {
			return 1
		}
		return 0
	})
	return o == 1, ok
}

// decided returns the value of a cell whose variable has one value left.
func (m *machine) decided(x val) (int64, bool) {
	v := &m.vars[x.s&^part-1]
	i := v.single()
	if i < 0 {
		return 0, false
	}
	m.settle(x.s&^part - 1)
	if x.s&part != 0 {
		return v.dom.vals[i][1], true
	}
	return v.dom.vals[i][0], true
}

// compareVariables compares two undecided variables. For numbers it adds a constraint; otherwise it decides
// one of the variables.
func (m *machine) compareVariables(r relation, x, y val) (holds, ok bool) {
	sx, sy := x.s&^part-1, y.s&^part-1
	vx, vy := &m.vars[sx], &m.vars[sy]
	if vx.mask&^vx.dom.ints != 0 || vy.mask&^vy.dom.ints != 0 {
		_, ok := m.concrete(x)
		if ok {
			return m.compare(r, x, y) // a variable had one value left
		}
		return false, false
	}
	for i := len(m.links) - 1; i >= 0; i-- {
		c := &m.links[i]
		k := c.r
		switch {
		case c.x == sx && c.y == sy:
		case c.x == sy && c.y == sx:
			k = k.swap()
		default:
			continue
		}
		if o, known := k.implies(r); known {
			return o, true
		}
	}
	lox, hix := vx.leastAndGreatest()
	loy, hiy := vy.leastAndGreatest()
	switch {
	case hix < loy:
		return r == lt || r == le || r == ne, true
	case lox > hiy:
		return r == gt || r == ge || r == ne, true
	case r == le && hix <= loy, r == ge && lox >= hiy:
		return true, true
	case r == lt && lox >= hiy, r == gt && hix <= loy:
		return false, true
	}
	m.alts = append(m.alts[:0],
		alternative{c: constraint{sx, sy, r}, link: true},
		alternative{c: constraint{sx, sy, r.not()}, link: true})
	return false, false
}

// implies returns whether s holds where r holds, if this follows.
func (r relation) implies(s relation) (holds, known bool) {
	if r == s {
		return true, true
	}
	if r.not() == s {
		return false, true
	}
	switch r {
	case lt:
		return s == le || s == ne, true
	case gt:
		return s == ge || s == ne, true
	case eq:
		return s == le || s == ge, true
	}
	return false, false
}

// leastAndGreatest returns the least and the greatest number that a variable may have.
func (v *variable) leastAndGreatest() (lo, hi int64) {
	p := v.numberPart()
	return v.dom.vals[bits.TrailingZeros64(v.mask)][p], v.dom.vals[63-bits.LeadingZeros64(v.mask)][p]
}

// numberPart says which cell has the variable's number. In an interface the number follows the type.
func (v *variable) numberPart() int {
	if v.dom.boxed {
		return 1
	}
	return 0
}

// propagate narrows variables by the constraints. It returns false if a variable has no value left.
func (m *machine) propagate() bool {
	for again := true; again; {
		again = false
		for i := range m.links {
			c := &m.links[i]
			x, y := &m.vars[c.x], &m.vars[c.y]
			if x.mask == 0 || y.mask == 0 {
				return false
			}
			mx, my := x.mask, y.mask
			lox, hix := x.leastAndGreatest()
			loy, hiy := y.leastAndGreatest()
			switch c.r {
			case lt:
				mx, my = x.below(mx, hiy-1), y.above(my, lox+1)
			case le:
				mx, my = x.below(mx, hiy), y.above(my, lox)
			case gt:
				mx, my = x.above(mx, loy+1), y.below(my, hix-1)
			case ge:
				mx, my = x.above(mx, loy), y.below(my, hix)
			case eq:
				mx, my = x.above(x.below(mx, hiy), loy), y.above(y.below(my, hix), lox)
			case ne:
				if loy == hiy {
					mx = x.without(mx, loy)
				}
				if lox == hix {
					my = y.without(my, lox)
				}
			}
			if mx == 0 || my == 0 {
				return false
			}
			if mx != x.mask {
				m.narrow(c.x, mx)
				again = true
			}
			if my != y.mask {
				m.narrow(c.y, my)
				again = true
			}
		}
	}
	return true
}

// below returns the values of a mask that are at most n. Likewise above returns those that are at least n,
// and without all but n.
func (v *variable) below(mask uint64, n int64) uint64 {
	p := v.numberPart()
	for mask != 0 {
		i := 63 - bits.LeadingZeros64(mask)
		if v.dom.vals[i][p] <= n {
			break
		}
		mask &^= 1 << i
	}
	return mask
}

func (v *variable) above(mask uint64, n int64) uint64 {
	p := v.numberPart()
	for mask != 0 {
		i := bits.TrailingZeros64(mask)
		if v.dom.vals[i][p] >= n {
			break
		}
		mask &^= 1 << i
	}
	return mask
}

func (v *variable) without(mask uint64, n int64) uint64 {
	p := v.numberPart()
	for rest := mask; rest != 0; rest &= rest - 1 {
		if i := bits.TrailingZeros64(rest); v.dom.vals[i][p] == n {
			return mask &^ (1 << i)
		}
	}
	return mask
}
