package load

import (
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"testing"
)

func TestEmbedPatterns(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "a.go", `package a

import "embed"

//go:embed config data/*.json
//go:embed "with space.txt"
var files embed.FS

var (
	// text is a text.
	//
	//go:embed text.txt
	text string

	other string
)
`, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"files": {"config", "data/*.json", "with space.txt"}, "text": {"text.txt"}}
	if got := embedPatterns(f); !maps.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("embedPatterns = %q, want %q", got, want)
	}
}

func TestMatching(t *testing.T) {
	files := []string{"a.txt", "dir/b.txt", "dir/_c.txt", "dir/.git/d", "dir/sub/e.json", ".hidden"}
	for pattern, want := range map[string][]string{
		"a.txt":        {"a.txt"},
		"dir":          {"dir/b.txt", "dir/sub/e.json"},
		"all:dir":      {"dir/.git/d", "dir/_c.txt", "dir/b.txt", "dir/sub/e.json"},
		"dir/*":        {"dir/.git/d", "dir/_c.txt", "dir/b.txt", "dir/sub/e.json"},
		"dir/*/*.json": {"dir/sub/e.json"},
		"*":            {".hidden", "a.txt", "dir/b.txt", "dir/sub/e.json"},
		".":            {"a.txt", "dir/b.txt", "dir/sub/e.json"},
		"b.txt":        nil,
	} {
		if got := matching([]string{pattern}, files); !slices.Equal(got, want) {
			t.Errorf("matching(%q) = %q, want %q", pattern, got, want)
		}
	}
}
