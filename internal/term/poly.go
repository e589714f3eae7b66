package term

// maxMonomials bounds the size of polynomials that are multiplied out.
const maxMonomials = 64

// eqPolynomial multiplies both sides of a = b out and decides the equation where the difference is a constant
// polynomial modulo 2^w. It decides (x+y)*z = x*z+y*z, for example, which bit-blasting cannot do beyond a few
// bits. The equation itself keeps its shape, because polynomials that are multiplied out cost more
// multipliers. The result ok is false if nothing is decided.
func (s *Store) eqPolynomial(a, b ID, w int) (r ID, ok bool) {
	base := len(s.lin)
	defer func() { s.lin = s.lin[:base] }()
	steps := 4 * maxMonomials
	pa, ok1 := s.expand(a, w, &steps)
	pb, ok2 := s.expand(b, w, &steps)
	if !ok1 || !ok2 {
		return 0, false
	}
	for _, e := range pb {
		pa = append(pa, linear{-e.c, e.m})
	}
	pa = s.tidy(pa, w)
	switch {
	case len(pa) == 0:
		return True, true
	case len(pa) == 1 && pa[0].m == 0:
		return False, true
	}
	return 0, false
}

// expand returns t as a sum of monomials. The constant has the monomial 0.
func (s *Store) expand(t ID, w int, steps *int) ([]linear, bool) {
	if *steps--; *steps < 0 {
		return nil, false
	}
	n := s.at(t)
	switch n.op {
	case OpConst:
		v, _ := n.konst()
		return []linear{{v, 0}}, true
	case OpAdd, OpMul:
		op := n.op
		pa, ok1 := s.expand(ID(n.a), w, steps)
		pb, ok2 := s.expand(ID(n.b), w, steps)
		if !ok1 || !ok2 {
			return nil, false
		}
		if op == OpAdd {
			return s.tidy(append(pa, pb...), w), true
		}
		if len(pa)*len(pb) > maxMonomials {
			return nil, false
		}
		var out []linear
		for _, x := range pa {
			for _, y := range pb {
				m := x.m
				switch {
				case m == 0:
					m = y.m
				case y.m != 0:
					m = s.Mul(x.m, y.m)
				}
				out = append(out, linear{x.c * y.c, m})
			}
		}
		return s.tidy(out, w), true
	case OpNeg, OpNot:
		op := n.op
		p, ok := s.expand(ID(n.a), w, steps)
		if !ok {
			return nil, false
		}
		for i := range p {
			p[i].c = -p[i].c
		}
		if op == OpNot { // ~x = -x - 1
			p = s.tidy(append(p, linear{^uint64(0), 0}), w)
		}
		return p, true
	case OpConcat, OpZExt:
		if x, k := s.shifted(t); x != 0 {
			p, ok := s.expand(x, w, steps)
			if !ok {
				return nil, false
			}
			for i := range p {
				p[i].c <<= uint(k)
			}
			return s.tidy(p, w), true
		}
	}
	return []linear{{1, t}}, true
}

// tidy sorts a polynomial, adds up equal monomials and drops zeros.
func (s *Store) tidy(p []linear, w int) []linear {
	base := len(s.lin)
	s.lin = append(s.lin, p...)
	s.merge(base, w)
	p = append(p[:0], s.lin[base:]...)
	s.lin = s.lin[:base]
	return p
}
