package sequence

import (
	"bytes"
	"context"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// subjects loads the containers of the test data.
func subjects(tb testing.TB) (*load.Program, *load.Package) {
	tb.Helper()
	prog, err := load.Load(context.Background(), load.Config{Dir: "testdata/subjects"}, ".")
	if err != nil {
		tb.Fatal(err)
	}
	pkg := prog.Packages[0]
	if len(pkg.Errors) > 0 {
		tb.Fatal(pkg.Errors)
	}
	return prog, pkg
}

// exhaustive is a budget that nothing reaches.
var exhaustive = Budget{Instructions: 1 << 40, Paths: 1 << 30, Queries: 1 << 40, Effort: 1 << 60, States: 1 << 30, Cases: 1 << 30}

// explore explores a subject.
func explore(tb testing.TB, prog *load.Program, pkg *load.Package, name string, cfg Config) Result {
	tb.Helper()
	cfg.Budget = exhaustive
	res, err := Run(context.Background(), prog, pkg, pkg.Types.Scope().Lookup(name).Type(), cfg, func(*testcase.Case) bool { return true })
	if err != nil {
		tb.Fatal(err)
	}
	return res
}

func TestTry(t *testing.T) {
	prog, pkg := subjects(t)
	for _, name := range []string{"UBStack", "IntStack", "BinarySearchTree", "BinomialHeap", "LinkedList", "TreeMap", "HeapArray"} {
		res := explore(t, prog, pkg, name, Config{Depth: 6})
		var b bytes.Buffer
		res.Table(&b)
		t.Logf("%s: asks %d opaque %d queries %d stops %v\n%s", name, res.Asks, res.Opaque, res.Queries, res.Stops, &b)
	}
}
