package plain

import (
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// loaded returns a package with its documentation.
func loaded(t *testing.T, source string) *load.Package {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	return prog.Packages[0]
}

const asking = `package m

// Has reports whether n is in list, which must be
// sorted.
func Has(list []int, n int) bool { return false }

// Order sorts a list that need not be sorted already.
func Order(list []int, n int) {}

// Sum adds numbers up.
func Sum(list []int, n int) int { return 0 }

type Stream struct{}

// Quantile returns a value of a stream.
func (s Stream) Quantile(q float64, epsilon float32, n float64) float64 { return 0 }
`

// A function that asks for sorted lists gets sorted ones, without repeated elements.
func TestAscending(t *testing.T) {
	pkg := loaded(t, asking)
	for name, want := range map[string]string{"Has": "v3 := []int{1, 2, 3}; Has(v3, 7)", "Order": "", "Sum": ""} {
		f := pkg.Types.Scope().Lookup(name).(*types.Func)
		var b testcase.Builder
		var elems []testcase.Ref
		for _, n := range []uint64{3, 1, 2, 1} {
			elems = append(elems, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: n}}))
		}
		list := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(types.Typ[types.Int]), N: 4}, elems...)
		n := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 7}})
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, list, n)
		seq, ok := Ascending(pkg, &testcase.Case{Target: name, Seq: b.Sequence()})
		if ok != (want != "") || ok && seq.String() != want {
			t.Errorf("%s: %v, %t; want %s", name, seq, ok, want)
		}
	}
}

// What is called a quantile or a tolerance is a fraction; other numbers stay.
func TestFractions(t *testing.T) {
	pkg := loaded(t, asking)
	f, _, _ := types.LookupFieldOrMethod(pkg.Types.Scope().Lookup("Stream").Type(), true, pkg.Types, "Quantile")
	var b testcase.Builder
	s := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: pkg.Types.Scope().Lookup("Stream").Type()})
	args := []testcase.Ref{s}
	for _, k := range []types.BasicKind{types.Float64, types.Float32, types.Float64} {
		args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: types.Typ[k]}))
	}
	b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: f.(*types.Func)}, args...)
	c := &testcase.Case{Target: "Stream.Quantile", Seq: b.Sequence()}
	seq, ok := Fractions(0)(pkg, c)
	if want := "m.Stream{}.Quantile(0.5, 0.05, 0)"; !ok || seq.String() != want {
		t.Errorf("%v, %t; want %s", seq, ok, want)
	}
	if seq, ok := Fractions(1)(pkg, &testcase.Case{Target: c.Target, Seq: seq}); ok {
		t.Errorf("fractions were replaced: %v", seq)
	}
}

// Numbers that a solver left, and ordinary ones in their place.
func TestOrdinary(t *testing.T) {
	p := newProgram(t)
	num, short, size := types.Typ[types.Int], types.Typ[types.Int16], p.typ("Size")
	for _, tt := range []struct {
		name  string
		n     int
		stmts []testcase.Statement
		want  string
	}{
		{"a number with digits that differ", 0, []testcase.Statement{p.zero(num), p.call(p.fn("Number"), 0)}, "Number(12345)"},
		{"a small one", 1, []testcase.Statement{p.zero(num), p.call(p.fn("Number"), 0)}, "Number(12)"},
		{"a few constants stay", 0, []testcase.Statement{p.zero(size), p.call(p.fn("Store"), 0)}, ""},
		{"an amount", 0, []testcase.Statement{p.zero(types.NewSlice(types.Typ[types.Uint8])), p.zero(types.NewArray(types.Typ[types.Uint8], 4)), p.zero(short), p.call(p.fn("Write"), 0, 1, 2)}, `Write(nil, [4]uint8{}, 12)`},
		{"flags stay", 0, []testcase.Statement{p.text("a"), p.integer(num, 2), p.call(p.fn("Walk"), 0, 1)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &testcase.Case{Target: testcase.TargetName(tt.stmts[len(tt.stmts)-1].Op.Func), Seq: testcase.NewSequence(tt.stmts...), Observed: &testcase.Outcome{}}
			seq, ok := Ordinary(tt.n)(p.pkg, c)
			if ok != (tt.want != "") || ok && seq.String() != tt.want {
				t.Errorf("got %v, %t; want %s", seq, ok, tt.want)
			}
		})
	}
}
