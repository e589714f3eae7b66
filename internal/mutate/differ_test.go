package mutate

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A text that a call is passed differs under a mutant only because an earlier call has made another one. No test asserts it
// behind the call, so it shows no mutant. What a list holds afterwards does.
func TestVisibleArguments(t *testing.T) {
	text, list := types.Typ[types.String], types.NewSlice(types.Typ[types.Int])
	params := types.NewTuple(types.NewVar(token.NoPos, nil, "s", text), types.NewVar(token.NoPos, nil, "xs", list))
	f := types.NewFunc(token.NoPos, types.NewPackage("example.com/m", "m"), "F", types.NewSignatureType(nil, nil, nil, params, nil, false))
	var b testcase.Builder
	s := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: text})
	xs := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: list})
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, s, xs)
	c := &testcase.Case{Target: "F", Seq: b.Sequence()}
	outcome := func(text string, elem uint64) *testcase.Outcome {
		return &testcase.Outcome{Status: testcase.Returned, At: 2, Final: []testcase.Value{
			{Kind: testcase.String, Str: text}, {Kind: testcase.Slice, Elems: []testcase.Value{{Kind: testcase.Int, Bits: elem}}, Len: 1},
		}}
	}
	base := Visible(c, outcome("a", 1))
	if why := Differ(base, outcome("b", 1), SeenBy(c)); why != "" {
		t.Errorf("a text that was passed shows a mutant: %s", why)
	}
	if Differ(base, outcome("a", 2), SeenBy(c)) == "" {
		t.Error("a list that the call has changed shows no mutant")
	}
}
