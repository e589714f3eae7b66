package protocol

import (
	"go/token"
	"go/types"
	"testing"
)

// A method that removes something and has no parameter takes no position.
func TestPosition(t *testing.T) {
	method := func(params ...string) *types.Func {
		var vars []*types.Var
		for _, p := range params {
			vars = append(vars, types.NewParam(token.NoPos, nil, p, types.Typ[types.Int]))
		}
		return types.NewFunc(token.NoPos, nil, "Remove", types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), nil, false))
	}
	for _, tt := range []struct {
		f    *types.Func
		want bool
	}{{method(), false}, {method("index"), true}, {method("key"), false}} {
		if got := position(tt.f); got != tt.want {
			t.Errorf("position(%s) = %t, want %t", tt.f, got, tt.want)
		}
	}
}
