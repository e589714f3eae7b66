package campaign

import (
	"context"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// A method that fails on the text that it is given may fail on any text, because of the numbers by which its
// object was made: a filter for 0 elements, a table with a rate of 0. Which numbers make sense is for the
// caller to know, so such a failure is misuse, while one that the text causes is a defect. What tells them
// apart is the same call with an ordinary text.

// ordinary is a text that no code has a reason to refuse.
const ordinary = "abc"

// mostWaited bounds how many findings are asked whose call does not return: each takes some seconds.
const mostWaited = 4

// excuseSettings makes misuse of those findings in which a method fails on any text because of the numbers that
// made its object. Of the findings of one cause one is asked.
func excuseSettings(ctx context.Context, bench *workbench, findings []*testcase.Finding) error {
	if bench == nil {
		return nil
	}
	of := make(map[string][]*testcase.Finding) // by cause
	var causes []string
	var asked []*testcase.Finding
	var seqs []*testcase.Sequence
	waited := 0
	for _, f := range findings {
		if f.Severity != testcase.Error && f.Severity != testcase.Warning || f.Case.Seq.Last().Op.Kind != testcase.OpMethod || f.Case.Observed.Violated != "" {
			continue
		}
		seq := withOrdinaryText(f.Case.Seq)
		if seq == nil || !finding.MadeByNumbers(seq) {
			continue
		}
		if of[f.Cause] == nil {
			if f.Case.Observed.Exhausted() {
				if waited++; waited > mostWaited {
					continue
				}
			}
			causes, asked, seqs = append(causes, f.Cause), append(asked, f), append(seqs, seq)
		}
		of[f.Cause] = append(of[f.Cause], f)
	}
	if len(asked) == 0 {
		return nil
	}
	outcomes, err := bench.Runner(false).RunUnmarked(ctx, seqs)
	for i, f := range asked {
		if i >= len(outcomes) || outcomes[i] == nil || !failsAlike(f.Case.Observed, outcomes[i]) {
			continue
		}
		for _, same := range of[causes[i]] {
			finding.OfSettings(same)
		}
	}
	return err
}

// excuseNumbers makes misuse of those findings in which a function that takes texts and returns no error is passed a number
// below zero or a huge one, and does not fail in this way if it is passed an ordinary number in its place. That it takes any
// text says nothing then. Functions that take no text have rules of their own (package finding).
func excuseNumbers(ctx context.Context, bench *workbench, findings []*testcase.Finding) error {
	if bench == nil {
		return nil
	}
	var asked []*testcase.Finding
	var seqs []*testcase.Sequence
	for _, f := range findings {
		if f.Severity != testcase.Error && f.Severity != testcase.Warning || f.Case.Observed.Violated != "" || f.Case.TargetStmt() != f.Case.Seq.Len()-1 {
			continue
		}
		if seq := withOrdinaryNumbers(f.Case.Seq); seq != nil {
			asked, seqs = append(asked, f), append(seqs, seq)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	outcomes, err := bench.Runner(false).RunUnmarked(ctx, seqs)
	for i, f := range asked {
		if i < len(outcomes) && outcomes[i] != nil && outcomes[i].Status != testcase.NotRun && !failsAlike(f.Case.Observed, outcomes[i]) {
			finding.OfNumbers(f)
		}
	}
	return err
}

// withOrdinaryNumbers returns a sequence whose last call gets 1 in place of each whole number that is negative or huge, or nil
// if the call is passed none, or can return an error.
func withOrdinaryNumbers(seq *testcase.Sequence) *testcase.Sequence {
	const huge = 1 << 20
	last := seq.Last()
	if last.Op.Kind != testcase.OpFunc && last.Op.Kind != testcase.OpMethod || usage.HasError(last.Op.Signature()) || usage.Data(last.Op.Func) == "" {
		return nil
	}
	var b testcase.Builder
	for i := range seq.Len() - 1 {
		b.Add(seq.At(i).Op, seq.At(i).Args...)
	}
	args := slices.Clone(last.Args)
	first := len(args) - last.Op.Signature().Params().Len() // behind the receiver
	replaced := false
	for k := max(first, 0); k < len(args); k++ {
		op := seq.At(args[k].Stmt).Op
		if n := int64(op.Lit.Bits); op.Kind != testcase.OpLiteral || op.Lit.Kind != testcase.LitInt || 0 <= n && n <= huge {
			continue
		}
		args[k] = b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 1}})
		replaced = true
	}
	if !replaced {
		return nil
	}
	b.Add(last.Op, args...)
	return b.Sequence()
}

// withOrdinaryText returns a sequence whose last call gets an ordinary text in place of each text, or nil if the
// call takes none.
func withOrdinaryText(seq *testcase.Sequence) *testcase.Sequence {
	var b testcase.Builder
	last := seq.Last()
	for i := range seq.Len() - 1 {
		b.Add(seq.At(i).Op, seq.At(i).Args...)
	}
	args := append([]testcase.Ref(nil), last.Args...)
	params, replaced := last.Op.Signature().Params(), false
	for k := range min(params.Len(), len(args)-1) {
		t := params.At(k).Type()
		letter := func(i int) testcase.Ref {
			return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Byte], Lit: testcase.Literal{Kind: testcase.LitUint, Bits: uint64(ordinary[i])}})
		}
		switch u := t.Underlying().(type) {
		case *types.Basic:
			if u.Info()&types.IsString == 0 {
				continue
			}
			args[k+1] = b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitString, Str: ordinary}})
		case *types.Slice:
			if !types.Identical(u.Elem(), types.Typ[types.Byte]) {
				continue
			}
			args[k+1] = b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: t}, letter(0), letter(1), letter(2))
		default:
			continue
		}
		replaced = true
	}
	if !replaced {
		return nil
	}
	b.Add(last.Op, args...)
	return b.Sequence()
}

// failsAlike reports whether two executions end in the same kind of failure.
func failsAlike(a, b *testcase.Outcome) bool {
	if a.Status != b.Status {
		return false
	}
	return a.Status != testcase.Panicked || a.Panic != nil && b.Panic != nil && a.Panic.Kind == b.Panic.Kind
}
