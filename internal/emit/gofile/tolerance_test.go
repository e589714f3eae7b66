package gofile

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

func TestFloatFacts(t *testing.T) {
	ar := `package p
func Fused(x, y, z float64) float64 { return x*y + z }
func Through(x float64) float64 { return mul(x, x) - 1 }
func mul(x, y float64) float64 { return x * y }
func Single(x float64) float64 { return x / 3 }
func Ints(x int) int { return x*x + 1 }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", ar, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	if _, err := new(types.Config).Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	facts := NewFloatFacts(&load.Package{Syntax: []*ast.File{file}, Info: info})
	for target, want := range map[string]bool{"Fused": true, "Through": true, "mul": false, "Single": false, "Ints": false} {
		if got := facts.Inexact(target); got != want {
			t.Errorf("inexact(%s) = %t, want %t", target, got, want)
		}
	}
}

// Rounded leaves out the digits that a comparison with a tolerance does not see, and keeps those of values that are
// compared exactly.
func TestRounded(t *testing.T) {
	number := func(typ types.Type, bits uint64) testcase.Value {
		return testcase.Value{Kind: testcase.Float, Type: typ, Bits: bits}
	}
	f64, f32 := types.Typ[types.Float64], types.Typ[types.Float32]
	for _, tt := range []struct {
		name     string
		v        testcase.Value
		wantBits uint64
	}{
		{"many digits", number(f64, math.Float64bits(2.999999988824129)), math.Float64bits(2.9999999888)},
		{"rounding error", number(f64, math.Float64bits(0.1+0.2)), math.Float64bits(0.3)},
		{"few digits", number(f64, math.Float64bits(-1.812)), math.Float64bits(-1.812)},
		{"negative zero", number(f64, math.Float64bits(math.Copysign(0, -1))), 0},
		{"infinity", number(f64, math.Float64bits(math.Inf(1))), math.Float64bits(math.Inf(1))},
		{"32 bits", number(f32, uint64(math.Float32bits(1.0/3))), uint64(math.Float32bits(1.0 / 3))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Rounded(tt.v); got.Bits != tt.wantBits {
				t.Errorf("Rounded(%v) = %#x, want %#x", tt.v, got.Bits, tt.wantBits)
			}
		})
	}
	boxed := testcase.Value{Kind: testcase.Interface, Elems: []testcase.Value{number(f64, math.Float64bits(0.1+0.2))}}
	if got := Rounded(boxed); got.Elems[0].Bits != boxed.Elems[0].Bits {
		t.Errorf("Rounded changes a number in an interface to %#x", got.Elems[0].Bits)
	}
}
