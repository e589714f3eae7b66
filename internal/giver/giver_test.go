package giver_test

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/load"
)

// open loads a package of one file.
func open(t *testing.T, goVersion, src string) (*load.Program, *load.Package) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo " + goVersion + "\n", "p.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range prog.Packages[0].Errors {
		t.Fatal(e)
	}
	return prog, prog.Packages[0]
}

// taker returns a package with a function for each type of the table; the function takes a value of the
// type.
func taker(entries []giver.Entry) string {
	imports := make(map[string]bool)
	var funcs strings.Builder
	for i, e := range entries {
		for _, word := range strings.FieldsFunc(e.Type, func(r rune) bool { return strings.ContainsRune("*[](){}, ", r) }) {
			if at := strings.LastIndex(word, "."); at > 0 {
				imports[word[:at]] = true
			}
		}
		fmt.Fprintf(&funcs, "func F%d(x %s) {}\n", i, giver.GoType(e.Type))
	}
	var b strings.Builder
	b.WriteString("package p\n")
	var paths []string
	for path := range imports {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		fmt.Fprintf(&b, "import %q\n", path)
	}
	// Different errors are given only to code that asks which error it got.
	return b.String() + funcs.String() + "\nfunc isTimeout(e interface{ Timeout() bool }) bool { return e.Timeout() }\n"
}

// Every giver of the table compiles with the toolchain of the tests, and its value fits its type.
func TestNew_all(t *testing.T) {
	// Two packages are called template.
	var rest, html []giver.Entry
	want := make(map[string]int)
	for _, e := range giver.Families() {
		if e.Family == "files" {
			continue // they are for texts that name files, and not for all of a type
		}
		if e.Family == "html/template" {
			html = append(html, e)
		} else {
			rest = append(rest, e)
		}
		want[e.Type]++
	}
	for _, entries := range [][]giver.Entry{rest, html} {
		prog, pkg := open(t, "1.26", taker(entries))
		room, err := giver.New(prog, pkg)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range entries {
			param := pkg.Target(fmt.Sprintf("F%d", i)).Obj.Signature().Params().At(0).Type()
			if got := len(room.Values(param)); got != want[e.Type] {
				t.Errorf("%s has %d values, want %d", e.Type, got, want[e.Type])
			}
			for _, s := range room.Values(param) {
				for k := range s.Len() {
					if b, ok := s.At(k).Op.Type.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
						t.Errorf("%s: statement %d of %s makes an %s, which no harness can", e.Type, k, s, b)
					}
				}
			}
		}
	}
}

// A package that opens files has files and directories of the test's own, with names and texts that its code asks for.
func TestRoom_Files(t *testing.T) {
	prog, pkg := open(t, "1.26", `package p

import (
	"os"
	"encoding/json"
)

type Settings struct { Name string }

func Read(dir string) (s Settings, err error) {
	b, err := os.ReadFile(dir + "/app.json")
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(b, &s)
}
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	if files, dirs := len(room.Files()), len(room.Directories()); files != 2 || dirs != 2 {
		t.Fatalf("%d files, %d directories, want 2 of each", files, dirs)
	}
	h := room.Directories()[1].Last().Op.Via
	if h == nil || !h.OfTest || h.Sig.Params().Len() != 2 || !slices.Contains(h.Values[0], "app.json") || !slices.Contains(h.Values[1], `{"Name":"ann"}`) {
		t.Errorf("directories with a file are made by %+v", h)
	}
}

// If the standard library is older than something that a giver uses, the giver is left out.
func TestNew_older(t *testing.T) {
	prog, pkg := open(t, "1.15", "package p\n\nimport \"io\"\n\nfunc F(r io.Reader) {}\n")
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range room.Values(pkg.Target("F").Obj.Signature().Params().At(0).Type()) {
		if strings.Contains(s.String(), "ErrReader") {
			t.Errorf("%s: iotest.ErrReader came with Go 1.16", s)
		}
	}
}

// An interface of the package is met by a giver's type if its methods are there, and if the package imports where it is declared.
func TestNew_implementation(t *testing.T) {
	const queries = `
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

type Queries struct{ db Querier }

func New(db Querier) *Queries { return &Queries{db} }
`
	prog, pkg := open(t, "1.21", "package p\n\nimport (\n\t\"context\"\n\t\"database/sql\"\n)\n"+queries)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, seq := range room.Values(pkg.Types.Scope().Lookup("Querier").Type()) {
		all = append(all, seq.String())
	}
	text := strings.Join(all, "\n")
	for want, n := range map[string]int{"database": 5, "Begin": 1, "Conn": 1, "Prepare": 0} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("%s is in the values of the interface %d times, want %d:\n%s", want, got, n, text)
		}
	}
}

const shop = `package p

import (
	"encoding/json"
	"net/http"
)

type item struct {
	Name  string ` + "`json:\"name\"`" + `
	Price int
}

func Items(w http.ResponseWriter, r *http.Request) {
	if r.Method == "PUT" || r.URL.Query().Get("sort") == "price" {
		return
	}
	if r.Header.Get("Authorization") == "Bearer " {
		return
	}
	var it item
	json.NewDecoder(r.Body).Decode(&it)
	w.Header().Set("X-Count", "1")
}

func Mux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("DELETE /items/{id}", Items)
	return mux
}
`

// Values that a handler asks its requests for become values of the driver's parameters, the simplest first.
func TestRoom_Driver(t *testing.T) {
	prog, pkg := open(t, "1.26", shop)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	h := room.Driver(pkg.Target("Items").Obj)
	if h == nil {
		t.Fatal("Items has no driver")
	}
	if got := h.Sig.String(); got != "func(method string, target string, header string, body string) (code int, header string, body string)" {
		t.Errorf("the driver is %s", got)
	}
	for i, want := range [][]string{
		{"PUT", "DELETE", "GET", "POST"},
		{"/", "/items/7", "/items/abc", "/nope", "/?sort=1", "/?sort=price"},
		{"", "Authorization: Bearer abc", "Authorization: abc"},
		{"", `{"name":"ann","Price":5}`, `{"Price":5}`, `{"name":"ann"}`, `{"name":"ann","Price":-1}`, "{}", "{", "null"},
	} {
		for _, s := range want {
			if !slices.Contains(h.Values[i], s) {
				t.Errorf("%s is never %q: %q", h.Sig.Params().At(i).Name(), s, h.Values[i])
			}
		}
	}
	if room.Driver(pkg.Target("Mux").Obj) != nil {
		t.Error("Mux is no handler, and has a driver")
	}
	if f := room.ServeHTTP(pkg.Target("Mux").Obj.Signature().Results().At(0).Type()); f == nil || f.FullName() != "(*net/http.ServeMux).ServeHTTP" {
		t.Errorf("a ServeMux is a handler by %v", f)
	}
}

// The page about givers has a line for each giver of the table, and no other lines.
func TestFamilies_page(t *testing.T) {
	text, err := os.ReadFile("../../docs/givers.md")
	if err != nil {
		t.Fatal(err)
	}
	var have, want []string
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(strings.Trim(line, "|\n"), " | "); strings.HasPrefix(line, "| `") && len(cells) == 3 {
			have = append(have, strings.TrimSpace(cells[0])+" | "+strings.TrimSpace(cells[2]))
		}
	}
	for _, e := range giver.Families() {
		want = append(want, "`"+e.Type+"` | `"+strings.Join(strings.Fields(e.Code), " ")+"`")
	}
	slices.Sort(have)
	slices.Sort(want)
	for _, w := range want {
		if !slices.Contains(have, w) {
			t.Errorf("docs/givers.md lacks %s", w)
		}
	}
	for _, h := range have {
		if !slices.Contains(want, h) {
			t.Errorf("docs/givers.md lists %s, which is in no table", h)
		}
	}
}

// The headers of requests are those that clients send, alone and together. Headers that the code assigns are
// headers of the response; the driver returns these.
func TestRoom_Driver_headers(t *testing.T) {
	prog, pkg := open(t, "1.24", `package p

import "net/http"

func Handle(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") == "" || r.Header.Get("Access-Control-Request-Method") == "" {
		return
	}
	w.Header()["X-Total"] = []string{"3"}
}
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	h := room.Driver(pkg.Target("Handle").Obj)
	if h == nil {
		t.Fatal("Handle has no driver")
	}
	for _, want := range []string{"Origin: http://example.com", "Origin: http://example.com\nAccess-Control-Request-Method: PUT"} {
		if !slices.Contains(h.Values[2], want) {
			t.Errorf("header is never %q: %q", want, h.Values[2])
		}
	}
	if slices.ContainsFunc(h.Values[2], func(s string) bool { return strings.Contains(s, "X-Total") }) {
		t.Errorf("X-Total is a header of requests: %q", h.Values[2])
	}
	if !strings.Contains(h.Text, `"X-Total"`) {
		t.Errorf("the driver does not return X-Total:\n%s", h.Text)
	}
}

// The Format method of a type is tested with the formats that its code asks for, and with one that it does not know.
func TestRoom_Driver_formats(t *testing.T) {
	prog, pkg := open(t, "1.26", `
package p

import "fmt"

type ID [2]byte

func (id ID) Format(f fmt.State, verb rune) {
	switch verb {
	case 'x', 'X':
		if f.Flag('#') {
			fmt.Fprint(f, "0x")
		}
	case 'v':
		if n, ok := f.Width(); ok {
			fmt.Fprint(f, n)
		}
	}
}

func (id ID) Other(f fmt.State, verb rune) {}
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	h := room.Driver(pkg.Target("ID.Format").Obj)
	if h == nil {
		t.Fatal("ID.Format has no driver")
	}
	if got := h.Sig.String(); got != "func(format string) string" {
		t.Errorf("the driver is %s", got)
	}
	if want := []string{"%x", "%X", "%v", "%#v", "%12v", "%d"}; !slices.Equal(h.Values[0], want) {
		t.Errorf("formats %q, want %q", h.Values[0], want)
	}
	if room.Driver(pkg.Target("ID.Other").Obj) != nil {
		t.Error("ID.Other is no Format method, and has a driver")
	}
}

// Elements that users give a container are numbers in their order, if all that is asked of them is their order.
func TestOrdered(t *testing.T) {
	prog, pkg := open(t, "1.24", `package p

type Item interface{ Less(than Item) bool }

type Key interface {
	Compare(other Key) int
	Equal(other Key) bool
}

type Shape interface {
	Less(than Shape) bool
	Area() float64
}

func F(Item, Key, Shape) {}
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Item":  "func (n «.number») Less(other «example.com/m».Item) bool { return n < other.(«.number») }",
		"Key":   "func (n «.number») Compare(other «example.com/m».Key) int { return int(n - other.(«.number»)) }",
		"Shape": "",
	} {
		values := room.Values(pkg.Types.Scope().Lookup(name).Type())
		if want == "" {
			if len(values) > 0 {
				t.Errorf("%s: %d values, want none", name, len(values))
			}
			continue
		}
		if len(values) < 3 {
			t.Fatalf("%s: %d values", name, len(values))
		}
		if text := values[0].Last().Op.Via.Text; !strings.Contains(text, want) {
			t.Errorf("%s: %s\nwant %s in it", name, text, want)
		}
	}
}
