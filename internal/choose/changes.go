package choose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/mutate"
	observers "github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// This file has tests assert what calls change in their objects where no mutants choose the tests: because
// nobody asked for mutants, because there was no time for them, or because the package has state that they
// would disturb. A test that was chosen by coverage may go through a statement that changes the object, and
// pass an object on which the statement makes no difference. Two kinds of tests show a change:
//
//  1. An observer that the test asks behind the call says something else than it said before the call.
//  2. A further call comes to something else than it would without the call. (What a queue forgets to move
//     shows only when the next element is taken.)
//
// A change is known by the method that makes it, by the way that the call took through the method, by the observer or
// the further call that shows it and the fields that differ from before, and by how the further call ends: that the
// new element is there says nothing of the old one, which is gone. Each change that some case shows, a test shows in the end; the
// tests that were chosen by coverage come first, then the cases that show most.

// Bounds of the cases that are tried for changes.
const (
	mostChangeBases = 12   // cases of one way through a method that are gone on from
	mostChangePairs = 4000 // further calls that are made with a call and without it
	mostBetween     = 300  // of these for one change, those with another call between
	mostChangeTests = 12   // tests of one function that are added for changes where nobody asked for mutants
	fewChangeTests  = 2    // the same where there was no time for mutants, which would drop most of them
)

// addChanges returns the tests and those further ones that show what calls change. valued are cases with
// values that observers can tell apart, and cases with objects in further states.
func (m *mutantChooser) addChanges(ctx context.Context, tests, valued []*testcase.Case) ([]*testcase.Case, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))/3)
	defer cancel()
	out := tests
	err := m.RunOrLeave(ctx, func() (func(), error) {
		added, changes, err := m.showingChanges(ctx, tests, valued)
		return func() { out, m.changes = slices.Concat(tests, added), changes }, err
	})
	if err != nil {
		return tests, fmt.Errorf("looking for tests that show changes: %w", err)
	}
	if err := m.noteChangedFields(ctx, out); err != nil {
		return out, err
	}
	return out, m.noteChangedArguments(ctx, out)
}

// showingChanges returns the tests to add, and the changes that these and the given tests show.
func (m *mutantChooser) showingChanges(ctx context.Context, tests, valued []*testcase.Case) (added []*testcase.Case, changes map[*testcase.Sequence][]string, err error) {
	dropped, answers, err := m.changePool(ctx, valued)
	if err != nil {
		return nil, nil, err
	}
	pool := slices.Concat(tests, dropped)
	shows, err := m.movedObservers(ctx, pool, answers)
	if err != nil {
		return nil, nil, err
	}
	further, furtherShows, err := m.movedResults(ctx, tests, pool, shows)
	if err != nil {
		return nil, nil, err
	}
	for c, list := range furtherShows {
		shows[c] = append(shows[c], list...)
	}
	chosen := m.chooseChanges(tests, slices.Concat(dropped, further), shows)
	shown, err := m.observers.Tests(ctx, chosen)
	if err != nil {
		return nil, nil, err
	}
	changes = make(map[*testcase.Sequence][]string)
	for _, c := range tests {
		changes[c.Seq] = shows[c]
	}
	for i, c := range shown {
		changes[c.Seq] = shows[chosen[i]]
	}
	return shown, changes, nil
}

// noteChangedFields has tests assert the fields of their object that the call changes, if the call sets one of them back to
// what it was when the object was made. Such a field looks as if no call had ever changed it, so a test that asserts only
// the differences from the new object does not notice whether the call did something. Fields that differ from what they
// were at first are asserted as well, as in other tests.
func (m *mutantChooser) noteChangedFields(ctx context.Context, tests []*testcase.Case) error {
	changed, err := m.changedFields(ctx, tests)
	if err != nil {
		return fmt.Errorf("comparing objects before and after calls: %w", err)
	}
	for c, numbers := range changed {
		last := c.Seq.Last()
		if c.TargetStmt() != c.Seq.Len()-1 || last.Op.Kind != testcase.OpMethod || c.Observed.Status != testcase.Returned || c.Fields != nil {
			continue
		}
		visible, object := mutate.Visible(c, c.Observed), last.Args[0]
		if len(visible.Final) == 0 || object.Stmt >= len(c.Observed.Results) || object.Result >= len(c.Observed.Results[object.Stmt]) {
			continue
		}
		is, was := fieldsOf(visible.Final[0]), fieldsOf(c.Observed.Results[object.Stmt][object.Result])
		again, fields := false, make(map[testcase.FieldRef]bool)
		for i := range min(len(is), len(was)) {
			moved := slices.Contains(strings.Split(numbers, ","), strconv.Itoa(i))
			if same := is[i].Equal(was[i]); is[i].Kind != testcase.Opaque && (moved || !same) {
				again = again || same
				fields[testcase.FieldRef{Stmt: -1, Field: i}] = true
			}
		}
		if again {
			c.Fields = fields
		}
	}
	return nil
}

// noteChangedArguments has tests assert what a call changes in objects that it is passed, its receiver aside, if calls
// before have changed these objects as well: an account that pays was paid before. What was observed when the object was
// made says nothing of the last call then.
func (m *mutantChooser) noteChangedArguments(ctx context.Context, tests []*testcase.Case) error {
	type argument struct {
		test   *testcase.Case
		number int
		at     int // the statement before which is the last one to have changed the object
	}
	var asked []argument
	var seqs []*testcase.Sequence
	for _, c := range tests {
		last, n := c.Seq.Last(), c.Seq.Len()
		if !last.Op.IsCall() || c.TargetStmt() != n-1 || c.Observed.Status != testcase.Returned || m.bench.Changes(c.Seq) {
			continue
		}
		for k, a := range last.Args {
			if last.Op.Kind == testcase.OpMethod && k == 0 || slices.Index(last.Args, a) != k {
				continue
			}
			if at, ok := c.Seq.CalledBefore(a, n-1); ok {
				asked, seqs = append(asked, argument{c, k, at}), append(seqs, c.Seq.Prefix(at+1))
			}
		}
	}
	outcomes, err := m.bench.Proposals(false).Run(ctx, seqs)
	if err := m.UnlessCut(err); err != nil {
		return fmt.Errorf("reading arguments before calls: %w", err)
	}
	for i, a := range asked {
		visible := mutate.Visible(a.test, a.test.Observed)
		before := slices.Index(seqs[i].Last().Args, a.test.Seq.Last().Args[a.number])
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status != testcase.Returned || before >= len(outcomes[i].Final) || a.number >= len(visible.Final) {
			continue
		}
		was := fieldsOf(outcomes[i].Final[before])
		for f, is := range fieldsOf(visible.Final[a.number]) {
			if f < len(was) && is.Kind != testcase.Opaque && !is.Equal(was[f]) {
				noteField(a.test, testcase.FieldRef{Stmt: -1, Result: a.number, Field: f})
			}
		}
	}
	return nil
}

// noteField has a test assert a field. If nobody has said before which fields tell anything, those that the test asserts
// anyway are noted beside it.
func noteField(c *testcase.Case, f testcase.FieldRef) {
	if c.Fields == nil {
		c.Fields = make(map[testcase.FieldRef]bool)
		target := c.TargetStmt()
		for r, v := range c.Observed.Results[min(target, len(c.Observed.Results)-1)] {
			for i := range fieldsOf(v) {
				c.Fields[testcase.FieldRef{Stmt: target, Result: r, Field: i}] = true
			}
		}
		for k, v := range c.Observed.Final {
			for i := range fieldsOf(v) {
				if _, called := c.Seq.CalledBefore(c.Seq.Last().Args[k], target); !called {
					c.Fields[testcase.FieldRef{Stmt: -1, Result: k, Field: i}] = true
				}
			}
		}
	}
	c.Fields[f] = true
}

// fieldsOf returns the fields of the struct that a pointer leads to.
func fieldsOf(v testcase.Value) []testcase.Value {
	if v.Kind != testcase.Pointer || len(v.Elems) != 1 {
		return nil
	}
	return v.Elems[0].Elems
}

// changePool returns the cases that may show more than the tests, those that the reducer dropped, and what the
// observers behind their calls say. A case that changes variables of the package is none, because the next
// one would see what it leaves.
func (m *mutantChooser) changePool(ctx context.Context, valued []*testcase.Case) ([]*testcase.Case, map[*testcase.Case]observers.Run, error) {
	var cases []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range slices.Concat(valued, m.candidates()) {
		if _, ok := m.observers.Table.Subject(c); ok && m.given.Exported[c.Target] && !m.handBuilt(c) && !m.bench.Changes(c.Seq) && !c.Whole && !outcome.IsLong(c) {
			d := *c
			cases, seqs = append(cases, &d), append(seqs, c.Seq)
		}
	}
	outcomes, err := m.bench.Proposals(true).Run(ctx, seqs)
	if err := m.UnlessCut(err); err != nil {
		return nil, nil, err
	}
	cases = m.fit(cases, outcomes)
	slices.SortStableFunc(cases, func(a, b *testcase.Case) int {
		return cmp.Or(cmp.Compare(outcome.CallsOf(a), outcome.CallsOf(b)), cmp.Compare(plain.Strangeness(m.Pkg, a), plain.Strangeness(m.Pkg, b)), cmp.Compare(a.Seq.Len(), b.Seq.Len()))
	})
	answers, err := m.observers.Ask(ctx, cases, m.observers.Asks)
	if err != nil {
		return nil, nil, err
	}
	said := make(map[*testcase.Case]observers.Run)
	for _, a := range answers {
		said[cases[a.Test]] = a.Run()
	}
	return cases, said, nil
}

// movedObservers returns the changes that observers behind the cases' calls show. said is what they say behind
// cases that are no tests yet.
func (m *mutantChooser) movedObservers(ctx context.Context, pool []*testcase.Case, said map[*testcase.Case]observers.Run) (map[*testcase.Case][]string, error) {
	var asked []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range pool {
		if ref, ok := m.observers.Table.Subject(c); !ok || ref.Stmt >= c.TargetStmt() || m.bench.Changes(c.Seq) {
			continue
		}
		if seq, ok := m.observers.Table.Before(c); ok {
			asked, seqs = append(asked, c), append(seqs, seq)
		}
	}
	outcomes, err := m.bench.Proposals(false).Run(ctx, seqs)
	if err := m.UnlessCut(err); err != nil {
		return nil, err
	}
	ways := m.allWays(pool)
	out := make(map[*testcase.Case][]string)
	for i, c := range asked {
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status != testcase.Returned {
			continue
		}
		before := observers.Answers(seqs[i], c.TargetStmt(), outcomes[i])
		after, ok := said[c]
		if !ok {
			after = observers.Answers(c.Seq, c.TargetStmt()+1, c.Observed)
		}
		object := c.Seq.At(c.TargetStmt()).Args[0]
		for _, op := range m.observers.Table.Of(c.Seq.ResultTypes()[object.Stmt][object.Result]) {
			was, asked := before[op.Func]
			if is, ok := after[op.Func]; ok && asked && !slices.EqualFunc(was, is, testcase.Value.Equal) {
				out[c] = append(out[c], changeBy(c, ways)+" "+op.Func.Name())
			}
		}
	}
	return out, nil
}

// changeElement begins the names of changes among what a test shows.
const changeElement = "change "

// changeBy names the changes that a case's call makes in the way that it takes through its function.
func changeBy(c *testcase.Case, ways map[*testcase.Case]string) string {
	return changeElement + c.Target + " " + ways[c]
}

// furtherPair is a further call behind a case, and the same call without the case's own.
type furtherPair struct {
	with, without *testcase.Case
	change        string
	call          furtherCall
	object        testcase.Ref
	base          [2]*testcase.Sequence // what comes before the further call, with the case's own call and without it
}

// behind returns the pair with other calls before the further call, if the test would not be too long.
func (p furtherPair) behind(before ...furtherCall) []furtherPair {
	q := p
	for i, c := range []**testcase.Case{&q.with, &q.without} {
		seq := p.base[i]
		for _, f := range slices.Concat(before, []furtherCall{p.call}) {
			seq = f.after(seq, p.object)
		}
		*c = &testcase.Case{Package: p.with.Package, Target: p.with.Target, Engine: p.with.Engine, Seq: seq}
	}
	if q.with.Seq.Len() > testcase.MaxKnown || outcome.IsLong(q.with) {
		return nil
	}
	return []furtherPair{q}
}

// movedResults returns cases that call a further method behind the call of another case, if the further call has another
// outcome with that call than without. It also returns the changes that these cases show, and the changes that tests show
// which are such cases already. Where the further call has the same outcome with and without the call, it is made a second
// time, and then behind each other call that may change the object. A list that is emptied from the other end shows a
// broken link only when it is nearly empty, and a cache shows which element it forgets only when it needs the place.
func (m *mutantChooser) movedResults(ctx context.Context, tests, pool []*testcase.Case, moved map[*testcase.Case][]string) ([]*testcase.Case, map[*testcase.Case][]string, error) {
	byText := make(map[string]*testcase.Case)
	for _, c := range tests {
		byText[c.Seq.Prefix(c.TargetStmt()+1).String()] = c
	}
	var out []*testcase.Case
	shows := make(map[*testcase.Case][]string)
	calls := m.furtherCalls(pool)
	changed, err := m.changedFields(ctx, pool)
	if err != nil {
		return nil, nil, err
	}
	pairs := m.furtherPairs(pool, calls, moved, changed)
	for range sequelRounds {
		var seqs []*testcase.Sequence
		for _, p := range pairs {
			seqs = append(seqs, p.with.Seq, p.without.Seq)
		}
		outcomes, err := m.bench.Proposals(true).Run(ctx, seqs)
		if err := m.UnlessCut(err); err != nil || len(outcomes) < len(seqs) {
			return nil, nil, err
		}
		var same []furtherPair
		for i, p := range pairs {
			without := outcomes[2*i+1]
			if len(m.fit([]*testcase.Case{p.with}, outcomes[2*i:2*i+1])) == 0 || without == nil {
				continue
			}
			if !showsChange(p, without) {
				same = append(same, p)
				continue
			}
			text := p.with.Seq.Key()
			if byText[text] == nil {
				byText[text] = p.with
				out = append(out, p.with)
			}
			shows[byText[text]] = append(shows[byText[text]], p.change+" "+outcome.Class(p.with))
		}
		pairs = m.longer(same, calls)
	}
	return out, shows, nil
}

// longer returns the pairs with the further call twice, and then those with one other call between that may change
// the object.
func (m *mutantChooser) longer(pairs []furtherPair, calls map[string][]furtherCall) []furtherPair {
	var out []furtherPair
	for _, p := range pairs {
		out = append(out, p.behind(p.call)...)
	}
	count := make(map[string]int)
	for _, p := range pairs {
		for _, f := range calls[objectType(p.base[0].ResultTypes()[p.object.Stmt][p.object.Result])] {
			if f.target == p.call.target || m.ReadsOnly(f.op) || count[p.change] == mostBetween {
				continue
			}
			count[p.change]++
			out = append(out, p.behind(f)...)
		}
	}
	return out[:min(len(out), mostChangePairs)]
}

// showsChange reports whether what the further call returned can be compared, and is not what the call
// returned without the other one.
func showsChange(p furtherPair, without *testcase.Outcome) bool {
	at, atWithout := p.with.TargetStmt(), p.without.Seq.Len()-1
	if at >= len(p.with.Observed.Results) {
		return false
	}
	got := p.with.Observed.Results[at]
	if slices.ContainsFunc(got, func(v testcase.Value) bool { return v.Err == nil && !gofile.Whole(v) }) {
		return false
	}
	if without.Status != testcase.Returned || atWithout >= len(without.Results) {
		return without.Status == testcase.Panicked
	}
	return !slices.EqualFunc(got, without.Results[atWithout], testcase.Value.Equal)
}

// furtherPairs returns the further calls to try behind the first cases of each way through a method that changes the same
// fields of its object. Cases of containers with several different elements come first, and then those whose call moved
// most observers.
func (m *mutantChooser) furtherPairs(pool []*testcase.Case, calls map[string][]furtherCall, moved map[*testcase.Case][]string, changed map[*testcase.Case]string) []furtherPair {
	ways := m.allWays(pool)
	order := slices.Clone(pool)
	several := func(c *testcase.Case) int {
		if state := m.standard.state[c]; state == container.Several || state == container.Full {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(order, func(a, b *testcase.Case) int {
		return cmp.Or(several(b)-several(a), cmp.Compare(len(moved[b]), len(moved[a])))
	})
	bases := make(map[string]int)
	var out [mostChangeBases][]furtherPair // the first base of each way comes first, then the second ones
	for _, c := range order {
		object, ok := m.observers.Table.Subject(c)
		if !ok || c.Whole || c.Observed == nil || c.Observed.Status != testcase.Returned || object.Stmt >= c.TargetStmt() || m.handBuilt(c) || m.bench.Changes(c.Seq) {
			continue
		}
		if changed[c] == "" {
			continue
		}
		key := changeBy(c, ways) + " fields " + changed[c]
		if bases[key]++; bases[key] > mostChangeBases {
			continue
		}
		at := c.TargetStmt()
		known := calls[objectType(c.Seq.ResultTypes()[object.Stmt][object.Result])]
		for _, f := range slices.Concat(m.ownCalls(c, object, known), known) {
			if f.op.Signature().Results().Len() == 0 || m.observers.Shows(f.op.Func) {
				continue
			}
			with := &testcase.Case{Package: c.Package, Target: f.target, Engine: c.Engine, Seq: f.after(c.Seq.Prefix(at+1), object)}
			without := &testcase.Case{Package: c.Package, Target: f.target, Engine: c.Engine, Seq: f.after(c.Seq.Prefix(at), object)}
			if with.Seq.Len() > testcase.MaxKnown || outcome.IsLong(with) || m.bench.Changes(with.Seq) {
				continue
			}
			rank := bases[key] - 1
			out[rank] = append(out[rank], furtherPair{with, without, key + " " + f.target, f, object, [2]*testcase.Sequence{c.Seq.Prefix(at + 1), c.Seq.Prefix(at)}})
		}
	}
	all := slices.Concat(out[:]...)
	return all[:min(len(all), mostChangePairs)]
}

// chooseChanges returns those of the further cases that show changes which neither the tests nor cases chosen
// before show: those first that show most.
func (m *mutantChooser) chooseChanges(tests, further []*testcase.Case, shows map[*testcase.Case][]string) []*testcase.Case {
	seen := make(map[string]bool)
	count := make(map[string]int)
	for _, c := range tests {
		for _, s := range shows[c] {
			seen[s] = true
		}
	}
	most := mostChangeTests
	if m.given.Mutants != nil {
		most = fewChangeTests
	}
	news := func(i int) int {
		n := 0
		for _, s := range shows[further[i]] {
			if !seen[s] {
				n++
			}
		}
		if count[further[i].Target] >= most {
			return 0
		}
		return n
	}
	var out []*testcase.Case
	reduce.Greedily(len(further), news, func(i int) {
		if news(i) == 0 {
			return
		}
		count[further[i].Target]++
		out = append(out, further[i])
		for _, s := range shows[further[i]] {
			seen[s] = true
		}
	})
	return out
}
