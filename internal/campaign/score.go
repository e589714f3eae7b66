package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/goassay/assay/internal/campaign/verify"
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

// mutantConfig says which mutants are planted, and which tests come with them.
func (g *gen) mutantConfig(bench *workbench, suite []native.TestFile) mutate.Config {
	cfg := mutate.Config{
		Suite: suite, Funcs: g.underTest(), Stateful: bench.Stateful(), Tags: g.cfg.Tags, Confine: g.Config.Confine, MaxMutants: maxMutants,
	}
	if bench.Stateful() {
		cfg.MaxMutants = maxStatefulMutants
	}
	return cfg
}

// mutate tells how many mutants of the functions under test the suite kills, together
// with the hand-written tests if they count. It comes
// after writing and changes nothing. It costs about as much as building the harness did,
// and where the time for that is over, or it takes more than a third of all that there
// is, there is no score, and no complaint.
func (g *gen) mutate(scope scope, bench *workbench, suite *verify.Suite) error {
	if g.cfg.NoMutants || !suite.Verified || g.User.Err() != nil {
		return nil
	}
	const margin = 200 * time.Millisecond
	ctx, cancel := context.WithTimeout(g.User, min(time.Until(g.Deadline)-margin, g.Config.Bound()/3))
	defer cancel()
	err := g.score(ctx, scope, bench, suite)
	if ctx.Err() != nil {
		g.MarkPartial()
		g.Debug("mutants", "%s: no time for mutants", g.Pkg.Path)
		return nil
	}
	return err
}

// score builds the mutants and runs the suite.
func (g *gen) score(ctx context.Context, scope scope, bench *workbench, suite *verify.Suite) error {
	tests := g.scoredTests(scope, suite)
	if len(tests) == 0 {
		return nil // the tests that there are were left as they are
	}
	cfg := g.mutantConfig(bench, tests)
	if g.standing != nil {
		cfg.Funcs = nil // the score is of everything
	}
	a, err := mutate.Build(ctx, g.Prog, g.Pkg, cfg)
	if err != nil {
		return err
	}
	defer a.Close() // what is left of it is temporary
	verdicts, err := a.Suite(ctx, mutate.Options{})
	if err != nil {
		return err
	}
	s := mutate.Sum(verdicts)
	g.Summary.Mutants, g.Summary.Killed = event.Count(s.Mutants), event.Count(s.Killed)
	g.Summary.SetMutation()
	g.announceMutants(a, verdicts)
	for _, v := range verdicts {
		m := v.Mutant
		m.Pos.Filename = filepath.Base(m.Pos.Filename)
		switch {
		case v.Run && !v.Covered:
			g.Debug("mutants", "%s: not reached", m)
		case v.Run && !v.Killed:
			g.Debug("mutants", "%s: survives", m)
		}
	}
	return nil
}

// scoredTests are the tests that the score is of: those of the suite, with those that stay
// where only part of the package was done again, and the hand-written ones if they count.
func (g *gen) scoredTests(scope scope, suite *verify.Suite) []native.TestFile {
	out := slices.Clone(suite.ExistingFiles)
	if g.standing != nil {
		return append(out, suite.AllTests(scope.earlier)...)
	}
	for _, f := range suite.Files {
		tf := native.TestFile{Path: f.Path, Content: f.Content}
		for _, t := range f.Tests {
			if t.Bug == nil {
				tf.Tests = append(tf.Tests, t.Name)
			}
		}
		if len(tf.Tests) > 0 {
			out = append(out, tf)
		}
	}
	return out
}

// mutantsNoticed returns a function that names the mutants that each case notices and no
// earlier one does. An engine chooses by it; Config.NoMutants is about the score alone, so
// that it changes nothing of what is written.
func (g *gen) mutantsNoticed(bench *workbench) func(context.Context, []*testcase.Case) ([][]string, error) {
	return func(ctx context.Context, cases []*testcase.Case) ([][]string, error) {
		a, err := mutate.Build(ctx, g.Prog, g.Pkg, g.mutantConfig(bench, nil))
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
	if !g.Partly() {
		return nil
	}
	return g.InScope
}
