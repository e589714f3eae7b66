package solver

import (
	"math/bits"

	"github.com/goassay/assay/internal/term"
)

// This file keeps what the conjuncts on a single leaf say about the leaf. For a leaf of at most 8 bits it
// keeps the set of values. For a wider leaf, up to 64 bits, it keeps a set of ranges, numbered by ranges.go.
// Slots lie in pages that forks share until one of them writes.

const pageLen = 8

type page struct {
	refs  int32
	flags [pageLen]uint8
	set   [pageLen]term.Truth // for a wide leaf, word 0 is the number of its range set
}

// The facts that a slot holds about its leaf.
const (
	bounded uint8 = 1 << iota // the set does not contain all values
	shared                    // the leaf is in a conjunct that neither sets nor orders describe
	ordered                   // the leaf is in the order
)

// flagsOf returns the facts about the leaf. An element of an array that is read at symbolic indexes is
// never independent of others.
func (p *PathCond) flagsOf(leaf term.ID) uint8 {
	st := p.x.st
	if st.Op(leaf) == term.OpElem && st.Symbolic(st.ArrayOf(leaf)) {
		return p.slotFlags(leaf) | shared
	}
	return p.slotFlags(leaf)
}

func (p *PathCond) slotFlags(leaf term.ID) uint8 {
	n := p.x.st.LeafNum(leaf)
	if i := n / pageLen; i < len(p.pages) && p.pages[i] != nil {
		return p.pages[i].flags[n%pageLen]
	}
	return 0
}

// slot returns the leaf's slot, or nil if it has none.
func (p *PathCond) slot(leaf term.ID) (set *term.Truth, flags uint8) {
	n := p.x.st.LeafNum(leaf)
	if i := n / pageLen; i < len(p.pages) && p.pages[i] != nil {
		return &p.pages[i].set[n%pageLen], p.pages[i].flags[n%pageLen]
	}
	return nil, 0
}

// writable returns the page of a leaf for writing by this path alone, and the leaf's place in the page.
func (p *PathCond) writable(leaf term.ID) (*page, int) {
	n := p.x.st.LeafNum(leaf)
	i := n / pageLen
	for len(p.pages) <= i {
		p.pages = append(p.pages, nil)
	}
	g := p.pages[i]
	if g == nil || g.refs > 1 {
		fresh := p.x.newPage()
		if g != nil {
			*fresh = *g
			g.refs--
		}
		fresh.refs = 1
		p.pages[i] = fresh
		g = fresh
	}
	return g, n % pageLen
}

func (p *PathCond) setFlag(leaf term.ID, f uint8) {
	if p.slotFlags(leaf)&f == 0 {
		g, i := p.writable(leaf)
		g.flags[i] |= f
	}
}

func (x *Context) newPage() *page {
	if n := len(x.freePages); n > 0 {
		g := x.freePages[n-1]
		x.freePages = x.freePages[:n-1]
		return g
	}
	return new(page)
}

func (x *Context) dropPage(g *page) {
	if g.refs--; g.refs == 0 {
		*g = page{}
		x.freePages = append(x.freePages, g)
	}
}

// fullByte is the set of all values of w bits, w at most 8.
func fullByte(w int) (t term.Truth) {
	n := 1 << w
	for i := range t {
		if n >= 64*(i+1) {
			t[i] = ^uint64(0)
		} else if n > 64*i {
			t[i] = 1<<(n-64*i) - 1
		}
	}
	return t
}

// domainSides intersects the set of a leaf with a condition on that leaf, and with the negation of the
// condition.
func (p *PathCond) domainSides(leaf term.ID, tt *term.Truth) (on, off bool, flags uint8) {
	set, flags := p.slot(leaf)
	if flags&bounded == 0 {
		full := fullByte(p.x.st.Width(leaf))
		set = &full
	}
	on = set[0]&tt[0]|set[1]&tt[1]|set[2]&tt[2]|set[3]&tt[3] != 0
	off = set[0]&^tt[0]|set[1]&^tt[1]|set[2]&^tt[2]|set[3]&^tt[3] != 0
	return on, off, flags
}

// narrowByte intersects the set of a byte.
func (p *PathCond) narrowByte(leaf term.ID, tt *term.Truth) {
	g, i := p.writable(leaf)
	if g.flags[i]&bounded == 0 {
		g.set[i] = fullByte(p.x.st.Width(leaf))
		g.flags[i] |= bounded
	}
	s := &g.set[i]
	for k := range s {
		s[k] &= tt[k]
	}
	if *s == (term.Truth{}) { // possible only after an Unknown was assumed
		p.dead = true
	}
}

// rangesOf returns the number of the range set of a wide leaf.
func (p *PathCond) rangesOf(leaf term.ID) rangeSet {
	set, flags := p.slot(leaf)
	if flags&bounded == 0 {
		return p.x.ranges.full(p.x.st.Width(leaf))
	}
	return rangeSet(set[0])
}

func (p *PathCond) narrowRanges(leaf term.ID, r rangeSet) {
	g, i := p.writable(leaf)
	old := p.x.ranges.full(p.x.st.Width(leaf))
	if g.flags[i]&bounded != 0 {
		old = rangeSet(g.set[i][0])
	}
	g.flags[i] |= bounded
	g.set[i][0] = uint64(p.x.ranges.intersect(old, r))
	if rangeSet(g.set[i][0]) == emptyRanges {
		p.dead = true
	}
}

// allowed reports whether v is in the set of the leaf.
func (p *PathCond) allowed(leaf term.ID, v uint64) bool {
	set, flags := p.slot(leaf)
	if flags&bounded == 0 {
		return true
	}
	if p.x.st.Width(leaf) <= 8 {
		return set[v/64]>>(v%64)&1 != 0
	}
	return p.x.ranges.has(rangeSet(set[0]), v)
}

// choose returns a pleasant value of the leaf's set. For a byte it is zero or a printable character if there
// is one; for a number it is the value nearest to zero.
func (p *PathCond) choose(leaf term.ID) uint64 {
	set, flags := p.slot(leaf)
	if flags&bounded == 0 {
		return 0
	}
	w := p.x.st.Width(leaf)
	if w > 8 {
		return p.x.ranges.nearest(rangeSet(set[0]), w)
	}
	if set[0]&1 != 0 {
		return 0
	}
	// 'a' to 'z', '0' to '9', ' ' to '~', anything.
	for _, r := range [...][2]int{{'a', 'z'}, {'0', '9'}, {' ', '~'}, {0, 255}} {
		for i := r[0] / 64; i <= r[1]/64; i++ {
			m := set[i]
			if i == r[0]/64 {
				m &= ^uint64(0) << (r[0] % 64)
			}
			if i == r[1]/64 {
				m &= ^uint64(0) >> (63 - r[1]%64)
			}
			if m != 0 {
				return uint64(64*i + bits.TrailingZeros64(m))
			}
		}
	}
	panic("bug: a value set is empty")
}

// bounds returns the least and greatest unsigned value of a leaf of at most 64 bits.
func (p *PathCond) bounds(leaf term.ID) (lo, hi uint64) {
	w := p.x.st.Width(leaf)
	set, flags := p.slot(leaf)
	if flags&bounded == 0 {
		return 0, term.Mask(w)
	}
	if w > 8 {
		return p.x.ranges.bounds(rangeSet(set[0]))
	}
	lo, hi = 0, 255
	for i := range set {
		if set[i] != 0 {
			lo = uint64(64*i + bits.TrailingZeros64(set[i]))
			break
		}
	}
	for i := 3; i >= 0; i-- {
		if set[i] != 0 {
			hi = uint64(64*i + bits.Len64(set[i]) - 1)
			break
		}
	}
	return lo, hi
}
