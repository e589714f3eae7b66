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
