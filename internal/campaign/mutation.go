package campaign

import (
	"context"
	"time"

	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/native"
)

// mutate tells how many mutants of the functions under test the suite kills. It comes
// after writing and changes nothing, so what is written never depends on it. It costs
// about as much as building the harness did, and where the time for that is over there
// is no score, and no complaint.
func (g *gen) mutate() error {
	if g.cfg.NoMutants || g.suite == nil || !g.suite.verified || g.interrupted.Err() != nil {
		return nil
	}
	const margin = 200 * time.Millisecond
	ctx, cancel := context.WithDeadline(g.interrupted, g.deadline.Add(-margin))
	defer cancel()
	err := g.score(ctx)
	if ctx.Err() != nil {
		g.debug("mutants", "%s: no time for mutants", g.pkg.Path)
		return nil
	}
	return err
}

// score builds the mutants and runs the suite.
func (g *gen) score(ctx context.Context) error {
	var suite []native.TestFile
	for _, f := range g.suite.files {
		tf := native.TestFile{Path: f.Path, Content: f.Content}
		for _, t := range f.Tests {
			if t.Bug == nil {
				tf.Tests = append(tf.Tests, t.Name)
			}
		}
		if len(tf.Tests) > 0 {
			suite = append(suite, tf)
		}
	}
	if len(suite) == 0 {
		return nil // the tests that there are were left as they are
	}
	a, err := mutate.Build(ctx, g.prog, g.pkg, mutate.Config{
		Suite: suite, Funcs: g.underTest(), Stateful: g.anyChanges, Tags: g.cfg.Tags, Unsafe: g.cfg.Unsafe,
	})
	if err != nil {
		return err
	}
	defer a.Close() // what is left of it is temporary
	verdicts, err := a.Suite(ctx, mutate.Options{})
	if err != nil {
		return err
	}
	s := mutate.Sum(verdicts)
	g.summary.Mutants, g.summary.Killed = count(s.Mutants), count(s.Killed)
	g.summary.setMutation()
	for _, v := range verdicts {
		m := v.Mutant
		m.Pos.Filename = base(m.Pos.Filename)
		switch {
		case v.Run && !v.Covered:
			g.debug("mutants", "%s: not reached", m)
		case v.Run && !v.Killed:
			g.debug("mutants", "%s: survives", m)
		}
	}
	return nil
}

// underTest says of which functions mutants count: with -run, of those it matches.
func (g *gen) underTest() func(string) bool {
	if g.cfg.Run == nil {
		return nil
	}
	return g.cfg.Run.MatchString
}
