package question

import (
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/choose/told"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// parts returns the tests with questions to a part of their receiver, where the receiver itself has nothing to say: the tank that a pump was
// made with says what Run has pumped. Such a part is an object that the test made before and handed to the receiver. Only the answers that
// the call has changed are asked for.
func (o *Asker) parts(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	var asked []part
	var seqs []*testcase.Sequence
	for i, c := range tests {
		ref, ok := o.partOf(c)
		if !ok {
			continue
		}
		typ := c.Seq.ResultTypes()[ref.Stmt][ref.Result].String()
		use := func(op *testcase.Operation) bool { return o.use[typ][op] && !observer.Drains(op) }
		after, ok := o.Table.Behind(c, ref, use)
		if !ok {
			continue
		}
		at := c.TargetStmt()
		before := c.Seq.Prefix(at)
		for k := at + 1; k < after.Len(); k++ {
			before = before.Extend(after.At(k))
		}
		asked = append(asked, part{i, ref, at})
		seqs = append(seqs, before, after)
	}
	outcomes, err := o.bench.Proposals(true).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("asking parts of receivers: %w", err)
	}
	var moved []part
	var questions []*testcase.Sequence
	for k, p := range asked {
		if 2*k+1 >= len(outcomes) {
			break
		}
		if seq, ok := p.changed(seqs[2*k+1], outcomes[2*k], outcomes[2*k+1]); ok {
			moved, questions = append(moved, p), append(questions, seq)
		}
	}
	if outcomes, err = o.bench.Proposals(true).Run(ctx, questions); o.UnlessCut(err) != nil {
		return nil, fmt.Errorf("asking changed parts of receivers: %w", err)
	}
	out := slices.Clone(tests)
	for k, p := range moved {
		if k < len(outcomes) && outcomes[k] != nil && outcomes[k].Status == testcase.Returned && outcomes[k].Violated == "" && told.IsWhole(questions[k], outcomes[k], p.at+1) {
			c := *tests[p.test]
			c.Seq, c.Observed, c.Predicted = questions[k], outcomes[k], nil
			out[p.test] = &c
		}
	}
	return out, nil
}

// part is a part of the receiver of a test's call.
type part struct {
	test int
	ref  testcase.Ref
	at   int // the statement of the test's call
}

// changed returns the sequence of a test with those questions behind its call that had another answer before it, and false if none had. Of
// the sequence without the call all statements behind it are one earlier.
func (p part) changed(seq *testcase.Sequence, before, after *testcase.Outcome) (*testcase.Sequence, bool) {
	if before == nil || after == nil || before.Status != testcase.Returned || after.Status != testcase.Returned || after.Violated != "" {
		return nil, false
	}
	out := seq.Prefix(p.at + 1)
	for k := p.at + 1; k < seq.Len() && k < len(after.Results) && k-1 < len(before.Results) && out.Len() < p.at+1+maxObservers; k++ {
		if !slices.EqualFunc(after.Results[k], before.Results[k-1], testcase.Value.Equal) {
			out = out.Extend(seq.At(k))
		}
	}
	return out, out.Len() > p.at+1
}

// partOf returns the part of a test's receiver that can be asked: the first object that a function of the package made and that went into the
// receiver, if observers know its type and none knows the receiver's. It returns false if nothing has to be asked, or nothing can.
func (o *Asker) partOf(c *testcase.Case) (testcase.Ref, bool) {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if c.Observed == nil || c.Observed.Status != testcase.Returned || at != c.Seq.Len()-1 || st.Op.Kind != testcase.OpMethod || st.Op.Via != nil || o.pure(st.Op) || len(st.Args) == 0 {
		return testcase.Ref{}, false
	}
	types := c.Seq.ResultTypes()
	if len(o.Table.Of(types[st.Args[0].Stmt][st.Args[0].Result])) > 0 {
		return testcase.Ref{}, false
	}
	return o.insideOf(c.Seq, types, st.Args[0])
}

// insideOf returns the first object that went into a value, if observers know its type.
func (o *Asker) insideOf(s *testcase.Sequence, results [][]types.Type, of testcase.Ref) (testcase.Ref, bool) {
	for _, a := range s.At(of.Stmt).Args {
		made, t := s.At(a.Stmt).Op, results[a.Stmt][a.Result]
		named := load.NamedOf(gosyntax.Pointed(t))
		if _, isPointer := t.Underlying().(*types.Pointer); isPointer && made.Kind == testcase.OpFunc && made.Via == nil && named != nil && named.Obj().Pkg() == o.Pkg.Types && len(o.use[t.String()]) > 0 {
			return a, true
		}
		if made.Kind == testcase.OpComposite || made.Kind == testcase.OpAddr || made.Kind == testcase.OpConvert || made.Kind == testcase.OpFunc {
			if ref, ok := o.insideOf(s, results, a); ok {
				return ref, true
			}
		}
	}
	return testcase.Ref{}, false
}
