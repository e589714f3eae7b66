package question

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/choose/told"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// mostKinds is how many predicates of a package say in one test which kind of error a call has returned.
const mostKinds = 2

// kindsOfErrors returns the tests with a call of the package's predicates of errors behind their own, where it has returned an error for which
// such a predicate holds: IsNotFound(err). For a user that is what the error is about, and not its message. A predicate that
// holds for every error of the tests says nothing.
func (o *Asker) kindsOfErrors(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	predicates := o.predicatesOfErrors()
	if len(predicates) == 0 {
		return tests, nil
	}
	var at []int
	var seqs []*testcase.Sequence
	for i, c := range tests {
		if ref, ok := returnedError(c); ok && !slices.ContainsFunc(predicates, func(op *testcase.Operation) bool { return op.Func == c.Seq.At(c.TargetStmt()).Op.Func }) {
			at, seqs = append(at, i), append(seqs, asking(c.Seq, predicates, ref))
		}
	}
	outcomes, err := o.bench.Proposals(true).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("asking errors of which kind they are: %w", err)
	}
	answer := func(k, p int) (holds, known bool) {
		if k >= len(outcomes) || outcomes[k] == nil || outcomes[k].Status != testcase.Returned {
			return false, false
		}
		results := outcomes[k].Results
		n := seqs[k].Len() - len(predicates) + p
		return n < len(results) && len(results[n]) == 1 && results[n][0].Bits != 0, true
	}
	tells := func(p int) bool { // whether it does not hold for some error
		for k := range at {
			if holds, known := answer(k, p); known && !holds {
				return true
			}
		}
		return false
	}
	var questions []*testcase.Sequence
	var asked []int
	for k, i := range at {
		var hold []*testcase.Operation
		for p, op := range predicates {
			if holds, _ := answer(k, p); holds && tells(p) && len(hold) < mostKinds {
				hold = append(hold, op)
			}
		}
		if ref, ok := returnedError(tests[i]); ok && len(hold) > 0 {
			asked, questions = append(asked, i), append(questions, asking(tests[i].Seq, hold, ref))
		}
	}
	if outcomes, err = o.bench.Proposals(true).Run(ctx, questions); o.UnlessCut(err) != nil {
		return nil, fmt.Errorf("asking errors of their kind: %w", err)
	}
	out := slices.Clone(tests)
	for k, i := range asked {
		if k < len(outcomes) && outcomes[k] != nil && outcomes[k].Status == testcase.Returned && told.IsWhole(questions[k], outcomes[k], tests[i].TargetStmt()+1) {
			c := *tests[i]
			c.Seq, c.Observed, c.Predicted = questions[k], outcomes[k], nil
			out[i] = &c
		}
	}
	return out, nil
}

// asking returns a sequence with a call of each operation on one value behind it.
func asking(s *testcase.Sequence, ops []*testcase.Operation, ref testcase.Ref) *testcase.Sequence {
	for _, op := range ops {
		s = s.Extend(testcase.Statement{Op: op, Args: []testcase.Ref{ref}})
	}
	return s
}

// predicatesOfErrors returns the exported functions of the package that say of an error whether it is of some kind. One called Is... changes
// nothing, though it may call methods of the error, which no analysis follows.
func (o *Asker) predicatesOfErrors() []*testcase.Operation {
	var out []*testcase.Operation
	for _, t := range o.Pkg.Targets {
		if t.Recv != nil || !t.Exported || t.Obj == nil || len(t.TypeArgs) > 0 {
			continue
		}
		sig := t.Obj.Signature()
		op := &testcase.Operation{Kind: testcase.OpFunc, Func: t.Obj}
		if sig.Params().Len() == 1 && sig.Results().Len() == 1 && gosyntax.IsError(sig.Params().At(0).Type()) && types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool]) && (strings.HasPrefix(t.Obj.Name(), "Is") || o.pure(op)) {
			out = append(out, op)
		}
	}
	return out
}

// returnedError returns the error that a test's call has returned as its last result, and false if there is none, or if the test asks
// something behind its call already.
func returnedError(c *testcase.Case) (testcase.Ref, bool) {
	at := c.TargetStmt()
	if c.Observed == nil || c.Observed.Status != testcase.Returned || at != c.Seq.Len()-1 || at >= len(c.Observed.Results) || c.Seq.At(at).Op.Func == nil {
		return testcase.Ref{}, false
	}
	results, of := c.Observed.Results[at], c.Seq.ResultTypes()[at]
	last := len(results) - 1
	if last < 0 || last >= len(of) || !gosyntax.IsError(of[last]) || results[last].Err == nil {
		return testcase.Ref{}, false
	}
	return testcase.Ref{Stmt: at, Result: last}, true
}
