package choose

import (
	"context"
	"fmt"
	"go/types"
	"slices"

	observers "github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// mostListings is how many tests a helper that lists elements is tried behind. The number is large because
// most tests are on small objects, and the helper has to show that it tells larger objects apart.
const mostListings = 60

// acceptElements makes a helper that lists a container's elements an observer of its type. It takes the first
// helper that returned behind each test on the type and that listed different elements behind different
// tests.
func (o *observing) acceptElements(ctx context.Context, tests []*testcase.Case) error {
	type trial struct {
		typ types.Type
		op  *testcase.Operation
	}
	var trials []trial // one for each sequence
	var seqs []*testcase.Sequence
	candidates := make(map[string][]*testcase.Operation)
	probes := make(map[string]int)
	for _, c := range tests {
		ref, ok := o.table.Subject(c)
		if !ok || !observable(c) {
			continue
		}
		t := c.Seq.ResultTypes()[ref.Stmt][ref.Result]
		key := t.String()
		if _, known := candidates[key]; !known {
			candidates[key] = o.table.Elements(t)
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
	failed := make(map[*testcase.Operation]bool)
	listed := make(map[*testcase.Operation][]testcase.Value)
	for i, tr := range trials {
		at := seqs[i].Len() - 1
		if got := outcomes[i]; got == nil || got.Status != testcase.Returned || got.Violated != "" || !whole(seqs[i], got, at) || len(got.Results[at]) != 1 {
			failed[tr.op] = true
			continue
		}
		listed[tr.op] = append(listed[tr.op], outcomes[i].Results[at][0])
	}
	accepted := make(map[string]bool)
	for _, tr := range trials {
		if key := tr.typ.String(); !accepted[key] && !failed[tr.op] && tellsApart(listed[tr.op]) {
			accepted[key] = true
			o.table.AcceptElements(tr.typ, tr.op)
			o.elements = append(o.elements, tr.op)
		}
	}
	return nil
}

// tellsApart reports whether lists differ and one of them has several elements.
func tellsApart(lists []testcase.Value) bool {
	return slices.ContainsFunc(lists, func(v testcase.Value) bool { return len(v.Elems) > 1 }) &&
		slices.ContainsFunc(lists, func(v testcase.Value) bool { return !v.Equal(lists[0]) })
}

// leaveOutDerived drops the observers whose answers follow from the list of all elements. For each of the
// remaining observers it notes which methods change its answer, because the observer is asked behind these
// methods only.
func (o *observing) leaveOutDerived(ctx context.Context, tests []*testcase.Case, answers []answer, runs map[string][]observers.Run) error {
	var after []answer
	var seqs []*testcase.Sequence
	seen := make(map[string]bool)
	for _, a := range answers {
		key := a.typ.String()
		if !seen[key] {
			seen[key] = true
			o.findList(o.table.Of(a.typ), key, runs[key])
		}
		if !o.isListed(o.use[key]) {
			continue
		}
		if seq, ok := o.table.Before(tests[a.test]); ok && len(o.use[key]) > 1 && a.seq.Last().Args[0].Stmt != tests[a.test].TargetStmt() {
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
		target := tests[a.test].Target
		if o.moves[target] == nil {
			o.moves[target] = make(map[*types.Func]bool)
		}
		before := answer{seq: seqs[i], from: tests[a.test].TargetStmt(), outcome: outcomes[i]}.run()
		for f, v := range a.run() {
			was, ok := before[f]
			o.moves[target][f] = o.moves[target][f] || ok && !slices.EqualFunc(was, v, testcase.Value.Equal)
		}
	}
	return nil
}

// findList notes the observer of a type that returns all elements, and drops the observers whose answers
// follow from it. That observer is a helper, or a method that returns a list from which another observer's
// answer follows. Any other method that returns a list may return only some of the elements.
func (o *observing) findList(ops []*testcase.Operation, key string, runs []observers.Run) {
	for _, list := range ops {
		_, isSlice := list.Signature().Results().At(0).Type().Underlying().(*types.Slice)
		if !isSlice || !o.use[key][list] {
			continue
		}
		var derived []*testcase.Operation
		for _, op := range ops {
			if op != list && o.use[key][op] && observers.Derived(list.Func, op.Func, runs) {
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
func (o *observing) isListed(ops map[*testcase.Operation]bool) bool {
	return slices.ContainsFunc(o.lists, func(list *testcase.Operation) bool { return ops[list] })
}

// asks reports whether a test of c's function asks an observer behind its call. If the elements of the
// container are listed, another observer is asked only if the function changes its answer.
func (o *observing) asks(c *testcase.Case, op *testcase.Operation) bool {
	if o.hidden[c.Target] {
		return false
	}
	for _, ops := range o.use {
		if !ops[op] {
			continue
		}
		return !o.isListed(ops) || slices.Contains(o.lists, op) || o.moves[c.Target] == nil || o.moves[c.Target][op.Func]
	}
	return false
}
