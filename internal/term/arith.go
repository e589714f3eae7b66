package term

// linear is a summand of a sum in linear form. Sums are kept as coefficients of distinct terms, in the order
// of the terms' IDs, and a constant.
type linear struct {
	c uint64
	m ID // the term; never a constant, a Neg or a product with a constant
}

// maxSummands bounds the linear forms that are normalised. A longer sum stays as it is written.
const maxSummands = 32

// collect appends c·t to the scratch as summands and returns the constant part. The result ok is false if
// there are too many summands.
func (s *Store) collect(t ID, c uint64, base int) (k uint64, ok bool) {
	for {
		n := s.at(t)
		switch n.op {
		case OpConst:
			v, _ := n.konst()
			return k + c*v, true
		case OpAdd:
			kb, ok := s.collect(ID(n.b), c, base)
			if !ok {
				return 0, false
			}
			k += kb
			t = ID(n.a)
			continue
		case OpNeg:
			t, c = ID(n.a), -c
			continue
		case OpNot: // ~x = -x - 1
			k -= c
			t, c = ID(n.a), -c
			continue
		case OpMul:
			if v, isK := s.at(ID(n.b)).konst(); isK {
				t, c = ID(n.a), c*v
			}
		case OpConcat, OpZExt:
			if x, sh := s.shifted(t); x != 0 {
				t, c = x, c<<uint(sh)
			}
		}
		if len(s.lin)-base >= maxSummands {
			return 0, false
		}
		s.lin = append(s.lin, linear{c, t})
		return k, true
	}
}

// shifted recognises t = x·2^k if t is written as a concatenation with zeros.
func (s *Store) shifted(t ID) (x ID, k int) {
	n := s.at(t)
	w := int(n.width)
	if n.op == OpZExt {
		n = s.at(ID(n.a))
	}
	if n.op != OpConcat || !s.isZero(ID(n.b)) {
		return 0, 0
	}
	h, k := ID(n.a), s.Width(ID(n.b))
	if nh := s.at(h); nh.op == OpExtract && nh.c == 0 && s.Width(ID(nh.a)) == w && int(n.width) == w {
		return ID(nh.a), k
	}
	return s.ZExt(h, w), k
}

// merge sorts the summands from base on, adds up those of equal terms and drops zeros.
func (s *Store) merge(base, w int) {
	l := s.lin[base:]
	for i := 1; i < len(l); i++ {
		for j := i; j > 0 && l[j].m < l[j-1].m; j-- {
			l[j], l[j-1] = l[j-1], l[j]
		}
	}
	out := 0
	for i := 0; i < len(l); {
		c, m := l[i].c, l[i].m
		for i++; i < len(l) && l[i].m == m; i++ {
			c += l[i].c
		}
		if c &= Mask(w); c != 0 {
			l[out] = linear{c, m}
			out++
		}
	}
	s.lin = s.lin[:base+out]
}

// flatten does the same as merge, and also takes summands apart that are sums themselves with factor ±1. Such
// summands appear when factors cancel.
func (s *Store) flatten(base, w int, k uint64) (uint64, bool) {
	for {
		s.merge(base, w)
		found := false
		for i := base; i < len(s.lin); i++ {
			l := s.lin[i]
			if op := s.at(l.m).op; (op == OpAdd || op == OpNot) && (l.c == 1 || l.c == Mask(w)) {
				s.lin = append(s.lin[:i], s.lin[i+1:]...)
				kk, ok := s.collect(l.m, l.c, base)
				if !ok {
					return 0, false
				}
				k += kk
				found = true
				break
			}
		}
		if !found {
			return k & Mask(w), true
		}
	}
}

// sum returns ca·a + cb·b in normal form.
func (s *Store) sum(a ID, ca uint64, b ID, cb uint64, w int) ID {
	base := len(s.lin)
	k1, ok1 := s.collect(a, ca, base)
	k2, ok2 := s.collect(b, cb, base)
	k := k1 + k2
	ok := ok1 && ok2
	if ok {
		k, ok = s.flatten(base, w, k)
	}
	if !ok {
		s.lin = s.lin[:base]
		return s.rawAdd(s.rawScale(a, ca, w), s.rawScale(b, cb, w), w)
	}
	r := s.build(base, len(s.lin), 1, k, w)
	s.lin = s.lin[:base]
	return r
}

// build returns sign times the summands in s.lin[from:to], plus k.
func (s *Store) build(from, to int, sign uint64, k uint64, w int) ID {
	k &= Mask(w)
	if to == from+1 && s.lin[from].c*sign&Mask(w) == Mask(w) && k == Mask(w) { // -x - 1 => (bvnot x)
		return s.Not(s.lin[from].m)
	}
	var r ID
	for i := from; i < to; i++ {
		t := s.rawScale(s.lin[i].m, s.lin[i].c*sign, w)
		if r == 0 {
			r = t
		} else {
			r = s.rawAdd(r, t, w)
		}
	}
	if r == 0 {
		return s.Const(w, k)
	}
	if k != 0 {
		r = s.rawAdd(r, s.Const(w, k), w)
	}
	return r
}

// rawScale returns c·m for a term m that is a summand.
func (s *Store) rawScale(m ID, c uint64, w int) ID {
	c &= Mask(w)
	if v, ok := s.IsConst(m); ok {
		return s.Const(w, c*v)
	}
	switch {
	case c == 0: // (bvmul x 0) => 0
		return s.zero(w)
	case c == 1: // (bvmul x 1) => x
		return m
	case c == Mask(w): // (bvmul x -1) => (bvneg x)
		return s.rawNeg(m)
	case isPow2(c): // (bvmul x 2^k) => (bvshl x k)
		return s.shlConst(m, log2(c))
	case isPow2(-c & Mask(w)): // (bvmul x -2^k) => (bvneg (bvshl x k))
		return s.rawNeg(s.shlConst(m, log2(-c&Mask(w))))
	}
	return s.intern(OpMul, uint32(w), uint32(m), uint32(s.Const(w, c)), 0)
}

func (s *Store) rawNeg(a ID) ID {
	n := s.at(a)
	if n.op == OpNeg { // (bvneg (bvneg x)) => x
		return ID(n.a)
	}
	if v, ok := n.konst(); ok {
		return s.Const(int(n.width), -v)
	}
	if n.op == OpConst {
		return s.ConstBig(int(n.width), notBig(s.big(a)).Add(notBig(s.big(a)), oneBig()))
	}
	return s.intern(OpNeg, n.width, uint32(a), 0, 0)
}

func (s *Store) rawAdd(a, b ID, w int) ID {
	if s.isZero(a) {
		return b
	}
	if s.isZero(b) {
		return a
	}
	if r := s.asConcat(a, b, w); r != 0 { // (bvadd (concat h 0) (zext l)) => (concat h l)
		return r
	}
	return s.intern(OpAdd, uint32(w), uint32(a), uint32(b), 0)
}

// Add returns a + b modulo 2^w.
func (s *Store) Add(a, b ID) ID {
	w := s.pair(OpAdd, a, b)
	na, nb := s.at(a), s.at(b)
	if na.op == OpConst && nb.op == OpConst {
		return s.fold2(OpAdd, w, a, b)
	}
	if w == 1 { // (bvadd a b) => (bvxor a b) on one bit
		return s.Xor(a, b)
	}
	if s.isZero(b) { // (bvadd x 0) => x
		return a
	}
	if s.isZero(a) {
		return b
	}
	if w > 64 {
		if na.op == OpNeg && ID(na.a) == b || nb.op == OpNeg && ID(nb.a) == a { // (bvadd x (bvneg x)) => 0
			return s.zero(w)
		}
		a, b = s.sorted(a, b)
		if na := s.at(a); na.op == OpAdd && s.at(ID(na.b)).op == OpConst && s.at(b).op == OpConst { // (bvadd (bvadd x k1) k2) => (bvadd x k1+k2)
			return s.Add(ID(na.a), s.fold2(OpAdd, w, ID(na.b), b))
		}
		return s.rawAdd(a, b, w)
	}
	return s.sum(a, 1, b, 1, w)
}

// Sub returns a - b modulo 2^w.
func (s *Store) Sub(a, b ID) ID {
	w := s.pair(OpAdd, a, b)
	switch {
	case a == b: // (bvsub x x) => 0
		return s.zero(w)
	case w == 1: // (bvsub a b) => (bvxor a b) on one bit
		return s.Xor(a, b)
	case w > 64:
		return s.Add(a, s.Neg(b))
	}
	va, oka := s.IsConst(a)
	vb, okb := s.IsConst(b)
	if oka && okb {
		return s.Const(w, va-vb)
	}
	return s.sum(a, 1, b, ^uint64(0), w)
}

// Neg returns -a modulo 2^w.
func (s *Store) Neg(a ID) ID {
	w := s.Width(a)
	if v, ok := s.IsConst(a); ok {
		return s.Const(w, -v)
	}
	if w == 1 { // (bvneg a) => a on one bit
		return a
	}
	if w > 64 {
		return s.rawNeg(a)
	}
	return s.sum(a, ^uint64(0), s.zero(w), 0, w)
}

// maxFactors bounds the number of factors that are sorted.
const maxFactors = 16

// factors appends the factors of t to the scratch (field m) and returns their constant coefficient.
func (s *Store) factors(t ID, base int) (c uint64, ok bool) {
	c = 1
	for {
		n := s.at(t)
		switch n.op {
		case OpConst:
			v, _ := n.konst()
			return c * v, true
		case OpNeg:
			t, c = ID(n.a), -c
			continue
		case OpMul:
			cb, ok := s.factors(ID(n.b), base)
			if !ok {
				return 0, false
			}
			t, c = ID(n.a), c*cb
			continue
		case OpConcat, OpZExt:
			if x, sh := s.shifted(t); x != 0 {
				t, c = x, c<<uint(sh)
				continue
			}
		}
		if len(s.lin)-base >= maxFactors {
			return 0, false
		}
		s.lin = append(s.lin, linear{1, t})
		return c, true
	}
}

// Mul returns a · b modulo 2^w.
func (s *Store) Mul(a, b ID) ID {
	w := s.pair(OpMul, a, b)
	a, b = s.sorted(a, b)
	na, nb := s.at(a), s.at(b)
	switch {
	case na.op == OpConst && nb.op == OpConst:
		return s.fold2(OpMul, w, a, b)
	case w == 1: // (bvmul a b) => (bvand a b) on one bit
		return s.And(a, b)
	case s.isZero(b): // (bvmul x 0) => 0
		return b
	}
	if w > 64 {
		if nb.op == OpConst {
			if k, ok := s.constLog(nb); ok { // (bvmul x 2^k) => (bvshl x k)
				return s.shlConst(a, k)
			}
		}
		return s.intern(OpMul, uint32(w), uint32(a), uint32(b), 0)
	}
	base := len(s.lin)
	defer func() { s.lin = s.lin[:base] }()
	ca, ok1 := s.factors(a, base)
	cb, ok2 := s.factors(b, base)
	if !ok1 || !ok2 {
		return s.intern(OpMul, uint32(w), uint32(a), uint32(b), 0)
	}
	l := s.lin[base:]
	for i := 1; i < len(l); i++ {
		for j := i; j > 0 && l[j].m < l[j-1].m; j-- {
			l[j], l[j-1] = l[j-1], l[j]
		}
	}
	c := ca * cb & Mask(w)
	if len(l) == 0 {
		return s.Const(w, c)
	}
	m := l[0].m
	if len(l) == 1 {
		return s.scale(m, c, w)
	}
	for _, f := range l[1:] {
		m = s.intern(OpMul, uint32(w), uint32(m), uint32(f.m), 0)
	}
	return s.rawScale(m, c, w)
}

// scale returns c·m. If it costs no multiplier, the factor is distributed over a sum of two; a sign is
// distributed over any sum: (bvmul (bvadd x k) c) => (bvadd (bvmul x c) k·c)
func (s *Store) scale(m ID, c uint64, w int) ID {
	n := s.at(m)
	if c == Mask(w) || n.op == OpNot || n.op == OpAdd && s.at(ID(n.b)).op == OpConst && s.at(ID(n.a)).op != OpAdd {
		return s.sum(m, c, s.zero(w), 0, w)
	}
	return s.rawScale(m, c, w)
}
