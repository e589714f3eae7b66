package assay_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// TestDocNames checks that a doc comment which begins with a small letter begins with the name of the
// declaration below it. If it does not, the declaration was renamed, and the comment was forgotten.
func TestDocNames(t *testing.T) {
	seen := 0
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
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		check := func(doc *ast.CommentGroup, names ...string) {
			if doc == nil {
				return
			}
			word, _, _ := strings.Cut(doc.Text(), " ")
			word = strings.TrimRight(word, ":,.\n")
			if word == "" || !unicode.IsLower([]rune(word)[0]) {
				return
			}
			seen++
			for _, n := range names {
				if n == word {
					return
				}
			}
			t.Errorf("%s: the comment is about %s, and what is declared is %s", fset.Position(doc.Pos()), word, strings.Join(names, ", "))
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				check(d.Doc, d.Name.Name)
			case *ast.GenDecl:
				if d.Tok == token.TYPE && len(d.Specs) == 1 {
					check(d.Doc, d.Specs[0].(*ast.TypeSpec).Name.Name)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 1000 {
		t.Errorf("%d comments were looked at, want those of the module", seen)
	}
}
