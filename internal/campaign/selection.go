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

// addKillers adds to the tests cases that kill mutants which the tests do not, has tests say
// what observers show, gives them plainer values, and drops those that nobody would miss.
// before are the cases that the tests were chosen from.
//
// Mutants are left out where there is hardly time for them, and where the package changes its
// own variables: there each mutant costs processes, and a value that a case observes may be
// what another has left. Then observers alone are added.
func (g *gen) addKillers(ctx context.Context, before []*testcase.Case, cfg reduce.Config) error {
	s := &chooser{gen: g, cfg: cfg, all: before, observers: newObserving(g, cfg.Pure)}
	if err := s.observers.learn(ctx, g.tests); err != nil {
		return err
	}
	switch {
	case g.cfg.NoMutants || g.anyChanges || len(g.tests) == 0:
	case time.Until(deadlineOf(ctx)) < 2*g.buildS:
		g.partial.Store(true)
	default:
		if err := s.byMutants(ctx); err != nil {
			return err
		}
	}
	if !s.chosen {
		// What observers show says what calls did, without mutants too.
		tests, err := s.observers.shown(ctx, g.tests)
		if err != nil {
			return err
		}
		g.tests, _ = s.needed(tests, make([][]int, len(tests)))
	}
	return s.observers.learnCalls(ctx)
}

// byMutants chooses tests by the mutants that they notice, all of them or none: what is written
// shall not depend on how far the clock let it come.
func (s *chooser) byMutants(ctx context.Context) error {
	g := s.gen
	ctx, cancel := context.WithTimeout(ctx, min(time.Until(deadlineOf(ctx))*3/4, g.cfg.timeout()/5))
	defer cancel()
	return g.within(ctx, func() (func(), error) {
		tests, kills, err := s.choose(ctx)
		if err != nil {
			return func() {}, err
		}
		return func() { g.tests, g.kills, s.chosen = tests, kills, true }, nil
	})
}

// chooser chooses tests by the mutants that they notice.
type chooser struct {
	*gen
	cfg       reduce.Config
	all       []*testcase.Case // what the tests were chosen from
	observers *observing
	planted   *mutate.Analysis // the package with mutants in it
	verdicts  []mutate.Verdict // of the tests that there are, by mutant
	chosen    bool             // the tests were chosen by mutants
}

// choose returns the tests to write, and which mutants each of them kills.
func (s *chooser) choose(ctx context.Context) (tests []*testcase.Case, kills map[*testcase.Sequence][]int, err error) {
	edges, err := s.atBoundaries(ctx, s.tests)
	if err != nil {
		return nil, nil, err
	}
	candidates := slices.Concat(edges, s.candidates(s.all))
	if err := s.plant(ctx, candidates); err != nil {
		return nil, nil, err
	}
	defer s.planted.Close() // what is left of it is temporary
	tests, err = s.observers.shown(ctx, s.tests)
	if err != nil {
		return nil, nil, err
	}
	if err := s.judgeTests(ctx, tests); err != nil {
		return nil, nil, err
	}
	killers, err := s.killers(ctx, candidates)
	if err != nil {
		return nil, nil, err
	}
	if killers, err = s.observers.shown(ctx, killers); err != nil {
		return nil, nil, err
	}
	all := slices.Concat(tests, killers)
	ids, err := choosingFields(ctx, s.planted, all)
	if err != nil {
		return nil, nil, err
	}
	if all, ids, err = s.respell(ctx, all, ids); err != nil {
		return nil, nil, err
	}
	needed, ids := s.needed(all, ids)
	kills = make(map[*testcase.Sequence][]int)
	for i, c := range needed {
		kills[c.Seq] = ids[i]
	}
	sum := mutate.Sum(s.verdicts)
	s.debug("stages", "%s: the tests kill %d of %d mutants; of %d further cases, %d kill more; %d tests are not needed", s.pkg.Path,
		sum.Killed, sum.Mutants, len(candidates), len(killers), len(all)-len(needed))
	return needed, kills, nil
}

// plant builds the package with mutants in it, able to run the tests, the candidates and the
// observers behind them.
func (s *chooser) plant(ctx context.Context, candidates []*testcase.Case) error {
	planting := s.mutants(s.counted())
	for _, c := range slices.Concat(s.tests, candidates) {
		for i := range c.Seq.Len() {
			planting.Needs = append(planting.Needs, c.Seq.At(i).Op)
		}
	}
	planting.Needs = append(planting.Needs, s.observers.operations()...)
	var err error
	s.planted, err = mutate.Build(ctx, s.prog, s.pkg, planting)
	return err
}

// judgeTests finds out which mutants the hand-written tests and those chosen so far kill.
func (s *chooser) judgeTests(ctx context.Context, tests []*testcase.Case) error {
	var err error
	if s.verdicts, err = s.planted.Suite(ctx, mutate.Options{}); err != nil {
		return err
	}
	after, err := s.planted.Cases(ctx, tests, mutate.Options{Only: s.survives})
	if err != nil {
		return err
	}
	for i := range after {
		if after[i].Killed {
			s.verdicts[i] = after[i]
		}
	}
	return nil
}

// survives reports whether the tests reach a mutant and do not notice it.
func (s *chooser) survives(id int) bool { return s.verdicts[id-1].Run && !s.verdicts[id-1].Killed }

// kills returns for each case which of the surviving mutants it is the fittest to kill.
func (s *chooser) kills(ctx context.Context, cases []*testcase.Case) ([][]int, error) {
	shown, err := s.observers.shown(ctx, cases)
	if err != nil {
		return nil, err
	}
	verdicts, err := s.planted.Cases(ctx, shown, mutate.Options{All: true, Only: s.survives})
	out := make([][]int, len(cases))
	for _, v := range verdicts {
		for _, k := range s.ownKillers(v, cases) {
			out[k] = append(out[k], v.Mutant.ID)
		}
	}
	return out, err
}

// killers returns those of the candidates, cut down, that kill what the tests let survive.
func (s *chooser) killers(ctx context.Context, candidates []*testcase.Case) ([]*testcase.Case, error) {
	tried, err := s.kills(ctx, candidates)
	if err != nil {
		return nil, err
	}
	first := make(map[int]bool) // mutants that a chosen one kills
	var chosen []*testcase.Case
	var seqs []*testcase.Sequence
	for i, ids := range tried {
		if news := slices.DeleteFunc(slices.Clone(ids), func(id int) bool { return first[id] }); len(news) > 0 {
			for _, id := range news {
				first[id] = true
			}
			chosen = append(chosen, candidates[i])
			seqs = append(seqs, candidates[i].Seq)
		}
	}
	outcomes, err := s.runner(true).Run(ctx, seqs)
	if err != nil {
		return nil, err
	}
	var fit []*testcase.Case
	for i, c := range chosen {
		d := *c
		d.Observed = outcomes[i]
		if judged, f := s.judging().Case(&d); judged == "" && f == nil {
			fit = append(fit, &d)
		}
	}
	cfg := s.cfg
	cfg.Covered = slices.Clone(cfg.Covered) // they are for mutants alone
	for _, c := range s.tests {
		if c.Observed != nil {
			cfg.Covered.Union(c.Observed.Cover)
		}
	}
	cfg.Kills = s.kills
	killers, _, err := reduce.Cases(ctx, fit, s.runner(false), cfg)
	if err != nil {
		return nil, fmt.Errorf("reducing tests that kill mutants: %w", err)
	}
	return killers, nil
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

// worth returns the place of each test by what it is worth: first the one that covers most
// and kills most mutants, as far as that is known, then the one that adds most to it, and
// so on. Of two the shorter comes first. adds reports whether a test covers or kills something
// that none before it does.
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
		reaches[g.tests[i].Seq] = gain > 0
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
