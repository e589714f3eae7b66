package check

import (
	"go/types"
	"maps"
	"slices"
)

// The numeric domain are pentagons (Logozzo, Fähndrich, SAC 2008): an interval for each number, and upper
// bounds by other numbers. Bounds have a weight here: x <= y + c, where the paper has x < y. Lengths and
// capacities are numbers, too. The set of bounds is not closed under transitivity. Instead, a query follows
// chains of a few bounds.

// symbol stands for a value: an SSA value, or the content of a memory location behind a point where
// branches meet.
type symbol int32

// number is an integer that the analysis follows: the value of a symbol, its length or its capacity.
type number int32

func (s symbol) value() number  { return number(s) * 3 }
func (s symbol) length() number { return number(s)*3 + 1 }
func (s symbol) size() number   { return number(s)*3 + 2 } // the capacity

func (n number) symbol() symbol { return symbol(n / 3) }

// bound is an upper bound x <= y + c. The state lists it under x.
type bound struct {
	y number
	c int64
}

// fact is a known property of a value that is no number.
type fact int8

const (
	nonNil fact = iota + 1
	isNil
	isTrue
	isFalse
)

// location is a place in memory; see memory.go.
type location int32

// content is the value in a location: sym and, if known, the equal SSA value alt.
type content struct {
	sym symbol
	alt symbol // 0 if no equal value is known
}

func (c content) symbol() symbol {
	if c.alt != 0 {
		return c.alt
	}
	return c.sym
}

// state is everything known at a program point. The nil state means that the point is unreachable.
type state struct {
	a      *analysis
	ranges map[number]interval
	upper  map[number][]bound // each list is ordered by y and never changed in place
	facts  map[symbol]fact
	exact  map[symbol]bool // the operation that computed the symbol did not overflow
	types  map[symbol]types.Type
	memory map[location]content
	same   map[symbol]symbol // values that equal another value, because both were loaded from one place
	bottom bool
}

func (a *analysis) newState() *state {
	return &state{a: a, ranges: map[number]interval{}, upper: map[number][]bound{}, facts: map[symbol]fact{}, exact: map[symbol]bool{},
		types: map[symbol]types.Type{}, memory: map[location]content{}, same: map[symbol]symbol{}}
}

func (s *state) clone() *state {
	c := *s
	c.ranges, c.upper, c.facts, c.exact = maps.Clone(s.ranges), maps.Clone(s.upper), maps.Clone(s.facts), maps.Clone(s.exact)
	c.types, c.memory, c.same = maps.Clone(s.types), maps.Clone(s.memory), maps.Clone(s.same)
	return &c
}

// root returns the symbol at the end of the chain in same.
func (s *state) root(x symbol) symbol {
	for {
		y, ok := s.same[x]
		if !ok {
			return x
		}
		x = y
	}
}

// interval returns the known interval of a number, including what its upper bounds by other numbers imply.
func (s *state) interval(x number) interval {
	i, ok := s.ranges[x]
	if !ok {
		i = s.a.typeRange(x)
	}
	for _, b := range s.upper[x] {
		r, ok := s.ranges[b.y]
		if !ok {
			r = s.a.typeRange(b.y)
		}
		if r.hi == noUpper && s.a.unbounded(b.y) {
			continue
		}
		if h, below, above := addBound(r.hi, b.c); !below && !above {
			i.hi = min(i.hi, h)
		}
	}
	return i
}

// restrict narrows a number's interval.
func (s *state) restrict(x number, i interval) {
	old := s.interval(x)
	n := old.meet(i)
	if n.empty() {
		s.bottom = true
		return
	}
	if n != s.a.typeRange(x) {
		s.ranges[x] = n
	}
	if n.lo > old.lo {
		s.raise(x, n.lo, maxSteps)
	}
}

// raise records that x is at least lo, and passes a lower bound on to the numbers that are known to be
// larger than x. Upper ends need not be passed on, because queries look at the bounds.
func (s *state) raise(x number, lo int64, steps int) {
	for _, b := range s.upper[x] {
		l, out := subBound(lo, b.c)
		if out || steps == 0 {
			continue
		}
		old := s.interval(b.y)
		if l <= old.lo {
			continue
		}
		if l > old.hi {
			s.bottom = true
			return
		}
		s.ranges[b.y] = interval{l, old.hi}
		s.raise(b.y, l, steps-1)
	}
}

// maxSteps is how many upper bounds a query follows in a row.
const maxSteps = 4

// maxBound is the largest weight of a bound that is recorded.
const maxBound = 1 << 40

// diff returns an upper bound of x - y, or noUpper if none is known.
func (s *state) diff(x, y number) int64 {
	if x == y {
		return 0
	}
	best := s.diffDirect(x, y)
	if d, ok := s.reach(x, maxSteps, nil)[y]; ok {
		best = min(best, d)
	}
	return s.diffBy(x, y, best)
}

// diffBy returns the better of an upper bound for x - y and the bound that the intervals of both imply.
func (s *state) diffBy(x, y number, best int64) int64 {
	ix, iy := s.interval(x), s.interval(y)
	if ix.hi != noUpper && iy.lo != noLower {
		if d, out := subBound(ix.hi, iy.lo); !out {
			best = min(best, d)
		}
	}
	return best
}

// reach returns the least weight of a chain from x to each number that a chain of at most the given number of
// upper bounds reaches. If through is not nil, it says which numbers chains may go through.
func (s *state) reach(x number, steps int, through func(number) bool) map[number]int64 {
	out := map[number]int64{}
	frontier := []bound{{x, 0}}
	for ; steps > 0 && len(frontier) > 0; steps-- {
		var next []bound
		for _, from := range frontier {
			if from.y != x && (through != nil && !through(from.y) || out[from.y] < from.c) {
				continue
			}
			for _, b := range s.upper[from.y] {
				s.a.work++
				c := from.c + b.c
				if b.y == x {
					continue
				}
				if old, ok := out[b.y]; !ok || c < old {
					out[b.y] = c
					next = append(next, bound{b.y, c})
				}
			}
		}
		frontier = next
	}
	return out
}

// addUpper records x <= y + c.
func (s *state) addUpper(x, y number, c int64) {
	if x == y {
		if c < 0 {
			s.bottom = true
		}
		return
	}
	if c > maxBound || c < -maxBound {
		return
	}
	if s.diffDirect(x, y) <= c {
		return
	}
	if s.diff(y, x) < -c { // the difference may be so large that a sum with it overflows
		s.bottom = true
		return
	}
	s.upper[x] = insertBound(s.upper[x], bound{y, c})
	ix, iy := s.interval(x), s.interval(y)
	if iy.hi != noUpper || !s.a.unbounded(y) {
		if h, below, above := addBound(iy.hi, c); !below && !above && h < ix.hi {
			s.restrict(x, interval{noLower, h})
		}
	}
	if ix.lo != noLower {
		if l, out := subBound(ix.lo, c); !out && l > iy.lo {
			s.restrict(y, interval{l, noUpper})
		}
	}
}

func (s *state) diffDirect(x, y number) int64 {
	for _, b := range s.upper[x] {
		if b.y == y {
			return b.c
		}
	}
	return noUpper
}

func insertBound(list []bound, b bound) []bound {
	i, found := slices.BinarySearchFunc(list, b.y, func(e bound, y number) int { return int(e.y) - int(y) })
	out := make([]bound, 0, len(list)+1)
	out = append(out, list[:i]...)
	out = append(out, b)
	if found {
		i++
	}
	return append(out, list[i:]...)
}

// equate records x == y + c.
func (s *state) equate(x, y number, c int64) {
	s.addUpper(x, y, c)
	s.addUpper(y, x, -c)
}

// setFact records a fact. A fact that contradicts a known one makes the point unreachable.
func (s *state) setFact(x symbol, f fact) {
	x = s.root(x)
	if old, ok := s.facts[x]; ok && old != f {
		s.bottom = true
		return
	}
	s.facts[x] = f
}

func (s *state) fact(x symbol) fact { return s.facts[s.root(x)] }

// join returns the facts and bounds that hold in both states.
func (s *state) join(o *state) *state {
	if s == nil || s.bottom {
		return o
	}
	if o == nil || o.bottom {
		return s
	}
	out := s.a.newState()
	for x, i := range s.ranges {
		if j := o.interval(x); j != s.a.typeRange(x) {
			if h := i.hull(j); h != s.a.typeRange(x) {
				out.ranges[x] = h
			}
		}
	}
	for x := range o.ranges {
		if _, ok := s.ranges[x]; !ok {
			if h := s.interval(x).hull(o.interval(x)); h != s.a.typeRange(x) {
				out.ranges[x] = h
			}
		}
	}
	s.joinUpper(o, out, false)
	o.joinUpper(s, out, true)
	for x, f := range s.facts {
		if o.fact(x) == f {
			out.facts[x] = f
		}
	}
	for x, f := range o.facts {
		if _, ok := out.facts[x]; !ok && s.fact(x) == f {
			out.facts[x] = f
		}
	}
	for x := range s.exact {
		if o.exact[x] {
			out.exact[x] = true
		}
	}
	for x, t := range s.types {
		if u, ok := o.types[x]; ok && types.Identical(t, u) {
			out.types[x] = t
		}
	}
	for l, c := range s.memory {
		d, ok := o.memory[l]
		if !ok {
			continue
		}
		switch {
		case c == d:
			out.memory[l] = c
		case c.sym == d.sym:
			out.memory[l] = content{sym: c.sym}
		}
	}
	for x, y := range s.same {
		if o.same[x] == y {
			out.same[x] = y
		}
	}
	return out
}

// joinUpper adds to out the upper bounds of s that hold in o too, with the larger weight of the two. If
// half is set, the bounds of o were added before and are skipped.
func (s *state) joinUpper(o, out *state, half bool) {
	for x, list := range s.upper {
		var there map[number]int64
		for _, b := range list {
			direct := o.diffDirect(x, b.y)
			if half && direct != noUpper {
				continue
			}
			if there == nil {
				there = o.reach(x, maxSteps, nil)
			}
			if r, ok := there[b.y]; ok {
				direct = min(direct, r)
			}
			d := o.diffBy(x, b.y, direct)
			if d == noUpper {
				continue
			}
			if c := max(b.c, d); c <= maxBound {
				out.upper[x] = insertBound(out.upper[x], bound{b.y, c})
			}
		}
	}
}

// widen returns a state that is weaker than both. It keeps bounds that did not change from s to o, and moves
// the other bounds to the next threshold.
func (s *state) widen(o *state, thresholds []int64) *state {
	if s == nil || s.bottom {
		return o
	}
	if o == nil || o.bottom {
		return s
	}
	out := s.join(o)
	for x, i := range out.ranges {
		old, ok := s.ranges[x]
		if !ok {
			old = s.interval(x)
		}
		w := old.widen(i, thresholds).meet(s.a.typeRange(x))
		if w == s.a.typeRange(x) {
			delete(out.ranges, x)
		} else {
			out.ranges[x] = w
		}
	}
	for x, list := range out.upper {
		kept := list[:0:0]
		for _, b := range list {
			if old := s.diffDirect(x, b.y); old == noUpper || b.c > old {
				// The weight changed, so it moves to the next of the weights that programs use.
				switch {
				case old == noUpper || b.c > 1:
					continue
				case b.c <= -1:
					b.c = -1
				case b.c <= 0:
					b.c = 0
				default:
					b.c = 1
				}
			}
			kept = append(kept, b)
		}
		if len(kept) == 0 {
			delete(out.upper, x)
		} else {
			out.upper[x] = kept
		}
	}
	return out
}

// equal reports whether two states have the same facts and bounds.
func (s *state) equal(o *state) bool {
	if s == nil || o == nil || s.bottom || o.bottom {
		return (s == nil || s.bottom) == (o == nil || o.bottom)
	}
	return maps.Equal(s.ranges, o.ranges) && maps.Equal(s.facts, o.facts) && maps.Equal(s.exact, o.exact) &&
		maps.Equal(s.memory, o.memory) && maps.Equal(s.same, o.same) && len(s.types) == len(o.types) &&
		maps.EqualFunc(s.upper, o.upper, func(a, b []bound) bool { return slices.Equal(a, b) })
}
