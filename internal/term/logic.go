package term

import "fmt"

// konst does the same as IsConst for rules, most of which have the node already.
func (n *node) konst() (uint64, bool) {
	if n.op != OpConst || n.width > 64 {
		return 0, false
	}
	return uint64(n.c)<<32 | uint64(n.b), true
}

// pair checks that a and b have the same width, and returns the width.
func (s *Store) pair(op Op, a, b ID) int {
	wa, wb := s.at(a).width, s.at(b).width
	if wa != wb {
		panic(fmt.Sprintf("bug: %s of widths %d and %d: %s, %s", op, wa, wb, s.String(a), s.String(b)))
	}
	return int(wa)
}

// sorted orders the operands of a commutative operator: by ID, a constant last.
func (s *Store) sorted(a, b ID) (ID, ID) {
	ca, cb := s.at(a).op == OpConst, s.at(b).op == OpConst
	if ca != cb {
		if ca {
			return b, a
		}
		return a, b
	}
	if a > b {
		return b, a
	}
	return a, b
}

// constLen returns the number of significant bits of a constant, without making a big.Int of it.
func (s *Store) constLen(n *node) int {
	if n.width > 255 {
		return s.bigs[n.a-1].BitLen()
	}
	return int(n.width) - int(n.lz)
}

// constLog returns k if the constant is 2^k.
func (s *Store) constLog(n *node) (k int, ok bool) {
	if n.width > 255 {
		v := s.bigs[n.a-1]
		return v.BitLen() - 1, v.Sign() > 0 && v.BitLen() == int(v.TrailingZeroBits())+1
	}
	l := s.constLen(n)
	return l - 1, l > 0 && l == int(n.tz)+1
}

// isZero and isOnes work for constants of any width.
func (s *Store) isZero(t ID) bool {
	n := s.at(t)
	return n.op == OpConst && uint32(n.lz) == min(n.width, 255) && s.zeroBig(n)
}

func (s *Store) zeroBig(n *node) bool { return n.width <= 64 || s.bigs[n.a-1].Sign() == 0 }

func (s *Store) isOnes(t ID) bool {
	n := s.at(t)
	if n.op != OpConst {
		return false
	}
	if n.width <= 64 {
		v, _ := n.konst()
		return v == Mask(int(n.width))
	}
	v := s.bigs[n.a-1]
	return v.BitLen() == int(n.width) && int(truncBig(notBig(v), int(n.width)).BitLen()) == 0
}

func (s *Store) zero(w int) ID { return s.Const(w, 0) }

func (s *Store) ones(w int) ID {
	if w <= 64 {
		return s.Const(w, ^uint64(0))
	}
	return s.ConstBig(w, minusOne())
}

// Not returns the bitwise complement, which is the negation for booleans.
func (s *Store) Not(a ID) ID {
	n := s.at(a)
	w := int(n.width)
	switch n.op {
	case OpConst:
		if v, ok := n.konst(); ok {
			return s.Const(w, ^v)
		}
		return s.ConstBig(w, notBig(s.bigs[n.a-1]))
	case OpNot: // (bvnot (bvnot x)) => x
		return ID(n.a)
	case OpIte: // (bvnot (ite c k1 k2)) => (ite c ~k1 ~k2)
		if s.at(ID(n.b)).op == OpConst && s.at(ID(n.c)).op == OpConst {
			return s.Ite(ID(n.a), s.Not(ID(n.b)), s.Not(ID(n.c)))
		}
	case OpXor: // (bvnot (bvxor x k)) => (bvxor x ~k)
		if s.at(ID(n.b)).op == OpConst {
			return s.Xor(ID(n.a), s.Not(ID(n.b)))
		}
	}
	return s.intern(OpNot, n.width, uint32(a), 0, 0)
}

// And returns the bitwise conjunction.
func (s *Store) And(a, b ID) ID {
	w := s.pair(OpAnd, a, b)
	a, b = s.sorted(a, b)
	na, nb := s.at(a), s.at(b)
	if nb.op == OpConst {
		if na.op == OpConst {
			return s.fold2(OpAnd, w, a, b)
		}
		if s.isZero(b) { // (bvand x 0) => 0
			return b
		}
		if s.isOnes(b) { // (bvand x ~0) => x
			return a
		}
		if na.op == OpAnd && s.at(ID(na.b)).op == OpConst { // (bvand (bvand x k1) k2) => (bvand x k1&k2)
			return s.And(ID(na.a), s.fold2(OpAnd, w, ID(na.b), b))
		}
		if k, ok := nb.konst(); ok {
			if r := s.maskRun(a, w, k); r != 0 {
				return r
			}
		}
		return s.intern(OpAnd, uint32(w), uint32(a), uint32(b), 0)
	}
	if a == b { // (bvand x x) => x
		return a
	}
	if s.complements(na, nb, a, b) { // (bvand x (bvnot x)) => 0
		return s.zero(w)
	}
	// Absorption, one level deep: (bvand x (bvand x y)) => (bvand x y), and the same with x or y
	// complemented.
	if r := s.absorb(a, b); r != 0 {
		return r
	}
	if r := s.absorb(b, a); r != 0 {
		return r
	}
	// Operands with no one bit in common: (bvand x y) => 0
	if w <= 255 && (int(na.lz)+int(nb.tz) >= w || int(nb.lz)+int(na.tz) >= w) {
		return s.zero(w)
	}
	return s.intern(OpAnd, uint32(w), uint32(a), uint32(b), 0)
}

func (s *Store) complements(na, nb *node, a, b ID) bool {
	return na.op == OpNot && ID(na.a) == b || nb.op == OpNot && ID(nb.a) == a
}

// absorb simplifies a & b by looking into b. It returns 0 if no rule applies.
func (s *Store) absorb(a, b ID) ID {
	nb := s.at(b)
	switch nb.op {
	case OpAnd:
		x, y := ID(nb.a), ID(nb.b)
		if x == a || y == a { // (bvand x (bvand x y)) => (bvand x y)
			return b
		}
		na := s.at(a)
		if s.complements(na, s.at(x), a, x) || s.complements(na, s.at(y), a, y) { // (bvand x (bvand (bvnot x) y)) => 0
			return s.zero(int(nb.width))
		}
	case OpNot:
		in := s.at(ID(nb.a))
		if in.op != OpAnd {
			return 0
		}
		na := s.at(a)
		x, y := ID(in.a), ID(in.b)
		switch {
		case x == a: // (bvand x (bvnot (bvand x y))) => (bvand x (bvnot y))
			return s.And(a, s.Not(y))
		case y == a:
			return s.And(a, s.Not(x))
		case s.complements(na, s.at(x), a, x), s.complements(na, s.at(y), a, y): // (bvand x (bvnot (bvand (bvnot x) y))) => x
			return a
		}
	}
	return 0
}

// maskRun rewrites a & k if the ones of k form one run: the bits are cut out and placed, which all other
// rules understand. It returns 0 if they form no run.
func (s *Store) maskRun(a ID, w int, k uint64) ID {
	lo := trailingZeros(k)
	run := k >> uint(lo)
	if run&(run+1) != 0 {
		return 0
	}
	hi := lo + bitLen(run) - 1
	// (bvand x 0..01..10..0) => (concat 0 (extract x) 0)
	t := s.Extract(a, hi, lo)
	if lo > 0 {
		t = s.Concat(t, s.zero(lo))
	}
	return s.ZExt(t, w)
}

// Or returns the bitwise disjunction.
func (s *Store) Or(a, b ID) ID {
	w := s.pair(OpOr, a, b)
	if w == 1 { // (or a b) => (not (and (not a) (not b)))
		return s.Not(s.And(s.Not(a), s.Not(b)))
	}
	a, b = s.sorted(a, b)
	na, nb := s.at(a), s.at(b)
	if nb.op == OpConst {
		if na.op == OpConst {
			return s.fold2(OpOr, w, a, b)
		}
		if s.isZero(b) { // (bvor x 0) => x
			return a
		}
		if s.isOnes(b) { // (bvor x ~0) => ~0
			return b
		}
		if na.op == OpOr && s.at(ID(na.b)).op == OpConst { // (bvor (bvor x k1) k2) => (bvor x k1|k2)
			return s.Or(ID(na.a), s.fold2(OpOr, w, ID(na.b), b))
		}
	}
	if a == b { // (bvor x x) => x
		return a
	}
	if s.complements(na, nb, a, b) { // (bvor x (bvnot x)) => ~0
		return s.ones(w)
	}
	if na.op == OpOr && (ID(na.a) == b || ID(na.b) == b) { // (bvor (bvor x y) x) => (bvor x y)
		return a
	}
	if nb.op == OpOr && (ID(nb.a) == a || ID(nb.b) == a) {
		return b
	}
	if r := s.asConcat(a, b, w); r != 0 {
		return r
	}
	return s.intern(OpOr, uint32(w), uint32(a), uint32(b), 0)
}

// Xor returns the bitwise exclusive or.
func (s *Store) Xor(a, b ID) ID {
	w := s.pair(OpXor, a, b)
	a, b = s.sorted(a, b)
	na, nb := s.at(a), s.at(b)
	if nb.op == OpConst {
		if na.op == OpConst {
			return s.fold2(OpXor, w, a, b)
		}
		if s.isZero(b) { // (bvxor x 0) => x
			return a
		}
		if s.isOnes(b) { // (bvxor x ~0) => (bvnot x)
			return s.Not(a)
		}
		if na.op == OpXor && s.at(ID(na.b)).op == OpConst { // (bvxor (bvxor x k1) k2) => (bvxor x k1^k2)
			return s.Xor(ID(na.a), s.fold2(OpXor, w, ID(na.b), b))
		}
		if na.op == OpNot { // (bvxor (bvnot x) k) => (bvxor x ~k)
			return s.Xor(ID(na.a), s.Not(b))
		}
		return s.intern(OpXor, uint32(w), uint32(a), uint32(b), 0)
	}
	if a == b { // (bvxor x x) => 0
		return s.zero(w)
	}
	if s.complements(na, nb, a, b) { // (bvxor x (bvnot x)) => ~0
		return s.ones(w)
	}
	// (bvxor (bvnot x) y) => (bvnot (bvxor x y))
	if na.op == OpNot {
		return s.Not(s.Xor(ID(na.a), b))
	}
	if nb.op == OpNot {
		return s.Not(s.Xor(a, ID(nb.a)))
	}
	// (bvxor (bvxor x y) x) => y
	for range 2 {
		if na.op == OpXor {
			if ID(na.a) == b {
				return ID(na.b)
			}
			if ID(na.b) == b {
				return ID(na.a)
			}
			if s.at(ID(na.b)).op == OpConst { // (bvxor (bvxor x k) y) => (bvxor (bvxor x y) k)
				return s.Xor(s.Xor(ID(na.a), b), ID(na.b))
			}
		}
		a, b, na, nb = b, a, nb, na
	}
	if w > 1 {
		if r := s.asConcat(a, b, w); r != 0 {
			return r
		}
	}
	return s.intern(OpXor, uint32(w), uint32(a), uint32(b), 0)
}

// asConcat recognises a sum, or, or exclusive or of operands that share no bit: if one operand has zeros in its
// low bits and the other fits there, the result is one concatenation. This turns bytes that shifts put
// together into words. It returns 0 if the operands share bits.
func (s *Store) asConcat(a, b ID, w int) ID {
	if w > 255 {
		return 0
	}
	for range 2 {
		na, nb := s.at(a), s.at(b)
		k := int(na.tz)
		if k > 0 && k < w && w-int(nb.lz) <= k && (na.op == OpConcat || na.op == OpZExt && s.at(ID(na.a)).op == OpConcat) {
			// (bvor (concat h 0) (zext l)) => (concat h l)
			return s.Concat(s.Extract(a, w-1, k), s.Extract(b, k-1, 0))
		}
		a, b = b, a
	}
	return 0
}

// Implies returns ¬a ∨ b.
func (s *Store) Implies(a, b ID) ID { return s.Not(s.And(a, s.Not(b))) }

// AndAll returns the conjunction of booleans, True of none.
func (s *Store) AndAll(ts ...ID) ID {
	r := True
	for _, t := range ts {
		r = s.And(r, t)
	}
	return r
}

// OrAll returns the disjunction of booleans, False of none.
func (s *Store) OrAll(ts ...ID) ID {
	r := False
	for _, t := range ts {
		r = s.Or(r, t)
	}
	return r
}

// Ite returns a if c is true, and b otherwise.
func (s *Store) Ite(c, a, b ID) ID {
	w := s.pair(OpIte, a, b)
	if s.at(c).width != 1 {
		panic("bug: condition of width " + fmt.Sprint(s.at(c).width))
	}
	nc := s.at(c)
	switch {
	case c == True: // (ite true a b) => a
		return a
	case c == False: // (ite false a b) => b
		return b
	case a == b: // (ite c a a) => a
		return a
	case nc.op == OpNot: // (ite (not c) a b) => (ite c b a)
		return s.Ite(ID(nc.a), b, a)
	}
	if w == 1 {
		switch {
		case a == True, a == c: // (ite c true b) => (or c b)
			return s.Or(c, b)
		case a == False: // (ite c false b) => (and (not c) b)
			return s.And(s.Not(c), b)
		case b == False, b == c: // (ite c a false) => (and c a)
			return s.And(c, a)
		case b == True: // (ite c a true) => (or (not c) a)
			return s.Or(s.Not(c), a)
		case s.Not(a) == b: // (ite c a (not a)) => (not (xor c a))
			return s.Not(s.Xor(c, a))
		}
	}
	na, nb := s.at(a), s.at(b)
	if na.op == OpIte {
		if ID(na.a) == c { // (ite c (ite c x y) b) => (ite c x b)
			return s.Ite(c, ID(na.b), b)
		}
		if ID(na.c) == b { // (ite c (ite d x b) b) => (ite (and c d) x b)
			return s.Ite(s.And(c, ID(na.a)), ID(na.b), b)
		}
		if ID(na.b) == b { // (ite c (ite d b x) b) => (ite (and c (not d)) x b)
			return s.Ite(s.And(c, s.Not(ID(na.a))), ID(na.c), b)
		}
	}
	if nb.op == OpIte {
		if ID(nb.a) == c { // (ite c a (ite c x y)) => (ite c a y)
			return s.Ite(c, a, ID(nb.c))
		}
		if ID(nb.b) == a { // (ite c a (ite d a y)) => (ite (or c d) a y)
			return s.Ite(s.Or(c, ID(nb.a)), a, ID(nb.c))
		}
		if ID(nb.c) == a { // (ite c a (ite d y a)) => (ite (or c (not d)) a y)
			return s.Ite(s.Or(c, s.Not(ID(nb.a))), a, ID(nb.b))
		}
	}
	if na.op == OpZExt && nb.op == OpZExt && s.at(ID(na.a)).width == s.at(ID(nb.a)).width { // (ite c (zext x) (zext y)) => (zext (ite c x y))
		return s.ZExt(s.Ite(c, ID(na.a), ID(nb.a)), w)
	}
	return s.intern(OpIte, uint32(w), uint32(c), uint32(a), uint32(b))
}
