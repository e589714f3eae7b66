package literals

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// setOf returns the constants of a package of one file of code and one of tests.
func setOf(t *testing.T, code, tests string) *Set {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "m.go", "package m\n"+code, 0)
	if err != nil {
		t.Fatal(err)
	}
	test, err := parser.ParseFile(fset, "m_test.go", "package m\n"+tests, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	cfg := types.Config{Importer: importer.Default()}
	if _, err := cfg.Check("m", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			targets = append(targets, fd.Name.Name)
		}
	}
	return Of(Source{Package: "m", Dir: t.TempDir(), Syntax: []*ast.File{f}, Info: info, Targets: targets, Tests: []*ast.File{test}})
}

// TestCallsOfVariables reads arguments that are converted on their way, or kept in a variable of the test.
func TestCallsOfVariables(t *testing.T) {
	s := setOf(t, `func Parse(b []byte, strict bool) {}; func Get(a, b string) {}`, `
var table = []struct{ data, err string }{{"#\n-", "x"}, {"0: [", "y"}}

func TestParse(t *testing.T) {
	for _, item := range table {
		Parse([]byte(item.data), true)
	}
	text := "a" + "b"
	Get(text, text)
	text = "c"
	Get("d", text)
	text = other()
	Get("e", text)
}`)
	if got, want := fmt.Sprint(s.Calls["Parse"]), `[["#\n-" true] ["0: [" true]]`; got != want {
		t.Errorf("Parse: %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(s.Calls["Get"]), `[["ab" "ab"] ["d" "c"] ["e" <nil>]]`; got != want {
		t.Errorf("Get: %s, want %s", got, want)
	}
}

// Nobody passes what errors and panics say; other words of theirs, such as tokens, may be inputs.
func TestMessages(t *testing.T) {
	s := setOf(t, `
type fault int

func (f fault) Error() string { return "bad data at byte " + string(rune(f)) }

func Parse(s string) string {
	if s == "a key of" {
		panic("there is no key")
	}
	println("no message at all")
	if s == "" {
		panic("!")
	}
	return "also no message"
}`, "")
	if got, want := fmt.Sprintf("%q", s.Strings), `["a key of" "no message at all" "" "!" "also no message"]`; got != want {
		t.Errorf("strings %s, want %s", got, want)
	}
}

func TestChange(t *testing.T) {
	const code = `
func Print(doc string) { option("sort", "wide") }
func option(names ...string) {}
func Other() string { return "other" }
`
	old := setOf(t, code, `func TestPrint(t *testing.T) { Print("{sort:1}"); Print("{resort:1}"); Print("plain") }`)
	new := setOf(t, code, `func TestPrint(t *testing.T) { Print("{sort:1}"); Print("{resort:1}"); Print("plain"); Print("the defect"); at(17) }`)
	c := Change(old, new, []string{"Print"})
	if got, want := fmt.Sprintf("%q", c.Strings), `["the defect" "sort" "wide" "{wide:1}" "{sort:1}"]`; got != want {
		t.Errorf("strings %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(c.Ints, c.Calls), `[17] map[Print:[["the defect"]]]`; got != want {
		t.Errorf("ints and calls %s, want %s", got, want)
	}
	if same := Change(new, new, nil); len(same.Strings)+len(same.Ints)+len(same.Calls)+len(same.Rows) > 0 {
		t.Errorf("of one version: %v", same)
	}
}
