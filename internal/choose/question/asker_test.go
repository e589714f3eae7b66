package question

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// What observers say is what the calls behind the case's own say: a method without parameters is no observer of
// what it did itself.
func TestAnswerRun(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	typ := types.NewPointer(types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Stack", nil), types.NewStruct(nil, nil), nil))
	method := func(name string) *types.Func {
		recv := types.NewVar(token.NoPos, pkg, "s", typ)
		result := types.NewTuple(types.NewVar(token.NoPos, pkg, "", types.Typ[types.Int]))
		return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(recv, nil, nil, nil, result, false))
	}
	pop, size := method("Pop"), method("Len")
	call := func(f *types.Func) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: f}, Args: []testcase.Ref{{Stmt: 0}}}
	}
	number := func(n uint64) []testcase.Value { return []testcase.Value{{Kind: testcase.Int, Bits: n}} }
	seq := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: typ}}, call(pop), call(size))
	a := Answer{seq: seq, from: 2, outcome: &testcase.Outcome{Results: [][]testcase.Value{nil, number(7), number(3)}}}
	run := a.Run()
	if len(run) != 1 || len(run[size]) != 1 || run[size][0].Bits != 3 {
		t.Errorf("run() = %v, want Len alone, 3", run)
	}
}
