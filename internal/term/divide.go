package term

import "math/big"

func oneBig() *big.Int { return big.NewInt(1) }

// narrow returns the least number of bits, at least 1, that two operands of w bits can be cut to.
func (s *Store) narrow(a, b ID) int {
	na, nb := s.at(a), s.at(b)
	return max(1, int(na.width)-min(int(na.lz), int(nb.lz)))
}

// UDiv returns the unsigned quotient, all ones where b is zero.
func (s *Store) UDiv(a, b ID) ID {
	w := s.pair(OpUDiv, a, b)
	nb := s.at(b)
	if nb.op == OpConst {
		if s.at(a).op == OpConst {
			return s.fold2(OpUDiv, w, a, b)
		}
		if s.isZero(b) { // (bvudiv x 0) => ~0
			return s.ones(w)
		}
		if k, ok := s.constLog(nb); ok { // (bvudiv x 2^k) => (bvlshr x k)
			return s.lshrConst(a, k)
		}
		if w <= 255 && w-int(s.at(a).lz) < s.constLen(nb) { // (bvudiv x k) => 0 where x < k
			return s.zero(w)
		}
		if k := s.narrow(a, b); w <= 255 && k < w { // (bvudiv (zext x) k) => (zext (bvudiv x k))
			return s.ZExt(s.UDiv(s.Extract(a, k-1, 0), s.Extract(b, k-1, 0)), w)
		}
	}
	if w == 1 { // (bvudiv a b) => (or (not b) a) on one bit
		return s.Or(s.Not(b), a)
	}
	return s.intern(OpUDiv, uint32(w), uint32(a), uint32(b), 0)
}

func (s *Store) lshrConst(a ID, k int) ID {
	w := s.Width(a)
	return s.ZExt(s.Extract(a, w-1, k), w)
}

// URem returns the unsigned remainder, a where b is zero.
func (s *Store) URem(a, b ID) ID {
	w := s.pair(OpURem, a, b)
	nb := s.at(b)
	switch {
	case nb.op == OpConst && s.at(a).op == OpConst:
		return s.fold2(OpURem, w, a, b)
	case a == b: // (bvurem x x) => 0
		return s.zero(w)
	case s.isZero(a): // (bvurem 0 x) => 0
		return a
	case nb.op == OpConst:
		if s.isZero(b) { // (bvurem x 0) => x
			return a
		}
		if k, ok := s.constLog(nb); ok { // (bvurem x 2^k) => (zext (extract x k-1 0))
			if k == 0 {
				return s.zero(w)
			}
			return s.ZExt(s.Extract(a, k-1, 0), w)
		}
		if w <= 255 && w-int(s.at(a).lz) < s.constLen(nb) { // (bvurem x k) => x where x < k
			return a
		}
		if k := s.narrow(a, b); w <= 255 && k < w { // (bvurem (zext x) k) => (zext (bvurem x k))
			return s.ZExt(s.URem(s.Extract(a, k-1, 0), s.Extract(b, k-1, 0)), w)
		}
	}
	if w == 1 { // (bvurem a b) => (and a (not b)) on one bit
		return s.And(a, s.Not(b))
	}
	return s.intern(OpURem, uint32(w), uint32(a), uint32(b), 0)
}

// SDiv returns the signed quotient, truncated. If b is zero it is 1 for negative a, and -1 otherwise.
func (s *Store) SDiv(a, b ID) ID {
	w := s.pair(OpSDiv, a, b)
	nb := s.at(b)
	switch {
	case nb.op == OpConst && s.at(a).op == OpConst:
		return s.fold2(OpSDiv, w, a, b)
	case w > 1 && s.at(a).lz > 0 && nb.lz > 0: // (bvsdiv x y) => (bvudiv x y) where both signs are zero
		return s.UDiv(a, b)
	case w > 1 && s.isOnes(b): // (bvsdiv x -1) => (bvneg x)
		return s.Neg(a)
	case w > 1 && nb.op == OpConst && s.constLen(nb) == 1: // (bvsdiv x 1) => x
		return a
	}
	return s.intern(OpSDiv, uint32(w), uint32(a), uint32(b), 0)
}

// SRem returns the signed remainder with the sign of a, or a if b is zero.
func (s *Store) SRem(a, b ID) ID {
	w := s.pair(OpSRem, a, b)
	nb := s.at(b)
	switch {
	case nb.op == OpConst && s.at(a).op == OpConst:
		return s.fold2(OpSRem, w, a, b)
	case w > 1 && s.at(a).lz > 0 && nb.lz > 0: // (bvsrem x y) => (bvurem x y) where both signs are zero
		return s.URem(a, b)
	case a == b: // (bvsrem x x) => 0
		return s.zero(w)
	case w > 1 && nb.op == OpConst && (s.isOnes(b) || s.constLen(nb) == 1): // (bvsrem x ±1) => 0
		return s.zero(w)
	case s.isZero(b): // (bvsrem x 0) => x
		return a
	}
	return s.intern(OpSRem, uint32(w), uint32(a), uint32(b), 0)
}
