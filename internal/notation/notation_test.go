package notation_test

import (
	"encoding/json"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/notation"
)

const source = `// Package jsonkit is about JSON.
package jsonkit

import "io"

// Compact removes spaces.
func Compact(src []byte) []byte { return src }

// Decode reads a value.
func Decode(r io.Reader) error { return nil }

func ParseURL(s string) {}

func IsEmail(s string) bool { return s != "" }

func Join(prefix, url string) {}

// Render writes the Markdown of a page.
func Render(text string) {}

func Count(n int, name string) {}

type Version struct{}

func (v *Version) Set(s string) {}
`

func TestFor(t *testing.T) {
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
		{"number", "Count", 0, ""},
		{"name", "Count", 1, ""},
		{"receiver's type", "Version.Set", 0, "1.2.3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if texts := notation.For(pkg, pkg.Target(tt.f).Obj, tt.param); len(texts) > 0 {
				got = texts[0].Value
			}
			if got != tt.want {
				t.Errorf("the first text for %s, parameter %d, is %q, want %q", tt.f, tt.param, got, tt.want)
			}
		})
	}
}

func TestFor_routes(t *testing.T) {
	pkg := loaded(t, map[string]string{"a.go": `package web

import "net/http"

type Router struct{}

func (r *Router) Handle(path string, h http.Handler) {}
`})
	if got := notation.For(pkg, pkg.Target("Router.Handle").Obj, 0); len(got) == 0 || got[0].Value != "/users" {
		t.Errorf("texts for the path of a router = %v, want patterns of routes", got)
	}
	if got := notation.Routes(pkg); len(got) == 0 {
		t.Error("Routes = none, want those of the router")
	}
	if got := notation.Routes(loaded(t, map[string]string{"a.go": source})); got != nil {
		t.Errorf("Routes of a package that is not about HTTP = %v, want none", got)
	}
}

// TestTexts asks readers of the standard library whether texts are what their names say.
func TestTexts(t *testing.T) {
	pkg := loaded(t, map[string]string{"a.go": `package p

func JSON(s string) {}
func URL(s string)  {}
func IP(s string)   {}
func Regexp(s string) {}
`})
	readers := map[string]func(string) error{
		"JSON":   func(s string) error { return json.Unmarshal([]byte(s), new(any)) },
		"URL":    func(s string) error { _, err := url.Parse(s); return err },
		"IP":     func(s string) error { _, err := netip.ParseAddr(s); return err },
		"Regexp": func(s string) error { _, err := regexp.Compile(s); return err },
	}
	refused := map[string][]string{
		"JSON":   {"comments and trailing comma", "numbers beyond JSON", "unclosed object", "unclosed list", "unclosed text", "missing colon", "trailing comma", "something behind the end", "no value"},
		"URL":    {"invalid port", "invalid escape"},
		"IP":     {"part out of range", "three parts", "name"},
		"Regexp": {"unclosed group", "unclosed class", "nothing to repeat"},
	}
	for name, read := range readers {
		for _, text := range notation.For(pkg, pkg.Target(name).Obj, 0) {
			if err := read(text.Value); (err != nil) != slices.Contains(refused[name], text.Name) {
				t.Errorf("%s %q, %q: error %v", name, text.Name, text.Value, err)
			}
		}
	}
}

// TestNames checks that each name and text of a notation is there once, and short enough for a row.
func TestNames(t *testing.T) {
	pkg := loaded(t, map[string]string{"a.go": source})
	const longest = 40
	for _, target := range pkg.Targets {
		for i := range target.Obj.Signature().Params().Len() {
			names, values := map[string]bool{}, map[string]bool{}
			for _, text := range notation.For(pkg, target.Obj, i) {
				if names[text.Name] || values[text.Value] || text.Name == "" || len(text.Name) > longest {
					t.Errorf("%s: text %q, %q is there twice, or its name is empty or too long", target.Name, text.Name, text.Value)
				}
				names[text.Name], values[text.Value] = true, true
				if !notation.IsKnown(text.Value) {
					t.Errorf("%s: %q is not known", target.Name, text.Value)
				}
			}
		}
	}
}

// loaded returns the package of some files.
func loaded(t *testing.T, files map[string]string) *load.Package {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/kit\n\ngo 1.24\n"
	for name, content := range files {
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
