package strategy

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/schedule"
	"github.com/goassay/assay/internal/testcase"
)

// Resumed is what an earlier run has found, which this one goes on from.
type Resumed struct {
	Cases []*testcase.Case // they have not run
	// Learnt is what the earlier run knew besides.
	Learnt Learnt
	// Weights changes the part of the time that each engine has, by its name; nil changes nothing.
	Weights map[string]float64
	// Round is the number of runs that went on from an earlier one so far. Each has another seed, because with the same
	// one the random engine would take the same ways again.
	Round int
}

// Learnt is what a run over a package leaves to a later one, besides its cases and sequences.
type Learnt struct {
	// Pool has sequences of the random engine's pool, one for each value that no other makes. They were not observed.
	Pool []*testcase.Case
	// Accepted are the constants that functions have accepted: what the random engine has learnt of their grammar.
	Accepted []random.Accepted
	// Open and Done are the frontier of the symbolic engine: the functions of which paths are left to follow or that it has
	// not begun with, and those of which it has followed all. It holds for the same code only.
	Open, Done []string
	// Followed identifies the cases whose decisions were taken the other way.
	Followed []uint64
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
	followed := make(map[uint64]bool)
	for _, d := range e.cfg.Resumed.Learnt.Followed {
		followed[d] = true
	}
	for i, c := range cases {
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status == testcase.NotRun {
			continue // its names are not there any more, or there was no time
		}
		c.Observed = outcomes[i]
		finding.MarkBroken(e.Rules, []*testcase.Sequence{c.Seq}, []*testcase.Outcome{c.Observed})
		e.resumed = append(e.resumed, c)
		if followed[digest(c.Seq)] {
			e.flipped[c] = true
		}
	}
	e.first = append(e.first, e.resumed...)
	e.bench.NoteCover(&e.cover, e.resumed)
	e.Debug("stages", "%s: explore: %d of %d cases of the earlier run, %d of %d blocks and outcomes reached", e.Pkg.Path,
		len(e.resumed), len(e.cfg.Resumed.Cases), e.cover.Count(), len(e.bench.Blocks()))
	return nil
}

// open returns the functions that are worth exploring: not those of which an earlier run has followed all paths, if a case
// of it is there. The same paths would be found again.
func (e *exploration) open(targets []*load.Target) []*load.Target {
	done := e.cfg.Resumed.Learnt.Done
	if len(done) == 0 {
		return targets
	}
	return slices.DeleteFunc(slices.Clone(targets), func(t *load.Target) bool {
		return slices.Contains(done, t.Name) && slices.ContainsFunc(e.resumed, func(c *testcase.Case) bool { return c.Target == t.Name })
	})
}

// noteExplored notes of which functions the symbolic engine has followed all paths.
func (e *exploration) noteExplored(xs []engine.Explored) {
	for _, x := range xs {
		r := x.Report
		e.complete[x.Target] = x.Err == nil && !r.Cut && r.Skip == "" && len(r.Excluded) == 0
	}
}

// noteFrontier notes which functions the symbolic engine is done with, which are open, and which cases were followed.
func (e *exploration) noteFrontier() {
	if e.engineNamed("symbolic") == nil {
		return
	}
	open := make(map[string]bool) // instances of a generic function share a name
	targets := slices.Concat(e.cfg.Exported, e.cfg.Inside)
	for _, t := range targets {
		done, explored := e.complete[t]
		if !explored {
			done = slices.Contains(e.cfg.Resumed.Learnt.Done, t.Name)
		}
		open[t.Name] = open[t.Name] || !done
	}
	l := &e.Learnt
	for _, name := range slices.Sorted(maps.Keys(open)) {
		if open[name] {
			l.Open = append(l.Open, name)
		} else {
			l.Done = append(l.Done, name)
		}
	}
	for c := range e.flipped {
		l.Followed = append(l.Followed, digest(c.Seq))
	}
	slices.Sort(l.Followed)
	l.Followed = slices.Compact(l.Followed)
}

// digest identifies a sequence in another process.
func digest(s *testcase.Sequence) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s.Dump())) // never fails
	return h.Sum64()
}

// noting does a part of a phase's work, and notes what its engine reached first and in what time.
func (e *exploration) noting(p phase, work func() error) error {
	before, began := e.cover.Count(), time.Now()
	err := work()
	if p.engine == "" {
		return err
	}
	i := slices.IndexFunc(e.Engines, func(o schedule.EngineOutcome) bool { return o.Engine == p.engine })
	if i < 0 {
		i = len(e.Engines)
		e.Engines = append(e.Engines, schedule.EngineOutcome{Engine: p.engine})
	}
	e.Engines[i].Gained += max(0, e.cover.Count()-before)
	e.Engines[i].Took += time.Since(began)
	return err
}

// untilWith returns when each phase ends, in percent of the whole time, if the parts of the engines are weighted.
func untilWith(phases []phase, weights map[string]float64) []int {
	weight := func(p phase) float64 {
		if w, ok := weights[p.engine]; ok {
			return w
		}
		return 1
	}
	parts := make([]float64, len(phases))
	sum, before := 0., 0
	for i, p := range phases {
		parts[i] = float64(p.until-before) * weight(p)
		sum, before = sum+parts[i], max(before, p.until)
	}
	until := make([]int, len(phases))
	so := 0.
	for i, p := range phases {
		if so += parts[i]; len(weights) == 0 {
			until[i] = p.until
		} else {
			until[i] = int(100*so/sum + 0.5)
		}
	}
	return until
}
