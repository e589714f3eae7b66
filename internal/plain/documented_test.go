package plain

import (
	"go/constant"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

func TestDocumented(t *testing.T) {
	p := newProgram(t)
	str := func(s string) constant.Value { return constant.MakeString(s) }
	p.pkg.Literals = &load.Literals{
		Documented: map[string][][]constant.Value{"Of": {
			{nil, str("ann"), str("by hand")}, {nil, str("bob"), nil}, {nil, constant.MakeInt64(3), str("hello")}, {str("too few")},
		}},
		Calls: map[string][][]constant.Value{"Of": {{nil, str("x"), str("y")}}},
	}
	var b testcase.Builder
	k := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: p.pkg.Types.Scope().Lookup("Kind").Type(), Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 7}})
	x := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "\x00"}})
	y := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: types.Typ[types.String]})
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: p.fn("Of")}, k, x, y)
	c := &testcase.Case{Target: "Of", Seq: b.Sequence()}
	for n, want := range []string{`Of(7, "ann", "by hand")`, `Of(7, "bob", "")`, `Of(7, "\x00", "hello")`, "", ""} {
		seq, ok := Documented(n)(p.pkg, c)
		if ok != (want != "") || ok && seq.String() != want {
			t.Errorf("Documented(%d) = %v, %t, want %s", n, seq, ok, want)
		}
	}
	if IsDocumented(p.pkg, c) {
		t.Errorf("%v is documented", c.Seq)
	}
	seq, _ := Documented(1)(p.pkg, c)
	if !IsDocumented(p.pkg, &testcase.Case{Target: "Of", Seq: seq}) {
		t.Errorf("%v is not documented", seq)
	}
	// What a test by hand passes already is no proposal.
	p.pkg.Literals.Documented["Of"] = [][]constant.Value{{constant.MakeInt64(7), str("x"), str("y")}}
	p.pkg.Literals.Calls["Of"] = [][]constant.Value{{constant.MakeInt64(7), str("x"), str("y")}}
	if seq, ok := Documented(0)(p.pkg, c); ok {
		t.Errorf("proposes %v", seq)
	}
}
