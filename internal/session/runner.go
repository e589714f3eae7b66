package session

import (
	"context"
	"slices"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// Runner runs sequences so that none sees state that another left in package-level variables. A sequence that
// calls a function which changes such a variable, or what the variable refers to, gets a process of its own. The other sequences share a
// process, which stays clean. Runner implements reduce.Runner.
type Runner struct {
	b            *Bench
	twice, hasty bool
	capture      native.Capture
}

// Runner returns a Runner for sequences of the package. It runs each sequence once, or twice.
func (b *Bench) Runner(twice bool) Runner { return Runner{b: b, twice: twice} }

// Proposals returns a Runner for sequences that may or may not become tests. They have less time than
// others, because a small change of an input can make a function loop for ever, and waiting for that
// would cost more than all other proposals. Proposals that would change a default object of the package for all tests are refused.
func (b *Bench) Proposals(twice bool) Runner { return Runner{b: b, twice: twice, hasty: true} }

// Inside returns a Runner in whose runs calls inside the package go by the contracts of what they call. It observes how
// a sequence ends, and which contract it breaks.
func (b *Bench) Inside() Runner { return Runner{b: b, capture: native.CaptureInside} }

// Blocks returns the blocks that the harness counts; package reduce asks for them.
func (r Runner) Blocks() []testcase.Block { return r.b.Harness.Blocks() }

// Run runs the sequences, and marks those in which a call breaks an invariant that held before it.
func (r Runner) Run(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	out, err := r.RunUnmarked(ctx, seqs)
	finding.MarkBroken(r.b.s.Rules, seqs, out)
	if err != nil {
		return out, err
	}
	return out, r.unmark(ctx, seqs, out)
}

// unmark takes back the mark of sequences in which an object was broken before the call to blame: a sequence that is made
// smaller may begin with an invalid object, on which a call that does nothing would be blamed.
func (r Runner) unmark(ctx context.Context, seqs []*testcase.Sequence, out []*testcase.Outcome) error {
	var valid finding.Predicates
	var asked []*testcase.Sequence
	var of []*testcase.Outcome
	for i, o := range out {
		if o == nil || o.Violated == "" || !finding.AsksInvariant(seqs[i]) {
			continue
		}
		if valid == nil {
			valid = finding.PredicatesOf(r.b.s.Pkg)
		}
		for _, q := range valid.AskedBefore(r.b.s.Pkg, seqs[i], o) {
			asked, of = append(asked, q), append(of, o)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	answers, err := r.RunUnmarked(ctx, asked)
	for i, a := range answers {
		if a != nil && finding.SaysBroken(asked[i], a) {
			of[i].Violated = ""
		}
	}
	return err
}

// RunUnmarked runs the sequences without looking for broken invariants.
func (r Runner) RunUnmarked(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	if !r.b.Stateful() && !slices.ContainsFunc(seqs, r.b.spoils) && len(r.b.Defaults().Vars()) == 0 {
		return r.b.Harness.RunWith(ctx, seqs, native.Options{Twice: r.twice, Hasty: r.hasty, Capture: r.capture})
	}
	out := make([]*testcase.Outcome, len(seqs))
	var groups [2][]int // sequences that leave variables alone, and sequences that change some
	for i, s := range seqs {
		if r.hasty && len(r.b.Defaults().Lacks(s)) > 0 {
			out[i] = &testcase.Outcome{Status: testcase.Refused, Message: "it changes an object that all tests share"}
			continue
		}
		k := 0
		if r.b.Changes(s) || r.b.spoils(s) {
			k = 1
		}
		groups[k] = append(groups[k], i)
	}
	for k, group := range groups {
		if len(group) == 0 {
			continue
		}
		part := make([]*testcase.Sequence, len(group))
		for j, i := range group {
			part[j] = seqs[i]
		}
		outcomes, err := r.b.Harness.RunWith(ctx, part, native.Options{Twice: r.twice, Fresh: k == 1, Hasty: r.hasty, Capture: r.capture})
		for j, o := range outcomes {
			out[group[j]] = o
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// RunMixed runs the sequences of tests one after another in one process, twice and in both orders, as go test
// may. In the earlier runs each sequence that changes package-level variables had a process of its own.
// Results that differ now are not asserted. A sequence that hangs because of another one, or leaves a lock
// held, is no test. Sequences whose tests restore what they set are left out.
func (b *Bench) RunMixed(ctx context.Context, seqs []*testcase.Sequence, alone []*testcase.Outcome) error {
	if !b.Stateful() {
		return nil
	}
	var part []*testcase.Sequence
	var at []int
	for i, s := range seqs {
		if i < len(alone) && alone[i] != nil && alone[i].Status != testcase.NotRun && !b.Sets(s) {
			part, at = append(part, s), append(at, i)
		}
	}
	outcomes, err := b.RunInRow(ctx, slices.Concat(part, part), true)
	for k, o := range outcomes {
		if o == nil || o.Status == testcase.NotRun {
			continue
		}
		native.Merge(alone[at[k%len(at)]], o)
	}
	return err
}
