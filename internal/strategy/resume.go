package strategy

import (
	"context"
	"fmt"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/testcase"
)

// Resumed is what an earlier run has found, which this one goes on from.
type Resumed struct {
	Cases []*testcase.Case // they have not run
	// Round is the number of runs that went on from an earlier one so far. Each has another seed, because with the same
	// one the random engine would take the same ways again.
	Round int
}

// resumeEarlier runs the cases of the earlier run. The engines then look for what these do not cover, and the random
// engine starts from their values.
func (e *exploration) resumeEarlier(ctx context.Context) error {
	cases := e.inScope(e.cfg.Resumed.Cases)
	if len(cases) == 0 {
		return nil
	}
	seqs := make([]*testcase.Sequence, len(cases))
	for i, c := range cases {
		seqs[i] = c.Seq
	}
	outcomes, err := e.bench.Runner(true).Run(ctx, seqs)
	if e.UnlessCut(err) != nil {
		return fmt.Errorf("running what an earlier run has found: %w", err)
	}
	for i, c := range cases {
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status == testcase.NotRun {
			continue // its names are not there any more, or there was no time
		}
		c.Observed = outcomes[i]
		finding.MarkBroken(e.Rules, []*testcase.Sequence{c.Seq}, []*testcase.Outcome{c.Observed})
		e.resumed = append(e.resumed, c)
	}
	e.first = append(e.first, e.resumed...)
	e.bench.NoteCover(&e.cover, e.resumed)
	e.Debug("stages", "%s: explore: %d of %d cases of the earlier run, %d of %d blocks and outcomes reached", e.Pkg.Path,
		len(e.resumed), len(e.cfg.Resumed.Cases), e.cover.Count(), len(e.bench.Blocks()))
	return nil
}
