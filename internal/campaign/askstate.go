package campaign

import (
	"context"
	"fmt"
	"go/types"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// maxObservers is how many methods a test asks about the state that it has made.
const maxObservers = 2

// addObservers has tests ask the receiver about the state that a call leaves it in, where
// they could not say otherwise what the call did: it is a method that changes its
// receiver, and the receiver's fields are not there for the test to see, or hold what no
// literal can say (a ring of pointers). What they ask are pure methods without parameters.
func (ch *chooser) addObservers(ctx context.Context) error {
	var index []int
	var seqs []*testcase.Sequence
	for i, c := range ch.tests {
		if s := ch.withObservers(c); s != nil {
			index = append(index, i)
			seqs = append(seqs, s)
		}
	}
	outcomes, err := ch.bench.Runner(false).Run(ctx, seqs)
	if err := ch.UnlessCut(err); err != nil {
		return fmt.Errorf("running observers: %w", err)
	}
	for k, i := range index {
		if k >= len(outcomes) || outcomes[k] == nil || outcomes[k].Status != testcase.Returned || outcomes[k].Violated != "" {
			continue // the state is one that an observer does not bear: the call alone is tested
		}
		c := *ch.tests[i]
		c.Seq, c.Observed, c.Predicted = seqs[k], outcomes[k], nil
		if ids, ok := ch.kills[ch.tests[i].Seq]; ok {
			ch.kills[c.Seq] = ids
		}
		ch.tests[i] = &c
	}
	return nil
}

// withObservers returns the sequence of a case with observers behind it, nil if it needs none
// or there are none.
func (ch *chooser) withObservers(c *testcase.Case) *testcase.Sequence {
	pure := ch.how.Pure
	last, o := c.Seq.Last(), c.Observed
	if last.Op.Kind != testcase.OpMethod || testcase.TargetName(last.Op.Func) != c.Target || o == nil || o.Status != testcase.Returned || pure(last.Op) {
		return nil
	}
	if len(o.Final) > 0 && !ch.Pkg.ExternalTests && emit.Whole(o.Final[0]) {
		return nil // its fields are asserted
	}
	for _, a := range last.Args[1:] {
		switch c.Seq.ResultTypes()[a.Stmt][a.Result].Underlying().(type) {
		case *types.Slice, *types.Map:
			return nil // what the call did to its arguments is observed behind the last statement only
		}
	}
	var more []testcase.Statement
	for _, t := range ch.Pkg.Targets {
		if len(more) < maxObservers && observes(t, last.Op) {
			op := &testcase.Operation{Kind: testcase.OpMethod, Func: t.Obj, TypeArgs: t.TypeArgs}
			if pure(op) {
				more = append(more, testcase.Statement{Op: op, Args: last.Args[:1:1]})
			}
		}
	}
	if more == nil {
		return nil
	}
	return c.Seq.Extend(more...)
}

// observes reports whether a method says something simple about a receiver of the method
// that op calls.
func observes(t *load.Target, op *testcase.Operation) bool {
	if t.Recv == nil || !t.Exported || t.Skip != "" || t.Obj == op.Func.Origin() || finding.IsInvariant(t.Obj.Name()) {
		return false
	}
	recv := op.Func.Origin().Signature().Recv().Type()
	mine, theirs := load.NamedOf(t.Obj.Signature().Recv().Type()), load.NamedOf(recv)
	if mine == nil || theirs == nil || mine.Obj() != theirs.Obj() || len(t.TypeArgs) != len(op.TypeArgs) {
		return false
	}
	for i, a := range t.TypeArgs {
		if !types.Identical(a, op.TypeArgs[i]) {
			return false
		}
	}
	sig := t.Obj.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() != 1 {
		return false
	}
	_, basic := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return basic
}
