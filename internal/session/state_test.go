package session

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A sequence that gives a call what a variable of the package refers to has to run by itself, unless the call only reads it.
// Numbers and the variables of other packages are no such thing.
func TestBench_spoils(t *testing.T) {
	own, other := types.NewPackage("m/p", "p"), types.NewPackage("time", "time")
	variable := func(p *types.Package, t types.Type) *testcase.Operation {
		return &testcase.Operation{Kind: testcase.OpGlobal, Var: types.NewVar(token.NoPos, p, "V", t)}
	}
	number, list := types.Typ[types.Int], types.NewSlice(types.Typ[types.Int])
	function := func(name string) *types.Func {
		return types.NewFunc(token.NoPos, own, name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
	}
	b := &Bench{s: &Session{Pkg: &load.Package{Types: own}}, pure: func(op *testcase.Operation) bool { return op.Func.Name() == "Len" }}
	for _, tt := range []struct {
		name string
		arg  *testcase.Operation
		call string
		want bool
	}{
		{"a list of the package", variable(own, list), "Sort", true},
		{"a list that is only read", variable(own, list), "Len", false},
		{"a number", variable(own, number), "Sort", false},
		{"another package's", variable(other, types.NewPointer(number)), "Sort", false},
	} {
		built := &testcase.Builder{}
		ref := built.Add(tt.arg)
		built.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: function(tt.call)}, ref)
		if got := b.spoils(built.Sequence()); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}
