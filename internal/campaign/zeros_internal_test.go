package campaign

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Numbers that a struct leaves at zero become 1, others stay, and so does what is no number.
func TestWithNumbersSet(t *testing.T) {
	pkg := types.NewPackage("example.com/m", "m")
	whole, text := types.Typ[types.Int], types.Typ[types.String]
	field := func(name string, t types.Type) *types.Var { return types.NewField(token.NoPos, pkg, name, t, false) }
	codec := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Codec", nil),
		types.NewStruct([]*types.Var{field("Dim", whole), field("Name", text), field("Scale", types.Typ[types.Float64]), field("at", whole)}, nil), nil)
	params := types.NewTuple(types.NewParam(token.NoPos, pkg, "c", codec))
	f := types.NewFunc(token.NoPos, pkg, "Decode", types.NewSignatureType(nil, nil, nil, params, nil, false))
	for _, tt := range []struct {
		name  string
		build func(b *testcase.Builder) testcase.Ref
		want  string
	}{
		{"nothing set", func(b *testcase.Builder) testcase.Ref {
			return b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: codec})
		},
			"v2 := m.Codec{Dim: 1, Scale: 1}; Decode(v2)"},
		{"one set", func(b *testcase.Builder) testcase.Ref {
			lit, _ := testcase.IntLiteral(whole, 7)
			n := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: whole, Lit: lit})
			return b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: codec, Elems: []int{0}}, n)
		}, "v2 := m.Codec{Dim: 7, Scale: 1}; Decode(v2)"},
		{"set to zero", func(b *testcase.Builder) testcase.Ref {
			zero, _ := testcase.IntLiteral(whole, 0)
			one, _ := testcase.FillKey(types.Typ[types.Float64], 3)
			n := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: whole, Lit: zero})
			s := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Float64], Lit: one})
			return b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: codec, Elems: []int{0, 2}}, n, s)
		}, "v3 := m.Codec{Dim: 1, Scale: 3}; Decode(v3)"},
		{"no struct", func(b *testcase.Builder) testcase.Ref {
			return b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: whole})
		}, ""},
	} {
		var b testcase.Builder
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, tt.build(&b))
		got := ""
		if seq := withNumbersSet(&load.Package{Types: pkg}, b.Sequence()); seq != nil {
			got = seq.String()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
