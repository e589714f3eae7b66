package outcome

import (
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

func TestContrasts_held(t *testing.T) {
	text := types.Typ[types.String]
	f := types.NewFunc(0, types.NewPackage("p", "p"), "F", types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "s", text)), types.NewTuple(types.NewVar(0, nil, "", types.NewSlice(text))), false))
	returns := func(passed, got string) *testcase.Case {
		seq := testcase.NewSequence(
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: text, Lit: testcase.Literal{Kind: testcase.LitString, Str: passed}}},
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}, Args: []testcase.Ref{{Stmt: 0}}})
		value := testcase.Value{Kind: testcase.String, Type: text, Str: got}
		list := testcase.Value{Kind: testcase.Slice, Type: types.NewSlice(text), Len: 1, Elems: []testcase.Value{value}}
		return &testcase.Case{Target: "F", Seq: seq, Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{{{Kind: testcase.String, Type: text, Str: passed}}, {list}}}}
	}
	for _, tt := range []struct {
		name        string
		best, other *testcase.Case
		want        int
	}{
		{"another result", returns("abc", "ABC"), returns("def", "DEF"), 2},
		{"the same result", returns("abc", "ABC"), returns("def", "ABC"), 0},
		{"both hold what they were passed", returns("abc", "abc"), returns("def", "def"), 0},
		{"one of them holds something else", returns("abc", "abc"), returns("def", "DEF"), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Contrasts([]*testcase.Case{tt.best, tt.other}, map[*testcase.Case]bool{tt.best: true}, func(*testcase.Case) bool { return true })
			if len(got) != tt.want {
				t.Errorf("%d tests show a contrast, want %d", len(got), tt.want)
			}
		})
	}
}

func TestPassesNothing(t *testing.T) {
	text := types.Typ[types.String]
	f := types.NewFunc(0, types.NewPackage("p", "p"), "F", types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "s", text)), nil, false))
	for _, tt := range []struct {
		name string
		op   testcase.Operation
		want bool
	}{
		{"a zero", testcase.Operation{Kind: testcase.OpZero, Type: text}, true},
		{"an empty text", testcase.Operation{Kind: testcase.OpLiteral, Type: text, Lit: testcase.Literal{Kind: testcase.LitString}}, true},
		{"a text", testcase.Operation{Kind: testcase.OpLiteral, Type: text, Lit: testcase.Literal{Kind: testcase.LitString, Str: "a"}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seq := testcase.NewSequence(testcase.Statement{Op: &tt.op}, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}, Args: []testcase.Ref{{Stmt: 0}}})
			if got := PassesNothing(&testcase.Case{Target: "F", Seq: seq}); got != tt.want {
				t.Errorf("PassesNothing() = %t, want %t", got, tt.want)
			}
		})
	}
}
