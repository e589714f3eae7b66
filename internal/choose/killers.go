package choose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/goassay/assay/internal/choose/boundary"
	"github.com/goassay/assay/internal/choose/complete"
	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/choose/question"
	"github.com/goassay/assay/internal/choose/told"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// This file chooses tests by mutants:
//
//  1. Learn (question/asker.go) finds the observers that say something about objects.
//  2. plant puts mutants of the functions under test into one binary. judgeTests runs the hand-written
//     tests and the tests chosen so far against them; some mutants survive.
//  3. options tries the documentation's programs with one more option (options.go). killers runs cases that are no
//     tests yet (candidates, and those of packages boundary and complete) against the survivors. For each survivor that is killed, ownKillers picks the cases that show it best;
//     the reducer shortens them and drops those whose mutants others kill as well. Cases that
//     reach what survives then go on by further calls, which may show it (sequel.go).
//  4. chooseFields (fields.go) chooses the fields of large results that a test must assert to notice
//     its mutants.
//  5. respell (respell.go) gives tests plainer values if they still kill as much.
//  6. Calls on containers in standard states are added (standard.go), and calls with texts as people
//     write them (samples.go). Where only texts that nobody would write show something, other texts
//     are tried in their place (everyday.go). needed (needed.go) drops the tests that nobody would
//     miss; of two equals a test on another object goes before one on a standard state.
//
// Tests chosen by coverage go everywhere but need not notice what the code does there. Mutants check
// that they do. The mutants that survive the reduced suite are tried on the cases that the reducer
// dropped and on values that random sequences made, and a case that kills one becomes a test. (Fraser
// and Zeller, ISSTA 2010, choose inputs and assertions in this way.)

// fewestRuns is how often all tests must be able to run in the time left before mutants may choose
// tests. Tests that wait take too long for that.
const fewestRuns = 5

// maxCandidates is how many cases are tried on the mutants that survive.
const maxCandidates = 500

// addKillers adds cases that kill mutants which the tests let survive, makes tests ask observers, gives
// them plainer values, and drops those that nobody would miss.
//
// Mutants are not used if there is hardly time for them; then only observers are added. A case that
// changes variables of the package is run against no mutant, because another case would see what it
// leaves: it is chosen by what it covers and how it ends.
func (ch *chooser) addKillers(ctx context.Context) error {
	m := &mutantChooser{chooser: ch, observers: question.New(ch.Session, ch.bench, ch.parts.Givers, ch.how.Pure), public: make(map[int]bool)}
	m.observers.Table.Distrust(ch.Findings)
	for _, c := range ch.Tests {
		if c.Story != nil && c.Story.Absent > 0 {
			m.observers.Table.Learn(c.Seq.At(c.Story.Absent).Op, c.Observed.Results[c.Story.Absent])
		}
	}
	ch.parts.LearnRecipes(slices.Concat(ch.Tests, ch.given.Ran))
	var err error
	// Calls that wait would take all the time of these steps, and without time for mutants the tests are far worse.
	part, cancel := session.PartOf(ctx, containersShare)
	m.standard, err = ch.containers(part, m.observers)
	cancel()
	if err != nil {
		return err
	}
	ch.took("containers")
	samples, err := ch.samples(ctx)
	if err != nil {
		return err
	}
	ch.dropSteps(samples.cases)
	m.standard = m.standard.union(samples).union(ch.programs())
	ch.took("samples")
	part, cancel = session.PartOf(ctx, valuesShare)
	valued, err := ch.withValues(part)
	cancel()
	if err != nil {
		return err
	}
	ch.took("values")
	part, cancel = session.PartOf(ctx, statesShare)
	m.grown, err = m.grow(part)
	cancel()
	if err != nil {
		return err
	}
	ch.took("further states")
	part, cancel = session.PartOf(ctx, observersShare)
	err = m.observers.Learn(part, slices.Concat(ch.Tests, m.standard.cases, valued, m.grown))
	cancel()
	if err != nil {
		return err
	}
	if err := m.findHidden(ctx, slices.Concat(ch.Tests, m.standard.cases, valued, m.grown)); err != nil {
		return err
	}
	ch.took("observers")
	m.Debug("stages", "%s: choose: %s left to choose", m.Pkg.Path, time.Until(session.DeadlineOf(ctx)).Round(time.Millisecond))
	if m.shown, err = m.observers.Tests(ctx, ch.Tests); err != nil {
		return err
	}
	ch.took("asking observers")
	ran, err := ch.timeOf(ctx, m.shown)
	if err != nil {
		return err
	}
	left := time.Until(session.DeadlineOf(ctx))
	switch {
	case ch.given.Mutants == nil || len(ch.Tests) == 0:
	case left < 2*ch.bench.BuildTime || left < fewestRuns*ran:
		ch.MarkPartial()
	default:
		if err := m.byMutants(ctx); err != nil {
			return err
		}
	}
	if !m.chosen {
		if err := m.withoutMutants(ctx, slices.Concat(valued, m.grown)); err != nil {
			return err
		}
	}
	ch.Unseen = outcome.Unseen(slices.Concat(ch.given.Tests, m.shown, m.standard.cases))
	ctx, cancel = ch.naming(ctx)
	defer cancel()
	m.Calls, err = m.observers.Calls(ctx, ch.Tests, ch.given.Ran)
	ch.took("learning for names")
	return err
}

// withoutMutants chooses tests if there is no time for mutants. The parameter changing has calls that may change objects.
func (m *mutantChooser) withoutMutants(ctx context.Context, changing []*testcase.Case) error {
	var err error
	// The observers' answers show what the calls did, also without mutants.
	if m.standard, err = m.standard.shown(ctx, m.observers); err != nil {
		return err
	}
	tests := append(m.plainer(ctx, m.shown), m.standard.cases...)
	m.took("plainer values without mutants")
	if tests, err = m.addChanges(ctx, tests, changing); err != nil {
		return err
	}
	m.took("changes of state without mutants")
	m.Tests, _ = m.needed(tests, make([][]int, len(tests)))
	m.took("choosing without mutants")
	m.Typical = m.typical
	return nil
}

// timeOf returns how long tests take to run, all of them once. Asking observers says nothing of it: that may build the package
// anew.
func (ch *chooser) timeOf(ctx context.Context, tests []*testcase.Case) (time.Duration, error) {
	var seqs []*testcase.Sequence
	for _, c := range tests {
		seqs = append(seqs, c.Seq)
	}
	start := time.Now()
	_, err := ch.bench.Proposals(true).Run(ctx, seqs)
	return time.Since(start), ch.UnlessCut(err)
}

// The part of the time left that a step before the choice by mutants may take: 5 stands for a fifth.
const (
	containersShare = 5
	scenariosShare  = 4
	valuesShare     = 8
	statesShare     = 5
	observersShare  = 3
)

// naming returns the context in which names are learnt. It lasts a moment even if the time for choosing is over,
// because without the objects' states before the calls names can only repeat the inputs.
func (ch *chooser) naming(ctx context.Context) (context.Context, context.CancelFunc) {
	const longest = 2 * time.Second
	least := time.Now().Add(min(ch.Config.Bound()/20, longest))
	if session.DeadlineOf(ctx).After(least) || ctx.Err() != nil && ch.User.Err() != nil {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(context.WithoutCancel(ctx), least)
}

// plainer returns the tests with plainer values if there are no mutants to say which values have to
// stay. It may take half of the time that is left for choosing, and a moment even if none is left, and keeps the
// tests that it has changed by then.
func (m *mutantChooser) plainer(ctx context.Context, tests []*testcase.Case) []*testcase.Case {
	least := min(m.Config.Bound()/20, time.Second) // without it the tests have what solvers leave behind
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), max(least, time.Until(session.DeadlineOf(ctx))/2))
	defer cancel()
	plain := &mutantChooser{chooser: m.chooser, observers: m.observers, public: m.public} // knows of no mutants
	err := m.RunOrLeave(ctx, func() (func(), error) {
		respelled, _, err := plain.respell(ctx, tests, make([][]int, len(tests)))
		if err == nil {
			respelled, _, err = plain.withContent(ctx, respelled, make([][]int, len(tests)))
		}
		return func() { tests = respelled }, err
	})
	if err != nil {
		m.MarkPartial()
		m.Warn("giving tests plainer values: %v", err)
	}
	return tests
}

// byMutants chooses tests by the mutants that they notice. It does so for all tests or for none; only what makes the chosen
// tests plainer may be left out. It may take most of the time that
// is left for choosing, because nothing else waits for it.
func (m *mutantChooser) byMutants(ctx context.Context) error {
	running, stop := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))*9/10) // what was found by then is still to be compared
	defer stop()
	// If time runs out the caller goes on while this goroutine is still running, so each works on a
	// state of its own.
	own := *m
	return m.RunOrLeave(ctx, func() (func(), error) {
		tests, kills, err := own.choose(running)
		if err != nil {
			return func() {}, err
		}
		return func() { m.Tests, m.Kills, m.chosen, m.Typical, m.Idle = tests, kills, true, own.typical, own.idlers }, nil
	})
}

// mutantChooser chooses tests by the mutants that they notice.
type mutantChooser struct {
	*chooser
	observers *question.Asker
	shown     []*testcase.Case                // the tests with observers behind their calls
	standard  standard                        // calls on containers in the states that people test
	grown     []*testcase.Case                // calls on objects in further states
	planted   *mutate.Analysis                // the package with mutants compiled into it
	ofMutants []mutate.Verdict                // what the present tests say of each mutant
	seesAll   bool                            // unexported fields count when killers are looked for
	public    map[int]bool                    // mutants that some case notices by what users see, by ID
	noticed   map[int]bool                    // mutants that tests let survive and cases found since then notice, by ID
	chosen    bool                            // the tests were chosen by mutants
	typical   map[*testcase.Sequence]bool     // the tests that show best what an exported function is for
	best      map[*testcase.Case]bool         // the first choice of these for each function
	changes   map[*testcase.Sequence][]string // what tests show of changes in objects, where no mutants choose

	optioned map[string]bool         // functions that programs are tried with as one option more
	home     testcase.Cover          // blocks of exported functions that tests of these functions cover
	idlers   map[string]bool         // functions of which tests were idle, and none was not
	idle     map[*testcase.Case]bool // tests that would also pass if their function did nothing, or nil if this is not known
}

// choose returns the tests to write, and the mutants that each of them kills.
func (m *mutantChooser) choose(ctx context.Context) (tests []*testcase.Case, kills map[*testcase.Sequence][]int, err error) {
	began := time.Now()
	took := func(what string) {
		m.Debug("stages", "%s: choose: %s took %s", m.Pkg.Path, what, time.Since(began).Round(time.Millisecond))
		began = time.Now()
	}
	candidates, edges, err := m.further(ctx)
	if err != nil {
		return nil, nil, err
	}
	further := m.furtherCalls(slices.Concat(slices.DeleteFunc(slices.Clone(m.given.Tests), func(c *testcase.Case) bool { return !isProgram(c) }), m.Tests, candidates))
	if err := m.plant(ctx, slices.Concat(candidates, m.standard.cases), furtherOperations(further)); err != nil {
		return nil, nil, err
	}
	defer m.planted.Close() // a failure leaves nothing but temporary files behind
	took("planting mutants")
	tests = m.shown
	if err := m.judgeTests(ctx, tests); err != nil {
		return nil, nil, err
	}
	took("judging tests")
	options, err := m.optionsInTime(ctx, further)
	if err != nil {
		return nil, nil, err
	}
	took("options")
	killers, err := m.killersInTime(ctx, candidates, nil)
	if err != nil {
		return nil, nil, err
	}
	took("finding killers")
	sequels, err := m.sequelsInTime(ctx, m.basesOf(slices.Concat(m.Tests, killers, m.standard.cases, edges), candidates), further)
	if err != nil {
		return nil, nil, err
	}
	// What no case shows to users, cases show in unexported fields.
	m.seesAll = true
	private, err := m.killersInTime(ctx, slices.Concat(candidates, slices.DeleteFunc(slices.Clone(m.grown), m.unjudged)), nil)
	if err != nil {
		return nil, nil, err
	}
	took("what only fields show")
	killers = slices.Concat(options, killers, sequels, private)
	if killers, err = m.observers.Tests(ctx, killers); err != nil {
		return nil, nil, err
	}
	took("going on behind calls")
	all := slices.Concat(tests, killers)
	ids, err := m.fieldsInTime(ctx, all)
	if err != nil {
		return nil, nil, err
	}
	took("choosing fields")
	if all, ids, err = m.polish(ctx, all, ids, took); err != nil {
		return nil, nil, err
	}
	needed, ids, err := m.keepInTime(ctx, all, ids)
	took("plainer values of what is kept")
	if err != nil {
		return nil, nil, err
	}
	needed, ids = m.withoutOddities(needed, ids)
	if needed, err = m.trimmed(ctx, needed); err != nil {
		return nil, nil, err
	}
	sum := mutate.Sum(m.ofMutants)
	m.Debug("stages", "%s: the tests kill %d of %d mutants; of %d further cases, %d kill more; %d tests are not needed", m.Pkg.Path,
		sum.Killed, sum.Mutants, len(candidates), len(killers), len(all)-len(needed))
	return needed, bySequence(needed, ids), nil
}

// further returns cases that may notice more than the tests do: at boundaries (edges), those that engines found and that were not needed, and
// with values in all fields.
func (m *mutantChooser) further(ctx context.Context) (all, edges []*testcase.Case, err error) {
	if edges, err = boundary.Cases(ctx, m.Pkg, m.bench, m.Tests, 0); err != nil {
		return nil, nil, err
	}
	fuller, err := complete.Cases(ctx, m.Pkg, m.bench, slices.Concat(m.Tests, m.standard.cases), m.parts.Object)
	if err != nil {
		return nil, nil, err
	}
	if edges, err = m.validOnes(ctx, edges); err != nil {
		return nil, nil, err
	}
	if fuller, err = m.validOnes(ctx, fuller); err != nil {
		return nil, nil, err
	}
	m.showFuller(fuller)
	all, err = m.validOnes(ctx, slices.Concat(edges, m.candidates()))
	return slices.Concat(all, fuller), edges, err
}

// mostFuller is how many calls with values in all fields are tried as tests for themselves, of a function that no other call shows at work;
// of others one is.
const mostFuller = 2

// showFuller adds calls with values in all fields to the standard ones. Where all other calls return nothing, or what is written for nothing,
// or pass nothing, these show what a function is for.
func (m *mutantChooser) showFuller(fuller []*testcase.Case) {
	shows := func(c *testcase.Case) bool {
		return m.given.Exported[c.Target] && c.Observed.Status == testcase.Returned && !outcome.HasError(c) && !outcome.ReturnsNothing(c) && !outcome.ReturnsEmpty(c) &&
			!outcome.IsHollow(c) && !outcome.IsMisprinted(c) && !outcome.AssertsNothing(c) && !outcome.IsLong(c)
	}
	works := make(map[string]bool)
	for _, c := range slices.Concat(m.Tests, m.standard.cases) {
		works[c.Target] = works[c.Target] || shows(c)
	}
	if m.standard.state == nil {
		m.standard.state = make(map[*testcase.Case]container.State)
	}
	added := make(map[string]int)
	for _, c := range fuller {
		if !shows(c) || added[c.Target] == mostFuller || works[c.Target] && added[c.Target] > 0 {
			continue
		}
		added[c.Target]++
		m.standard.state[c] = container.Many
		m.standard.cases = append(m.standard.cases, c)
	}
}

// trimmed returns the tests that were chosen without what shows nothing any more.
func (m *mutantChooser) trimmed(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	out, err := m.observers.Told.Trimmed(ctx, tests)
	if err != nil {
		return nil, err
	}
	for i, c := range tests {
		if m.typical[c.Seq] {
			m.typical[out[i].Seq] = true
		}
	}
	return out, nil
}

// polish gives the tests that were chosen plainer values, and adds calls on standard states, samples and calls with everyday
// texts. A step for which there is no time is left out: tests that were chosen by mutants are better without it than
// tests that were chosen without mutants. The steps' results do not depend on the time unless it runs out.
func (m *mutantChooser) polish(ctx context.Context, all []*testcase.Case, ids [][]int, took func(string)) ([]*testcase.Case, [][]int, error) {
	type step func(context.Context) ([]*testcase.Case, [][]int, error)
	var noticed [][]int // the mutants that the calls in standard states notice
	was := m.standard
	m.standard = standard{state: was.state}
	for _, s := range []struct {
		name string
		run  step
		use  func([]*testcase.Case, [][]int)
		late func()
	}{
		{"standard states and samples", func(ctx context.Context) ([]*testcase.Case, [][]int, error) {
			shown, err := was.shown(ctx, m.observers)
			if err != nil {
				return nil, nil, err
			}
			kills, err := m.chooseFields(ctx, shown.cases, nil)
			was = shown
			return shown.cases, kills, err
		}, func(_ []*testcase.Case, kills [][]int) { m.standard, noticed = was, kills },
			// Without their mutants these calls still have what people pass and look for.
			func() { m.standard, noticed = was, make([][]int, len(was.cases)) }},
		{"plainer values", func(ctx context.Context) ([]*testcase.Case, [][]int, error) { return m.respell(ctx, all, ids) },
			func(tests []*testcase.Case, kills [][]int) { all, ids = tests, kills }, nil},
		{"real parts", func(ctx context.Context) ([]*testcase.Case, [][]int, error) {
			kills, err := m.realParts(ctx, noticed)
			return nil, kills, err
		}, func(_ []*testcase.Case, kills [][]int) { noticed = kills }, nil},
		{"everyday texts in place of noise", func(ctx context.Context) ([]*testcase.Case, [][]int, error) {
			all, ids = slices.Concat(all, m.standard.cases), slices.Concat(ids, noticed) // whether there is time for the step or not
			return m.supplant(ctx, all, ids)
		}, func(tests []*testcase.Case, kills [][]int) {
			all, ids = slices.Concat(all, tests), slices.Concat(ids, kills)
		}, nil},
		{"tests that notice nothing", func(ctx context.Context) ([]*testcase.Case, [][]int, error) { return nil, nil, m.findIdle(ctx, all) },
			func([]*testcase.Case, [][]int) {}, nil},
	} {
		tests, kills, late, err := inTime(ctx, s.run)
		switch {
		case late:
			m.MarkPartial()
			m.Debug("stages", "%s: choose: no time for %s", m.Pkg.Path, s.name)
			if s.late != nil {
				s.late()
			}
		case err != nil:
			return nil, nil, err
		default:
			s.use(tests, kills)
		}
		took(s.name)
	}
	return all, ids, nil
}

// keepInTime does the same as keep, without the second round of plainer values if there is no time for it.
func (m *mutantChooser) keepInTime(ctx context.Context, tests []*testcase.Case, kills [][]int) ([]*testcase.Case, [][]int, error) {
	needed, ids, late, err := inTime(ctx, func(ctx context.Context) ([]*testcase.Case, [][]int, error) { return m.keep(ctx, tests, kills) })
	if late {
		m.MarkPartial()
		needed, ids = m.needed(tests, kills)
		return needed, ids, nil
	}
	return needed, ids, err
}

// fieldsInTime does the same as chooseFields with all mutants. If there is no time for all of it, the tests assert all fields,
// and kill what is known by then.
func (m *mutantChooser) fieldsInTime(ctx context.Context, tests []*testcase.Case) ([][]int, error) {
	_, kills, late, err := inTime(ctx, func(ctx context.Context) ([]*testcase.Case, [][]int, error) {
		kills, err := m.chooseFields(ctx, tests, nil)
		return nil, kills, err
	})
	if !late {
		return kills, err
	}
	m.MarkPartial()
	m.Debug("stages", "%s: choose: no time for all fields", m.Pkg.Path)
	return kills, nil
}

// inTime calls a step of choosing with half of the time that is left, and reports whether that was too short. What the step
// returned is unfinished then.
func inTime(ctx context.Context, step func(context.Context) ([]*testcase.Case, [][]int, error)) (tests []*testcase.Case, kills [][]int, late bool, err error) {
	part, cancel := session.PartOf(ctx, 2)
	defer cancel()
	tests, kills, err = step(part)
	return tests, kills, err != nil && part.Err() != nil && !errors.Is(ctx.Err(), context.Canceled), err
}

// bySequence returns the mutants that tests kill by the sequences of the tests.
func bySequence(tests []*testcase.Case, kills [][]int) map[*testcase.Sequence][]int {
	out := make(map[*testcase.Sequence][]int)
	for i, c := range tests {
		out[c.Seq] = kills[i]
	}
	return out
}

// plant builds the package with mutants in it. The binary can run the tests, the candidates, the observers
// behind them and the further operations.
func (m *mutantChooser) plant(ctx context.Context, candidates []*testcase.Case, further []*testcase.Operation) error {
	planting := *m.given.Mutants
	planting.Needs = append(slices.Clone(planting.Needs), further...)
	for _, c := range slices.Concat(m.Tests, candidates) {
		for i := range c.Seq.Len() {
			planting.Needs = append(planting.Needs, c.Seq.At(i).Op)
		}
	}
	planting.Needs = append(planting.Needs, plain.Operations(m.Pkg)...)
	planting.Needs = append(planting.Needs, complete.Operations(m.Pkg, slices.Concat(m.Tests, candidates))...)
	planting.Needs = append(planting.Needs, m.observers.Operations()...)
	planting.Needs = append(planting.Needs, m.parts.Operations(slices.Concat(m.Tests, candidates))...)
	planting.Needs = append(planting.Needs, m.observers.Recording.Operations(slices.Concat(m.Tests, candidates))...)
	planting.Needs = append(planting.Needs, told.OutputReads(planting.Needs)...)
	planting.Needs = append(planting.Needs, m.observers.Told.Operations(planting.Needs)...)
	var err error
	m.planted, err = mutate.Build(ctx, m.Prog, m.Pkg, planting)
	return err
}

// judgeTests finds out which mutants the hand-written tests and the tests chosen so far kill. Some tests are not asked, so that
// the mutants which they alone would kill are looked for with other calls: a test that compares nothing will not be written; a test
// with very many steps is not read; and what shows in unexported fields alone may show to users behind further calls.
//
// The mutants are judged in parts that are spread over the source. If the first parts take long, the others are left out:
// to choose by some of the mutants is better than to have no time left to choose by all.
func (m *mutantChooser) judgeTests(ctx context.Context, tests []*testcase.Case) error {
	var err error
	if m.ofMutants, err = m.planted.Suite(ctx, mutate.Options{}); err != nil {
		return err
	}
	telling := slices.DeleteFunc(slices.Clone(tests), func(c *testcase.Case) bool { return outcome.AssertsNothing(c) || outcome.IsLong(c) })
	const parts = 8
	limit := time.Now().Add(time.Until(session.DeadlineOf(ctx)) / 4)
	for part := range parts {
		if part > 0 && time.Now().After(limit) {
			m.MarkPartial()
			m.planted.Restrict(func(id int) bool { return id%parts < part })
			for i := range m.ofMutants {
				m.ofMutants[i].Run = m.ofMutants[i].Run && (i+1)%parts < part
			}
			m.Debug("stages", "%s: choose: %d of %d parts of the mutants are used", m.Pkg.Path, part, parts)
			break
		}
		after, err := m.planted.Cases(ctx, telling, mutate.Options{Public: true, Only: func(id int) bool { return id%parts == part && m.survives(id) }})
		if err != nil {
			return err
		}
		for i := range after {
			if after[i].Killed {
				m.ofMutants[i] = after[i]
			}
		}
	}
	return nil
}

// unjudged reports whether a case is run against no mutant. Either there are no mutants, or the case changes
// variables of the package, and then no other case could run behind it.
func (m *mutantChooser) unjudged(c *testcase.Case) bool {
	return m.planted == nil || m.bench.Stateful() && m.bench.Changes(c.Seq)
}

// survives reports whether a mutant ran and no test or case so far notices it.
func (m *mutantChooser) survives(id int) bool {
	return m.ofMutants[id-1].Run && !m.ofMutants[id-1].Killed && !m.noticed[id]
}

// killsOf returns for each case the surviving mutants that this case should be chosen for: the mutants whose
// ownKillers it is among. Unexported fields count only if seesAll is set. The parameter pair reports which mutants matter for a case; if it is nil, all do.
func (m *mutantChooser) killsOf(ctx context.Context, cases []*testcase.Case, pair func(c *testcase.Case, id int) bool) ([][]int, error) {
	shown, err := m.observers.Tests(ctx, cases)
	if err != nil {
		return nil, err
	}
	opt := mutate.Options{All: true, Public: !m.seesAll, Most: enoughKillers, Only: m.survives}
	if pair != nil {
		opt.Pair = func(k, id int) bool { return pair(cases[k], id) }
	}
	verdicts, err := m.planted.Cases(ctx, shown, opt)
	out := make([][]int, len(cases))
	for _, v := range verdicts {
		for _, k := range m.ownKillers(v, cases) {
			out[k] = append(out[k], v.Mutant.ID)
		}
	}
	return out, err
}

// killersInTime calls killers with a third of the time that is left, and returns no killers if that time is
// too short. Without this bound candidates whose calls wait would take all the time, and then no test would
// be chosen by mutants.
func (m *mutantChooser) killersInTime(ctx context.Context, candidates []*testcase.Case, pair func(c *testcase.Case, id int) bool) ([]*testcase.Case, error) {
	killers, cut, err := m.inThird(ctx, func(ctx context.Context) ([]*testcase.Case, error) { return m.killers(ctx, candidates, pair) })
	if cut {
		return nil, nil
	}
	return killers, err
}

// inThird calls find with a third of the time that is left, and reports whether that time was too short. If it was, what find
// returned is incomplete, and its error is no error.
func (m *mutantChooser) inThird(ctx context.Context, find func(context.Context) ([]*testcase.Case, error)) (_ []*testcase.Case, cut bool, _ error) {
	most, cancel := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))/3)
	defer cancel()
	out, err := find(most)
	if most.Err() != nil && ctx.Err() == nil {
		m.MarkPartial()
		return out, true, nil
	}
	return out, false, err
}

// killers returns, shortened, the candidates that kill mutants which have survived so far. The parameter pair
// reports which mutants matter for a candidate; if it is nil, all do.
func (m *mutantChooser) killers(ctx context.Context, candidates []*testcase.Case, pair func(c *testcase.Case, id int) bool) ([]*testcase.Case, error) {
	// Of a test with very many steps mutants do not count, and a few further calls may show as much.
	candidates, err := m.observed(ctx, slices.DeleteFunc(slices.Clone(candidates), outcome.IsLong))
	if err != nil {
		return nil, err
	}
	// What was tried in half of the time is worth more than nothing: the shortest candidates come first.
	part, cancel := session.PartOf(ctx, 2)
	defer cancel()
	tried, err := m.killsOf(part, candidates, pair)
	switch {
	case err != nil && part.Err() != nil && ctx.Err() == nil:
		m.MarkPartial()
	case err != nil:
		return nil, err
	}
	first := make(map[int]bool) // mutants that a chosen candidate kills
	var chosen []*testcase.Case
	for i, ids := range tried {
		if news := slices.DeleteFunc(slices.Clone(ids), func(id int) bool { return first[id] }); len(news) > 0 {
			for _, id := range news {
				first[id] = true
			}
			chosen = append(chosen, candidates[i])
		}
	}
	cfg := m.how
	cfg.Covered = slices.Clone(cfg.Covered) // the chosen cases are kept for their mutants alone
	cfg.Covered.Union(testcase.CoverOf(m.Tests))
	cfg.Kills = func(ctx context.Context, cases []*testcase.Case) ([][]int, error) { return m.killsOf(ctx, cases, nil) }
	killers, _, err := reduce.Cases(ctx, chosen, m.bench.Proposals(false), cfg)
	if err != nil {
		return nil, fmt.Errorf("reducing tests that kill mutants: %w", err)
	}
	m.found(first)
	return killers, nil
}

// observed returns the cases whose outcomes make them fit to be tests. Cases that have not run yet are run
// first, because observers can be asked behind a call only if the call is known to return.
func (m *mutantChooser) observed(ctx context.Context, cases []*testcase.Case) ([]*testcase.Case, error) {
	cases = slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return c.Observed == nil && m.unjudged(c) })
	var seqs []*testcase.Sequence
	for _, c := range cases {
		if c.Observed == nil {
			seqs = append(seqs, c.Seq)
		}
	}
	outcomes, err := m.bench.Proposals(true).Run(ctx, seqs)
	if err != nil {
		return nil, err
	}
	var out []*testcase.Case
	n := 0
	for _, c := range cases {
		d := c
		if c.Observed == nil {
			copied := *c
			d = &copied
			d.Observed = outcomes[n]
			n++
		}
		if judged, f := m.bench.Judge.Case(d); judged == "" && f == nil {
			out = append(out, d)
		}
	}
	return out, nil
}

// ownKillers returns the numbers of the cases that show best that a mutant is killed: the first of
// these groups that is not empty. Cases that build no object by hand come first, because they make
// objects as users do. Within them cases of the mutant's own function come first, because a reader
// looks there for what the function does.
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

// candidates returns cases that are no tests yet, the shortest first; cases that build states by hand
// come last.
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

// enoughKillers is after how many killing tests the search for a mutant stops. Only one of them will be
// written, and running every test against every mutant would take (tests × mutants) runs.
const enoughKillers = 8
