package contract

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"
)

const source = `package p

// must says what holds.
//
//assay:assume
func must(cond bool) {}

//assay:assumeorexecuteconcretely
func mostly(what string, cond bool) {}

//assay:prefer
func rather(cond bool) {}

//assay:assert
func holds(cond bool) {}

// plain has no directive.
func plain(cond bool) {}

//assay:assume
func result(cond bool) bool { return cond }

//assay:assume
func number(n int) {}
`

func TestOf(t *testing.T) {
	name := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(name, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Annotation{
		"must": Assume, "mostly": AssumeOrExecuteConcretely, "rather": Prefer, "holds": Assert,
		"plain": None, "result": None, "number": None,
	}
	var r Reader
	for name, a := range want {
		if got := r.Of(fset, pkg.Scope().Lookup(name).(*types.Func)); got != a {
			t.Errorf("Of(%s) = %d, want %d", name, got, a)
		}
	}
}
