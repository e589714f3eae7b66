package literals

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// What stands between the verbs of a format is a phrase if it has several words; paths, tags and keys are none.
func TestPhrases(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", `package p

import "example.com/the long way"

type T struct {
	F int `+"`json:\"not a phrase\"`"+`
}

const key = "key"

func f() {
	_ = "reading %q: %w"
	_ = "%s: values must not be empty: %[1]v of %d"
	_ = "no such file"
	_ = "no such file"
	_ = "one\nand two lines"
}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"values must not be empty", "no such file"}
	if got := Phrases([]*ast.File{f}); !slices.Equal(got, want) {
		t.Errorf("Phrases() = %q, want %q", got, want)
	}
}
