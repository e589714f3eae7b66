package load_test

import (
	"os"
	"path/filepath"
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
