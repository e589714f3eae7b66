package testcase

import (
	"go/types"
	"math"
	"strings"
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

// What an expression does not say comes before: that two arguments are one object, what is set, and what is called in between.
func TestSequence_Spelled(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	field := types.NewField(0, pkg, "N", types.Typ[types.Int], false)
	box := types.NewNamed(types.NewTypeName(0, pkg, "Box", nil), types.NewStruct([]*types.Var{field}, nil), nil)
	ptr := types.NewPointer(box)
	two := types.NewFunc(0, pkg, "Two", types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, pkg, "a", ptr), types.NewParam(0, pkg, "b", ptr)), nil, false))
	inc := types.NewFunc(0, pkg, "Inc", types.NewSignatureType(types.NewParam(0, pkg, "b", ptr), nil, nil, nil, nil, false))
	get := types.NewFunc(0, pkg, "Get", types.NewSignatureType(types.NewParam(0, pkg, "b", ptr), nil, nil, nil, types.NewTuple(types.NewParam(0, pkg, "", types.Typ[types.Int])), false))
	object := func(b *Builder) Ref {
		return b.Add(&Operation{Kind: OpAddr, Type: ptr}, b.Add(&Operation{Kind: OpZero, Type: box}))
	}
	three := &Operation{Kind: OpLiteral, Type: types.Typ[types.Int], Lit: Literal{Kind: LitInt, Bits: 3}}
	for _, tt := range []struct {
		name         string
		do           func(b *Builder)
		before, args string
	}{
		{"plain", func(b *Builder) { b.Add(&Operation{Kind: OpFunc, Func: two}, object(b), object(b)) }, "", "&Box{}, &Box{}"},
		{"one object twice", func(b *Builder) {
			o := object(b)
			b.Add(&Operation{Kind: OpFunc, Func: two}, o, o)
		}, "a := &Box{}", "a, a"},
		{"a field is set", func(b *Builder) {
			x, y := object(b), object(b)
			b.Add(&Operation{Kind: OpSetField, Var: field}, y, b.Add(three))
			b.Add(&Operation{Kind: OpFunc, Func: two}, x, y)
		}, "b := &Box{}; b.N = 3", "&Box{}, b"},
		{"a call in between", func(b *Builder) {
			x := object(b)
			b.Add(&Operation{Kind: OpMethod, Func: inc}, x)
			b.Add(&Operation{Kind: OpMethod, Func: get}, x)
		}, "b := &Box{}; b.Inc()", "b"},
	} {
		var b Builder
		tt.do(&b)
		s := b.Sequence()
		before, args := s.Spelled(s.Len()-1, pkg)
		if got := strings.Join(before, "; "); got != tt.before || strings.Join(args, ", ") != tt.args {
			t.Errorf("%s: %q, %q; want %q, %q", tt.name, got, strings.Join(args, ", "), tt.before, tt.args)
		}
	}
}
