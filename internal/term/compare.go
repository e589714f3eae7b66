package term

// Ne returns a != b.
func (s *Store) Ne(a, b ID) ID { return s.Not(s.Eq(a, b)) }

// Ule returns a <= b, unsigned.
func (s *Store) Ule(a, b ID) ID { return s.Not(s.Ult(b, a)) }

// Sle returns a <= b, signed.
func (s *Store) Sle(a, b ID) ID { return s.Not(s.Slt(b, a)) }

// Eq returns a == b, of width 1.
func (s *Store) Eq(a, b ID) ID {
	w := s.pair(OpEq, a, b)
	if a == b { // (= x x) => true
		return True
	}
	if w == 1 { // (= a b) => (not (xor a b)) on booleans
		return s.Not(s.Xor(a, b))
	}
	a, b = s.sorted(a, b)
	na, nb := s.at(a), s.at(b)
	if nb.op == OpConst && na.op == OpConst {
		return False // equal constants have equal IDs
	}
	if w <= 64 && (s.arithmetic(na) || s.arithmetic(nb)) {
		if r := s.eqLinear(a, b, w); r != 0 {
			return r
		}
	}
	return s.eqShape(a, b)
}

// arithmetic reports whether a term has a linear form that may simplify a comparison.
func (s *Store) arithmetic(n *node) bool {
	switch n.op {
	case OpAdd, OpNeg, OpMul, OpNot:
		return true
	case OpConcat:
		return s.isZero(ID(n.b))
	}
	return false
}

// eqLinear solves a = b as a linear equation. It returns 0 if there are too many summands.
func (s *Store) eqLinear(a, b ID, w int) ID {
	base := len(s.lin)
	defer func() { s.lin = s.lin[:base] }()
	k1, ok1 := s.collect(a, 1, base)
	k2, ok2 := s.collect(b, ^uint64(0), base)
	if !ok1 || !ok2 {
		return 0
	}
	k, ok := s.flatten(base, w, k1+k2)
	if !ok {
		return 0
	}
	l := s.lin[base:]
	if len(l) == 0 { // (= (bvadd x k1) (bvadd x k2)) => k1 = k2
		return s.Bool(k == 0)
	}
	tz := w
	for _, e := range l {
		tz = min(tz, trailingZeros(e.c))
	}
	if k != 0 && trailingZeros(k) < tz { // the left side is a multiple of 2^tz, and the right side is not
		return False
	}
	if len(l) == 1 { // (= (bvmul x c) k) => (= (extract x) k/c)
		m, c := l[0].m, l[0].c
		rhs := s.Const(w-tz, (-k&Mask(w))>>uint(tz)*inverse(c>>uint(tz)))
		x := s.Extract(m, w-1-tz, 0)
		if x == a && rhs == b {
			return s.eqShape(a, b)
		}
		return s.Eq(x, rhs)
	}
	for _, e := range l {
		if s.at(e.m).op == OpMul {
			if r, ok := s.eqPolynomial(a, b, w); ok {
				return r
			}
			break
		}
	}
	// Positive coefficients go to the left. Negative ones go to the right and become positive. The first
	// coefficient is positive. The number 2^(w-1) is its own negation and counts as positive.
	least := uint64(1) << uint(w-1)
	positive := func(c uint64) bool { c &= Mask(w); return c <= least }
	sign := uint64(1)
	for _, e := range s.lin[base:] {
		if e.c != least {
			if !positive(e.c) {
				sign = ^uint64(0)
			}
			break
		}
	}
	k *= sign
	n := len(s.lin)
	for i := base; i < n; i++ {
		if e := s.lin[i]; positive(e.c * sign) {
			s.lin = append(s.lin, linear{e.c * sign, e.m})
		}
	}
	mid := len(s.lin)
	for i := base; i < n; i++ {
		if e := s.lin[i]; !positive(e.c * sign) {
			s.lin = append(s.lin, linear{-(e.c * sign), e.m})
		}
	}
	lhs := s.build(n, mid, 1, 0, w)
	rhs := s.build(mid, len(s.lin), 1, -k, w)
	if lhs == rhs {
		return True
	}
	return s.eqShape(s.sorted(lhs, rhs))
}

// eqShape applies the rules that are not arithmetic to a = b. The sides are sorted.
func (s *Store) eqShape(a, b ID) ID {
	na, nb := s.at(a), s.at(b)
	w := int(na.width)
	if nb.op == OpConst {
		if na.op == OpConst {
			return s.Bool(a == b)
		}
		return s.eqConst(a, b)
	}
	if a == b {
		return True
	}
	if s.complements(na, nb, a, b) { // (= x (bvnot x)) => false
		return False
	}
	if na.op == OpNot && nb.op == OpNot { // (= (bvnot x) (bvnot y)) => (= x y)
		return s.Eq(ID(na.a), ID(nb.a))
	}
	if na.op == OpSExt && nb.op == OpSExt && s.Width(ID(na.a)) == s.Width(ID(nb.a)) { // (= (sext x) (sext y)) => (= x y)
		return s.Eq(ID(na.a), ID(nb.a))
	}
	// (= (zext x) (zext y)) => (= x y), cut to the wider of the two
	if k := s.narrow(a, b); w <= 255 && k < w {
		return s.Eq(s.Extract(a, k-1, 0), s.Extract(b, k-1, 0))
	}
	if na.op == OpConcat && nb.op == OpConcat && s.Width(ID(na.b)) == s.Width(ID(nb.b)) { // (= (concat a b) (concat c d)) => (and (= a c) (= b d))
		return s.And(s.Eq(ID(na.a), ID(nb.a)), s.Eq(ID(na.b), ID(nb.b)))
	}
	if na.op == OpXor && nb.op == OpXor && s.at(ID(na.b)).op == OpConst && s.at(ID(nb.b)).op == OpConst { // (= (bvxor x k1) (bvxor y k2)) => (= x (bvxor y k1^k2))
		return s.Eq(ID(na.a), s.Xor(ID(nb.a), s.Xor(ID(na.b), ID(nb.b))))
	}
	return s.intern(OpEq, 1, uint32(a), uint32(b), 0)
}

// eqConst applies the rules for a = k: an operation of a that has an inverse is undone by applying the
// inverse to k.
func (s *Store) eqConst(a, k ID) ID {
	n, nk := s.at(a), s.at(k)
	w := int(n.width)
	if w <= 255 && (nk.lz < n.lz || nk.tz < n.tz) { // bits of k that are known to be zero in a
		return False
	}
	switch n.op {
	case OpNot: // (= (bvnot x) k) => (= x ~k)
		return s.Eq(ID(n.a), s.Not(k))
	case OpXor:
		if s.at(ID(n.b)).op == OpConst { // (= (bvxor x k1) k2) => (= x k1^k2)
			return s.Eq(ID(n.a), s.Xor(ID(n.b), k))
		}
		if s.isZero(k) { // (= (bvxor x y) 0) => (= x y)
			return s.Eq(ID(n.a), ID(n.b))
		}
	// The next two cases are for widths that have no linear form.
	case OpNeg:
		if w > 64 { // (= (bvneg x) k) => (= x -k)
			return s.Eq(ID(n.a), s.Neg(k))
		}
	case OpAdd:
		if w > 64 && s.at(ID(n.b)).op == OpConst { // (= (bvadd x k1) k2) => (= x k2-k1)
			return s.Eq(ID(n.a), s.Sub(k, ID(n.b)))
		}
	case OpAnd: // (= (bvand x k1) k2) => false where k2 has a bit that k1 has not
		if b := ID(n.b); s.at(b).op == OpConst && s.And(b, k) != k {
			return False
		}
	case OpOr: // (= (bvor x k1) k2) => false where k1 has a bit that k2 has not
		if b := ID(n.b); s.at(b).op == OpConst && s.And(b, k) != b {
			return False
		}
		if s.isZero(k) { // (= (bvor x y) 0) => (and (= x 0) (= y 0))
			return s.And(s.Eq(ID(n.a), k), s.Eq(ID(n.b), k))
		}
	case OpZExt: // (= (zext x) k) => (= x k)
		wx := s.Width(ID(n.a))
		if s.constLen(nk) > wx {
			return False
		}
		return s.Eq(ID(n.a), s.Extract(k, wx-1, 0))
	case OpSExt: // (= (sext x) k) => (= x k), and false if k is no such extension
		low := s.Extract(k, s.Width(ID(n.a))-1, 0)
		if s.SExt(low, w) != k {
			return False
		}
		return s.Eq(ID(n.a), low)
	case OpConcat: // (= (concat h l) k) => (and (= h k) (= l k))
		wl := s.Width(ID(n.b))
		return s.And(s.Eq(ID(n.a), s.Extract(k, w-1, wl)), s.Eq(ID(n.b), s.Extract(k, wl-1, 0)))
	case OpIte:
		c, x, y := ID(n.a), ID(n.b), ID(n.c)
		// (= (ite c k1 y) k) => (or c (= y k)) or (and (not c) (= y k)), and alike for the other branch
		switch {
		case s.at(x).op == OpConst && x == k:
			return s.Or(c, s.Eq(y, k))
		case s.at(x).op == OpConst:
			return s.And(s.Not(c), s.Eq(y, k))
		case s.at(y).op == OpConst && y == k:
			return s.Or(s.Not(c), s.Eq(x, k))
		case s.at(y).op == OpConst:
			return s.And(c, s.Eq(x, k))
		}
	case OpUDiv: // (= (bvudiv x c) k) => (and (bvule k·c x) (bvult x k·c+c))
		if d, ok := s.IsConst(ID(n.b)); ok && w <= 64 {
			v, _ := nk.konst()
			return s.between(ID(n.a), v, d, w)
		}
	case OpLookup:
		if r := s.lookupIs(n, k); r != 0 {
			return r
		}
	}
	return s.intern(OpEq, 1, uint32(a), uint32(k), 0)
}

// between returns v·d <= x < v·d+d, where d > 0.
func (s *Store) between(x ID, v, d uint64, w int) ID {
	lo := v * d
	if d != 0 && v > Mask(w)/d {
		return False
	}
	r := s.Ule(s.Const(w, lo), x)
	if hi := lo + (d - 1); hi >= lo && hi < Mask(w) {
		r = s.And(r, s.Ult(x, s.Const(w, hi+1)))
	}
	return r
}

// Ult returns a < b, unsigned.
func (s *Store) Ult(a, b ID) ID {
	w := s.pair(OpUlt, a, b)
	na, nb := s.at(a), s.at(b)
	switch {
	case a == b: // (bvult x x) => false
		return False
	case na.op == OpConst && nb.op == OpConst:
		return s.fold2(OpUlt, 1, a, b)
	case w == 1: // (bvult a b) => (and (not a) b) on booleans
		return s.And(s.Not(a), b)
	case s.isZero(b): // (bvult x 0) => false
		return False
	case s.isZero(a): // (bvult 0 x) => (not (= x 0))
		return s.Ne(b, a)
	case s.isOnes(a): // (bvult ~0 x) => false
		return False
	case s.isOnes(b): // (bvult x ~0) => (not (= x ~0))
		return s.Ne(a, b)
	case nb.op == OpConst && s.constLen(nb) == 1: // (bvult x 1) => (= x 0)
		return s.Eq(a, s.zero(w))
	}
	if w <= 255 {
		if nb.op == OpConst && s.constLen(nb) > w-int(na.lz) { // x fits below k
			return True
		}
		if na.op == OpConst && s.constLen(na) > w-int(nb.lz) { // x fits below k
			return False
		}
		if v, ok := nb.konst(); ok && na.op == OpUDiv && w <= 64 {
			if d, ok := s.IsConst(ID(na.b)); ok { // (bvult (bvudiv x c) k) => (bvult x k·c)
				if v > Mask(w)/d {
					return True
				}
				return s.Ult(ID(na.a), s.Const(w, v*d))
			}
		}
		if k := s.narrow(a, b); k < w { // (bvult (zext x) (zext y)) => (bvult x y)
			return s.Ult(s.Extract(a, k-1, 0), s.Extract(b, k-1, 0))
		}
	}
	if w <= 64 {
		if v, ok := na.konst(); ok { // (bvult k x) => (not (bvult x k+1))
			return s.Not(s.Ult(b, s.Const(w, v+1)))
		}
	}
	if na.op == OpConcat && nb.op == OpConcat && na.a == nb.a { // (bvult (concat x a) (concat x b)) => (bvult a b)
		return s.Ult(ID(na.b), ID(nb.b))
	}
	return s.intern(OpUlt, 1, uint32(a), uint32(b), 0)
}

// Slt returns a < b, signed.
func (s *Store) Slt(a, b ID) ID {
	w := s.pair(OpSlt, a, b)
	na, nb := s.at(a), s.at(b)
	switch {
	case a == b: // (bvslt x x) => false
		return False
	case na.op == OpConst && nb.op == OpConst:
		return s.fold2(OpSlt, 1, a, b)
	case w == 1: // (bvslt a b) => (and a (not b)) on booleans
		return s.And(a, s.Not(b))
	case na.lz > 0 && nb.lz > 0: // (bvslt x y) => (bvult x y) where both signs are zero
		return s.Ult(a, b)
	case na.lz > 0 && nb.op == OpConst: // (bvslt x k) => false where k is negative and x is not
		return False
	case nb.lz > 0 && na.op == OpConst: // (bvslt k x) => true where k is negative and x is not
		return True
	}
	if na.op == OpSExt && nb.op == OpSExt { // (bvslt (sext x) (sext y)) => (bvslt x y)
		k := max(s.Width(ID(na.a)), s.Width(ID(nb.a)))
		return s.Slt(s.Extract(a, k-1, 0), s.Extract(b, k-1, 0))
	}
	if w > 64 {
		return s.intern(OpSlt, 1, uint32(a), uint32(b), 0)
	}
	least := uint64(1) << uint(w-1)
	if v, ok := na.konst(); ok {
		if v == least-1 { // (bvslt max x) => false
			return False
		}
		return s.Not(s.Slt(b, s.Const(w, v+1))) // (bvslt k x) => (not (bvslt x k+1))
	}
	if v, ok := nb.konst(); ok {
		switch v {
		case least: // (bvslt x min) => false
			return False
		case least + 1: // (bvslt x min+1) => (= x min)
			return s.Eq(a, s.Const(w, least))
		case least - 1: // (bvslt x max) => (not (= x max))
			return s.Ne(a, b)
		}
		if na.op == OpSExt { // (bvslt (sext x) k) => (bvslt x k), decided where k is out of x's range
			wx := s.Width(ID(na.a))
			lim := int64(1) << uint(wx-1)
			switch sv := signed(v, w); {
			case sv >= lim:
				return True
			case sv < -lim:
				return False
			}
			return s.Slt(ID(na.a), s.Const(wx, v))
		}
	}
	return s.intern(OpSlt, 1, uint32(a), uint32(b), 0)
}
