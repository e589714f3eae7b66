package assay_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTour checks that each file of docs/tour.md is there and declares the name in front of it.
func TestTour(t *testing.T) {
	text, err := os.ReadFile("docs/tour.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile("\\[`([^`]+)`\\]\\(\\.\\./([^)]+)\\)").FindAllStringSubmatch(string(text), -1)
	if len(links) < 50 {
		t.Fatalf("%d links were found, want those of the tour", len(links))
	}
	for _, l := range links {
		name, file := l[1], l[2]
		declared, err := declaredIn(filepath.FromSlash(file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		owner, member, ok := strings.Cut(name, ".")
		// `Type.Method`, or `pkg.Name` of the package that the file is in.
		if ok && owner == filepath.Base(filepath.Dir(file)) || !ok && !slices.Contains(declared, name) {
			if !ok {
				member = name
			}
			ok = slices.ContainsFunc(declared, func(d string) bool { return d == member || strings.HasSuffix(d, "."+member) })
		} else {
			ok = slices.Contains(declared, name)
		}
		if !ok {
			t.Errorf("docs/tour.md: %s does not declare %s", file, name)
		}
	}
}

// declaredIn returns the names that a file declares: functions, types, and methods as
// "Type.Method".
func declaredIn(file string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				recv := d.Recv.List[0].Type
				if s, ok := recv.(*ast.StarExpr); ok {
					recv = s.X
				}
				if id, ok := recv.(*ast.Ident); ok {
					name = id.Name + "." + name
				}
			}
			out = append(out, name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					out = append(out, s.Name.Name)
				}
			}
		}
	}
	return out, nil
}
