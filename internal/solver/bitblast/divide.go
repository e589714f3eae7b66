package bitblast

import (
	"slices"
)

// divide returns quotient and remainder of a by b as SMT-LIB defines them, as fresh variables q and r
// with q·b + r = a, r < b and no overflow. This costs a multiplier; a divider circuit would cost w
// subtractors. If b is zero the equation itself makes r = a.
func (c *circuit) divide(a, b word) (q, r word) {
	if isConst(b) {
		if n := topBit(b); n >= 0 {
			return c.divideConst(a, b, n+1)
		}
	}
	w := len(a)
	g := c.freshGroup(2 * w)
	q, r = g.vars[:w], g.vars[w:]
	zero := c.orN(b).Not()
	// q·b + r is computed row by row. Bits beyond the width must be zero.
	acc := r
	for i := range w {
		for j := w - i; j < w; j++ {
			c.clause(q[i].Not(), b[j].Not())
		}
		hi, carry := c.add(acc[i:], c.andBit(q[i], b[:w-i]), no)
		c.clause(carry.Not())
		acc = append(slices.Clone(acc[:i]), hi...)
	}
	for i := range a {
		c.clause(acc[i].Not(), a[i])
		c.clause(acc[i], a[i].Not())
	}
	less := c.ult(r, b)
	c.clause(zero, less)
	for _, l := range q {
		c.clause(zero.Not(), l)
	}
	// These clauses are redundant, and hold before the product is known: r <= a, q <= a, and a < b
	// implies q = 0.
	c.clause(c.ule(r, a))
	c.clause(zero, c.ule(q, a))
	small := c.ult(a, b)
	for _, l := range q {
		c.clause(small.Not(), l.Not())
	}
	of := append(slices.Clone(acc), less, zero, small)
	c.closeGroup(g, append(append(of, a...), b...)...)
	return q, r
}

func topBit(b word) int {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] == yes {
			return i
		}
	}
	return -1
}

// divideConst divides by a constant of n bits, not zero.
func (c *circuit) divideConst(a, b word, n int) (q, r word) {
	w := len(a)
	g := c.freshGroup(w - n + 1 + n)
	q, r = g.vars[:w-n+1], g.vars[w-n+1:]
	// One more bit can represent every q·b + r.
	p := c.mul(zext(q, w+1), zext(b, w+1))
	sum, _ := c.add(p, zext(r, w+1), no)
	for i := range a {
		c.clause(sum[i].Not(), a[i])
		c.clause(sum[i], a[i].Not())
	}
	c.clause(sum[w].Not())
	c.clause(c.ult(r, b[:n]))
	c.closeGroup(g, append(slices.Clone(sum), a...)...)
	return zext(q, w), zext(r, w)
}

// sdivide divides signed words with truncation.
func (c *circuit) sdivide(a, b word) (q, r word) {
	sa, sb := a[len(a)-1], b[len(b)-1]
	q, r = c.divide(c.negIf(sa, a), c.negIf(sb, b))
	return c.negIf(c.xor(sa, sb), q), c.negIf(sa, r)
}
