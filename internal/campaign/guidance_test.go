package campaign

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/testcase"
)

// compareGuides has TestGuidanceFigures compare the ways to guide on the subjects of package
// check and on further packages; see docs/check.md.
var (
	compareGuides = flag.Bool("guidance", false, "compare the five ways to guide tests")
	figureDirs    = flag.String("figure-dirs", "", "directories of further packages for -guidance, comma-separated")
	figurePaths   = flag.Int("figure-paths", 100, "for -guidance: bound on the paths of a function")
)

// tally is what one way to guide came to on some functions.
type tally struct {
	failing, nonRedundant, redundant, pruned int
	covered                                  map[string]bool // assertions whose premises some test violates
	broken                                   map[string]bool // assertions that some test breaks
	prefixes                                 map[uint64]bool
	unverified                               int // unverified executions, by the decisions before their last unverified assertion
	bounds                                   map[string]int
	time                                     time.Duration
}

func newTally() *tally {
	return &tally{covered: map[string]bool{}, broken: map[string]bool{}, prefixes: map[uint64]bool{}, bounds: map[string]int{}}
}

func (a *tally) tests() int { return a.failing + a.nonRedundant + a.redundant }

func (a *tally) add(b *tally) {
	a.failing += b.failing
	a.nonRedundant += b.nonRedundant
	a.redundant += b.redundant
	a.pruned += b.pruned
	a.time += b.time
	a.unverified += b.unverified
	maps.Copy(a.covered, b.covered)
	maps.Copy(a.broken, b.broken)
	for k, n := range b.bounds {
		a.bounds[k] += n
	}
}

// comparison runs the analysis on a package and then each function under all five ways.
type comparison struct {
	*checker
	t *testing.T
}

func (c comparison) place(ref testcase.AssertionRef) string {
	u := c.byFunc[ref.Func]
	return fmt.Sprintf("%s %s (%s)", c.pkg.Path, strings.TrimPrefix(u.places[ref.Index].String(), c.pkg.Dir+"/"), u.fn.Assertions[ref.Index].Text)
}

// one explores a function under one way.
func (c comparison) one(target *load.Target, mode check.Mode, paths int) *tally {
	u := c.byFunc[target.Func.String()]
	out := newTally()
	guide := check.Guide(u.fn, c.functions(), mode, u.fn.Contract, interruptsPerUnit)
	ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
	defer cancel()
	start := cpuTime()
	res, err := symbolic.Run(ctx, c.prog, c.pkg, target, symbolic.Config{
		Seed: 1, Guide: guide, All: true, Direct: true,
		Budget: symbolic.Budget{Paths: paths, Cases: 1 << 30, Instructions: 2_000_000, Queries: 4_000, Effort: 8_000_000},
	}, func(k *testcase.Case) bool {
		failing := k.Stop == "assert" || strings.HasPrefix(k.Stop, "assert:") || k.Stop == "panic" && (k.Predicted == nil || k.Predicted.Panic == nil || k.Predicted.Panic.Kind != "explicit")
		switch {
		case failing:
			out.failing++
		case len(k.Checked.Met) > 0:
			out.nonRedundant++
		default:
			out.redundant++
		}
		if len(k.Checked.Met) > 0 && !out.prefixes[k.Checked.Prefix] {
			out.prefixes[k.Checked.Prefix] = true
			out.unverified++
		}
		for _, ref := range k.Checked.Met {
			out.covered[c.place(ref)] = true
		}
		if failing && k.Checked.Violated != nil {
			out.broken[c.place(*k.Checked.Violated)] = true
		}
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
func compared(t *testing.T, dir string, only *regexp.Regexp, paths int, f func(c comparison, target *load.Target, by []*tally)) {
	_, err := each(t.Context(), Config{Dir: dir, Run: only, Timeout: time.Hour}, "check", func(r *run) error {
		if len(r.pkg.Errors) > 0 {
			t.Fatal(r.pkg.Errors)
		}
		c := comparison{&checker{gen: gen{run: r, interrupted: t.Context(), kept: map[string]bool{}}, results: map[*load.Target]symbolic.Result{}}, t}
		c.exported, c.inside = c.selectTargets()
		c.analyse()
		for _, target := range c.exported {
			if c.byFunc[target.Func.String()] == nil {
				continue
			}
			var by []*tally
			for mode := check.Unguided; mode <= check.Both; mode++ {
				by = append(by, c.one(target, mode, paths))
			}
			f(c, target, by)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The example of seed 003: of all paths through Deposit one breaks the assertion. Under
// may and both no test enters what is verified, and one is left beside the nil receiver's; with a second assertion
// that is not verified, may prunes nothing, and must finds the overflow all the same.
func TestGuidanceOfDeposit(t *testing.T) {
	seen := 0
	compared(t, "../check/testdata/subjects", regexp.MustCompile(`^Account\.Deposit`), 300, func(_ comparison, target *load.Target, by []*tally) {
		switch target.Name {
		case "Account.Deposit":
			seen++
			for _, mode := range []check.Mode{check.May, check.Both} {
				// The other one is the nil receiver's, which returns before anything.
				if got := by[mode]; got.failing != 1 || got.tests() != 2 {
					t.Errorf("%s: %d tests, %d of them failing; want the one that fails, and the nil receiver's", check.ModeNames()[mode], got.tests(), got.failing)
				}
			}
			for _, mode := range []check.Mode{check.Unguided, check.Annotated, check.Must} {
				if got := by[mode]; got.failing == 0 || got.redundant <= 5 {
					t.Errorf("%s: %d redundant tests, %d failing; want those of the verified paths too", check.ModeNames()[mode], got.redundant, got.failing)
				}
			}
		case "Account.DepositChecked":
			seen++
			for mode, got := range by {
				if got.failing == 0 {
					t.Errorf("%s finds no overflow", check.ModeNames()[mode])
				}
			}
		}
	})
	if seen != 2 {
		t.Errorf("%d of the examples are there", seen)
	}
}

// TestGuidanceFigures prints the comparison for docs/benchmarks.md.
func TestGuidanceFigures(t *testing.T) {
	if !*compareGuides {
		t.Skip("with -guidance")
	}
	dirs := []string{"../check/testdata/subjects"}
	if *figureDirs != "" {
		dirs = append(dirs, strings.Split(*figureDirs, ",")...)
	}
	var total, same [5]*tally
	for i := range total {
		total[i], same[i] = newTally(), newTally()
	}
	functions, equal, fewer, more := 0, 0, 0, 0
	for _, dir := range dirs {
		compared(t, dir, nil, *figurePaths, func(c comparison, target *load.Target, by []*tally) {
			functions++
			alike := true
			for mode, got := range by {
				total[mode].add(got)
				alike = alike && got.failing+got.nonRedundant == by[0].failing+by[0].nonRedundant
			}
			if alike {
				equal++
				for mode, got := range by {
					same[mode].add(got)
				}
			}
			if by[check.May].tests() < by[check.Annotated].tests() {
				fewer++
			}
			if by[check.May].tests() > by[check.Annotated].tests() {
				more++
			}
			for mode, got := range by {
				for _, place := range slices.Sorted(maps.Keys(got.broken)) {
					if !by[check.Annotated].broken[place] {
						t.Logf("%s has a failing test that annotated lacks: %s: %s", check.ModeNames()[mode], target, place)
					}
				}
				for _, place := range slices.Sorted(maps.Keys(by[check.Annotated].broken)) {
					if !got.broken[place] {
						t.Logf("%s lacks a failing test that annotated has: %s: %s", check.ModeNames()[mode], target, place)
					}
				}
			}
			line := target.String() + ":"
			for _, got := range by {
				line += fmt.Sprintf(" %d/%d/%d", got.failing, got.nonRedundant, got.redundant)
			}
			t.Log(line)
		})
	}
	t.Logf("%d functions; may makes fewer tests than annotated for %d and more for %d; all ways make as many non-redundant tests for %d", functions, fewer, more, equal)
	base := total[check.Annotated]
	for mode, got := range total {
		t.Logf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %.2f | %.2f |", check.ModeNames()[mode], got.tests(), got.failing, got.nonRedundant, got.redundant, got.unverified, got.pruned,
			len(got.covered), len(got.broken), got.time.Seconds(), same[mode].time.Seconds())
		t.Logf("%s against annotated: tests %+.1f %%, non-redundant (failing included) %+.1f %%, unverified executions %+.1f %%, failing %+.1f %%, time on %d functions %+.1f %%, bounds %v", check.ModeNames()[mode],
			change(got.tests(), base.tests()), change(got.failing+got.nonRedundant, base.failing+base.nonRedundant), change(got.unverified, base.unverified), change(got.failing, base.failing),
			equal, 100*(same[mode].time.Seconds()/same[check.Annotated].time.Seconds()-1), got.bounds)
	}
}

func change(n, base int) float64 { return 100 * (float64(n)/float64(max(base, 1)) - 1) }
