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
	"slices"
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

// Analyse proves assertions that are plain, and names the assumptions on which others depend.
func TestAnalyse(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"range", "func F(xs []int) int { s := 0; for i := range xs { s += xs[i] }; return s }",
			"0 <= rangeindex + 1 < len(xs): proved"},
		{"no overflow in the middle", `func F(xs []int, x int) int {
			lo, hi := 0, len(xs)
			for lo < hi { m := lo + (hi-lo)/2; if xs[m] < x { lo = m+1 } else { hi = m } }
			return lo
		}`, "index-out-of-range 0 <= lo + ((hi - lo) / 2) < len(xs): proved"},
		{"binary search as it stood in books", `func F(xs []int, x int) int {
	lo, hi := 0, len(xs)-1
	for lo <= hi {
		m := (lo + hi) / 2
		if xs[m] < x { lo = m+1 } else { hi = m-1 }
	}
	return lo
}`, "assumed lo + hi does not overflow as overflow@5:12\nindex-out-of-range 0 <= (lo + hi) / 2 < len(xs): overflow@5:12"},
		{"prefix", "func F(s, p string) bool { return len(s) >= len(p) && s[:len(p)] == p }",
			"slice-out-of-range the bounds of s[:len(p)] are in range: proved"},
		{"modulo", "func F(xs []int, k uint32) int { if len(xs) == 0 { return 0 }; return xs[int(k)%len(xs)] }",
			"index-out-of-range 0 <= int(k) % len(xs) < len(xs): proved\ndivision-by-zero len(xs) is not 0: proved"},
		{"unchecked", "func F(xs []int, i int) int { return xs[i] }", "index-out-of-range 0 <= i < len(xs): unverified"},
		{"unchecked below", "func F(xs []int, i int) int { if i < len(xs) { return xs[i] }; return 0 }", "index-out-of-range 0 <= i < len(xs): unverified"},
		{"off by one", "func F(xs []int) int { for i := 0; i <= len(xs); i++ { if xs[i] == 0 { return i } }; return -1 }", "len(xs): unverified"},
		{"conversion", "func F(b []byte, n uint64) byte { if n < uint64(len(b)) { return b[int(n)] }; return 0 }",
			"0 <= int(n) < len(b): proved"},
		{"conversion of what may be large", "func F(b []byte, n uint64) byte { if int(n) < len(b) { return b[n] }; return 0 }",
			"0 <= n < len(b): conversion@2:"},
		{"narrow", "func F(b []byte, n int) byte { if n < 0 || n >= len(b) { return 0 }; return b[int8(n)] }",
			"len(b): conversion@2:83"},
		{"pointers", "type T struct { x int }\nfunc F(a, b *T, xs []int) int { if a == nil || b == nil || a.x < 0 || a.x >= len(xs) { return 0 }; b.x = 99; return xs[a.x] }",
			"assumed what is written here is not a.x by another name as alias@"},
		{"a callee's own field", "type T struct { x, y int }\nfunc (t *T) inc() { t.y++ }\nfunc F(t *T, xs []int) int { if t.x < 0 || t.x >= len(xs) { return 0 }; t.inc(); return xs[t.x] }",
			"0 <= t.x < len(xs): race@"},
		{"a callee changes it", "type T struct { x, y int }\nfunc (t *T) inc() { t.x++ }\nfunc F(t *T, xs []int) int { if t.x < 0 || t.x >= len(xs) { return 0 }; t.inc(); return xs[t.x] }",
			"0 <= t.x < len(xs): unverified"},
		{"anybody", "type T struct { x int }\nfunc F(t *T, f func(), xs []int) int { if t.x < 0 || t.x >= len(xs) { return 0 }; f(); return xs[t.x] }",
			"assumed f leaves t.x alone as callee@"},
		{"nil map", "func F(m map[string]int) { m[\"a\"] = 1 }", "nil-map-write m is not nil: unverified"},
		{"made map", "func F() { m := map[string]int{}; m[\"a\"] = 1 }", "nil-map-write ... is not nil: proved"},
		{"interface", "type I interface { M() }\nfunc F(i I) { i.M() }", "nil-dereference i is not nil: interface@3:8"},
		{"type assertion", "func F(x any) int { if n, ok := x.(int); ok { return n + x.(int) }; return 0 }", "type-assertion x is a int: proved"},
		{"shift", "func F(x, n int) int { if n < 0 { return 0 }; return x << n }", "negative-shift n is not negative: proved"},
		{"closed channel", "func F() { c := make(chan int, 1); c <- 1; close(c) }", "closed-channel the channel is open: proved\nclosed-channel the channel is open: proved"},
		{"closed twice", "func F() { c := make(chan int, 1); close(c); close(c) }", "closed-channel the channel is open: unverified"},
		{"panic", "func F(n int) { if n > 5 && n < 3 { panic(n) } }", "explicit the panic is not reached: proved"},
		{"and", "//assay:assert\nfunc holds(b bool) {}\nfunc F(x int) { if x > 3 { holds(x > 1 && x != 2) } }", "assertion ...: proved"},
		{"append", "func F(xs []int) int { xs = append(xs, 1); return xs[len(xs)-1] }", "0 <= len(append(xs, ...[:])) - 1 < len(append(xs, varargs[:])): proved"},
		{"full slice", "func F(xs []int) []int { return xs[:len(xs):len(xs)] }", "are in range: proved"},
		{"index of a byte", "import \"strings\"\nfunc F(s string) string { i := strings.IndexByte(s, '.'); return s[i+1:] }", "are in range: proved"},
		{"index of a text", "import \"strings\"\nfunc F(s string) string { i := strings.Index(s, \"::\"); return s[i+1:] }", "are in range: proved"},
		{"index of any text", "import \"strings\"\nfunc F(s, t string) string { i := strings.LastIndex(s, t); return s[i+1:] }", "are in range: unverified"},
		{"as many as take no memory", "func F(xs []struct{}) []int { return make([]int, len(xs)) }", "is a length: unverified"},
		{"as many as take memory", "func F(xs []string) []int { return make([]int, len(xs)) }", "is a length: proved"},
		{"a loop that widens", "func F(n int, xs [10]int) int { s := 0; for i := 0; i < n && i < 10; i++ { s += xs[i] }; return s }", "0 <= i < len(xs): proved"},
		{"declared", `//assay:assert
func holds(b bool) {}
func F(xs []int, i int) int { if i < 0 { return 0 }; return xs[i%len(xs)] }`, "division-by-zero len(xs) is not 0: unverified"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, pkg := build(t, tt.src)
			if got := show(p.Analyse(pkg.Func("F"))); !strings.Contains(got, tt.want) {
				t.Errorf("want %q in\n%s", tt.want, got)
			}
		})
	}
}

// If a kind of assumption is turned off, assertions that depended on it are not verified.
func TestOff(t *testing.T) {
	const inRange = "if t.x < 0 || t.x >= len(xs) { return 0 }; "
	srcs := map[AssumptionKind]string{
		Overflow:   "func F(xs []int, i, j int) int { if i < 0 || j < 0 { return 0 }; k := i + j; if k >= len(xs) { return 0 }; return xs[k] }",
		Lossless:   "func F(b []byte, n uint64) byte { if int(n) < len(b) { return b[n] }; return 0 }",
		Alias:      "type T struct { x int }\nfunc F(t, u *T, xs []int) int { " + inRange + "u.x = 99; return xs[t.x] }",
		Callee:     "type T struct { x int }\nfunc F(t *T, f func(), xs []int) int { " + inRange + "f(); return xs[t.x] }",
		Receiver:   "type T struct { x int }\nfunc (t *T) F() int { return t.x }",
		NonNilArgs: "type I interface { M() }\nfunc F(i I) { i.M() }",
		Race:       "type T struct { x int }\nfunc F(t *T, xs []int) int { " + inRange + "return xs[t.x] }",
		Declared:   "//assay:assumed\nfunc assumed(id string, cond bool) {}\nfunc F(x, y int) int { assumed(\"mine\", y > 0); return x / y }",
	}
	for _, k := range AssumptionKinds() {
		src, ok := srcs[k.Kind]
		if !ok {
			t.Errorf("nothing rests on %s", k.Kind)
			continue
		}
		analyse := func(off map[AssumptionKind]bool) *Function {
			p, pkg := build(t, src)
			p.config.Off = off
			if fn := pkg.Func("F"); fn != nil {
				return p.Analyse(fn)
			}
			return p.Analyse(method(pkg, "T", "F"))
		}
		on, off := analyse(nil), analyse(map[AssumptionKind]bool{k.Kind: true})
		depend := 0
		for i, as := range on.Assertions {
			if as.Premise.Verified() || as.Premise.Unverified() || !slices.ContainsFunc(as.Premise[0], func(n int) bool { return on.Assumptions[n].Kind == k.Kind }) {
				continue
			}
			depend++
			if !off.Assertions[i].Premise.Unverified() {
				t.Errorf("without %s: %s is still verified under %s", k.Kind, as.Text, off.PremiseText(off.Assertions[i].Premise))
			}
		}
		if depend == 0 {
			t.Errorf("nothing depends on %s:\n%s", k.Kind, show(on))
		}
	}
}

func method(pkg *ssa.Package, typ, name string) *ssa.Function {
	return pkg.Prog.LookupMethod(types.NewPointer(pkg.Type(typ).Type()), pkg.Pkg, name)
}

// The text of an annotation is the text of its condition.
func TestArgumentText(t *testing.T) {
	tests := []struct {
		src  string
		n    int
		want string
	}{
		{"(x > 0)\n", 0, "x > 0"},
		{`("odd, or )", f(x, 1)[i] == ')')`, 1, `f(x, 1)[i] == ')'`},
		{"(x > 0 &&\n\t\ty > 0, \"a\", \"b\",\n)", 0, "x > 0 && y > 0"},
		{"(x)", 1, ""},
		{"(x", 0, ""},
	}
	for _, tt := range tests {
		if got := argumentText([]byte(tt.src), tt.n); got != tt.want {
			t.Errorf("argumentText(%q, %d) = %q, want %q", tt.src, tt.n, got, tt.want)
		}
	}
}

// A function literal that captures nothing is no closure, and its enclosing function calls it all the same.
// While an assertion of the literal is open, no path through the enclosing function is verified.
func TestLiteralsWithoutCaptures(t *testing.T) {
	p, pkg := build(t, `
func F(n int) int {
	if func(b bool) bool { if b { panic("odd") }; return b }(n > 9) {
		return 1
	}
	return 2
}

func G(n int) int { return H(func(i int) int { return 10 / i }, n) }

func H(f func(int) int, n int) int { return f(n) }

func I(n int) int { return func(i int) int { return i + 1 }(n) }
`)
	for name, want := range map[string]bool{"F": true, "G": true, "I": false} {
		f := p.Analyse(pkg.Func(name))
		if got := strings.Contains(show(f), "anonymous the function literal's own assertions: unverified"); got != want {
			t.Errorf("%s meets its literal's assertions: %v, want %v\n%s", name, got, want, show(f))
		}
	}
}
