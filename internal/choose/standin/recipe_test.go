package standin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// An object that is written by hand is made by the shortest call that made one in some run.
func TestParts_made(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", `package p
type T struct { n int }
func New(n int) *T { return &T{n} }
func (t *T) Twice() *T { return &T{2 * t.n} }
func (t *T) Get() int { return t.n }
type Open struct { N int }
func (o *Open) Get() int { return o.N }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
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
