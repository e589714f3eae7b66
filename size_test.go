package assay_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The bounds of HACKING.md.
const (
	mostLines      = 80
	mostParameters = 5
	mostFiles      = 25
	mostRoomLines  = 9000
)

// TestSizes checks that functions and folders are no larger than HACKING.md allows, except for the functions
// that HACKING.md lists. It also checks that the listed functions still are larger, so that the list gets
// shorter when one is divided. Package vm may have more files and more lines.
func TestSizes(t *testing.T) {
	text, err := os.ReadFile("HACKING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text2, _ := strings.Cut(string(text), "### Longer functions\n")
	longer, more, ok := strings.Cut(text2, "### More parameters\n")
	more, _, _ = strings.Cut(more, "\n## ")
	if !ok {
		t.Fatal("HACKING.md has no list of exceptions")
	}
	name := regexp.MustCompile("`([^`]+)`")
	listed := func(text string) map[string]bool {
		out := make(map[string]bool)
		for _, m := range name.FindAllStringSubmatch(text, -1) {
			out[m[1]] = false
		}
		return out
	}
	long, wide := listed(longer), listed(more)
	files, lines := make(map[string]int), make(map[string]int)
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if path != "." && (base == "testdata" || base == "examples" || base[0] == '.' || base[0] == '_') {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		room := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "internal/")
		files[room]++
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		lines[room] += fset.File(f.FileStart).LineCount()
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			called := room + "." + fd.Name.Name
			check := func(what string, n, most int, exceptions map[string]bool) {
				if n <= most {
					return
				}
				if _, ok := exceptions[called]; !ok {
					t.Errorf("%s: %s has %d %s, want at most %d", fset.Position(fd.Pos()), called, n, what, most)
				}
				exceptions[called] = true
			}
			check("lines", fset.Position(fd.End()).Line-fset.Position(fd.Pos()).Line+1, mostLines, long)
			check("parameters", fd.Type.Params.NumFields(), mostParameters, wide)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []map[string]bool{long, wide} {
		for called, is := range list {
			if !is && called != "size_test.go" {
				t.Errorf("HACKING.md lists %s, which is no larger than others", called)
			}
		}
	}
	for room, n := range files {
		if room != "vm" && (n > mostFiles || lines[room] > mostRoomLines) {
			t.Errorf("%s has %d files and %d lines, want at most %d and %d", room, n, lines[room], mostFiles, mostRoomLines)
		}
	}
}
