package choose

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"time"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of how often tests run whose function chance decides.
const (
	mostDraws    = 5000 // of one test
	drawsAtATime = 250
	drawShare    = 10 // the part of the time left that they may take, all together
)

// drawOften runs tests of functions that chance may decide many times more, and marks in their outcomes what ever differs.
// These are functions that ask for random numbers, and those of which a case did not end alike twice. Two runs may be alike
// by chance: of random characters, for example, most are no valid ones, and all of these are shown as the same character.
func (ch *chooser) drawOften(ctx context.Context, seqs []*testcase.Sequence, outcomes []*testcase.Outcome) error {
	decides := make(map[string]bool)
	for _, c := range slices.Concat(ch.given.Ran, ch.Tests) {
		if c.Observed != nil && c.Observed.Status == testcase.Returned && c.Observed.Unsteady(c.TargetStmt()) {
			decides[c.Target] = true
		}
	}
	for _, t := range ch.Pkg.Targets {
		decides[t.Name] = decides[t.Name] || t.Func != nil && purity.Draws(t.Func)
	}
	var at []int
	for i, c := range ch.Tests {
		if o := outcome.RanAt(outcomes, i); decides[c.Target] && o != nil && o.Status == testcase.Returned && !o.Unstable {
			at = append(at, i)
		}
	}
	if at == nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))/drawShare)
	defer cancel()
	for draws := 0; draws < mostDraws && limited.Err() == nil; draws += drawsAtATime {
		var part []*testcase.Sequence
		var of []int
		for _, i := range at {
			if outcomes[i].Unstable {
				continue
			}
			for range drawsAtATime {
				part, of = append(part, seqs[i]), append(of, i)
			}
		}
		drawn, err := ch.bench.RunInRow(limited, part, false)
		for k, o := range drawn {
			if o != nil && o.Status != testcase.NotRun {
				native.Merge(outcomes[of[k]], o)
			}
		}
		if err != nil {
			if limited.Err() != nil && ctx.Err() == nil {
				return nil // the rest of the time is for other things
			}
			return err
		}
	}
	return nil
}

// confirm runs the selection twice more. It drops tests that end differently now, and findings that do
// not show again.
func (ch *chooser) confirm(ctx context.Context) error {
	if err := ch.UnlessCut(ch.dropSpoilers(ctx)); err != nil {
		return fmt.Errorf("looking at variables: %w", err)
	}
	if err := ch.UnlessCut(ch.dropInvalid(ctx)); err != nil {
		return fmt.Errorf("asking objects whether they are valid: %w", err)
	}
	var seqs []*testcase.Sequence
	for _, c := range ch.Tests {
		seqs = append(seqs, c.Seq)
	}
	at := make([]int, len(ch.Findings)) // where the finding stands in the list of sequences
	for i, f := range ch.Findings {
		at[i] = -1
		if !f.Case.Observed.Exhausted() { // an endless case takes long, and its written test will be run anyway
			at[i] = len(seqs)
			seqs = append(seqs, f.Case.Seq)
		}
	}
	outcomes, err := ch.bench.Runner(true).Run(ctx, seqs)
	if err := ch.UnlessCut(err); err != nil {
		return fmt.Errorf("running cases again: %w", err)
	}
	if err := ch.UnlessCut(ch.bench.RunMixed(ctx, seqs[:len(ch.Tests)], outcomes)); err != nil {
		return fmt.Errorf("running cases after one another: %w", err)
	}
	if err := ch.UnlessCut(ch.drawOften(ctx, seqs[:len(ch.Tests)], outcomes)); err != nil {
		return fmt.Errorf("running calls that chance decides: %w", err)
	}
	if err := ch.UnlessCut(ch.panicApart(ctx, at, outcomes)); err != nil {
		return fmt.Errorf("running findings by themselves: %w", err)
	}
	ch.Tests = ch.confirmedTests(outcomes)
	var findings []*testcase.Finding
	for i, f := range ch.Findings {
		var o *testcase.Outcome
		if at[i] >= 0 {
			o = outcome.RanAt(outcomes, at[i])
		}
		if f = ch.confirmedFinding(f, o); f != nil {
			findings = append(findings, f)
		}
	}
	ch.Findings = findings
	return nil
}

// panicApart runs the panics among the findings once more, each in a process of its own, and marks those that do not show there. A
// variable that a sequence has changed by way of another package, like an atomic.Value, is none that package purity sees, so
// that the sequence has left it behind for others.
func (ch *chooser) panicApart(ctx context.Context, at []int, outcomes []*testcase.Outcome) error {
	var seqs []*testcase.Sequence
	var of []*testcase.Outcome
	for i, f := range ch.Findings {
		if at[i] < 0 || f.Severity == testcase.Misuse {
			continue
		}
		if o := outcome.RanAt(outcomes, at[i]); o != nil && o.Status == testcase.Panicked {
			seqs, of = append(seqs, f.Case.Seq), append(of, o)
		}
	}
	if len(seqs) == 0 || ch.bench == nil {
		return nil
	}
	apart, err := ch.bench.RunApart(ctx, seqs)
	for i, o := range apart {
		if o != nil && o.Status != testcase.NotRun {
			native.Merge(of[i], o)
		}
	}
	return err
}

// dropInvalid drops tests of calls on objects that the tests write out and that are not valid, and findings about calls with any
// such input: nothing is promised of these.
func (ch *chooser) dropInvalid(ctx context.Context) error {
	invalid, err := ch.onInvalid(ctx, slices.Concat(ch.Tests, ch.given.Tests, ch.given.Spare), false)
	for _, list := range []*[]*testcase.Case{&ch.Tests, &ch.given.Tests, &ch.given.Spare} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(c *testcase.Case) bool { return invalid[c] })
	}
	if err != nil {
		return err
	}
	cases := make([]*testcase.Case, len(ch.Findings))
	for i, f := range ch.Findings {
		cases[i] = f.Case
	}
	invalid, err = ch.onInvalid(ctx, cases, true)
	ch.Findings = slices.DeleteFunc(ch.Findings, func(f *testcase.Finding) bool { return invalid[f.Case] })
	return err
}

// onInvalid returns those cases whose call gets an object that the case writes out and that is not valid (see [finding.OnInvalid]).
func (ch *chooser) onInvalid(ctx context.Context, cases []*testcase.Case, all bool) (map[*testcase.Case]bool, error) {
	return finding.OnInvalid(ch.Pkg, cases, all, func(seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
		return ch.bench.Proposals(false).Run(ctx, seqs)
	})
}

// validOnes returns the cases that are not on invalid objects.
func (ch *chooser) validOnes(ctx context.Context, cases []*testcase.Case) ([]*testcase.Case, error) {
	invalid, err := ch.onInvalid(ctx, cases, false)
	if len(invalid) == 0 {
		return cases, ch.UnlessCut(err)
	}
	return slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return invalid[c] }), ch.UnlessCut(err)
}

// confirmedTests returns the tests that are still fit to be tests after the new run.
func (ch *chooser) confirmedTests(outcomes []*testcase.Outcome) []*testcase.Case {
	var tests []*testcase.Case
	for i, c := range ch.Tests {
		o := outcome.RanAt(outcomes, i)
		if o == nil {
			tests = append(tests, c) // there was no time to run the test again; the final go test decides
			continue
		}
		if o.Status == testcase.Panicked && ch.bench.Stateful() && ch.bench.Sets(c.Seq) {
			continue // where the call panics depends on earlier calls, and the panic may leave locks held
		}
		d := *c
		d.Observed = o
		if unfit, _ := ch.bench.Judge.Case(&d); unfit == "" {
			tests = append(tests, outcome.WithoutVain(&d))
		}
	}
	return tests
}

// confirmedFinding returns a finding with the outcome that its written test will show, or nil if the
// finding did not show again. A finding that was not run again is kept as it is.
func (ch *chooser) confirmedFinding(f *testcase.Finding, o *testcase.Outcome) *testcase.Finding {
	if o != nil {
		d := *f.Case
		d.Observed = o
		now := finding.Of(ch.Rules, &d)
		if o.Wavers || now == nil || now.Kind != f.Kind {
			why := ", but not every time: not reported"
			if ch.bench.Stateful() && !o.Wavers {
				why = " where other calls have changed variables of the package, and no test shows that by itself: not reported"
			}
			ch.Events.Send(event.Diagnostic{Pos: f.Pos, Message: f.Func + " " + f.Message + why, Warning: true})
			return nil
		}
		e := *f
		e.Case = &d
		f = finding.WithoutQuestion(&e)
	}
	if short := finding.EndingAtBreak(ch.Pkg, f.Case); short != f.Case {
		e := *f
		e.Case = short
		f = &e
	}
	return f
}

// A variable like `var Zero = New(0)` looks like a value and is a pointer. If a test changes the object
// behind the pointer through a method, no analysis of the package's functions sees the change, and every
// later test starts from another state.

// dropSpoilers drops the tests that leave a package-level variable with another value, unless a test puts the
// value back.
func (ch *chooser) dropSpoilers(ctx context.Context) error {
	var seqs []*testcase.Sequence
	for _, c := range ch.Tests {
		seqs = append(seqs, c.Seq)
	}
	spoils, err := ch.spoilers(ctx, seqs)
	ch.Debug("stages", "%s: %d of %d tests leave a variable changed", ch.Pkg.Path, len(spoils), len(seqs))
	var kept []*testcase.Case
	for i, c := range ch.Tests {
		if !spoils[i] {
			kept = append(kept, c)
		}
	}
	ch.Tests = kept
	return err
}

// spoilers returns which of the sequences leave a package-level variable changed that other sequences use,
// although they call no function whose purpose is to set the variable. The value of the variable is read
// after each sequence.
func (ch *chooser) spoilers(ctx context.Context, seqs []*testcase.Sequence) (map[int]bool, error) {
	var looks []*testcase.Sequence
	seen := make(map[*types.Var]bool)
	for _, s := range seqs {
		for i := range s.Len() {
			op := s.At(i).Op
			if op.Kind != testcase.OpGlobal || seen[op.Var] || op.Var.Pkg() != ch.Pkg.Types || !finding.MayRefer(op.Var.Type()) {
				continue
			}
			seen[op.Var] = true
			looks = append(looks, testcase.NewSequence(testcase.Statement{Op: op}))
		}
	}
	if looks == nil {
		return nil, nil
	}
	// The values are read twice first, because a variable that changes when it is read tells nothing.
	var part []*testcase.Sequence
	part = append(append(part, looks...), looks...)
	var at []int
	for i, s := range seqs {
		if ch.bench.Sets(s) {
			continue // the test of this sequence puts the variable back
		}
		at = append(at, i)
		part = append(append(part, s), looks...)
	}
	outcomes, err := ch.bench.RunInRow(ctx, part, false)
	value := func(i int) (testcase.Value, bool) {
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status != testcase.Returned || len(outcomes[i].Results) != 1 || len(outcomes[i].Results[0]) != 1 {
			return testcase.Value{}, false
		}
		return outcomes[i].Results[0][0], true
	}
	out := make(map[int]bool)
	for k := range looks {
		before, ok := value(k)
		again, ok2 := value(len(looks) + k)
		if !ok || !ok2 || !before.Equal(again) {
			continue
		}
		for n, i := range at {
			after, ok := value(2*len(looks) + n*(1+len(looks)) + 1 + k)
			if !ok {
				continue
			}
			if !after.Equal(before) {
				out[i] = true
			}
			before = after
		}
	}
	return out, err
}
