package symbolic

import (
	"context"
	"os"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// subject loads a package of the machine's test data.
func subject(tb testing.TB, dir string) (*load.Program, *load.Package) {
	tb.Helper()
	prog, err := load.Load(context.Background(), load.Config{Dir: dir}, ".")
	if err != nil {
		tb.Fatal(err)
	}
	pkg := prog.Packages[0]
	if len(pkg.Errors) > 0 {
		tb.Fatal(pkg.Errors)
	}
	return prog, pkg
}

// The numbers of paths are those that another engine found, see docs/benchmarks.md;
// 120 and 720 are the orderings of 5 and 6 numbers. Thousands of paths are counted only
// with ASSAY_LONG=1.
func TestPathCounts(t *testing.T) {
	prog, pkg := subject(t, "../vm/testdata/paths")
	tests := []struct {
		name            string
		returns, panics int
		long            bool
	}{
		{"Triangle", 32, 0, false},
		{"Bubble5", 120, 0, false},
		{"Bubble6", 720, 0, true},
		{"BST4", 75, 0, false},
		{"BST5", 541, 0, false},
		{"BST6", 4683, 0, true},
		{"Expr6", 4517, 0, true},
		{"Regexp7", 6802, 890, true},
		{"Base64x4", 1424, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long && os.Getenv("ASSAY_LONG") == "" {
				t.Skip("thousands of paths; with ASSAY_LONG=1")
			}
			res, err := Run(context.Background(), Subject{prog, pkg, pkg.Target(tt.name)}, Config{Count: true, Validate: true}, func(*testcase.Case) bool { return true })
			if err != nil {
				t.Fatal(err)
			}
			if !res.Complete || res.Stops["return"] != tt.returns || res.Stops["panic"] != tt.panics {
				t.Errorf("%d returns, %d panics, complete %v (%v); want %d, %d, true", res.Stops["return"], res.Stops["panic"], res.Complete, res.Stops, tt.returns, tt.panics)
			}
			t.Logf("%+v", res.Solver)
		})
	}
}

// Two texts of which nothing is known are compared by a few paths: one for other lengths, and for lengths up to each of two
// bounds, and beyond, those that differ and those that are equal. There is no path for each length.
func TestAlikeTexts(t *testing.T) {
	prog, pkg := subject(t, "../vm/testdata/paths")
	res, err := Run(context.Background(), Subject{prog, pkg, pkg.Target("Alike")}, Config{Count: true, Validate: true}, func(*testcase.Case) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if res.Stops["return"] != 7 || !res.Complete || !res.Partial {
		t.Errorf("%d paths return, complete %v, partial %v; want 7, true, true", res.Stops["return"], res.Complete, res.Partial)
	}
}
