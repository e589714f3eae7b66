package question

import (
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/choose/told"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// mostListings is how many tests a helper that lists elements is tried behind. The number is large because
// most tests are on small objects, and the helper has to show that it tells larger objects apart.
const mostListings = 60

// fewFail is how many lists a helper must have returned for each test behind which it fails. A test may leave an object
// whose links go round in a circle, so that the helper fails on it. That one object must not take away the helper that
// Shows all others.
const fewFail = 8

// acceptElements makes a helper that lists a container's elements an observer of its type. It takes the first
// helper that returned behind nearly each test on the type and that listed different elements behind different
// tests.
func (o *Asker) acceptElements(ctx context.Context, tests []*testcase.Case) error {
	type trial struct {
		typ types.Type
		op  *testcase.Operation
	}
	var trials []trial // one for each sequence
	var seqs []*testcase.Sequence
	candidates := make(map[string][]*testcase.Operation)
	probes := make(map[string]int)
	for _, c := range tests {
		ref, ok := o.Table.Subject(c)
		if !ok || !outcome.Observable(c) {
			continue
		}
		t := c.Seq.ResultTypes()[ref.Stmt][ref.Result]
		if _, basic := t.Underlying().(*types.Basic); basic {
			continue // the digits of a number are no elements
		}
		key := t.String()
		if _, known := candidates[key]; !known {
			candidates[key] = o.Table.Elements(t)
		}
		if probes[key]++; probes[key] > mostListings {
			continue
		}
		for _, op := range candidates[key] {
			trials = append(trials, trial{t, op})
			seqs = append(seqs, c.Seq.Prefix(c.TargetStmt()+1).Extend(testcase.Statement{Op: op, Args: []testcase.Ref{ref}}))
		}
	}
	outcomes, err := o.bench.Proposals(true).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("listing elements: %w", err)
	}
	if len(outcomes) < len(seqs) {
		return nil // the time ended before anything ran
	}
	failed := make(map[*testcase.Operation]int)
	listed := make(map[*testcase.Operation][]testcase.Value)
	for i, tr := range trials {
		at := seqs[i].Len() - 1
		if got := outcomes[i]; got == nil || got.Status != testcase.Returned || got.Violated != "" || !told.IsWhole(seqs[i], got, at) || len(got.Results[at]) != 1 {
			failed[tr.op]++
			continue
		}
		listed[tr.op] = append(listed[tr.op], outcomes[i].Results[at][0])
	}
	accepted := make(map[string]bool)
	for _, tr := range trials {
		if key := tr.typ.String(); !accepted[key] && listsWell(listed[tr.op], failed[tr.op]) {
			accepted[key] = true
			o.Table.AcceptElements(tr.typ, tr.op)
			o.elements = append(o.elements, tr.op)
		}
	}
	return nil
}

// listsWell reports whether a helper that returned these lists, and failed as often, lists elements: it failed seldom (see
// fewFail), and its lists tell objects apart.
func listsWell(lists []testcase.Value, failed int) bool {
	return fewFail*failed <= len(lists) && tellsApart(lists) && !countsFromOne(lists)
}

// countsFromOne reports whether each list of several elements begins with nil, and goes on with something else. Its
// elements have the numbers from one on then, so that the first is none and the last is missing.
func countsFromOne(lists []testcase.Value) bool {
	some := false
	for _, v := range lists {
		if len(v.Elems) < 2 {
			continue
		}
		if some = true; !isNone(v.Elems[0]) || isNone(v.Elems[1]) {
			return false
		}
	}
	return some
}

// isNone reports whether a value is nil, by itself or in an interface.
func isNone(v testcase.Value) bool {
	return v.Kind == testcase.Nil || v.Kind == testcase.Interface && (len(v.Elems) == 0 || v.Elems[0].Kind == testcase.Nil)
}

// tellsApart reports whether lists differ and one of them has several elements.
func tellsApart(lists []testcase.Value) bool {
	return slices.ContainsFunc(lists, func(v testcase.Value) bool { return len(v.Elems) > 1 }) &&
		slices.ContainsFunc(lists, func(v testcase.Value) bool { return !v.Equal(lists[0]) })
}

// leaveOutDerived drops the observers whose answers follow from the list of all elements. For each of the
// remaining observers it notes which methods change its answer, because the observer is asked behind these
// methods only.
func (o *Asker) leaveOutDerived(ctx context.Context, tests []*testcase.Case, answers []Answer, runs map[string][]observer.Run) error {
	var after []Answer
	var seqs []*testcase.Sequence
	seen := make(map[string]bool)
	for _, a := range answers {
		key := a.typ.String()
		if !seen[key] {
			seen[key] = true
			o.findList(o.Table.Of(a.typ), key, runs[key])
		}
		if !o.isListed(o.use[key]) {
			continue
		}
		if seq, ok := o.Table.Before(tests[a.Test]); ok && len(o.use[key]) > 1 && a.seq.Last().Args[0].Stmt != tests[a.Test].TargetStmt() {
			after, seqs = append(after, a), append(seqs, seq)
		}
	}
	outcomes, err := o.bench.Runner(false).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("asking observers before calls: %w", err)
	}
	for i, a := range after {
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status != testcase.Returned {
			continue
		}
		target := tests[a.Test].Target
		if o.moves[target] == nil {
			o.moves[target] = make(map[*types.Func]bool)
		}
		before := Answer{seq: seqs[i], from: tests[a.Test].TargetStmt(), outcome: outcomes[i]}.Run()
		for f, v := range a.Run() {
			was, ok := before[f]
			o.moves[target][f] = o.moves[target][f] || ok && !slices.EqualFunc(was, v, testcase.Value.Equal)
		}
	}
	return nil
}

// findList notes the observer of a type that returns all elements, and drops the observers whose answers
// follow from it. That observer is a helper, or a method that returns a list from which another observer's
// answer follows. Any other method that returns a list may return only some of the elements.
func (o *Asker) findList(ops []*testcase.Operation, key string, runs []observer.Run) {
	for _, list := range ops {
		_, isSlice := list.Signature().Results().At(0).Type().Underlying().(*types.Slice)
		if !isSlice || !o.use[key][list] {
			continue
		}
		var derived []*testcase.Operation
		for _, op := range ops {
			if op != list && o.use[key][op] && observer.Derived(list.Func, op.Func, runs) {
				derived = append(derived, op)
			}
		}
		if len(derived) == 0 && !slices.Contains(o.elements, list) {
			continue
		}
		for _, op := range derived {
			delete(o.use[key], op)
		}
		o.lists = append(o.lists, list)
		return
	}
}

// isListed reports whether one of the observers returns all elements.
func (o *Asker) isListed(ops map[*testcase.Operation]bool) bool {
	return slices.ContainsFunc(o.lists, func(list *testcase.Operation) bool { return ops[list] })
}

// Asks reports whether a test of c's function asks an observer behind its call. If the elements of the
// container are listed, another observer is asked only if the function changes its answer. The same holds for observers that
// return the text of which the object was made: behind a method they mostly repeat what the test has written above. Those that work on
// other fields than a method are not asked behind it, and none are behind methods that moved none in any test: their answers
// would be the same if the method did nothing.
func (o *Asker) Asks(c *testcase.Case, op *testcase.Operation) bool {
	if o.hidden[c.Target] || o.inert[c.Target] {
		return false
	}
	if o.echoes[op.Func] && c.Seq.At(c.TargetStmt()).Op.Kind == testcase.OpMethod && !o.renames[c.Target][op.Func] {
		return false
	}
	for _, ops := range o.use {
		if !ops[op] {
			continue
		}
		if !o.moves[c.Target][op.Func] && o.Apart(c.Seq.At(c.TargetStmt()).Op, op) {
			return false
		}
		return !o.isListed(ops) || slices.Contains(o.lists, op) || o.moves[c.Target] == nil || o.moves[c.Target][op.Func]
	}
	return false
}

// others returns the tests of calls that took away or changed an element which they do not name, as a full cache does. The
// tests ask in addition what became of that element, and of one that is still there: such a call is about which element is
// evicted.
func (o *Asker) others(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	type trial struct {
		test      int
		questions []testcase.Statement
	}
	var trials []trial
	var seqs []*testcase.Sequence // for each trial the questions asked before the call, and behind it
	for i, c := range tests {
		if c.Observed == nil || c.Observed.Status != testcase.Returned || o.still[c.Target] || c.Seq.Len() > c.TargetStmt()+1 && !isShown(c) {
			continue
		}
		q := o.Table.Others(c)
		if len(q) == 0 || o.isListed(o.use[c.Seq.ResultTypes()[q[0].Args[0].Stmt][q[0].Args[0].Result].String()]) {
			continue // what all elements are shows which one is gone
		}
		trials = append(trials, trial{i, q})
		seqs = append(seqs, c.Seq.Prefix(c.TargetStmt()).Extend(q...), c.Seq.Extend(q...))
	}
	outcomes, err := o.bench.Proposals(true).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil || len(outcomes) < len(seqs) {
		return tests, err
	}
	var asked []trial
	var again []*testcase.Sequence
	for k, tr := range trials {
		if q := telling(tr.questions, seqs[2*k], outcomes[2*k], seqs[2*k+1], outcomes[2*k+1]); len(q) > 0 {
			asked = append(asked, trial{tr.test, q})
			again = append(again, tests[tr.test].Seq.Extend(q...))
		}
	}
	outcomes, err = o.bench.Proposals(true).Run(ctx, again)
	if err := o.UnlessCut(err); err != nil || len(outcomes) < len(again) {
		return tests, err
	}
	out := slices.Clone(tests)
	for k, tr := range asked {
		c := *tests[tr.test]
		if got := outcomes[k]; got != nil && got.Status == testcase.Returned && got.Violated == "" && told.IsWhole(again[k], got, c.TargetStmt()+1) {
			c.Seq, c.Observed, c.Predicted = again[k], got, nil
			out[tr.test] = &c
		}
	}
	return out, nil
}

// AsksOthers reports whether a test asks about an element that its own call does not name (others).
func AsksOthers(c *testcase.Case) bool { return len(AnswersOnOthers(c)) > 0 }

// AnswersOnOthers returns which of the elements that a test asks about, and that its own call does not name but an
// earlier one does, are there behind the call.
func AnswersOnOthers(c *testcase.Case) []bool {
	at := c.TargetStmt()
	var out []bool
	for i := at + 1; i < min(c.Seq.Len(), len(c.Observed.Results)); i++ {
		st := c.Seq.At(i)
		if results := c.Observed.Results[i]; observer.IsMembership(st.Op) && len(st.Args) == 2 && len(results) > 0 && isPut(c.Seq, at, st.Args) {
			out = append(out, results[len(results)-1].Bits != 0)
		}
	}
	return out
}

// isPut reports whether a call before the statement at, and not this statement, takes the element that a question, given
// by its arguments, is about, and has the object of the question as its receiver.
func isPut(s *testcase.Sequence, at int, question []testcase.Ref) bool {
	text := s.Expression(question[1], nil)
	names := func(stmt int) bool {
		args := s.At(stmt).Args
		return len(args) > 1 && args[0] == question[0] && slices.ContainsFunc(args[1:], func(a testcase.Ref) bool { return s.Expression(a, nil) == text })
	}
	for i := range at {
		if s.At(i).Op.Kind == testcase.OpMethod && names(i) {
			return !names(at)
		}
	}
	return false
}

// isShown reports whether observers, and nothing else, stand behind a case's own call.
func isShown(c *testcase.Case) bool {
	_, shown := c.Shown()
	return shown
}

// telling returns the first of the questions whose answer a call changed, and the last one whose answer is yes before
// and behind it; nothing if the call changed no answer. The questions stand at the ends of both sequences.
func telling(questions []testcase.Statement, before *testcase.Sequence, was *testcase.Outcome, behind *testcase.Sequence, is *testcase.Outcome) []testcase.Statement {
	if was == nil || is == nil || was.Status != testcase.Returned || is.Status != testcase.Returned {
		return nil
	}
	var changed, stays []testcase.Statement
	for k, q := range questions {
		i, j := before.Len()-len(questions)+k, behind.Len()-len(questions)+k
		if i >= len(was.Results) || j >= len(is.Results) || len(was.Results[i]) == 0 || len(is.Results[j]) == 0 {
			return nil
		}
		there := was.Results[i][len(was.Results[i])-1].Bits != 0 // the last result says whether the element is there
		switch same := slices.EqualFunc(was.Results[i], is.Results[j], testcase.Value.Equal); {
		case !same && len(changed) == 0:
			changed = []testcase.Statement{q}
		case same && there:
			stays = []testcase.Statement{q}
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return append(changed, stays...)
}
