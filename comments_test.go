package assay_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// eachFile calls do for each Go file of the module that is no test and no example.
func eachFile(t *testing.T, do func(name string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
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
		do(name, fset, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDocNames checks that a doc comment which begins with a small letter begins with the name of the
// declaration below it. If it does not, the declaration was renamed, and the comment was forgotten.
func TestDocNames(t *testing.T) {
	seen := 0
	eachFile(t, func(_ string, fset *token.FileSet, f *ast.File) {
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
	})
	if seen < 1000 {
		t.Errorf("%d comments were looked at, want those of the module", seen)
	}
}

// TestDocLinks checks that each [Name] or [Type.Method] in a comment, outside of examples of code, is declared in the
// package of the comment, and each [pkg.Name] in the package of that name. A renaming would otherwise leave a link
// that leads nowhere.
func TestDocLinks(t *testing.T) {
	declared := make(map[string]map[string]bool) // by directory
	named := make(map[string][]string)           // directories by the name of their package
	type link struct{ dir, name, place string }
	var links []link
	shape := regexp.MustCompile(`(?:^|[\s(])\[\*?((?:[a-z]\w*\.)?[A-Z]\w*(?:\.[A-Z]\w*)?)\](?:[\s.,:;)]|'s|$)`)
	eachFile(t, func(name string, fset *token.FileSet, f *ast.File) {
		dir := filepath.Dir(name)
		if declared[dir] == nil {
			declared[dir] = make(map[string]bool)
			named[f.Name.Name] = append(named[f.Name.Name], dir)
		}
		addDeclared(declared[dir], f)
		for _, g := range f.Comments {
			for line := range strings.Lines(g.Text()) {
				if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ") && !strings.Contains(line, ". ") {
					continue // code
				}
				for _, m := range shape.FindAllStringSubmatch(line, -1) {
					links = append(links, link{dir, m[1], fset.Position(g.Pos()).String()})
				}
			}
		}
	})
	for _, l := range links {
		pkg, name, other := strings.Cut(l.name, ".")
		if !other || unicode.IsUpper([]rune(pkg)[0]) {
			if !declared[l.dir][l.name] {
				t.Errorf("%s: the comment links to %s, which its package does not declare", l.place, l.name)
			}
			continue
		}
		dirs := named[pkg]
		if len(dirs) > 0 && !slices.ContainsFunc(dirs, func(dir string) bool { return declared[dir][name] }) {
			t.Errorf("%s: the comment links to %s, which no package %s declares", l.place, l.name, pkg)
		}
	}
	if len(links) < 100 {
		t.Errorf("%d links were found, want those of the module", len(links))
	}
}

// addDeclared adds the names that a file declares at its top level, with methods and fields as "Type.Name".
func addDeclared(names map[string]bool, f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				recv := d.Recv.List[0].Type
				if s, ok := recv.(*ast.StarExpr); ok {
					recv = s.X
				}
				if x, ok := recv.(*ast.IndexExpr); ok {
					recv = x.X
				}
				if id, ok := recv.(*ast.Ident); ok {
					name = id.Name + "." + name
				}
			}
			names[name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, id := range s.Names {
						names[id.Name] = true
					}
				case *ast.TypeSpec:
					names[s.Name.Name] = true
					var members *ast.FieldList
					switch u := s.Type.(type) {
					case *ast.StructType:
						members = u.Fields
					case *ast.InterfaceType:
						members = u.Methods
					default:
						continue
					}
					for _, m := range members.List {
						for _, id := range m.Names {
							names[s.Name.Name+"."+id.Name] = true
						}
					}
				}
			}
		}
	}
}

// TestDocFiles checks that each file of Go which a package's comment or a comment on a file's subject names is there: in the
// directory of the comment, or elsewhere in the module. Names of files that users have are of one
// letter, like x.go, or have "assay" in them.
func TestDocFiles(t *testing.T) {
	there := make(map[string]bool)
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			there[d.Name()] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	shape := regexp.MustCompile(`[\w./-]+\.go\b`)
	seen := 0
	eachFile(t, func(name string, fset *token.FileSet, f *ast.File) {
		for _, g := range f.Comments {
			if g.Pos() > f.Package && !strings.Contains(g.Text(), "This file") {
				continue // of a declaration, which may speak of files of the code under test
			}
			for _, file := range shape.FindAllString(g.Text(), -1) {
				base := filepath.Base(file)
				if strings.Contains(base, "assay") || len(strings.TrimSuffix(strings.TrimSuffix(base, ".go"), "_test")) <= 1 {
					continue
				}
				seen++
				if !there[base] {
					t.Errorf("%s: the comment names %s, which is no file of the module", fset.Position(g.Pos()), file)
				}
			}
		}
	})
	if seen < 300 {
		t.Errorf("%d names of files were found, want those of the packages' comments", seen)
	}
}
