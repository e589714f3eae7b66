package term

import (
	"fmt"
	"math"
)

// This file has the operators on floats. Floats are IEEE 754 bit patterns of 32 or 64 bits. Results are
// rounded to nearest, ties to even, as Go does. A NaN that an operation makes is the quiet NaN with no sign
// and no payload. FNeg and FAbs change the sign bit only, as in Go.

const (
	nan32 = 0x7FC00000
	nan64 = 0x7FF8000000000000
)

func (s *Store) floatWidth(op Op, t ID) int {
	w := s.Width(t)
	if w != 32 && w != 64 {
		panic(fmt.Sprintf("bug: %s of width %d", op, w))
	}
	return w
}

func (s *Store) float2(op Op, out int, a, b ID) ID {
	s.pair(op, a, b)
	w := s.floatWidth(op, a)
	va, oka := s.IsConst(a)
	vb, okb := s.IsConst(b)
	if out == 0 {
		out = w
	}
	if oka && okb {
		return s.Const(out, applyFloat2(op, w, va, vb))
	}
	return s.intern(op, uint32(out), uint32(a), uint32(b), 0)
}

func (s *Store) float1(op Op, out int, a ID) ID {
	if v, ok := s.IsConst(a); ok {
		return s.Const(out, apply1(op, s.Width(a), out, v))
	}
	return s.intern(op, uint32(out), uint32(a), 0, 0)
}

// FAdd returns a + b.
func (s *Store) FAdd(a, b ID) ID { a, b = s.sorted(a, b); return s.float2(OpFAdd, 0, a, b) }

// FSub returns a - b, which is a + (-b) in all cases.
func (s *Store) FSub(a, b ID) ID { return s.FAdd(a, s.FNeg(b)) }

// FMul returns a · b.
func (s *Store) FMul(a, b ID) ID { a, b = s.sorted(a, b); return s.float2(OpFMul, 0, a, b) }

// FDiv returns a / b.
func (s *Store) FDiv(a, b ID) ID { return s.float2(OpFDiv, 0, a, b) }

// FSqrt returns the square root.
func (s *Store) FSqrt(a ID) ID { return s.float1(OpFSqrt, s.floatWidth(OpFSqrt, a), a) }

// FNeg inverts the sign bit, also of a NaN.
func (s *Store) FNeg(a ID) ID {
	w := s.floatWidth(OpXor, a)
	return s.Xor(a, s.Const(w, 1<<uint(w-1)))
}

// FAbs clears the sign bit, also of a NaN.
func (s *Store) FAbs(a ID) ID {
	w := s.floatWidth(OpAnd, a)
	return s.And(a, s.Const(w, Mask(w-1)))
}

// FEq returns a == b as Go has it: NaN equals nothing, 0 equals -0.
func (s *Store) FEq(a, b ID) ID {
	if a == b { // (feq x x) => (not (isnan x))
		return s.Not(s.FIsNaN(a))
	}
	a, b = s.sorted(a, b)
	return s.float2(OpFEq, 1, a, b)
}

// FLt returns a < b.
func (s *Store) FLt(a, b ID) ID {
	if a == b { // (flt x x) => false
		return False
	}
	return s.float2(OpFLt, 1, a, b)
}

// FLe returns a <= b.
func (s *Store) FLe(a, b ID) ID {
	if a == b { // (fle x x) => (not (isnan x))
		return s.Not(s.FIsNaN(a))
	}
	return s.float2(OpFLe, 1, a, b)
}

// FIsNaN reports whether a is not a number.
func (s *Store) FIsNaN(a ID) ID {
	s.floatWidth(OpFIsNaN, a)
	n := s.at(a)
	switch n.op {
	case OpFFromS, OpFFromU: // (isnan (from x)) => false
		return False
	case OpFConv, OpFFloor, OpFCeil, OpFTrunc, OpFRoundEven: // (isnan (conv x)) => (isnan x)
		return s.FIsNaN(ID(n.a))
	case OpXor: // (isnan (fneg x)) => (isnan x)
		if v, ok := s.IsConst(ID(n.b)); ok && v == 1<<(n.width-1) {
			return s.FIsNaN(ID(n.a))
		}
	}
	return s.float1(OpFIsNaN, 1, a)
}

// FFloor returns the greatest integer value not above a.
func (s *Store) FFloor(a ID) ID { return s.float1(OpFFloor, s.floatWidth(OpFFloor, a), a) }

// FCeil returns the least integer value not below a.
func (s *Store) FCeil(a ID) ID { return s.float1(OpFCeil, s.floatWidth(OpFCeil, a), a) }

// FTrunc returns a without its fraction.
func (s *Store) FTrunc(a ID) ID { return s.float1(OpFTrunc, s.floatWidth(OpFTrunc, a), a) }

// FRoundEven returns the nearest integer value, ties to even.
func (s *Store) FRoundEven(a ID) ID { return s.float1(OpFRoundEven, s.floatWidth(OpFRoundEven, a), a) }

// FConv returns the float t as a float of w bits.
func (s *Store) FConv(t ID, w int) ID {
	if s.floatWidth(OpFConv, t) == w {
		return t
	}
	return s.float1(OpFConv, s.floatResult(w), t)
}

func (s *Store) floatResult(w int) int {
	if w != 32 && w != 64 {
		panic(fmt.Sprintf("bug: float of %d bits", w))
	}
	return w
}

// FFromS returns the signed integer t, of at most 64 bits, as a float of w bits.
func (s *Store) FFromS(t ID, w int) ID { return s.fromInt(OpFFromS, t, w) }

// FFromU returns the unsigned integer t, of at most 64 bits, as a float of w bits.
func (s *Store) FFromU(t ID, w int) ID { return s.fromInt(OpFFromU, t, w) }

func (s *Store) fromInt(op Op, t ID, w int) ID {
	if s.Width(t) > 64 {
		panic("bug: conversion of an integer above 64 bits to a float")
	}
	return s.float1(op, s.floatResult(w), t)
}

// FToS returns the float t truncated to a signed integer of w bits, at most 64. Go does not define the result
// for a value out of range; FToS returns the result of amd64.
func (s *Store) FToS(t ID, w int) ID { return s.toInt(OpFToS, t, w) }

// FToU returns the float t truncated to an unsigned integer of w bits, at most 64; out of range it is
// amd64's result.
func (s *Store) FToU(t ID, w int) ID { return s.toInt(OpFToU, t, w) }

func (s *Store) toInt(op Op, t ID, w int) ID {
	checkWidth(w)
	s.floatWidth(op, t)
	if w > 64 {
		panic("bug: conversion of a float to an integer above 64 bits")
	}
	return s.float1(op, w, t)
}

func f64(v uint64) float64 { return math.Float64frombits(v) }
func f32(v uint64) float32 { return math.Float32frombits(uint32(v)) }

func bits64(f float64) uint64 {
	if f != f {
		return nan64
	}
	return math.Float64bits(f)
}

func bits32(f float32) uint64 {
	if f != f {
		return nan32
	}
	return uint64(math.Float32bits(f))
}

// applyFloat2 computes the binary operators on floats of w bits.
func applyFloat2(op Op, w int, a, b uint64) uint64 {
	if w == 32 {
		x, y := f32(a), f32(b)
		switch op {
		case OpFAdd:
			return bits32(x + y)
		case OpFMul:
			return bits32(x * y)
		case OpFDiv:
			return bits32(x / y)
		case OpFEq:
			return b2u(x == y)
		case OpFLt:
			return b2u(x < y)
		case OpFLe:
			return b2u(x <= y)
		}
	}
	x, y := f64(a), f64(b)
	switch op {
	case OpFAdd:
		return bits64(x + y)
	case OpFMul:
		return bits64(x * y)
	case OpFDiv:
		return bits64(x / y)
	case OpFEq:
		return b2u(x == y)
	case OpFLt:
		return b2u(x < y)
	case OpFLe:
		return b2u(x <= y)
	}
	panic("bug: applyFloat2 of " + op.String())
}

// apply1 computes the unary operators, except Extract, from w bits to out bits, both at most 64. The bits
// above out are undefined.
func apply1(op Op, w, out int, a uint64) uint64 {
	switch op {
	case OpNot:
		return ^a
	case OpNeg:
		return -a
	case OpZExt:
		return a
	case OpSExt:
		return uint64(signed(a, w))
	case OpFFromS:
		if out == 32 {
			return bits32(float32(signed(a, w)))
		}
		return bits64(float64(signed(a, w)))
	case OpFFromU:
		if out == 32 {
			return bits32(float32(a))
		}
		return bits64(float64(a))
	}
	// The rest takes a float, which a float64 holds exactly. Rounding a square root twice does no harm,
	// because 53 bits are at least twice 24 bits plus two.
	x := f64(a)
	if w == 32 {
		x = float64(f32(a))
	}
	switch op {
	case OpFIsNaN:
		return b2u(x != x)
	case OpFSqrt:
		x = math.Sqrt(x)
	case OpFFloor:
		x = math.Floor(x)
	case OpFCeil:
		x = math.Ceil(x)
	case OpFTrunc:
		x = math.Trunc(x)
	case OpFRoundEven:
		x = math.RoundToEven(x)
	case OpFConv:
	case OpFToS, OpFToU:
		return truncate(x, out, op == OpFToU)
	default:
		panic("bug: apply1 of " + op.String())
	}
	if out == 32 {
		return bits32(float32(x))
	}
	return bits64(x)
}

// truncate converts to integers as amd64 does: by CVTTSD2SL below 32 bits and for signed 32 bits, and by
// CVTTSD2SQ otherwise. Both return the least integer if the value does not fit. A conversion to unsigned 64
// bits goes through the signed conversion in two halves.
func truncate(x float64, w int, unsigned bool) uint64 {
	const two63 = 1 << 63
	if unsigned && w == 64 {
		if x < two63 {
			return cvt64(x)
		}
		return cvt64(x-two63) | two63
	}
	if w < 32 || w == 32 && !unsigned {
		if x > -(1<<31)-1 && x < 1<<31 {
			return uint64(int64(x))
		}
		return 1 << 31
	}
	return cvt64(x)
}

func cvt64(x float64) uint64 {
	if x >= -(1<<63) && x < 1<<63 {
		return uint64(int64(x))
	}
	return 1 << 63
}
