package told

import (
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A call behind the case's own that returns nothing is no read of an output, empty or not.
func TestWithoutEmptyReads_nothingReturned(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	text := types.Typ[types.String]
	returning := func(name string, results ...types.Type) *testcase.Operation {
		var vars []*types.Var
		for _, r := range results {
			vars = append(vars, types.NewVar(0, nil, "", r))
		}
		return &testcase.Operation{Kind: testcase.OpFunc, Func: types.NewFunc(0, pkg, name, types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(vars...), false))}
	}
	c := &testcase.Case{
		Target: "F",
		Seq:    testcase.NewSequence(testcase.Statement{Op: returning("F")}, testcase.Statement{Op: returning("Close")}, testcase.Statement{Op: returning("Text", text)}),
		Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{nil, nil,
			{{Kind: testcase.String, Type: text, Str: "hello", Len: 5}}}},
	}
	seq, empty := withoutEmptyReads(c)
	if seq == nil || seq.Len() != 3 || empty {
		t.Errorf("withoutEmptyReads() = %v, %t; want all of the sequence, false", seq, empty)
	}
}
