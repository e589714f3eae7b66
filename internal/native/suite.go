package native

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"sort"
	"strings"

	"github.com/goassay/assay/internal/gotest"
)

// suiteFile is a test file that is compiled into the harness, so that its tests can be run in it.
type suiteFile struct {
	gotest.File
	pkg string // the name in its package clause
}

// prepareSuite returns the test files in the form in which they are compiled, and the names of their tests.
// Functions that take a *testing.T recover from panics, because a subtest that panics in a goroutine of its
// own would end the process. The names of a file's tests and of its package are read from the source unless
// they are given.
func prepareSuite(files []gotest.File) ([]suiteFile, []string, error) {
	var out []suiteFile
	var names []string
	for _, file := range files {
		tf := suiteFile{File: file}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, tf.Path, tf.Content, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, fmt.Errorf("native: %w", err)
		}
		tf.pkg = f.Name.Name
		testing := testingName(f)
		if tf.Tests == nil {
			tf.Tests = tests(f, testing)
		}
		// Fuzz functions among them run under another type.
		tf.Tests = slices.DeleteFunc(slices.Clone(tf.Tests), func(name string) bool { return !strings.HasPrefix(name, "Test") })
		names = append(names, tf.Tests...)
		tf.Content = recovering(fset, f, tf.Content, testing)
		out = append(out, tf)
	}
	return out, names, nil
}

// testingName returns the name under which a file imports package testing.
func testingName(f *ast.File) string {
	for _, i := range f.Imports {
		if i.Path.Value == `"testing"` {
			if i.Name != nil {
				return i.Name.Name
			}
			return "testing"
		}
	}
	return ""
}

// tests returns the names of the test functions of a file.
func tests(f *ast.File, testing string) []string {
	var out []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Recv == nil && fn.Body != nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" && testParam(fn.Type, testing) != "" {
			out = append(out, fn.Name.Name)
		}
	}
	return out
}

// testParam returns the name of a function's only parameter if that is a *testing.T, and "" otherwise.
func testParam(t *ast.FuncType, testing string) string {
	if len(t.Params.List) != 1 || len(t.Params.List[0].Names) != 1 || t.Results != nil {
		return ""
	}
	star, ok := t.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return ""
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "T" {
		return ""
	}
	if id, ok := sel.X.(*ast.Ident); !ok || id.Name != testing {
		return ""
	}
	return t.Params.List[0].Names[0].Name
}

// recoverName is the name under which the test files import the harness's runtime.
const recoverName = "assayrt_"

// recovering adds a recovery to the functions of a file that take a *testing.T.
func recovering(fset *token.FileSet, f *ast.File, src []byte, testing string) []byte {
	if testing == "" || strings.Contains(string(src), recoverName) {
		return src
	}
	tf := fset.File(f.FileStart)
	type insertion struct {
		off  int
		text string
	}
	var all []insertion
	add := func(t *ast.FuncType, b *ast.BlockStmt) {
		if name := testParam(t, testing); b != nil && name != "" && name != "_" {
			all = append(all, insertion{tf.Offset(b.Lbrace) + 1, "defer " + recoverName + ".RecoverTest(" + name + ");"})
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Type, n.Body)
		case *ast.FuncLit:
			add(n.Type, n.Body)
		}
		return true
	})
	if len(all) == 0 {
		return src
	}
	all = append(all, insertion{tf.Offset(f.Name.End()), "; import " + recoverName + ` "assayrt"`})
	sort.SliceStable(all, func(i, j int) bool { return all[i].off < all[j].off })
	var out []byte
	at := 0
	for _, i := range all {
		out = append(append(out, src[at:i.off]...), i.text...)
		at = i.off
	}
	return append(out, src[at:]...)
}

// TestFunctions returns the names of the test functions of a file, in their order. It returns none if the
// file does not parse.
func TestFunctions(tf gotest.File) []string {
	f, err := parser.ParseFile(token.NewFileSet(), tf.Path, tf.Content, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return tests(f, testingName(f))
}
