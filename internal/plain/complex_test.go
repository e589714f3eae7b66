package plain

import (
	"go/types"
	"math"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// Complex numbers that reduction has made zero get values that tell their parts apart.
func TestComplex(t *testing.T) {
	for _, tt := range []struct {
		typ        *types.Basic
		real, imag uint64
	}{
		{types.Typ[types.Complex128], math.Float64bits(3), math.Float64bits(2)},
		{types.Typ[types.Complex64], uint64(math.Float32bits(3)), uint64(math.Float32bits(2))},
	} {
		if !changeable(nil, &testcase.Operation{Kind: testcase.OpLiteral, Type: tt.typ, Lit: testcase.Literal{Kind: testcase.LitComplex}}) {
			t.Errorf("zero of type %s is not changed", tt.typ)
		}
		want := testcase.Literal{Kind: testcase.LitComplex, Bits: tt.real, Imag: tt.imag}
		got := numeral(tt.typ, 3, 0)
		if got != want || number(&testcase.Operation{Kind: testcase.OpLiteral, Type: tt.typ, Lit: got}) != 3 {
			t.Errorf("3 of type %s = %v, want %v", tt.typ, got, want)
		}
	}
	chosen := testcase.Literal{Kind: testcase.LitComplex, Bits: math.Float64bits(1), Imag: math.Float64bits(5)}
	if changeable(nil, &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Complex128], Lit: chosen}) {
		t.Error("1 + 5i is changed")
	}
}
