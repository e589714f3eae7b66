package usage

import (
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
)

// Nobody starts from the zero value of what another struct lists for its users.
func TestReadyPart(t *testing.T) {
	r := rules(t)
	for name, want := range map[string]int{"Entry": Usual, "Only": Shown} {
		if got := r.Ready(load.NamedOf(r.Pkg.Types.Scope().Lookup(name).Type())); !got.Allowed || got.Rank != want {
			t.Errorf("Ready(%s) = %+v, want rank %d", name, got, want)
		}
	}
}

func TestReady(t *testing.T) {
	r := rules(t)
	tests := []struct {
		name    string
		allowed bool
		why     string
	}{
		{"Set", true, "ready to use"},
		{"Nat", true, "set their receiver"}, // as in math/big, although Signed has a method Abs that makes a new one
		{"Pair", false, "Signed.Pair makes"},
		{"Tree", false, "must be created"},
		{"List", true, "lazyInit gives"},
		{"Record", true, "no function that makes"}, // that Text keeps a text says nothing of the format, which the package sets
		{"Writer", false, "NewWriter makes"},
		{"Only", true, "no function that makes"},
		{"Point", true, "numbers and texts"},
		{"Kind", true, "numbers and texts"},
		{"hidden", false, "newHidden makes"},
		{"Closer", false, "NewCloser makes"},
		{"Stream", false, "newStream makes"}, // that Read makes a buffer where there is none says nothing of the session
		{"Fault", false, "ErrRead makes"},
		{"Part", false, "NewWhole makes"}, // it is a part of what NewWhole makes, which sets a field of it
	}
	for _, tt := range tests {
		got := r.Ready(load.NamedOf(r.Pkg.Types.Scope().Lookup(tt.name).Type()))
		if got.Allowed != tt.allowed || !strings.Contains(got.Evidence, tt.why) {
			t.Errorf("Ready(%s) = %+v, want %v with %q", tt.name, got, tt.allowed, tt.why)
		}
		if tt.name == "Record" && got.Rank != Usual {
			t.Errorf("Ready(%s) has rank %d, want %d: something sets its format", tt.name, got.Rank, Usual)
		}
	}
}

func TestPreparedBy(t *testing.T) {
	r := rules(t)
	for name, want := range map[string]string{"Match": "Provision", "Late": "", "Only": "", "Writer": ""} {
		got := ""
		if f := r.PreparedBy(load.NamedOf(r.Pkg.Types.Scope().Lookup(name).Type())); f != nil {
			got = f.Name()
		}
		if got != want {
			t.Errorf("%s is prepared by %q, want %q", name, got, want)
		}
	}
}

// Structs that lead to others of one interface are nodes of a parser's tree; records with a header are none.
func TestIsNode(t *testing.T) {
	const kinds = `
type Num struct{ N int }
type Text struct{ S string }
type Call struct { Fn NODE; Args []NODE }
type Index struct{ X, Y NODE }
type Block struct{ List []NODE }
`
	methods := ""
	for _, name := range []string{"Num", "Text", "Call", "Index", "Block"} {
		methods += "func (*" + name + ") Pos() int { return 0 }\n"
	}
	for _, tt := range []struct {
		name, source string
		want         bool
	}{
		{"nodes", strings.ReplaceAll(kinds, "NODE", "Node") + methods + "func Parse(s string) (Node, error) { return nil, nil }", true},
		{"nodes in a file", strings.ReplaceAll(kinds, "NODE", "Node") + methods + "type File struct{ Body []Node }\nfunc Parse(s string) (*File, error) { return nil, nil }", true},
		{"no parser", strings.ReplaceAll(kinds, "NODE", "Node") + methods, false},
		{"records", strings.ReplaceAll(kinds, "NODE", "Header") + methods + "type Header struct{ N int }\nfunc (*Header) Pos() int { return 0 }\nfunc Parse(s string) (Node, error) { return nil, nil }", false},
	} {
		r := rulesOf(t, "package m\n\ntype Node interface{ Pos() int }\n"+tt.source)
		if got := r.IsNode(r.Pkg.Types.Scope().Lookup("Call").Type()); got != tt.want {
			t.Errorf("%s: IsNode(Call) = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A function that users cannot call makes values for them if it sets what they cannot set.
func TestMadeInside(t *testing.T) {
	r := rulesOf(t, `package m

type Context struct{ c *int }

func (c *Context) Get() int { return *c.c }

type Failure struct {
	Name string
	err  error
}

type Options struct {
	Print func()
	tag   string
}

func compile(f func(*Context), n *int) { f(&Context{n}) }
func fail(err error) any               { return &Failure{Name: "a", err: err} }
func defaults(f func(Options))         { f(Options{Print: func() {}, tag: "t"}) }
`)
	for name, want := range map[string]string{"Context": "compile", "Failure": "fail", "Options": ""} {
		if got := r.Maker(r.Pkg.Types.Scope().Lookup(name).Type().(*types.Named)); got != want {
			t.Errorf("Maker(%s) = %q, want %q", name, got, want)
		}
	}
}

// Lists that methods extend, and lists that users write.
func TestExtended(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": `package m

// Path is a list of operations and their points.
type Path []int

func (p *Path) Start(x int)   { *p = append(*p, 0, x) }
func (p *Path) Line(x int)    { *p = append(*p, 1, x) }
func (p Path) String() string { return "" }

// Heap is a heap.
type Heap []int

func (h *Heap) Push(x any) { *h = append(*h, x.(int)) }
func (h *Heap) Pop() any   { return nil }

// Names are names.
type Names []string

func (n Names) Has(name string) bool { return false }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	for name, want := range map[string]bool{"Path": true, "Heap": false, "Names": false} {
		if got := Extended(pkg, pkg.Types.Scope().Lookup(name).Type()); got != want {
			t.Errorf("Extended of %s = %t, want %t", name, got, want)
		}
	}
}
