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

// A row that one of two compared values would name is named by both.
func TestNameBoth(t *testing.T) {
	text := types.Typ[types.String]
	params := types.NewTuple(types.NewVar(token.NoPos, nil, "a", text), types.NewVar(token.NoPos, nil, "b", text))
	n := &Namer{sig: types.NewSignatureType(nil, nil, nil, params, types.NewTuple(types.NewVar(token.NoPos, nil, "", types.Typ[types.Bool])), false), inputs: 2, pkg: &load.Package{Types: types.NewPackage("p", "p")}}
	less := types.NewFunc(token.NoPos, n.pkg.Types, "Less", n.sig)
	literal := func(s string) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: text, Lit: testcase.Literal{Kind: testcase.LitString, Str: s}}}
	}
	for _, b := range []string{"1.3", "1.4"} {
		seq := testcase.NewSequence(literal("1.2"), literal(b), testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: less}, Args: []testcase.Ref{{Stmt: 0}, {Stmt: 1}}})
		value := func(s string) testcase.Value { return testcase.Value{Kind: testcase.String, Type: text, Str: s} }
		n.calls = append(n.calls, &call{c: &testcase.Case{Target: "Less", Seq: seq}, inputs: []testcase.Value{value("1.2"), value(b)}})
	}
	one := &predicate{phrase: phrase{text: `b "1.3"`}, reads: reads{inputs: 2}, raw: true}
	other := &predicate{phrase: phrase{text: "b longer than a"}, reads: reads{inputs: 3}}
	names := []Name{{Text: one.text}, {Text: other.text}}
	n.nameBoth([]int{0, 1}, names, []*predicate{one, other}, map[string]bool{one.text: true, other.text: true})
	if names[0].Text != `"1.2" and "1.3"` || names[1].Text != other.text {
		t.Errorf("names %q, %q", names[0].Text, names[1].Text)
	}
}
