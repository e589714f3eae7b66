package term

import (
	"fmt"
	"math/big"
	"math/bits"
)

func trailingZeros(v uint64) int { return bits.TrailingZeros64(v) }
func bitLen(v uint64) int        { return bits.Len64(v) }

// Extract returns the bits hi to lo of t. Both are included.
func (s *Store) Extract(t ID, hi, lo int) ID {
	n := s.at(t)
	w := int(n.width)
	if lo < 0 || hi < lo || hi >= w {
		panic(fmt.Sprintf("bug: extract [%d:%d] of width %d", hi, lo, w))
	}
	out := hi - lo + 1
	if out == w { // (extract x w-1 0) => x
		return t
	}
	if w <= 255 && (hi < int(n.tz) || lo >= w-int(n.lz)) { // bits known to be zero
		return s.zero(out)
	}
	switch n.op {
	case OpConst:
		if v, ok := n.konst(); ok {
			return s.Const(out, v>>uint(lo))
		}
		return s.ConstBig(out, new(big.Int).Rsh(s.bigs[n.a-1], uint(lo)))
	case OpExtract: // (extract (extract x h l) hi lo) => (extract x l+hi l+lo)
		return s.Extract(ID(n.a), int(n.c)+hi, int(n.c)+lo)
	case OpConcat:
		h, l := ID(n.a), ID(n.b)
		wl := s.Width(l)
		switch {
		case hi < wl: // (extract (concat h l)) => (extract l)
			return s.Extract(l, hi, lo)
		case lo >= wl: // (extract (concat h l)) => (extract h)
			return s.Extract(h, hi-wl, lo-wl)
		}
		return s.Concat(s.Extract(h, hi-wl, 0), s.Extract(l, wl-1, lo))
	case OpZExt:
		x := ID(n.a)
		wx := s.Width(x)
		if hi < wx { // (extract (zext x)) => (extract x)
			return s.Extract(x, hi, lo)
		}
		return s.ZExt(s.Extract(x, wx-1, lo), out) // lo < wx: the rest is known to be zero
	case OpSExt:
		x := ID(n.a)
		wx := s.Width(x)
		switch {
		case hi < wx: // (extract (sext x)) => (extract x)
			return s.Extract(x, hi, lo)
		case lo >= wx: // only copies of the sign
			return s.SExt(s.Extract(x, wx-1, wx-1), out)
		}
		return s.SExt(s.Extract(x, wx-1, lo), out)
	case OpNot: // (extract (bvnot x)) => (bvnot (extract x))
		return s.Not(s.Extract(ID(n.a), hi, lo))
	case OpAnd, OpOr, OpXor:
		if s.at(ID(n.b)).op == OpConst || s.cuts(ID(n.a), hi, lo) && s.cuts(ID(n.b), hi, lo) {
			a, b, op := s.Extract(ID(n.a), hi, lo), s.Extract(ID(n.b), hi, lo), n.op
			switch op {
			case OpAnd:
				return s.And(a, b)
			case OpOr:
				return s.Or(a, b)
			}
			return s.Xor(a, b)
		}
	case OpIte:
		if s.cuts(ID(n.b), hi, lo) && s.cuts(ID(n.c), hi, lo) {
			return s.Ite(ID(n.a), s.Extract(ID(n.b), hi, lo), s.Extract(ID(n.c), hi, lo))
		}
	case OpNeg, OpAdd, OpMul:
		// Low bits of sums and products depend on low bits only: (extract (bvadd x y) k 0) => (bvadd (extract x k 0) (extract y k 0)),
		// if the operands lose an extension by this and no circuit is doubled.
		if lo == 0 && s.cuts(t, hi, 0) {
			return s.narrowArith(t, out)
		}
	}
	return s.intern(OpExtract, uint32(out), uint32(t), uint32(hi), uint32(lo))
}

// cuts reports whether Extract(t, hi, lo) needs no new operator.
func (s *Store) cuts(t ID, hi, lo int) bool { return s.cutsDepth(t, hi, lo, 6) }

func (s *Store) cutsDepth(t ID, hi, lo, depth int) bool {
	n := s.at(t)
	if depth == 0 {
		return false
	}
	switch n.op {
	case OpConst:
		return true
	case OpExtract, OpConcat:
		return true
	case OpZExt, OpSExt:
		return hi < s.Width(ID(n.a)) && (hi == s.Width(ID(n.a))-1 && lo == 0 || s.cutsDepth(ID(n.a), hi, lo, depth-1)) ||
			hi >= s.Width(ID(n.a)) && lo == 0
	case OpNeg, OpAdd, OpMul:
		if lo != 0 {
			return false
		}
		fallthrough
	case OpNot, OpAnd, OpOr, OpXor:
		return s.cutsDepth(ID(n.a), hi, lo, depth-1) && (n.op.arity() == 1 || s.cutsDepth(ID(n.b), hi, lo, depth-1))
	}
	return false
}

// narrowArith rebuilds the sum or product t at the width out, if the operands can be cut.
func (s *Store) narrowArith(t ID, out int) ID {
	n := s.at(t)
	a := s.Extract(ID(n.a), out-1, 0)
	if n.op == OpNeg {
		return s.Neg(a)
	}
	op, b := n.op, s.Extract(ID(n.b), out-1, 0)
	if op == OpAdd {
		return s.Add(a, b)
	}
	return s.Mul(a, b)
}

// Concat returns hi followed by lo.
func (s *Store) Concat(hi, lo ID) ID {
	h, l := s.at(hi), s.at(lo)
	w := h.width + l.width
	if h.op == OpConst {
		if l.op == OpConst {
			if w <= 64 {
				hv, _ := h.konst()
				lv, _ := l.konst()
				return s.Const(int(w), hv<<l.width|lv)
			}
			return s.ConstBig(int(w), concatBig(s.big(hi), s.big(lo), int(l.width)))
		}
		if s.isZero(hi) { // (concat 0 x) => (zext x)
			return s.ZExt(lo, int(w))
		}
	}
	switch h.op {
	case OpZExt: // (concat (zext h) l) => (zext (concat h l))
		return s.ZExt(s.Concat(ID(h.a), lo), int(w))
	case OpConcat: // (concat (concat a b) c) => (concat a (concat b c))
		return s.Concat(ID(h.a), s.Concat(ID(h.b), lo))
	}
	if r := s.adjacent(hi, lo); r != 0 {
		return r
	}
	if l.op == OpConcat { // (concat a (concat b c)) => (concat (concat a b) c) where a and b merge
		if r := s.adjacent(hi, ID(l.a)); r != 0 {
			return s.Concat(r, ID(l.b))
		}
	}
	return s.intern(OpConcat, w, uint32(hi), uint32(lo), 0)
}

// adjacent merges neighbours that are constants or adjacent cuts of one term. It returns 0 for other
// neighbours.
func (s *Store) adjacent(hi, lo ID) ID {
	h, l := s.at(hi), s.at(lo)
	if h.op == OpConst && l.op == OpConst {
		return s.Concat(hi, lo)
	}
	if h.op != OpExtract {
		return 0
	}
	if l.op == OpExtract && h.a == l.a && h.c == l.b+1 { // (concat (extract x h m+1) (extract x m l)) => (extract x h l)
		return s.Extract(ID(h.a), int(h.b), int(l.c))
	}
	if ID(h.a) == lo && h.c == l.width {
		panic("bug: a cut outside of what it cuts")
	}
	return 0
}

// ZExt extends t with zeros to w bits.
func (s *Store) ZExt(t ID, w int) ID {
	n := s.at(t)
	switch {
	case w < int(n.width):
		panic(fmt.Sprintf("bug: zext of width %d to %d", n.width, w))
	case w == int(n.width):
		return t
	}
	switch n.op {
	case OpConst:
		if w <= 64 {
			v, _ := n.konst()
			return s.Const(w, v)
		}
		return s.ConstBig(w, s.big(t))
	case OpZExt: // (zext (zext x)) => (zext x)
		return s.ZExt(ID(n.a), w)
	case OpIte: // (zext (ite c k1 k2)) => (ite c k1 k2)
		if s.at(ID(n.b)).op == OpConst && s.at(ID(n.c)).op == OpConst {
			return s.Ite(ID(n.a), s.ZExt(ID(n.b), w), s.ZExt(ID(n.c), w))
		}
	}
	return s.intern(OpZExt, uint32(w), uint32(t), 0, 0)
}

// SExt extends t with copies of its sign bit to w bits.
func (s *Store) SExt(t ID, w int) ID {
	n := s.at(t)
	switch {
	case w < int(n.width):
		panic(fmt.Sprintf("bug: sext of width %d to %d", n.width, w))
	case w == int(n.width):
		return t
	}
	switch {
	case n.op == OpConst:
		if w <= 64 {
			v, _ := n.konst()
			return s.Const(w, uint64(signed(v, int(n.width))))
		}
		return s.ConstBig(w, signedBig(s.big(t), int(n.width)))
	case n.op == OpSExt: // (sext (sext x)) => (sext x)
		return s.SExt(ID(n.a), w)
	case n.lz > 0: // (sext x) => (zext x) where the sign bit is zero
		return s.ZExt(t, w)
	case n.op == OpIte: // (sext (ite c k1 k2)) => (ite c k1 k2)
		if s.at(ID(n.b)).op == OpConst && s.at(ID(n.c)).op == OpConst {
			return s.Ite(ID(n.a), s.SExt(ID(n.b), w), s.SExt(ID(n.c), w))
		}
	}
	return s.intern(OpSExt, uint32(w), uint32(t), 0, 0)
}

// shiftAmount returns the constant amount of a shift. Amounts of w or more become w.
func (s *Store) shiftAmount(b ID, w int) (int, bool) {
	n := s.at(b)
	if n.op != OpConst {
		return 0, false
	}
	if v, ok := n.konst(); ok {
		return int(min(v, uint64(w))), true
	}
	v := s.big(b)
	if !v.IsInt64() || v.Int64() >= int64(w) {
		return w, true
	}
	return int(v.Int64()), true
}

// Shl returns a shifted left by b. The result is zero if b is the width or more.
func (s *Store) Shl(a, b ID) ID {
	w := s.pair(OpShl, a, b)
	if k, ok := s.shiftAmount(b, w); ok {
		return s.shlConst(a, k)
	}
	if s.isZero(a) { // (bvshl 0 y) => 0
		return a
	}
	return s.intern(OpShl, uint32(w), uint32(a), uint32(b), 0)
}

// shlConst: (bvshl x k) => (concat (extract x w-1-k 0) 0)
func (s *Store) shlConst(a ID, k int) ID {
	w := s.Width(a)
	switch {
	case k == 0:
		return a
	case k >= w:
		return s.zero(w)
	}
	return s.Concat(s.Extract(a, w-1-k, 0), s.zero(k))
}

// LShr returns a shifted right by b. Zeros come in.
func (s *Store) LShr(a, b ID) ID {
	w := s.pair(OpLShr, a, b)
	if k, ok := s.shiftAmount(b, w); ok {
		if k == w {
			return s.zero(w)
		}
		return s.ZExt(s.Extract(a, w-1, k), w) // (bvlshr x k) => (zext (extract x w-1 k))
	}
	if s.isZero(a) { // (bvlshr 0 y) => 0
		return a
	}
	return s.intern(OpLShr, uint32(w), uint32(a), uint32(b), 0)
}

// AShr returns a shifted right by b. Copies of the sign bit come in.
func (s *Store) AShr(a, b ID) ID {
	w := s.pair(OpAShr, a, b)
	if s.at(a).lz > 0 { // (bvashr x y) => (bvlshr x y) where the sign bit is zero
		return s.LShr(a, b)
	}
	if k, ok := s.shiftAmount(b, w); ok {
		return s.SExt(s.Extract(a, w-1, min(k, w-1)), w) // (bvashr x k) => (sext (extract x w-1 k))
	}
	if s.isOnes(a) { // (bvashr ~0 y) => ~0
		return a
	}
	return s.intern(OpAShr, uint32(w), uint32(a), uint32(b), 0)
}
