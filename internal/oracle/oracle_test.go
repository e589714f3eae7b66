package oracle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// source is a package whose documentation describes calls in all forms that the oracle understands.
const source = `// Package p is documented.
//
//	Double(4)      // 8
//	Double(5) == 10
//	fmt.Println(Double(6)) // Output: 12
package p

import "errors"

var ErrUnit = errors.New("unknown unit")

// Size reads a size. Size("1k") returns 1024, and Size("")
// returns an error. Size("1x") returns ErrUnit. If Size("2k") returns 7, the world ends.
// Size(x) == 3 has a variable, Size("3k") returns more than 3000.
func Size(s string) (int, error) { return 0, nil }

func Double(n int) int { return 2 * n }

// Words splits a text:
//
//	"a b"  => ["a", "b"]
//	"c"    => [c]
//	"wrong type" => 3
func Words(s string) []string { return nil }

type Vec struct{ X, Y float64 }

// Add adds: Vec{1, 2}.Add(Vec{3, 4}) is Vec{4, 6}.
func (v Vec) Add(w Vec) Vec { return v }

type Set[T comparable] map[T]bool

// Of makes a set. Of(1, 2).Has(3) is false.
func Of[T comparable](list ...T) Set[T] { return nil }

func (s Set[T]) Has(x T) bool { return s[x] }

func hidden() int { return 1 }
`

const readme = "# p\n\nΔιαβάστε το: p.Double(7) → 14.\n\n```go\nv := p.Vec{X: 1}\nw := v.Add(p.Vec{Y: 2}) // {1 2}\n" +
	"n := p.Double(8)\nfmt.Println(n)\n// Output: 16\nfmt.Printf(\"%d!\", p.Double(20))\n\n// Output:\n// 40!\nfor {}\np.Double(9) // 18\n```\n\n" +
	"| call | result |\n|---|---|\n| `p.Double(10)` | `20` |\n| p.Double(x) | 3 |\n\n" +
	"| n | Double(n) |\n|---|---|\n| 11 | 22 |\n\n```go\nthis is no Go p.Double(12) == 24\n```\n\n```python\np.Double(13) == 26\n```\n"

const exampleFile = `package p_test

import (
	"fmt"
	q "example.com/p"
)

func ExampleDouble() {
	x := q.Double(14)
	if err != nil {
		panic(err)
	}
	fmt.Println(x, "is even")
	fmt.Printf("%d\n", q.Double(15))
	// Output:
	// 28 is even
	// 30
}

func ExampleVec_Add() {
	fmt.Println(q.Vec{}.Add(q.Vec{X: 5}))
}
`

// read loads the package and returns what its documentation says.
func read(t *testing.T, files map[string]string) (*load.Package, Documentation) {
	t.Helper()
	return readIn(t, t.TempDir(), files)
}

// readIn does what read does in a directory.
func readIn(t *testing.T, dir string, files map[string]string) (*load.Package, Documentation) {
	t.Helper()
	files["go.mod"] = "module example.com/p\n\ngo 1.24\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	said := Of(prog, prog.Packages[0])
	prog.Packages[0].Literals.Documented = said.Passed
	return prog.Packages[0], said
}

func text(c *Claim) string {
	var b strings.Builder
	b.WriteString(c.Source + " " + c.Target)
	if c.Soft {
		b.WriteString(" perhaps")
	}
	for _, s := range c.Checks {
		b.WriteString(": " + s.String())
	}
	return b.String()
}

func TestOf(t *testing.T) {
	pkg, said := read(t, map[string]string{"p.go": source, "README.md": readme, "example_test.go": exampleFile})
	claims := said.Claims
	var got []string
	for _, c := range claims {
		got = append(got, text(c))
	}
	want := `
documentation Double perhaps: v1 := Double(4); check documentation(v1, 8)
documentation Double: v1 := Double(5); check documentation(v1, 10)
documentation Double: v1 := Double(6); check documentation(v1, 12)
documentation Size: v1 := Size("1k"); check documentation(v1, 1024)
documentation Size: v1 := Size(""); check documentation(v1.1)
documentation Size: v1 := Size("1x"); v2 := ErrUnit; check documentation(v1.1, v2)
documentation Words: v1 := Words("a b"); v4 := []string{"a", "b"}; check documentation(v1, v4)
documentation Words perhaps: v1 := Words("c"); v2 := Sprint(v1); check documentation(v2, "[c]")
documentation Words perhaps: v1 := Words("wrong type"); v2 := Sprint(v1); check documentation(v2, "3")
documentation Vec.Add: v2 := p.Vec{X: 1, Y: 2}; v5 := p.Vec{X: 3, Y: 4}; v6 := v2.Add(v5); v9 := p.Vec{X: 4, Y: 6}; check documentation(v6, v9)
documentation Set.Has: v2 := Of[int](1, 2); v4 := v2.Has(3); check documentation(v4, false)
README Double: v1 := Double(7); check documentation(v1, 14)
README Vec.Add perhaps: v1 := p.Vec{X: 1}; v3 := p.Vec{Y: 2}; v4 := v1.Add(v3); v5 := Sprint(v4); check documentation(v5, "{1 2}")
README Double: v1 := Double(8); check documentation(v1, 16)
README Double: v2 := Double(20); v3 := Sprintf("%d!", v2); check documentation(v3, "40!")
README Double: v1 := Double(10); check documentation(v1, 20)
README Double: v1 := Double(11); check documentation(v1, 22)
README Double: v1 := Double(12); check documentation(v1, 24)
ExampleDouble Double: v1 := Double(14); v3 := Sprintln(v1, "is even"); check documentation(v3, "28 is even\n")
ExampleDouble Double: v2 := Double(15); v3 := Sprintf("%d\n", v2); check documentation(v3, "30\n")
`
	if got := strings.Join(got, "\n"); strings.TrimSpace(want) != got {
		t.Errorf("got\n%s", got)
	}
	if got, want := claims[3].Evidence(), `p.go:12 says “Size("1k") returns 1024, and Size("") returns an error.”`; got != want {
		t.Errorf("Evidence() = %s, want %s", got, want)
	}
	if got := fmt.Sprint(pkg.Literals.Documented["Size"]); got != `[["1k"] [""] ["1x"] ["2k"] ["3k"]]` {
		t.Errorf("calls of Size pass %s", got)
	}
	if claims[0].Runs || !claims[len(claims)-1].Runs {
		t.Error("only examples are run by go test")
	}
}

// Documentation may be anything.
func TestOf_badInput(t *testing.T) {
	for _, tt := range []struct{ name, doc string }{
		{"nothing", ""},
		{"not text", "\x00\xff(F(\"a\") == 1"},
		{"parentheses", strings.Repeat("F(", 3000) + " == 1\n" + strings.Repeat(")", 3000)},
		{"quotes", "F(\"a) == \"b\nF('a') is 'b\nF(```) = `"},
		{"fence without end", "```go\nx := p.F(3"},
		{"types that do not fit", "p.F(\"x\") == 1, p.F(1) == \"x\", p.F(1, 2) == 3, p.F(1<<70) == 1, p.F(300) == 1e99"},
		{"names that do not exist", "p.G(1) == 2, q.F(1) == 2, p.F(y) == 2, p.F(1) == y"},
		{"code that does not compile", "```go\nvar x int = \"a\"\np.F(x) // 3\ny := p.F(\"a\") // 3\n```"},
		{"table in another language", "| Κλήση | Αποτέλεσμα |\n|---|---|\n| p.F(μηδέν) | 3 |\n||||||||||||||||||||"},
		{"large", strings.Repeat("some words (in brackets) and 1 == 1\n", 100_000)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, said := read(t, map[string]string{"p.go": "package p\n\nfunc F(n uint8) uint8 { return n }\n", "README.md": tt.doc})
			for _, c := range said.Claims {
				if !c.Soft {
					t.Errorf("claims %s", text(c))
				}
			}
		})
	}
}

// A call on the result of another call may change the object that both results are. Numbers are compared
// without their last digits. Functions of other packages are values.
func TestOf_chains(t *testing.T) {
	_, said := read(t, map[string]string{"p.go": `package p

type Set struct{ elems []int }

func (s *Set) Add(n int) *Set { s.elems = append(s.elems, n); return s }

func (s *Set) Len() int { return len(s.elems) }

// Map applies f.
func (s *Set) Map(f func(string) string, t string) string { return f(t) }

// Tenth divides. Tenth(3) is 0.3.
func Tenth(x float64) float64 { return x * 0.1 }
`, "example_test.go": `package p

import (
	"fmt"
	"strings"
)

func Example() {
	var s Set
	s.Add(1).Add(2).Add(3)
	s.Add(4)
	fmt.Println(s.Len())
	fmt.Println(s.Map(strings.ToUpper, "a"))
	// Output:
	// 4
	// A
}
`})
	claims := said.Claims
	var got []string
	for _, c := range claims {
		got = append(got, text(c))
		for i := range c.Seq.Len() {
			if op := c.Seq.At(i).Op; op.Kind == testcase.OpFuncValue && op.Type == nil {
				t.Errorf("%s: a function without a type", text(c))
			}
		}
	}
	all := strings.Join(got, "\n")
	if len(got) != 3 || got[0] != "documentation Tenth: v1 := Tenth(3); check documentation(v1, 0.3)" || strings.Count(got[1], ".Add(") != 4 || !strings.Contains(got[2], "ToUpper") {
		t.Errorf("got\n%s", all)
	}
	if body := claims[0].Checks[0].Last().Op.Check.Body; !strings.Contains(body, "1e-9") {
		t.Errorf("numbers are compared by %s", body)
	}
}

// A method of an interface that a generic interface embeds has no type arguments.
func TestOf_embedded(t *testing.T) {
	_, said := read(t, map[string]string{"p.go": `package p

type Base interface{ Size() int }

type Pool[T any] interface {
	Base
	Get() T
}

type pool[T any] struct{}

func (pool[T]) Size() int { return 3 }
func (pool[T]) Get() (v T) { return v }

func New[T any]() Pool[T] { return pool[T]{} }
`, "README.md": "# P\n\n```go\npool := p.New[string]()\npool.Size() // 3\n```\n"})
	for _, c := range said.Claims {
		if strings.Contains(text(c), "Size") {
			return
		}
	}
	t.Errorf("no claim of Size among %d", len(said.Claims))
}

// Code in the documentation shows with which arguments a package is called, also behind statements that
// cannot be translated, in functions and branches, and behind an import. Such calls claim nothing about
// results.
func TestOf_uses(t *testing.T) {
	_, said := read(t, map[string]string{"p.go": `package p

// Template has tags between two marks.
//
//	func handler(w http.ResponseWriter, r *http.Request) {
//		t := p.New("Hi <name>", "<", ">")
//		if out, err := t.Fill(map[string]any{"name": "Ann"}); err != nil {
//			t.Fill(nil)
//		}
//	}
type Template struct{ text string }

func New(text, open, close string) *Template { return &Template{text} }

func (t *Template) Fill(m map[string]any) (string, error) { return t.text, nil }

func (t *Template) Log(to any, n int) {}

func Size(s string) int { return len(s) }
`, "README.md": "# p\n\n```go\nimport \"example.com/p\"\n\ntext := \"http://{{host}}/\"\nu := unknown(3)\n...\nt := p.New(text, \"{{\", \"}}\") // nil\nt.Log(u, 7)\np.New(os.Args[0], \"a\", \"b\")\n```\n\nHere `p.New(text, \"[\", \"]\")` is not nil, and p.Size(text) returns 16.\n"})
	// A claim in the prose may use the names that a block of code above it declares.
	if len(said.Claims) != 1 || text(said.Claims[0]) != `README Size: v1 := Size("http://{{host}}/"); check documentation(v1, 16)` {
		t.Errorf("claims %v", said.Claims)
	}
	var got []string
	for _, u := range said.Uses {
		got = append(got, fmt.Sprint(u.Pos.Line, " ", u.Target, ": ", u.Seq))
	}
	want := `6 New: New("Hi <name>", "<", ">")
7 Template.Fill: v3 := New("Hi <name>", "<", ">"); v6 := map[string]any{"name": "Ann"}; v3.Fill(v6)
9 New: New("http://{{host}}/", "{{", "}}")`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s", text)
	}
	if got := fmt.Sprint(said.Passed["Template.Log"], said.Passed["New"]); got != `[[<nil> 7]] [["Hi <name>" "<" ">"] ["http://{{host}}/" "{{" "}}"] [<nil> "a" "b"] ["http://{{host}}/" "[" "]"]]` {
		t.Errorf("calls pass %s", got)
	}
}

// A call that is passed a field of a row has the value of that field, and not the row.
func TestOf_fieldsOfRows(t *testing.T) {
	_, said := read(t, map[string]string{"p.go": `package p

// Max has more.
//
//	row := struct {
//		name string
//		at   Point
//		next Point
//	}{name: "first", at: Point{3, 4}}
//	Max(row.at, 7)
//	Max(row.next, 8)
func Max(p Point, n int) int { return n }

type Point struct{ X, Y int }
`})
	var got []string
	for _, u := range said.Uses {
		got = append(got, u.Seq.String())
	}
	if want := `v2 := p.Point{X: 3, Y: 4}; Max(v2, 7)`; strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// Words that announce a value, such as "returns", are not part of the value.
func TestCutMarker(t *testing.T) {
	for text, want := range map[string]string{
		`Prints out "JDF"`: `"JDF"`, `prints 3`: "3", `=> [a]`: "[a]", `Output: x`: "x",
	} {
		if got, ok := cutMarker(text); got != want || !ok {
			t.Errorf("cutMarker(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
	if got, ok := cutMarker("out of order"); got != "out of order" || ok {
		t.Errorf("cutMarker of a text without a marker = %q, %v", got, ok)
	}
}

// Where a comment was, no empty line stays at the edge of a block.
func TestOnOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"func() error {\n\n\treturn nil\n}":            "func() error { return nil }",
		"func() error {\n\n\tf()\n\n\treturn nil\n\n}": "func() error {\n\tf()\n\n\treturn nil\n}",
		"func() string {\n\treturn `a {\n\nb`\n}":      "func() string {\n\treturn `a {\n\nb`\n}",
		"func() {\n\tif x {\n\n\t\tf()\n\t}\n\tg()\n}": "func() {\n\tif x {\n\t\tf()\n\t}\n\tg()\n}",
		"func() {\n\tf()\n}":                           "func() { f() }",
	} {
		if got := onOneLine(text); got != want {
			t.Errorf("onOneLine(%q) = %q, want %q", text, got, want)
		}
	}
}

// A variable that a text declares is not the constant of the same name in another piece of code.
func TestOf_otherVariable(t *testing.T) {
	readme := "# p\n\n```go\ni := 44\np.Double(i)\n```\n\nvar i *int\np.Double(i) // 7\n\np.Double(i) == 88\n"
	_, said := read(t, map[string]string{"p.go": source, "README.md": readme})
	var got []string
	for _, c := range said.Claims {
		if strings.HasPrefix(c.Source, "README") {
			got = append(got, text(c))
		}
	}
	if want := "README Double: v1 := Double(44); check documentation(v1, 88)"; strings.Join(got, "\n") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Code of the documentation is translated as it stands.
func TestOf_code(t *testing.T) {
	const source = `package p

import "strings"

type List struct{ items []int }

func New() *List { return &List{} }

func Say(n int) string { return "one" }

func Both(n int) (int, string) { return n, "one" }

func (l *List) Add(n int) *List { l.items = append(l.items, n); return l }

func (l *List) Has(n int) bool { return true }

func Keep(list []int, f func(int) bool) []int { return nil }

func Each(list []string, f func(string) string) {}

func Fill(text string, to any) error { return nil }

func With(ctx context.Context, f func(*List) int) {}

type Args struct{ Style int }

func NewArgs() Args { return Args{} }

func Styled(text string, a Args) string { return "" }

func p() {}

var Strict bool
`
	tests := []struct{ name, code, want string }{
		{"function literal", "p.Keep([]int{1}, func(n int) bool {\n\treturn n > 1\n})", "v1 := []int{1}; v2 := func(n int) bool { return n > 1 }; Keep(v1, v2)"},
		{"its result below", "x := p.Keep([]int{1}, func(n int) bool { return n > 1 })\n// []int{}", "v1 := []int{1}; v2 := func(n int) bool { return n > 1 }; v3 := Keep(v1, v2); v4 := []int{}; check documentation(v3, v4)"},
		{"packages", "p.Each([]string{\"a\"}, func(s string) string { return strings.ToUpper(s) })", "v1 := []string{\"a\"}; v2 := func(s string) string { return strings.ToUpper(s) }; Each(v1, v2)"},
		{"own package, and a context from nowhere", "p.With(ctx, func(l *p.List) int { return len(p.Keep(nil, nil)) })", "v0 := Background(); v1 := func(l *p.List) int { return len(p.Keep(nil, nil)) }; With(v0, v1)"},
		{"parameter hides variable", "s := \"x\"\np.Each([]string{s}, func(s string) string { return s })", "v1 := []string{\"x\"}; v2 := func(s string) string { return s }; Each(v1, v2)"},
		{"variable from outside", "k := 2\np.Keep([]int{1}, func(n int) bool { return n > k })", ""},
		{"prints", "p.Keep([]int{1}, func(n int) bool { fmt.Println(n); return true })", ""},
		{"waits", "p.Keep([]int{1}, func(n int) bool { time.Sleep(1); return true })", ""},
		{"declared struct", "type C struct { Host string }\nvar c C\np.Fill(\"a\", &c)", "v2 := &struct{Host string}{}; Fill(\"a\", v2)"},
		{"declared list of structs", "type D struct { Cs []C }\ntype C struct { Host string }\nfunc main() {\n\tp.Fill(\"a\", D{Cs: []C{{\"x\"}}})\n}", "v2 := struct{Host string}{Host: \"x\"}; v3 := []struct{Host string}{v2}; v4 := struct{Cs []struct{Host string}}{Cs: v3}; Fill(\"a\", v4)"},
		{"declared type with methods", "type C struct { Host string }\nfunc (C) M() {}\nfunc main() {\n\tp.Fill(\"a\", C{})\n}", ""},
		{"assigned behind its address", "var n int\nq := &n\nn = 3\np.Fill(\"a\", q)", "v1 := &0; Fill(\"a\", v1)"}, // claims nothing from there on
		{"field of a variable", "a := p.NewArgs()\na.Style = 2\np.Styled(\"x\", a) // \"y\"", "v0 := NewArgs(); v1 := &v0; v1.Style = 2; v5 := *v1; v6 := Styled(\"x\", v5); check documentation(v6, \"y\")"},
		{"field of a variable that is made anew", "a := p.NewArgs()\na.Style = 2\na = p.NewArgs()\np.Styled(\"x\", a)", "v0 := NewArgs(); Styled(\"x\", v0)"},
		{"condition", "if l := p.New(); l.Has(3) {\n\tfmt.Println(\"yes\")\n}", "v0 := New(); v0.Has(3)"},
		{"negated condition", "if !p.New().Has(3) {\n\tfmt.Println(\"no\")\n} else {\n\tfmt.Println(\"yes\")\n}", "v0 := New(); v0.Has(3)"},
		{"handled error", "if err := p.Fill(\"a\", nil); err != nil {\n\tlog.Fatal(err)\n}", "Fill(\"a\", nil)"},
		{"setting", "p.Strict = true\np.Fill(\"a\", nil)", "Strict = true; Fill(\"a\", nil)"},
		{"import of an earlier block", "import q \"example.com/p\"\n```\n\n```go\nq.Fill(\"a\", nil)", "Fill(\"a\", nil)"},
		{"comparison of a variable", "x := p.Keep([]int{1, 2}, nil)\nx == []int{1}", "v2 := []int{1, 2}; v4 := Keep(v2, nil); v6 := []int{1}; check documentation(v4, v6)"},
		{"loop over a list", "for _, s := range []string{\"a\", \"b\"} {\n\tif err := p.Fill(s, nil); err != nil {\n\t\tpanic(err)\n\t}\n}", "Fill(\"b\", nil)"},
		{"loop over a variable", "texts := []string{\"a\", \"b\"}\nl := p.New()\nfor _, s := range texts {\n\tp.Fill(s, l)\n}\nl.Has(1)", "v2 := New(); Fill(\"a\", v2); Fill(\"b\", v2); v2.Has(1)"},
		{"loop over nothing known", "for i := range 3 {\n\tp.Keep([]int{i}, nil)\n}", ""},
		{"type whose methods another block declares", "type C struct { Host string }\np.Fill(\"a\", C{})\n```\n\n```go\ntype C struct { Host string }\n\nfunc (c C) Check() error { return nil }", ""},
		{"output of several statements", "l := p.New()\nfmt.Println(l.Has(1))\nfmt.Println(l.Add(2).Has(2))\n\n// Output:\n// true\n// false", "v0 := New(); v0.Has(1); v4 := v0.Add(2); v6 := v4.Has(2); check documentation(v6, false)"},
		{"more output than statements", "l := p.New()\nfmt.Println(l.Has(1))\nfmt.Println(l.Has(2))\n\n// Output:\n// a\n// b\n// c", "v0 := New(); v0.Has(1); v0.Has(2)"},
		{"constant", "const host = \"a\" + \"b\"\np.Fill(host, nil)", "Fill(\"ab\", nil)"},
		{"result of what takes a declared struct", "type C struct { Host string }\np.Fill(\"a\", &C{}) // nil", "perhaps v1 := struct{Host string}{}; v2 := &v1; v3 := Fill(\"a\", v2); v4 := Sprint(v3); check documentation(v4, \"nil\")"},
		{"address in a statement that is given up", "var l p.List\nfmt.Println(\"n\", p.Fill(\"a\", &l), len(l.items))", "v2 := &p.List{}; Fill(\"a\", v2)"},
		{"comparison that does not hold", "x := p.Keep([]int{1}, nil)\nx == []int{2} // false", "v1 := []int{1}; Keep(v1, nil)"},
		{"output that a condition decides", "l := p.New()\nif l.Has(1) {\n\tfmt.Println(\"one\")\n}\nfmt.Println(l.Has(2))\n\n// Output:\n// one\n// true", "v0 := New(); v0.Has(1); v0.Has(2)"},
		{"loop over a list that was changed", "list := []int{2, 1}\np.Keep(list, nil)\nfor _, n := range list {\n\tp.New().Add(n)\n}", "New()"},
		{"variable of a condition", "l := p.New()\nif l := p.New(); l.Add(1).Has(1) {\n\tfmt.Println(l)\n}\nl.Has(2)", "v0 := New(); v0.Has(2)"},
		{"text that looks like a package", "p.Each([]string{\"a\"}, func(s string) string { return \"«\" + s })", ""},
		{"reads from the network", "p.Each([]string{\"a\"}, func(s string) string { http.Get(s); return s })", ""},
		{"variable with a type", "var text string = \"a\"\np.Fill(text, nil)", "Fill(\"a\", nil)"},
		{"printed value as Go has it", "fmt.Printf(\"%v\\n\", p.Say(1)) // => \"one\"", "v1 := Say(1); check documentation(v1, \"one\")"},
		{"second result as Go has it", "n, text := p.Both(1)\nfmt.Println(n)\nfmt.Printf(\"%v\\n\", text) // => \"one\"", "v1 := Both(1); v3 := Sprintf(\"%v\\n\", v1.1); check documentation(v3, \"one\\n\")"},
		{"next block goes on", "l := p.New()\nl.Add(1)\n```\n\nThen\n\n```go\nl.Has(1)", "v0 := New(); v0.Add(1); v0.Has(1)"},
		{"next block begins anew", "l := p.New()\nl.Add(1)\n```\n\nThen\n\n```go\nl := p.New()\nl.Has(1)", "v0 := New(); v0.Has(1)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := source
			if strings.Contains(tt.code, "ctx") {
				src = strings.Replace(src, `import "strings"`, `import "context"`, 1)
			} else {
				src = strings.Replace(strings.Replace(src, `import "strings"`, "", 1), "func With(ctx context.Context, f func(*List) int) {}", "", 1)
			}
			_, said := read(t, map[string]string{"p.go": src, "README.md": "# p\n\n```go\n" + tt.code + "\n```\n"})
			got := ""
			for _, u := range said.Uses {
				got = u.Seq.String()
			}
			for _, c := range said.Claims {
				if got = c.Checks[0].String(); strings.Contains(got, "struct{") && c.Soft {
					got = "perhaps " + got
				}
			}
			if got != tt.want {
				t.Errorf("the last use or claim is %q, want %q", got, tt.want)
			}
		})
	}
}

// What an example may print or not ends the comparison of its output.
func TestOf_examples(t *testing.T) {
	const source = `package p

type List struct{ items []int }

func New() *List { return &List{} }

func (l *List) Has(n int) (int, bool) { return n, true }

func (l *List) Len() int { return len(l.items) }

func Sorted(list []int) []int { return list }

func Double(n int) int { return 2 * n }
`
	for _, tt := range []struct{ name, body, want string }{
		{"condition", "\tl := p.New()\n\tif n, ok := l.Has(1); ok {\n\t\tfmt.Println(n)\n\t}\n\tfmt.Println(l.Len())\n\t// Output:\n\t// 1\n\t// 1", ""},
		{"loop", "\tfor _, n := range []int{1, 2} {\n\t\tfmt.Println(p.Double(n))\n\t}\n\t// Output:\n\t// 2\n\t// 4", "Double(1) 2, Double(2) 4"},
		{"sorted before", "\tlist := []int{2, 1}\n\tsort.Ints(list)\n\tfor _, n := range list {\n\t\tfmt.Println(p.Double(n))\n\t}\n\t// Output:\n\t// 2\n\t// 4", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			imports := "\t\"fmt\"\n"
			if strings.Contains(tt.body, "sort.") {
				imports += "\t\"sort\"\n"
			}
			example := "package p_test\n\nimport (\n" + imports + "\n\t\"example.com/p\"\n)\n\nfunc Example() {\n" + tt.body + "\n}\n"
			_, said := read(t, map[string]string{"p.go": source, "example_test.go": example})
			var got []string
			for _, c := range said.Claims {
				last := c.Checks[0]
				got = append(got, c.Seq.String()+" "+last.At(last.Last().Args[1].Stmt).Op.Lit.Str)
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("claims %q, want %q", s, tt.want)
			}
		})
	}
}
