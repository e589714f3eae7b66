package campaign

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// This file chooses tests by mutants:
//
//  1. Mutants of the functions under test are planted, all into one binary.
//  2. The hand-written tests and the reduced ones are run against them: some survive.
//  3. Cases that are no tests yet are run against the survivors. Each survivor that one of
//     them kills proposes the case that shows it best (ownKillers).
//  4. What was proposed runs once more and is judged; the reducer shortens it and drops what
//     others kill as well.
//  5. Of large results, each test gets the fields that it takes to notice its mutants.
//
// Coverage chooses tests that go everywhere, and not tests that notice what they see
// there. Mutants do: those that the reduced suite lets survive are tried on the cases that
// the reducer dropped and on values that random sequences made, and what kills one becomes
// a test (Fraser, Zeller, ISSTA 2010, choose inputs and assertions so).

// maxCandidates is how many cases are tried on the mutants that survive.
const maxCandidates = 500

// addKillers adds to the tests cases that kill mutants which the tests do not.
//
// It is left out where there is hardly time for it, and where the package changes its own
// variables: there each mutant costs processes, and a value that a case observes may be
// what another has left.
func (ch *chooser) addKillers(ctx context.Context) error {
	if ch.gen.cfg.NoMutants || ch.bench.Stateful() || len(ch.tests) == 0 {
		return nil
	}
	if time.Until(deadlineOf(ctx)) < 2*ch.bench.BuildTime {
		ch.MarkPartial()
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, min(time.Until(deadlineOf(ctx))*3/4, ch.Config.Bound()/5))
	defer cancel()
	hunt := &killerHunt{chooser: ch, tests: ch.tests, candidates: ch.candidates()}
	return ch.RunOrLeave(ctx, func() (func(), error) {
		killers, kills, err := hunt.run(ctx)
		if err != nil {
			return func() {}, err // all of it or nothing: what is written shall not depend on the clock
		}
		return func() { ch.tests, ch.kills = append(ch.tests, killers...), kills }, nil
	})
}

// killerHunt looks for cases that kill what the tests let survive.
type killerHunt struct {
	*chooser
	tests      []*testcase.Case
	candidates []*testcase.Case // cases that are no tests yet

	planted  *mutate.Analysis
	verdicts []mutate.Verdict // of the tests, by the mutant's number - 1
}

// run returns the candidates, cut down, that kill what the tests let survive; and, if there
// are many tests, which mutants each of them and of the tests kills.
func (h *killerHunt) run(ctx context.Context) (killers []*testcase.Case, kills map[*testcase.Sequence][]int, err error) {
	planting := h.mutantConfig(h.bench, h.existingFiles)
	for _, c := range slices.Concat(h.tests, h.candidates) {
		for i := range c.Seq.Len() {
			planting.Needs = append(planting.Needs, c.Seq.At(i).Op)
		}
	}
	if h.planted, err = mutate.Build(ctx, h.Prog, h.Pkg, planting); err != nil {
		return nil, nil, err
	}
	defer h.planted.Close() // what is left of it is temporary
	if err := h.findSurvivors(ctx); err != nil {
		return nil, nil, err
	}
	proposed, err := h.propose(ctx)
	if err != nil {
		return nil, nil, err
	}
	killers, _, err = reduce.Cases(ctx, proposed, h.bench.Runner(false), h.reduceConfig())
	if err != nil {
		return nil, nil, fmt.Errorf("reducing tests that kill mutants: %w", err)
	}
	all := slices.Concat(h.tests, killers)
	ids, err := chooseFields(ctx, h.planted, all)
	if err != nil {
		return nil, nil, err
	}
	if len(all) > manyTests {
		kills = make(map[*testcase.Sequence][]int)
		for i, c := range all {
			kills[c.Seq] = ids[i]
		}
	}
	s := mutate.Sum(h.verdicts)
	h.Debug("stages", "%s: the tests kill %d of %d mutants; of %d further cases, %d kill more", h.Pkg.Path, s.Killed, s.Mutants, len(h.candidates), len(killers))
	return killers, kills, nil
}

// findSurvivors runs the tests, hand-written ones first, against the mutants.
func (h *killerHunt) findSurvivors(ctx context.Context) error {
	var err error
	if h.verdicts, err = h.planted.Suite(ctx, mutate.Options{}); err != nil {
		return err
	}
	after, err := h.planted.Cases(ctx, h.tests, mutate.Options{Only: h.survives})
	if err != nil {
		return err
	}
	for i := range after {
		if after[i].Killed {
			h.verdicts[i] = after[i]
		}
	}
	return nil
}

// survives reports whether a mutant survives all tests, as far as that is known.
func (h *killerHunt) survives(id int) bool { return h.verdicts[id-1].Run && !h.verdicts[id-1].Killed }

// propose returns candidates that together kill all survivors that any candidate kills, as
// they were observed in a run of their own.
func (h *killerHunt) propose(ctx context.Context) ([]*testcase.Case, error) {
	tried, err := h.planted.Cases(ctx, h.candidates, mutate.Options{All: true, Only: h.survives})
	if err != nil {
		return nil, err
	}
	var first []int
	for _, v := range tried {
		if by := h.ownKillers(v, h.candidates); len(by) > 0 {
			first = append(first, by[0])
		}
	}
	slices.Sort(first)
	var chosen []*testcase.Case
	var seqs []*testcase.Sequence
	for _, i := range slices.Compact(first) {
		chosen = append(chosen, h.candidates[i])
		seqs = append(seqs, h.candidates[i].Seq)
	}
	outcomes, err := h.bench.Runner(true).Run(ctx, seqs)
	if err != nil {
		return nil, err
	}
	var fit []*testcase.Case
	for i, c := range chosen {
		d := *c
		d.Observed = outcomes[i]
		if unfit, f := h.bench.Judge.Case(&d); unfit == "" && f == nil {
			fit = append(fit, &d)
		}
	}
	return fit, nil
}

// reduceConfig has the reducer keep of the proposed cases what it takes to kill the survivors
// that they kill. All coverage counts as had already: these cases are for mutants alone.
func (h *killerHunt) reduceConfig() reduce.Config {
	how := h.how
	how.Covered = slices.Clone(how.Covered)
	how.Covered.Union(testcase.CoverOf(h.tests))
	how.Kills = func(ctx context.Context, cases []*testcase.Case) ([][]int, error) {
		verdicts, err := h.planted.Cases(ctx, cases, mutate.Options{All: true, Only: h.survives})
		out := make([][]int, len(cases))
		for _, v := range verdicts {
			for _, k := range h.ownKillers(v, cases) {
				out[k] = append(out[k], v.Mutant.ID)
			}
		}
		return out, err
	}
	return how
}

// ownKillers returns the numbers of the cases that kill a mutant, as far as they show it
// best: the first of these groups that is not empty. Cases that build no object by hand come
// first, because they make objects as users do; among them those of the mutant's own
// function, because its tests are where one looks for what it does.
func (h *killerHunt) ownKillers(v mutate.Verdict, cases []*testcase.Case) []int {
	var natural, byHand struct{ own, others []int }
	for _, k := range v.By {
		group := &natural
		if finding.HandBuilt(h.Pkg, cases[k]) {
			group = &byHand
		}
		if cases[k].Target == v.Mutant.Func {
			group.own = append(group.own, k)
		} else {
			group.others = append(group.others, k)
		}
	}
	for _, ks := range [][]int{natural.own, natural.others, byHand.own, byHand.others} {
		if len(ks) > 0 {
			return ks
		}
	}
	return nil
}

// candidates returns cases that are no tests yet, the shortest first, and those that
// build states by hand last.
func (ch *chooser) candidates() []*testcase.Case {
	seen := make(map[*testcase.Sequence]bool)
	for _, c := range ch.tests {
		seen[c.Seq] = true
	}
	var out []*testcase.Case
	for _, c := range slices.Concat(ch.cases, ch.spare) {
		if !seen[c.Seq] && c.Seq.Len() <= maxKnown {
			seen[c.Seq] = true
			out = append(out, c)
		}
	}
	handBuilt := make(map[*testcase.Case]int)
	for _, c := range out {
		if finding.HandBuilt(ch.Pkg, c) {
			handBuilt[c] = 1
		}
	}
	slices.SortStableFunc(out, func(a, b *testcase.Case) int {
		return cmp.Or(handBuilt[a]-handBuilt[b], a.Seq.Len()-b.Seq.Len())
	})
	return out[:min(len(out), maxCandidates)]
}

// manyTests is how many cases it takes for a file to become too long, so that it matters
// which of them are worth more.
const manyTests = 40
