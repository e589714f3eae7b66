package check

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
)

func build(t testing.TB, src string) (*Program, *ssa.Package) {
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
	return New(fset, types.SizesFor("gc", "amd64"), Config{}), pkg
}

// show lists a function's assertions.
func show(f *Function) string {
	var b strings.Builder
	for _, as := range f.Assumptions {
		fmt.Fprintf(&b, "assumed %s as %s\n", as.Text, as.ID)
	}
	for _, as := range f.Assertions {
		fmt.Fprintf(&b, "%s %s:", as.Kind, as.Text)
		switch {
		case as.Premise.Verified():
			b.WriteString(" proved")
		case as.Premise.Unverified():
			b.WriteString(" unverified")
		default:
			for _, c := range as.Premise {
				for _, i := range c {
					b.WriteString(" " + f.Assumptions[i].ID)
				}
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestTry(t *testing.T) {
	p, pkg := build(t, `
func Sum(xs []int) int { s := 0; for i := range xs { s += xs[i] }; return s }
func Find(xs []int, x int) int {
	lo, hi := 0, len(xs)
	for lo < hi {
		m := lo + (hi-lo)/2
		if xs[m] < x { lo = m+1 } else { hi = m }
	}
	return lo
}
func Find2(xs []int, x int) int {
	lo, hi := 0, len(xs)-1
	for lo <= hi {
		m := (lo + hi)/2
		if xs[m] == x { return m }
		if xs[m] < x { lo = m+1 } else { hi = m-1 }
	}
	return -1
}
func Rev(s []byte) { for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 { s[i], s[j] = s[j], s[i] } }
func Pre(s, p string) string { if len(s) >= len(p) && s[:len(p)] == p { return s[len(p):] }; return s }
type acct struct { balance, reviews int32; adv bool }
//assay:assert
func holds(b bool) {}
func (a *acct) review() { a.reviews++ }
func (a *acct) invest() { a.adv = true }
func (a *acct) Deposit(n int32) {
	if a == nil { return }
	old := a.balance
	if n <= 0 || n > 50000 { a.review() } else { a.balance += n; if a.balance > 10000 { a.invest() } }
	holds(a.balance >= old)
}
func Hash(xs []int, k uint32) int { if len(xs) == 0 { return 0 }; return xs[int(k)%len(xs)] }
func Bubble(a []int) { n := len(a); for i := 0; i < n; i++ { for j := 0; j < n-1-i; j++ { if a[j] > a[j+1] { a[j], a[j+1] = a[j+1], a[j] } } } }
func Ins(a []int) { for i := 1; i < len(a); i++ { v := a[i]; j := i-1; for j >= 0 && a[j] > v { a[j+1] = a[j]; j-- }; a[j+1] = v } }
func Tok(s string) (out []string) { start := 0; for i := 0; i < len(s); i++ { if s[i] == ' ' { if i > start { out = append(out, s[start:i]) }; start = i+1 } }; return append(out, s[start:]) }
`)
	for _, name := range []string{"Sum", "Find", "Find2", "Rev", "Pre", "Hash", "Bubble", "Ins", "Tok"} {
		f := p.Analyse(pkg.Func(name))
		t.Logf("%s: %s\n%s", name, f.GaveUp, show(f))
	}
	m := pkg.Prog.LookupMethod(types.NewPointer(pkg.Type("acct").Type()), pkg.Pkg, "Deposit")
	t.Log(show(p.Analyse(m)))
}

func TestInstruments(t *testing.T) {
	p, pkg := build(t, `
//assay:assert
func holds(b bool) {}
type acct struct { balance, reviews int32; adv bool }
func (a *acct) review() { a.reviews++ }
func (a *acct) invest() { a.adv = true }
func (a *acct) Deposit(n int32) {
	if a == nil { return }
	old := a.balance
	if n <= 0 || n > 50000 { a.review() } else { a.balance += n; if a.balance > 10000 { a.invest() } }
	holds(a.balance >= old)
}
`)
	m := pkg.Prog.LookupMethod(types.NewPointer(pkg.Type("acct").Type()), pkg.Pkg, "Deposit")
	f := p.Analyse(m)
	m.WriteTo(os.Stderr)
	t.Log(show(f))
	for _, g := range Instruments(f, Both, Premise{{}}) {
		t.Log(g.At.Block().Index, g.At, g.TryFirst, g.Cond)
	}
}
