package testcase

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"testing"
)

func TestConstantLiteral(t *testing.T) {
	number := func(text string, kind token.Token) constant.Value { return constant.MakeFromLiteral(text, kind, 0) }
	for _, tt := range []struct {
		v    constant.Value
		t    types.BasicKind
		want Literal
		ok   bool
	}{
		{constant.MakeBool(true), types.Bool, Literal{Kind: LitBool, Bits: 1}, true},
		{constant.MakeString("a"), types.String, Literal{Kind: LitString, Str: "a"}, true},
		{constant.MakeInt64(-3), types.Int8, Literal{Kind: LitInt, Bits: math.MaxUint64 - 2}, true},
		{constant.MakeInt64(255), types.Uint8, Literal{Kind: LitUint, Bits: 255}, true},
		{constant.MakeInt64(256), types.Uint8, Literal{}, false},
		{constant.MakeInt64(128), types.Int8, Literal{}, false},
		{constant.MakeInt64(-1), types.Uint, Literal{}, false},
		{number("3.0", token.FLOAT), types.Int, Literal{Kind: LitInt, Bits: 3}, true},
		{number("2.5", token.FLOAT), types.Int, Literal{}, false},
		{number("2.5", token.FLOAT), types.Float64, Literal{Kind: LitFloat, Bits: math.Float64bits(2.5)}, true},
		{constant.MakeInt64(2), types.Float32, Literal{Kind: LitFloat, Bits: uint64(math.Float32bits(2))}, true},
		{constant.MakeString("2"), types.Int, Literal{}, false},
		{constant.MakeString("2"), types.Uint16, Literal{}, false},
		{constant.MakeString("2"), types.Float64, Literal{}, false},
		{constant.MakeBool(true), types.String, Literal{}, false},
	} {
		got, ok := ConstantLiteral(tt.v, types.Typ[tt.t])
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("ConstantLiteral(%v, %v) = %+v, %t, want %+v, %t", tt.v, types.Typ[tt.t], got, ok, tt.want, tt.ok)
		}
	}
	if _, ok := ConstantLiteral(constant.MakeInt64(1), types.NewSlice(types.Typ[types.Int])); ok {
		t.Error("a list is a constant")
	}
}
