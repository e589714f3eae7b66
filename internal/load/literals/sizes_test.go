package literals

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

func TestSizes(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", `package p

const block = 1 << 12

type window struct {
	bytes [block + 1]byte
	words [999]int
}

func f(s string, b []byte, xs []int) []byte {
	if len(s) > 255 || 64 <= len(b) || len(xs) == 100 || len(s) < 3 || len(b) != 1<<30 || len(s)+1 > 300 {
		return make([]byte, 0, 512)
	}
	_ = make([]int, 600)
	_ = make(map[string]int, 700)
	return make([]byte, len(s))
}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object)}
	if _, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	if got, want := sizes(Source{Syntax: []*ast.File{f}, Info: info}), []int{64, 255, 512, 4097}; !slices.Equal(got, want) {
		t.Errorf("sizes = %v, want %v", got, want)
	}
}
