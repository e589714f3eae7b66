package observer

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

func TestIsMembership(t *testing.T) {
	pkg := types.NewPackage("m", "m")
	recv := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Set", nil), types.NewStruct(nil, nil), nil)
	method := func(name string, variadic bool, params []types.Type, results ...types.Type) *testcase.Operation {
		vars := func(list []types.Type) *types.Tuple {
			var out []*types.Var
			for _, t := range list {
				out = append(out, types.NewParam(token.NoPos, pkg, "", t))
			}
			return types.NewTuple(out...)
		}
		sig := types.NewSignatureType(types.NewParam(token.NoPos, pkg, "s", types.NewPointer(recv)), nil, nil, vars(params), vars(results), variadic)
		return &testcase.Operation{Kind: testcase.OpMethod, Func: types.NewFunc(token.NoPos, pkg, name, sig)}
	}
	text, truth := types.Typ[types.String], types.Typ[types.Bool]
	one := []types.Type{text}
	for _, tt := range []struct {
		op   *testcase.Operation
		want bool
	}{
		{method("Contains", false, one, truth), true},
		{method("Has", false, one, truth), true},
		{method("Get", false, one, text, truth), true},
		{method("Peek", false, one, text, truth), true},
		{method("Get", false, one, truth), false}, // the value that is kept is a truth
		{method("Get", false, one, text), false},
		{method("Insert", false, one, truth), false},
		{method("Contains", true, []types.Type{types.NewSlice(text)}, truth), false},
		{method("Contains", false, []types.Type{text, text}, truth), false},
		{&testcase.Operation{Kind: testcase.OpLiteral, Type: text}, false},
	} {
		if got := IsMembership(tt.op); got != tt.want {
			t.Errorf("IsMembership(%v) = %v, want %v", tt.op.Func, got, tt.want)
		}
	}
}
