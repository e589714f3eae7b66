package choose

import (
	"context"
	"fmt"
	"slices"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// Given is what a selection is made of.
type Given struct {
	Tests    []*testcase.Case    // cases that ended well
	Findings []*testcase.Finding // one for each defect
	Spare    []*testcase.Case    // cases that cover nothing new and were not observed
	Ran      []*testcase.Case    // every case of the exploration: names are proved against them

	Exported map[string]bool // the names of the functions that users of the package call
	// Existing is what the hand-written tests cover, nil if they do not count, and
	// ExistingFiles are their files.
	Existing      testcase.Cover
	ExistingFiles []native.TestFile

	MaxTests int            // of one function; 0 is no bound of its own
	Mutants  *mutate.Config // which mutants to choose by, nil for none
	// Confirming returns the context in which the selection is run once more: what is not run
	// again may assert what changes from run to run, so there is time for it which the rest of the
	// work does not get.
	Confirming func() (context.Context, context.CancelFunc)
}

// Selection is what becomes of the cases in the end: the tests that are worth writing, and
// what is known of them.
type Selection struct {
	Tests    []*testcase.Case
	Findings []*testcase.Finding
	Kills    map[*testcase.Sequence][]int // which mutants tests kill, where that was asked
	// Existing is what the hand-written tests cover, nil if they do not count, and
	// ExistingFiles are their files.
	Existing      testcase.Cover
	ExistingFiles []native.TestFile
	// Calls are executed calls, by target, with what observers said: names of tests are proved
	// against them. ReadsOnly reports whether a call changes nothing that outlives it.
	Calls     map[string][]words.Call
	ReadsOnly func(*testcase.Operation) bool
	// Why are the reasons why each test is kept: what it alone shows, in words.
	Why map[*testcase.Sequence][]string
	// Redundant is how many of the given tests were dropped because others show as much.
	Redundant int
}

// chooser makes a selection.
type chooser struct {
	*session.Session
	bench *session.Bench
	given Given
	how   reduce.Config
	parts *realParts
	Selection
}

// Tests drops cases that show nothing new, shortens the others and what reproduces findings,
// adds what notices mutants, and runs what is left once more in another process: what depends
// on anything but the code and its inputs is not asserted. On an error the selection is what
// there was by then.
func Tests(ctx context.Context, s *session.Session, bench *session.Bench, given Given) (Selection, error) {
	ch := &chooser{Session: s, bench: bench, given: given, Selection: Selection{
		Tests: given.Tests, Findings: given.Findings, Existing: given.Existing, ExistingFiles: given.ExistingFiles,
	}}
	ch.ReadsOnly = pureCalls(ch.Pkg, purity.NewPurity(ch.Prog))
	ch.how = ch.reduction()
	givers, err := giver.New(s.Prog, s.Pkg)
	if err != nil {
		s.Warn("%v", err)
	}
	ch.parts = &realParts{pkg: s.Pkg, givers: givers}
	if err := ch.unwrapMust(ctx); err != nil {
		return ch.Selection, err
	}
	stats, err := ch.dropRedundant(ctx)
	if err != nil {
		return ch.Selection, err
	}
	if err := ch.collectIterators(ctx); err != nil {
		return ch.Selection, err
	}
	if err := ch.addKillers(ctx); err != nil {
		// There are tests without it.
		ch.MarkPartial()
		ch.Warn("choosing tests by mutants: %v", err)
	}
	ch.Redundant = len(given.Tests) - len(ch.Tests)
	ch.Debug("stages", "%s: reduced %d cases to %d, %d to %d statements, in %d runs", ch.Pkg.Path,
		len(given.Tests), len(ch.Tests), stats.Statements[0], stats.Statements[1], stats.Runs)
	if err := ch.shortenFindings(ctx); err != nil {
		return ch.Selection, err
	}
	ctx, stop := given.Confirming()
	defer stop()
	return ch.Selection, ch.confirm(ctx)
}

// reduction returns what the reducer is told.
func (ch *chooser) reduction() reduce.Config {
	cfg := reduce.Config{
		MaxTests: ch.given.MaxTests, Pure: ch.ReadsOnly,
		Split:     func(target string) bool { return ch.given.Exported[target] },
		HandBuilt: ch.handBuilt,
		Covered:   ch.Existing,
	}
	if ch.bench.Stateful() {
		cfg.MaxRuns = maxStatefulRuns
	}
	return cfg
}

// handBuilt reports whether a case has an object that users of the package do not come by: written
// field by field, or the zero value of what a function makes for them.
func (ch *chooser) handBuilt(c *testcase.Case) bool {
	return finding.HandBuilt(ch.Pkg, c) || finding.Unmade(ch.Rules, c)
}

// dropRedundant drops the cases that cover and show nothing new, and shortens the others.
func (ch *chooser) dropRedundant(ctx context.Context) (stats reduce.Stats, err error) {
	err = ch.RunOrLeave(ctx, func() (func(), error) {
		tests, st, err := reduce.Cases(ctx, ch.given.Tests, ch.bench.Runner(false), ch.how)
		return func() { ch.Tests, stats = tests, st }, err
	})
	if err != nil {
		err = fmt.Errorf("reducing tests: %w", err)
	}
	return stats, err
}

// shortenFindings makes the cases of findings as short as they get. What is shorter must not be
// easier to excuse: where there was an object and is a nil now, the longer one stays.
func (ch *chooser) shortenFindings(ctx context.Context) error {
	original := slices.Clone(ch.Findings)
	shortened := ch.Findings
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
	ch.Findings = shortened
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
