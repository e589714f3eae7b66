package crossed

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// TestWithArguments passes arguments of one call to another one: of the same type only, with what made and changed them, and
// without what has nothing to do with them.
func TestWithArguments(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", `package p
type T struct { n int }
func New(n int) *T { return &T{n} }
func (t *T) Add(n int) { t.n += n }
func inner(v *T, n int) int { return v.n + n }
func Outer(name string, v *T) int { return inner(v, len(name)) }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fn := func(name string, args ...int) testcase.Statement {
		st := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: pkg.Scope().Lookup(name).(*types.Func)}}
		for _, a := range args {
			st.Args = append(st.Args, testcase.Ref{Stmt: a})
		}
		return st
	}
	add, _, _ := types.LookupFieldOrMethod(types.NewPointer(pkg.Scope().Lookup("T").Type()), true, pkg, "Add")
	number := func(n uint64) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: n}}}
	}
	name := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "a"}}}
	from := &testcase.Case{Target: "inner", Seq: testcase.NewSequence(
		number(1), fn("New", 0), // has nothing to do with the argument
		number(2), fn("New", 2), number(3),
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: add.(*types.Func)}, Args: []testcase.Ref{{Stmt: 3}, {Stmt: 4}}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: types.Typ[types.Int]}},
		fn("inner", 3, 6),
	)}
	base := &testcase.Case{Target: "Outer", Seq: testcase.NewSequence(name, number(9), fn("New", 1), fn("Outer", 0, 2))}
	var got []string
	for _, seq := range WithArguments(base, from) {
		got = append(got, seq.String())
	}
	if want := []string{`v2 := New(2); v2.Add(3); Outer("a", v2)`}; !slices.Equal(got, want) {
		t.Errorf("WithArguments = %q, want %q", got, want)
	}
}
