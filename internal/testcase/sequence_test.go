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

// Observers behind a call ask its receiver, its result, or what is in the interface that it returned.
func TestCase_Shown(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	iface := types.NewInterfaceType(nil, nil)
	object := types.NewNamed(types.NewTypeName(0, pkg, "T", nil), types.NewStruct(nil, nil), nil)
	method := func(name string, result types.Type) *Operation {
		recv := types.NewVar(0, pkg, "t", types.NewPointer(object))
		sig := types.NewSignatureType(recv, nil, nil, nil, types.NewTuple(types.NewVar(0, pkg, "", result)), false)
		return &Operation{Kind: OpMethod, Func: types.NewFunc(0, pkg, name, sig)}
	}
	zero := Statement{Op: &Operation{Kind: OpZero, Type: types.NewPointer(object)}}
	call := Statement{Op: method("With", iface), Args: []Ref{{Stmt: 0}}}
	assert := Statement{Op: &Operation{Kind: OpAssert, Type: types.NewPointer(object)}, Args: []Ref{{Stmt: 1}}}
	ask := func(of int) Statement {
		return Statement{Op: method("Len", types.Typ[types.Int]), Args: []Ref{{Stmt: of}}}
	}
	for _, tt := range []struct {
		name    string
		behind  []Statement
		subject int // -1 if nothing is shown
		inside  bool
	}{
		{"nothing", nil, -1, false},
		{"receiver", []Statement{ask(0), ask(0)}, 0, false},
		{"result", []Statement{ask(1)}, 1, false},
		{"inside", []Statement{assert, ask(2), ask(2)}, 1, true},
		{"inside, receiver", []Statement{assert, ask(2), ask(0)}, -1, true},
		{"inside, nothing", []Statement{assert}, -1, true},
		{"receiver, result", []Statement{ask(0), ask(1)}, -1, false},
	} {
		c := &Case{Target: "T.With", Seq: NewSequence(append([]Statement{zero, call}, tt.behind...)...)}
		subject, ok := c.Shown()
		if ok != (tt.subject >= 0) || ok && subject != (Ref{Stmt: tt.subject}) || c.ShownInside() != tt.inside {
			t.Errorf("%s: shows %v, %t, inside: %t", tt.name, subject, ok, c.ShownInside())
		}
	}
}

// go/types computes the methods of each instance of a generic type anew, so the instances of a sequence are made once.
func TestResultTypes_generic(t *testing.T) {
	param := types.NewTypeParam(types.NewTypeName(0, nil, "T", nil), types.Universe.Lookup("any").Type())
	sig := types.NewSignatureType(nil, nil, []*types.TypeParam{param}, nil, types.NewTuple(types.NewVar(0, nil, "", types.NewSlice(param))), false)
	f := types.NewFunc(0, nil, "Make", sig)
	s := NewSequence(Statement{Op: &Operation{Kind: OpFunc, Func: f, TypeArgs: []types.Type{types.Typ[types.Int]}}})
	first, second := s.ResultTypes(), s.ResultTypes()
	if got := first[0][0].String(); got != "[]int" {
		t.Errorf("the result has type %s, want []int", got)
	}
	if first[0][0] != second[0][0] {
		t.Error("the second time there is another instance")
	}
}
