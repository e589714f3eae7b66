package guide

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/goassay/assay/internal/check"
)

// build builds a package of one file, and an analyser for it.
func build(t *testing.T, src string) (*check.Program, *ssa.Package) {
	t.Helper()
	fset := token.NewFileSet()
	name := filepath.Join(t.TempDir(), "p.go") // directives are read from the file
	if err := os.WriteFile(name, []byte("package p\n"+src), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", "p"), []*ast.File{f}, ssa.InstantiateGenerics)
	if err != nil {
		t.Fatal(err)
	}
	return check.New(fset, types.SizesFor("gc", "amd64"), check.Config{}), pkg
}

const deposit = `
func (a *acct) Deposit(n int32) {
	if a == nil { return }
	old := a.balance
	if n <= 0 || n > 50000 {
		a.review()
	} else {
		a.balance += n
		if a.balance > 10000 { a.invest() }
	}
	holds(a.balance >= old)
}
`

// bank has the example of Christakis, Müller and Wüstholz (ICSE 2016), and the function Twice, which has a
// second assertion at its end.
func bank() string {
	twice := strings.Replace(strings.Replace(deposit, "Deposit", "Twice", 1), "old)\n", "old)\n\tholds(n != 77)\n", 1)
	return `
//assay:assert
func holds(b bool) {}

type acct struct { balance, reviews int32; adv bool }

func (a *acct) review() { a.reviews++ }
func (a *acct) invest() { a.adv = true }` + deposit + twice[1:] // without the empty line
}

// The conditions for the paper's example (figures 2 and 4), and for its variant with an assertion that is
// not verified (figure 6).
func TestInstruments(t *testing.T) {
	p, pkg := build(t, bank())
	show := func(name string, mode Mode) string {
		f := p.Analyse(pkg.Prog.LookupMethod(types.NewPointer(pkg.Type("acct").Type()), pkg.Pkg, name))
		var b strings.Builder
		for _, g := range Instruments(f, mode, check.Premise{{}}) {
			what := "assume " + formula(f, g.Cond, true)
			if g.TryFirst {
				what = "tryfirst " + formula(f, g.Cond, false)
			}
			fmt.Fprintf(&b, "%s: %s; ", g.At.Block().Comment, what)
		}
		return b.String()
	}
	const both = "!(race@10:16 && overflow@16:3)"
	tests := []struct {
		name string
		mode Mode
		want string
	}{
		{"Deposit", Annotated, ""},
		// A condition before the review, on the path that never computes the sum, and one after the sum.
		{"Deposit", May, "if.then: assume " + both + "; if.else: assume " + both + "; "},
		{"Deposit", Both, "if.then: assume " + both + "; if.else: assume " + both + "; "},
		{"Twice", May, ""},
		{"Twice", Must, "if.done: tryfirst !overflow@27:3; if.else: tryfirst !overflow@27:3; "},
	}
	for _, tt := range tests {
		if got := show(tt.name, tt.mode); got != tt.want {
			t.Errorf("%s, %s: %q, want %q", tt.name, ModeNames()[tt.mode], got, tt.want)
		}
	}
}

// No path is pruned at the entry of a function if a function literal in it has open assertions.
func TestLiteralsAreNotPruned(t *testing.T) {
	p, pkg := build(t, `
func F(n int) int {
	if func(b bool) bool { if b { panic("odd") }; return b }(n > 9) {
		return 1
	}
	return 2
}

func G(n int) int { return H(func(i int) int { return 10 / i }, n) }

func H(f func(int) int, n int) int { return f(n) }
`)
	for _, name := range []string{"F", "G"} {
		f := p.Analyse(pkg.Func(name))
		for _, ins := range Instruments(f, May, check.Premise{{}}) {
			if len(ins.Cond) == 0 {
				t.Errorf("%s is pruned at its entry", name)
			}
		}
	}
}
