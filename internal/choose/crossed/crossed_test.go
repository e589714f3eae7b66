package crossed

import (
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

var pkg = types.NewPackage("example.com/p", "p")

func number(n uint64) testcase.Statement {
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: n}}}
}

func vars(ts ...types.Type) *types.Tuple {
	var list []*types.Var
	for _, t := range ts {
		list = append(list, types.NewVar(token.NoPos, pkg, "", t))
	}
	return types.NewTuple(list...)
}

// lines returns the statements of all calls.
func lines(calls []Call) (out []string) {
	for _, c := range calls {
		out = append(out, c.Seq.Inline())
	}
	return out
}

func TestCallsOfFunction(t *testing.T) {
	integer := types.Typ[types.Int]
	f := types.NewFunc(token.NoPos, pkg, "F", types.NewSignatureType(nil, nil, nil, vars(integer, integer), nil, false))
	call := func(a, b uint64) *testcase.Case {
		return &testcase.Case{Target: "F", Seq: testcase.NewSequence(number(a), number(b),
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}, Args: []testcase.Ref{{Stmt: 0}, {Stmt: 1}}})}
	}
	// Of (1, 2) and (3, 2) the exchange of the second argument gives nothing new, and that of the first gives the other case.
	if got := Calls([]*testcase.Case{call(1, 2), call(3, 2)}, 10); got != nil {
		t.Errorf("Calls of cases that differ in one input = %q, want none", lines(got))
	}
	if got := len(Calls([]*testcase.Case{call(1, 2), call(3, 4)}, 10)); got != 2 {
		t.Errorf("Calls of (1, 2) and (3, 4) are %d, want (3, 2) and (1, 4)", got)
	}
	if got := len(Calls([]*testcase.Case{call(1, 2), call(3, 4), call(5, 6)}, 3)); got != 3 {
		t.Errorf("Calls returns %d calls, want 3 at most", got)
	}
}

func TestCallsOfMethod(t *testing.T) {
	integer := types.Typ[types.Int]
	box := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Box", nil), types.NewStruct(nil, nil), nil)
	recv := types.NewVar(token.NoPos, pkg, "b", types.NewPointer(box))
	newBox := types.NewFunc(token.NoPos, pkg, "New", types.NewSignatureType(nil, nil, nil, nil, vars(types.NewPointer(box)), false))
	put := types.NewFunc(token.NoPos, pkg, "Put", types.NewSignatureType(recv, nil, nil, vars(integer), nil, false))
	made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: newBox}}
	puts := func(on, arg int) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: put}, Args: []testcase.Ref{{Stmt: on}, {Stmt: arg}}}
	}
	fresh := &testcase.Case{Target: "Box.Put", Seq: testcase.NewSequence(made, number(1), puts(0, 1))}
	used := &testcase.Case{Target: "Box.Put", Seq: testcase.NewSequence(made, number(7), puts(0, 1), number(2), puts(0, 3))}
	want := []string{
		// The box to which 7 was put gets 1, the fresh one 2.
		testcase.NewSequence(made, number(7), puts(0, 1), number(2), number(1), puts(0, 4)).Inline(),
		testcase.NewSequence(made, number(1), number(2), puts(0, 2)).Inline(),
	}
	if got := lines(Calls([]*testcase.Case{fresh, used}, 2)); !slices.Equal(got, want) {
		t.Errorf("Calls = %q, want %q", got, want)
	}
}

func TestVariants(t *testing.T) {
	integer := types.Typ[types.Int]
	f := types.NewFunc(token.NoPos, pkg, "F", types.NewSignatureType(nil, nil, nil, vars(integer, integer), nil, false))
	call := func(a, b uint64) *testcase.Case {
		return &testcase.Case{Target: "F", Seq: testcase.NewSequence(number(a), number(b),
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}, Args: []testcase.Ref{{Stmt: 0}, {Stmt: 1}}})}
	}
	one, two := call(1, 5), call(8, 9)
	calls := Variants([]*testcase.Case{one, two}, 8)
	want := []string{"F(2, 5)", "F(1, 6)", "F(9, 9)", "F(8, 10)", "F(0, 5)", "F(1, 4)", "F(7, 9)", "F(8, 8)"}
	if got := lines(calls); !slices.Equal(got, want) {
		t.Errorf("Variants of F(1, 5) and F(8, 9) = %q, want %q", got, want)
	}
	for i, c := range calls {
		if of := []*testcase.Case{one, one, two, two}[i%4]; c.Of != of {
			t.Errorf("%s is a variant of %s, want of %s", c.Seq.Inline(), c.Of.Seq.Inline(), of.Seq.Inline())
		}
	}
}

func TestAlternatives(t *testing.T) {
	for _, tt := range []struct {
		typ   types.BasicKind
		lit   testcase.Literal
		want  int
		first string
	}{
		{types.Bool, testcase.Literal{Kind: testcase.LitBool, Bits: 1}, 1, "false"},
		{types.Uint8, testcase.Literal{Kind: testcase.LitUint, Bits: 255}, 8, "254"}, // and no number that is too large or negative
		{types.Float64, testcase.Literal{Kind: testcase.LitFloat}, 5, "1"},
		{types.String, testcase.Literal{Kind: testcase.LitString, Str: "go"}, 17, `"gox"`},
		{types.Complex128, testcase.Literal{Kind: testcase.LitComplex}, 0, ""},
	} {
		typ := types.Typ[tt.typ]
		got := alternatives(&testcase.Operation{Kind: testcase.OpLiteral, Type: typ, Lit: tt.lit})
		if len(got) != tt.want || len(got) > 0 && got[0].Text(typ) != tt.first {
			t.Errorf("alternatives to %s are %v, want %d, the first of them %s", tt.lit.Text(typ), got, tt.want, tt.first)
		}
	}
}
