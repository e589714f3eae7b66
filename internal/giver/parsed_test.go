package giver

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestTestTexts(t *testing.T) {
	dir := t.TempDir()
	write := func(name, src string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a_test.go", "package p\n"+
		"var tests = []struct{ name, text string }{{name: \"two_edges\", text: `a -> b`}, {text: \"one line\"}}\n"+
		"func f() { q.Parse(\"x\", g(\"y = 1\")); Other(\"z\") }\n")
	write("b_test.go", "package p\nvar broken = \n")
	write("c_assay_test.go", "package p\nvar ours = `a text`\n")

	texts, names := testTexts(dir, "Parse")
	if want := []string{"x", "y = 1", "a -> b"}; !slices.Equal(texts, want) {
		t.Errorf("texts = %q, want %q", texts, want)
	}
	if want := map[string]string{"a -> b": "two edges"}; !maps.Equal(names, want) {
		t.Errorf("names = %q, want %q", names, want)
	}
}

func TestIsWorthReading(t *testing.T) {
	for text, want := range map[string]bool{"a -> b": true, "x=1": true, "word": false, "": false, "a %s": false, " \n ": false} {
		if got := isWorthReading(text); got != want {
			t.Errorf("isWorthReading(%q) = %t, want %t", text, got, want)
		}
	}
}

func TestReadingOf(t *testing.T) {
	const src = `package p

type Node interface{ node() }
type Tree struct{}

func (*Tree) node() {}

func Parse(path string, src []byte, deep bool) (*Tree, error) { return nil, nil }
func ParseFile(filename string) (*Tree, error)                { return nil, nil }
func NewTree(name string) *Tree                               { return nil }
func NewSource(source string) *Tree                           { return nil }
func ParseNumber(text string) (int, error)                    { return 0, nil }
func ParseMany(text string) (*Tree, int, error)               { return nil, 0, nil }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := new(types.Config).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	node := p.Scope().Lookup("Node").Type()
	for name, want := range map[string]int{"Parse": 1, "ParseFile": -1, "NewTree": -1, "NewSource": 0, "ParseNumber": -1, "ParseMany": -1} {
		got := -1
		if r := readingOf(p.Scope().Lookup(name).(*types.Func), node); r != nil {
			got = r.text
		}
		if got != want {
			t.Errorf("%s reads its parameter %d, want %d", name, got, want)
		}
	}
	if r := readerOf([]*types.Package{p}, node); r == nil || r.of.Name() != "Parse" {
		t.Errorf("values of Node are read by %v, want Parse", r)
	}
}
