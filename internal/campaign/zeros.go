package campaign

import (
	"context"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A function that takes a text and settings may fail because of the text, which comes from outside, or because of numbers in the settings
// that the test has left at zero: a cost, a dimension, a width. What tells them apart is the same case with ones in their place.

// excuseZeros makes warnings of those errors that do not show any more if the numbers are set that a struct of the case leaves at zero.
func excuseZeros(ctx context.Context, bench *workbench, findings []*testcase.Finding) error {
	if bench == nil {
		return nil
	}
	var asked []*testcase.Finding
	var seqs []*testcase.Sequence
	waited := 0
	for _, f := range findings {
		if f.Severity != testcase.Error || f.Case.Observed.Violated != "" {
			continue
		}
		seq := withNumbersSet(bench.Judge.Rules.Pkg, f.Case.Seq)
		if seq == nil {
			continue
		}
		if f.Case.Observed.Exhausted() {
			if waited++; waited > mostWaited {
				continue
			}
		}
		asked, seqs = append(asked, f), append(seqs, seq)
	}
	if len(asked) == 0 {
		return nil
	}
	outcomes, err := bench.Runner(false).RunUnmarked(ctx, seqs)
	for i, f := range asked {
		if i < len(outcomes) && outcomes[i] != nil && outcomes[i].Status != testcase.NotRun && !failsAlike(f.Case.Observed, outcomes[i]) {
			finding.OfZeros(f)
		}
	}
	return err
}

// withNumbersSet returns a sequence in which structs of the package have a 1 where they have left a number at zero, or nil if there is no such
// struct.
func withNumbersSet(pkg *load.Package, seq *testcase.Sequence) *testcase.Sequence {
	var b testcase.Builder
	at := make([]int, seq.Len()) // where each statement is now
	set := false
	for i := range seq.Len() {
		st := seq.At(i)
		op, args := st.Op, slices.Clone(st.Args)
		for k := range args {
			args[k].Stmt = at[args[k].Stmt]
		}
		if zeros := finding.NumbersAtZero(pkg, seq, st); len(zeros) > 0 {
			op, args = withOnes(&b, op, args, zeros)
			set = true
		}
		at[i] = b.Add(op, args...).Stmt
	}
	if !set {
		return nil
	}
	return b.Sequence()
}

// withOnes returns an operation that makes a struct, and its arguments, with a 1 in each of the given fields.
func withOnes(b *testcase.Builder, op *testcase.Operation, args []testcase.Ref, fields []int) (*testcase.Operation, []testcase.Ref) {
	elems := slices.Clone(op.Elems)
	if op.Elems == nil {
		for i := range args {
			elems = append(elems, i)
		}
	}
	for _, i := range fields {
		t := op.Type.Underlying().(*types.Struct).Field(i).Type()
		lit, _ := testcase.FillKey(t, 1)
		one := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit})
		if k := slices.Index(elems, i); k >= 0 {
			args[k] = one
			continue
		}
		elems, args = append(elems, i), append(args, one)
	}
	return &testcase.Operation{Kind: testcase.OpComposite, Type: op.Type, Elems: elems}, args
}
