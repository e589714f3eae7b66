package campaign

import (
	"context"
	"fmt"
	"slices"

	"github.com/goassay/assay/internal/choose"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/strategy"
	"github.com/goassay/assay/internal/testcase"
)

// unreduced returns a selection of all tests and findings.
func unreduced(v verdicts) choose.Selection {
	return choose.Selection{Tests: v.tests, Findings: v.findings}
}

// reduce has package choose say which tests are worth writing.
func (g *gen) reduce(scope scope, bench *workbench, found strategy.Finds, judged verdicts) (choose.Selection, error) {
	g.Summary.Redundant = event.Count(0)
	if bench == nil {
		return unreduced(judged), nil
	}
	divided := g.times(bench).knowing(judged.tests, bench.Changes)
	ctx, cancel := divided.reduce()
	defer cancel()
	given := choose.Given{
		Tests: judged.tests, Findings: judged.findings, Spare: found.Spare, Ran: found.Cases(),
		Exported: make(map[string]bool), Disputed: judged.disputed, MaxTests: g.cfg.MaxTests,
		Confirming: func() (context.Context, context.CancelFunc) { return divided.confirm() },
		Broken: func(ctx context.Context, tests []*testcase.Case) ([]*testcase.Finding, error) {
			return g.askTests(ctx, bench, tests)
		},
	}
	for _, t := range scope.exported {
		given.Exported[t.Name] = true
	}
	given.Existing, given.ExistingFiles = bench.existing.Count(ctx, g.Session, bench.Blocks())
	if !g.cfg.NoMutants {
		mutants := g.mutantConfig(bench, given.ExistingFiles)
		if bench.Stateful() {
			// Cases that leave the package's variables alone are judged as in any package. Hand-written tests
			// may change the variables, so each mutant would need processes of its own, and the tests are
			// left out.
			mutants.Changes, mutants.Suite, mutants.MaxMutants = bench.Changes, nil, maxMutants
		}
		given.Mutants = &mutants
	}
	chosen, err := choose.Tests(ctx, g.Session, bench.Bench, given)
	g.Summary.Redundant = &chosen.Redundant
	g.ReportUnreachable(bench.Blocks(), reachedBy(found, chosen, given.Existing))
	if err != nil {
		return chosen, err
	}
	asking, stop := divided.confirm()
	defer stop()
	whole, broken, err := g.withoutBroken(asking, bench, chosen.Tests)
	if g.UnlessCut(err) != nil {
		return chosen, fmt.Errorf("asking objects of tests whether they are valid: %w", err)
	}
	instead := inPlaceOfBroken(chosen.Tests, whole, judged.tests)
	more, err := g.forLostStatements(asking, bench, chosen.Tests, slices.Concat(whole, instead), judged.tests)
	if err == nil {
		instead, _, err = g.withoutBroken(asking, bench, slices.Concat(instead, more))
	}
	if g.UnlessCut(err) != nil {
		return chosen, fmt.Errorf("asking objects of tests whether they are valid: %w", err)
	}
	chosen.Tests = append(whole, instead...)
	for _, f := range broken {
		if !slices.ContainsFunc(chosen.Findings, func(o *testcase.Finding) bool { return o.Func == f.Func && o.Kind == f.Kind }) &&
			!finding.LeadsTo(g.Rules, f, chosen.Findings) {
			chosen.Findings = append(chosen.Findings, f)
		}
	}
	return chosen, nil
}

// reachedBy returns the blocks for which nobody is told that assumptions exclude them. The engines' calls come to them, or tests by
// hand, or the tests and findings: choosing makes further calls, which lead objects to states that no engine had them in.
func reachedBy(found strategy.Finds, chosen choose.Selection, existing testcase.Cover) testcase.Cover {
	reached := slices.Clone(found.Natural)
	reached.Union(existing)
	reached.Union(testcase.CoverOf(chosen.Tests))
	for _, f := range chosen.Findings {
		reached.Union(testcase.CoverOf([]*testcase.Case{f.Case}))
	}
	return reached
}

// inPlaceOfBroken returns a case as an engine made it for each function that has lost all its tests: only with the values and
// calls that the tests have got since did a call break an object, or came to what a finding disputes. For a predicate it does
// so for each answer that no test is left for.
func inPlaceOfBroken(all, left, cases []*testcase.Case) []*testcase.Case {
	shown := func(c *testcase.Case) string {
		if !finding.AsksInvariant(c.Seq) || c.Observed == nil {
			return c.Target
		}
		return fmt.Sprint(c.Target, finding.SaysBroken(c.Seq, c.Observed))
	}
	tested := make(map[string]bool)
	for _, c := range left {
		tested[shown(c)] = true
	}
	var instead []*testcase.Case
	for _, lost := range all {
		if tested[shown(lost)] {
			continue
		}
		tested[shown(lost)] = true
		if best := shortestUnbroken(cases, func(c *testcase.Case) bool { return shown(c) == shown(lost) }); best != nil {
			instead = append(instead, best)
		}
	}
	return instead
}

// shortestUnbroken returns the shortest of the cases that returned and fit, and in which no call broke the object that a predicate is asked about.
func shortestUnbroken(cases []*testcase.Case, fits func(*testcase.Case) bool) (best *testcase.Case) {
	for _, c := range cases {
		if c.Observed.Status == testcase.Returned && !brokeIt(c) && fits(c) && (best == nil || c.Seq.Len() < best.Seq.Len()) {
			best = c
		}
	}
	return best
}

// forLostStatements returns cases as an engine made them for the statements that a function's own cases execute and that only tests executed which
// were lost, because a call in them breaks an object. No case counts that is passed an object which is not valid, as a zero value may be:
// nothing is promised of it.
func (g *gen) forLostStatements(ctx context.Context, bench *workbench, all, left, cases []*testcase.Case) ([]*testcase.Case, error) {
	was, is := testcase.CoverOf(all), testcase.CoverOf(left)
	var lost []int
	for b, block := range bench.Blocks() {
		if block.Stmts > 0 && was.Has(b) && !is.Has(b) {
			lost = append(lost, b)
		}
	}
	if len(lost) == 0 {
		return nil, nil
	}
	invalid, err := finding.OnInvalid(g.Pkg, cases, true, func(seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
		return bench.Proposals(false).Run(ctx, seqs)
	})
	var instead []*testcase.Case
	for _, b := range lost {
		if is.Has(b) {
			continue
		}
		best := shortestUnbroken(cases, func(c *testcase.Case) bool {
			return c.Target == bench.Blocks()[b].Func && c.Observed.Cover.Has(b) && !invalid[c] && !finding.OnZero(g.Pkg, c)
		})
		if best != nil {
			instead = append(instead, best)
			is.Union(best.Observed.Cover)
		}
	}
	return instead, err
}

// brokeIt reports whether a case ends with a predicate that says of an object that went through calls that it is broken. A
// finding may say so; a test would hold the code to the defect.
func brokeIt(c *testcase.Case) bool {
	if !finding.AsksInvariant(c.Seq) || !finding.SaysBroken(c.Seq, c.Observed) {
		return false
	}
	for i := range c.Seq.Len() - 1 {
		if c.Seq.At(i).Op.IsCall() {
			return true
		}
	}
	return false
}
