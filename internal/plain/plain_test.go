package plain

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

const source = `package p

import "time"

type Vec struct{ X, Y float64 }

func (v Vec) Add(w Vec) Vec { return Vec{v.X + w.X, v.Y + w.Y} }

type Kind int

const Big Kind = 1

func Of(k Kind, name string, text string) {}

type Tree struct{ n int }

func New() *Tree { return &Tree{} }

func (t *Tree) Insert(x int) bool { return true }

type Segment struct{ A, B Vec }

func (s *Segment) Swap() {}

func At(t time.Time) {}
`

// program is the package of source, with constructors of statements.
type program struct {
	t   *testing.T
	pkg *load.Package
}

func newProgram(t *testing.T) program {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := program{t, &load.Package{Path: "p", Types: pkg}}
	p.pkg.Targets = []*load.Target{{Name: "New", Obj: p.fn("New"), Exported: true}}
	return p
}

func (p program) typ(name string) types.Type { return p.pkg.Types.Scope().Lookup(name).Type() }

func (p program) fn(name string) *types.Func {
	return p.pkg.Types.Scope().Lookup(name).(*types.Func)
}

func (p program) method(typ, name string) *types.Func {
	m, _, _ := types.LookupFieldOrMethod(types.NewPointer(p.typ(typ)), true, p.pkg.Types, name)
	return m.(*types.Func)
}

func refs(stmts ...int) []testcase.Ref {
	var out []testcase.Ref
	for _, s := range stmts {
		out = append(out, testcase.Ref{Stmt: s})
	}
	return out
}

func (p program) zero(t types.Type) testcase.Statement {
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: t}}
}

func (p program) integer(t types.Type, n int64) testcase.Statement {
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitInt, Bits: uint64(n)}}}
}

func (p program) text(s string) testcase.Statement {
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: s}}}
}

func (p program) call(f *types.Func, args ...int) testcase.Statement {
	kind := testcase.OpFunc
	if f.Signature().Recv() != nil {
		kind = testcase.OpMethod
	}
	return testcase.Statement{Op: &testcase.Operation{Kind: kind, Func: f}, Args: refs(args...)}
}

// A case that a person would have written otherwise, and what each way makes of it.
func TestWays(t *testing.T) {
	p := newProgram(t)
	vec, num := p.typ("Vec"), types.Typ[types.Int]
	steps := Steps()
	values := steps[len(steps)-1]
	tests := []struct {
		name   string
		way    Way
		target string
		stmts  []testcase.Statement
		want   string // "" where there is nothing to do
	}{
		{
			"each literal gets a value of its own", values[0], "Vec.Add",
			[]testcase.Statement{p.zero(vec), p.zero(vec), p.call(p.method("Vec", "Add"), 0, 1)},
			"v2 := p.Vec{2.5, 4.5}; v5 := p.Vec{6.5, 10.5}; v2.Add(v5)",
		},
		{
			"equal literals stay equal and in order", values[1], "Tree.Insert",
			[]testcase.Statement{p.call(p.fn("New")), p.integer(num, 1), p.call(p.method("Tree", "Insert"), 0, 1), p.integer(num, 0), p.call(p.method("Tree", "Insert"), 0, 3), p.integer(num, 1), p.call(p.method("Tree", "Insert"), 0, 5)},
			"v0 := New(); v0.Insert(4); v0.Insert(2); v0.Insert(4)",
		},
		{
			"enumerations and chosen numbers stay", values[0], "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("chosen"), p.text(""), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "chosen", "hello")`,
		},
		{
			"a constructor replaces an empty literal", Constructors, "Tree.Insert",
			[]testcase.Statement{p.zero(p.typ("Tree")), {Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(p.typ("Tree"))}, Args: refs(0)}, p.integer(num, 40), p.call(p.method("Tree", "Insert"), 1, 2)},
			"v0 := New(); v0.Insert(40)",
		},
		{
			"fields become part of the literal", Fields, "Segment.Swap",
			[]testcase.Statement{
				p.zero(p.typ("Segment")), {Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(p.typ("Segment"))}, Args: refs(0)},
				p.zero(vec), {Op: &testcase.Operation{Kind: testcase.OpSetField, Var: p.typ("Segment").Underlying().(*types.Struct).Field(1)}, Args: refs(1, 2)},
				p.call(p.method("Segment", "Swap"), 1),
			},
			"v1 := p.Segment{B: p.Vec{}}; v2 := &v1; v2.Swap()",
		},
		{
			"a text becomes readable", Readable("x"), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("a\x00"), p.text("b\xff"), p.call(p.fn("Of"), 0, 1, 2)},
			`Of(0, "ax", "bx")`,
		},
		{
			"a readable text stays", Readable("x"), "Of",
			[]testcase.Statement{p.zero(p.typ("Kind")), p.text("a"), p.text("\n"), p.call(p.fn("Of"), 0, 1, 2)},
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &testcase.Case{Target: tt.target, Seq: testcase.NewSequence(tt.stmts...), Observed: &testcase.Outcome{}}
			before := c.Seq.String()
			got := ""
			if seq, ok := tt.way(p.pkg, c); ok {
				got = seq.String()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s\nof   %s", got, tt.want, before)
			}
			if c.Seq.String() != before {
				t.Errorf("the case itself was changed to %s", c.Seq)
			}
		})
	}
}

// What a call computed is written as what it came to, and the call goes.
func TestLiterals(t *testing.T) {
	p := newProgram(t)
	vec := p.typ("Vec")
	add := p.method("Vec", "Add")
	seq := testcase.NewSequence(p.zero(vec), p.zero(vec), p.call(add, 0, 1), p.zero(vec), p.call(add, 2, 3))
	float := func(bits uint64) testcase.Value { return testcase.Value{Kind: testcase.Float, Bits: bits} }
	computed := testcase.Value{Kind: testcase.Struct, Elems: []testcase.Value{float(0x3ff0000000000000), float(0x4000000000000000)}}
	c := &testcase.Case{Target: "Vec.Add", Seq: seq, Observed: &testcase.Outcome{Results: [][]testcase.Value{nil, nil, {computed}, nil, nil}}}
	got, ok := Literals(p.pkg, c)
	if want := "v2 := p.Vec{1, 2}; v2.Add(p.Vec{})"; !ok || got.String() != want {
		t.Errorf("got %v, want %s", got, want)
	}
	c.Observed.Results[2][0].Elems[0].Cut = true
	if got, ok := Literals(p.pkg, c); ok {
		t.Errorf("of a value that was not observed whole came %s", got)
	}
}
