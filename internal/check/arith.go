package check

import (
	"go/token"
	"go/types"
	"math/bits"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/vm"
)

// binary computes an operation on two operands.
func (a *analysis) binary(s *state, v *ssa.BinOp) {
	t, ok := integerOf(v.X.Type(), a.p.Sizes)
	if !ok {
		return
	}
	x, okX := a.operand(v.X)
	y, okY := a.operand(v.Y)
	switch v.Op {
	case token.QUO, token.REM:
		if !okY {
			return // one operand is a large constant
		}
		// The compiler refuses a constant divisor of zero in the source, but not a variable that is always zero, which
		// is a constant here. The same holds for shifts below.
		if !y.is || y.k == 0 {
			a.check(s, v, Division, func(s *state) bool { i := s.intervalOf(y); return i.lo > 0 || i.hi < 0 || a.isNonZero(s, v.Y) }, func(s *state) { a.excludeZero(s, y) })
		}
	case token.SHL, token.SHR:
		if k, ok := integerOf(v.Y.Type(), a.p.Sizes); ok && okY && (!y.is || y.k < 0) && k.signed {
			a.check(s, v, NegativeShift, func(s *state) bool { return s.intervalOf(y).lo >= 0 }, func(s *state) { s.addUpperOf(operand{is: true}, y, 0) })
		}
	}
	if s.bottom || !okX || !okY {
		return
	}
	z := a.symbol(v)
	switch v.Op {
	case token.ADD:
		a.add(s, v, z, x, y, t)
	case token.SUB:
		a.sub(s, v, z, x, y, t)
	case token.MUL:
		ix, iy := s.intervalOf(x), s.intervalOf(y)
		e := product(ix, iy, t)
		if s.diffOf(x, y) <= 0 && s.diffOf(y, x) <= 0 {
			e = square(ix.meet(iy), t)
		}
		if e.fits(t) || a.noOverflow(v) {
			s.restrict(z.value(), e.interval)
		}
	case token.QUO:
		a.quotient(s, z, x, y)
	case token.REM:
		a.remainder(s, z, x, y)
	case token.AND:
		a.and(s, z, x, y)
	case token.OR, token.XOR:
		ix, iy := s.intervalOf(x), s.intervalOf(y)
		if ix.lo >= 0 && iy.lo >= 0 && ix.hi != noUpper && iy.hi != noUpper {
			s.restrict(z.value(), interval{0, 1<<bits.Len64(uint64(max(ix.hi, iy.hi))) - 1})
		}
	case token.SHR:
		ix, iy := s.intervalOf(x), s.intervalOf(y)
		if ix.lo >= 0 && iy.lo >= 0 {
			hi := ix.hi
			if !(hi == noUpper && !x.is && a.unbounded(x.n)) {
				hi >>= min(iy.lo, 63)
			} else if k, ok := iy.constant(); ok && k > 0 {
				hi = int64(^uint64(0) >> min(k, 63))
			}
			s.restrict(z.value(), interval{0, hi})
			s.atMost(operand{n: z.value()}, x, 0)
			if k, ok := iy.constant(); ok && k == 1 {
				a.middle(s, v.X, z)
			}
		}
	case token.SHL:
		ix, iy := s.intervalOf(x), s.intervalOf(y)
		if ix.lo >= 0 && iy.lo >= 0 && iy.hi < 62 && ix.hi < 1<<62 {
			if e := product(ix, interval{1 << iy.lo, 1 << iy.hi}, t); e.fits(t) {
				s.restrict(z.value(), e.interval)
			}
		}
	}
}

// noOverflow asks for the assumption that an operation does not overflow.
func (a *analysis) noOverflow(ins ssa.Value) bool {
	return a.assume(place{ins: ins.(ssa.Instruction), kind: Overflow}, Condition{Kind: vm.CondNoOverflow}, func() string {
		return describe(ins) + " does not overflow"
	})
}

// add computes z = x + y.
func (a *analysis) add(s *state, v *ssa.BinOp, z symbol, x, y operand, t integer) {
	ix, iy := s.intervalOf(x), s.intervalOf(y)
	e := sum(ix, iy, t)
	bounds := a.sumBounds(s, v, x, y)
	ok := e.fits(t)
	if !ok && !e.below && len(bounds) > 0 && e.lo >= t.values().lo {
		ok = true // the sum is at most another value of the type, or a length
	}
	if !ok && !a.noOverflow(v) {
		return
	}
	s.exact[z] = true
	zo := operand{n: z.value()}
	s.restrict(z.value(), e.interval)
	for _, b := range bounds {
		s.atMost(zo, operand{n: b.y}, b.c)
	}
	each := func(x, y operand, iy interval) {
		if y.is {
			if !x.is {
				s.atMost(zo, x, y.k)
				s.atMost(x, zo, -y.k)
			}
			return
		}
		if x.is {
			return
		}
		if iy.hi != noUpper {
			s.atMost(zo, x, iy.hi)
		}
		if iy.lo != noLower {
			s.atMost(x, zo, -iy.lo)
		}
	}
	each(x, y, iy)
	each(y, x, ix)
}

// sumBounds finds numbers p for which x + y is at most p plus a constant. It uses two rules: if y is a
// constant, an upper bound of x becomes an upper bound of the sum; if y is at most p - x, then p bounds the
// sum.
func (a *analysis) sumBounds(s *state, v *ssa.BinOp, x, y operand) []bound {
	var out []bound
	consider := func(x operand, y operand, vx ssa.Value) {
		switch {
		case x.is:
		case y.is && y.k > 0:
			for _, b := range s.chains(x.n, 3) {
				if b.c <= -y.k && a.atMostType(b.y, a.symbol(v)) {
					out = tighten(out, bound{b.y, b.c + y.k})
				}
			}
		case !y.is:
			for _, b := range s.chains(y.n, 3) {
				d, ok := a.values[b.y.symbol()].(*ssa.BinOp)
				if b.y%3 != 0 || !ok || d.Op != token.SUB || !s.exact[b.y.symbol()] || d.Y != vx || b.c > 0 {
					continue
				}
				if p, ok := a.operand(d.X); ok && !p.is {
					out = tighten(out, bound{p.n, b.c})
				}
			}
			// y itself may be p - x.
			if d, ok := a.values[y.n.symbol()].(*ssa.BinOp); ok && d.Op == token.SUB && s.exact[y.n.symbol()] && d.Y == vx {
				if p, ok := a.operand(d.X); ok && !p.is {
					out = tighten(out, bound{p.n, 0})
				}
			}
		}
	}
	consider(x, y, v.X)
	consider(y, x, v.Y)
	return out
}

// atMostType reports whether every value of the number y is a value of the integer symbol z's type.
func (a *analysis) atMostType(y number, z symbol) bool {
	t := a.ints[z]
	if y%3 != 0 {
		return t.bits == 64
	}
	u := a.ints[y.symbol()]
	return u.bits > 0 && u.values().isSubset(t.values()) && !(u.bits == 64 && !u.signed && t.signed)
}

// sub computes z = x - y.
func (a *analysis) sub(s *state, v *ssa.BinOp, z symbol, x, y operand, t integer) {
	ix, iy := s.intervalOf(x), s.intervalOf(y)
	e := difference(ix, iy, t)
	// A known bound of x - y is often tighter than the difference of the intervals.
	if d := s.diffOf(x, y); d != noUpper && d < e.hi {
		e.hi, e.above = d, false
	}
	if d := s.diffOf(y, x); d != noUpper && d != noLower && -d > e.lo {
		e.lo, e.below = -d, false
	}
	if !e.fits(t) && !a.noOverflow(v) {
		return
	}
	s.exact[z] = true
	s.restrict(z.value(), e.interval)
	zo := operand{n: z.value()}
	if y.is {
		s.atMost(zo, x, -y.k)
		s.atMost(x, zo, y.k)
		return
	}
	if x.is {
		return
	}
	if iy.lo != noLower {
		s.atMost(zo, x, -iy.lo)
	}
	if iy.hi != noUpper && iy.hi < maxBound {
		s.atMost(x, zo, iy.hi)
	}
}

func (a *analysis) negate(s *state, v *ssa.UnOp) {
	t, ok := integerOf(v.Type(), a.p.Sizes)
	x, okX := a.operand(v.X)
	if !ok || !okX {
		return
	}
	i := s.intervalOf(x)
	e := difference(point(0), i, t)
	if !e.fits(t) && !a.noOverflow(v) {
		return
	}
	s.restrict(a.symbol(v).value(), negated(i))
}

// quotient computes z = x / y, for y that is not negative.
func (a *analysis) quotient(s *state, z symbol, x, y operand) {
	ix, iy := s.intervalOf(x), s.intervalOf(y)
	if iy.lo < 1 {
		return
	}
	big := !x.is && ix.hi == noUpper && a.unbounded(x.n)
	switch {
	case ix.lo >= 0:
		hi := ix.hi
		if !big {
			hi /= iy.lo
		} else if k, ok := iy.constant(); ok && k > 1 {
			hi = int64(^uint64(0) / uint64(k))
		}
		lo := int64(0)
		if iy.hi != noUpper {
			lo = ix.lo / iy.hi
		}
		s.restrict(z.value(), interval{lo, hi})
		c := int64(0)
		if iy.lo >= 2 && ix.lo >= 1 {
			c = -1
		}
		s.atMost(operand{n: z.value()}, x, c)
		if k, ok := iy.constant(); ok && k == 2 && !x.is {
			a.middle(s, a.values[x.n.symbol()], z)
		}
	case ix.lo != noLower || iy.lo >= 2:
		s.restrict(z.value(), interval{ix.lo / iy.lo, max(ix.hi/iy.lo, 0)})
	}
}

// middle adds the bounds of (x + y) / 2, which lies between x and y.
func (a *analysis) middle(s *state, of ssa.Value, z symbol) {
	v, ok := of.(*ssa.BinOp)
	if !ok || v.Op != token.ADD || !s.exact[a.symbol(v)] {
		return
	}
	x, okX := a.operand(v.X)
	y, okY := a.operand(v.Y)
	if !okX || !okY {
		return
	}
	zo := operand{n: z.value()}
	each := func(x, y operand) {
		d := s.diffOf(x, y) // x <= y + d
		if d == noUpper || d > 0 {
			return
		}
		half := d / 2
		if d < 0 && d%2 != 0 {
			half-- // rounded down
		}
		s.atMost(zo, y, half)
		s.atMost(x, zo, -((-d) / 2))
	}
	each(x, y)
	each(y, x)
}

// remainder computes z = x % y.
func (a *analysis) remainder(s *state, z symbol, x, y operand) {
	ix, iy := s.intervalOf(x), s.intervalOf(y)
	m := max(iy.hi, negated(iy).hi)
	lo, hi := int64(noLower), int64(noUpper)
	if m != noUpper {
		lo, hi = -(m - 1), m-1
	}
	if ix.lo >= 0 {
		lo = 0
		if !(ix.hi == noUpper && !x.is && a.unbounded(x.n)) {
			hi = min(hi, ix.hi)
		}
	}
	if ix.hi <= 0 {
		hi = 0
		lo = max(lo, ix.lo)
	}
	s.restrict(z.value(), interval{lo, hi})
	if iy.lo > 0 {
		s.atMost(operand{n: z.value()}, y, -1)
	}
	if ix.lo >= 0 {
		s.atMost(operand{n: z.value()}, x, 0)
	}
}

// and computes z = x & y.
func (a *analysis) and(s *state, z symbol, x, y operand) {
	for _, o := range []operand{x, y} {
		if i := s.intervalOf(o); i.lo >= 0 {
			s.restrict(z.value(), interval{0, i.hi})
			s.atMost(operand{n: z.value()}, o, 0)
		}
	}
}

// isNonZero reports whether a comparison has shown that a number is not zero.
func (a *analysis) isNonZero(s *state, v ssa.Value) bool {
	return s.fact(a.symbol(v)) == nonNil
}

// excludeZero records that a number is not zero. If zero is an end of the number's interval, the end moves.
// Otherwise the fact is kept in the way in which a pointer is known not to be nil.
func (a *analysis) excludeZero(s *state, y operand) {
	if y.is {
		s.bottom = s.bottom || y.k == 0
		return
	}
	i := s.intervalOf(y)
	switch {
	case i.lo == 0:
		s.restrict(y.n, interval{1, noUpper})
	case i.hi == 0:
		s.restrict(y.n, interval{noLower, -1})
	}
	if !s.bottom {
		s.facts[s.root(y.n.symbol())] = nonNil
	}
}

// convert computes a conversion.
func (a *analysis) convert(s *state, v *ssa.Convert) {
	to, ok := integerOf(v.Type(), a.p.Sizes)
	from, ok2 := integerOf(v.X.Type(), a.p.Sizes)
	z := a.symbol(v)
	switch {
	case ok && ok2:
		x, known := a.operand(v.X)
		if !known {
			return
		}
		i := s.intervalOf(x)
		keeps := i.isSubset(to.values())
		if i.hi == noUpper && from.bits == 64 && !from.signed && !(to.bits == 64 && !to.signed) {
			keeps = false
		}
		if a.p.config.Lossy && !(from.values().isSubset(to.values()) && !(from.bits == 64 && !from.signed && to.signed)) {
			a.check(s, v, LossyConvert, func(*state) bool { return keeps }, nil)
		}
		if !keeps {
			if !a.assume(place{ins: v, kind: Lossless}, Condition{Kind: vm.CondSameValue}, func() string { return describe(v) + " keeps the value" }) {
				return
			}
			if s.restrict(z.value(), i.meet(to.values())); s.bottom {
				return
			}
		}
		s.restrict(z.value(), i)
		if x.is {
			return
		}
		s.atMost(operand{n: z.value()}, x, 0)
		s.atMost(x, operand{n: z.value()}, 0)
	case isString(v.Type()) && isSlice(v.X.Type()), isSlice(v.Type()) && isString(v.X.Type()):
		// []byte(s) has the length of s. []rune(s) is at most as long.
		n, known := a.lengthOf(s, v.X)
		if !known {
			return
		}
		elem := v.Type()
		if isString(elem) {
			elem = v.X.Type()
		}
		b, _ := elem.Underlying().(*types.Slice).Elem().Underlying().(*types.Basic)
		if b != nil && b.Kind() == types.Uint8 {
			s.difference(z.length(), n, operand{is: true})
		} else if !isString(v.Type()) {
			s.atMost(operand{n: z.length()}, n, 0)
		}
	}
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

func isBoolean(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}
