package choose

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

var figures = flag.String("figures", "", "directories of packages to measure, comma-separated")

// TestReductionFigures prints what reduction leaves of the cases that the random engine
// makes, with the coverage and the mutants killed before and after. It runs only when
// asked; coverage must stay what it was.
func TestReductionFigures(t *testing.T) {
	if *figures == "" {
		t.Skip("no -figures")
	}
	for dir := range strings.SplitSeq(*figures, ",") {
		prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
		if err != nil {
			t.Fatal(err)
		}
		pkg := prog.Packages[0]
		h, err := native.Build(t.Context(), prog, pkg, native.Config{Checks: protocol.Of(pkg, nil)})
		if err != nil {
			t.Fatal(err)
		}
		var cases []*testcase.Case
		_, err = random.Run(t.Context(), random.Subject{Prog: prog, Pkg: pkg, Harness: h}, random.Config{Seed: 1}, func(c *testcase.Case) bool {
			if c.Observed.Status == testcase.Returned && c.Observed.Violated == "" {
				cases = append(cases, c)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		a, err := mutate.Build(t.Context(), prog, pkg, mutate.Config{})
		if err != nil {
			t.Fatal(err)
		}
		cfg := reduce.Config{Pure: purity.New(prog).PureCalls(pkg), Kills: a.Kills}
		left, stats, err := reduce.Cases(t.Context(), cases, h, cfg)
		if err != nil {
			t.Fatal(err)
		}
		measure := func(cases []*testcase.Case) (covered, statements, killed, mutants int) {
			var c testcase.Cover
			for _, k := range cases {
				c.Union(k.Observed.Cover)
				statements += k.Seq.Len()
			}
			vs, err := a.Cases(t.Context(), cases, mutate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := mutate.Sum(vs)
			return c.Count(), statements, s.Killed, s.Mutants
		}
		c0, s0, k0, n := measure(cases)
		c1, s1, k1, _ := measure(left)
		t.Logf("%s: %d cases of %d statements, %d blocks, %d of %d mutants; reduced %d cases of %d statements, %d blocks, %d mutants; %d redundant by the seed's rule",
			filepath.Base(dir), len(cases), s0, c0, k0, n, len(left), s1, c1, k1, stats.Redundant)
		if c1 < c0 || k1 < k0 {
			t.Errorf("%s: reduction loses coverage or mutants", dir)
		}
		for _, close := range []func() error{h.Close, a.Close} {
			if err := close(); err != nil {
				t.Error(err)
			}
		}
	}
}
