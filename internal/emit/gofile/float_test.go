package gofile

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
)

func TestFloatFacts(t *testing.T) {
	ar := `package p
func Fused(x, y, z float64) float64 { return x*y + z }
func Through(x float64) float64 { return mul(x, x) - 1 }
func mul(x, y float64) float64 { return x * y }
func Single(x float64) float64 { return x / 3 }
func Ints(x int) int { return x*x + 1 }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", ar, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	if _, err := new(types.Config).Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	facts := NewFloatFacts(&load.Package{Syntax: []*ast.File{file}, Info: info})
	for target, want := range map[string]bool{"Fused": true, "Through": true, "mul": false, "Single": false, "Ints": false} {
		if got := facts.Inexact(target); got != want {
			t.Errorf("inexact(%s) = %t, want %t", target, got, want)
		}
	}
}
