package testcase

import (
	"go/types"
	"math"
	"strconv"
)

// FillKey returns the key of type t that stands for number n in a map that is there for its size: the number
// itself, or its decimal form as a string. It reports whether the type has such a key. Floats have keys up to
// 2^24; types other than numbers and texts have none.
func FillKey(t types.Type, n int) (Literal, bool) {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return Literal{}, false
	}
	switch b.Kind() {
	case types.Int8:
		return Literal{Kind: LitInt, Bits: uint64(n)}, n <= math.MaxInt8
	case types.Int16:
		return Literal{Kind: LitInt, Bits: uint64(n)}, n <= math.MaxInt16
	case types.Int, types.Int32, types.Int64:
		return Literal{Kind: LitInt, Bits: uint64(n)}, n <= math.MaxInt32
	case types.Uint8:
		return Literal{Kind: LitUint, Bits: uint64(n)}, n <= math.MaxUint8
	case types.Uint16:
		return Literal{Kind: LitUint, Bits: uint64(n)}, n <= math.MaxUint16
	case types.Uint, types.Uint32, types.Uint64, types.Uintptr:
		return Literal{Kind: LitUint, Bits: uint64(n)}, n <= math.MaxInt32
	case types.Float32:
		return Literal{Kind: LitFloat, Bits: uint64(math.Float32bits(float32(n)))}, n <= 1<<24
	case types.Float64:
		return Literal{Kind: LitFloat, Bits: math.Float64bits(float64(n))}, n <= 1<<24
	case types.String:
		return Literal{Kind: LitString, Str: strconv.Itoa(n)}, true
	}
	return Literal{}, false
}
