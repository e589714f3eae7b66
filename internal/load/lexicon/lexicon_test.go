package lexicon

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
)

const module = `
-- zone/zone.go --
package zone

const defaultZone = "example.org."

func Trim(qname, zone string) string { return "" }

type Server struct{ Zone, Bucket string }
-- zone/zone_test.go --
package zone

import "strings"

func TestTrim() {
	tests := []struct{ qname, zone, want string }{
		{"a.example.org.", "example.org.", "a"},
		{"a.example.net.", "example.net.", "a"},
		{"", "not a zone", ""},
	}
	invalidZone := "..."
	Trim("www.example.org.", "example.org.")
	strings.Trim("  no name  ", "cut")
}
-- far/a.go --
package far

var _ = []Server{{"once.example.", "photos"}, {Bucket: "photos"}}
-- far/b.go --
package far

func f() {
	s := Server{Zone: "b.example.", Bucket: "backups"}
	s.Bucket = "photos"
	Trim("far.example.", "b.example.")
}
-- far/c.go --
package far

func g() {
	regions := []string{"eu-west-1"}
	levels, region := 1, "eu-west-1"
	token, path, s := "hunter22", "/etc/passwd", "abc"
	what := "twice"
}
-- far/d.go --
package far

func h() {
	token, path, what := "hunter22", "/etc/passwd", "error twice"
	region := "eu-west-1"
}
-- broken.go --
package broken {
`

func written(t *testing.T) (dir string, names []string) {
	t.Helper()
	dir = t.TempDir()
	for _, f := range txtar.Parse([]byte(module)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return dir, names
}

func TestTexts(t *testing.T) {
	dir, names := written(t)
	l := new(Module).Of(names, filepath.Join(dir, "zone"))
	for _, tt := range []struct {
		name string
		want []string
	}{
		{"zone", []string{"example.org.", "example.net."}}, // b.example. in one file elsewhere
		{"originZone", []string{"example.org.", "example.net."}},
		{"qname", []string{"a.example.net.", "a.example.org.", "www.example.org."}},
		{"bucket", []string{"photos"}}, // backups only once, elsewhere
		{"region", []string{"eu-west-1"}},
		{"regions", []string{"eu-west-1"}},
		{"wantZone", nil},
		{"token", nil}, // a secret
		{"path", nil},
		{"s", nil},
		{"what", nil},
		{"", nil},
	} {
		if got := l.Texts(tt.name); !slices.Equal(got, tt.want) {
			t.Errorf("Texts(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := (*Lexicon)(nil).Texts("zone"); got != nil {
		t.Errorf("a nil lexicon has %q", got)
	}
}

// TestOrder checks that the order in which files are named does not matter.
func TestOrder(t *testing.T) {
	dir, names := written(t)
	want := new(Module).Of(names, dir)
	slices.Reverse(names)
	got := new(Module).Of(names, dir)
	if !maps.EqualFunc(got.texts, want.texts, slices.Equal) || len(got.texts) == 0 {
		t.Errorf("in another order %q, want %q", got.texts, want.texts)
	}
}

// TestNearest checks that texts of the package's own directory come before those that are as common elsewhere.
func TestNearest(t *testing.T) {
	dir, names := written(t)
	if got, want := new(Module).Of(names, filepath.Join(dir, "far")).Texts("zone"), "b.example."; len(got) == 0 || got[0] != want {
		t.Errorf("Texts(zone) = %q, want %q first", got, want)
	}
}
