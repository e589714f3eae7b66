package choose

import (
	"context"
	"fmt"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/testcase"
)

// confirm runs the selection twice more. It drops tests that end differently now, and findings that do
// not show again.
func (ch *chooser) confirm(ctx context.Context) error {
	if err := ch.UnlessCut(ch.dropSpoilers(ctx)); err != nil {
		return fmt.Errorf("looking at variables: %w", err)
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
	ch.Tests = ch.confirmedTests(outcomes)
	var findings []*testcase.Finding
	for i, f := range ch.Findings {
		var o *testcase.Outcome
		if at[i] >= 0 {
			o = ranAt(outcomes, at[i])
		}
		if f = ch.confirmedFinding(f, o); f != nil {
			findings = append(findings, f)
		}
	}
	ch.Findings = findings
	return nil
}

// ranAt returns the outcome of a sequence, or nil if there was no time to run the sequence.
func ranAt(outcomes []*testcase.Outcome, i int) *testcase.Outcome {
	if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status == testcase.NotRun {
		return nil
	}
	return outcomes[i]
}

// confirmedTests returns the tests that are still fit to be tests after the new run.
func (ch *chooser) confirmedTests(outcomes []*testcase.Outcome) []*testcase.Case {
	var tests []*testcase.Case
	for i, c := range ch.Tests {
		o := ranAt(outcomes, i)
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
			tests = append(tests, &d)
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
		if o.Unstable || now == nil || now.Kind != f.Kind {
			ch.Events.Send(event.Diagnostic{Pos: f.Pos, Message: fmt.Sprintf("%s %s, but not every time: not reported", f.Func, f.Message), Warning: true})
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
