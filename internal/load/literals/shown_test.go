package literals

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
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
	got := shown(Source{Syntax: []*ast.File{f}})
	want := []Shown{
		{"", "*.txt"},
		{"", "# any text file\n*.txt\n\na[b-d].txt"},
		{"", "a[b-d].txt"},
		{"Parse", "0 5 * * *"},
		{"Rule", "!name"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("shown:\n%q\nwant\n%q", got, want)
	}
}
