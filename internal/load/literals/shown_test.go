package literals

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestShown(t *testing.T) {
	const src = `// Package p reads rules.
//
//	# any text file
//	*.txt
//
//	a[b-d].txt
//
// It is used like this:
//
//	r, err := p.Parse("a")
//
// and installed like that:
//
//	$ go install example.com/p
//
//	p.Parse(" a ")
package p

// Parse reads:
//
//	0 5 * * *
//
// It returns:
//
//	"a b"  => a and b
func Parse(s string) error { return nil }

// Rule is one of:
//
//	!name
type Rule struct{}

// Match has
//
//	nothing(to, read)
func (r Rule) Match() {}
`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "testdata"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"two_rules.txt": "a\nb\n", "empty.txt": "", "binary.bin": "\x00", "large.txt": strings.Repeat("x", maxShownText+1), "x.go": "package x\n"} {
		if err := os.WriteFile(filepath.Join(dir, "testdata", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := shown(Source{Dir: dir, Syntax: []*ast.File{f}}, func(string) bool { return false })
	want := []Shown{
		{Of: "", Text: "*.txt"},
		{Of: "", Text: "# any text file\n*.txt\n\na[b-d].txt"},
		{Of: "", Text: "a[b-d].txt"},
		{Of: "Parse", Text: "0 5 * * *"},
		{Of: "Rule", Text: "!name"},
		{Text: "a\nb\n", File: "two_rules"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("shown:\n%+v\nwant\n%+v", got, want)
	}
}
