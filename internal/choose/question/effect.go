package question

import (
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// The runs that show that a method only looks at its object: so many at least, and at most.
const fewestProbes, mostProbes = 2, 12

// acceptObservers makes some unproved methods observers: those that look like observers and left every
// object, as deep as it can be read, as it was. Package purity cannot prove them because it does not
// follow every call.
func (o *Asker) acceptObservers(ctx context.Context, tests []*testcase.Case) error {
	type probe struct {
		typ  types.Type
		op   *testcase.Operation
		base int // the sequence without the call
	}
	probes := make(map[int]probe) // the probe whose sequence has this number
	var seqs []*testcase.Sequence
	count := make(map[*testcase.Operation]int)
	for _, c := range tests {
		ref, ok := o.Table.Subject(c)
		if !ok || !outcome.Observable(c) {
			continue
		}
		t := c.Seq.ResultTypes()[ref.Stmt][ref.Result]
		base := -1
		for _, op := range o.Table.Unproved(t) {
			seq, ok := o.Table.Probe(c, op)
			if !ok || count[op] >= mostProbes || o.sets(op) {
				continue
			}
			if base < 0 {
				base = len(seqs)
				seqs = append(seqs, c.Seq)
			}
			count[op]++
			probes[len(seqs)] = probe{t, op, base}
			seqs = append(seqs, seq)
		}
	}
	outcomes, err := o.bench.Proposals(true).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("running what looks like observers: %w", err)
	}
	if len(outcomes) < len(seqs) {
		return nil // the time ended before anything ran
	}
	changes := make(map[*testcase.Operation]bool)
	unchanged := make(map[*testcase.Operation]int)
	for i := range seqs {
		p, ok := probes[i]
		if !ok {
			continue
		}
		was, okWas := o.Left(seqs[p.base], outcomes[p.base])
		switch got := outcomes[i]; {
		case got == nil || got.Status != testcase.Returned:
			changes[p.op] = true
		case !okWas || len(got.Final) == 0:
		case !SameObject(was, got.Final[0]):
			changes[p.op] = true
		case was.Kind != testcase.Nil:
			unchanged[p.op]++
		}
	}
	for i := range seqs {
		if p, ok := probes[i]; ok && !changes[p.op] && unchanged[p.op] >= fewestProbes {
			o.Table.Accept(p.typ, p.op)
			changes[p.op] = true // one difference is enough
		}
	}
	return nil
}

// sets reports whether the code of a method sets fields. If it does, a few runs in which the object stayed as it was prove
// little: a scanner that is at the end of its text does not move any more.
func (o *Asker) sets(op *testcase.Operation) bool {
	t := o.Pkg.FirstTargetOf(op.Func)
	return t != nil && t.Func != nil && purity.SetsFields(t.Func)
}

// learnFinishers finds out which objects show more once they are finished. A buffered writer, for
// example, may show its last word only after Close, so observers are asked behind Close.
func (o *Asker) learnFinishers(ctx context.Context, tests []*testcase.Case, answers []Answer) error {
	tried := make(map[string]bool)
	for _, a := range answers {
		key := a.typ.String()
		finisher := o.Table.Finisher(a.typ)
		if finisher == nil || tried[key] {
			continue
		}
		tried[key] = true
		o.Table.Finish(a.typ, finisher)
		var same []*testcase.Case
		before := make(map[*testcase.Case]observer.Run)
		for _, b := range answers {
			if b.typ.String() == key && len(same) < mostProbes {
				same = append(same, tests[b.Test])
				before[tests[b.Test]] = b.Run()
			}
		}
		finished, err := o.Ask(ctx, same, func(_ *testcase.Case, op *testcase.Operation) bool { return o.use[key][op] })
		if err != nil {
			return err
		}
		moves := false
		for _, b := range finished {
			was := before[same[b.Test]]
			for f, v := range b.Run() {
				old, asked := was[f]
				moves = moves || asked && !slices.EqualFunc(old, v, testcase.Value.Equal)
			}
		}
		if !moves {
			o.Table.Finish(a.typ, nil)
		}
	}
	return nil
}

// findStill notes the methods that moved no observer in any test. If they return something their effect is
// their result, so no test asserts that the observers stayed the same. Tests assert that only for
// methods that move observers at other times: of a method that returns nothing and never moves one it would say nothing.
func (o *Asker) findStill(ctx context.Context, tests []*testcase.Case, answers []Answer) error {
	var after []Answer
	var seqs []*testcase.Sequence
	for _, a := range answers {
		c := tests[a.Test]
		if a.seq.Last().Args[0].Stmt == c.TargetStmt() {
			continue // an object that the call made was asked, not its receiver
		}
		if seq, ok := o.Table.Before(c); ok {
			after, seqs = append(after, a), append(seqs, seq)
		}
	}
	outcomes, err := o.bench.Runner(false).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("asking observers before calls: %w", err)
	}
	moved := make(map[string]bool)
	for i, a := range after {
		target, silent := tests[a.Test].Target, outcome.ReturnsNothing(tests[a.Test])
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status != testcase.Returned {
			// The observer's answer before the call is not known, so the method counts as one that moves it, unless the
			// method has only a copy of its object.
			moved[target] = moved[target] || !tests[a.Test].Seq.At(tests[a.Test].TargetStmt()).Op.HasCopy()
			continue
		}
		before := Answer{seq: seqs[i], from: tests[a.Test].TargetStmt(), outcome: outcomes[i]}.Run()
		for f, v := range a.Run() {
			was, ok := before[f]
			moved[target] = moved[target] || !ok || !slices.EqualFunc(was, v, testcase.Value.Equal)
		}
		switch {
		case moved[target]:
		case silent:
			o.inert[target] = true
		default:
			o.still[target] = true
		}
	}
	for target := range moved {
		if moved[target] {
			delete(o.still, target)
			delete(o.inert, target)
		}
	}
	return nil
}

// findMute notes the methods that return a changed copy of their object, as c.WithBold(true) does, of which no observer tells anything
// but what it tells of the object: what such a method does shows in the copy itself.
func (o *Asker) findMute(ctx context.Context, tests []*testcase.Case) error {
	var of []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range tests {
		if before, after, ok := o.Table.OfCopy(c); ok {
			of, seqs = append(of, c), append(seqs, before, after)
		}
	}
	outcomes, err := o.bench.Runner(false).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("asking observers of what methods return: %w", err)
	}
	answers := func(k int) (said observer.Run) {
		if k < len(outcomes) && outcomes[k] != nil && outcomes[k].Status == testcase.Returned {
			said = observer.Answers(seqs[k], of[k/2].TargetStmt()+k%2, outcomes[k])
		}
		return said
	}
	for i, c := range of {
		was, is := answers(2*i), answers(2*i+1)
		mute, asked := o.mute[c.Target]
		o.mute[c.Target] = was != nil && was.Equal(is) && (mute || !asked)
	}
	return nil
}

// Apart reports whether a method and another one of its object work on different fields.
func (o *Asker) Apart(method, other *testcase.Operation) bool {
	if method.Kind != testcase.OpMethod || method.Via != nil || other.Kind != testcase.OpMethod || other.Via != nil {
		return false
	}
	a, b := o.Pkg.FirstTargetOf(method.Func), o.Pkg.FirstTargetOf(other.Func)
	return a != nil && b != nil && a.Func != nil && b.Func != nil && o.fields.Apart(a.Func, b.Func)
}

// Left returns the state, behind the last call of a sequence, of the object that this call made or
// changed.
func (o *Asker) Left(s *testcase.Sequence, got *testcase.Outcome) (testcase.Value, bool) {
	if got == nil || got.Status != testcase.Returned {
		return testcase.Value{}, false
	}
	last := s.Len() - 1
	if s.At(last).Op.Kind == testcase.OpMethod {
		if len(got.Final) == 0 {
			return testcase.Value{}, false
		}
		return got.Final[0], deep(got.Final[0])
	}
	if last >= len(got.Results) || len(got.Results[last]) == 0 {
		return testcase.Value{}, false
	}
	return got.Results[last][0], deep(got.Results[last][0])
}

// SameObject reports whether two values are the same in all parts that can be read in both. Parts that differ
// from run to run, such as a time or a pointer's address, do not count: the harness runs each sequence twice
// and marks such parts as opaque.
func SameObject(a, b testcase.Value) bool {
	if a.Kind == testcase.Opaque || b.Kind == testcase.Opaque {
		return true
	}
	if a.Kind != b.Kind || len(a.Elems) != len(b.Elems) {
		return false
	}
	for i := range a.Elems {
		if !SameObject(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	return len(a.Elems) > 0 || a.Equal(b)
}

// deep reports whether a value was read to its full depth, with no part cut off.
func deep(v testcase.Value) bool {
	if v.Cut || v.Kind == testcase.Invalid {
		return false
	}
	for _, e := range v.Elems {
		if !deep(e) {
			return false
		}
	}
	return true
}
