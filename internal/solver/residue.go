package solver

import "github.com/goassay/assay/internal/term"

// This file treats residues. Conditions on one number's remainders by several constants, as in x%3 == 0, x%5
// == 0, x%15 != 0, are hard for a bit-blaster and easy by the Chinese remainder theorem. The residues modulo
// the least common multiple are tried one by one.

// maxModulus bounds the least common multiple.
const maxModulus = 1 << 16

// A residue is a conjunct's condition on x modulo m: that the residue is r, or that it is not.
type residue struct {
	x    term.ID
	sign term.Op // OpSRem or OpURem: whether x is read as signed or unsigned
	m, r uint64
	not  bool
}

// residueOf recognises a conjunct on a remainder by a constant.
func residueOf(st *term.Store, c term.ID) (residue, bool) {
	var e residue
	if st.Op(c) == term.OpNot {
		e.not, c = true, st.Arg(c, 0)
	}
	if st.Op(c) == term.OpExtract { // the lowest bit of the number
		if _, lo := st.Bounds(c); lo == 0 && st.Width(st.Arg(c, 0)) <= 64 {
			return residue{st.Arg(c, 0), term.OpExtract, 2, 1, e.not}, true
		}
	}
	if st.Op(c) != term.OpEq {
		return e, false
	}
	t := st.Arg(c, 0)
	r, ok := st.IsConst(st.Arg(c, 1))
	if e.sign = st.Op(t); !ok || e.sign != term.OpURem && e.sign != term.OpSRem {
		// The lowest bits of x are its remainder by a power of two.
		if ok && e.sign == term.OpExtract && st.Width(t) <= 16 && st.Width(st.Arg(t, 0)) <= 64 {
			if _, lo := st.Bounds(t); lo == 0 {
				return residue{st.Arg(t, 0), term.OpExtract, 1 << st.Width(t), r, e.not}, true
			}
		}
		return e, false
	}
	w := st.Width(t)
	m, ok := st.IsConst(st.Arg(t, 1))
	if !ok || w > 64 || m == 0 || m > maxModulus {
		return e, false
	}
	e.x, e.m = st.Arg(t, 0), m
	if e.sign == term.OpURem {
		e.r = r
		return e, r < m
	}
	// A remainder has the dividend's sign. Equality with a remainder other than 0 therefore says more than a
	// residue. The residue leaves the sign out, which makes it weaker, so it cannot be negated.
	s := signExtend(r, w)
	if s <= -int64(m) || s >= int64(m) || m>>(w-1) != 0 || e.not && s != 0 {
		return e, false
	}
	if s < 0 {
		s += int64(m)
	}
	e.r = uint64(s)
	return e, true
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// residues calls f for every number with at least two residues in the conjuncts, with their common modulus
// and the allowed residues. It stops when f returns false.
func residues(st *term.Store, conjuncts []term.ID, f func(x term.ID, sign term.Op, modulus uint64, allowed []uint64) bool) {
	var all []residue
	for _, c := range conjuncts {
		if e, ok := residueOf(st, c); ok {
			all = append(all, e)
		}
	}
	if len(all) < 2 {
		return
	}
	for i, first := range all {
		done := first.sign == term.OpExtract // the bit belongs to the other residues of its number
		for _, e := range all[:i] {
			done = done || e.x == first.x && e.sign == first.sign
		}
		if done {
			continue
		}
		var group []residue
		modulus := uint64(1)
		for _, e := range all {
			if e.x != first.x || e.sign != first.sign && e.sign != term.OpExtract {
				continue
			}
			if l := modulus / gcd(modulus, e.m) * e.m; l <= maxModulus {
				modulus = l
				group = append(group, e)
			}
		}
		if len(group) < 2 {
			continue
		}
		var allowed []uint64
	next:
		for v := range modulus {
			for _, e := range group {
				if (v%e.m == e.r) == e.not {
					continue next
				}
			}
			allowed = append(allowed, v)
		}
		if !f(first.x, first.sign, modulus, allowed) {
			return
		}
	}
}

// byResidues reports whether the conjuncts cannot hold because of their residues.
func byResidues(st *term.Store, conjuncts []term.ID) bool {
	unsat := false
	residues(st, conjuncts, func(_ term.ID, _ term.Op, _ uint64, allowed []uint64) bool {
		unsat = len(allowed) == 0
		return !unsat
	})
	return unsat
}

// residues tries values near the model's value that have an allowed residue.
func (r *repairer) residues() {
	residues(r.x.st, r.q, func(x term.ID, sign term.Op, modulus uint64, allowed []uint64) bool {
		w := r.x.st.Width(x)
		v := r.x.st.Eval(x, r.m)
		base := v - v%modulus
		if sign == term.OpSRem {
			s := signExtend(v, w)
			base = uint64(s - s%int64(modulus))
		}
		for i, a := range allowed {
			if i == 2 {
				break
			}
			r.solve(x, base+a)
			r.solve(x, a)
			r.solve(x, base+a-modulus)
		}
		return r.found == nil
	})
}
