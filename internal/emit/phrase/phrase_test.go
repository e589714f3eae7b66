package phrase

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

func TestConditionPhrase(t *testing.T) {
	tests := []struct {
		text   string
		truth  bool
		want   string
		clause string
		word   string
	}{
		{"n > 0", true, "n > 0", "n > 0", "Positive"},
		{"n > 0", false, "n <= 0", "n <= 0", "NotPositive"},
		{"m.size >= maxSize", true, "m.size >= maxSize", "m.size >= maxSize", "SizeAtLeastMaxSize"},
		{"n != 12", true, "n != 12", "n != 12", "IsNot12"},
		{"!(n < 0)", false, "negative", "n is negative", "Negative"},
		{"n == 0", true, "zero", "n is zero", "Zero"},
		{"n%4 == 0", true, "n%4 == 0", "n%4 == 0", ""},
		{"len(n) == 0", true, "empty", "n is empty", "Empty"},
		{"n.Len() > 0", true, "not empty", "n is not empty", "NotEmpty"},
		{`n == ""`, false, "not empty", "n is not empty", "NotEmpty"},
		{"n == nil", true, "nil", "n is nil", "Nil"},
		{"m == nil", true, "nil m", "m is nil", "NilM"},
		{"m.IsFull()", true, "full", "m is full", "Full"},
		{"m.closed", false, "not closed", "m is not closed", "NotClosed"},
		{"m.reuse", true, "m.reuse", "m.reuse is true", "Reuse"},
		{"n > 0 && m != nil", false, "not (n > 0 && m != nil)", "not (n > 0 && m != nil)", ""},
		{"i < len(n)", true, "", "", ""},
		{"n > (", true, "", "", ""},
		{"true", true, "", "", ""},
	}
	for _, tt := range tests {
		p, ok := conditionPhrase(tt.text, tt.truth, "n", func(name string) (input, known bool) {
			input = name == "n" || name == "m"
			return input, input || strings.HasPrefix(name, ".") || name == "nil" || name == "len" || name == "true" || name == "maxSize"
		})
		if p.Text != tt.want || p.clause != tt.clause || p.word != tt.word || ok != (tt.want != "") {
			t.Errorf("conditionPhrase(%q, %t) = %+v, %t; want %q, %q, %q", tt.text, tt.truth, p, ok, tt.want, tt.clause, tt.word)
		}
	}
}

// Conditions speak of what a test hands over only where they stand before its change, in the
// target itself, and in its first activation.
func TestInputs(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", `package p

func F(s string, n int, q *Q) int {
	if n > 0 {
		return 1
	}
	n = len(s)
	if n > 1 || q.size == 0 {
		q.size++
	}
	if q.size == 2 {
		return F(s, n, q)
	}
	for s != "" {
		s = s[1:]
	}
	return g(s)
}

func g(s string) int {
	if s == "x" {
		return 1
	}
	return 0
}

type Q struct{ size int }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	tpkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	pkg := &load.Package{Path: "p", Types: tpkg, Info: info, Syntax: []*ast.File{file}}
	f := tpkg.Scope().Lookup("F").(*types.Func)
	at := func(line int, text string, taken bool) testcase.Condition {
		return testcase.Condition{Pos: token.Position{Filename: "p.go", Line: line, Column: 5}, Text: text, True: taken}
	}
	path := []testcase.Condition{
		at(4, "n > 0", false), at(8, "n > 1", false), at(8, "q.size == 0", true), at(11, "q.size == 2", true),
		at(4, "n > 0", true), at(14, `s != ""`, false), at(20, `s == "x"`, false),
	}
	phrases := New(gofile.NewWriter(pkg, false, "go1.26", nil, gofile.NewImports()), fset, make(InputsTable), nil)
	var b testcase.Builder
	sig := f.Signature()
	var args []testcase.Ref
	for p := range sig.Params().Variables() {
		args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: p.Type()}))
	}
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, args...)
	var got []string
	for _, p := range phrases.conditions(&testcase.Case{Target: "F", Seq: b.Sequence(), Path: path}) {
		got = append(got, p.clause)
	}
	if want := []string{"n <= 0", "q.size is zero"}; !slices.Equal(got, want) {
		t.Errorf("conditions %q, want %q", got, want)
	}
	if in := inputsOf(pkg, fset, f); in.still("s", token.Position{Filename: "p.go", Line: 14, Column: 6}) {
		t.Error("s is changed in the loop that asks for it")
	}
}
