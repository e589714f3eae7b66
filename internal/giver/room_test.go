package giver

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/load"
)

// Code that asks an io.Writer whether it is an http.ResponseWriter is given recorders, too.
func TestAskedFor(t *testing.T) {
	src := `package p

import (
	"fmt"
	"io"
	"net/http"
)

func F(w io.Writer, v any) {
	if r, ok := w.(http.ResponseWriter); ok {
		r.WriteHeader(404)
	}
	switch x := v.(type) {
	case fmt.Stringer, int:
		_ = x
	}
}
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object)}
	conf := types.Config{Importer: importer.Default()}
	if _, err := conf.Check("p", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	got := askedFor(&load.Package{Syntax: []*ast.File{f}, Info: info})
	want := []ask{{"io.Writer", "net/http.ResponseWriter"}, {"any", "fmt.Stringer"}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
