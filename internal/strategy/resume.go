package strategy

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/testcase"
)

// Resumed is what an earlier run has found, which this one goes on from.
type Resumed struct {
	Cases []*testcase.Case // they have not run
	// Round is the number of runs that went on from an earlier one so far. Each has another seed, because with the same
	// one the random engine would take the same ways again.
	Round int
	// Spent is what each phase of the round before gained, if there was one.
	Spent []Spent
}

// Spent is what a phase has gained in its time.
type Spent struct {
	Phase  string
	Gained int // blocks and outcomes that were not reached before
	Took   time.Duration
}

// leastWidth and mostWidth bound how many times its usual share of the time a phase gets in a round, before all shares
// are made to fit.
const (
	leastWidth = 1. / 2
	mostWidth  = 2
)

// divide gives phases the shares of a round that follows another one: in proportion to what each gained there for its time,
// within bounds. An engine that found nothing may find something from what others have found meanwhile, so that each keeps
// a part. Where no phase gained anything, nothing is known, and all keep their shares.
func divide(phases []phase, spent []Spent) []phase {
	gained, took := 0, time.Duration(0)
	of := make(map[string]Spent)
	for _, s := range spent {
		gained, took = gained+s.Gained, took+s.Took
		of[s.Phase] = s
	}
	if gained == 0 || took <= 0 {
		return phases
	}
	mean := float64(gained) / took.Seconds()
	widths := make([]float64, len(phases))
	sum, until := 0., 0
	for i, p := range phases {
		widths[i] = float64(p.until - until)
		until = p.until
		if s, ok := of[p.name]; ok && s.Took > 0 {
			widths[i] *= min(max(float64(s.Gained)/s.Took.Seconds()/mean, leastWidth), mostWidth)
		}
		sum += widths[i]
	}
	out := slices.Clone(phases)
	end := 0.
	for i, w := range widths {
		end += w
		out[i].until = int(math.Round(100 * end / sum))
	}
	return out
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
