package fold

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/load"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// An archive has a package, its tests, and the tests that become of these. What is written compiles.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	fset := token.NewFileSet()
	imp := withTestify{importer.ForCompiler(fset, "gc", nil), fset}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := make(map[string][]byte)
			for _, f := range ar.Files {
				files[f.Name] = f.Data
			}
			lang := "go1.26"
			if v, ok := strings.CutPrefix(strings.TrimSpace(string(ar.Comment)), "go "); ok {
				lang = "go" + v
			}
			got := folded(t, fset, imp, files, lang)
			if again := folded(t, fset, imp, files, lang); !bytes.Equal(got, again) {
				t.Error("the second time has other bytes")
			}
			if *update {
				files["want"] = got
				ar.Files = nil
				for _, name := range []string{"p.go", "p_test.go", "want"} {
					ar.Files = append(ar.Files, txtar.File{Name: name, Data: files[name]})
				}
				if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if !bytes.Equal(got, files["want"]) {
				t.Errorf("got\n%s\nwant\n%s", got, files["want"])
			}
		})
	}
}

// Tables pass and fail as the subtests did from which they were made, also where the code is faulty: most of what the
// archives expect is wrong.
func TestOutcomes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go test")
	}
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, text []byte) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777), os.WriteFile(filepath.Join(dir, name), text, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", []byte("module example.com/p\n\ngo 1.26\n"))
	var names []string
	for _, path := range archives {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := make(map[string][]byte)
		for _, f := range ar.Files {
			files[f.Name] = f.Data
		}
		if bytes.Contains(files["p_test.go"], []byte("testify")) {
			continue // what stands for testify is no module here
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		names = append(names, name)
		for state, tests := range map[string][]byte{"before": files["p_test.go"], "after": files["want"]} {
			write(name+"/"+state+"/p.go", files["p.go"])
			write(name+"/"+state+"/p_test.go", tests)
		}
	}
	all := outcomes(t, dir)
	passed, failed := 0, 0
	for _, name := range names {
		before, after := all["example.com/p/"+name+"/before"], all["example.com/p/"+name+"/after"]
		if !slices.Equal(before, after) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(after, "\n"), strings.Join(before, "\n"))
		}
		for _, line := range before {
			if strings.HasPrefix(line, "--- PASS") {
				passed++
			} else {
				failed++
			}
		}
	}
	if passed == 0 || failed == 0 {
		t.Errorf("%d tests pass, %d fail: the test tests nothing", passed, failed)
	}
}

// outcomes runs the tests of a module, and returns by package which of them passed and which failed, sorted, and the same for
// their subtests without names: a table may call these by what they pass.
func outcomes(t *testing.T, dir string) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "test", "-vet=off", "-json", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	lines := make(map[string][]string)
	for text := range strings.Lines(string(out)) {
		var e struct{ Action, Package, Output string }
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if e.Action == "build-fail" || strings.Contains(e.Output, "panic: ") {
			t.Fatalf("%v\n%s", err, out)
		}
		if line, _, ok := strings.Cut(strings.TrimSpace(e.Output), " ("); ok && strings.HasPrefix(line, "--- ") {
			if top, _, isSub := strings.Cut(line, "/"); isSub {
				line = top + "/"
			}
			lines[e.Package] = append(lines[e.Package], line)
		}
	}
	for _, of := range lines {
		slices.Sort(of)
	}
	return lines
}

// withTestify imports what stands for testify in the tests of package emit.
type withTestify struct {
	types.Importer
	fset *token.FileSet
}

func (i withTestify) Import(path string) (*types.Package, error) {
	name, ok := strings.CutPrefix(path, "github.com/stretchr/testify/")
	if !ok {
		return i.Importer.Import(path)
	}
	ar, err := txtar.ParseFile("../testdata/standin/testify.txtar")
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, f := range ar.Files {
		if filepath.Dir(f.Name) != name {
			continue
		}
		syntax, err := parser.ParseFile(i.fset, f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, syntax)
	}
	return (&types.Config{Importer: i}).Check(path, i.fset, files, nil)
}

// folded returns the tests of an archive with tables.
func folded(t *testing.T, fset *token.FileSet, imp types.Importer, files map[string][]byte, lang string) []byte {
	t.Helper()
	src, pkg := check(t, fset, imp, files["p.go"], files["p_test.go"])
	imports := gofile.NewImports()
	w := gofile.NewWriter(&load.Package{Path: "example.com/p", Name: "p", Types: pkg, TestImports: map[string]bool{}}, false, lang, gofile.NewNames(nil), imports)
	for _, s := range src.File.Imports {
		path := strings.Trim(s.Path.Value, `"`)
		imports.Name(path, filepath.Base(path))
	}
	var out bytes.Buffer
	for _, d := range src.File.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			text := src.text(d) + "\n"
			if folded, ok := Tables(w, src, d, nil); ok {
				text = src.between(d.Pos(), d.Body.Lbrace+1) + "\n" + folded.Body + "}\n"
			}
			out.WriteString("\n" + text)
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				out.WriteString("\n" + src.text(d) + "\n")
			}
		}
	}
	head := "package p\n\n" + imports.Only(gofile.Qualifiers(out.Bytes())).Text("example.com/p")
	text, err := format.Source([]byte(head + out.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	check(t, fset, imp, files["p.go"], text)
	return text
}

// check type-checks a package and its tests.
func check(t *testing.T, fset *token.FileSet, imp types.Importer, code, tests []byte) (*Source, *types.Package) {
	t.Helper()
	var syntax []*ast.File
	for _, text := range [][]byte{code, tests} {
		f, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		syntax = append(syntax, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: imp}).Check("example.com/p", fset, syntax, info)
	if err != nil {
		t.Fatalf("%v\n%s", err, tests)
	}
	return &Source{Fset: fset, File: syntax[1], Text: tests, Info: info}, pkg
}
