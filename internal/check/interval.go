package check

import (
	"go/types"
	"math"
)

// interval is a set of integers between two bounds. Its elements are mathematical integers. An unsigned
// number above the largest int64 cannot be a bound, so an interval that contains such numbers has no upper
// bound.
type interval struct{ lo, hi int64 }

// noLower and noUpper mean that there is no bound. In an interval of int64 numbers they are the exact bounds.
const (
	noLower = math.MinInt64
	noUpper = math.MaxInt64
)

func point(k int64) interval { return interval{k, k} }

func (i interval) empty() bool { return i.lo > i.hi }

func (i interval) constant() (int64, bool) {
	return i.lo, i.lo == i.hi && i.lo != noLower && i.hi != noUpper
}

func (i interval) hull(j interval) interval { return interval{min(i.lo, j.lo), max(i.hi, j.hi)} }
func (i interval) meet(j interval) interval { return interval{max(i.lo, j.lo), min(i.hi, j.hi)} }
func (i interval) isSubset(j interval) bool { return i.lo >= j.lo && i.hi <= j.hi }

// widen replaces bounds of i that j exceeds by the next threshold.
func (i interval) widen(j interval, thresholds []int64) interval {
	out := i
	if j.lo < i.lo {
		out.lo = noLower
		for k := len(thresholds) - 1; k >= 0; k-- {
			if thresholds[k] <= j.lo {
				out.lo = thresholds[k]
				break
			}
		}
	}
	if j.hi > i.hi {
		out.hi = noUpper
		for _, t := range thresholds {
			if t >= j.hi {
				out.hi = t
				break
			}
		}
	}
	return out
}

// integer describes an integer type.
type integer struct {
	bits   int
	signed bool
}

// integerOf returns the size and signedness of an integer type. The result ok is false if t is no integer
// type.
func integerOf(t types.Type, sizes types.Sizes) (integer, bool) {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return integer{}, false
	}
	if b.Info()&types.IsUntyped != 0 {
		return integer{64, true}, true
	}
	return integer{int(sizes.Sizeof(b)) * 8, b.Info()&types.IsUnsigned == 0}, true
}

// values returns the range of the type.
func (t integer) values() interval {
	switch {
	case t.signed:
		return interval{-1 << (t.bits - 1), 1<<(t.bits-1) - 1}
	case t.bits == 64:
		return interval{0, noUpper}
	}
	return interval{0, 1<<t.bits - 1}
}

// exact is the mathematical result of an operation: its bounds, as far as an int64 holds them, and
// whether they may lie below or above the range of an int64.
type exact struct {
	interval
	below, above bool
}

// fits reports whether every result is a value of the type.
func (e exact) fits(t integer) bool {
	v := t.values()
	if e.below || e.lo < v.lo {
		return false
	}
	if t.bits == 64 && !t.signed {
		return !e.above
	}
	return !e.above && e.hi <= v.hi
}

// addBound adds two bounds of the same side.
func addBound(a, b int64) (sum int64, below, above bool) {
	s := a + b
	switch {
	case a > 0 && b > 0 && s < 0:
		return noUpper, false, true
	case a < 0 && b < 0 && s >= 0:
		return noLower, true, false
	}
	return s, false, false
}

// sum returns x + y for values of type t.
func sum(x, y interval, t integer) exact {
	lo, below, over := addBound(x.lo, y.lo)
	hi, under, above := addBound(x.hi, y.hi)
	if t.bits == 64 && !t.signed {
		// The sum of two int64 numbers fits into a uint64; if one number has no bound, the sum has no bound
		// either.
		above = x.hi == noUpper && y.hi > 0 || y.hi == noUpper && x.hi > 0
		if above || hi < 0 {
			hi = noUpper
		}
		over = false
	}
	return exact{interval{lo, hi}, below || under, above || over}
}

// negated returns -x. If a bound has no negation in an int64, the nearest one is taken.
func negated(x interval) interval {
	neg := func(v int64) int64 {
		switch v {
		case noLower:
			return noUpper
		case noUpper:
			return noLower
		}
		return -v
	}
	return interval{neg(x.hi), neg(x.lo)}
}

// difference returns x - y for values of type t.
func difference(x, y interval, t integer) exact {
	if t.bits == 64 && !t.signed {
		// If the bounds leave the range of an int64, only the relation between x and y says something about
		// the difference; see arith.go.
		lo := x.lo - y.hi
		if y.hi == noUpper {
			lo = noLower
		}
		hi := x.hi - y.lo
		if x.hi == noUpper {
			hi = noUpper
		}
		return exact{interval{lo, hi}, lo < 0, false}
	}
	lo, below := subBound(x.lo, y.hi)
	hi, above := subBound(x.hi, y.lo)
	return exact{interval{lo, hi}, below, above}
}

// subBound returns a - b, and whether the difference lies outside of an int64.
func subBound(a, b int64) (d int64, out bool) {
	d = a - b
	switch {
	case a >= 0 && b < 0 && d < 0:
		return noUpper, true
	case a < 0 && b > 0 && d >= 0:
		return noLower, true
	}
	return d, false
}

// product returns x * y for values of type t.
func product(x, y interval, t integer) exact {
	e := exact{interval: interval{noUpper, noLower}}
	for _, a := range []int64{x.lo, x.hi} {
		for _, b := range []int64{y.lo, y.hi} {
			p, below, above := mulBound(a, b)
			e.lo, e.hi = min(e.lo, p), max(e.hi, p)
			e.below, e.above = e.below || below, e.above || above
		}
	}
	if t.bits == 64 && !t.signed && (x.hi == noUpper && y.hi > 1 || y.hi == noUpper && x.hi > 1) {
		e.above, e.hi = true, noUpper
	}
	return e
}

// square is x * x for values of type t. It is not negative, and so small only where x can be 0.
func square(x interval, t integer) exact {
	e := product(x, x, t)
	if x.lo <= 0 && x.hi >= 0 {
		e.lo = 0
	} else {
		low, _, _ := mulBound(x.lo, x.lo)
		high, _, _ := mulBound(x.hi, x.hi)
		e.lo = min(low, high)
	}
	e.below = false
	return e
}

func mulBound(a, b int64) (p int64, below, above bool) {
	if a == 0 || b == 0 {
		return 0, false, false
	}
	p = a * b
	if p/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64) {
		return p, false, false
	}
	if (a < 0) == (b < 0) {
		return noUpper, false, true
	}
	return noLower, true, false
}
