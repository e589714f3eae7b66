package load

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/txtar"
)

// module writes a txtar archive to a new directory, with a go.mod if it has none.
func module(tb testing.TB, archive string) string {
	tb.Helper()
	dir := tb.TempDir()
	ar := txtar.Parse([]byte(archive))
	ar.Files = append([]txtar.File{{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.24\n")}}, ar.Files...)
	for _, f := range ar.Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

func mustLoad(tb testing.TB, archive string, patterns ...string) *Program {
	tb.Helper()
	p, err := Load(context.Background(), Config{Dir: module(tb, archive)}, patterns...)
	if err != nil {
		tb.Fatal(err)
	}
	for _, pkg := range p.Packages {
		for _, d := range pkg.Errors {
			tb.Error(d)
		}
	}
	return p
}

func TestTargets(t *testing.T) {
	p := mustLoad(t, `
-- asm.s --
-- a.go --
package m

import "cmp"

func F(x int) int { return helper(x) }
func helper(x int) int { return x }

//assay:skip
func Skipped() {}

func init() {}
func asm()

func hasASM() bool { asm(); return true }

type hidden struct{}
func New() *hidden { return nil }
func (h *hidden) Door() {}
func (h hidden) inner() {}

type lost struct{}
func (lost) Unreachable() {}

type Shape interface{ Area() float64 }
type square struct{ a float64 }
func (s square) Area() float64 { return s.a * s.a }
func (s square) Other() {}
func Square(a float64) Shape { return square{a} }

type query interface{ Select() int }
type all struct{}
func (all) Select() int { return 1 }
func run(q query) int { return q.Select() }
func Run() int { return run(all{}) }

func Max[T cmp.Ordered](a, b T) T { if a > b { return a }; return b }
func Map[K comparable, V any](m map[K]V) []K { return nil }
func Sum[N int | float64](s []N) (t N) { return }
func Sort[S ~[]E, E any](s S) {}
func Stringy[T interface{ String() string }](t T) string { return t.String() }
func Ptr[T any, PT interface{ *T; Set(string) }](s string) T { var t T; PT(&t).Set(s); return t }
func Impossible[T interface{ Quux() }](t T) {}

type setter struct{}
func (s *setter) Set(string) {}
type named int
func (n named) String() string { return "" }

type List[T any] struct{ items []T }
func NewList[T any](items ...T) *List[T] { return &List[T]{items} }
func (l *List[T]) Push(x T) { l.items = append(l.items, x) }
func (l List[T]) Len() int { return len(l.items) }
`)
	var got []string
	for _, target := range p.Packages[0].Targets {
		s := target.String()
		if target.Exported {
			s += " exported"
		}
		if target.Skip != "" {
			s += " skip: " + target.Skip
		} else if len(target.Func.Blocks) == 0 {
			s += " NO BODY"
		}
		got = append(got, s)
	}
	want := `F exported
helper
Skipped exported skip: //assay:skip
init skip: init runs before every test
asm skip: it has no Go body (assembly or linkname)
hasASM skip: what it returns is the machine's: it takes nothing and calls assembly
New exported
hidden.Door exported
hidden.inner
lost.Unreachable
square.Area exported
square.Other
Square exported
all.Select
run
Run exported
Max[int] exported
Map[int,string] exported
Sum[int] exported
Sum[float64] exported
Sort[[]int,int] exported
Stringy[named] exported
Ptr[setter,*setter] exported
Impossible exported skip: no types were found that satisfy its type parameters: [T interface{Quux()}]
setter.Set
named.String
NewList[int] exported
List[int].Push exported
List[int].Len exported`
	if g := strings.Join(got, "\n"); g != want {
		t.Errorf("targets:\n%s\nwant:\n%s", g, want)
	}
}

func TestConstructorsAndImplementations(t *testing.T) {
	p := mustLoad(t, `
-- a.go --
package m

import "strings"

type T struct{ x int }
func make2(a, b int) T { return T{} }
func Parse(s string) (*T, error) { return nil, nil }
func NewT(a int) *T { return nil }
func (t *T) Clone() *T { return t }
func Copy(t *T) *T { return t }
func Both() (*T, int) { return nil, 0 }

type L[T any] struct{}
func NewL[T any]() *L[T] { return nil }

type W interface{ WriteString(s string) (int, error) }
type w struct{}
func (*w) WriteString(s string) (int, error) { return 0, nil }
var _ strings.Builder
`)
	pkg := p.Packages[0]
	named := func(name string) types.Type { return pkg.Types.Scope().Lookup(name).Type() }
	names := func(ts []*Target) string {
		var out []string
		for _, c := range ts {
			out = append(out, c.String())
		}
		return strings.Join(out, " ")
	}
	if got := names(pkg.Constructors(types.NewPointer(named("T")))); got != "NewT Parse make2" {
		t.Errorf("constructors of T: %s", got)
	}
	inst, err := types.Instantiate(nil, named("L"), []types.Type{types.Typ[types.String]}, true)
	if err != nil {
		t.Fatal(err)
	}
	cs := pkg.Constructors(inst)
	if got := names(cs); got != "NewL[string]" {
		t.Errorf("constructors of L[string]: %s", got)
	}
	if len(cs) == 1 && len(cs[0].Func.Blocks) == 0 {
		t.Error("NewL[string] has no body")
	}
	got := fmt.Sprint(p.Implementations(named("W").Underlying().(*types.Interface), pkg))
	if got != "[*example.com/m.w *strings.Builder]" {
		t.Errorf("implementations of W: %s", got)
	}
}

// callees are the static callees of a function, in order.
func callees(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(ssa.CallInstruction); ok {
				if f := c.Common().StaticCallee(); f != nil {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

func TestBody(t *testing.T) {
	p := mustLoad(t, `
-- a.go --
package m

import (
	"container/list"
	"errors"
	"io"
	"math"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

type mine struct{ a int }

func F(s string, ms []mine, l *list.List, p atomic.Pointer[mine]) bool {
	_ = strings.ToUpper(s)
	_ = l.PushBack(1)
	_ = slices.IndexFunc(ms, func(m mine) bool { return m.a == 0 })
	_ = p.Load()
	_ = math.Sqrt(2)
	_ = utf8.RuneCountInString(s)
	_ = netip.Addr.IsValid
	_ = errors.New(s)
	var r io.Reader = strings.NewReader(s)
	_, _ = r.Read(nil)
	return r == nil || errors.Is(nil, io.EOF)
}
`)
	pkg := p.Packages[0]
	for _, fn := range callees(pkg.Target("F").Func) {
		body, err := p.Body(fn)
		if err != nil {
			t.Errorf("%s: %v", fn, err)
			continue
		}
		if len(body.Blocks) == 0 || body.String() != fn.String() {
			t.Errorf("Body(%s) = %s with %d blocks", fn, body, len(body.Blocks))
		}
		if again, err := p.Body(fn); err != nil || again != body {
			t.Errorf("Body(%s) again is another one: %v", fn, err)
		}
	}
	// A method found by a dynamic type; a global; initialisers.
	r := pkg.Types.Imports()
	for _, imp := range r {
		if imp.Path() != "strings" {
			continue
		}
		reader := types.NewPointer(imp.Scope().Lookup("Reader").Type())
		m := p.LookupMethod(reader, nil, "Read")
		if body, err := p.Body(m); err != nil || len(body.Blocks) == 0 {
			t.Errorf("(*strings.Reader).Read: %v", err)
		}
	}
	eof := p.SSA.ImportedPackage("io").Var("EOF")
	twin := p.Global(eof)
	if twin == eof || twin.String() != "io.EOF" || p.Global(twin) != twin || p.Global(eof) != twin {
		t.Errorf("Global(io.EOF) = %v", twin)
	}
	for _, path := range []string{"example.com/m", "io", "sync/atomic"} {
		init, err := p.Init(path)
		if err != nil || len(init.Blocks) == 0 {
			t.Errorf("Init(%s): %v", path, err)
			continue
		}
		for _, c := range callees(init) {
			if c.Name() == "init" && c.Pkg.Pkg != types.Unsafe {
				if body, err := p.Body(c); err != nil || len(body.Blocks) == 0 {
					t.Errorf("init of %s: %v", c.Pkg, err)
				}
			}
		}
	}
	// Assembly.
	fn, err := p.LookupFunc("sync/atomic", "AddInt32")
	if err != nil || fn == nil || len(fn.Blocks) != 0 {
		t.Errorf("sync/atomic.AddInt32: %v", err)
	}
}

func TestAddSource(t *testing.T) {
	p := mustLoad(t, "-- a.go --\npackage m\n")
	pkg, err := p.AddSource("models/x", map[string][]byte{"x.go": []byte("package x\nimport \"unicode/utf8\"\nfunc F(s string) int { return utf8.RuneCountInString(s) }\n")})
	if err != nil {
		t.Fatal(err)
	}
	body, err := p.Body(callees(pkg.Func("F"))[0])
	if err != nil || len(body.Blocks) == 0 {
		t.Errorf("RuneCountInString: %v", err)
	}
	if _, err := p.AddSource("models/bad", map[string][]byte{"x.go": []byte("package x\nvar _ = y")}); err == nil {
		t.Error("no error for bad source")
	}
}

func TestErrors(t *testing.T) {
	const good = "-- good/g.go --\npackage good\nfunc G() {}\n"
	tests := []struct{ name, archive, pkg, want string }{
		{"syntax", "-- bad/b.go --\npackage bad\nfunc F( {\n", "bad", "bad/b.go:2:9: expected ')', found '{'"},
		{"type", "-- bad/b.go --\npackage bad\nfunc F() int { return x }\n", "bad", "bad/b.go:2:23: undefined: x"},
		{"cycle", "-- bad/b.go --\npackage bad\nimport _ \"example.com/m/c\"\n-- c/c.go --\npackage c\nimport _ \"example.com/m/bad\"\n", "bad",
			"bad/b.go:2:10: import cycle not allowed: example.com/m/bad -> example.com/m/c -> example.com/m/bad"},
		{"missing import", "-- bad/b.go --\npackage bad\nimport _ \"example.com/none\"\n", "bad",
			"bad/b.go:2:10: could not import example.com/none (no required module provides package example.com/none; to add it: go get example.com/none)"},
		{"dependent", "-- bad/b.go --\npackage bad\nimport _ \"example.com/m/c\"\n-- c/c.go --\npackage c\nvar x int = nil\n", "bad",
			"bad/b.go:2:10: could not import example.com/m/c (it has errors)"},
		{"two names", "-- bad/a.go --\npackage a\n-- bad/b.go --\npackage b\n", "bad", "bad/b.go:1:1: package b; expected package a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := module(t, good+tt.archive)
			p, err := Load(context.Background(), Config{Dir: dir}, "./...")
			if err != nil {
				t.Fatal(err)
			}
			ok := false
			for _, pkg := range p.Packages {
				switch {
				case pkg.Path == "example.com/m/good":
					if len(pkg.Errors) > 0 || len(pkg.Targets) != 1 {
						t.Errorf("good: %v, %d targets", pkg.Errors, len(pkg.Targets))
					}
				case strings.HasSuffix(pkg.Path, tt.pkg):
					for _, d := range pkg.Errors {
						ok = ok || strings.ReplaceAll(d.String(), dir+string(filepath.Separator), "") == tt.want
					}
					if !ok {
						t.Errorf("errors: %v\nwant %s", pkg.Errors, tt.want)
					}
				}
			}
		})
	}
}

func TestNothingToLoad(t *testing.T) {
	dir := module(t, "-- a.go --\npackage m\n-- empty/x.txt --\n\n-- tests/a_test.go --\npackage tests\n")
	tests := []struct{ name, dir, pattern, want string }{
		{"no go.mod", t.TempDir(), ".", "go.mod file not found"},
		{"no directory", dir, "./nonexistent", "directory not found"},
		{"no files", dir, "./empty", "no Go files in"},
		{"tests only", dir, "./tests", "no non-test Go files in"},
		{"nothing matches", dir, "./empty/...", `"./empty/..." matched no packages`},
		{"unknown package", dir, "foo/bar", "package foo/bar is not in std"},
		{"a file", dir, "a.go", "name a package, not a file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(context.Background(), Config{Dir: tt.dir}, tt.pattern)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Load(%s) = %v, want %q", tt.pattern, err, tt.want)
			}
		})
	}
}

func TestLiteralsAndTests(t *testing.T) {
	p := mustLoad(t, `
-- a.go --
package m

const limit = 1 << 20

func Parse(s string, n int) bool { return s == "magic" || n > limit || n == 7 || n == 7 }

type T struct{}
func (T) Only(x float64) bool { return x < 2.5 }
-- a_test.go --
package m

import "testing"

func TestParse(t *testing.T) {
	tests := []struct{ in string; n int; want bool }{
		{"1k", 1024, true},
		{in: "x", n: -3},
	}
	for _, tt := range tests {
		if got := Parse(tt.in, tt.n); got != tt.want { t.Errorf("noise") }
	}
	Parse("direct", 5)
	T{}.Only(1)
}
-- x_test.go --
package m_test

import "os"

func helper() { os.Exit(1) }
-- a_assay_test.go --
// Code generated by assay. DO NOT EDIT.

package m

func TestGenerated() { Parse("generated", 99) }
`)
	pkg := p.Packages[0]
	l := pkg.Literals
	if got := fmt.Sprint(l.Ints); got != "[1048576 7 1 1024 -3 5]" {
		t.Errorf("ints %s", got)
	}
	if got := fmt.Sprint(l.Strings); got != "[magic 1k x direct]" {
		t.Errorf("strings %s", got)
	}
	if got := fmt.Sprint(l.ByFunc["T.Only"].Floats); got != "[2.5]" {
		t.Errorf("floats %s", got)
	}
	if got := fmt.Sprint(l.Calls); got != `map[Parse:[["1k" 1024] ["x" -3] ["direct" 5]] T.Only:[[1]]]` {
		t.Errorf("calls %s", got)
	}
	if pkg.ExternalTests || !pkg.TestImports["os"] || !pkg.TestNames["helper"] || pkg.TestNames["TestGenerated"] {
		t.Errorf("tests: external %v, imports %v, names %v", pkg.ExternalTests, pkg.TestImports, pkg.TestNames)
	}
	if len(pkg.TestFiles) != 3 {
		t.Errorf("test files %v", pkg.TestFiles)
	}
}

func TestRows(t *testing.T) {
	p := mustLoad(t, `
-- a.go --
package m

const low = "low"

func Set(key, value string) bool {
	switch key {
	case "size":
		for _, v := range []string{"small", "large"} {
			if v == value { return true }
		}
	case "level":
		return value == low
	}
	return false
}
-- a_test.go --
package m

import "testing"

type row struct{ doc, patch string; n int }

var table = []row{
	{"{}", "[]", 1},
	{doc: "{1}", patch: "[2]"},
	{doc: "alone"},
}

func TestSet(t *testing.T) {
	if !Set("key", "value") { t.Error("report") }
}
`+"-- b_test.go --\npackage m\n\nvar one = \"1\"\n")
	l := p.Packages[0].Literals
	if got := fmt.Sprintf("%q", l.Rows); got != `[["{}" "[]"] ["{1}" "[2]"] ["key" "value"]]` {
		t.Errorf("rows of the tests %s", got)
	}
	if got := fmt.Sprintf("%q", l.ByFunc["Set"].Rows); got != `[["size" "small" "large"] ["level" "low"]]` {
		t.Errorf("rows of the code %s", got)
	}
}

func TestTagsOverlayWorkspaceVendor(t *testing.T) {
	dir := module(t, `
-- go.work --
go 1.24

use .
use ./other
-- a.go --
package m

import "example.com/other"

var X = other.Y
-- b.go --
//go:build special

package m

func Special() {}
-- other/go.mod --
module example.com/other

go 1.24
-- other/o.go --
package other

var Y = 1
`)
	p, err := Load(context.Background(), Config{
		Dir: dir, Tags: "special",
		Overlay: map[string][]byte{filepath.Join(dir, "a.go"): []byte("package m\n\nimport \"example.com/other\"\n\nvar X = other.Y\n\nfunc Overlaid() {}\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	pkg := p.Packages[0]
	if pkg.Target("Special") == nil || pkg.Target("Overlaid") == nil || len(pkg.Errors) > 0 {
		t.Errorf("targets %v, errors %v", pkg.Targets, pkg.Errors)
	}
}

// Packages under test see each other's source types.
func TestOneIdentity(t *testing.T) {
	p := mustLoad(t, "-- a/a.go --\npackage a\ntype T struct{}\nfunc (T) M() {}\n-- b/b.go --\npackage b\nimport \"example.com/m/a\"\nfunc F(t a.T) { t.M() }\n", "./...")
	a, b := p.Packages[0], p.Packages[1]
	if b.Types.Imports()[0] != a.Types {
		t.Error("b sees another a")
	}
	if c := callees(b.Target("F").Func)[0]; c != a.Target("T.M").Func {
		t.Errorf("F calls %v", c)
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, imp := range []string{"math", "fmt"} {
		b.Run(imp, func(b *testing.B) {
			dir := module(b, "-- a.go --\npackage m\nimport _ \""+imp+"\"\nfunc F() {}\n")
			for b.Loop() {
				if _, err := Load(context.Background(), Config{Dir: dir}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
