package testcase

import (
	"go/constant"
	"go/types"
	"math"
)

// ConstantLiteral returns a constant as a literal of a type, and false if the type is not basic or cannot hold it. A float is
// rounded to the type's precision.
func ConstantLiteral(v constant.Value, t types.Type) (Literal, bool) {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return Literal{}, false
	}
	switch info := b.Info(); {
	case info&types.IsBoolean != 0 && v.Kind() == constant.Bool:
		l := Literal{Kind: LitBool}
		if constant.BoolVal(v) {
			l.Bits = 1
		}
		return l, true
	case info&types.IsString != 0 && v.Kind() == constant.String:
		return Literal{Kind: LitString, Str: constant.StringVal(v)}, true
	case info&types.IsUnsigned != 0:
		n, exact := constant.Uint64Val(constant.ToInt(v))
		bits := IntBits(b)
		return Literal{Kind: LitUint, Bits: n}, exact && (bits == 64 || n < 1<<bits)
	case info&types.IsInteger != 0:
		n, exact := constant.Int64Val(constant.ToInt(v))
		l, fits := IntLiteral(b, n)
		return l, exact && fits
	case info&types.IsFloat != 0:
		return floatLiteral(v, b)
	}
	return Literal{}, false
}

func floatLiteral(v constant.Value, b *types.Basic) (Literal, bool) {
	v = constant.ToFloat(v)
	if v.Kind() == constant.Unknown {
		return Literal{}, false
	}
	if b.Kind() == types.Float32 {
		f, _ := constant.Float32Val(v)
		return Literal{Kind: LitFloat, Bits: uint64(math.Float32bits(f))}, true
	}
	f, _ := constant.Float64Val(v)
	return Literal{Kind: LitFloat, Bits: math.Float64bits(f)}, true
}
