package bitblast

import (
	"slices"

	"github.com/goassay/assay/internal/solver/sat"
)

// A word is a bit-vector's literals, the lowest bit first.
type word = []sat.Lit

func constWord(w int, v uint64) word {
	out := make(word, w)
	for i := range out {
		out[i] = no
		if i < 64 && v>>i&1 != 0 {
			out[i] = yes
		}
	}
	return out
}

func notWord(a word) word {
	out := make(word, len(a))
	for i, l := range a {
		out[i] = l.Not()
	}
	return out
}

// zext and sext extend a word to w bits, or cut it.
func zext(a word, w int) word { return extend(a, w, no) }
func sext(a word, w int) word { return extend(a, w, a[len(a)-1]) }

func extend(a word, w int, by sat.Lit) word {
	if w <= len(a) {
		return a[:w:w]
	}
	out := append(make(word, 0, w), a...)
	for len(out) < w {
		out = append(out, by)
	}
	return out
}

func (c *circuit) muxWord(s sat.Lit, a, b word) word {
	out := make(word, len(a))
	for i := range a {
		out[i] = c.mux(s, a[i], b[i])
	}
	return out
}

func (c *circuit) bitwise(f func(a, b sat.Lit) sat.Lit, a, b word) word {
	out := make(word, len(a))
	for i := range a {
		out[i] = f(a[i], b[i])
	}
	return out
}

func (c *circuit) andBit(s sat.Lit, a word) word {
	out := make(word, len(a))
	for i := range a {
		out[i] = c.and(s, a[i])
	}
	return out
}

// add returns a + b + carry and the carry out.
func (c *circuit) add(a, b word, carry sat.Lit) (word, sat.Lit) {
	out := make(word, len(a))
	for i := range a {
		out[i], carry = c.fullAdd(a[i], b[i], carry)
	}
	return out, carry
}

func (c *circuit) sub(a, b word) word {
	out, _ := c.add(a, notWord(b), yes)
	return out
}

func (c *circuit) neg(a word) word { return c.sub(constWord(len(a), 0), a) }

// negIf negates a if s is true.
func (c *circuit) negIf(s sat.Lit, a word) word {
	x := make(word, len(a))
	for i := range a {
		x[i] = c.xor(a[i], s)
	}
	out, _ := c.add(x, constWord(len(a), 0), s)
	return out
}

// equal returns one gate over all bits.
func (c *circuit) equal(a, b word) sat.Lit {
	x := make(word, len(a))
	for i := range a {
		x[i] = c.xor(a[i], b[i]).Not()
	}
	return c.andN(x)
}

// ult returns the borrow of a - b.
func (c *circuit) ult(a, b word) sat.Lit {
	r := no
	for i := range a {
		r = c.maj(a[i].Not(), b[i], r)
	}
	return r
}

func (c *circuit) ule(a, b word) sat.Lit { return c.ult(b, a).Not() }

func (c *circuit) slt(a, b word) sat.Lit {
	a, b = slices.Clone(a), slices.Clone(b)
	n := len(a) - 1
	a[n], b[n] = a[n].Not(), b[n].Not()
	return c.ult(a, b)
}

func isConst(a word) bool {
	for _, l := range a {
		if l.Var() != 0 {
			return false
		}
	}
	return true
}

// mul returns the low bits of a·b. A constant factor is recoded so that it has few nonzero digits, 1 or -1.
func (c *circuit) mul(a, b word) word {
	if isConst(a) {
		a, b = b, a
	}
	w := len(a)
	acc := constWord(w, 0)
	if isConst(b) {
		// The non-adjacent form turns runs of ones into one addition and one subtraction.
		carry := 0
		for i := range w {
			bit := carry
			if b[i] == yes {
				bit++
			}
			next := 0
			if i+1 < w && b[i+1] == yes {
				next = 1
			}
			switch {
			case bit == 2:
				carry = 1
			case bit == 1 && next == 1:
				acc = c.addShifted(acc, notWord(a[:w-i]), i, yes)
				carry = 1
			case bit == 1:
				acc = c.addShifted(acc, a[:w-i], i, no)
				carry = 0
			}
		}
		return acc
	}
	for i := range w {
		acc = c.addShifted(acc, c.andBit(b[i], a[:w-i]), i, no)
	}
	return acc
}

// addShifted returns acc + x·2^k + carry·2^k. The word x has only the bits that matter.
func (c *circuit) addShifted(acc, x word, k int, carry sat.Lit) word {
	hi, _ := c.add(acc[k:], x, carry)
	return append(slices.Clone(acc[:k]), hi...)
}

// mulFull returns all bits of a·b.
func (c *circuit) mulFull(a, b word) word {
	w := len(a) + len(b)
	return c.mul(zext(a, w), zext(b, w))
}

// shift moves a by the amount b. If b is the width or more, all bits become fill. The parameter left is the
// direction.
func (c *circuit) shift(a, b word, left bool, fill sat.Lit) word {
	w := len(a)
	out := a
	k := 0
	for ; k < len(b) && 1<<k < w; k++ {
		d := 1 << k
		next := make(word, w)
		for i := range next {
			from := i + d
			if left {
				from = i - d
			}
			x := fill
			if from >= 0 && from < w {
				x = out[from]
			}
			next[i] = c.mux(b[k], x, out[i])
		}
		out = next
	}
	if k < len(b) {
		big := c.orN(b[k:])
		all := make(word, w)
		for i := range all {
			all[i] = fill
		}
		out = c.muxWord(big, all, out)
	}
	return out
}

// lookup returns vals[idx] bit by bit, and 0 beyond the table. It builds a tree over the index bits that
// shares equal subtrees.
func (c *circuit) lookup(vals []uint64, elem int, idx word) word {
	// Index bits are dropped that cannot select anything within the table.
	n := 0
	for n < len(idx) && n < 63 && 1<<n < len(vals) {
		n++
	}
	out := make(word, elem)
	size := 1 << n
	for bit := range out {
		leafs := make([]sat.Lit, size)
		for i := range leafs {
			leafs[i] = no
			if i < len(vals) && vals[i]>>bit&1 != 0 {
				leafs[i] = yes
			}
		}
		for k := range n {
			for i := range len(leafs) / 2 {
				leafs[i] = c.mux(idx[k], leafs[2*i+1], leafs[2*i])
			}
			leafs = leafs[:len(leafs)/2]
		}
		out[bit] = leafs[0]
	}
	if n < len(idx) {
		inside := c.orN(idx[n:]).Not()
		out = c.andBit(inside, out)
	}
	return out
}
