package solver

import (
	"encoding/binary"
	"slices"
	"sort"

	"github.com/goassay/assay/internal/term"
)

// rangeSet is the number of a set of unsigned values: sorted ranges that do not touch. Each set has one
// number, so that a path holds a number, and results of operations can be looked up.
type rangeSet uint32

type span struct{ lo, hi uint64 } // both bounds are included

// maxSpans bounds the size of the sets that are represented. A condition that needs more ranges is left to
// the other layers.
const maxSpans = 64

type rangeSets struct {
	sets  [][]span
	index map[string]rangeSet
	memo  map[[2]rangeSet]rangeSet
	fulls [65]rangeSet
	key   []byte
	// ofTerm has the set that a condition allows its leaf, plus one. The value 1 means that the set cannot be
	// represented.
	ofTerm []uint32
}

const (
	noRanges    rangeSet = 0 // not representable
	emptyRanges rangeSet = 1
)

func newRangeSets() *rangeSets {
	r := &rangeSets{sets: [][]span{nil, {}}, index: map[string]rangeSet{"": emptyRanges}, memo: map[[2]rangeSet]rangeSet{}}
	for w := 1; w <= 64; w++ {
		r.fulls[w] = r.intern([]span{{0, term.Mask(w)}})
	}
	return r
}

func (r *rangeSets) full(w int) rangeSet { return r.fulls[w] }

// intern returns the number of a set, given as ranges in order that do not overlap. Ranges that touch are
// joined, because otherwise one set would have two numbers, and would pass for two sets.
func (r *rangeSets) intern(s []span) rangeSet {
	if touching(s) {
		s = joinTouching(slices.Clone(s))
	}
	r.key = r.key[:0]
	for _, p := range s {
		r.key = binary.LittleEndian.AppendUint64(r.key, p.lo)
		r.key = binary.LittleEndian.AppendUint64(r.key, p.hi)
	}
	if i, ok := r.index[string(r.key)]; ok {
		return i
	}
	i := rangeSet(len(r.sets))
	r.sets = append(r.sets, append([]span(nil), s...))
	r.index[string(r.key)] = i
	return i
}

func touching(s []span) bool {
	for i := 1; i < len(s); i++ {
		if s[i-1].hi+1 == s[i].lo {
			return true
		}
	}
	return false
}

// joinTouching joins ranges that touch into one, in place.
func joinTouching(s []span) []span {
	out := s[:0]
	for _, p := range s {
		if n := len(out); n > 0 && out[n-1].hi+1 == p.lo {
			out[n-1].hi = p.hi
		} else {
			out = append(out, p)
		}
	}
	return out
}

func (r *rangeSets) intersect(a, b rangeSet) rangeSet {
	if a == b {
		return a
	}
	if a > b {
		a, b = b, a
	}
	if c, ok := r.memo[[2]rangeSet{a, b}]; ok {
		return c
	}
	var out []span
	x, y := r.sets[a], r.sets[b]
	for len(x) > 0 && len(y) > 0 {
		lo, hi := max(x[0].lo, y[0].lo), min(x[0].hi, y[0].hi)
		if lo <= hi {
			out = append(out, span{lo, hi})
		}
		if x[0].hi < y[0].hi {
			x = x[1:]
		} else {
			y = y[1:]
		}
	}
	c := r.intern(out)
	if len(r.memo) > 1<<16 {
		clear(r.memo)
	}
	r.memo[[2]rangeSet{a, b}] = c
	return c
}

// complement returns the values up to mask that are not in a.
func (r *rangeSets) complement(a rangeSet, mask uint64) rangeSet {
	var out []span
	next := uint64(0)
	for _, p := range r.sets[a] {
		if p.lo > next {
			out = append(out, span{next, p.lo - 1})
		}
		if p.hi == mask {
			return r.intern(out)
		}
		next = p.hi + 1
	}
	return r.intern(append(out, span{next, mask}))
}

// union returns the union of two sets by De Morgan's law. It is rarely needed.
func (r *rangeSets) union(a, b rangeSet, mask uint64) rangeSet {
	return r.complement(r.intersect(r.complement(a, mask), r.complement(b, mask)), mask)
}

func (r *rangeSets) has(a rangeSet, v uint64) bool {
	s := r.sets[a]
	i := sort.Search(len(s), func(i int) bool { return s[i].hi >= v })
	return i < len(s) && s[i].lo <= v
}

func (r *rangeSets) bounds(a rangeSet) (lo, hi uint64) {
	s := r.sets[a]
	return s[0].lo, s[len(s)-1].hi
}

// nearest returns the member that is nearest to zero as a signed number. Of two such members it returns the
// positive one.
func (r *rangeSets) nearest(a rangeSet, w int) uint64 {
	s := r.sets[a]
	if len(s) == 0 {
		panic("bug: a range set is empty")
	}
	lo, hi := s[0].lo, s[len(s)-1].hi
	if lo <= -hi&term.Mask(w) {
		return lo
	}
	return hi
}

// ofCondition returns the values of the only leaf of c, which has more than 8 bits, for which the condition c
// holds. It returns noRanges if the condition has too irregular a form.
func (x *Context) ofCondition(c term.ID) rangeSet {
	r := x.ranges
	if int(c) >= len(r.ofTerm) {
		r.ofTerm = append(r.ofTerm, make([]uint32, x.st.Len()-len(r.ofTerm))...)
	}
	if v := r.ofTerm[c]; v != 0 {
		return rangeSet(v - 1)
	}
	s := x.rangesWhere(c, 8)
	r.ofTerm[c] = uint32(s) + 1
	return s
}

// rangesWhere computes the result of ofCondition.
func (x *Context) rangesWhere(c term.ID, depth int) rangeSet {
	st, r := x.st, x.ranges
	if depth == 0 {
		return noRanges
	}
	leafOf := st.Support(c)
	if len(leafOf) != 1 {
		return noRanges
	}
	mask := term.Mask(st.Width(leafOf[0]))
	switch st.Op(c) {
	case term.OpNot:
		s := x.rangesWhere(st.Arg(c, 0), depth-1)
		if s == noRanges {
			return noRanges
		}
		return r.complement(s, mask)
	case term.OpAnd:
		s, t := x.rangesWhere(st.Arg(c, 0), depth-1), x.rangesWhere(st.Arg(c, 1), depth-1)
		if s == noRanges || t == noRanges {
			return noRanges
		}
		return r.small(r.intersect(s, t))
	case term.OpEq, term.OpUlt, term.OpSlt:
		k, ok := st.IsConst(st.Arg(c, 1))
		if !ok {
			return noRanges
		}
		w := st.Width(st.Arg(c, 1))
		half := uint64(1) << (w - 1)
		var s []span
		switch st.Op(c) {
		case term.OpEq:
			s = []span{{k, k}}
		case term.OpUlt: // k > 0
			s = []span{{0, k - 1}}
		default:
			switch {
			case k == 0:
				s = []span{{half, term.Mask(w)}}
			case k < half:
				s = []span{{0, k - 1}, {half, term.Mask(w)}}
			default: // negative, and not the least number
				s = []span{{half, k - 1}}
			}
		}
		return x.preimage(st.Arg(c, 0), s, depth-1)
	}
	return noRanges
}

func (r *rangeSets) small(s rangeSet) rangeSet {
	if len(r.sets[s]) > maxSpans {
		return noRanges
	}
	return s
}

// preimage returns the values of t's leaf for which t lies in s. The width of t is that of the spans.
func (x *Context) preimage(t term.ID, s []span, depth int) rangeSet {
	st, r := x.st, x.ranges
	if depth == 0 {
		return noRanges
	}
	w := st.Width(t)
	mask := term.Mask(w)
	switch op := st.Op(t); op {
	case term.OpVar, term.OpElem:
		return r.intern(s)
	case term.OpAdd:
		k, ok := st.IsConst(st.Arg(t, 1))
		if !ok {
			return noRanges
		}
		return x.preimage(st.Arg(t, 0), shiftSpans(s, -k, mask), depth-1)
	case term.OpNot, term.OpNeg:
		var out []span
		for i := len(s) - 1; i >= 0; i-- {
			out = append(out, span{mask - s[i].hi, mask - s[i].lo})
		}
		if op == term.OpNeg {
			out = shiftSpans(out, 1, mask)
		}
		return x.preimage(st.Arg(t, 0), out, depth-1)
	case term.OpZExt:
		a := st.Arg(t, 0)
		top := term.Mask(st.Width(a))
		var out []span
		for _, p := range s {
			if p.lo <= top {
				out = append(out, span{p.lo, min(p.hi, top)})
			}
		}
		return x.preimage(a, out, depth-1)
	case term.OpSExt:
		a := st.Arg(t, 0)
		wa := st.Width(a)
		half := uint64(1) << (wa - 1)
		low, high := []span{{0, half - 1}}, []span{{mask - half + 1, mask}}
		in := r.sets[r.intersect(r.intern(s), r.union(r.intern(low), r.intern(high), mask))]
		var out []span
		for _, p := range in {
			lo, hi := p.lo&term.Mask(wa), p.hi&term.Mask(wa)
			if p.lo < half && p.hi >= half { // only the whole set can touch both halves
				return noRanges
			}
			out = append(out, span{lo, hi})
		}
		return x.preimage(a, out, depth-1)
	case term.OpUDiv:
		k, ok := st.IsConst(st.Arg(t, 1))
		if !ok || k == 0 {
			return noRanges
		}
		var out []span
		for _, p := range s {
			if p.lo > mask/k {
				continue
			}
			hi := mask
			if p.hi < mask/k {
				hi = p.hi*k + k - 1
			}
			out = append(out, span{p.lo * k, hi})
		}
		return x.preimage(st.Arg(t, 0), out, depth-1)
	case term.OpExtract:
		hi, lo := st.Bounds(t)
		a := st.Arg(t, 0)
		if hi != st.Width(a)-1 {
			return noRanges
		}
		var out []span // t is the high bits of a, so a range of t is a range of a
		for _, p := range s {
			out = append(out, span{p.lo << lo, p.hi<<lo | term.Mask(lo)})
		}
		return x.preimage(a, out, depth-1)
	}
	return noRanges
}

// shiftSpans adds k to all values modulo mask+1.
func shiftSpans(s []span, k, mask uint64) []span {
	var all []span
	for _, p := range s {
		lo, hi := (p.lo+k)&mask, (p.hi+k)&mask
		if lo <= hi {
			all = append(all, span{lo, hi})
		} else { // the range has wrapped around
			all = append(all, span{lo, mask}, span{0, hi})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].lo < all[j].lo })
	return joinTouching(all)
}
