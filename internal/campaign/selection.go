package campaign

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// Coverage chooses tests that go everywhere, and not tests that notice what they see
// there. Mutants do: those that the reduced suite lets survive are tried on the cases that
// the reducer dropped and on values that random sequences made, and what kills one becomes
// a test (Fraser, Zeller, ISSTA 2010, choose inputs and assertions so).

// maxCandidates is how many cases are tried on the mutants that survive.
const maxCandidates = 500

// addKillers adds to the tests cases that kill mutants which the tests do not. before are
// the cases that the tests were chosen from.
//
// It is left out where there is hardly time for it, and where the package changes its own
// variables: there each mutant costs processes, and a value that a case observes may be
// what another has left.
func (g *gen) addKillers(ctx context.Context, before []*testcase.Case, cfg reduce.Config) error {
	if g.cfg.NoMutants || g.anyChanges || len(g.tests) == 0 || time.Until(deadlineOf(ctx)) < 3*g.buildS {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Until(deadlineOf(ctx))*3/4)
	defer cancel()
	return g.within(ctx, func() (func(), error) {
		killers, err := g.killers(ctx, before, cfg)
		if err != nil {
			return func() {}, err // all of it or nothing: what is written shall not depend on the clock
		}
		return func() { g.tests = append(g.tests, killers...) }, nil
	})
}

// killers returns the cases, cut down, that kill what the tests let survive.
func (g *gen) killers(ctx context.Context, before []*testcase.Case, cfg reduce.Config) ([]*testcase.Case, error) {
	a, err := mutate.Build(ctx, g.prog, g.pkg, g.mutants(g.counted()))
	if err != nil {
		return nil, err
	}
	defer a.Close() // what is left of it is temporary
	verdicts, err := a.Suite(ctx, mutate.Options{})
	if err != nil {
		return nil, err
	}
	survives := func(id int) bool { return verdicts[id-1].Run && !verdicts[id-1].Killed }
	after, err := a.Cases(ctx, g.tests, mutate.Options{Only: survives})
	if err != nil {
		return nil, err
	}
	for i := range after {
		if after[i].Killed {
			verdicts[i] = after[i]
		}
	}
	candidates := g.candidates(before)
	tried, err := a.Cases(ctx, candidates, mutate.Options{Only: survives})
	if err != nil {
		return nil, err
	}
	var first []int
	for _, v := range tried {
		if len(v.By) > 0 {
			first = append(first, v.By[0])
		}
	}
	slices.Sort(first)
	var chosen []*testcase.Case
	var seqs []*testcase.Sequence
	for _, i := range slices.Compact(first) {
		chosen = append(chosen, candidates[i])
		seqs = append(seqs, candidates[i].Seq)
	}
	outcomes, err := g.runner(true).Run(ctx, seqs)
	if err != nil {
		return nil, err
	}
	var fit []*testcase.Case
	for i, c := range chosen {
		d := *c
		d.Observed = outcomes[i]
		if judged, f := judgeCase(g, &d); judged == "" && f == nil {
			fit = append(fit, &d)
		}
	}
	cfg.Kills = func(ctx context.Context, cases []*testcase.Case) ([][]int, error) {
		verdicts, err := a.Cases(ctx, cases, mutate.Options{All: true, Only: survives})
		out := make([][]int, len(cases))
		for _, v := range verdicts {
			for _, k := range v.By {
				out[k] = append(out[k], v.Mutant.ID)
			}
		}
		return out, err
	}
	killers, _, err := reduce.Cases(ctx, fit, g.runner(false), cfg)
	if err != nil {
		return nil, fmt.Errorf("reducing tests that kill mutants: %w", err)
	}
	s := mutate.Sum(verdicts)
	g.debug("stages", "%s: the tests kill %d of %d mutants; of %d further cases, %d kill more", g.pkg.Path, s.Killed, s.Mutants, len(candidates), len(killers))
	return killers, nil
}

// candidates returns cases that are no tests yet, the shortest first.
func (g *gen) candidates(before []*testcase.Case) []*testcase.Case {
	seen := make(map[*testcase.Sequence]bool)
	for _, c := range g.tests {
		seen[c.Seq] = true
	}
	var out []*testcase.Case
	for _, c := range slices.Concat(before, g.spare) {
		if !seen[c.Seq] && c.Seq.Len() <= maxKnown {
			seen[c.Seq] = true
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *testcase.Case) int { return a.Seq.Len() - b.Seq.Len() })
	return out[:min(len(out), maxCandidates)]
}
