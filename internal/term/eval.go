package term

import "math/big"

// evaluator keeps values of terms as long as it is asked about one model. The evaluation of a condition that
// grows by one operator thus costs one operator.
type evaluator struct {
	val     []uint64
	gen     []uint32 // val[t] is valid where gen[t] == cur
	cur     uint32
	model   *Model
	version uint32
	wide    map[ID]*big.Int // values above 64 bits, of the current generation
	stack   []ID
}

func (s *Store) beginEval(m *Model) {
	e := &s.ev
	if len(e.val) < int(s.n) {
		n := max(int(s.n), 2*len(e.val))
		e.val = append(e.val, make([]uint64, n-len(e.val))...)
		e.gen = append(e.gen, make([]uint32, n-len(e.gen))...)
	}
	if e.model == m && e.version == m.version && e.cur != 0 {
		return
	}
	e.model, e.version = m, m.version
	e.cur++
	if e.cur == 0 {
		clear(e.gen)
		e.cur = 1
	}
	if len(e.wide) > 0 {
		clear(e.wide)
	}
}

// Eval returns the value of t, which has at most 64 bits, under m.
func (s *Store) Eval(t ID, m *Model) uint64 {
	if s.at(t).width > 64 {
		panic("bug: Eval of a term above 64 bits")
	}
	s.beginEval(m)
	s.eval(t, 0)
	return s.ev.val[t]
}

// EvalBig returns the value of t, of any width, under m.
func (s *Store) EvalBig(t ID, m *Model) *big.Int {
	s.beginEval(m)
	s.eval(t, 0)
	return new(big.Int).Set(s.valueBig(t))
}

// Holds reports whether the boolean t is true under m.
func (s *Store) Holds(t ID, m *Model) bool { return s.Eval(t, m) == 1 }

// maxEvalDepth is the depth at which recursion is replaced by an explicit stack. Recursion is faster,
// but terms may be a million deep.
const maxEvalDepth = 200

// eval ensures that the value of t is known.
func (s *Store) eval(t ID, depth int) {
	e := &s.ev
	if e.gen[t] == e.cur {
		return
	}
	if depth > maxEvalDepth {
		s.evalDeep(t)
		return
	}
	n := s.at(t)
	for i := range n.op.arity() {
		if a := n.arg(i); e.gen[a] != e.cur {
			s.eval(a, depth+1)
		}
	}
	s.evalNode(t, n)
}

func (s *Store) evalDeep(t ID) {
	e := &s.ev
	base := len(e.stack)
	e.stack = append(e.stack, t)
	for len(e.stack) > base {
		t := e.stack[len(e.stack)-1]
		n := s.at(t)
		ready := e.gen[t] == e.cur
		if !ready {
			ready = true
			for i := range n.op.arity() {
				if a := n.arg(i); e.gen[a] != e.cur {
					e.stack = append(e.stack, a)
					ready = false
				}
			}
			if ready {
				s.evalNode(t, n)
			}
		}
		if ready {
			e.stack = e.stack[:len(e.stack)-1]
		}
	}
}

// evalNode computes the value of t from the values of its arguments.
func (s *Store) evalNode(t ID, n *node) {
	e := &s.ev
	e.gen[t] = e.cur
	if n.width > 64 {
		s.evalWide(t, n)
		return
	}
	var v uint64
	switch n.op {
	case OpConst:
		v = uint64(n.c)<<32 | uint64(n.b)
	case OpVar, OpElem:
		if int(n.ext) < len(e.model.vals) {
			v = e.model.vals[n.ext]
		}
	case OpRead:
		if l := s.elemAt(n.a, e.val[n.b]); l != 0 {
			v = e.model.Get(l)
		}
	case OpLookup:
		if s.at(ID(n.b)).width > 64 {
			if i := e.wide[ID(n.b)]; i.IsUint64() {
				v = s.tables[n.a].at(i.Uint64())
			}
		} else {
			v = s.tables[n.a].at(e.val[n.b])
		}
	case OpIte:
		v = e.val[n.c]
		if e.val[n.a] != 0 {
			v = e.val[n.b]
		}
	case OpExtract:
		if s.at(ID(n.a)).width > 64 {
			s.evalWide(t, n)
			return
		}
		v = e.val[n.a] >> n.c
	case OpConcat:
		v = e.val[n.a]<<s.at(ID(n.b)).width | e.val[n.b]
	default:
		w := s.at(ID(n.a)).width
		switch {
		case w > 64:
			s.evalWide(t, n)
			return
		case n.op.arity() == 1:
			v = apply1(n.op, int(w), int(n.width), e.val[n.a])
		default:
			v = apply2(n.op, int(w), e.val[n.a], e.val[n.b])
		}
	}
	e.val[t] = v & Mask(int(n.width))
}

// valueBig returns the known value of t.
func (s *Store) valueBig(t ID) *big.Int {
	if s.at(t).width > 64 {
		return s.ev.wide[t]
	}
	return new(big.Int).SetUint64(s.ev.val[t])
}

// evalWide does the same as evalNode for terms with more than 64 bits.
func (s *Store) evalWide(t ID, n *node) {
	e := &s.ev
	var v *big.Int
	switch n.op {
	case OpConst:
		v = s.big(t)
	case OpVar, OpElem:
		v = e.model.GetBig(t)
	case OpRead:
		v = new(big.Int)
		if l := s.elemAt(n.a, e.val[n.b]); l != 0 {
			v = e.model.GetBig(l)
		}
	case OpIte:
		if e.val[n.a] != 0 {
			v = s.valueBig(ID(n.b))
		} else {
			v = s.valueBig(ID(n.c))
		}
	case OpExtract:
		v = new(big.Int).Rsh(s.valueBig(ID(n.a)), uint(n.c))
	case OpConcat:
		v = concatBig(s.valueBig(ID(n.a)), s.valueBig(ID(n.b)), s.Width(ID(n.b)))
	case OpNot:
		v = notBig(s.valueBig(ID(n.a)))
	case OpNeg:
		v = new(big.Int).Neg(s.valueBig(ID(n.a)))
	case OpZExt:
		v = s.valueBig(ID(n.a))
	case OpSExt:
		v = signedBig(s.valueBig(ID(n.a)), s.Width(ID(n.a)))
	default:
		v = apply2Big(n.op, s.Width(ID(n.a)), s.valueBig(ID(n.a)), s.valueBig(ID(n.b)))
	}
	v = truncBig(v, int(n.width))
	if n.width <= 64 {
		e.val[t] = v.Uint64()
		return
	}
	if e.wide == nil {
		e.wide = map[ID]*big.Int{}
	}
	e.wide[t] = v
}
