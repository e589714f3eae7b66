package plain

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// The value of a variable of the environment fits the variable's name.
func TestNamed_variable(t *testing.T) {
	text := types.Typ[types.String]
	params := types.NewTuple(types.NewParam(token.NoPos, nil, "key", text), types.NewParam(token.NoPos, nil, "value", text))
	set := types.NewFunc(token.NoPos, nil, "setenv", types.NewSignatureType(nil, nil, nil, params, nil, false))
	get := types.NewFunc(token.NoPos, nil, "Dir", types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(token.NoPos, nil, "", text)), false))
	b := &testcase.Builder{}
	word := func(s string) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: text, Lit: testcase.Literal{Kind: testcase.LitString, Str: s}})
	}
	key := word("XDG_HOME")
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: set, Via: &testcase.Helper{Method: "Setenv", Sig: set.Signature()}}, key, word("#\t"))
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: get})
	seq, ok := Named(&load.Package{Types: types.NewPackage("p", "p")}, &testcase.Case{Target: "Dir", Seq: b.Sequence()})
	if want := `setenv("XDG_HOME", "/home/ann"); Dir()`; !ok || seq.String() != want {
		t.Errorf("Named = %v, %t; want %s", seq, ok, want)
	}
}
