package testcase

import (
	"go/types"
	"math"
	"testing"
)

// A float32 has its own bits, which are another number as a float64.
func TestExpressionOfFloat32(t *testing.T) {
	for _, tt := range []struct {
		t    types.BasicKind
		lit  Literal
		want string
	}{
		{types.Float32, Literal{Kind: LitFloat, Bits: uint64(math.Float32bits(2.5))}, "2.5"},
		{types.Float64, Literal{Kind: LitFloat, Bits: math.Float64bits(2.5)}, "2.5"},
		{types.Complex64, Literal{Kind: LitComplex, Bits: uint64(math.Float32bits(1)), Imag: uint64(math.Float32bits(1.5))}, "(1 + 1.5i)"},
	} {
		s := NewSequence(Statement{Op: &Operation{Kind: OpLiteral, Type: types.Typ[tt.t], Lit: tt.lit}})
		if got := s.Expression(Ref{}, nil); got != tt.want {
			t.Errorf("%s: got %s, want %s", types.Typ[tt.t], got, tt.want)
		}
	}
}

// Where anything may stand, a number says its type unless it has that type by itself.
func TestSequence_Inline_types(t *testing.T) {
	anything := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "x", types.NewInterfaceType(nil, nil))), nil, false)
	number := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "x", types.Typ[types.Uint8])), nil, false)
	one := Literal{Kind: LitInt, Bits: 1}
	for _, tt := range []struct {
		sig  *types.Signature
		t    types.BasicKind
		lit  Literal
		want string
	}{
		{anything, types.Uint8, one, "F(uint8(1))"},
		{anything, types.Int, one, "F(1)"},
		{anything, types.Float64, Literal{Kind: LitFloat, Bits: math.Float64bits(1)}, "F(float64(1))"},
		{anything, types.Float64, Literal{Kind: LitFloat, Bits: math.Float64bits(1.5)}, "F(1.5)"},
		{anything, types.String, Literal{Kind: LitString, Str: "a"}, `F("a")`},
		{number, types.Uint8, one, "F(1)"},
	} {
		var b Builder
		lit := b.Add(&Operation{Kind: OpLiteral, Type: types.Typ[tt.t], Lit: tt.lit})
		b.Add(&Operation{Kind: OpFunc, Func: types.NewFunc(0, types.NewPackage("p", "p"), "F", tt.sig)}, lit)
		if got := b.Sequence().Inline(); got != tt.want {
			t.Errorf("%s: got %s, want %s", types.Typ[tt.t], got, tt.want)
		}
	}
}
