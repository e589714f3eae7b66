package literals

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

func TestMarks(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", `package p

func f(s string) bool {
	return s[0] == '-' || s[1] == '-' || s[:2] == "--" || s[3] == '=' || s[4] == 'a' || s == "abc" || s == "%s" || s[5] == '"' || s == ": " || s == "..." || s == "" || s == "("
}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := marks(Source{Syntax: []*ast.File{f}}), []string{"-", "--", "=", ": "}; !slices.Equal(got, want) {
		t.Errorf("marks = %q, want %q", got, want)
	}
}
