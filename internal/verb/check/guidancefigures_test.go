package check

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/load"
)

// compareGuides has TestGuidanceFigures compare the ways to guide on the subjects of package
// check and on further packages; see docs/check.md.
var (
	compareGuides    = flag.Bool("guidance", false, "compare the five ways to guide tests")
	figureDirs       = flag.String("figure-dirs", "", "directories of further packages for -guidance, comma-separated")
	figurePaths      = flag.Int("figure-paths", 30, "for -guidance: bound on the paths of a function")
	figureInterrupts = flag.Int("figure-interrupts", interruptsPerUnit, "for -guidance: bound on the interrupts of a function")
)

// totals are the tallies of a comparison, by mode.
type totals [guide.Both + 1]*tally

func newTotals() (t totals) {
	for i := range t {
		t[i] = newTally()
	}
	return t
}

func (t totals) add(by []*tally) {
	for mode, got := range by {
		t[mode].add(got)
	}
}

// TestGuidanceFigures prints the comparison for docs/benchmarks.md.
func TestGuidanceFigures(t *testing.T) {
	if !*compareGuides {
		t.Skip("a measurement that takes an hour: run with -guidance; TestGuidanceOfDeposit compares the same ways on one example")
	}
	dirs := []string{"../../check/testdata/subjects"}
	if *figureDirs != "" {
		dirs = append(dirs, strings.Split(*figureDirs, ",")...)
	}
	total, sameRuns, sameSuite := newTotals(), newTotals(), newTotals()
	functions, alikeRuns, alikeSuite, fewer, more := 0, 0, 0, 0, 0
	for _, dir := range dirs {
		compared(t, dir, nil, limits{*figurePaths, *figureInterrupts, 1}, func(_ comparison, target *load.Target, by []*tally) {
			functions++
			total.add(by)
			if alike(by, func(a *tally) int { return a.runs.failing + a.runs.nonRedundant }) {
				alikeRuns++
				sameRuns.add(by)
			}
			if alike(by, func(a *tally) int { return a.suite.failing + a.suite.nonRedundant }) {
				alikeSuite++
				sameSuite.add(by)
			}
			if by[guide.May].runs.tests() < by[guide.Annotated].runs.tests() {
				fewer++
			}
			if by[guide.May].runs.tests() > by[guide.Annotated].runs.tests() {
				more++
			}
			lacking(t, target, by)
			line := target.String() + ":"
			for _, got := range by {
				line += fmt.Sprintf(" %d/%d/%d (%d/%d/%d) %d %.2fs", got.runs.failing, got.runs.nonRedundant, got.runs.redundant,
					got.suite.failing, got.suite.nonRedundant, got.suite.redundant, got.unverified, got.time.Seconds())
			}
			t.Log(line)
		})
	}
	t.Logf("%d functions; may makes fewer tests than annotated for %d and more for %d", functions, fewer, more)
	t.Logf("all ways make as many non-redundant tests for %d of them, of those that cover something new for %d", alikeRuns, alikeSuite)
	base := total[guide.Annotated]
	for mode, got := range total {
		name := guide.ModeNames()[mode]
		for _, s := range []struct {
			what      string
			got, base kinds
			same      totals
		}{{"runs", got.runs, base.runs, sameRuns}, {"suite", got.suite, base.suite, sameSuite}} {
			time, baseTime := s.same[mode].time.Seconds(), s.same[guide.Annotated].time.Seconds()
			t.Logf("| %s | `%s` | %d | %d | %d | %d | %.1f | %.1f |", s.what, name, s.got.tests(), s.got.failing, s.got.nonRedundant, s.got.redundant, got.time.Seconds(), time)
			t.Logf("%s of %s against annotated: tests %s, non-redundant (failing included) %s, failing %s, time where alike %+.1f %%", s.what, name,
				change(s.got.tests(), s.base.tests()), change(s.got.failing+s.got.nonRedundant, s.base.failing+s.base.nonRedundant), change(s.got.failing, s.base.failing), 100*(time/baseTime-1))
		}
		t.Logf("%s: %d unverified executions (%s), %d pruned paths, %d assertions covered, %d broken, bounds %v", name,
			got.unverified, change(got.unverified, base.unverified), got.pruned, len(got.covered), len(got.broken), got.bounds)
	}
}

// alike reports whether all ways come to the same number.
func alike(by []*tally, n func(*tally) int) bool {
	return !slices.ContainsFunc(by, func(a *tally) bool { return n(a) != n(by[0]) })
}

// lacking prints the findings that one way has and annotated lacks, and the other way
// round.
func lacking(t *testing.T, target *load.Target, by []*tally) {
	base := by[guide.Annotated].broken
	for mode, got := range by {
		for _, place := range slices.Sorted(maps.Keys(got.broken)) {
			if !base[place] {
				t.Logf("%s has a failing test that annotated lacks: %s: %s", guide.ModeNames()[mode], target, place)
			}
		}
		for _, place := range slices.Sorted(maps.Keys(base)) {
			if !got.broken[place] {
				t.Logf("%s lacks a failing test that annotated has: %s: %s", guide.ModeNames()[mode], target, place)
			}
		}
	}
}

func change(n, base int) string {
	return fmt.Sprintf("%+.1f %%", 100*(float64(n)/float64(max(base, 1))-1))
}
