package finding

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A struct of another package that has bounds and no pixels is one that nobody makes, if that package makes
// such structs.
func TestHalfMade(t *testing.T) {
	pixels, bounds := types.NewSlice(types.Typ[types.Uint8]), types.Typ[types.Int]
	literal := func(n uint64) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: bounds, Lit: testcase.Literal{Kind: testcase.LitInt, Bits: n}}}
	}
	none := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: pixels}}
	some := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: pixels, N: 4}}
	for _, tt := range []struct {
		name   string
		maker  bool
		elems  []int
		fields []testcase.Statement
		want   bool
	}{
		{"bounds without pixels", true, nil, []testcase.Statement{none, literal(7)}, true},
		{"bounds alone", true, []int{1}, []testcase.Statement{literal(7)}, true},
		{"bounds and pixels", true, nil, []testcase.Statement{some, literal(7)}, false},
		{"the zero value", true, nil, []testcase.Statement{none, literal(0)}, false},
		{"no function makes such structs", false, nil, []testcase.Statement{none, literal(7)}, false},
	} {
		pkg := types.NewPackage("image", "image")
		fields := []*types.Var{types.NewField(token.NoPos, pkg, "Pix", pixels, false), types.NewField(token.NoPos, pkg, "Max", bounds, false)}
		st := types.NewStruct(fields, nil)
		gray := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Gray", nil), st, nil)
		if tt.maker {
			pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, "NewGray", types.NewSignatureType(nil, nil, nil, nil, nil, false)))
		}
		var args []testcase.Ref
		for i := range tt.fields {
			args = append(args, testcase.Ref{Stmt: i})
		}
		op := &testcase.Operation{Kind: testcase.OpComposite, Type: gray, Elems: tt.elems}
		if got := halfMade(gray, st, op, testcase.NewSequence(tt.fields...), args); got != tt.want {
			t.Errorf("%s: halfMade = %t, want %t", tt.name, got, tt.want)
		}
	}
}

// Settings that a call returned may ask for more than there is; what an object keeps for itself may be any number.
func TestLargeSetting(t *testing.T) {
	number := func(n int64) testcase.Value { return testcase.Value{Kind: testcase.Int, Bits: uint64(n)} }
	record := func(field string, n int64) testcase.Value {
		t := types.NewStruct([]*types.Var{types.NewField(token.NoPos, nil, field, types.Typ[types.Int], false)}, nil)
		return testcase.Value{Kind: testcase.Struct, Type: t, Elems: []testcase.Value{number(n)}}
	}
	for _, tt := range []struct {
		v    testcase.Value
		want bool
	}{
		{record("Max", 1e9), true},
		{testcase.Value{Kind: testcase.Pointer, Elems: []testcase.Value{record("Max", -1e9)}}, true},
		{record("Max", 3), false},
		{record("seed", 1e9), false},
	} {
		if got := largeSetting(tt.v); got != tt.want {
			t.Errorf("largeSetting(%v) = %v", tt.v, got)
		}
	}
}

// Numbers of another package's enumeration are odd if no constant has them. Durations and modes of files are numbers of any size.
func TestUndeclaredElsewhere(t *testing.T) {
	_, pkg := loadSource(t, "package m\n\nimport (\n\t\"os\"\n\t\"reflect\"\n\t\"time\"\n)\n\nfunc F(time.Month, time.Duration, reflect.Kind, os.FileMode) {}\n")
	params := pkg.Target("F").Obj.Signature().Params()
	for _, tt := range []struct {
		param  int
		number uint64
		want   bool
	}{{0, 13, true}, {0, 12, false}, {1, 5, false}, {2, 99, true}, {2, 1, false}, {3, 5, false}} {
		op := &testcase.Operation{Kind: testcase.OpLiteral, Type: params.At(tt.param).Type(), Lit: testcase.Literal{Kind: testcase.LitInt, Bits: tt.number}}
		if tt.param > 1 {
			op.Lit.Kind = testcase.LitUint
		}
		if got := undeclared(pkg, op); got != tt.want {
			t.Errorf("undeclared(%s(%d)) = %t, want %t", op.Type, tt.number, got, tt.want)
		}
	}
}
