package pair

import (
	"context"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// loaded writes the files of a txtar-like text to a new directory and loads the package there.
func loaded(t *testing.T, module string, files map[string]string) Side {
	t.Helper()
	dir := t.TempDir()
	if files["go.mod"] == "" {
		files["go.mod"] = "module " + module + "\n\ngo 1.24\n"
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if e := prog.Packages[0].Errors; len(e) > 0 {
		t.Fatal(e)
	}
	return Side{prog, prog.Packages[0]}
}

const oldSource = `package m

import "fmt"

const limit = 3

type Item struct {
	Name string
	size int
}

// Gone goes.
func Gone() {}

// Same stays.
func Same(n int) int { return n + 1 }

// Comment has one.
func Comment(n int) int { return n * 2 }

func Limit() int { return limit }

func helper(n int) int { return n }

func Door(n int) int { return helper(n) }

func Long(n int) int {
	if n > 5 {
		return n - 5
	}
	return n + 7
}

func (i Item) Size() int { return i.size }

func (i Item) String() string { return i.Name }

func Show(i Item) string { return fmt.Sprint(i) }

type wrapped struct{ list []int }

func (w *wrapped) Add(n int) { w.list = append(w.list, n) }

func Wide(n int) int { return n }
`

const newSource = `package m

import "fmt"

const limit = 4

type Item struct {
	size int
	Name string
}

// New is new.
func New() {}

// Same stays,
// and says more.
func Same(n int) int {
	// Nothing else.
	return n + 1
}

// Comment has another.
func Comment(n int) int { return n * 2 }

func Limit() int { return limit }

func helper(n int) int { return n + 1 }

func Door(n int) int { return helper(n) }

func Length(n int) int {
	if n > 5 {
		return n - 5
	}
	return n + 7
}

func (i Item) Size() int { return i.size }

func (i Item) String() string { return i.Name + "!" }

func Show(i Item) string { return fmt.Sprint(i) }

type wrapped struct{ items []int }

func (w *wrapped) Add(n int) { w.items = append(w.items, n) }

func Wide(n int64) int64 { return n }
`

func pairing(t *testing.T) *Pairing {
	t.Helper()
	p, err := Packages(loaded(t, "example.com/m", map[string]string{"m.go": oldSource}), loaded(t, "example.com/m/v2", map[string]string{"m.go": newSource}))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPackages(t *testing.T) {
	p := pairing(t)
	changed := map[string]bool{}
	for _, f := range p.Functions {
		changed[f.New.Name] = f.Changed
	}
	want := map[string]bool{
		"Same": false, "Comment": false, "Limit": true, "helper": true, "Door": true, "Length": false,
		"Item.Size": true, "Item.String": true, "Show": true, "wrapped.Add": false,
	}
	for name, is := range want {
		if got, ok := changed[name]; !ok || got != is {
			t.Errorf("%s: changed %v (paired %v), want %v", name, got, ok, is)
		}
	}
	var unpaired []string
	for _, u := range p.Unpaired {
		reason, _, _ := strings.Cut(u.Reason, ":")
		unpaired = append(unpaired, u.Target().Name+" "+reason)
	}
	slices.Sort(unpaired)
	if want := []string{"Gone gone", "New new", "Wide its signature changed"}; !slices.Equal(unpaired, want) {
		t.Errorf("unpaired %q, want %q", unpaired, want)
	}
	if got := p.OldName("Length"); got != "Long" {
		t.Errorf("Length was %q, want Long", got)
	}
	if got := p.NewName("Long"); got != "Length" {
		t.Errorf("Long is %q, want Length", got)
	}
}

// TestChangedElsewhere has functions whose text is the same, and what they mean is not.
func TestChangedElsewhere(t *testing.T) {
	for _, tt := range []struct{ name, old, new string }{
		{"init", "var v = 1\n\nfunc init() { v = 2 }\n\nfunc F() int { return v }", "var v = 1\n\nfunc init() { v = 3 }\n\nfunc F() int { return v }"},
		{"a function that init calls", "var v = 1\n\nfunc init() { set() }\n\nfunc set() { v = 2 }\n\nfunc F() int { return v }", "var v = 1\n\nfunc init() { set() }\n\nfunc set() { v = 3 }\n\nfunc F() int { return v }"},
		{"a variable without a name", "var v = 1\n\nvar _ = set(2)\n\nfunc set(n int) int { v = n; return n }\n\nfunc F() int { return v }", "var v = 1\n\nvar _ = set(3)\n\nfunc set(n int) int { v = n; return n }\n\nfunc F() int { return v }"},
		{"the name of a field that is printed", "import \"fmt\"\n\ntype T struct{ A, b int; C string }\n\nfunc F(n int) string { return fmt.Sprintf(\"%+v\", T{A: n}) }", "import \"fmt\"\n\ntype T struct{ A, b int; D string }\n\nfunc F(n int) string { return fmt.Sprintf(\"%+v\", T{A: n}) }"},
		{"the name of a type that is printed", "import \"fmt\"\n\ntype T struct{ A, b int; C string }\n\nfunc F(n int) string { return fmt.Sprintf(\"%T\", T{A: n}) }", "import \"fmt\"\n\ntype U struct{ A, b int; C string }\n\nfunc F(n int) string { return fmt.Sprintf(\"%T\", U{A: n}) }"},
		{"a method of a field", "import \"fmt\"\n\ntype T struct{ N N }\n\ntype N int\n\nfunc (n N) String() string { return \"a\" }\n\nfunc F(n int) string { return fmt.Sprint(T{N(n)}) }", "import \"fmt\"\n\ntype T struct{ N N }\n\ntype N int\n\nfunc (n N) String() string { return \"b\" }\n\nfunc F(n int) string { return fmt.Sprint(T{N(n)}) }"},
		{"a method of what a slice holds", "import \"fmt\"\n\ntype N int\n\nfunc (n N) String() string { return \"a\" }\n\nfunc F(n int) string { x := []any{N(n)}; return fmt.Sprint(x...) }", "import \"fmt\"\n\ntype N int\n\nfunc (n N) String() string { return \"b\" }\n\nfunc F(n int) string { x := []any{N(n)}; return fmt.Sprint(x...) }"},
		{"an import", "import (\n\t\"strings\"\n\tb \"bytes\"\n)\n\nvar _ = b.ToUpper\n\nvar _ = strings.ToUpper\n\nfunc F() int { return G() }\n\nfunc G() int { var x b.Reader; return x.Len() }",
			"import (\n\t\"bytes\"\n\tb \"strings\"\n)\n\nvar _ = bytes.ToUpper\n\nvar _ = b.ToUpper\n\nfunc F() int { return G() }\n\nfunc G() int { var x b.Reader; return x.Len() }"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Packages(loaded(t, "example.com/m", map[string]string{"m.go": "package m\n\n" + tt.old + "\n"}), loaded(t, "example.com/m", map[string]string{"m.go": "package m\n\n" + tt.new + "\n"}))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range p.Functions {
				if f.New.Name == "F" && !f.Changed {
					t.Error("F is not changed")
				}
			}
		})
	}
}

// TestAssertions has a new variable without a name that only asks the compiler something.
func TestAssertions(t *testing.T) {
	const old = "package m\n\nvar v = 1\n\nfunc init() { v++ }\n\nfunc F() int { return v }\n"
	const new = old + "\ntype T struct{}\n\nfunc (t *T) F() {}\n\nvar _ interface{ F() } = (*T)(nil)\n\nvar _ = []any{v, func() { v = 3 }}\n"
	p, err := Packages(loaded(t, "example.com/m", map[string]string{"m.go": old}), loaded(t, "example.com/m", map[string]string{"m.go": new}))
	if err != nil {
		t.Fatal(err)
	}
	if list := p.ChangedFunctions(); len(list) > 0 {
		t.Errorf("%s is changed", list[0].New)
	}
}

// TestRenamed has functions and types with other names that have changed, too.
func TestRenamed(t *testing.T) {
	const old = `package m

type Options struct {
	Sep  string
	Trim bool
}

func Fields(s string, o Options) int { return count(s, o.Sep) }

func count(s, sep string) int { return len(s) - len(sep) }

func Join(a, b string, o Options) string {
	if o.Trim && a == "" {
		return b
	}
	return a + o.Sep + b
}

func First(l []int) int {
	if len(l) == 0 {
		return -1
	}
	return l[0]
}
`
	const new = `package m

type Config struct {
	Sep       string
	TrimSpace bool
}

func Fields(s string, o Config) int { return size(s, o.Sep) }

func size(s, sep string) int { return cap([]byte(s)) * 2 / len(sep) }

func Concat(a, b string, o Config) string {
	if o.TrimSpace && a == "" {
		return b
	}
	return a + o.Sep + " " + b
}

func Last(l []int) (n int) {
	for _, x := range l {
		n = x
	}
	return n
}
`
	p, err := Packages(loaded(t, "example.com/m", map[string]string{"m.go": old}), loaded(t, "example.com/m", map[string]string{"m.go": new}))
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"Options": "Config", "count": "size", "Join": "Concat", "First": ""} {
		if got := p.NewName(from); got != to {
			t.Errorf("%s is %q, want %q", from, got, to)
		}
	}
}

// TestRenamedShapes renames types whose names are parts of other words in their text, among them that of the package.
func TestRenamedShapes(t *testing.T) {
	old := loaded(t, "example.com/lru", map[string]string{"m.go": "package lru\n\ntype s struct{ next *s; size int }\ntype lru struct{ prev *lru; lru string }\ntype Set struct{ Settings []string; Of *Set }\n"})
	new := loaded(t, "example.com/lru", map[string]string{"m.go": "package lru\n\ntype stack struct{ next *stack; size int }\ntype ring struct{ prev *ring; lru string }\ntype Group struct{ Settings []string; Of *Group }\n"})
	p, err := Packages(old, new)
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"s": "stack", "lru": "ring", "Set": "Group"} {
		if got := p.NewName(from); got != to {
			t.Errorf("%s is %q, want %q", from, got, to)
		}
	}
}

// TestConflictingFields renames one field to different names in two types: the name means neither in texts.
func TestConflictingFields(t *testing.T) {
	old := loaded(t, "m", map[string]string{"m.go": "package m\n\ntype A struct{ n int }\ntype B struct{ n, m string }\ntype C struct{ n int; s string }\nfunc F(a A, c C) int { return a.n + c.n }\n"})
	new := loaded(t, "m", map[string]string{"m.go": "package m\n\ntype A struct{ x int }\ntype B struct{ n, m string }\ntype C struct{ y int; s string }\nfunc F(a A, c C) int { return a.x + c.y }\n"})
	for range 20 {
		p, err := Packages(old, new)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.names.fields) > 0 || !p.Own("m.A") || !p.Own("m.C") {
			t.Fatalf("fields %v are renamed; A changed: %v, C changed: %v", p.names.fields, p.Own("m.A"), p.Own("m.C"))
		}
	}
}

func TestHunks(t *testing.T) {
	p := pairing(t)
	var texts []string
	for _, h := range p.Hunks {
		texts = append(texts, h.String())
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{
		"m.go:5: `const limit = 4`, was `const limit = 3`",
		"`func helper(n int) int { return n + 1 }`, was `func helper(n int) int { return n }`",
		"`func Gone() {}` is gone",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no hunk %s in\n%s", want, all)
		}
	}
	if strings.Contains(all, "Nothing else") || strings.Contains(all, "Comment") {
		t.Errorf("comments are no hunks:\n%s", all)
	}
	if got := p.FunctionsAt("example.com/m/v2.limit", true); !slices.Equal(got, []string{"Limit"}) {
		t.Errorf("functions at limit: %q", got)
	}
}

// TestTranslator carries a sequence over to the other version, and back.
func TestTranslator(t *testing.T) {
	p := pairing(t)
	old := p.Old.Pkg
	item := old.Types.Scope().Lookup("Item").Type()
	var b testcase.Builder
	name := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "a"}})
	size := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 2}})
	it := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: item}, name, size)
	b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: old.Target("Item.Size").Obj}, it)
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: old.Target("Long").Obj}, size)
	seq := b.Sequence()
	over, err := p.Forward().Sequence(seq)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := over.String(), `v2 := m.Item{Name: "a", size: 2}; v2.Size(); Length(2)`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if over.At(2).Op.Type != p.New.Pkg.Types.Scope().Lookup("Item").Type() || over.At(4).Op.Func != p.New.Pkg.Target("Length").Obj {
		t.Error("the sequence names objects of the old version")
	}
	back, err := p.Backward().Sequence(over)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := back.String(), `v2 := m.Item{Name: "a", size: 2}; v2.Size(); Long(2)`; got != want {
		t.Errorf("back it is %s, want %s", got, want)
	}
	var c testcase.Builder
	n := c.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt}})
	c.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: old.Target("Wide").Obj}, n)
	if s, err := p.Forward().Sequence(c.Sequence()); err == nil {
		t.Errorf("%s calls a function of another signature", s)
	}
	if s, err := p.Forward().Sequence(testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: old.Target("Gone").Obj}})); err == nil {
		t.Errorf("%s calls a function that is gone", s)
	}
}

// TestOutcomeFields checks that fields of structs are where the other version has them.
func TestOutcomeFields(t *testing.T) {
	p := pairing(t)
	v := testcase.Value{Kind: testcase.Struct, Type: p.Old.Pkg.Types.Scope().Lookup("Item").Type(), Len: 2, Elems: []testcase.Value{
		{Kind: testcase.String, Str: "a", Len: 1}, {Kind: testcase.Int, Bits: 2},
	}}
	out := p.Forward().Outcome(&testcase.Outcome{Results: [][]testcase.Value{{v}}})
	got := out.Results[0][0]
	if got.Elems[0].Bits != 2 || got.Elems[1].Str != "a" || got.Type != p.New.Pkg.Types.Scope().Lookup("Item").Type() {
		t.Errorf("got %v", got)
	}
}
