package term

import (
	"math/big"
	"math/bits"
)

func signed(v uint64, w int) int64 { return int64(v<<uint(64-w)) >> uint(64-w) }

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// fold2 applies a binary operator to two constants of any width. The parameter out is the width of the
// result.
func (s *Store) fold2(op Op, out int, a, b ID) ID {
	na, nb := s.at(a), s.at(b)
	if na.width <= 64 && nb.width <= 64 && out <= 64 {
		va, _ := na.konst()
		vb, _ := nb.konst()
		return s.Const(out, apply2(op, int(na.width), va, vb))
	}
	return s.ConstBig(out, apply2Big(op, int(na.width), s.big(a), s.big(b)))
}

// apply2 computes the binary operators whose operands have w bits, at most 64. The bits above the result's
// width are undefined.
func apply2(op Op, w int, a, b uint64) uint64 {
	switch op {
	case OpAnd:
		return a & b
	case OpOr:
		return a | b
	case OpXor:
		return a ^ b
	case OpAdd:
		return a + b
	case OpMul:
		return a * b
	case OpUDiv:
		if b == 0 {
			return ^uint64(0)
		}
		return a / b
	case OpURem:
		if b == 0 {
			return a
		}
		return a % b
	case OpSDiv:
		x, y := signed(a, w), signed(b, w)
		switch {
		case y == 0 && x < 0:
			return 1
		case y == 0:
			return ^uint64(0)
		case y == -1:
			return -a
		}
		return uint64(x / y)
	case OpSRem:
		x, y := signed(a, w), signed(b, w)
		switch y {
		case 0:
			return a
		case -1:
			return 0
		}
		return uint64(x % y)
	case OpShl:
		if b >= uint64(w) {
			return 0
		}
		return a << b
	case OpLShr:
		if b >= uint64(w) {
			return 0
		}
		return a >> b
	case OpAShr:
		return uint64(signed(a, w) >> min(b, 63))
	case OpEq:
		return b2u(a == b)
	case OpUlt:
		return b2u(a < b)
	case OpSlt:
		return b2u(signed(a, w) < signed(b, w))
	case OpFAdd, OpFMul, OpFDiv, OpFEq, OpFLt, OpFLe:
		return applyFloat2(op, w, a, b)
	}
	panic("bug: apply2 of " + op.String())
}

func minusOne() *big.Int { return big.NewInt(-1) }

// truncBig returns v modulo 2^w.
func truncBig(v *big.Int, w int) *big.Int {
	if v.Sign() >= 0 && v.BitLen() <= w {
		return v
	}
	m := new(big.Int).Lsh(big.NewInt(1), uint(w))
	return m.And(m.Sub(m, big.NewInt(1)), v)
}

func notBig(v *big.Int) *big.Int { return new(big.Int).Not(v) }

func signedBig(v *big.Int, w int) *big.Int {
	if v.Bit(w-1) == 0 {
		return v
	}
	m := new(big.Int).Lsh(big.NewInt(1), uint(w))
	return m.Sub(v, m)
}

func concatBig(hi, lo *big.Int, wlo int) *big.Int {
	r := new(big.Int).Lsh(hi, uint(wlo))
	return r.Or(r, lo)
}

// big returns the value of a constant of any width.
func (s *Store) big(t ID) *big.Int {
	v, ok := s.ConstVal(t)
	if !ok {
		panic("bug: not a constant")
	}
	return v
}

func boolBig(b bool) *big.Int { return big.NewInt(int64(b2u(b))) }

// apply2Big does the same as apply2 at any width. The result may lie outside of the result's width.
func apply2Big(op Op, w int, a, b *big.Int) *big.Int {
	r := new(big.Int)
	switch op {
	case OpAnd:
		return r.And(a, b)
	case OpOr:
		return r.Or(a, b)
	case OpXor:
		return r.Xor(a, b)
	case OpAdd:
		return r.Add(a, b)
	case OpMul:
		return r.Mul(a, b)
	case OpUDiv:
		if b.Sign() == 0 {
			return minusOne()
		}
		return r.Quo(a, b)
	case OpURem:
		if b.Sign() == 0 {
			return a
		}
		return r.Rem(a, b)
	case OpSDiv:
		x, y := signedBig(a, w), signedBig(b, w)
		switch {
		case y.Sign() == 0 && x.Sign() < 0:
			return r.SetInt64(1)
		case y.Sign() == 0:
			return minusOne()
		}
		return r.Quo(x, y)
	case OpSRem:
		x, y := signedBig(a, w), signedBig(b, w)
		if y.Sign() == 0 {
			return a
		}
		return r.Rem(x, y)
	case OpShl:
		if !b.IsInt64() || b.Int64() >= int64(w) {
			return r
		}
		return r.Lsh(a, uint(b.Int64()))
	case OpLShr:
		if !b.IsInt64() || b.Int64() >= int64(w) {
			return r
		}
		return r.Rsh(a, uint(b.Int64()))
	case OpAShr:
		k := uint(w)
		if b.IsInt64() && b.Int64() < int64(w) {
			k = uint(b.Int64())
		}
		return r.Rsh(signedBig(a, w), k)
	case OpEq:
		return boolBig(a.Cmp(b) == 0)
	case OpUlt:
		return boolBig(a.Cmp(b) < 0)
	case OpSlt:
		return boolBig(signedBig(a, w).Cmp(signedBig(b, w)) < 0)
	}
	panic("bug: apply2Big of " + op.String())
}

// inverse returns the inverse of an odd v modulo 2^64, by Newton's iteration.
func inverse(v uint64) uint64 {
	x := v // right to 3 bits; each step doubles the number of right bits
	for range 5 {
		x *= 2 - v*x
	}
	return x
}

func isPow2(v uint64) bool { return v != 0 && v&(v-1) == 0 }

func log2(v uint64) int { return bits.TrailingZeros64(v) }
