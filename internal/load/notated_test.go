package load_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
)

const source = `// Package jsonkit is about JSON.
package jsonkit

import "io"

// Compact removes spaces.
func Compact(src []byte) []byte { return src }

// Decode reads a value.
func Decode(r io.Reader) error { return nil }

func ParseURL(s string) {}

// OpenFile reads what is in a file, and not its name.
func OpenFile(r io.Reader) error { return nil }

func IsEmail(s string) bool { return s != "" }

func Join(prefix, url string) {}

// Render writes the Markdown of a page.
func Render(text string) {}

func Count(n int, name string) {}

type Version struct{}

func (v *Version) UnmarshalJSON(b []byte) error { return nil }

func (v *Version) Set(s string) {}
`

func TestNotated(t *testing.T) {
	pkg := loaded(t, map[string]string{"a.go": source, "README.md": "# Kit\n\n```json\n{\"x\": 1}\n```\n"})
	tests := []struct {
		name  string
		f     string
		param int
		want  string // the first text, "" if none is known
	}{
		{"package's name", "Compact", 0, `{"x": 1}`},
		{"reader", "Decode", 0, `{"x": 1}`},
		{"function's name", "ParseURL", 0, "https://example.com/a/b"},
		{"function's name before the package's", "IsEmail", 0, "ann@example.com"},
		{"parameter's name", "Join", 1, "https://example.com/a/b"},
		{"parameter of another kind", "Join", 0, ""},
		{"documentation", "Render", 0, "# Title\n\nSome *emphasis* and **strong** text.\n"},
		{"a reader in place of a name", "OpenFile", 0, ""},
		{"number", "Count", 0, ""},
		{"name", "Count", 1, ""},
		{"quoted", "Version.UnmarshalJSON", 0, `"1.2.3"`},
		{"receiver's type", "Version.Set", 0, "1.2.3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if n := pkg.Notated(pkg.Target(tt.f).Obj, tt.param); n != nil {
				got = n.Accepted[0].Value
			}
			if got != tt.want {
				t.Errorf("the first text for %s, parameter %d, is %q, want %q", tt.f, tt.param, got, tt.want)
			}
		})
	}
}

func TestNotated_routes(t *testing.T) {
	pkg := loaded(t, map[string]string{"a.go": `package web

import "net/http"

type Router struct{}

func (r *Router) Handle(path string, h http.Handler) {}
`})
	if got := pkg.Notated(pkg.Target("Router.Handle").Obj, 0); got == nil || got.Accepted[0].Value != "/users" {
		t.Errorf("texts for the path of a router = %v, want patterns of routes", got)
	}
	if got := pkg.Routes(); len(got) == 0 {
		t.Error("Routes = none, want those of the router")
	}
	if got := (loaded(t, map[string]string{"a.go": source})).Routes(); got != nil {
		t.Errorf("Routes of a package that is not about HTTP = %v, want none", got)
	}
}

// loaded returns the package of some files.
func loaded(t *testing.T, files map[string]string) *load.Package {
	t.Helper()
	dir := t.TempDir()
	if files["go.mod"] == "" {
		files["go.mod"] = "module example.com/kit\n\ngo 1.24\n"
	}
	for name, content := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	return prog.Packages[0]
}

// What the readers of another module read belongs to the constants of the functions that call them.
func TestAddTextsRead(t *testing.T) {
	pkg := loaded(t, map[string]string{
		"go.mod": "module example.com/p\n\ngo 1.26\n\nrequire other.org/decimal v0.0.0\n\nreplace other.org/decimal => ./decimal\n",
		"a.go": `package p

import (
	"strconv"

	"other.org/decimal"
)

func Sum(a, b string) (decimal.D, error) {
	if _, err := decimal.Parse(a); err != nil {
		return decimal.D{}, err
	}
	return decimal.Parse(b)
}

func Count(s string) (int, error) { return strconv.Atoi(s) }
`,
		"decimal/go.mod": "module other.org/decimal\n\ngo 1.26\n",
		"decimal/d.go":   "package decimal\n\ntype D struct{}\n\nfunc Parse(s string) (D, error) { return D{}, nil }\n",
	})
	own := pkg.Literals.ByFunc["Sum"]
	if own == nil || !slices.Contains(own.Strings, "2.5") {
		t.Errorf("the constants of Sum are %+v, want 2.5 among them", own)
	}
	if own := pkg.Literals.ByFunc["Count"]; own != nil {
		t.Errorf("the constants of Count are %+v, want none", own)
	}
}

// Who reads a text in the end says what is in it, also where functions of the package hand it on, or an element of a list.
func TestNotated_handed(t *testing.T) {
	pkg := loaded(t, map[string]string{"a.go": `package family

import (
	"encoding/hex"
	"net"
	"os"
	"strings"
)

func Of(text string) bool { _, _, err := net.ParseCIDR(strings.TrimSpace(text)); return err == nil }

func Matches(kind int, prefix string) bool { return kind == 0 || Of(prefix) }

func Filter(list []string) (out []string) {
	for _, p := range list {
		if Matches(1, p) {
			out = append(out, p)
		}
	}
	return out
}

func First(list ...string) net.IP { return net.ParseIP(list[0]) }

func Size(name string) int { b, _ := os.ReadFile(name); return len(b) }

func Names(ips []string, labels []string) int { return len(ips) + len(labels) }

func Loop(s string) { Loop(s) }

func Parse(text string) ([]byte, error) { return hex.DecodeString(text) }
`})
	for _, tt := range []struct {
		f     string
		param int
		want  string // the first text, "" if none is known
	}{
		{"Of", 0, "192.0.2.0/24"},
		{"Matches", 1, "192.0.2.0/24"},
		{"Filter", 0, "192.0.2.0/24"},
		{"First", 0, "192.0.2.1"},
		{"Size", 0, ""},
		{"Names", 0, "192.0.2.1"},
		{"Names", 1, ""},
		{"Loop", 0, ""},
		{"Parse", 0, ""},
	} {
		obj := pkg.Target(tt.f).Obj
		n := pkg.Notated(obj, tt.param)
		if n == nil {
			n = pkg.NotatedElements(obj, tt.param)
		}
		got := ""
		if n != nil {
			got = n.Accepted[0].Value
		}
		if got != tt.want {
			t.Errorf("%s takes texts like %q, want %q", tt.f, got, tt.want)
		}
	}
}

// Texts show what a function does to them, where nothing else says what is in them.
func TestNotated_treated(t *testing.T) {
	pkg := loaded(t, map[string]string{"a.go": `package treat

import "strings"

func Lower(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

func Cut(text string) string { return strings.TrimPrefix(text, "v") }

func Parts(text string) []string { return strings.Split(text, ";") }

func At(text string, separators ...string) int {
	for _, sep := range separators {
		if i := strings.Index(text, sep); i >= 0 {
			return i
		}
	}
	return -1
}

func Keep(text string) string { return text }
`})
	for _, tt := range []struct {
		f     string
		param int
		want  string
	}{
		{"Lower", 0, "Hello World|hello|  hello world \n"},
		{"Cut", 0, "vhello|hello"},
		{"Parts", 0, "apple;banana;cherry|apple;;cherry|apple"},
		{"At", 0, "apple,banana;cherry|apple;banana,cherry|apple,,banana"},
		{"At", 1, ",|;"},
		{"Keep", 0, ""},
	} {
		obj := pkg.Target(tt.f).Obj
		n := pkg.Notated(obj, tt.param)
		if n == nil {
			n = pkg.NotatedElements(obj, tt.param)
		}
		var got []string
		if n != nil {
			for _, text := range n.Accepted {
				got = append(got, text.Value)
			}
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%s takes texts like %q, want %q", tt.f, strings.Join(got, "|"), tt.want)
		}
	}
}
