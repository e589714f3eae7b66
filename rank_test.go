package assay_test

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/goassay/assay"

// toolsUsers are the rooms that may know golang.org/x/tools/go/...
func toolsUsers() []string {
	return []string{"internal/load", "internal/purity", "internal/vm", "internal/lockstep", "internal/check", "internal/bounded", "golangci"}
}

// readRanks reads the table of rooms in ARCHITECTURE.md: rows of a rank and of
// packages in backquotes.
func readRanks(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	ranks := make(map[string]int)
	row := regexp.MustCompile(`(?m)^\| ([0-9]+) \| ([^|]*) \|`)
	name := regexp.MustCompile("`([^`]+)`")
	for _, m := range row.FindAllSubmatch(text, -1) {
		rank, err := strconv.Atoi(string(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range name.FindAllSubmatch(m[2], -1) {
			pkg := string(n[1])
			if bytes.Contains(m[2], []byte("(root)")) && pkg == "assay" {
				pkg = "."
			}
			ranks[pkg] = rank
		}
	}
	return ranks
}

// room returns the package of the table that dir is or is a part of.
func room(ranks map[string]int, dir string) (string, bool) {
	for d := dir; d != "."; d = path.Dir(d) {
		if _, ok := ranks[d]; ok {
			return d, true
		}
	}
	return ".", dir == "."
}

// TestRanks checks that imports only go to a room of a lower rank, or stay within a room. The test parses
// the imports itself, because go test caches its result and does not know that a file which go list reads
// has changed.
func TestRanks(t *testing.T) {
	ranks := readRanks(t)
	if len(ranks) < 20 || ranks["cmd/assay"] < 9 {
		t.Fatalf("the table in ARCHITECTURE.md was not understood: %v", ranks)
	}
	imports := parseImports(t)
	for _, dir := range slices.Sorted(maps.Keys(imports)) {
		from, ok := room(ranks, dir)
		if !ok {
			t.Errorf("package %s is in no room of ARCHITECTURE.md", dir)
			continue
		}
		for _, imp := range imports[dir] {
			if strings.HasPrefix(imp.path, "golang.org/x/tools/go/") && !slices.Contains(toolsUsers(), from) {
				t.Errorf("%s: only %s may import %s", imp.pos, strings.Join(toolsUsers(), ", "), imp.path)
			}
			rel, ok := strings.CutPrefix(imp.path, module)
			if !ok {
				continue
			}
			rel = strings.TrimPrefix(rel, "/")
			if rel == "" {
				rel = "."
			}
			to, ok := room(ranks, rel)
			if !ok {
				t.Errorf("%s: %s is in no room of ARCHITECTURE.md", imp.pos, imp.path)
			} else if to != from && ranks[to] >= ranks[from] {
				t.Errorf("%s: %s (rank %d) imports %s (rank %d)", imp.pos, from, ranks[from], to, ranks[to])
			}
		}
	}
}

type importSpec struct {
	path string
	pos  string
}

// parseImports returns the imports of every package of the module by its directory,
// tests, examples and testdata not included.
func parseImports(t *testing.T) map[string][]importSpec {
	t.Helper()
	out := make(map[string][]importSpec)
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != "." && (base == "testdata" || base == "examples" || base[0] == '.' || base[0] == '_') {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		if out[dir] == nil {
			out[dir] = []importSpec{}
		}
		for _, spec := range f.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			out[dir] = append(out[dir], importSpec{p, fset.Position(spec.Pos()).String()})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
