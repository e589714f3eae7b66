package check

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/testcase"
)

// kinds counts tests by what they show.
type kinds struct{ failing, nonRedundant, redundant int }

func (s kinds) tests() int { return s.failing + s.nonRedundant + s.redundant }

func (s *kinds) add(t kinds) {
	s.failing += t.failing
	s.nonRedundant += t.nonRedundant
	s.redundant += t.redundant
}

// tally is what one way to guide came to on some functions.
type tally struct {
	runs       kinds           // every path that ends is a test
	suite      kinds           // those that cover something new, of the code or of what is not verified
	pruned     int             // paths that were ended early
	covered    map[string]bool // assertions whose premises some test violates
	broken     map[string]bool // assertions that some test breaks
	prefixes   map[uint64]bool
	unverified int // unverified executions, by the decisions before their last unverified assertion
	bounds     map[string]int
	time       time.Duration
}

func newTally() *tally {
	return &tally{covered: map[string]bool{}, broken: map[string]bool{}, prefixes: map[uint64]bool{}, bounds: map[string]int{}}
}

func (a *tally) add(b *tally) {
	a.runs.add(b.runs)
	a.suite.add(b.suite)
	a.pruned += b.pruned
	a.time += b.time
	a.unverified += b.unverified
	maps.Copy(a.covered, b.covered)
	maps.Copy(a.broken, b.broken)
	for k, n := range b.bounds {
		a.bounds[k] += n
	}
}

// note counts a path's case.
func (a *tally) note(c comparison, k *testcase.Case) {
	var one kinds
	failing := k.Stop == "assert" || strings.HasPrefix(k.Stop, "assert:") || k.Stop == "panic" && (k.Predicted == nil || k.Predicted.Panic == nil || k.Predicted.Panic.Kind != "explicit")
	switch {
	case failing:
		one.failing = 1
	case len(k.Checked.Met) > 0:
		one.nonRedundant = 1
	default:
		one.redundant = 1
	}
	a.runs.add(one)
	if len(k.Checked.Met) > 0 && !a.prefixes[k.Checked.Prefix] {
		a.prefixes[k.Checked.Prefix] = true
		a.unverified++
	}
	before := len(a.covered) + len(a.broken)
	for _, ref := range k.Checked.Met {
		a.covered[c.place(ref)] = true
	}
	if failing && k.Checked.Violated != nil {
		a.broken[c.place(*k.Checked.Violated)] = true
	}
	if k.Checked.New || len(a.covered)+len(a.broken) > before {
		a.suite.add(one)
	}
}

// limits are what bounds the exploration of a function, the same for all ways to guide.
type limits struct {
	paths, interrupts int
	repeat            int // how often the same is done again, for its time
}

// comparison runs the analysis on a package and then each function under all five ways.
type comparison struct {
	*checker
	t *testing.T
}

func (c comparison) place(ref testcase.AssertionRef) string {
	u := c.byFunc[ref.Func]
	return fmt.Sprintf("%s %s (%s)", c.Pkg.Path, strings.TrimPrefix(u.places[ref.Index].String(), c.Pkg.Dir+"/"), u.fn.Assertions[ref.Index].Text)
}

// one explores a function under one way, as often as l says: the least time counts, and
// all else is the same each time.
func (c comparison) one(target *load.Target, mode guide.Mode, l limits) *tally {
	best := c.once(target, mode, l)
	for range l.repeat {
		if again := c.once(target, mode, l); again.time < best.time {
			best = again
		}
	}
	return best
}

func (c comparison) once(target *load.Target, mode guide.Mode, l limits) *tally {
	u := c.byFunc[target.Func.String()]
	out := newTally()
	guided := guide.For(u.fn, c.functions(), mode, u.fn.Contract, l.interrupts)
	ctx, cancel := context.WithTimeout(c.t.Context(), 5*time.Minute) // no bound, but an end
	defer cancel()
	if l.repeat > 0 {
		runtime.GC() // nobody pays for what others left
	}
	start := cpuTime()
	res, err := symbolic.Run(ctx, c.Prog, c.Pkg, target, symbolic.Config{
		Seed: 1, Guide: guided, All: true, Direct: true,
		Budget: symbolic.Budget{Paths: l.paths, Cases: 1 << 30, Instructions: 500_000, Queries: 1_000, Effort: 1_000_000, Query: 100_000},
	}, func(k *testcase.Case) bool {
		out.note(c, k)
		return true
	})
	out.time = cpuTime() - start
	if err != nil {
		c.t.Error(target, err)
	}
	out.pruned = res.Stops["pruned"] + res.Stops["verified"]
	if res.Bound != "" {
		what := strings.TrimLeft(res.Bound, "0123456789 ")
		out.bounds[what]++
	}
	for _, s := range []string{"solver", "budget", "stack", "memory"} {
		if n := res.Stops[s]; n > 0 {
			out.bounds["path: "+s] += n
		}
	}
	return out
}

// compared calls f with the tallies, by mode, of each function of a package that only
// matches; nil is all.
func compared(t *testing.T, dir string, only *regexp.Regexp, l limits, f func(c comparison, target *load.Target, by []*tally)) {
	_, err := session.Each(t.Context(), session.Config{Dir: dir, Run: only, Timeout: time.Hour}, session.Verb{Name: "check", Do: func(s *session.Session) error {
		c := comparison{newChecker(s, Config{}), t}
		c.analyse()
		for _, target := range c.exported {
			if c.byFunc[target.Func.String()] == nil {
				continue
			}
			var by []*tally
			for mode := guide.Unguided; mode <= guide.Both; mode++ {
				by = append(by, c.one(target, mode, l))
			}
			f(c, target, by)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// The example of seed 003: of all paths through Deposit one breaks the assertion. Under
// may and both no test enters what is verified, and one is left beside the nil receiver's; with a second assertion
// that is not verified, may prunes nothing, and must finds the overflow all the same.
func TestGuidanceOfDeposit(t *testing.T) {
	seen := 0
	compared(t, "../../check/testdata/subjects", regexp.MustCompile(`^Account\.Deposit`), limits{paths: 300, interrupts: interruptsPerUnit}, func(_ comparison, target *load.Target, by []*tally) {
		switch target.Name {
		case "Account.Deposit":
			seen++
			for _, mode := range []guide.Mode{guide.May, guide.Both} {
				// The other one is the nil receiver's, which returns before anything.
				if got := by[mode].runs; got.failing != 1 || got.tests() != 2 {
					t.Errorf("%s: %d tests, %d of them failing; want the one that fails, and the nil receiver's", guide.ModeNames()[mode], got.tests(), got.failing)
				}
			}
			for _, mode := range []guide.Mode{guide.Unguided, guide.Annotated, guide.Must} {
				if got := by[mode].runs; got.failing == 0 || got.redundant <= 5 {
					t.Errorf("%s: %d redundant tests, %d failing; want those of the verified paths too", guide.ModeNames()[mode], got.redundant, got.failing)
				}
			}
		case "Account.DepositChecked":
			seen++
			for mode, got := range by {
				if got.runs.failing == 0 {
					t.Errorf("%s finds no overflow", guide.ModeNames()[mode])
				}
			}
		}
	})
	if seen != 2 {
		t.Errorf("%d of the examples are there", seen)
	}
}
