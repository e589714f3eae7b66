package symbolic

import (
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A loop without end that has no body costs a path what it may, and the exploration comes to its end. The paths around the loop
// are followed.
func TestEndless(t *testing.T) {
	prog, err := load.Load(t.Context(), load.Config{Dir: "testdata/endless"})
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	if len(pkg.Errors) > 0 {
		t.Fatal(pkg.Errors)
	}
	for _, target := range pkg.Targets {
		if !target.Exported {
			continue
		}
		returned := 0
		res, err := Run(t.Context(), Subject{prog, pkg, target}, Config{}, func(c *testcase.Case) bool {
			if c.Predicted != nil && c.Predicted.Status == testcase.Returned {
				returned++
			}
			return true
		})
		if err != nil || returned == 0 || res.Stops["budget"] == 0 {
			t.Errorf("%s: %d cases return, paths end by %v, error %v; want some that return and some that no budget is enough for", target, returned, res.Stops, err)
		}
	}
}
