package testcase

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"testing"
)

const source = `package p

import "errors"

var ErrX = errors.New("x")

type T struct{ A int; B []string }

func (t *T) M(xs ...int) (int, error) { return 0, nil }

func New[E any](e E) *T { return nil }

type I interface{ F() int }
`

// samples returns sequences with every kind of operation.
func samples(t testing.TB) []*Sequence {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default(), Error: func(error) {}}
	pkg, _ := conf.Check("example.com/p", fset, []*ast.File{f}, nil)
	scope := pkg.Scope()
	named := scope.Lookup("T").Type()
	ptr := types.NewPointer(named)
	m, _, _ := types.LookupFieldOrMethod(ptr, true, pkg, "M")
	a, _, _ := types.LookupFieldOrMethod(ptr, true, pkg, "A")
	errX := scope.Lookup("ErrX").(*types.Var)
	ints := types.NewSlice(types.Typ[types.Int])
	strs := types.NewSlice(types.Typ[types.String])
	table := types.NewMap(types.Typ[types.String], types.Typ[types.Int])

	lit := func(t types.Type, l Literal) *Operation { return &Operation{Kind: OpLiteral, Type: t, Lit: l} }
	var b Builder
	one := b.Add(lit(types.Typ[types.Int], Literal{Kind: LitInt, Bits: 1}))
	s := b.Add(lit(types.Typ[types.String], Literal{Kind: LitString, Str: "a b\xff\"=\n"}))
	list := b.Add(&Operation{Kind: OpComposite, Type: strs, N: 5, Elems: []int{2}}, s)
	v := b.Add(&Operation{Kind: OpComposite, Type: named, Elems: []int{0, 1}}, one, list)
	p := b.Add(&Operation{Kind: OpAddr, Type: ptr}, v)
	xs := b.Add(&Operation{Kind: OpZero, Type: ints})
	call := b.Add(&Operation{Kind: OpMethod, Func: m.(*types.Func), Spread: true}, p, xs)
	b.Add(&Operation{Kind: OpSetField, Var: a.(*types.Var)}, p, call)
	b.Add(&Operation{Kind: OpField, Type: types.Typ[types.Int], Var: a.(*types.Var)}, p)
	b.Add(&Operation{Kind: OpStore}, p, v)
	counts := types.NewMap(types.Typ[types.Int], types.Typ[types.Int])
	b.Add(&Operation{Kind: OpSetIndex}, b.Add(&Operation{Kind: OpZero, Type: counts}), one, one)
	pipe := b.Add(&Operation{Kind: OpMakeChan, Type: types.NewChan(types.SendRecv, types.Typ[types.Int]), N: 1})
	b.Add(&Operation{Kind: OpSend}, pipe, one)
	b.Add(&Operation{Kind: OpClose}, pipe)
	b.Add(&Operation{Kind: OpDeref, Type: named}, p)
	b.Add(&Operation{Kind: OpIndex, Type: types.Typ[types.String]}, list, one)
	e := b.Add(&Operation{Kind: OpGlobal, Type: errX.Type(), Var: errX})
	b.Add(&Operation{Kind: OpSetGlobal, Var: errX}, e)
	n := b.Add(&Operation{Kind: OpFunc, Func: scope.Lookup("New").(*types.Func), TypeArgs: []types.Type{table}},
		b.Add(&Operation{Kind: OpComposite, Type: table}, s, one))
	b.Add(&Operation{Kind: OpMethod, Func: m.(*types.Func)}, n, one, one)
	b.Add(&Operation{Kind: OpClosure, Type: m.Type(), Func: m.(*types.Func), Pass: []int{-1, 0}, Returns: true}, n, one)

	var c Builder
	f64 := c.Add(lit(types.Typ[types.Float64], Literal{Kind: LitFloat, Bits: math.Float64bits(math.NaN())}))
	c.Add(lit(types.Typ[types.Complex128], Literal{Kind: LitComplex, Bits: 1, Imag: 1 << 63}))
	c.Add(lit(types.Typ[types.Bool], Literal{Kind: LitBool, Bits: 1}))
	c.Add(lit(types.Typ[types.Uint64], Literal{Kind: LitUint, Bits: math.MaxUint64}))
	fn := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", types.Typ[types.Float64])), false)
	g := c.Add(&Operation{Kind: OpStubFunc, Type: fn, Stub: []StubCall{{"", 0, 1}, {"", 1, 2}}}, f64, f64)
	c.Add(&Operation{Kind: OpCallValue}, g)
	c.Add(&Operation{Kind: OpMakeChan, Type: types.NewChan(types.SendRecv, types.Typ[types.Float64]), N: 1, Closed: true}, f64)
	zero := c.Add(lit(types.Typ[types.Int], Literal{Kind: LitInt}))
	i := c.Add(&Operation{Kind: OpStubIface, Type: scope.Lookup("I").Type(), Stub: []StubCall{{"F", 0, 1}}}, zero)
	x := c.Add(&Operation{Kind: OpConvert, Type: types.NewInterfaceType(nil, nil)}, i)
	c.Add(&Operation{Kind: OpAssert, Type: scope.Lookup("I").Type()}, x)
	return []*Sequence{b.Sequence(), c.Sequence()}
}

func TestDumpParse(t *testing.T) {
	seqs := samples(t)
	table := NewTable(seqs...)
	for _, s := range seqs {
		dump := s.Dump()
		got, err := Parse(dump, table)
		if err != nil {
			t.Fatalf("Parse: %v\n%s", err, dump)
		}
		if again := got.Dump(); again != dump {
			t.Errorf("dumped again:\n%s\nwant\n%s", again, dump)
		}
	}
}

func TestSequence_String(t *testing.T) {
	want := []string{
		`v2 := []string{2: "a b\xff\"=\n"}; v3 := p.T{A: 1, B: v2}; v4 := &v3; v6 := v4.M(nil...); v4.A = v6; v4.A; *v4 = v3; nil[1] = 1; v12 := make(chan int, 1){}; v12 <- 1; close(v12); *v4; v2[1]; v17 := ErrX; ErrX = v17; ` +
			`v19 := map[string]int{"a b\xff\"=\n": 1}; v20 := New[map[string]int](v19); v20.M(1, 1); closure func(xs ...int) (int, error){v20.M[-1 0] 1}`,
		`v4 := stub func() float64{(NaN) (NaN)}; v4(); make(chan float64, 1){NaN}.close(); v8 := stub p.I{F(0)}; v9 := interface{}(v8); v9.(p.I)`,
	}
	for i, s := range samples(t) {
		if got := s.String(); got != want[i] {
			t.Errorf("String() =\n%s\nwant\n%s", got, want[i])
		}
	}
}

// FuzzParse checks that a text which parses is dumped to a text that parses to the same sequence, and that
// nothing panics.
func FuzzParse(f *testing.F) {
	seqs := samples(f)
	table := NewTable(seqs...)
	for _, s := range seqs {
		f.Add(s.Dump())
	}
	f.Add("literal lit=int:1 args=0\n")
	f.Add("method args=0,\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text, table)
		if err != nil {
			return
		}
		dump := s.Dump()
		again, err := Parse(dump, table)
		if err != nil || again.Dump() != dump {
			t.Errorf("%q is dumped as %q, which gives %v", text, dump, err)
		}
	})
}

func TestSequence_Key(t *testing.T) {
	of := func(text string) *Sequence {
		return NewSequence(Statement{Op: &Operation{Kind: OpLiteral, Type: types.Typ[types.String], Lit: Literal{Kind: LitString, Str: text}}})
	}
	if got := of("short").Key(); got != `"short"` {
		t.Errorf("Key() = %s, want the text as it is", got)
	}
	a, b := of("Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko"), of("Mozilla/5.0 (Windows NT 5.1; WOW64; Trident/7.0; rv:11.0) like Gecko")
	if a.String() != b.String() {
		t.Fatalf("%s and %s differ, so that they show nothing", a, b)
	}
	if a.Key() == b.Key() || a.Key() != of("Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko").Key() {
		t.Errorf("keys %s and %s", a.Key(), b.Key())
	}
}
