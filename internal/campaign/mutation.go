package campaign

import (
	"context"
	"fmt"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// The most mutants that are looked at, taken evenly over the source. Where the package
// changes its own variables each costs processes of its own, some ten milliseconds each.
const (
	maxMutants         = 1500
	maxStatefulMutants = 200
)

func (g *gen) mutants(suite []native.TestFile) mutate.Config {
	cfg := mutate.Config{
		Suite: suite, Funcs: g.underTest(), Stateful: g.anyChanges, Tags: g.cfg.Tags, Confine: g.cfg.Confine, MaxMutants: maxMutants,
	}
	if g.anyChanges {
		cfg.MaxMutants = maxStatefulMutants
	}
	return cfg
}

// mutate tells how many mutants of the functions under test the suite kills, together
// with the hand-written tests if they count. It comes
// after writing and changes nothing. It costs about as much as building the harness did,
// and where the time for that is over, or it takes more than a third of all that there
// is, there is no score, and no complaint.
func (g *gen) mutate() error {
	if g.cfg.NoMutants || g.suite == nil || !g.suite.verified || g.interrupted.Err() != nil {
		return nil
	}
	const margin = 200 * time.Millisecond
	ctx, cancel := context.WithTimeout(g.interrupted, min(time.Until(g.deadline)-margin, g.cfg.timeout()/3))
	defer cancel()
	err := g.score(ctx)
	if ctx.Err() != nil {
		g.partial.Store(true)
		g.debug("mutants", "%s: no time for mutants", g.pkg.Path)
		return nil
	}
	return err
}

// score builds the mutants and runs the suite.
func (g *gen) score(ctx context.Context) error {
	suite := g.counted()
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
	if g.stands != nil {
		suite = g.counted()
		for _, t := range g.allTests(g.suite) {
			suite = append(suite, native.TestFile{Path: t.path, Content: t.content, Tests: t.names})
		}
	}
	if len(suite) == 0 {
		return nil // the tests that there are were left as they are
	}
	cfg := g.mutants(suite)
	if g.stands != nil {
		cfg.Funcs = nil // the score is of everything
	}
	a, err := mutate.Build(ctx, g.prog, g.pkg, cfg)
	if err != nil {
		return err
	}
	defer a.Close() // what is left of it is temporary
	verdicts, err := a.Suite(ctx, mutate.Options{})
	if err != nil {
		return err
	}
	s := mutate.Sum(verdicts)
	g.summary.Mutants, g.summary.Killed = event.Count(s.Mutants), event.Count(s.Killed)
	g.summary.SetMutation()
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

// noticed returns a function that names the mutants that each case notices and no
// earlier one does. An engine chooses by it; Config.NoMutants is about the score alone, so
// that it changes nothing of what is written.
func (g *gen) noticed() func(context.Context, []*testcase.Case) ([][]string, error) {
	return func(ctx context.Context, cases []*testcase.Case) ([][]string, error) {
		a, err := mutate.Build(ctx, g.prog, g.pkg, g.mutants(nil))
		if err != nil {
			return nil, err
		}
		defer a.Close() // what is left of it is temporary
		verdicts, err := a.Cases(ctx, cases, mutate.Options{})
		if err != nil {
			return nil, err
		}
		out := make([][]string, len(cases))
		for id, v := range verdicts {
			if len(v.By) > 0 {
				out[v.By[0]] = append(out[v.By[0]], fmt.Sprintf("mutant %d", id+1))
			}
		}
		return out, nil
	}
}

// underTest says of which functions mutants count: those that the run is about.
func (g *gen) underTest() func(string) bool {
	if !g.partly() {
		return nil
	}
	return g.about
}
