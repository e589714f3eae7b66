package words

import (
	"go/constant"
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A case says what its call returned: a declared constant by its name, and for a function that returns a function what the
// call of that one returned.
func TestReturned(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	decision := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Decision", nil), types.Typ[types.Int], nil)
	pkg.Scope().Insert(decision.Obj())
	for i, name := range []string{"DecisionIgnore", "DecisionRetry"} {
		pkg.Scope().Insert(types.NewConst(token.NoPos, pkg, name, decision, constant.MakeInt64(int64(i))))
	}
	one := func(typ types.Type) *types.Tuple { return types.NewTuple(types.NewVar(token.NoPos, pkg, "", typ)) }
	decides := types.NewSignatureType(nil, nil, nil, nil, one(decision), false)
	function := func(name string, result types.Type) *types.Func {
		return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, nil, one(result), false))
	}
	value := func(typ types.Type, bits uint64) testcase.Value {
		return testcase.Value{Kind: testcase.Int, Type: typ, Bits: bits}
	}
	makes, number := function("Always", decides), function("Number", types.Typ[types.Int])
	making := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: makes}}
	then := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpCallValue}, Args: []testcase.Ref{{}}}
	for _, tt := range []struct {
		name    string
		fn      *types.Func
		stmts   []testcase.Statement
		results [][]testcase.Value
		want    string
	}{
		{"a number", number, []testcase.Statement{{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: number}}}, [][]testcase.Value{{value(types.Typ[types.Int], 7)}}, "returns 7"},
		{"what the function returns that was returned", makes, []testcase.Statement{making, then}, [][]testcase.Value{{{Kind: testcase.Opaque}}, {value(decision, 1)}}, "returns retry"},
		{"no constant of the type", makes, []testcase.Statement{making, then}, [][]testcase.Value{{{Kind: testcase.Opaque}}, {value(decision, 5)}}, "returns 5"},
		{"a function that nobody called", makes, []testcase.Statement{making}, [][]testcase.Value{{{Kind: testcase.Opaque}}}, ""},
	} {
		c := &testcase.Case{Target: tt.fn.Name(), Seq: testcase.NewSequence(tt.stmts...), Observed: &testcase.Outcome{Results: tt.results}}
		n := &Namer{fn: tt.fn, enums: newEnumerations(pkg), calls: []*call{{c: c, outcome: outcome{results: tt.results[0]}}}}
		if got := n.returned(0); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
