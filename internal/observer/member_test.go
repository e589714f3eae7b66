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

// A lookup that finds values of one type does not say that a key is absent, where another one finds values of all types.
func TestAnswer_narrow(t *testing.T) {
	pkg := types.NewPackage("m", "m")
	recv := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Object", nil), types.NewStruct(nil, nil), nil)
	for _, name := range []string{"Get", "GetString", "FindText"} {
		text := func() *types.Var { return types.NewParam(token.NoPos, pkg, "", types.Typ[types.String]) }
		results := types.NewTuple(text(), types.NewParam(token.NoPos, pkg, "", types.Typ[types.Bool]))
		recv.AddMethod(types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(types.NewParam(token.NoPos, pkg, "o", recv), nil, nil, types.NewTuple(text()), results, false)))
	}
	table := &Table{}
	for i, absentKnown := range []bool{true, false, true} {
		op := &testcase.Operation{Kind: testcase.OpMethod, Func: recv.Method(i)}
		for _, found := range []uint64{0, 1} {
			in, known := table.Answer(op, []testcase.Value{{Kind: testcase.String}, {Kind: testcase.Bool, Bits: found}})
			if in != (found == 1) || known != (found == 1 || absentKnown) {
				t.Errorf("Answer(%s, %d) = %t, %t", op.Func.Name(), found, in, known)
			}
		}
	}
}
