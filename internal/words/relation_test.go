package words

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

func TestRelate(t *testing.T) {
	number := func(n uint64) testcase.Value { return testcase.Value{Kind: testcase.Int, Bits: n} }
	set := func(keys ...uint64) testcase.Value {
		v := testcase.Value{Kind: testcase.Map, Len: len(keys)}
		for _, k := range keys {
			v.Elems = append(v.Elems, number(k), testcase.Value{Kind: testcase.Struct})
		}
		return v
	}
	cut := set(1)
	cut.Cut = true
	tests := []struct {
		name  string
		x, y  testcase.Value
		want  relation
		known truth
	}{
		{"disjoint", set(1, 2), set(3), disjoint, yes},
		{"overlapping", set(1, 2), set(2, 3), overlapping, yes},
		{"a proper subset", set(1), set(1, 2), part, yes},
		{"a proper superset", set(1, 2), set(2), whole, yes},
		{"the same", set(1, 2), set(2, 1), same, yes},
		{"a pointer to a set", testcase.Value{Kind: testcase.Pointer, Elems: []testcase.Value{set(1)}}, set(3), disjoint, yes},
		{"empty", set(), set(3), unrelated, yes},
		{"nil", testcase.Value{Kind: testcase.Nil}, set(3), unrelated, yes},
		{"not all is known", cut, set(3), unrelated, unknown},
		{"no set", number(1), set(3), unrelated, unknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, known := relate(tt.x, tt.y); got != tt.want || known != tt.known {
				t.Errorf("relate(%v, %v) = %v, %v; want %v, %v", tt.x, tt.y, got, known, tt.want, tt.known)
			}
		})
	}
}

// Where the code compares an argument with the elements of a list, the argument is present or absent; where it does not, such
// words would be true by chance.
func TestMeets(t *testing.T) {
	const source = `package p

import "slices"

func Loop(list []float64, x float64) bool {
	for _, e := range list {
		if e == x {
			return true
		}
	}
	return false
}

func Library(list []float64, x float64) bool { return slices.Contains(list, x) }

func Callee(list []float64, x float64) bool { y := x; return Loop(list[1:], y) }

func Keys(list map[float64]bool, x float64) bool { return list[x] }

func Percentile(list []float64, x float64) float64 {
	sorted := slices.Clone(list)
	if x <= 0 || x > 100 {
		return 0
	}
	at := x / 100 * float64(len(sorted))
	return sorted[int(at)] * (at - float64(int(at)))
}

func Scale(list []float64, x float64) []float64 {
	for i, e := range list {
		list[i] = e * x
	}
	return list
}
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection)}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	checked, err := conf.Check("p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	pkg := &load.Package{Path: "p", Types: checked, Info: info, Syntax: []*ast.File{f}}
	for name, want := range map[string]bool{"Loop": true, "Library": true, "Callee": true, "Keys": true, "Percentile": false, "Scale": false} {
		n := New(pkg, checked.Scope().Lookup(name).(*types.Func), nil, nil, nil)
		if got := n.meets(1, 0); got != want {
			t.Errorf("%s: x meets the elements of list: %t, want %t", name, got, want)
		}
	}
}
