package bitblast

import (
	"slices"

	"github.com/goassay/assay/internal/solver/sat"
	"github.com/goassay/assay/internal/term"
)

// format is the shape of a float: eb bits of exponent, and sb bits of significand including the hidden one.
type format struct{ eb, sb int }

func formatOf(w int) format {
	if w == 32 {
		return format{8, 24}
	}
	return format{11, 53}
}

func (f format) bias() int { return 1<<(f.eb-1) - 1 }

// float is an unpacked float: (-1)^sign · sig · 2^(exp - bias - (sb-1)), where exp is unsigned, 1 for
// subnormals, and sig includes the hidden bit, which is 0 for subnormals.
type float struct {
	f                    format
	sign, nan, inf, zero sat.Lit
	exp, sig             word
}

func (c *circuit) unpack(x word) float {
	f := formatOf(len(x))
	frac, e := x[:f.sb-1], x[f.sb-1:f.sb-1+f.eb]
	expZero, expOnes, fracZero := c.orN(e).Not(), c.andN(e), c.orN(frac).Not()
	exp := slices.Clone(e)
	exp[0] = c.or(exp[0], expZero)
	return float{
		f: f, sign: x[len(x)-1],
		nan: c.and(expOnes, fracZero.Not()), inf: c.and(expOnes, fracZero), zero: c.and(expZero, fracZero),
		exp: exp, sig: append(slices.Clone(frac), expZero.Not()),
	}
}

func (c *circuit) special(f format, exp uint64, frac uint64, sign sat.Lit) word {
	out := constWord(f.eb+f.sb, exp<<(f.sb-1)|frac)
	out[len(out)-1] = sign
	return out
}

func (c *circuit) nanWord(f format) word { return c.special(f, 1<<f.eb-1, 1<<(f.sb-2), no) }
func (c *circuit) infWord(f format, sign sat.Lit) word {
	return c.special(f, 1<<f.eb-1, 0, sign)
}
func (c *circuit) zeroWord(f format, sign sat.Lit) word { return c.special(f, 0, 0, sign) }

// normalise shifts the leading one of x, if there is one, to the top. It returns by how much.
func (c *circuit) normalise(x word) (out, count word) {
	n := len(x)
	k := 0
	for 1<<k < n {
		k++
	}
	count = make(word, k)
	out = x
	for k--; k >= 0; k-- {
		d := 1 << k
		if d >= n {
			count[k] = no
			continue
		}
		z := c.orN(out[n-d:]).Not()
		count[k] = z
		next := make(word, n)
		for i := range next {
			low := no
			if i >= d {
				low = out[i-d]
			}
			next[i] = c.mux(z, low, out[i])
		}
		out = next
	}
	return out, count
}

// shiftSticky shifts right and ors the lost bits into the lowest bit.
func (c *circuit) shiftSticky(x, by word) word {
	n := len(x)
	out := x
	k := 0
	for ; k < len(by) && 1<<k < n; k++ {
		d := 1 << k
		lost := c.orN(out[:d])
		next := make(word, n)
		for i := range next {
			hi := no
			if i+d < n {
				hi = out[i+d]
			}
			if i == 0 {
				hi = c.or(hi, lost)
			}
			next[i] = c.mux(by[k], hi, out[i])
		}
		out = next
	}
	if k < len(by) {
		big := c.orN(by[k:])
		all := constWord(n, 0)
		all[0] = c.orN(x)
		out = c.muxWord(big, all, out)
	}
	return out
}

// roundPack packs (-1)^sign · sig · 2^(e - bias - (n-1)), where n is the length of sig. It rounds to nearest
// even. The exponent e is signed. The lowest bit of sig may be sticky if sig has at least two more bits than
// the format. A zero sig gives a zero.
func (c *circuit) roundPack(f format, sign sat.Lit, e, sig word) word {
	for len(sig) < f.sb+2 {
		sig = append(word{no}, sig...)
	}
	n := len(sig)
	ew := max(len(e), f.eb+2) + 1
	sig, lz := c.normalise(sig)
	e = c.sub(sext(e, ew), zext(lz, ew))
	one := constWord(ew, 1)
	small := c.slt(e, one) // subnormal, or zero
	d := c.sub(one, e)
	for i := range d {
		d[i] = c.and(d[i], small)
	}
	sig = c.shiftSticky(sig, d)
	guard, sticky := sig[n-f.sb-1], c.orN(sig[:n-f.sb-1])
	up := c.and(guard, c.or(sticky, sig[n-f.sb]))
	// Exponent and fraction form one number, so that a carry leads to the next exponent, up to infinity.
	packed := slices.Clone(sig[n-f.sb : n-1])
	for i := range f.eb {
		packed = append(packed, c.and(e[i], small.Not()))
	}
	packed, _ = c.add(packed, constWord(len(packed), 0), up)
	over := c.slt(constWord(ew, 1<<f.eb-2), e)
	packed = c.muxWord(over, c.infWord(f, no)[:len(packed)], packed)
	packed = c.andBit(c.orN(sig), packed)
	return append(packed, sign)
}

// pickWord returns the first word whose condition holds, and otherwise the last one.
func (c *circuit) pickWord(def word, cases ...any) word {
	out := def
	for i := len(cases) - 2; i >= 0; i -= 2 {
		out = c.muxWord(cases[i].(sat.Lit), cases[i+1].(word), out)
	}
	return out
}

func (c *circuit) fadd(xw, yw word) word {
	n := len(xw) - 1
	// The larger magnitude comes first.
	swap := c.ult(xw[:n], yw[:n])
	x, y := c.unpack(c.muxWord(swap, yw, xw)), c.unpack(c.muxWord(swap, xw, yw))
	f := x.f
	w := f.sb + 4
	a := zext(append(word{no, no, no}, x.sig...), w)
	b := c.shiftSticky(zext(append(word{no, no, no}, y.sig...), w), c.sub(x.exp, y.exp))
	minus := c.xor(x.sign, y.sign)
	for i := range b {
		b[i] = c.xor(b[i], minus)
	}
	sum, _ := c.add(a, b, minus)
	e, _ := c.add(zext(x.exp, f.eb+2), constWord(f.eb+2, 1), no)
	// The difference of equal magnitudes is 0. It is negative only if both operands were.
	sign := c.mux(c.orN(sum), x.sign, c.and(x.sign, y.sign))
	return c.pickWord(c.roundPack(f, sign, e, sum),
		c.or(c.or(x.nan, y.nan), c.and(c.and(x.inf, y.inf), minus)), c.nanWord(f),
		c.or(x.inf, y.inf), c.infWord(f, x.sign))
}

func (c *circuit) fmul(xw, yw word) word {
	x, y := c.unpack(xw), c.unpack(yw)
	f := x.f
	sign := c.xor(x.sign, y.sign)
	p := c.mulFull(x.sig, y.sig)
	ew := f.eb + 3
	e, _ := c.add(zext(x.exp, ew), zext(y.exp, ew), no)
	e = c.sub(e, constWord(ew, uint64(f.bias()-1)))
	return c.pickWord(c.roundPack(f, sign, e, p),
		c.orN(word{x.nan, y.nan, c.and(x.inf, y.zero), c.and(x.zero, y.inf)}), c.nanWord(f),
		c.or(x.inf, y.inf), c.infWord(f, sign))
}

// normal returns significand and exponent. It moves the leading one of subnormals to the top.
func (c *circuit) normal(x float, ew int) (sig, e word) {
	sig, lz := c.normalise(x.sig)
	return sig, c.sub(zext(x.exp, ew), zext(lz, ew))
}

func (c *circuit) fdiv(xw, yw word) word {
	x, y := c.unpack(xw), c.unpack(yw)
	f := x.f
	ew := f.eb + 3
	sign := c.xor(x.sign, y.sign)
	a, ea := c.normal(x, ew)
	b, eb := c.normal(y, ew)
	// This is a long division of a·2^(sb+2) by b. The quotient of the significands lies between one half and
	// two.
	rem := zext(a, f.sb+1)
	d := zext(b, f.sb+1)
	q := make(word, f.sb+3)
	for i := len(q) - 1; i >= 0; i-- {
		ge := c.ule(d, rem)
		q[i] = ge
		rem = c.muxWord(ge, c.sub(rem, d), rem)
		if i > 0 {
			rem = append(word{no}, rem[:f.sb]...)
		}
	}
	sig := append(word{c.orN(rem)}, q...)
	e, _ := c.add(c.sub(ea, eb), constWord(ew, uint64(f.bias())), no)
	return c.pickWord(c.roundPack(f, sign, e, sig),
		c.orN(word{x.nan, y.nan, c.and(x.inf, y.inf), c.and(x.zero, y.zero)}), c.nanWord(f),
		c.or(x.inf, y.zero), c.infWord(f, sign),
		c.or(x.zero, y.inf), c.zeroWord(f, sign))
}

func (c *circuit) fsqrt(xw word) word {
	x := c.unpack(xw)
	f := x.f
	ew := f.eb + 3
	m, e := c.normal(x, ew)
	e = c.sub(e, constWord(ew, uint64(f.bias()))) // value m·2^(e-(sb-1))
	// The radicand is m·2^k with k so that the exponent is even: sb-1 is odd for 24 bits, even for 53.
	odd := e[0]
	if (f.sb-1)%2 != 0 {
		odd = odd.Not()
	}
	// e - (sb-1) is odd: one more factor of 2 in the radicand.
	rad := c.muxWord(odd, append(word{no}, m...), append(slices.Clone(m), no))
	j := (f.sb + 3) / 2
	rad = append(constWord(2*j, 0), rad...)
	if len(rad)%2 != 0 {
		rad = append(rad, no)
	}
	// Root digit by digit.
	r := len(rad) / 2
	root, rem := word{}, constWord(r+2, 0)
	for i := r - 1; i >= 0; i-- {
		rem = append(word{rad[2*i], rad[2*i+1]}, rem[:r]...)
		try := zext(append(word{yes, no}, root...), r+2)
		ge := c.ule(try, rem)
		rem = c.muxWord(ge, c.sub(rem, try), rem)
		root = append(word{ge}, root...)
	}
	sig := append(word{c.orN(rem)}, root...)
	// s = e - (sb-1) - odd is even, and the root counts units of 2^(s/2-j).
	s := c.sub(c.sub(e, constWord(ew, uint64(f.sb-1))), zext(word{odd}, ew))
	half := sext(s[1:], ew)
	e, _ = c.add(half, constWord(ew, uint64(r-1-j+f.bias())), no)
	return c.pickWord(c.roundPack(f, x.sign, e, sig),
		c.or(x.nan, c.and(x.sign, x.zero.Not())), c.nanWord(f),
		c.or(x.inf, x.zero), xw)
}

// froundTo rounds to an integer value.
func (c *circuit) froundTo(op term.Op, xw word) word {
	x := c.unpack(xw)
	f := x.f
	ew := f.eb + 2
	// Fraction bits: sb-1 - (exp - bias), if positive.
	cnt := c.sub(constWord(ew, uint64(f.sb-1+f.bias())), zext(x.exp, ew))
	whole := c.slt(cnt, constWord(ew, 1))
	// v has two bits below the integer: the half, and the sticky rest.
	v := c.shiftSticky(append(word{no, no}, x.sig...), cnt)
	half, rest, in := v[1], v[0], v[2:]
	var up sat.Lit
	switch op {
	case term.OpFTrunc:
		up = no
	case term.OpFFloor:
		up = c.and(x.sign, c.or(half, rest))
	case term.OpFCeil:
		up = c.and(x.sign.Not(), c.or(half, rest))
	default:
		up = c.and(half, c.or(rest, in[0]))
	}
	in, carry := c.add(in, constWord(len(in), 0), up)
	in = append(in, carry)
	r := c.roundPack(f, x.sign, constWord(ew, uint64(f.bias()+len(in)-1)), in)
	return c.pickWord(r, x.nan, c.nanWord(f), c.or(whole, x.inf), xw)
}

func (c *circuit) ffrom(x word, signed bool, w int) word {
	f := formatOf(w)
	sign := no
	if signed {
		sign = x[len(x)-1]
		x = c.negIf(sign, x)
	}
	ew := f.eb + 2
	return c.roundPack(f, sign, constWord(ew, uint64(f.bias()+len(x)-1)), x)
}

func (c *circuit) fconv(xw word, w int) word {
	x := c.unpack(xw)
	f := formatOf(w)
	ew := max(f.eb, x.f.eb) + 2
	e, _ := c.add(zext(x.exp, ew), constWord(ew, uint64(f.bias()-x.f.bias())), no)
	return c.pickWord(c.roundPack(f, x.sign, e, x.sig), x.nan, c.nanWord(f), x.inf, c.infWord(f, x.sign))
}

// fto truncates to an integer of w bits, as term.FToS and FToU define.
func (c *circuit) fto(xw word, unsigned bool, w int) word {
	x := c.unpack(xw)
	f := x.f
	ew := f.eb + 2
	// The significand at the top of 64 bits is right for exponent 63. For other exponents it is shifted right
	// by 63 minus the exponent.
	top := append(constWord(64-f.sb, 0), x.sig...)
	by := c.sub(constWord(ew, uint64(63+f.bias())), zext(x.exp, ew))
	mag := c.shift(top, by, false, no)
	below := func(e int) sat.Lit { return c.ult(x.exp, constWord(f.eb, uint64(e+f.bias()))) } // false for NaN and Inf
	v := c.negIf(x.sign, mag)
	least := constWord(64, 1<<63)
	switch {
	case unsigned && w == 64:
		return c.muxWord(c.mux(x.sign, below(63), below(64)), v, least)
	case w < 32 || w == 32 && !unsigned:
		return c.muxWord(below(31), v[:w], constWord(32, 1<<31)[:w])
	}
	return c.muxWord(below(63), v, least)[:w]
}

func (c *circuit) fless(x, y word, orEqual bool) sat.Lit {
	a, b := c.unpack(x), c.unpack(y)
	n := len(x) - 1
	zeros := c.and(a.zero, b.zero)
	// Magnitudes compare as integers. For negative numbers the order is reversed.
	pos, neg := c.ult(x[:n], y[:n]), c.ult(y[:n], x[:n])
	less := c.mux(a.sign, c.or(b.sign.Not(), neg), c.and(b.sign.Not(), pos))
	less = c.and(less, zeros.Not())
	if orEqual {
		less = c.or(less, c.or(zeros, c.equal(x, y)))
	}
	return c.andN(word{less, a.nan.Not(), b.nan.Not()})
}

func (c *circuit) fequal(x, y word) sat.Lit {
	a, b := c.unpack(x), c.unpack(y)
	return c.andN(word{c.or(c.and(a.zero, b.zero), c.equal(x, y)), a.nan.Not(), b.nan.Not()})
}

func (b *Blaster) blastFloat(t term.ID, op term.Op, x, y word) word {
	c, w := b.circuit, b.st.Width(t)
	switch op {
	case term.OpFAdd:
		return c.fadd(x, y)
	case term.OpFMul:
		return c.fmul(x, y)
	case term.OpFDiv:
		return c.fdiv(x, y)
	case term.OpFSqrt:
		return c.fsqrt(x)
	case term.OpFEq:
		return bit(c.fequal(x, y))
	case term.OpFLt:
		return bit(c.fless(x, y, false))
	case term.OpFLe:
		return bit(c.fless(x, y, true))
	case term.OpFIsNaN:
		return bit(c.unpack(x).nan)
	case term.OpFFloor, term.OpFCeil, term.OpFTrunc, term.OpFRoundEven:
		return c.froundTo(op, x)
	case term.OpFConv:
		return c.fconv(x, w)
	case term.OpFFromS, term.OpFFromU:
		return c.ffrom(x, op == term.OpFFromS, w)
	case term.OpFToS, term.OpFToU:
		return c.fto(x, op == term.OpFToU, w)
	}
	panic("bug: no encoding of " + op.String())
}
