package standin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// checked returns the package p of a source.
func checked(t *testing.T, src string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// An object that is written by hand is made by the shortest call that made one in some run.
func TestParts_made(t *testing.T) {
	pkg := checked(t, `package p
type T struct { n int }
func New(n int) *T { return &T{n} }
func (t *T) Twice() *T { return &T{2 * t.n} }
func (t *T) Get() int { return t.n }
type Open struct { N int }
func (o *Open) Get() int { return o.N }
`)
	method := func(typ, name string) *testcase.Operation {
		m, _, _ := types.LookupFieldOrMethod(types.NewPointer(pkg.Scope().Lookup(typ).Type()), true, pkg, name)
		return &testcase.Operation{Kind: testcase.OpMethod, Func: m.(*types.Func)}
	}
	made := testcase.Value{Kind: testcase.Pointer}
	executed := func(results int, seq *testcase.Sequence) *testcase.Case {
		o := &testcase.Outcome{Status: testcase.Returned, Results: make([][]testcase.Value, seq.Len())}
		for i := seq.Len() - results; i < seq.Len(); i++ {
			o.Results[i] = []testcase.Value{made}
		}
		return &testcase.Case{Seq: seq, Observed: o}
	}
	number := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 3}}}
	one := testcase.NewSequence(number, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: pkg.Scope().Lookup("New").(*types.Func)}, Args: []testcase.Ref{{Stmt: 0}}})
	two := one.Extend(testcase.Statement{Op: method("T", "Twice"), Args: []testcase.Ref{{Stmt: 1}}})
	p := &Parts{Pkg: &load.Package{Path: "p", Types: pkg}}
	p.LearnRecipes([]*testcase.Case{executed(2, two), executed(1, one)})

	byHand := func(typ string) *testcase.Case {
		named := pkg.Scope().Lookup(typ).Type()
		return &testcase.Case{Seq: testcase.NewSequence(
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: named}},
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(named)}, Args: []testcase.Ref{{Stmt: 0}}},
			testcase.Statement{Op: method(typ, "Get"), Args: []testcase.Ref{{Stmt: 1}}},
		)}
	}
	for _, tt := range []struct {
		typ  string
		n    int
		want string // "" if there is no such way
	}{
		{"T", 0, "v1 := New(3); v1.Get()"},
		{"T", 1, "v1 := New(3); v2 := v1.Twice(); v2.Get()"},
		{"T", 2, ""},
		{"Open", 0, ""}, // users see its fields
	} {
		got := ""
		if s, ok := p.made(tt.n)(p.Pkg, byHand(tt.typ)); ok {
			got = s.String()
		}
		if got != tt.want {
			t.Errorf("made(%d) of %s = %q, want %q", tt.n, tt.typ, got, tt.want)
		}
	}
}

// A stand-in for an interface of the package gives way to what functions return as the interface, one object of each type that it holds.
// What a method returns takes the place of literals alone, and needs the earlier calls on its receiver.
func TestParts_held(t *testing.T) {
	pkg := checked(t, `package p
type Shape interface { Area() int }
type Square struct { side int }
func (s Square) Area() int { return s.side * s.side }
type Rect struct { w, h int }
func (r *Rect) Area() int { return r.w * r.h }
type Shelf struct { of []Shape }
func NewShelf() *Shelf { return &Shelf{} }
func (s *Shelf) Put(w, h int) {}
func (s *Shelf) Get() Shape { return s.of[0] }
func Of(n int) Shape { return Square{n} }
func Size(s Shape) int { return s.Area() }
`)
	typ := func(name string) types.Type { return pkg.Scope().Lookup(name).Type() }
	fn := func(name string) *testcase.Operation {
		return &testcase.Operation{Kind: testcase.OpFunc, Func: pkg.Scope().Lookup(name).(*types.Func)}
	}
	method := func(name string) *testcase.Operation {
		m, _, _ := types.LookupFieldOrMethod(types.NewPointer(typ("Shelf")), true, pkg, name)
		return &testcase.Operation{Kind: testcase.OpMethod, Func: m.(*types.Func)}
	}
	number := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 3}}}
	executed := func(seq *testcase.Sequence, held testcase.Value) *testcase.Case {
		o := &testcase.Outcome{Status: testcase.Returned, Results: make([][]testcase.Value, seq.Len())}
		o.Results[seq.Len()-1] = []testcase.Value{{Kind: testcase.Interface, Type: typ("Shape"), Elems: []testcase.Value{held}}}
		return &testcase.Case{Seq: seq, Observed: o}
	}
	p := &Parts{Pkg: &load.Package{Path: "p", Types: pkg}}
	p.LearnRecipes([]*testcase.Case{
		executed(testcase.NewSequence(number, testcase.Statement{Op: fn("Of"), Args: []testcase.Ref{{Stmt: 0}}}), testcase.Value{Kind: testcase.Struct, Type: typ("Square")}),
		executed(testcase.NewSequence(number, testcase.Statement{Op: fn("NewShelf")}, testcase.Statement{Op: method("Put"), Args: []testcase.Ref{{Stmt: 1}, {Stmt: 0}, {Stmt: 0}}},
			testcase.Statement{Op: method("Get"), Args: []testcase.Ref{{Stmt: 1}}}), testcase.Value{Kind: testcase.Pointer, Type: types.NewPointer(typ("Rect"))}),
	})
	c := &testcase.Case{Seq: testcase.NewSequence(
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpStubIface, Type: typ("Shape")}},
		testcase.Statement{Op: fn("Size"), Args: []testcase.Ref{{Stmt: 0}}},
	)}
	rect := types.NewPointer(typ("Rect"))
	byHand := &testcase.Case{Seq: testcase.NewSequence(
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: rect.Elem()}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAddr, Type: rect}, Args: []testcase.Ref{{Stmt: 0}}},
		testcase.Statement{Op: fn("Size"), Args: []testcase.Ref{{Stmt: 1}}},
	)}
	for _, tt := range []struct {
		way  plain.Way
		in   *testcase.Case
		want string // "" if nothing changes
	}{
		{p.held(0), c, "v1 := Of(3); Size(v1)"},
		{p.held(1), c, ""},
		{p.made(0), byHand, "v1 := NewShelf(); v1.Put(3, 3); v3 := v1.Get(); v4 := v3.(*p.Rect); Size(v4)"},
	} {
		got := ""
		if s, ok := tt.way(p.Pkg, tt.in); ok {
			got = s.String()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.in.Seq, got, tt.want)
		}
	}
}
