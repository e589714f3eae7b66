package question

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/goassay/assay/internal/choose/crossed"
	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// Bounds of the calls that names are proved against.
const (
	maxCalls  = 2000 // executed calls of a function
	maxBefore = 200  // calls of one method whose receiver is observed before the call
	maxAsked  = 4000 // calls of all functions together
	// mostExchanged is how many calls of a function with an input of another test are run: all inputs of ten tests with three each.
	mostExchanged = 270
	// mostVaried is how many calls of a function with another constant are run: a dozen for each constant of ten tests with three.
	mostVaried = 360
	// askingShare is the part of the time left in which the receivers are observed. Where each call makes a large object, all
	// of them would take longer than anything that names gain.
	askingShare = 4
)

// Calls returns all executed calls of each function by its name as a target: those of the tests and those that ran and became no
// tests, with the observers' answers about the receiver before the call. Names of tests are proved against these calls.
func (o *Asker) Calls(ctx context.Context, tests, ran []*testcase.Case) (map[string][]words.Call, error) {
	calls := make(map[string][]words.Call)
	seen := make(map[*testcase.Sequence]bool)
	add := func(c *testcase.Case, crossed bool, of *testcase.Case) {
		got := c.Observed
		if got == nil || got.Status != testcase.Returned && got.Status != testcase.Panicked || seen[c.Seq] || len(calls[c.Target]) >= maxCalls {
			return
		}
		seen[c.Seq] = true
		calls[c.Target] = append(calls[c.Target], words.Call{Case: c, After: outcome.ShownAfter(c), Member: o.ownAnswer(c), Crossed: crossed, Varies: of})
	}
	refuses := make(map[string]bool) // functions with a test of how a call is refused
	for _, c := range tests {
		refuses[c.Target] = refuses[c.Target] || c.Observed.Status == testcase.Panicked
		add(c, false, nil)
	}
	unasked := append(crossed.Calls(tests, mostExchanged), crossed.Variants(tests, mostVaried)...)
	if err := o.run(ctx, unasked); err != nil {
		return nil, err
	}
	for _, c := range unasked {
		add(c.Case, true, c.Of)
	}
	for _, c := range ran {
		if refuses[c.Target] || !o.isMisuse(c) {
			add(c, false, nil)
		}
	}
	if err := o.askBefore(ctx, calls); err != nil {
		return nil, err
	}
	for target := range calls {
		calls[target] = knownOnes(calls[target])
	}
	return calls, nil
}

// place is a question about the receiver before a call.
type place struct {
	target string
	i      int // the number of the call
	member observer.Member
	alone  bool // nothing but this is asked
}

// askBefore notes what observers say of the receivers before calls, and whether an argument is in its receiver.
func (o *Asker) askBefore(ctx context.Context, calls map[string][]words.Call) error {
	var places []place
	var seqs []*testcase.Sequence
	for _, target := range slices.Sorted(maps.Keys(calls)) {
		for i, k := range calls[target][:min(len(calls[target]), maxBefore)] {
			var questions []testcase.Statement
			member, asked := o.Table.Member(k.Case)
			switch {
			case asked && o.pure(member.Ask.Op):
				questions = append(questions, member.Ask)
			case asked && len(seqs) < maxAsked: // what may change the object would be seen by all that is asked behind it
				places = append(places, place{target, i, member, true})
				seqs = append(seqs, k.Case.Seq.Prefix(k.Case.TargetStmt()).Extend(member.Ask))
				fallthrough
			default:
				member = observer.Member{}
			}
			if seq, ok := o.Table.Before(k.Case, questions...); ok && len(seqs) < maxAsked {
				places, seqs = append(places, place{target, i, member, false}), append(seqs, seq)
			}
		}
	}
	part, cancel := session.PartOf(ctx, askingShare)
	defer cancel()
	outcomes, err := o.bench.Runner(false).Run(part, seqs)
	if part.Err() != nil && ctx.Err() == nil {
		err = nil // the names are proved against fewer calls
	}
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("asking observers before calls: %w", err)
	}
	for k, p := range places {
		if k >= len(outcomes) || outcomes[k] == nil || outcomes[k].Status != testcase.Returned || outcomes[k].Violated != "" {
			continue // what breaks an invariant goes no further
		}
		call := &calls[p.target][p.i]
		if p.member.Arg > 0 {
			call.Member = o.membership(p.member.Arg, p.member.Ask.Op, outcomes[k].Results[call.Case.TargetStmt()])
		}
		if p.alone {
			continue
		}
		call.Before = outcome.Observations(seqs[k], outcomes[k])
		if final := outcomes[k].Final; len(final) > 0 && seqs[k].Last().Op.Kind == testcase.OpMethod {
			call.Receiver = final[0] // observers do not change the receiver, so its state in the end is its state before the call
		}
	}
	return nil
}

// run runs calls that no test makes, and forgets the outcomes of those that no user may make. They tell which input is the reason
// for how a test ends.
func (o *Asker) run(ctx context.Context, calls []crossed.Call) error {
	seqs := make([]*testcase.Sequence, len(calls))
	for i, c := range calls {
		seqs[i] = c.Seq
	}
	part, cancel := session.PartOf(ctx, askingShare)
	defer cancel()
	outcomes, err := o.bench.Proposals(true).Run(part, seqs)
	if part.Err() != nil && ctx.Err() == nil {
		err = nil // the names are proved against fewer calls
	}
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("running calls with other inputs: %w", err)
	}
	for i, c := range calls {
		c.Observed = outcome.RanAt(outcomes, i)
		if got := c.Observed; got != nil && got.Status == testcase.Panicked && (got.At != c.TargetStmt() || o.isMisuse(c.Case)) {
			c.Observed = nil
		}
	}
	return nil
}

// isMisuse reports whether a case panicked because of what no user may do. The name of a test need not say that the test does
// not do it.
func (o *Asker) isMisuse(c *testcase.Case) bool {
	if c.Observed == nil || c.Observed.Status != testcase.Panicked {
		return false
	}
	_, f := o.bench.Judge.Case(c)
	return f != nil && f.Severity == testcase.Misuse
}

// ownAnswer returns what a case's own call says of its argument if the call is a lookup, nil if it is none.
func (o *Asker) ownAnswer(c *testcase.Case) *words.Member {
	at := c.TargetStmt()
	if at >= len(c.Observed.Results) {
		return nil
	}
	return o.membership(1, c.Seq.At(at).Op, c.Observed.Results[at])
}

// membership returns what a lookup says of an argument, nil if the operation is no lookup or its answer was not observed.
func (o *Asker) membership(arg int, lookup *testcase.Operation, results []testcase.Value) *words.Member {
	in, known := o.Table.Answer(lookup, results)
	if !known {
		return nil
	}
	return &words.Member{Arg: arg, In: in}
}

// enoughKnown is how many calls with a known receiver state are enough to prove names against. Where there
// are as many, the calls with an unknown state are left out.
const enoughKnown = 60

// knownOnes returns the calls whose receiver's state before the call is known, if there are enough of them to
// prove names against. No predicate over the state can be decided for the other calls, so these would keep
// every name from being proved.
func knownOnes(calls []words.Call) []words.Call {
	known := slices.DeleteFunc(slices.Clone(calls), func(c words.Call) bool { return c.Before == nil && c.Member == nil && c.Varies == nil })
	if len(known) < enoughKnown {
		return calls
	}
	return known
}
