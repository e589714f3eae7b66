package words

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A row is named after the calls that make its argument where its name would speak of a field, and keeps a name that speaks of
// anything else, or that another row's argument would have too.
func TestNameExpressions(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	node := types.NewPointer(types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Node", nil), types.NewStruct(nil, nil), nil))
	function := func(name string, params ...types.Type) *types.Func {
		var vars []*types.Var
		for _, p := range params {
			vars = append(vars, types.NewParam(token.NoPos, pkg, "f", p))
		}
		return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), types.NewTuple(types.NewParam(token.NoPos, pkg, "", node)), false))
	}
	match, in, not, hidden := function("Match", node), function("In", types.Typ[types.String]), function("Not", node), function("in", types.Typ[types.String])
	n := &Namer{pkg: &load.Package{Types: pkg}, fn: match, inputs: 1, subjects: []subject{{name: "f"}}}
	row := func(makers ...*types.Func) *call {
		var b testcase.Builder
		arg := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "key"}})
		for _, f := range append(makers, match) {
			arg = b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, arg)
		}
		return &call{c: &testcase.Case{Target: "Match", Seq: b.Sequence()}}
	}
	n.calls = []*call{row(in), row(in, not), row(in, not, not), row(hidden), row(in, not), row(in, not, not, not)}
	was := []string{"f.Op OpIn", "one element in Nodes", "no tags", "f.Op OpIn, no tags", "f.Op OpNot", "case 1"}
	want := []string{`In("key")`, "one element in Nodes", "no tags", "f.Op OpIn, no tags", "f.Op OpNot", "case 1"}
	out, taken := make([]Name, len(was)), make(map[string]bool)
	at := make([]int, len(was))
	for i, text := range was {
		out[i].Text, taken[text], at[i] = text, true, i
	}
	n.nameExpressions(at, out, taken)
	for i := range out {
		if out[i].Text != want[i] {
			t.Errorf("%q becomes %q, want %q", was[i], out[i].Text, want[i])
		}
	}
	n.calls, at, out = n.calls[:4], at[:4], []Name{{Text: "f.Op OpIn"}, {Text: "one element in Nodes"}, {Text: "no tags"}, {Text: "f.A"}}
	n.nameExpressions(at, out, make(map[string]bool))
	for i, want := range []string{`In("key")`, `Not(In("key"))`, "no tags", "f.A"} {
		if out[i].Text != want {
			t.Errorf("row %d is called %q, want %q", i, out[i].Text, want)
		}
	}
}
