package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/testcase"
)

// The largest number of mutants for the score, taken evenly over the source. If the package changes its
// own variables, each mutant costs processes of its own, some ten milliseconds each.
const (
	maxMutants         = 1500
	maxStatefulMutants = 200
)

// mutantConfig says which mutants to plant, and which tests to build with them.
func (g *gen) mutantConfig(bench *workbench, suite []gotest.File) mutate.Config {
	cfg := mutate.Config{
		Suite: suite, Funcs: g.underTest(), Stateful: bench.Stateful(), Tags: g.cfg.Tags, Confine: g.Config.Confine, MaxMutants: maxMutants,
	}
	if bench.Stateful() {
		cfg.MaxMutants = maxStatefulMutants
	}
	return cfg
}

// mutate counts the mutants of the functions under test that the suite kills, together with the
// hand-written tests if they count. It runs after writing and changes nothing. It costs about as much
// as building the harness. If there is no time for that, or it would take more than a third of the
// whole time, there is no score and no complaint. If the pass before had time for it this one
// takes up to a quarter of its time longer, because without a score its result would not be taken over.
func (g *gen) mutate(scope scope, bench *workbench, suite *verify.Suite) error {
	if g.cfg.NoMutants || g.cfg.Unscored || !suite.Verified || g.User.Err() != nil {
		return nil
	}
	const margin = 200 * time.Millisecond
	end := g.Deadline.Add(-margin)
	if g.isScoredBefore() {
		const late = 4
		end = end.Add(g.Config.Bound() / late)
	}
	ctx, cancel := context.WithTimeout(g.User, min(time.Until(end), g.Config.Bound()/3))
	defer cancel()
	err := g.score(ctx, scope, bench, suite)
	if ctx.Err() != nil {
		g.MarkPartial()
		g.Debug("mutants", "%s: no time for mutants", g.Pkg.Path)
		return nil
	}
	return err
}

// isScoredBefore reports whether the pass before had time to count mutants.
func (g *gen) isScoredBefore() bool {
	return g.scored || g.continues != nil && g.continues.isScored()
}

// score builds the mutants and runs the suite.
func (g *gen) score(ctx context.Context, scope scope, bench *workbench, suite *verify.Suite) error {
	tests := g.scoredTests(scope, suite)
	if len(tests) == 0 {
		return nil // no files were written, and the existing tests stay as they were
	}
	cfg := g.mutantConfig(bench, tests)
	if g.standing != nil {
		cfg.Funcs = nil // the score is about all functions
	}
	a, err := mutate.Build(ctx, g.Prog, g.Pkg, cfg)
	if err != nil {
		return err
	}
	defer a.Close() // an error leaves only temporary files behind
	verdicts, err := a.Suite(ctx, mutate.Options{})
	if err != nil {
		return err
	}
	s := mutate.Sum(verdicts)
	g.Summary.Mutants, g.Summary.Killed = event.Count(s.Mutants), event.Count(s.Killed)
	g.Summary.SetMutation()
	g.announceMutants(a, verdicts)
	g.countKills(a.Tests(), suite.Files, verdicts)
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

// scoredTests returns the tests that the score is about: those of the suite, the earlier tests that stay if
// only part of the package was done again, and the hand-written ones if they count.
func (g *gen) scoredTests(scope scope, suite *verify.Suite) []gotest.File {
	out := slices.Clone(suite.ExistingFiles)
	if g.standing != nil {
		return append(out, suite.AllTests(scope.earlier)...)
	}
	for _, f := range suite.Files {
		tf := gotest.File{Path: f.Path, Content: f.Content}
		for _, t := range f.Tests {
			if t.Bug == nil {
				tf.Tests = append(tf.Tests, t.Name)
			}
		}
		if _, shared := testfile.OnlyHelpers(f.Content); len(tf.Tests) > 0 || shared {
			out = append(out, tf)
		}
	}
	return out
}

// mutantsNoticed returns a function that names, for each case, the mutants that the case notices and no
// earlier case does. An engine chooses cases by it. Config.NoMutants concerns the score only, so the
// engine's choice does not depend on it.
func (g *gen) mutantsNoticed(bench *workbench) func(context.Context, []*testcase.Case) ([][]string, error) {
	return func(ctx context.Context, cases []*testcase.Case) ([][]string, error) {
		a, err := mutate.Build(ctx, g.Prog, g.Pkg, g.mutantConfig(bench, nil))
		if err != nil {
			return nil, err
		}
		defer a.Close() // an error leaves only temporary files behind
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

// underTest reports for which functions mutants count: those that the run is about.
func (g *gen) underTest() func(string) bool {
	if !g.Partly() {
		return nil
	}
	return g.InScope
}
