package plain

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A text that is made of constant bytes is written as a text.
func TestLiterals_text(t *testing.T) {
	text := types.Typ[types.String]
	f := types.NewFunc(token.NoPos, types.NewPackage("p", "p"), "Parse", types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(token.NoPos, nil, "s", text)), nil, false))
	b := &testcase.Builder{}
	made := b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: text}, BytesOf(b, types.NewSlice(types.Typ[types.Byte]), "[0]"))
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, made)
	results := make([][]testcase.Value, b.Len())
	results[made.Stmt] = []testcase.Value{{Kind: testcase.String, Str: "[0]", Len: 3}}
	c := &testcase.Case{Target: "Parse", Seq: b.Sequence(), Observed: &testcase.Outcome{Status: testcase.Returned, At: b.Len() - 1, Results: results}}
	seq, ok := Literals(&load.Package{Types: f.Pkg()}, c)
	if want := `Parse("[0]")`; !ok || seq.String() != want {
		t.Errorf("Literals = %v, %t; want %s", seq, ok, want)
	}
}
