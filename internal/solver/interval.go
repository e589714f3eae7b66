package solver

import (
	"math"
	"math/bits"

	"github.com/goassay/assay/internal/term"
)

// This file computes intervals: from the value sets of the leaves it computes the least and greatest value of
// a term, unsigned and signed. A comparison whose sides do not overlap is thereby decided.

// ival has bounds of a term of at most 64 bits. The signed bounds are sign-extended.
type ival struct {
	lo, hi   uint64
	slo, shi int64
}

type intervals struct {
	val   []ival
	gen   []uint32
	cur   uint32
	steps int
}

// maxIntervalSteps bounds how many terms are looked at for one condition.
const maxIntervalSteps = 400

func fullIval(w int) ival {
	return ival{0, term.Mask(w), -1 << (w - 1), 1<<(w-1) - 1}
}

func signExtend(v uint64, w int) int64 { return int64(v<<(64-w)) >> (64 - w) }

// tight narrows each pair of bounds by the other pair.
func (v ival) tight(w int) ival {
	half := uint64(1) << (w - 1)
	if v.hi < half || v.lo >= half {
		v.slo, v.shi = max(v.slo, signExtend(v.lo, w)), min(v.shi, signExtend(v.hi, w))
	}
	if v.slo >= 0 || v.shi < 0 {
		v.lo, v.hi = max(v.lo, uint64(v.slo)&term.Mask(w)), min(v.hi, uint64(v.shi)&term.Mask(w))
	}
	return v
}

// byInterval answers a condition whose interval is a single value.
func (x *Context) byInterval(p *PathCond, c term.ID) (t, f Verdict, ok bool) {
	if p.stale {
		return 0, 0, false
	}
	n := &x.inter
	n.cur++
	n.steps = 0
	v := n.of(p, c)
	switch {
	case v.lo == 1:
		return Sat, Unsat, true
	case v.hi == 0:
		return Unsat, Sat, true
	}
	return 0, 0, false
}

func (n *intervals) of(p *PathCond, t term.ID) ival {
	st := p.x.st
	w := st.Width(t)
	if w > 64 {
		return fullIval(64)
	}
	if int(t) >= len(n.val) {
		k := st.Len() + st.Len()/2
		n.val = append(n.val, make([]ival, k-len(n.val))...)
		n.gen = append(n.gen, make([]uint32, k-len(n.gen))...)
	}
	if n.gen[t] == n.cur {
		return n.val[t]
	}
	if n.steps++; n.steps > maxIntervalSteps {
		return fullIval(w)
	}
	v := n.compute(p, t, w).tight(w)
	n.gen[t], n.val[t] = n.cur, v
	return v
}

func (n *intervals) compute(p *PathCond, t term.ID, w int) ival {
	st := p.x.st
	full := fullIval(w)
	mask := term.Mask(w)
	arg := func(i int) ival { return n.of(p, st.Arg(t, i)) }
	narrow := func(i int) bool { return st.Width(st.Arg(t, i)) <= 64 }
	u := func(lo, hi uint64) ival { full.lo, full.hi = lo, hi; return full }
	switch op := st.Op(t); op {
	case term.OpConst:
		v, _ := st.IsConst(t)
		return ival{v, v, signExtend(v, w), signExtend(v, w)}
	case term.OpVar, term.OpElem:
		return p.leafInterval(t, w)
	case term.OpNot:
		a := arg(0)
		return ival{^a.hi & mask, ^a.lo & mask, ^a.shi, ^a.slo}
	case term.OpAnd:
		a, b := arg(0), arg(1)
		if w == 1 {
			return u(a.lo&b.lo, a.hi&b.hi)
		}
		return u(0, min(a.hi, b.hi))
	case term.OpOr, term.OpXor:
		a, b := arg(0), arg(1)
		if w == 1 {
			if a.lo == a.hi && b.lo == b.hi { // Or is not stored at width 1
				return u(a.lo^b.lo, a.lo^b.lo)
			}
			return full
		}
		lo := uint64(0)
		if op == term.OpOr {
			lo = max(a.lo, b.lo)
		}
		return u(lo, term.Mask(bits.Len64(a.hi|b.hi)))
	case term.OpNeg:
		a := arg(0)
		if a.lo > 0 {
			full.lo, full.hi = -a.hi&mask, -a.lo&mask
		} else if a.hi == 0 {
			full.lo, full.hi = 0, 0
		}
		if a.slo > full.slo {
			full.slo, full.shi = -a.shi, -a.slo
		}
		return full
	case term.OpAdd:
		return addIval(arg(0), arg(1), w)
	case term.OpMul:
		return mulIval(arg(0), arg(1), w)
	case term.OpUDiv:
		a, b := arg(0), arg(1)
		if b.lo > 0 {
			return u(a.lo/b.hi, a.hi/b.lo)
		}
	case term.OpURem:
		a, b := arg(0), arg(1)
		switch {
		case a.hi < b.lo:
			return a
		case b.lo > 0:
			return u(0, min(a.hi, b.hi-1))
		}
		return u(0, a.hi)
	case term.OpSDiv:
		a, b := arg(0), arg(1)
		if b.slo > 0 {
			full.slo, full.shi = min(a.slo, 0), max(a.shi, 0)
			if b.slo == b.shi {
				full.slo, full.shi = a.slo/b.slo, a.shi/b.slo
			}
		}
		return full
	case term.OpSRem:
		a, b := arg(0), arg(1)
		if b.slo > 0 {
			full.slo, full.shi = max(min(a.slo, 0), -(b.shi-1)), min(max(a.shi, 0), b.shi-1)
		}
		return full
	case term.OpLShr:
		return u(0, arg(0).hi)
	case term.OpAShr:
		a := arg(0)
		full.slo, full.shi = min(a.slo, 0), max(a.shi, -1)
		if a.slo >= 0 {
			full.slo = 0
		}
		return full
	case term.OpZExt:
		a := arg(0)
		return u(a.lo, a.hi)
	case term.OpSExt:
		a := arg(0)
		full.slo, full.shi = a.slo, a.shi
		return full
	case term.OpExtract:
		if hi, lo := st.Bounds(t); narrow(0) {
			a := arg(0)
			if hi == st.Width(st.Arg(t, 0))-1 || a.hi>>lo <= mask {
				return u(a.lo>>lo, a.hi>>lo)
			}
			if lo == 0 && a.slo >= full.slo && a.shi <= full.shi { // the low bits of a sign-extended number
				full.slo, full.shi = a.slo, a.shi
			}
		}
		return full
	case term.OpConcat:
		a, b := arg(0), arg(1)
		wl := st.Width(st.Arg(t, 1))
		return u(a.lo<<wl|b.lo, a.hi<<wl|b.hi)
	case term.OpIte:
		switch c := arg(0); {
		case c.lo == 1:
			return arg(1)
		case c.hi == 0:
			return arg(2)
		}
		a, b := arg(1), arg(2)
		return ival{min(a.lo, b.lo), max(a.hi, b.hi), min(a.slo, b.slo), max(a.shi, b.shi)}
	case term.OpLookup:
		return lookupIval(st.TableVals(st.TableOf(t)), arg(0), narrow(0), full)
	case term.OpEq, term.OpUlt, term.OpSlt:
		if narrow(0) {
			return compareIval(op, arg(0), arg(1))
		}
	}
	return full
}

func compareIval(op term.Op, a, b ival) ival {
	yes, no := ival{lo: 1, hi: 1, slo: -1, shi: -1}, ival{}
	switch op {
	case term.OpEq:
		if a.lo > b.hi || b.lo > a.hi || a.slo > b.shi || b.slo > a.shi {
			return no
		}
		if a.lo == a.hi && b.lo == b.hi { // both have one value, and the test above has not separated them
			return yes
		}
	case term.OpUlt:
		if a.hi < b.lo {
			return yes
		}
		if a.lo >= b.hi {
			return no
		}
	case term.OpSlt:
		if a.shi < b.slo {
			return yes
		}
		if a.slo >= b.shi {
			return no
		}
	}
	return fullIval(1)
}

func addIval(a, b ival, w int) ival {
	v := fullIval(w)
	mask := term.Mask(w)
	lo, c1 := bits.Add64(a.lo, b.lo, 0)
	hi, c2 := bits.Add64(a.hi, b.hi, 0)
	overLo, overHi := c1 != 0 || lo > mask, c2 != 0 || hi > mask
	if overLo == overHi { // neither sum wraps around, or both do
		v.lo, v.hi = lo&mask, hi&mask
	}
	slo, shi := a.slo+b.slo, a.shi+b.shi
	fits := slo >= v.slo && shi <= v.shi
	if w == 64 { // the sums of bounds may wrap around themselves
		fits = (slo > a.slo) == (b.slo > 0) && (shi > a.shi) == (b.shi > 0)
		fits = fits && (b.slo != 0 || slo == a.slo) && (b.shi != 0 || shi == a.shi)
	}
	if fits {
		v.slo, v.shi = slo, shi
	}
	return v
}

func mulIval(a, b ival, w int) ival {
	v := fullIval(w)
	if h, l := bits.Mul64(a.hi, b.hi); h == 0 && l <= term.Mask(w) {
		v.lo, v.hi = a.lo*b.lo, l
	}
	const limit = math.MaxInt32
	if a.slo >= -limit && a.shi <= limit && b.slo >= -limit && b.shi <= limit {
		p := [4]int64{a.slo * b.slo, a.slo * b.shi, a.shi * b.slo, a.shi * b.shi}
		slo, shi := min(p[0], p[1], p[2], p[3]), max(p[0], p[1], p[2], p[3])
		if slo >= v.slo && shi <= v.shi {
			v.slo, v.shi = slo, shi
		}
	}
	return v
}

func lookupIval(vals []uint64, idx ival, narrow bool, full ival) ival {
	if len(vals) > 1024 || !narrow {
		return full
	}
	lo, hi := full.hi, uint64(0)
	if idx.hi >= uint64(len(vals)) { // beyond the table the value is 0
		lo = 0
	}
	for i := idx.lo; i <= idx.hi && i < uint64(len(vals)); i++ {
		lo, hi = min(lo, vals[i]), max(hi, vals[i])
	}
	full.lo, full.hi = lo, max(lo, hi)
	return full
}

// leafInterval returns the bounds of a leaf's value set.
func (p *PathCond) leafInterval(leaf term.ID, w int) ival {
	v := fullIval(w)
	v.lo, v.hi = p.bounds(leaf)
	if w > 8 {
		half := uint64(1) << (w - 1)
		s := p.x.ranges.sets[p.rangesOf(leaf)]
		// In the signed order the upper half comes first.
		for i, r := range s {
			if r.hi >= half {
				v.slo = signExtend(max(r.lo, half), w)
				if i > 0 {
					v.shi = signExtend(s[i-1].hi, w)
				}
				if r.lo < half {
					v.shi = signExtend(half-1, w)
				} else if i == 0 {
					v.shi = signExtend(v.hi, w)
				}
				return v
			}
		}
	}
	return v
}
