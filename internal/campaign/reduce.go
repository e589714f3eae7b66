package campaign

import (
	"context"
	"fmt"
	"slices"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// selection is what becomes of the cases in the end: the tests that are worth writing, and
// what is known of them.
type selection struct {
	verdicts
	kills map[*testcase.Sequence][]int // which mutants tests kill, where that was asked
	// existing is what the hand-written tests cover, nil if they do not count, and
	// existingFiles are their files.
	existing      testcase.Cover
	existingFiles []native.TestFile
	// calls are executed calls, by target, with what observers said: names of tests are proved
	// against them. readsOnly reports whether a call changes nothing that outlives it.
	calls     map[string][]words.Call
	readsOnly func(*testcase.Operation) bool
}

// chooser makes a selection.
type chooser struct {
	*gen
	bench    *workbench
	explored []engine.Explored
	exported map[string]bool  // functions that users call
	cases    []*testcase.Case // the tests before anything was dropped
	spare    []*testcase.Case // cases that cover nothing new and were not observed
	how      reduce.Config
	selection
}

// reduce drops cases that show nothing new, shortens the others and what reproduces
// findings, and runs what is left once more in another process: what depends on
// anything but the code and its inputs is not asserted.
func (g *gen) reduce(scope scope, bench *workbench, found finds, judged verdicts) (selection, error) {
	redundant := 0
	g.Summary.Redundant = &redundant
	ch := &chooser{gen: g, bench: bench, explored: found.explored, cases: judged.tests, spare: found.spare, selection: selection{verdicts: judged}}
	if bench == nil {
		return ch.selection, nil
	}
	ctx, cancel := g.times(bench).reduce()
	defer cancel()
	ch.countExisting(ctx)
	ch.how = ch.config(scope)
	stats, err := ch.dropRedundant(ctx)
	if err != nil {
		return ch.selection, err
	}
	if err := ch.collectIterators(ctx); err != nil {
		return ch.selection, err
	}
	if err := ch.addKillers(ctx); err != nil {
		// There are tests without it.
		g.MarkPartial()
		g.Warn("choosing tests by mutants: %v", err)
	}
	redundant = len(ch.cases) - len(ch.tests)
	g.Debug("stages", "%s: reduced %d cases to %d, %d to %d statements, in %d runs", g.Pkg.Path,
		len(ch.cases), len(ch.tests), stats.Statements[0], stats.Statements[1], stats.Runs)
	if err := ch.shortenFindings(ctx); err != nil {
		return ch.selection, err
	}
	// What is not run again may state what changes from run to run, and it takes round after
	// round of go test to find out: so there is time for this that the reducer does not get.
	ctx, stop := g.times(bench).confirm()
	defer stop()
	return ch.selection, ch.confirm(ctx)
}

// config notes which functions users call and which calls only read, and returns what the
// reducer is told.
func (ch *chooser) config(scope scope) reduce.Config {
	ch.exported = make(map[string]bool)
	for _, t := range scope.exported {
		ch.exported[t.Name] = true
	}
	ch.readsOnly = pureCalls(ch.Pkg, purity.NewPurity(ch.Prog))
	cfg := reduce.Config{
		MaxTests: ch.cfg.MaxTests, Pure: ch.readsOnly,
		Split:     func(target string) bool { return ch.exported[target] },
		HandBuilt: func(k *testcase.Case) bool { return finding.HandBuilt(ch.Pkg, k) },
		Covered:   ch.existing,
	}
	if ch.bench.Stateful() {
		cfg.MaxRuns = maxStatefulRuns
	}
	return cfg
}

// dropRedundant drops the cases that cover and show nothing new, and shortens the others.
func (ch *chooser) dropRedundant(ctx context.Context) (stats reduce.Stats, err error) {
	err = ch.RunOrLeave(ctx, func() (func(), error) {
		tests, st, err := reduce.Cases(ctx, ch.cases, ch.bench.Runner(false), ch.how)
		return func() { ch.tests, stats = tests, st }, err
	})
	if err != nil {
		err = fmt.Errorf("reducing tests: %w", err)
	}
	return stats, err
}

// shortenFindings makes the cases of findings as short as they get. What is shorter must not be
// easier to excuse: where there was an object and is a nil now, the longer one stays.
func (ch *chooser) shortenFindings(ctx context.Context) error {
	original := slices.Clone(ch.findings)
	shortened := ch.findings
	err := ch.RunOrLeave(ctx, func() (func(), error) {
		shorter, _, err := reduce.Findings(ctx, original, ch.bench.Runner(false), ch.how)
		return func() { shortened = shorter }, err
	})
	if err != nil {
		return fmt.Errorf("reducing findings: %w", err)
	}
	for i, f := range shortened {
		finding.Grade(ch.Rules, finding.EndingAtBreak(ch.Pkg, f.Case), f)
		for _, o := range original {
			if o.Cause == f.Cause && o.Severity.Rank() < f.Severity.Rank() {
				shortened[i] = o
			}
		}
	}
	ch.findings = shortened
	return nil
}

// maxStatefulRuns bounds the runs of the reducer where cases change variables of the package:
// each takes a process, some ten milliseconds.
const maxStatefulRuns = 800

// pureCalls says of calls in sequences whether they change nothing. A method that changes
// its receiver is told apart from one that only reads it by the analysis, not by name.
func pureCalls(pkg *load.Package, p *purity.Purity) func(*testcase.Operation) bool {
	return func(op *testcase.Operation) bool {
		if op.Func == nil {
			return false
		}
		t := pkg.FirstTargetOf(op.Func)
		if len(op.TypeArgs) > 0 {
			t = pkg.TargetOf(op.Func, op.TypeArgs)
		}
		return t != nil && p.Pure(t.Func)
	}
}
