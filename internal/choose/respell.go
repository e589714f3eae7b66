package choose

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/goassay/assay/internal/choose/alone"
	"github.com/goassay/assay/internal/choose/crossed"
	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/choose/question"
	"github.com/goassay/assay/internal/choose/told"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// respell gives tests plainer values: numbers and texts that are distinct and not zero, so that a value that
// is swapped, dropped or never computed shows. Package plain proposes them. Each proposal is run, and
// replaces the test only if it covers the same, ends in the same way and kills at least the same mutants; a
// value at a boundary therefore stays. Without mutants, a proposal has to take the same way through the
// function instead. respell may take most of the time that is left, and keeps the tests that it has changed
// by then. On an error it returns the tests as they were before the error.
func (m *mutantChooser) respell(ctx context.Context, tests []*testcase.Case, kills [][]int) ([]*testcase.Case, [][]int, error) {
	return m.respellAs(ctx, tests, kills, &respelling{})
}

// respellAs is respell, for the kind of tests that r says.
func (m *mutantChooser) respellAs(ctx context.Context, tests []*testcase.Case, kills [][]int, r *respelling) ([]*testcase.Case, [][]int, error) {
	r.tests, r.kills, r.long = slices.Clone(tests), slices.Clone(kills), make([]int, len(tests))
	most, cancel := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))*6/10)
	defer cancel()
	err := m.steps(most, tests, r)
	if most.Err() != nil && ctx.Err() == nil {
		m.MarkPartial()
		err = nil
	}
	if err != nil {
		return r.tests, r.kills, err
	}
	return r.tests, r.kills, m.runAgain(ctx, tests, kills, r)
}

// steps tries all proposals, one kind after the other. The parameter first holds the tests as they were
// before any proposal.
func (m *mutantChooser) steps(ctx context.Context, first []*testcase.Case, r *respelling) error {
	fixed := r.fixed
	r.whole, r.fixed = true, nil // samples are documents' texts that were changed in one place
	for _, ways := range [][]plain.Way{plain.ShorterTexts(), plain.ShorterRuns(), plain.PaddedTexts()} {
		if err := m.step(ctx, ways, r); err != nil {
			return err
		}
	}
	r.whole, r.fixed = false, fixed
	steps := slices.Concat(m.parts.Ways(), [][]plain.Way{{told.Outputs}}, plain.Steps())
	var pairs []plain.Way
	for n := range container.MostPairs {
		pairs = append(pairs, container.Pair(n))
	}
	steps = append(steps, pairs)
	for n := range mostDropped {
		steps = append(steps, []plain.Way{without(n)})
	}
	steps = append(steps, m.parts.Passed()...) // of elements that differ now
	for _, ways := range steps {
		if err := m.step(ctx, ways, r); err != nil {
			return err
		}
	}
	for n := range plain.MostWritten {
		if err := m.step(ctx, []plain.Way{plain.Written(n)}, r); err != nil {
			return err
		}
	}
	if err := m.inverse(ctx, r); err != nil {
		return err
	}
	accepted := m.acceptedBy(r.tests)
	for n := range mostAccepted {
		if err := m.step(ctx, []plain.Way{accepted.prepared(n)}, r); err != nil {
			return err
		}
	}
	if err := m.bare(ctx, r); err != nil {
		return err
	}
	if err := m.tidy(ctx, r); err != nil {
		return err
	}
	if r.kept {
		return nil // larger values were tried before
	}
	r.wants = func(i int) bool { return outcome.SameResults(first[i], r.tests[i]) || outcome.Zeros(r.tests[i]) > 0 }
	r.fits = func(i int, proposed *testcase.Case) bool {
		now := r.tests[i]
		return !outcome.SameResults(now, proposed) && (outcome.SameResults(first[i], now) || outcome.Zeros(proposed) < outcome.Zeros(now))
	}
	for _, ways := range plain.Telling() {
		if err := m.step(ctx, ways, r); err != nil {
			return err
		}
	}
	return nil
}

// inverse passes texts that the package prints to the functions that read them, in samples as well: where a sample's text is at fault in
// several places, a printed one that is at fault in one says more.
func (m *mutantChooser) inverse(ctx context.Context, r *respelling) error {
	fixed := r.fixed
	r.fixed = nil
	defer func() { r.fixed = fixed }()
	printed := plain.PrintedBy(m.Pkg, r.tests, m.given.Ran)
	for n := range plain.MostInverse {
		if err := m.step(ctx, []plain.Way{printed.Inverse(n)}, r); err != nil {
			return err
		}
	}
	return nil
}

// accepted has, by function, the texts that its tests pass to it and that it accepts, the plainest first.
type accepted map[string][]string

// mostAccepted is how many of the texts that a function accepts are tried in the preparing calls of other tests.
const mostAccepted = 2

// usualFirst is more than any strangeness, so that a text which users have comes before all others.
const usualFirst = 1 << 20

// acceptedBy returns the texts that the tests of each function pass to it and that it accepts.
func (m *mutantChooser) acceptedBy(tests []*testcase.Case) accepted {
	out := make(accepted)
	byPlainness := slices.Clone(tests)
	strange := make(map[*testcase.Case]int)
	for _, c := range tests {
		strange[c] = plain.Strangeness(m.Pkg, c)
		if m.isUsual(c) {
			strange[c] -= usualFirst
		}
	}
	slices.SortStableFunc(byPlainness, func(a, b *testcase.Case) int { return strange[a] - strange[b] })
	for _, c := range byPlainness {
		args := c.Seq.At(c.TargetStmt()).Args
		if c.Observed.Status != testcase.Returned || outcome.HasError(c) || len(args) != 1 {
			continue
		}
		if text, ok := plain.TextOf(m.Pkg, c.Seq, args[0].Stmt); ok && text != "" && len(out[c.Target]) < mostAccepted && !slices.Contains(out[c.Target], text) {
			out[c.Target] = append(out[c.Target], text)
		}
	}
	return out
}

// prepared returns a way that passes the n-th of these texts to calls which prepare a case: v := Parse("1.2") in place of
// v := Parse("0.0").
func (a accepted) prepared(n int) plain.Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		seq, changed := c.Seq, false
		for i := range c.TargetStmt() {
			st := seq.At(i)
			if st.Op.Kind != testcase.OpFunc || len(st.Args) != 1 {
				continue
			}
			texts := a[testcase.TargetName(st.Op.Func)]
			text, ok := plain.TextOf(pkg, seq, st.Args[0].Stmt)
			if !ok || n >= len(texts) || slices.Contains(texts, text) {
				continue
			}
			if other, ok := plain.WithText(seq, st.Args[0].Stmt, texts[n]); ok && other.Len() == seq.Len() {
				seq, changed = other, true
			}
		}
		return seq, changed
	}
}

// bare leaves out the fields of structs that change nothing of what a case returns, and arguments that nothing looks at.
func (m *mutantChooser) bare(ctx context.Context, r *respelling) error {
	r.fits = func(i int, proposed *testcase.Case) bool {
		return outcome.EveryResultAlike(r.tests[i], proposed) && outcome.LeavesAlike(r.tests[i], proposed)
	}
	if err := m.step(ctx, []plain.Way{alone.Idle(m.Prog.Fset, m.bench.Blocks())}, r); err != nil {
		return err
	}
	for n := plain.MostBare - 1; n >= 0; n-- {
		if err := m.step(ctx, []plain.Way{plain.Bare(n)}, r); err != nil {
			return err
		}
	}
	r.fits = nil
	return nil
}

// tidy leaves out what a call of the documentation does not need of the program around it, and computes neither the present
// moment nor the zone of one. The values of such a call are those that the authors have in mind, so they stay, and so does what the call
// returns.
func (m *mutantChooser) tidy(ctx context.Context, r *respelling) error {
	r.whole = true
	r.wants = func(i int) bool { return r.tests[i].Whole && r.tests[i].Engine == testcase.DocumentationContract }
	for _, way := range []plain.Way{plain.NotNow, plain.Zones} {
		if err := m.step(ctx, []plain.Way{way}, r); err != nil {
			return err
		}
	}
	r.fits = func(i int, proposed *testcase.Case) bool {
		if outcome.ReturnsNothing(proposed) {
			return outcome.EveryResultAlike(r.tests[i], proposed) // what it printed says whether a call was needed
		}
		return outcome.ResultsAlike(r.tests[i], proposed)
	}
	if err := m.step(ctx, []plain.Way{plain.Related}, r); err != nil {
		return err
	}
	for n := range mostDropped {
		if err := m.step(ctx, []plain.Way{without(n)}, r); err != nil {
			return err
		}
	}
	r.whole = false
	return nil
}

// certain are the ways whose values are plainer for any reader, and that need no mutants to say so: errors with a message, one kind
// of reader, objects by their constructors, stand-ins that return something, values that are only carried about. The first lists also pass a stand-in where a function of the package
// made another one for this call alone, and the very first one sets the fields of structs.
var certain = [][]plain.Way{
	{plain.Unnested, plain.Readers, plain.Direct, plain.Held, plain.Foreign, plain.Addressed, plain.Answers, plain.Errors, plain.Carried, plain.Filled},
	{plain.Unnested, plain.Readers, plain.Direct, plain.Held, plain.Foreign, plain.Addressed, plain.Answers, plain.Errors, plain.Carried},
	{plain.Unnested, plain.Readers, plain.Held, plain.Foreign, plain.Addressed, plain.Errors, plain.Carried},
}

// respellCertain gives tests the values of certain ways in a few runs, before anything that may lack time. A test takes them
// if its call ends as before and takes the same way through its function. Only a call that fails for want of a file may succeed with one.
func (ch *chooser) respellCertain(ctx context.Context) error {
	fills := make(map[string]bool) // functions that set the fields of what they are passed
	for _, c := range slices.Concat(ch.Tests, ch.given.Ran) {
		fills[c.Target] = fills[c.Target] || outcome.ChangesArgument(c)
	}
	succeeds := func(c, d *testcase.Case) bool { return outcome.HasError(c) && !outcome.HasError(d) }
	sameEnd := func(c, d *testcase.Case) bool { return outcome.HasError(d) == outcome.HasError(c) }
	same := func(c, d *testcase.Case) bool { return outcome.EveryResultAlike(c, d) && outcome.LeavesAlike(c, d) }
	for _, step := range []struct {
		lists [][]plain.Way
		fills map[string]bool
		alike func(c, d *testcase.Case) bool
	}{
		{[][]plain.Way{{ch.onDisk}}, nil, succeeds},
		{certain, fills, sameEnd},
		{[][]plain.Way{{crossed.Emptied(ch.parts.Givers)}}, nil, same},
		{[][]plain.Way{{plain.Relettered(true)}, {plain.Relettered(false)}}, nil, sameEnd},
		{[][]plain.Way{{plain.Messages}}, nil, sameEnd},
	} {
		if err := ch.firstOf(ctx, step.lists, step.fills, step.alike); err != nil {
			return err
		}
	}
	return nil
}

// onDisk is a way that passes directories and files of the test's own to calls which failed because their paths name nothing.
func (ch *chooser) onDisk(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	if len(ch.parts.Givers.Directories()) == 0 || c.Observed == nil || c.Observed.Status != testcase.Returned || !outcome.HasError(c) {
		return nil, false
	}
	if ch.paths == nil {
		ch.paths = purity.PathsOf(ch.Pkg)
	}
	return crossed.OnDisk(ch.paths, ch.parts.Givers, c)
}

// firstOf gives each test the values of the first of these lists of ways that fits. The parameter fills has the functions whose tests do
// not get those of the very first list. The outcomes of both have to be alike in the sense of the last parameter.
func (ch *chooser) firstOf(ctx context.Context, lists [][]plain.Way, fills map[string]bool, alike func(c, d *testcase.Case) bool) error {
	done := make([]bool, len(ch.Tests))
	for k, ways := range lists {
		var at []int
		var cases []*testcase.Case
		var seqs []*testcase.Sequence
		for i, c := range ch.Tests {
			if done[i] || c.Whole || c.Keep || c.Documented != "" || k == 0 && fills[c.Target] {
				continue
			}
			d := *c
			applyAll(ch.Pkg, &d, ways)
			if d.Seq != c.Seq && d.TargetStmt() == d.Seq.Len()-1 {
				d.Seq = reduce.Clean(d.Seq, ch.how.Pure) // of what made a function, only the calls that change something stay
			}
			if d.Seq != c.Seq {
				d.Predicted, d.Path, d.Observed = nil, nil, nil
				at, cases, seqs = append(at, i), append(cases, &d), append(seqs, d.Seq)
			}
		}
		outcomes, err := ch.bench.Proposals(true).Run(ctx, seqs)
		if err := ch.UnlessCut(err); err != nil {
			return fmt.Errorf("running tests with plainer values: %w", err)
		}
		fit := make(map[*testcase.Case]bool)
		for _, d := range ch.fitOrRefused(cases, outcomes) {
			fit[d] = true
		}
		for n, d := range cases {
			if c := ch.Tests[at[n]]; fit[d] && d.Observed.Status == c.Observed.Status && alike(c, d) && ch.takesSameWay(c, d) {
				ch.Tests[at[n]], done[at[n]] = d, true
			}
		}
	}
	return nil
}

// applyAll gives a case the values of all of these ways, one after the other, and reports whether any changed it.
func applyAll(pkg *load.Package, c *testcase.Case, ways []plain.Way) bool {
	changed := false
	for _, way := range ways {
		if seq, ok := way(pkg, c); ok {
			c.Seq, changed = seq, true
		}
	}
	return changed
}

// takesSameWay reports whether the call of a test covers all that another one's covers in their function.
func (ch *chooser) takesSameWay(c, d *testcase.Case) bool {
	for b, block := range ch.bench.Blocks() {
		if block.Func == c.Target && c.Observed.Cover.Has(b) && !d.Observed.Cover.Has(b) {
			return false
		}
	}
	return true
}

// realParts replaces stand-ins in the calls in standard states by functions and objects that people pass. The
// other values of these calls were chosen and stay. The parameter kills holds the mutants that the calls
// kill; realParts returns the mutants that the changed calls kill.
func (m *mutantChooser) realParts(ctx context.Context, kills [][]int) ([][]int, error) {
	was := m.standard
	r := &respelling{tests: slices.Clone(was.cases), kills: slices.Clone(kills), long: make([]int, len(was.cases))}
	for _, ways := range m.parts.Ways() {
		if err := m.step(ctx, ways, r); err != nil {
			return kills, err
		}
	}
	// The elements of containers were chosen, so only samples get other values where any value may be passed.
	r.wants = func(i int) bool { return was.state[was.cases[i]] == container.Many }
	if err := m.step(ctx, plain.AnythingElse(), r); err != nil {
		return kills, err
	}
	r.wants = nil
	for _, way := range []plain.Way{plain.Literals, plain.Fields, plain.Values, plain.Formats} {
		if err := m.step(ctx, []plain.Way{way}, r); err != nil {
			return kills, err
		}
	}
	if err := m.bare(ctx, r); err != nil {
		return kills, err
	}
	if err := m.runAgain(ctx, was.cases, kills, r); err != nil {
		return kills, err
	}
	m.standard = standard{cases: r.tests, state: make(map[*testcase.Case]container.State)}
	for i, c := range r.tests {
		m.standard.state[c] = was.state[was.cases[i]]
	}
	return r.kills, nil
}

// runAgain runs the tests with their new values once more in another process, and puts the first
// version back where the outcome differs there.
func (m *mutantChooser) runAgain(ctx context.Context, first []*testcase.Case, kills [][]int, r *respelling) error {
	var at []int
	var seqs []*testcase.Sequence
	for i, c := range r.tests {
		if c != first[i] && !first[i].Unsteady() {
			at, seqs = append(at, i), append(seqs, c.Seq)
		}
	}
	outcomes, err := m.bench.Runner(true).Run(ctx, seqs)
	if err != nil {
		return err
	}
	for k, i := range at {
		if o := outcomes[k]; o == nil || o.Unsteady(r.tests[i].TargetStmt()) || o.Status != r.tests[i].Observed.Status {
			r.tests[i], r.kills[i] = first[i], kills[i]
		}
	}
	return nil
}

// respelling holds the tests as they are so far, and the mutants that each of them kills.
type respelling struct {
	tests []*testcase.Case
	kills [][]int
	// long counts, for each test, the proposals that took long to run, for example because their calls wait.
	// After mostLong of them the test gets no further proposal, so that the other tests have time.
	long []int
	// wants reports which tests get proposals; nil means all. fits is an additional condition on
	// proposals; nil means none.
	wants  func(i int) bool
	fits   func(i int, proposed *testcase.Case) bool
	whole  bool   // tests whose inputs have to stay as they are get proposals, too
	fixed  []bool // which tests get no proposals; nil means none
	hollow bool   // what the tests leave hollow gets content, whether it makes a difference or not
	kept   bool   // the tests are those that are kept: what others cover as well none of them has to cover
}

// step gives each test the first of the ways whose proposal fits the test.
func (m *mutantChooser) step(ctx context.Context, ways []plain.Way, r *respelling) error {
	settled := make([]bool, len(r.tests))
	for _, way := range ways {
		if err := m.propose(ctx, way, r, settled); err != nil {
			return err
		}
	}
	return nil
}

// mostDropped is how many preparing calls of a test are tried to be left out.
const mostDropped = 6

// without returns a way that leaves out one preparing call, the n-th before the case's own counted from
// the end, if nothing uses its results. With other values, and beside the other tests, such a call may
// no longer be of use.
func without(n int) plain.Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		keep := make([]bool, c.Seq.Len())
		used := make([]bool, c.Seq.Len())
		seen, dropped := 0, false
		target := c.TargetStmt()
		for i := c.Seq.Len() - 1; i >= 0; i-- {
			st := c.Seq.At(i)
			keep[i] = true
			if k := st.Op.Kind; i < target && !used[i] && (k == testcase.OpMethod || k == testcase.OpFunc || k.Assigns()) {
				keep[i] = seen != n
				dropped = dropped || seen == n
				seen++
			}
			if keep[i] {
				for _, a := range st.Args {
					used[a.Stmt] = true
				}
			}
		}
		if !dropped {
			return nil, false
		}
		for i := range target {
			keep[i] = keep[i] && (used[i] || c.Seq.At(i).Op.Kind == testcase.OpMethod || c.Seq.At(i).Op.Kind.Assigns())
		}
		return c.Seq.Keep(keep)
	}
}

// propose tries one way on the tests that are not settled, and replaces each test whose proposal fits.
func (m *mutantChooser) propose(ctx context.Context, way plain.Way, r *respelling, settled []bool) error {
	tests, kills := r.tests, r.kills
	var at []int
	var seqs []*testcase.Sequence
	documented := make(map[string]bool) // calls that the tests make under the documentation's own names
	for _, c := range tests {
		if c.Documented != "" {
			documented[c.Seq.Key()] = true
		}
	}
	for i, c := range tests {
		if settled[i] || r.fixed != nil && r.fixed[i] || r.long[i] >= mostLong || r.wants != nil && !r.wants(i) || c.Whole && !r.whole || c.Observed.Status != testcase.Returned && c.Observed.Status != testcase.Panicked {
			continue
		}
		seq, ok := way(m.Pkg, c)
		if ok {
			seq = withoutIdleReads(c, seq)
		}
		if ok && !m.given.Disputed[seq.Key()] && !documented[seq.Key()] {
			at, seqs = append(at, i), append(seqs, seq)
		}
	}
	if len(at) == 0 {
		return nil
	}
	outcomes, err := m.runParts(ctx, at, seqs, r)
	if err != nil {
		return err
	}
	var proposed []*testcase.Case
	var index []int
	for k, i := range at {
		d := *tests[i]
		d.Seq, d.Observed, d.Predicted = seqs[k], outcomes[k], nil
		if !r.hollow && outcome.FillsInVain(tests[i], &d) || d.Observed != nil && !slices.Equal(question.AnswersOnOthers(tests[i]), question.AnswersOnOthers(&d)) {
			continue
		}
		if m.alike(tests[i], &d, r.kept) && (r.fits == nil || r.fits(i, &d)) {
			proposed, index = append(proposed, &d), append(index, i)
		}
	}
	invalid, err := m.onInvalid(ctx, proposed, false)
	if err := m.UnlessCut(err); err != nil {
		return err
	}
	ids := make([][]int, len(proposed))
	if m.planted != nil {
		killed := make(map[int]bool)
		for _, had := range kills {
			for _, id := range had {
				killed[id] = true
			}
		}
		// A proposal is run against the mutants that it has to kill and those that no test kills yet.
		pair := func(k, id int) bool { return !killed[id] || slices.Contains(kills[index[k]], id) }
		if ids, err = m.chooseFields(ctx, proposed, pair); err != nil {
			return err
		}
	}
	l := m.newLedger(tests, kills, r.kept)
	for k, i := range index {
		if !invalid[proposed[k]] && l.exchange(tests[i], proposed[k], kills[i], ids[k]) {
			tests[i], kills[i], settled[i] = proposed[k], ids[k], true
		}
	}
	return nil
}

// ledger counts what the tests cover and kill together, so that nothing is lost when one of them gets other values.
type ledger struct {
	m        *mutantChooser
	all      testcase.Cover // the blocks that count for any test
	covering []int          // for how many tests a block counts
	killing  map[int]int    // how many tests kill a mutant
	kept     bool           // the tests are those that are kept, so that it does not matter which of them kills a mutant
}

func (m *mutantChooser) newLedger(tests []*testcase.Case, kills [][]int, kept bool) *ledger {
	l := &ledger{m: m, kept: kept, all: m.ownOf(tests), covering: make([]int, len(m.bench.Blocks())), killing: make(map[int]int)}
	for i, c := range tests {
		counting := m.counting(c, l.all)
		for b := range l.covering {
			if counting.Has(b) {
				l.covering[b]++
			}
		}
		for _, id := range kills[i] {
			l.killing[id]++
		}
	}
	return l
}

// exchange counts a proposal, with the mutants that it kills, in place of a test, and reports false if something would be
// lost.
func (l *ledger) exchange(old, proposed *testcase.Case, had, ids []int) bool {
	lost := func(id int) bool { return !slices.Contains(ids, id) && !l.spares(old, id) }
	if slices.ContainsFunc(had, lost) || !replace(l.covering, l.m.counting(old, l.all), l.m.counting(proposed, l.all)) {
		return false
	}
	for _, id := range had {
		l.killing[id]--
	}
	for _, id := range ids {
		l.killing[id]++
	}
	return true
}

// spares reports whether a proposal need not kill a mutant that the old test kills: one in another function that other
// tests kill, too. The preparing calls of a test execute other functions, and the test need not notice all that these
// leave in an object. What nothing else notices it has to notice all the same: a test that looks an element up behind
// a call which removes it was chosen for that.
func (l *ledger) spares(old *testcase.Case, id int) bool {
	f := l.m.ofMutants[id-1].Mutant.Func
	return (l.kept || f != old.Target) && l.killing[id] > 1
}

// Bounds of how proposals run.
const (
	mostParts = 40          // parts in which the proposals for all tests run
	longPart  = time.Second // a part that takes at least as long has taken long
	mostLong  = 3           // how often a part may take long; once may be due to a busy machine
)

// runParts runs proposals for the tests at these numbers, in parts of one function or a few, and counts
// for each test how often its part took long. Each proposal runs once, unless runs are known to differ;
// the proposals that are taken run again in the end (runAgain).
func (m *mutantChooser) runParts(ctx context.Context, at []int, seqs []*testcase.Sequence, r *respelling) ([]*testcase.Outcome, error) {
	outcomes := make([]*testcase.Outcome, 0, len(seqs))
	atLeast := len(seqs) / mostParts
	for from := 0; from < len(seqs); {
		to := from + 1
		for to < len(seqs) && (to-from < atLeast || r.tests[at[to]].Target == r.tests[at[from]].Target) {
			to++
		}
		unstable := slices.ContainsFunc(at[from:to], func(i int) bool { return r.tests[i].Observed.Unstable })
		start := time.Now()
		part, err := m.bench.Proposals(unstable).Run(ctx, seqs[from:to])
		if err != nil {
			return nil, err
		}
		if time.Since(start) > longPart {
			for _, i := range at[from:to] {
				r.long[i]++
			}
		}
		outcomes = append(outcomes, part...)
		from = to
	}
	return outcomes, nil
}

// alike reports whether a proposal is a test that covers what the old test covers and ends in the same way. If kept is set,
// it need not cover the same.
func (m *mutantChooser) alike(old, proposed *testcase.Case, kept bool) bool {
	o := proposed.Observed
	if o == nil || o.Status != old.Observed.Status || proposed.Unsteady() && !old.Unsteady() || outcome.Class(old) != outcome.Class(proposed) && !outcome.AnswersMore(old, proposed) && (!m.parts.WritesObject(old) || m.parts.WritesObject(proposed)) {
		return false // an object that a call made may answer otherwise than one that is written by hand
	}
	if outcome.FailedBefore(m.Pkg, proposed) > outcome.FailedBefore(m.Pkg, old) {
		return false
	}
	if !kept && !m.coversOwn(o.Cover, old) || m.unjudged(old) && !m.coversOwn(old.Observed.Cover, proposed) {
		return false
	}
	verdict, f := m.bench.Judge.Case(proposed)
	return verdict == "" && (f == nil || o.Status == testcase.Panicked) // a proposal may panic if the old test shows that misuse is refused
}

// coversOwn reports whether an execution covers all that an old execution covered of the functions that the
// case is about. Blocks of preparing calls do not count, because such calls may be left out.
func (m *mutantChooser) coversOwn(cover testcase.Cover, old *testcase.Case) bool {
	for i, b := range m.bench.Blocks() {
		if b.Func == old.Target && old.Observed.Cover.Has(i) && !cover.Has(i) {
			return false
		}
	}
	return true
}

// replace counts the blocks of one test instead of those of another, and reports false if then some block would count
// for no test.
func replace(covering []int, old, new testcase.Cover) bool {
	for b, n := range covering {
		if n == 1 && old.Has(b) && !new.Has(b) {
			return false
		}
	}
	for b := range covering {
		if old.Has(b) {
			covering[b]--
		}
		if new.Has(b) {
			covering[b]++
		}
	}
	return true
}

// withoutIdleReads returns the sequence without the statements behind the case's call that read what pointers lead to which no call is passed
// any more: what they read cannot have changed.
func withoutIdleReads(c *testcase.Case, seq *testcase.Sequence) *testcase.Sequence {
	d := *c
	d.Seq = seq
	at := d.TargetStmt()
	keep := slices.Repeat([]bool{true}, seq.Len())
	idle := false
	for i := at + 1; i < seq.Len(); i++ {
		st := seq.At(i)
		if st.Op.Kind != testcase.OpDeref || st.Args[0].Stmt >= at {
			continue
		}
		passed := false
		for k := st.Args[0].Stmt + 1; k <= at; k++ {
			passed = passed || slices.ContainsFunc(seq.At(k).Args, func(a testcase.Ref) bool { return a.Stmt == st.Args[0].Stmt })
		}
		if !passed {
			keep[i], idle = false, true
		}
	}
	if !idle {
		return seq
	}
	used := make([]bool, seq.Len())
	for i := seq.Len() - 1; i >= 0; i-- {
		switch seq.At(i).Op.Kind {
		case testcase.OpLiteral, testcase.OpZero, testcase.OpComposite, testcase.OpAddr, testcase.OpConvert:
			keep[i] = keep[i] && used[i] // only what was read needed it
		}
		if keep[i] {
			for _, a := range seq.At(i).Args {
				used[a.Stmt] = true
			}
		}
	}
	if kept, ok := seq.Keep(keep); ok {
		return kept
	}
	return seq
}
