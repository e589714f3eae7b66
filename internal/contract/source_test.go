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

// known has the names of the standard library's packages, and their declarations.
var known = Imports{
	Declares: func(path, name string) bool {
		p, err := importer.Default().Import(path)
		return err == nil && p.Scope().Lookup(name) != nil
	},
}

// check type-checks a source file together with what Read generates for it, and returns
// the errors with their places.
func check(t *testing.T, src string) (*Package, []string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "/m/p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p := Read(fset, "/m", []*ast.File{f}, known)
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

// A type parameter may have the name of a type with an invariant, which does not speak of it.
func TestReadHidden(t *testing.T) {
	_, errs := check(t, `package p

//assay:invariant k.n >= 0
type Key struct{ n int }

func (k *Key) Next() { k.n++ }

type Cache[Key comparable, V any] struct{ m map[Key]V }

func (c *Cache[Key, V]) Has(k Key) bool { _, ok := c.m[k]; return ok }

func (c *Cache[Key, V]) All() []Key { return nil }

func Join[Key any](a, b []Key, held any) []Key { return append(a, b...) }

type Box struct{ key Key }

func Open[Key any](b *Box, k Key) (*Box, Key) { return b, k }
`)
	if len(errs) > 0 {
		t.Errorf("%q, want no complaint", errs)
	}
}

// A generated file imports the packages that its code mentions, and no others: not those that only functions
// without a contract mention, and not those whose name a parameter hides.
func TestReadImports(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"a function without a contract", "import \"strings\"\n\n//assay:ensures result >= 0\nfunc F() int { return 1 }\n\nfunc W(b *strings.Builder) {}\n", ""},
		{"a receiver", "import \"sync\"\n\ntype T struct{ sync.Mutex }\n\n//assay:ensures result\nfunc F() bool { return true }\n\nfunc (t *T) M(o *sync.Once) {}\n", ""},
		{"a type parameter", "import \"cmp\"\n\n//assay:ensures result\nfunc F() bool { return true }\n\nfunc G[E cmp.Ordered](e E) {}\n", ""},
		{"a hidden package", "import \"time\"\n\ntype T struct{ N int }\n\nvar _ time.Time\n\n//assay:requires time.N > 0\nfunc F(time T) int { return time.N }\n", ""},
		{"a parameter's type", "import \"strings\"\n\n//assay:ensures b.Len() > 0\nfunc W(b *strings.Builder) { b.WriteByte(1) }\n", "\"strings\""},
		{"a parameter with the package's name", "import \"strings\"\n\n//assay:ensures strings.Len() > 0\nfunc W(strings *strings.Builder) { strings.WriteByte(1) }\n", "\"strings\""},
		{"a clause", "import \"strings\"\n\n//assay:requires strings.ToUpper(s) == s\nfunc F(s string) string { return strings.ToLower(s) }\n", "\"strings\""},
		{"a clause of old", "import \"strings\"\n\n//assay:ensures result != old(strings.ToUpper(s))\nfunc F(s string) string { return strings.ToLower(s) }\n", "\"strings\""},
		{"another name", "import str \"strings\"\n\n//assay:requires str.ToUpper(s) == s\nfunc F(s string) string { return str.ToLower(s) }\n", "str \"strings\""},
		{"a version", "import \"math/rand/v2\"\n\n//assay:requires r != nil\nfunc F(r *rand.Rand) int { return r.Int() }\n", "\"math/rand/v2\""},
		{"a dot", "import . \"strings\"\n\n//assay:requires ToUpper(s) == s\nfunc F(s string) string { return ToLower(s) }\n", ". \"strings\""},
		{"a dot that is not needed", "import . \"strings\"\n\n//assay:requires s != \"\"\nfunc F(s string) string { return ToLower(s) }\n", ""},
		{"two dots", "import (\n\t. \"math\"\n\t. \"strings\"\n)\n\nvar _ = ToUpper\n\n//assay:requires x > Pi\nfunc F(x float64) float64 { return Sqrt(x) }\n", ". \"math\""},
	} {
		p, errs := check(t, "package p\n\n"+tt.src)
		got := imports(t, p.Files["/m/assay_contract_1.go"])
		if len(errs) > 0 || got != tt.want {
			t.Errorf("%s: imports %q, want %q; %s", tt.name, got, tt.want, strings.Join(errs, "; "))
		}
	}
}

// imports lists the import specs of a file.
func imports(t *testing.T, src []byte) string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, s := range f.Imports {
		spec := s.Path.Value
		if s.Name != nil {
			spec = s.Name.Name + " " + spec
		}
		list = append(list, spec)
	}
	return strings.Join(list, ", ")
}

func TestReadNothing(t *testing.T) {
	p, _ := check(t, "package p\n\n//assay:pure\nfunc f() {}\n")
	if len(p.Files) != 0 || len(p.Funcs) != 0 {
		t.Errorf("files %v, functions %v of a package without clauses", p.Files, p.Funcs)
	}
}

// The error is at the place of the mistake: in the directive in the user's file.
func TestReadProblems(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"syntax", "//assay:requires n >\nfunc f(n int) {}", "/m/p.go:3:21: expected operand"},
		{"empty", "//assay:ensures\nfunc f(n int) {}", "/m/p.go:3:16: //assay:ensures has no expression"},
		{"undefined", "//assay:requires n > mx\nfunc f(n int) {}", "/m/p.go:3:22: undefined: mx"},
		{"no condition", "//assay:ensures   n+1\nfunc f(n int) {}", "/m/p.go:3:19: cannot use n + 1 (value of type int) as bool value in argument"},
		{"old elsewhere", "//assay:requires old(n) > 0\nfunc f(n int) {}", "/m/p.go:3:18: old takes one expression, in ensures"},
		{"old of a result", "//assay:ensures old(n) < n\nfunc f(m int) (n int) { return m }", "/m/p.go:3:17: old takes what is there before the call: n is a result"},
		{"wrong place", "//assay:requires true\ntype T int", "/m/p.go:3:1: //assay:requires does not belong here"},
		{"of no declaration", "//assay:ensures true\nvar v int", "/m/p.go:3:1: //assay:ensures does not belong here"},
		{"no directive", "//assay:require true\nfunc f() {}", "/m/p.go:3:1: there is no directive //assay:require"},
		{"wrong place, too", "//assay:invariant true\nfunc f() {}", "/m/p.go:3:1: //assay:invariant does not belong here"},
		{"skip of a type", "//assay:skip\ntype T int", "/m/p.go:3:1: //assay:skip does not belong here"},
		{"skip of a constant", "//assay:skip slow\nconst c = 1", "/m/p.go:3:1: //assay:skip does not belong here"},
		{"alias", "//assay:invariant true\ntype T = int", "/m/p.go:3:19: an alias has no invariant"},
	} {
		_, errs := check(t, "package p\n\n"+tt.src+"\n")
		if len(errs) == 0 || !strings.HasPrefix(errs[0], tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, errs, tt.want)
		}
	}
}
