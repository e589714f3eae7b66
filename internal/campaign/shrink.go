package campaign

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// reduce drops cases that show nothing new, shortens the others and what reproduces
// findings, and runs what is left once more in another process: what depends on
// anything but the code and its inputs is not asserted.
func (g *gen) reduce() error {
	redundant := 0
	g.summary.Redundant = &redundant
	if g.harness == nil {
		return nil
	}
	ctx, cancel := g.shrinking()
	defer cancel()
	exported := make(map[string]bool)
	for _, t := range g.exported {
		exported[t.Name] = true
	}
	g.readsOnly = g.pure(purity.NewPurity(g.prog))
	cfg := reduce.Config{
		MaxTests: g.cfg.MaxTests, Pure: g.readsOnly,
		Split:   func(target string) bool { return exported[target] },
		Planted: func(c *testcase.Case) bool { return finding.HandBuilt(g.pkg, c) },
	}

	if g.anyChanges {
		cfg.MaxRuns = maxStatefulRuns
	}
	g.before = g.counts(ctx)
	cfg.Covered = g.before
	before := len(g.tests)
	cases := g.tests
	var stats reduce.Stats
	err := g.within(ctx, func() (func(), error) {
		tests, st, err := reduce.Cases(ctx, cases, g.runner(false), cfg)
		return func() { g.tests, stats = tests, st }, err
	})
	if err != nil {
		return fmt.Errorf("reducing tests: %w", err)
	}
	if err := g.addKillers(ctx, cases, cfg); err != nil {
		// There are tests without it.
		g.partial.Store(true)
		g.events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: choosing tests by mutants: %v", g.pkg.Path, err), Warning: true})
	}
	redundant = before - len(g.tests)
	if err := g.addCollected(ctx); err != nil {
		return err
	}
	g.debug("stages", "%s: reduced %d cases to %d, %d to %d statements, in %d runs", g.pkg.Path,
		before, len(g.tests), stats.Statements[0], stats.Statements[1], stats.Runs)

	original := slices.Clone(g.findings)
	findings := g.findings
	err = g.within(ctx, func() (func(), error) {
		shorter, _, err := reduce.Findings(ctx, original, g.runner(false), cfg)
		return func() { findings = shorter }, err
	})
	if err != nil {
		return fmt.Errorf("reducing findings: %w", err)
	}
	for i, f := range findings {
		finding.Grade(g.rules, finding.EndingAtBreak(g.pkg, f.Case), f)
		// What is shorter must not be easier to excuse: a nil where there was an object.
		for _, o := range original {
			if o.Cause == f.Cause && o.Severity.Rank() < f.Severity.Rank() {
				findings[i] = o
			}
		}
	}
	g.findings = findings
	// What is not run again may state what changes from run to run, and it takes round after
	// round of go test to find out: so there is time for this that the reducer does not get.
	again, stop := g.observing()
	defer stop()
	return g.again(again)
}

// maxStatefulRuns bounds the runs of the reducer where cases change variables of the package:
// each takes a process, some ten milliseconds.
const maxStatefulRuns = 800

// pure says of calls in sequences whether they change nothing. A method that changes
// its receiver is told apart from one that only reads it by the analysis, not by name.
func (g *gen) pure(p *purity.Purity) func(*testcase.Operation) bool {
	return func(op *testcase.Operation) bool {
		if op.Func == nil {
			return false
		}
		for _, t := range g.pkg.Targets {
			if t.Obj == op.Func.Origin() && (len(op.TypeArgs) == 0 || slices.EqualFunc(t.TypeArgs, op.TypeArgs, types.Identical)) {
				return p.Pure(t.Func)
			}
		}
		return false
	}
}

// again runs what is left twice. Tests that end differently go; findings that do not
// show again are none.
func (g *gen) again(ctx context.Context) error {
	if err := g.unlessCut(g.dropSpoilers(ctx)); err != nil {
		return fmt.Errorf("looking at variables: %w", err)
	}
	var seqs []*testcase.Sequence
	for _, c := range g.tests {
		seqs = append(seqs, c.Seq)
	}
	at := make([]int, len(g.findings)) // where a finding is among them
	for i, f := range g.findings {
		at[i] = -1
		if !exhausts(f.Case.Observed) { // what does not end takes long, and its test will be run
			at[i] = len(seqs)
			seqs = append(seqs, f.Case.Seq)
		}
	}
	outcomes, err := g.runner(true).Run(ctx, seqs)
	if err := g.unlessCut(err); err != nil {
		return fmt.Errorf("running cases again: %w", err)
	}
	if err := g.unlessCut(g.mix(ctx, seqs[:len(g.tests)], outcomes)); err != nil {
		return fmt.Errorf("running cases after one another: %w", err)
	}
	ran := func(i int) *testcase.Outcome {
		if i < 0 || i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status == testcase.NotRun {
			return nil
		}
		return outcomes[i]
	}
	var tests []*testcase.Case
	for i, c := range g.tests {
		o := ran(i)
		if o == nil {
			tests = append(tests, c) // no time; go test will tell
			continue
		}
		if o.Status == testcase.Panicked && g.anyChanges && g.sets(c.Seq) {
			continue // where it panics depends on the state that it finds, and locks may stay held
		}
		d := *c
		d.Observed = o
		if verdict, _ := g.judging().Case(&d); verdict == "" {
			tests = append(tests, &d)
		}
	}
	var findings []*testcase.Finding
	for i, f := range g.findings {
		o := ran(at[i])
		if o != nil {
			d := *f.Case
			d.Observed = o
			again := finding.Of(g.rules, &d)
			if o.Unstable || again == nil || again.Kind != f.Kind {
				g.events.Send(event.Diagnostic{Pos: f.Pos, Message: fmt.Sprintf("%s %s, but not every time: not reported", f.Func, f.Message), Warning: true})
				continue
			}
			e := *f
			e.Case = &d
			f = finding.WithoutQuestion(&e)
		}
		if short := finding.EndingAtBreak(g.pkg, f.Case); short != f.Case {
			e := *f
			e.Case = short
			f = &e
		}
		findings = append(findings, f)
	}
	g.tests, g.findings = tests, findings
	return nil
}

func exhausts(o *testcase.Outcome) bool { return o != nil && o.Exhausted() }

// shrinking returns the context of reduction, which leaves time for go test.
func (g *gen) shrinking() (context.Context, context.CancelFunc) {
	reserve := g.verifying()
	if g.anyChanges {
		reserve += g.cfg.timeout() / 10 // see observing
	}
	reserve = min(reserve, time.Until(g.deadline)*2/3)
	return context.WithDeadline(context.WithoutCancel(g.interrupted), g.deadline.Add(-reserve))
}

// observing returns the context in which what is left is run once more: it leaves time to
// verify.
func (g *gen) observing() (context.Context, context.CancelFunc) {
	reserve := min(g.verifying(), time.Until(g.deadline)*3/4)
	return context.WithDeadline(context.WithoutCancel(g.interrupted), g.deadline.Add(-reserve))
}

// within runs f, and what f returns to be done with its results. If f does not notice
// in time that ctx has ended, it is left behind and its results with it. The error is
// f's, unless it only says that a context has ended.
func (g *gen) within(ctx context.Context, f func() (use func(), err error)) error {
	type answer struct {
		use func()
		err error
	}
	answers := make(chan answer, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				answers <- answer{func() {}, g.bug("the reducer", p)}
			}
		}()
		use, err := f()
		answers <- answer{use, err}
	}()
	var a answer
	select {
	case a = <-answers:
	case <-ctx.Done():
		select {
		case a = <-answers:
		case <-time.After(grace):
			g.partial.Store(true)
			return nil
		}
	}
	if err := g.unlessCut(a.err); err != nil {
		return err
	}
	a.use()
	return nil
}

// unlessCut drops the error that says that a context ended: what is there counts.
func (r *run) unlessCut(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		r.partial.Store(true)
		return nil
	}
	return err
}
