package choose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// This file chooses tests by mutants:
//
//  1. learn (askstate.go) finds out which observers say something of an object.
//  2. plant puts mutants of the functions under test into one binary. judgeTests runs the
//     hand-written tests and those that there are against them: some survive.
//  3. killers runs cases that are no tests yet (candidates, and AtBoundaries of boundary.go)
//     against the survivors. Each survivor that one of them kills has the case that shows it
//     best (ownKillers); the reducer shortens these and drops what others kill as well.
//  4. chooseFields (fields.go) gives each test the fields of large results that it takes to
//     notice its mutants.
//  5. respell (respell.go) gives tests plainer values where they kill as much with them.
//  6. Calls on containers in the states that people test join (standard.go), and calls with texts as
//     people write them (samples.go), and needed (needed.go)
//     drops the tests that nobody would miss, those on other objects before these.
//
// Coverage chooses tests that go everywhere, and not tests that notice what they see
// there. Mutants do: those that the reduced suite lets survive are tried on the cases that
// the reducer dropped and on values that random sequences made, and what kills one becomes
// a test (Fraser, Zeller, ISSTA 2010, choose inputs and assertions so).

// fewestRuns is how often there has to be time to run all tests for mutants to choose them: those of
// calls that wait take too long.
const fewestRuns = 20

// maxCandidates is how many cases are tried on the mutants that survive.
const maxCandidates = 500

// addKillers adds to the tests cases that kill mutants which the tests do not, has tests say
// what observers show, gives them plainer values, and drops those that nobody would miss.
//
// Mutants are left out where there is hardly time for them, and where the package changes its
// own variables: there each mutant costs processes, and a value that a case observes may be
// what another has left. Then observers alone are added.
func (ch *chooser) addKillers(ctx context.Context) error {
	m := &mutantChooser{chooser: ch, observers: newObserving(ch)}
	var err error
	if m.standard, err = ch.containers(ctx, m.observers); err != nil {
		return err
	}
	samples, err := ch.samples(ctx)
	if err != nil {
		return err
	}
	m.standard = m.standard.join(samples)
	valued, err := ch.withValues(ctx)
	if err != nil {
		return err
	}
	if err := m.observers.learn(ctx, slices.Concat(ch.Tests, m.standard.cases, valued)); err != nil {
		return err
	}
	start := time.Now()
	m.Debug("stages", "%s: choose: %s left to choose", m.Pkg.Path, time.Until(session.DeadlineOf(ctx)).Round(time.Millisecond))
	if m.shown, err = m.observers.shown(ctx, ch.Tests); err != nil {
		return err
	}
	left := time.Until(session.DeadlineOf(ctx))
	switch {
	case ch.given.Mutants == nil || ch.bench.Stateful() || len(ch.Tests) == 0:
	case left < 2*ch.bench.BuildTime || left < fewestRuns*time.Since(start):
		ch.MarkPartial()
	default:
		if err := m.byMutants(ctx); err != nil {
			return err
		}
	}
	if !m.chosen {
		// What observers show says what calls did, without mutants too.
		if m.standard, err = m.standard.shown(ctx, m.observers); err != nil {
			return err
		}
		tests := append(m.plainer(ctx, m.shown), m.standard.cases...)
		ch.Tests, _ = m.needed(tests, make([][]int, len(tests)))
	}
	return m.observers.learnCalls(ctx)
}

// plainer returns the tests with plainer values, without mutants to say which ones have to stay. It
// may take half of the time that is left for choosing, and keeps those that it came to by then.
func (m *mutantChooser) plainer(ctx context.Context, tests []*testcase.Case) []*testcase.Case {
	ctx, cancel := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))/2)
	defer cancel()
	plain := &mutantChooser{chooser: m.chooser, observers: m.observers} // knows of no mutants
	err := m.RunOrLeave(ctx, func() (func(), error) {
		respelled, _, err := plain.respell(ctx, tests, make([][]int, len(tests)))
		return func() { tests = respelled }, err
	})
	if err != nil {
		m.MarkPartial()
		m.Warn("giving tests plainer values: %v", err)
	}
	return tests
}

// byMutants chooses tests by the mutants that they notice, all of them or none: what is written
// shall not depend on how far the clock let it come. It may take most of the time that is left for
// choosing: nothing else waits for it.
func (m *mutantChooser) byMutants(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))*3/4)
	defer cancel()
	// Where the time is over while this goes on, the caller goes on as well: each has a state of its own.
	own := *m
	return m.RunOrLeave(ctx, func() (func(), error) {
		tests, kills, err := own.choose(ctx)
		if err != nil {
			return func() {}, err
		}
		return func() { m.Tests, m.Kills, m.chosen = tests, kills, true }, nil
	})
}

// mutantChooser chooses tests by the mutants that they notice.
type mutantChooser struct {
	*chooser
	observers *observing
	shown     []*testcase.Case // the tests with observers behind their calls
	standard  standard         // calls on containers in the states that people test
	planted   *mutate.Analysis // the package with mutants in it
	ofMutants []mutate.Verdict // of the tests that there are, by mutant
	chosen    bool             // the tests were chosen by mutants

	idle map[*testcase.Case]bool // tests that a function passes which does nothing; nil if nobody knows
}

// choose returns the tests to write, and which mutants each of them kills.
func (m *mutantChooser) choose(ctx context.Context) (tests []*testcase.Case, kills map[*testcase.Sequence][]int, err error) {
	began := time.Now()
	took := func(what string) {
		m.Debug("stages", "%s: choose: %s took %s", m.Pkg.Path, what, time.Since(began).Round(time.Millisecond))
		began = time.Now()
	}
	edges, err := AtBoundaries(ctx, m.Pkg, m.bench, m.Tests, 0)
	if err != nil {
		return nil, nil, err
	}
	candidates := slices.Concat(edges, m.candidates())
	if err := m.plant(ctx, slices.Concat(candidates, m.standard.cases)); err != nil {
		return nil, nil, err
	}
	defer m.planted.Close() // what is left of it is temporary
	took("planting mutants")
	tests = m.shown
	if err := m.judgeTests(ctx, tests); err != nil {
		return nil, nil, err
	}
	took("judging tests")
	killers, err := m.killersInTime(ctx, candidates)
	if err != nil {
		return nil, nil, err
	}
	if killers, err = m.observers.shown(ctx, killers); err != nil {
		return nil, nil, err
	}
	took("finding killers")
	all := slices.Concat(tests, killers)
	ids, err := chooseFields(ctx, m.planted, all, nil)
	if err != nil {
		return nil, nil, err
	}
	took("choosing fields")
	if all, ids, err = m.respell(ctx, all, ids); err != nil {
		return nil, nil, err
	}
	took("plainer values")
	if m.standard, err = m.standard.shown(ctx, m.observers); err != nil {
		return nil, nil, err
	}
	noticed, err := chooseFields(ctx, m.planted, m.standard.cases, nil)
	if err != nil {
		return nil, nil, err
	}
	all, ids = slices.Concat(all, m.standard.cases), slices.Concat(ids, noticed)
	if err := m.findIdle(ctx, all); err != nil {
		return nil, nil, err
	}
	needed, ids := m.needed(all, ids)
	kills = make(map[*testcase.Sequence][]int)
	for i, c := range needed {
		kills[c.Seq] = ids[i]
	}
	sum := mutate.Sum(m.ofMutants)
	m.Debug("stages", "%s: the tests kill %d of %d mutants; of %d further cases, %d kill more; %d tests are not needed", m.Pkg.Path,
		sum.Killed, sum.Mutants, len(candidates), len(killers), len(all)-len(needed))
	return needed, kills, nil
}

// plant builds the package with mutants in it, able to run the tests, the candidates and the
// observers behind them.
func (m *mutantChooser) plant(ctx context.Context, candidates []*testcase.Case) error {
	planting := *m.given.Mutants
	for _, c := range slices.Concat(m.Tests, candidates) {
		for i := range c.Seq.Len() {
			planting.Needs = append(planting.Needs, c.Seq.At(i).Op)
		}
	}
	planting.Needs = append(planting.Needs, plain.Operations(m.Pkg)...)
	planting.Needs = append(planting.Needs, m.observers.operations()...)
	planting.Needs = append(planting.Needs, m.parts.operations(slices.Concat(m.Tests, candidates))...)
	planting.Needs = append(planting.Needs, m.observers.recording.operations(slices.Concat(m.Tests, candidates))...)
	var err error
	m.planted, err = mutate.Build(ctx, m.Prog, m.Pkg, planting)
	return err
}

// judgeTests finds out which mutants the hand-written tests and those chosen so far kill.
func (m *mutantChooser) judgeTests(ctx context.Context, tests []*testcase.Case) error {
	var err error
	if m.ofMutants, err = m.planted.Suite(ctx, mutate.Options{}); err != nil {
		return err
	}
	after, err := m.planted.Cases(ctx, tests, mutate.Options{Only: m.survives})
	if err != nil {
		return err
	}
	for i := range after {
		if after[i].Killed {
			m.ofMutants[i] = after[i]
		}
	}
	return nil
}

// survives reports whether the tests reach a mutant and do not notice it.
func (m *mutantChooser) survives(id int) bool {
	return m.ofMutants[id-1].Run && !m.ofMutants[id-1].Killed
}

// killsOf returns for each case which of the surviving mutants it is the fittest to kill.
func (m *mutantChooser) killsOf(ctx context.Context, cases []*testcase.Case) ([][]int, error) {
	shown, err := m.observers.shown(ctx, cases)
	if err != nil {
		return nil, err
	}
	verdicts, err := m.planted.Cases(ctx, shown, mutate.Options{All: true, Most: enoughKillers, Only: m.survives})
	out := make([][]int, len(cases))
	for _, v := range verdicts {
		for _, k := range m.ownKillers(v, cases) {
			out[k] = append(out[k], v.Mutant.ID)
		}
	}
	return out, err
}

// killersInTime is killers for a third of the time that is left, and returns none if that is too short:
// candidates whose calls wait would take all the time, and then no test would be chosen by mutants.
func (m *mutantChooser) killersInTime(ctx context.Context, candidates []*testcase.Case) ([]*testcase.Case, error) {
	most, cancel := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))/3)
	defer cancel()
	killers, err := m.killers(most, candidates)
	if most.Err() != nil && ctx.Err() == nil {
		m.MarkPartial()
		return nil, nil
	}
	return killers, err
}

// killers returns those of the candidates, cut down, that kill what the tests let survive.
func (m *mutantChooser) killers(ctx context.Context, candidates []*testcase.Case) ([]*testcase.Case, error) {
	tried, err := m.killsOf(ctx, candidates)
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
	outcomes, err := m.bench.Runner(true).Run(ctx, seqs)
	if err != nil {
		return nil, err
	}
	var fit []*testcase.Case
	for i, c := range chosen {
		d := *c
		d.Observed = outcomes[i]
		if judged, f := m.bench.Judge.Case(&d); judged == "" && f == nil {
			fit = append(fit, &d)
		}
	}
	cfg := m.how
	cfg.Covered = slices.Clone(cfg.Covered) // they are for mutants alone
	cfg.Covered.Union(testcase.CoverOf(m.Tests))
	cfg.Kills = m.killsOf
	killers, _, err := reduce.Cases(ctx, fit, m.bench.Runner(false), cfg)
	if err != nil {
		return nil, fmt.Errorf("reducing tests that kill mutants: %w", err)
	}
	return killers, nil
}

// ownKillers returns the numbers of the cases that kill a mutant, as far as they show it
// best: the first of these groups that is not empty. Cases that build no object by hand come
// first, because they make objects as users do; among them those of the mutant's own
// function, because its tests are where one looks for what it does.
func (m *mutantChooser) ownKillers(v mutate.Verdict, cases []*testcase.Case) []int {
	var natural, byHand struct{ own, others []int }
	for _, k := range v.By {
		group := &natural
		if m.handBuilt(cases[k]) {
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
	for _, c := range ch.Tests {
		seen[c.Seq] = true
	}
	var out []*testcase.Case
	for _, c := range slices.Concat(ch.given.Tests, ch.given.Spare) {
		if !seen[c.Seq] && c.Seq.Len() <= testcase.MaxKnown {
			seen[c.Seq] = true
			out = append(out, c)
		}
	}
	handBuilt := make(map[*testcase.Case]int)
	for _, c := range out {
		if ch.handBuilt(c) {
			handBuilt[c] = 1
		}
	}
	slices.SortStableFunc(out, func(a, b *testcase.Case) int {
		return cmp.Or(handBuilt[a]-handBuilt[b], a.Seq.Len()-b.Seq.Len())
	})
	return out[:min(len(out), maxCandidates)]
}
