package testcase

import (
	"go/token"
	"go/types"
	"testing"
)

// The elements that are passed to a variadic parameter are given to no parameter, and neither is a receiver.
func TestSequence_Places(t *testing.T) {
	pkg := types.NewPackage("example.com/p", "p")
	param := func(name string, typ types.Type) *types.Var { return types.NewParam(token.NoPos, pkg, name, typ) }
	text, number := types.Typ[types.String], types.Typ[types.Int]
	mode, names := param("mode", number), param("names", types.NewSlice(text))
	named := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "T", nil), types.NewStruct(nil, nil), nil)
	apply := types.NewFunc(token.NoPos, pkg, "Apply", types.NewSignatureType(types.NewVar(token.NoPos, pkg, "t", named), nil, nil, types.NewTuple(mode, names), nil, true))
	literal := func(typ types.Type) Statement { return Statement{Op: &Operation{Kind: OpLiteral, Type: typ}} }
	call := func(args ...int) *Sequence {
		st := Statement{Op: &Operation{Kind: OpMethod, Func: apply}}
		for _, a := range args {
			st.Args = append(st.Args, Ref{Stmt: a})
		}
		return NewSequence(Statement{Op: &Operation{Kind: OpZero, Type: named}}, literal(number), literal(text), literal(text), st)
	}
	for name, s := range map[string]*Sequence{"no name": call(0, 1), "two names": call(0, 1, 2, 3)} {
		if got := s.Places(); len(got) != 1 || got[1] != mode {
			t.Errorf("%s: the places are %v, want mode for statement 1 alone", name, got)
		}
	}
}
