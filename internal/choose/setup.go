package choose

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"sync"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// attribution says which blocks count for which tests. A block counts for a test if a call of the test's own function
// can execute it. What only the calls before it execute is for the tests of those functions to show: otherwise a test
// keeps a long way to its object, because the way covers something.
//
// The maps are filled on demand, also by a choice by mutants that goes on when its time is over, beside its caller.
type attribution struct {
	ch      *chooser
	mu      sync.Mutex
	reached map[string]map[string]bool // the functions that a function may execute; nil for one that may execute any
	masks   map[string]testcase.Cover  // their blocks
	apart   map[string]bool            // by function, whether none that the run is about can execute it; nil until the first question
}

// reaches reports whether calls of a function can execute another one.
func (a *attribution) reaches(target, other string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.reachesLocked(target, other)
}

// reachesLocked does the same for who has locked the maps.
func (a *attribution) reachesLocked(target, other string) bool {
	reached, ok := a.reached[target]
	if !ok {
		if t := a.ch.Pkg.Target(target); t != nil && t.Func != nil {
			reached = a.withOptions(t, purity.Reached(a.ch.Pkg, t.Func))
		}
		a.reached[target] = reached
	}
	return reached == nil || reached[other]
}

// withOptions adds to what a function reaches the functions that make the options which it takes: it calls what they return.
func (a *attribution) withOptions(t *load.Target, reached map[string]bool) map[string]bool {
	if t.Obj == nil || reached == nil {
		return reached
	}
	option := optionOf(t.Obj.Signature())
	if option == nil || !usage.IsOption(a.ch.Pkg, option) {
		return reached
	}
	out := maps.Clone(reached)
	for _, maker := range a.ch.Pkg.Targets {
		if maker.Obj != nil && maker.Obj.Signature().Results().Len() == 1 && types.Identical(maker.Obj.Signature().Results().At(0).Type(), option) {
			out[maker.Name] = true
		}
	}
	return out
}

// isApart reports whether a run is about some functions of the package only, and none of them can execute the given
// function. Such a run is not asked to cover that function.
func (a *attribution) isApart(name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.apart == nil {
		a.apart = make(map[string]bool)
		restricted := slices.ContainsFunc(a.ch.Pkg.Targets, func(t *load.Target) bool { return t.Exported && !a.ch.InScope(t.Name) })
		for _, block := range a.ch.bench.Blocks() {
			a.apart[block.Func] = restricted && !slices.ContainsFunc(a.ch.Pkg.Targets, func(t *load.Target) bool { return a.ch.InScope(t.Name) && a.reachesLocked(t.Name, block.Func) })
		}
	}
	return a.apart[name]
}

// mask returns the blocks that calls of a function can execute.
func (a *attribution) mask(target string) testcase.Cover {
	a.mu.Lock()
	defer a.mu.Unlock()
	mask, ok := a.masks[target]
	if !ok {
		for b, block := range a.ch.bench.Blocks() {
			if a.reachesLocked(target, block.Func) {
				mask.Set(b)
			}
		}
		a.masks[target] = mask
	}
	return mask
}

// own returns the blocks that a test covers and that count for it: those that its call can execute, and those that calls behind
// it can, whose results the test asserts.
func (a *attribution) own(c *testcase.Case) testcase.Cover {
	mask := a.mask(c.Target)
	for i := c.TargetStmt() + 1; i < c.Seq.Len(); i++ {
		if f := c.Seq.At(i).Op.Func; f != nil && f.Pkg() == a.ch.Pkg.Types {
			mask = slices.Clone(mask)
			mask.Union(a.mask(testcase.TargetName(f)))
		}
	}
	out := slices.Clone(c.Observed.Cover)
	for i := range out {
		if i < len(mask) {
			out[i] &= mask[i]
		} else {
			out[i] = 0
		}
	}
	return out
}

// ownOf returns the blocks that count for any of these tests.
func (a *attribution) ownOf(tests []*testcase.Case) testcase.Cover {
	var out testcase.Cover
	for _, c := range tests {
		out.Union(a.own(c))
	}
	return out
}

// counting returns the blocks that count for a test among others: its own, and those that it covers and that count for none, but for
// those of functions which it calls before. The parameter all has the blocks that count for any test.
func (a *attribution) counting(c *testcase.Case, all testcase.Cover) testcase.Cover {
	out := a.own(c)
	for b, block := range a.ch.bench.Blocks() {
		if c.Observed.Cover.Has(b) && !all.Has(b) && !calls(c, block.Func, 0) {
			out.Set(b)
		}
	}
	return out
}

// addSetUp adds tests of functions that tests of other functions only call on the way to their objects: each such call
// that covers something that no test of its own covers becomes a test.
func (ch *chooser) addSetUp(ctx context.Context) error {
	var covered testcase.Cover
	for _, c := range ch.Tests {
		covered.Union(c.Observed.Cover)
	}
	own := ch.attribution.ownOf(ch.Tests)
	own.Union(ch.Existing)
	if covered.CountBeyond(own) == 0 {
		return nil
	}
	var cases []*testcase.Case
	var seqs []*testcase.Sequence
	seen := make(map[string]bool)
	for _, c := range ch.Tests {
		if c.Observed.Cover.CountBeyond(own) == 0 {
			continue
		}
		for i := range c.TargetStmt() {
			if d := ch.calledBefore(c, i); d != nil && !seen[d.Seq.Key()] {
				seen[d.Seq.Key()] = true
				cases, seqs = append(cases, d), append(seqs, d.Seq)
			}
		}
	}
	outcomes, err := ch.bench.Runner(true).Run(ctx, seqs)
	if err := ch.UnlessCut(err); err != nil {
		return fmt.Errorf("running calls of other tests: %w", err)
	}
	fit := ch.fit(cases, outcomes)
	slices.SortStableFunc(fit, func(a, b *testcase.Case) int { return a.Seq.Len() - b.Seq.Len() })
	for _, c := range fit {
		if mine := ch.attribution.own(c); mine.CountBeyond(own) > 0 {
			own.Union(mine)
			ch.Tests = append(ch.Tests, c)
		}
	}
	return nil
}

// calledBefore returns a case of the call that is statement i of another case, nil if it is no call of a function that
// is tested.
func (ch *chooser) calledBefore(c *testcase.Case, i int) *testcase.Case {
	op := c.Seq.At(i).Op
	if op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod || op.Via != nil || op.Func.Pkg() != ch.Pkg.Types {
		return nil
	}
	name := testcase.TargetName(op.Func)
	if t := ch.Pkg.Target(name); t == nil || t.Skip != "" || name == c.Target || !ch.InScope(name) || !ch.given.Exported[name] {
		return nil
	}
	return &testcase.Case{Package: c.Package, Target: name, Engine: c.Engine, Seq: c.Seq.Prefix(i + 1)}
}

// mostSwitched is how many tests of one function are tried with each setting of a switch.
const mostSwitched = 6

// turnSwitches adds the tests that come to another result when an exported switch of the package is turned on or off.
func (ch *chooser) turnSwitches(ctx context.Context) error {
	settings := purity.Settings(ch.Pkg)
	var from, variants []*testcase.Case
	tried := make(map[*types.Var]map[string]int)
	for _, c := range ch.Tests {
		for _, v := range settings[c.Target] {
			if purity.IsClock(v.Type()) || sets(c.Seq, v) {
				continue
			}
			if tried[v] == nil {
				tried[v] = make(map[string]int)
			}
			if tried[v][c.Target]++; tried[v][c.Target] > mostSwitched {
				continue
			}
			for _, on := range []bool{false, true} {
				d := c.Behind(purity.Set(v, on))
				d.Documented, d.Keep, d.Shows = "", false, nil // nobody speaks of the case with this setting
				from, variants = append(from, c), append(variants, d)
			}
		}
	}
	if err := ch.runAnew(ctx, variants); err != nil {
		return err
	}
	ch.Tests = slices.Clone(ch.Tests)
	for k, d := range variants {
		if d.Observed != from[k].Observed && d.Observed.Status == testcase.Returned && d.Observed.Violated == "" && !d.Unsteady() && !outcome.SameResults(from[k], d) {
			ch.Tests = append(ch.Tests, d)
		}
	}
	return nil
}

// stopClocks replaces the tests of functions that ask a clock which users of the package can set by tests for which the
// clock stands still. What the others show they show today only.
func (ch *chooser) stopClocks(ctx context.Context) error {
	settings := purity.Settings(ch.Pkg)
	var at []int
	var stopped []*testcase.Case
	for i, c := range ch.Tests {
		d := c
		for _, v := range settings[c.Target] {
			if purity.IsClock(v.Type()) && !sets(d.Seq, v) {
				d = d.Behind(purity.Set(v, true))
			}
		}
		if d != c {
			at, stopped = append(at, i), append(stopped, d)
		}
	}
	if err := ch.runAnew(ctx, stopped); err != nil {
		return err
	}
	ch.Tests = slices.Clone(ch.Tests)
	for k, d := range stopped {
		if c := ch.Tests[at[k]]; d.Observed != c.Observed && d.Observed.Status == c.Observed.Status && d.Observed.Violated == "" {
			ch.Tests[at[k]] = d
		}
	}
	return nil
}

// renewDefaults replaces tests that change a default object of the package by tests that put a new one in its place first.
// Others would find what they did to the old one, and so would they themselves in a second run.
func (ch *chooser) renewDefaults(ctx context.Context) error {
	var at []int
	var renewed []*testcase.Case
	for i, c := range ch.Tests {
		if d := ch.bench.Defaults().Renewed(c); d != c {
			at, renewed = append(at, i), append(renewed, d)
		}
	}
	if err := ch.runAnew(ctx, renewed); err != nil {
		return err
	}
	ch.Tests = slices.Clone(ch.Tests)
	for k, d := range renewed {
		if c := ch.Tests[at[k]]; d.Observed != c.Observed && d.Observed.Status == c.Observed.Status && d.Observed.Violated == "" {
			ch.Tests[at[k]] = d
		}
	}
	return nil
}

// runAnew runs cases whose sequences are new, and notes the outcomes of those that ran.
func (ch *chooser) runAnew(ctx context.Context, cases []*testcase.Case) error {
	seqs := make([]*testcase.Sequence, len(cases))
	for i, c := range cases {
		seqs[i] = c.Seq
	}
	outcomes, err := ch.bench.Proposals(true).Run(ctx, seqs)
	if err := ch.UnlessCut(err); err != nil {
		return fmt.Errorf("setting variables: %w", err)
	}
	for i, o := range outcomes {
		if o != nil {
			cases[i].Observed = o
		}
	}
	return nil
}

// sets reports whether a sequence assigns to a variable.
func sets(s *testcase.Sequence, v *types.Var) bool {
	for i := range s.Len() {
		if op := s.At(i).Op; op.Kind == testcase.OpSetGlobal && op.Var == v {
			return true
		}
	}
	return false
}
