package words

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A call is a round trip if it returns what the call was given whose result it takes.
func TestUndoes(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	text := types.Typ[types.String]
	function := func(name string) *types.Func {
		vars := types.NewTuple(types.NewVar(token.NoPos, pkg, "s", text))
		return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, vars, vars, false))
	}
	seq := testcase.NewSequence(
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: text, Lit: testcase.Literal{Kind: testcase.LitString, Str: "abc"}}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: function("Encode")}, Args: []testcase.Ref{{Stmt: 0}}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: function("Decode")}, Args: []testcase.Ref{{Stmt: 1}}},
	)
	n := &Namer{pkg: &load.Package{Path: "p", Types: pkg}}
	for _, tt := range []struct {
		decoded string
		want    truth
	}{{"abc", yes}, {"abd", no}, {"", no}} {
		value := func(s string) []testcase.Value { return []testcase.Value{{Kind: testcase.String, Type: text, Str: s}} }
		c := &testcase.Case{Target: "Decode", Seq: seq, Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{value("abc"), value("616263"), value(tt.decoded)}}}
		if got := n.undoes(&call{c: c, outcome: outcome{results: value(tt.decoded)}}); got != tt.want {
			t.Errorf("a call that returns %q: %v, want %v", tt.decoded, got, tt.want)
		}
	}

	// A call that takes another text may have its result from there.
	more := types.NewTuple(types.NewVar(token.NoPos, pkg, "s", text), types.NewVar(token.NoPos, pkg, "t", text))
	pick := types.NewFunc(token.NoPos, pkg, "Pick", types.NewSignatureType(nil, nil, nil, more, types.NewTuple(types.NewVar(token.NoPos, pkg, "", text)), false))
	longer := seq.Prefix(2).Extend(
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: text, Lit: testcase.Literal{Kind: testcase.LitString, Str: "abc"}}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: pick}, Args: []testcase.Ref{{Stmt: 1}, {Stmt: 2}}},
	)
	value := []testcase.Value{{Kind: testcase.String, Type: text, Str: "abc"}}
	c := &testcase.Case{Target: "Pick", Seq: longer, Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{value, value, value, value}}}
	if got := n.undoes(&call{c: c, outcome: outcome{results: value}}); got != no {
		t.Errorf("a call that takes its result as another text: %v, want %v", got, no)
	}
}
