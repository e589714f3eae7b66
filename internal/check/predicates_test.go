package check

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// A predicate that cannot be evaluated does not hold: the conditions under which it can be stand in front of it.
func TestDefiner(t *testing.T) {
	const source = `package p

type Inner struct{ N int }

type Box struct {
	*Inner
	Kg int
}

func f(xs []int, i int, u uint8, m map[string]int, b *Box, s string, v any, a *[4]int) {}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	body := file.Decls[len(file.Decls)-1].(*ast.FuncDecl).Body
	for predicate, want := range map[string]string{
		`i > 0`:             `(i > 0)`,
		`xs[i] > 0`:         `i >= 0 && uint64(i) < uint64(len(xs)) && (xs[i] > 0)`,
		`xs[u] > 0`:         `uint64(u) < uint64(len(xs)) && (xs[u] > 0)`,
		`m[s] > 0`:          `(m[s] > 0)`,
		`a[i] > 0`:          `a != nil && i >= 0 && uint64(i) < uint64(len(a)) && (a[i] > 0)`,
		`b.Kg > 0`:          `b != nil && (b.Kg > 0)`,
		`b.N > 0`:           `b != nil && b.Inner != nil && (b.N > 0)`,
		`10/i > 2`:          `i != 0 && (10 / i > 2)`,
		`10/3 > i`:          `(10 / 3 > i)`,
		`1<<i > 2`:          `i >= 0 && (1 << i > 2)`,
		`s[i:] == "a"`:      `i >= 0 && uint64(i) <= uint64(len(s)) && i >= 0 && uint64(i) <= uint64(len(s)) && (s[i:] == "a")`,
		`i >= 0 && 9/i > 1`: `((i >= 0) && i != 0 && (9 / i > 1))`,
		`i < 0 || 9/i > 1`:  `((i < 0) || i != 0 && (9 / i > 1))`,
		`v != nil`:          `(v != nil)`,
		`v.(int) > 0`:       `a type assertion`,
		`v == v`:            `a comparison of interfaces`,
		`[2]int(xs)[0] > 0`: `a conversion to an array`,
	} {
		e, err := parser.ParseExpr(predicate)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		if err := types.CheckExpr(fset, pkg, body.Lbrace+1, e, info); err != nil {
			t.Fatalf("%s: %v", predicate, err)
		}
		got, what := (&definer{info: info}).condition(e)
		if what != "" {
			got = what
		}
		if got != want {
			t.Errorf("condition of %s = %s, want %s", predicate, got, want)
		}
	}
}
