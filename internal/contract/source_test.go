package contract

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// check type-checks a source file together with what Read generates for it, and returns
// the errors with their places.
func check(t *testing.T, src string) (*Package, []string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "/m/p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p := Read(fset, "/m", []*ast.File{f})
	var errs []string
	for _, problem := range p.Problems {
		errs = append(errs, problem.Pos.String()+": "+problem.Message)
	}
	files := []*ast.File{f}
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		g, err := parser.ParseFile(fset, name, p.Files[name], parser.ParseComments)
		if err != nil {
			t.Fatalf("%v\n%s", err, p.Files[name])
		}
		files = append(files, g)
	}
	conf := types.Config{Importer: importer.Default(), Error: func(err error) { errs = append(errs, err.Error()) }}
	if _, err := conf.Check("p", fset, files, nil); err != nil && len(errs) == 0 {
		t.Fatal(err)
	}
	return p, errs
}

func TestRead(t *testing.T) {
	p, errs := check(t, `package p

import (
	"errors"
	str "strings"
)

// Stack is a stack.
//
//assay:invariant s.n >= 0
//assay:invariant s.n == len(s.items)
type Stack[T comparable, L []T] struct {
	n     int
	items L
}

type Celsius float64

//assay:invariant float64(self) >= -273.15
type Kelvin float64

// New makes a stack.
func New[T comparable](n int) (*Stack[T, []T], error) { return nil, errors.New("no") }

//assay:requires n > 0 && str.Contains("abc", "a")
//assay:ensures result == old(s.n) + n
//assay:ensures s.n >= old(s.n)
func (s *Stack[T, L]) Grow(n int, _ string, xs ...T) int { return n }

// Len is only subject to the invariant.
func (s Stack[T, _]) Len() int { return s.n }

func (s *Stack[_, L]) unexported() {}

//assay:ensures (q == 0) == (err != nil) && result0 == q
func Div(a, b int) (q int, err error) { return a, nil }

//assay:requires result > 0
func named(result int) int { return result }

func Warm(k Kelvin) Kelvin { return k }

//assay:skip
//assay:pure
func other() { _ = str.ToUpper("") }

//assay:ensures result0 == nil || result1 != nil
func Two(func(string) (int, error), map[string][]struct{ A int }) (*int, error) { return nil, nil }
`)
	if len(errs) > 0 {
		t.Fatalf("%s\n%s", strings.Join(errs, "\n"), p.Files["/m/assay_contract_1.go"])
	}
	var got []string
	for _, f := range p.Funcs {
		got = append(got, f.Run)
	}
	want := "assay_contract_run_New assay_contract_run_Stack_Grow assay_contract_run_Stack_Len assay_contract_run_Div assay_contract_run_named assay_contract_run_Warm assay_contract_run_Two"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("contracts of\n%s\nwant\n%s", s, want)
	}
	if k := p.Type("Kelvin"); k.Object != "self" || k.Pointer {
		t.Errorf("Kelvin: %+v", k)
	}
	if s := p.Type("Stack"); s.Object != "s" || !s.Pointer {
		t.Errorf("Stack: %+v", s)
	}
}

func TestReadNothing(t *testing.T) {
	p, _ := check(t, "package p\n\n//assay:pure\nfunc f() {}\n")
	if len(p.Files) != 0 || len(p.Funcs) != 0 {
		t.Errorf("files %v, functions %v of a package without clauses", p.Files, p.Funcs)
	}
}

// The place of what is wrong is in the user's file, in the directive.
func TestReadProblems(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"syntax", "//assay:requires n >\nfunc f(n int) {}", "/m/p.go:3:21: expected operand"},
		{"empty", "//assay:ensures\nfunc f(n int) {}", "/m/p.go:3:16: //assay:ensures has no expression"},
		{"undefined", "//assay:requires n > mx\nfunc f(n int) {}", "/m/p.go:3:22: undefined: mx"},
		{"no condition", "//assay:ensures   n+1\nfunc f(n int) {}", "/m/p.go:3:19: cannot use n + 1 (value of type int) as bool value in argument"},
		{"old elsewhere", "//assay:requires old(n) > 0\nfunc f(n int) {}", "/m/p.go:3:18: old takes one expression, in ensures"},
		{"wrong place", "//assay:requires true\ntype T int", "/m/p.go:3:1: //assay:requires does not belong here"},
		{"wrong place, too", "//assay:invariant true\nfunc f() {}", "/m/p.go:3:1: //assay:invariant does not belong here"},
		{"alias", "//assay:invariant true\ntype T = int", "/m/p.go:3:19: an alias has no invariant"},
	} {
		_, errs := check(t, "package p\n\n"+tt.src+"\n")
		if len(errs) == 0 || !strings.HasPrefix(errs[0], tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, errs, tt.want)
		}
	}
}
