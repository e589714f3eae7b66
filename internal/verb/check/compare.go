package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/testcase"
)

// This file compares the ways to guide. It explores each exported function in all five ways, within the same
// bounds, and counts the tests by what they show. Nothing is run natively, because only the explorations are
// compared.

// comparisonBudget bounds the exploration of a function in a comparison.
func comparisonBudget() symbolic.Budget {
	return symbolic.Budget{Paths: 30, Cases: 1 << 30, Instructions: 500_000, Queries: 1_000, Effort: 1_000_000, Query: 100_000}
}

// Compare reports for each function that cfg names the results of each way to guide, and the sums. It
// runs nothing natively and writes nothing.
func Compare(ctx context.Context, cfg session.Config, how Config) (session.Result, error) {
	sum, verb := newSums(), session.Verb{Name: "check", RunsNothing: true}
	report, err := useFacts(ctx, &cfg, &how, &verb)
	if err != nil {
		return session.Result{}, err
	}
	verb.Do = func(s *session.Session) error {
		report(s)
		here := newSums()
		err := newComparison(s, how).each(func(target *load.Target, by []*tally) {
			here.add(by)
			for mode, t := range by {
				s.Events.Send(t.event(s.Pkg.Path, target.String(), guide.Mode(mode)))
			}
		})
		here.send(s.Pkg.Path, s.Events.Send)
		sum.include(here)
		s.Summary.Functions = event.Count(here.functions)
		if s.Ctx.Err() == context.DeadlineExceeded {
			s.TimedOut("not every function was compared")
		}
		return err
	}
	res, err := session.Each(ctx, cfg, verb)
	if sum.packages > 1 && cfg.Events != nil {
		sum.send("", cfg.Events)
	}
	return res, err
}

// tally is the result of one way to guide for some functions.
type tally struct {
	runs       event.TestKinds // every path that ends is a test
	suite      event.TestKinds // tests that cover something new, in the code or among unverified assertions
	pruned     int             // paths that were ended early
	covered    map[string]bool // assertions whose premises some test violates
	broken     map[string]bool // assertions that some test breaks
	prefixes   map[uint64]bool
	unverified int // unverified executions, by the decisions before their last unverified assertion
	bounds     map[string]int
	time       time.Duration
	ran        []guidedTest // the tests that are not redundant
}

// guidedTest is a test that meets an assertion whose premise does not hold, or fails.
type guidedTest struct {
	call  string
	shows string // the decisions before the last assertion whose premise does not hold, all such assertions, and what fails
}

func newTally() *tally {
	return &tally{covered: map[string]bool{}, broken: map[string]bool{}, prefixes: map[uint64]bool{}, bounds: map[string]int{}}
}

func (a *tally) add(b *tally) {
	addKinds(&a.runs, b.runs)
	addKinds(&a.suite, b.suite)
	a.pruned += b.pruned
	a.time += b.time
	a.unverified += b.unverified
	maps.Copy(a.covered, b.covered)
	maps.Copy(a.broken, b.broken)
	for k, n := range b.bounds {
		a.bounds[k] += n
	}
}

func addKinds(s *event.TestKinds, t event.TestKinds) {
	s.Failing += t.Failing
	s.NonRedundant += t.NonRedundant
	s.Redundant += t.Redundant
}

// event returns the tally in the form that users see.
func (a *tally) event(pkg, fn string, mode guide.Mode) event.Guided {
	return event.Guided{
		Package: pkg, Func: fn, Guide: guide.ModeNames()[mode], Tests: a.runs, Suite: a.suite, Unverified: a.unverified, Pruned: a.pruned,
		Broken: slices.Sorted(maps.Keys(a.broken)), Bounds: a.bounds, CPUS: a.time.Seconds(),
	}
}

// note counts a path's case.
func (a *tally) note(c *comparison, k *testcase.Case) {
	var one event.TestKinds
	failing := k.Stop == "assert" || strings.HasPrefix(k.Stop, "assert:") || k.Stop == "panic" && (k.Predicted == nil || k.Predicted.Panic == nil || k.Predicted.Panic.Kind != "explicit")
	switch {
	case failing:
		one.Failing = 1
	case len(k.Checked.Met) > 0:
		one.NonRedundant = 1
	default:
		one.Redundant = 1
	}
	addKinds(&a.runs, one)
	if len(k.Checked.Met) > 0 && !a.prefixes[k.Checked.Prefix] {
		a.prefixes[k.Checked.Prefix] = true
		a.unverified++
	}
	if failing || len(k.Checked.Met) > 0 {
		a.ran = append(a.ran, c.guided(k, failing))
	}
	before := len(a.covered) + len(a.broken)
	for _, ref := range k.Checked.Met {
		a.covered[c.place(ref)] = true
	}
	if failing && k.Checked.Violated != nil {
		a.broken[c.place(*k.Checked.Violated)] = true
	}
	if k.Checked.New || len(a.covered)+len(a.broken) > before {
		addKinds(&a.suite, one)
	}
}

// guided says what a test shows of assertions that are not verified.
func (c *comparison) guided(k *testcase.Case, failing bool) guidedTest {
	t := guidedTest{call: k.Seq.String(), shows: fmt.Sprintf("%x", k.Checked.Prefix)}
	for _, ref := range k.Checked.Met {
		t.shows += "; " + c.place(ref)
	}
	if failing {
		t.shows += "; fails"
		if k.Checked.Violated != nil {
			t.shows += " at " + c.place(*k.Checked.Violated)
		}
	}
	return t
}

// nonRedundant returns how many tests of a tally are not redundant, including failing ones.
func (a *tally) nonRedundant() int { return a.runs.Failing + a.runs.NonRedundant }

// sums has the tallies of several functions, by mode.
type sums struct {
	by        []*tally
	alike     []*tally // for the functions for which all ways make the same number of tests that are not redundant
	functions int
	same      int // how many functions are in alike
	packages  int
}

func newSums() *sums {
	s := &sums{}
	for range guide.ModeNames() {
		s.by, s.alike = append(s.by, newTally()), append(s.alike, newTally())
	}
	return s
}

// add adds a function's tallies.
func (s *sums) add(by []*tally) {
	s.functions++
	same := allEqual(by, (*tally).nonRedundant)
	if same {
		s.same++
	}
	for mode, t := range by {
		s.by[mode].add(t)
		if same {
			s.alike[mode].add(t)
		}
	}
}

// include adds the sums of a package.
func (s *sums) include(t *sums) {
	s.packages++
	s.functions += t.functions
	s.same += t.same
	for mode := range s.by {
		s.by[mode].add(t.by[mode])
		s.alike[mode].add(t.alike[mode])
	}
}

// send reports the sums of a package, or of all packages.
func (s *sums) send(pkg string, send func(event.Event)) {
	for mode, t := range s.by {
		e := t.event(pkg, "", guide.Mode(mode))
		e.Functions, e.Alike, e.AlikeCPUS, e.Broken = s.functions, s.same, s.alike[mode].time.Seconds(), nil
		send(e)
	}
}

// allEqual reports whether n is the same for all ways.
func allEqual(by []*tally, n func(*tally) int) bool {
	return !slices.ContainsFunc(by, func(a *tally) bool { return n(a) != n(by[0]) })
}

// comparison runs the analysis on a package and then each function under all five ways.
type comparison struct{ *checker }

func newComparison(s *session.Session, how Config) *comparison {
	return &comparison{newChecker(s, how)}
}

// each compares the ways on each exported function, one function after the other, so that times are those of
// the function.
func (c *comparison) each(done func(target *load.Target, by []*tally)) error {
	c.analyse()
	for _, target := range c.exported {
		if c.byFunc[target.Func.String()] == nil {
			continue
		}
		var by []*tally
		for mode := guide.Unguided; mode <= guide.Both; mode++ {
			t, err := c.timed(target, mode)
			if err != nil {
				return err
			}
			by = append(by, t)
		}
		if c.Ctx.Err() != nil {
			return nil
		}
		done(target, by)
	}
	return nil
}

// timed explores a function twice in one way. The tests are the same both times. The shorter time counts,
// because the first exploration of a function also makes data that later ones use.
func (c *comparison) timed(target *load.Target, mode guide.Mode) (*tally, error) {
	first, err := c.once(target, mode)
	if err != nil || c.Ctx.Err() != nil {
		return first, err
	}
	again, err := c.once(target, mode)
	if err != nil {
		return nil, err
	}
	first.time = min(first.time, again.time)
	return first, nil
}

// once explores a function under one way.
func (c *comparison) once(target *load.Target, mode guide.Mode) (*tally, error) {
	u := c.byFunc[target.Func.String()]
	out := newTally()
	guided := guide.For(u.fn, c.functions(), mode, u.fn.Contract, c.cfg.interrupts())
	start := cpuTime()
	res, err := symbolic.Run(c.Ctx, symbolic.Subject{Prog: c.Prog, Pkg: c.Pkg, Target: target}, symbolic.Config{
		Seed: c.Config.Seed, Guide: guided, All: true, Direct: true, Budget: c.cfg.Bounds.OrElse(comparisonBudget()),
	}, func(k *testcase.Case) bool {
		out.note(c, k)
		return true
	})
	out.time = cpuTime() - start
	if err != nil {
		return nil, err
	}
	out.pruned = res.Stops["pruned"] + res.Stops["verified"]
	if res.Bound != "" {
		out.bounds[strings.TrimLeft(res.Bound, "0123456789 ")]++
	}
	for _, s := range []string{"solver", "budget", "stack", "memory"} {
		if n := res.Stops[s]; n > 0 {
			out.bounds["path: "+s] += n
		}
	}
	return out, nil
}

// place names an assertion.
func (c *comparison) place(ref testcase.AssertionRef) string {
	u := c.byFunc[ref.Func]
	return strings.TrimPrefix(u.places[ref.Index].String(), c.Pkg.Dir+"/") + " (" + u.fn.Assertions[ref.Index].Text + ")"
}
