package check

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/testcase"
)

// soundnessDirs names packages to check besides the examples and the packages with difficult memory
// accesses, comma-separated: copies of public modules, for example.
var soundnessDirs = flag.String("soundness", "", "directories of further packages for TestSoundness")

// Assertions that are proved hold in every execution that the symbolic and the random engine find, and
// assertions that are proved under assumptions hold in every execution in which the assumptions hold. The
// machine evaluates assumptions; native runs do not, so they are compared only with assertions that are
// proved without assumptions. No panic occurs at an instruction for which the analysis has no assertion.
func TestSoundness(t *testing.T) {
	dirs, err := filepath.Glob("../../../examples/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no examples", err)
	}
	dirs = append(dirs, "../../check/testdata/sharing")
	if *soundnessDirs != "" {
		dirs = append(dirs, strings.Split(*soundnessDirs, ",")...)
	}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) { soundness(t, dir) })
	}
}

func soundness(t *testing.T, dir string) {
	ran := false
	_, err := session.Each(t.Context(), session.Config{Dir: dir, Timeout: 10 * time.Minute}, session.Verb{Name: "check", Do: func(s *session.Session) error {
		ran = true
		c := newChecker(s, Config{Guide: guide.Unguided})
		c.analyse()
		paths := 0
		for _, target := range append(c.exported, c.inside...) {
			u := c.byFunc[target.Func.String()]
			if u == nil {
				continue
			}
			guided := guide.For(u.fn, c.functions(), guide.Unguided, u.fn.Contract, 0)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			res, err := symbolic.Run(ctx, symbolic.Subject{Prog: c.Prog, Pkg: c.Pkg, Target: target}, symbolic.Config{
				Seed: 1, Guide: guided, All: true, Budget: symbolic.Budget{Paths: 300, Instructions: 500_000, Queries: 600, Effort: 2_000_000},
			}, func(*testcase.Case) bool { return true })
			cancel()
			if err != nil {
				t.Error(target, err)
			}
			paths += res.Paths
			for _, ref := range res.Unsound {
				v := c.byFunc[ref.Func]
				as := v.fn.Assertions[ref.Index]
				t.Errorf("%s: exploring %s breaks %s, which is verified %s", v.places[ref.Index], target, as.Text, v.fn.PremiseText(as.Premise))
			}
			for _, what := range res.Unlisted {
				t.Errorf("exploring %s: no assertion for %s", target, what)
			}
		}
		c.randomly(t)
		t.Logf("%d functions, %d paths", len(c.units), paths)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !ran {
		t.Fatal("nothing was analysed: the package cannot be loaded")
	}
}

// randomly compares the proved assertions with those that the random engine breaks.
func (c *checker) randomly(t *testing.T) {
	bench, err := c.Build(c.Ctx, session.BenchConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer bench.Close()
	_, err = random.Run(context.WithoutCancel(c.Ctx), random.Subject{Prog: c.Prog, Pkg: c.Pkg, Harness: bench.Harness}, random.Config{Seed: 1, Ops: 50_000}, func(k *testcase.Case) bool {
		if k.Observed == nil || k.Observed.Status != testcase.Panicked {
			return true
		}
		frames := k.Observed.Panic.Stack
		if len(frames) == 0 || !finding.OfModule(c.Pkg, frames[0].Func) {
			return true
		}
		listed, proved := 0, 0
		for _, u := range c.units {
			for i, as := range u.fn.Assertions {
				if string(as.Kind) == k.Observed.Panic.Kind && samePlace(u.places[i], frames[0].Pos) {
					listed++
					if as.Premise.Verified() {
						proved++
					}
				}
			}
		}
		if listed > 0 && listed == proved {
			t.Errorf("%s: %s panics at what is proved: %s", frames[0].Pos, k.Seq, k.Observed.Panic.Message)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}
