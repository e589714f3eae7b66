package campaign

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/native"
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
	if g.cfg.NoMutants || g.anyChanges || len(g.tests) == 0 {
		return nil
	}
	if time.Until(deadlineOf(ctx)) < 2*g.buildS {
		g.partial.Store(true)
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, min(time.Until(deadlineOf(ctx))*3/4, g.cfg.timeout()/5))
	defer cancel()
	return g.within(ctx, func() (func(), error) {
		killers, kills, err := g.killers(ctx, before, cfg)
		if err != nil {
			return func() {}, err // all of it or nothing: what is written shall not depend on the clock
		}
		return func() { g.tests, g.kills = append(g.tests, killers...), kills }, nil
	})
}

// killers returns the cases, cut down, that kill what the tests let survive; and, if there
// are many tests, which mutants each of them and of the tests kills.
func (g *gen) killers(ctx context.Context, before []*testcase.Case, cfg reduce.Config) (killers []*testcase.Case, kills map[*testcase.Sequence][]int, err error) {
	candidates := g.candidates(before)
	planting := g.mutants(g.counted())
	for _, c := range slices.Concat(g.tests, candidates) {
		for i := range c.Seq.Len() {
			planting.Needs = append(planting.Needs, c.Seq.At(i).Op)
		}
	}
	a, err := mutate.Build(ctx, g.prog, g.pkg, planting)
	if err != nil {
		return nil, nil, err
	}
	defer a.Close() // what is left of it is temporary
	verdicts, err := a.Suite(ctx, mutate.Options{})
	if err != nil {
		return nil, nil, err
	}
	survives := func(id int) bool { return verdicts[id-1].Run && !verdicts[id-1].Killed }
	after, err := a.Cases(ctx, g.tests, mutate.Options{Only: survives})
	if err != nil {
		return nil, nil, err
	}
	for i := range after {
		if after[i].Killed {
			verdicts[i] = after[i]
		}
	}
	tried, err := a.Cases(ctx, candidates, mutate.Options{All: true, Only: survives})
	if err != nil {
		return nil, nil, err
	}
	var first []int
	for _, v := range tried {
		if by := g.ownKillers(v, candidates); len(by) > 0 {
			first = append(first, by[0])
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
		return nil, nil, err
	}
	var fit []*testcase.Case
	for i, c := range chosen {
		d := *c
		d.Observed = outcomes[i]
		if judged, f := g.judging().Case(&d); judged == "" && f == nil {
			fit = append(fit, &d)
		}
	}
	cfg.Covered = slices.Clone(cfg.Covered) // they are for mutants alone
	for _, c := range g.tests {
		if c.Observed != nil {
			cfg.Covered.Union(c.Observed.Cover)
		}
	}
	cfg.Kills = func(ctx context.Context, cases []*testcase.Case) ([][]int, error) {
		verdicts, err := a.Cases(ctx, cases, mutate.Options{All: true, Only: survives})
		out := make([][]int, len(cases))
		for _, v := range verdicts {
			for _, k := range g.ownKillers(v, cases) {
				out[k] = append(out[k], v.Mutant.ID)
			}
		}
		return out, err
	}
	cfg.Covered = slices.Clone(cfg.Covered)
	for _, c := range g.tests {
		cfg.Covered.Union(c.Observed.Cover)
	}
	killers, _, err = reduce.Cases(ctx, fit, g.runner(false), cfg)
	if err != nil {
		return nil, nil, fmt.Errorf("reducing tests that kill mutants: %w", err)
	}
	all := slices.Concat(g.tests, killers)
	ids, err := choosingFields(ctx, a, all)
	if err != nil {
		return nil, nil, err
	}
	if len(all) > manyTests {
		kills = make(map[*testcase.Sequence][]int)
		for i, c := range all {
			kills[c.Seq] = ids[i]
		}
	}
	s := mutate.Sum(verdicts)
	g.debug("stages", "%s: the tests kill %d of %d mutants; of %d further cases, %d kill more", g.pkg.Path, s.Killed, s.Mutants, len(candidates), len(killers))
	return killers, kills, nil
}

// ownKillers returns the numbers of the cases that kill a mutant, the fittest to show it
// alone: what a function does is shown best by its own tests, and by an object as its
// users make it.
func (g *gen) ownKillers(v mutate.Verdict, cases []*testcase.Case) []int {
	var by [2][2][]int // natural or planted, of others or its own
	for _, k := range v.By {
		planted, own := 0, 0
		if finding.HandBuilt(g.pkg, cases[k]) {
			planted = 1
		}
		if cases[k].Target == v.Mutant.Func {
			own = 1
		}
		by[planted][own] = append(by[planted][own], k)
	}
	for _, kind := range by {
		for _, own := range []int{1, 0} {
			if kind[own] != nil {
				return kind[own]
			}
		}
	}
	return nil
}

// candidates returns cases that are no tests yet, the shortest first, and those that
// build states by hand last.
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
	planted := make(map[*testcase.Case]int)
	for _, c := range out {
		if finding.HandBuilt(g.pkg, c) {
			planted[c] = 1
		}
	}
	slices.SortStableFunc(out, func(a, b *testcase.Case) int {
		return cmp.Or(planted[a]-planted[b], a.Seq.Len()-b.Seq.Len())
	})
	return out[:min(len(out), maxCandidates)]
}

// manyTests is how many cases it takes for a file to become too long, so that it matters
// which of them are worth more.
const manyTests = 40

// worth returns the place of each test by what it is worth: first the one that covers most
// and kills most mutants, as far as that is known, then the one that adds most to it, and
// so on. Of two the shorter comes first. adds reports whether a test covers something that
// none before it does.
func (g *gen) worth() (place func(*testcase.Case) int, adds func(*testcase.Case) bool) {
	blocks := len(g.blocks())
	shows := make([]testcase.Cover, len(g.tests)) // blocks, then mutants behind them
	left := make([]int, len(g.tests))
	for i, c := range g.tests {
		left[i] = i
		if c.Observed != nil {
			shows[i].Union(c.Observed.Cover)
		}
		for _, id := range g.kills[c.Seq] {
			shows[i].Set(blocks + id)
		}
	}
	var seen testcase.Cover
	seen.Union(g.before)
	places := make(map[*testcase.Sequence]int)
	reaches := make(map[*testcase.Sequence]bool)
	for len(left) > 0 {
		best, gain := 0, -1
		for k, i := range left {
			n := 0
			for w, x := range shows[i] {
				if w < len(seen) {
					x &^= seen[w]
				}
				n += bits.OnesCount64(x)
			}
			if n > gain || n == gain && g.tests[i].Seq.Len() < g.tests[left[best]].Seq.Len() {
				best, gain = k, n
			}
		}
		i := left[best]
		for b := range blocks {
			if shows[i].Has(b) && !seen.Has(b) {
				reaches[g.tests[i].Seq] = true
				break
			}
		}
		seen.Union(shows[i])
		places[g.tests[i].Seq] = len(places)
		left = slices.Delete(left, best, best+1)
	}
	return func(c *testcase.Case) int { return places[c.Seq] }, func(c *testcase.Case) bool { return reaches[c.Seq] }
}

func (g *gen) blocks() []native.Block {
	if g.harness == nil {
		return nil
	}
	return g.harness.Blocks()
}
