package campaign

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Numbers that nobody would pass become 1, the others stay; a call without such numbers is not asked again.
func TestWithOrdinaryNumbers(t *testing.T) {
	whole := types.Typ[types.Int]
	params := types.NewTuple(types.NewParam(token.NoPos, nil, "group", whole), types.NewParam(token.NoPos, nil, "n", whole))
	f := types.NewFunc(token.NoPos, nil, "Decode", types.NewSignatureType(nil, nil, nil, params, nil, false))
	call := func(group, n int64) *testcase.Sequence {
		b := &testcase.Builder{}
		number := func(n int64) testcase.Ref {
			lit, _ := testcase.IntLiteral(whole, n)
			return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: whole, Lit: lit})
		}
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, number(group), number(n))
		return b.Sequence()
	}
	for _, tt := range []struct {
		seq  *testcase.Sequence
		most int64
		want string
	}{
		{call(48, 3), large, "Decode(1, 3)"},
		{call(48, 3), huge, ""},
		{call(-1, 1<<30), huge, "Decode(1, 1)"},
		{call(2, 20), large, ""},
	} {
		got := ""
		if seq := withOrdinaryNumbers(tt.seq, 0, tt.most, 1); seq != nil {
			got = seq.String()
		}
		if got != tt.want {
			t.Errorf("withOrdinaryNumbers(%s, %d) = %q, want %q", tt.seq, tt.most, got, tt.want)
		}
	}
}

// A size was too large if there was no memory for it, the language refused it, or another module did.
func TestIsTooLarge(t *testing.T) {
	pkg := &load.Package{Path: "example.com/m/p", Module: "example.com/m"}
	panics := func(kind, in string) *testcase.Outcome {
		return &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: kind, Stack: []testcase.Frame{{Func: in}}}}
	}
	for _, tt := range []struct {
		name string
		o    *testcase.Outcome
		want bool
	}{
		{"no memory", &testcase.Outcome{Status: testcase.Died, Message: testcase.OutOfMemory}, true},
		{"another death", &testcase.Outcome{Status: testcase.Died, Message: "stack overflow"}, false},
		{"a length", panics("negative-length", "example.com/m/p.F"), true},
		{"refused by another module", panics("explicit", "image.NewNRGBA"), true},
		{"refused by the package", panics("explicit", "example.com/m/p.F"), false},
		{"an index", panics("index-out-of-range", "example.com/m/p.F"), false},
	} {
		if got := isTooLarge(pkg, tt.o); got != tt.want {
			t.Errorf("%s: isTooLarge = %t, want %t", tt.name, got, tt.want)
		}
	}
}

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

// A size takes its time. A number below zero, one that nobody counts to, and the largest of its type may be what a loop never ends for.
func TestPassesSizes(t *testing.T) {
	for _, tt := range []struct {
		kind types.BasicKind
		n    int64
		want bool
	}{
		{types.Int, 16384, true},
		{types.Int, 3, false}, // an ordinary number is no reason
		{types.Int, -1, false},
		{types.Int, 1 << 40, false},
		{types.Uint8, 200, true},
		{types.Uint8, 255, false},
		{types.Int32, 1<<31 - 1, false},
	} {
		b := &testcase.Builder{}
		typ := types.Typ[tt.kind]
		lit, _ := testcase.IntLiteral(typ, tt.n)
		f := types.NewFunc(token.NoPos, nil, "Tags", types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(token.NoPos, nil, "n", typ)), nil, false))
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: typ, Lit: lit}))
		if got := passesSizes(b.Sequence()); got != tt.want {
			t.Errorf("%s(%d): %t, want %t", typ, tt.n, got, tt.want)
		}
	}
}
