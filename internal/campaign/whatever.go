package campaign

import (
	"context"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
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
// made its object. Of the findings of one cause one is asked. If the object as it was made does not fail on the text, the calls in between are
// the cause, and not the numbers; nor are these if it fails in this way with an ordinary number as well.
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
			causes, asked, seqs = append(causes, f.Cause), append(asked, f), append(seqs, seq, withoutOtherCalls(seq), madeWithOrdinary(withoutOtherCalls(seq)))
		}
		of[f.Cause] = append(of[f.Cause], f)
	}
	if len(asked) == 0 {
		return nil
	}
	outcomes, err := bench.Runner(false).RunUnmarked(ctx, seqs)
	fails := func(f *testcase.Finding, k int) bool {
		return k < len(outcomes) && outcomes[k] != nil && failsAlike(f.Case.Observed, outcomes[k])
	}
	for i, f := range asked {
		if !fails(f, 3*i) || !fails(f, 3*i+1) || fails(f, 3*i+2) {
			continue
		}
		for _, same := range of[causes[i]] {
			finding.OfSettings(same)
		}
	}
	return err
}

// accuseCalls grades those findings anew that are misuse of numbers by which an object was made, where the calls in between lead to
// the failure: it does not show without them, none of them stores such a number, and it still shows with ordinary numbers.
func accuseCalls(ctx context.Context, bench *workbench, findings []*testcase.Finding) error {
	if bench == nil {
		return nil
	}
	pkg := bench.Judge.Rules.Pkg
	var asked []*testcase.Finding
	var seqs []*testcase.Sequence
	for _, f := range findings {
		seq := f.Case.Seq
		by := finding.StoredNumbers(bench.Judge.Rules, f)
		if len(by) == 0 || f.Case.TargetStmt() != seq.Len()-1 || storesBetween(pkg, seq, by) {
			continue
		}
		if made := withoutOtherCalls(seq); made.Len() < seq.Len() {
			asked, seqs = append(asked, f), append(seqs, made, withOrdinaryCalls(pkg, seq))
		}
	}
	if len(asked) == 0 {
		return nil
	}
	outcomes, err := bench.Runner(false).RunUnmarked(ctx, seqs)
	for i, f := range asked {
		if 2*i+1 >= len(outcomes) || outcomes[2*i] == nil || outcomes[2*i+1] == nil || outcomes[2*i].Status == testcase.NotRun {
			continue
		}
		if !failsAlike(f.Case.Observed, outcomes[2*i]) && failsAlike(f.Case.Observed, outcomes[2*i+1]) {
			finding.OfCalls(bench.Judge.Rules, f)
		}
	}
	return err
}

// storesBetween reports whether one of the calls that a sequence makes beside its last one, and beside what makes the values for that, is
// or calls one of some functions.
func storesBetween(pkg *load.Package, s *testcase.Sequence, by map[string]bool) bool {
	for i, dead := range reduce.Dead(s) {
		if !dead || !finding.CallsOf(pkg, s.At(i).Op) {
			continue
		}
		called := map[string]bool{testcase.TargetName(s.At(i).Op.Func): true}
		if t := pkg.FirstTargetOf(s.At(i).Op.Func); t != nil && t.Func != nil {
			called = purity.Calls(pkg, t.Func)
		}
		for name := range by {
			if called[name] {
				return true
			}
		}
	}
	return false
}

// withOrdinaryCalls returns a sequence in which the calls of the package get a 1 in place of each whole number that is smaller or
// larger than most, but for the last call.
func withOrdinaryCalls(pkg *load.Package, s *testcase.Sequence) *testcase.Sequence {
	stmts := slices.Clone(s.AppendTo(nil))
	for i := range s.Len() - 1 {
		if !finding.CallsOf(pkg, s.At(i).Op) {
			continue
		}
		for _, a := range s.At(i).Args {
			op := s.At(a.Stmt).Op
			if n := int64(op.Lit.Bits); op.Kind != testcase.OpLiteral || op.Lit.Kind != testcase.LitInt && op.Lit.Kind != testcase.LitUint || 1 <= n && n <= large {
				continue
			}
			stmts[a.Stmt] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: testcase.Literal{Kind: op.Lit.Kind, Bits: 1}}}
		}
	}
	return testcase.NewSequence(stmts...)
}

// withoutOtherCalls returns a sequence with its last call and what makes the values that this call takes, and without all that is done to
// them in between.
func withoutOtherCalls(s *testcase.Sequence) *testcase.Sequence {
	keep := reduce.Dead(s)
	for i := range keep {
		keep[i] = !keep[i]
	}
	if out, ok := s.Keep(keep); ok {
		return out
	}
	return s
}

// madeWithOrdinary returns a sequence whose last call's receiver is made with ordinary numbers in place of all whole numbers.
func madeWithOrdinary(s *testcase.Sequence) *testcase.Sequence {
	const instead = 10
	maker := s.Last().Args[0].Stmt
	stmts := slices.Clone(s.AppendTo(nil))
	for _, a := range s.At(maker).Args {
		t := s.At(a.Stmt).Op.Type
		if t == nil {
			continue
		}
		b, ok := t.Underlying().(*types.Basic)
		if !ok || b.Info()&types.IsInteger == 0 {
			continue
		}
		if lit, ok := testcase.IntLiteral(b, instead); ok {
			stmts[a.Stmt] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit}}
		}
	}
	return testcase.NewSequence(stmts...)
}

// excuseNumbers makes misuse of those findings in which a function is passed numbers that nobody would pass, and does not fail
// in this way if it is passed an ordinary number in their place. That it takes any text says nothing then. It asks if the
// function takes texts and returns no error, if it does not return (a size of -1 of xorfilter's, which is one of four billion), and if
// a number made something larger than there is room for: so large that the memory is over, or that the standard library or another
// module refuses it. If it returns errors, another failure on such a number is a warning: the function could refuse it. That it takes long for a
// size is none.
func excuseNumbers(ctx context.Context, bench *workbench, findings []*testcase.Finding) error {
	if bench == nil {
		return nil
	}
	var asked []*testcase.Finding
	var seqs []*testcase.Sequence
	for _, f := range findings {
		if f.Severity != testcase.Error && f.Severity != testcase.Warning || f.Case.Observed.Violated != "" || f.Case.TargetStmt() != f.Case.Seq.Len()-1 || finding.NeverEnds(bench.Judge.Rules.Pkg, f) {
			continue
		}
		sig, least, most, instead := f.Case.Seq.Last().Op.Signature(), int64(0), int64(huge), uint64(1)
		switch {
		case sig == nil:
			continue
		case isTooLarge(bench.Judge.Rules.Pkg, f.Case.Observed):
			most = large
		case gosyntax.ReturnsError(sig):
			least, most = -large, large // a number below zero is what such a function should refuse
		case usage.Data(f.Case.Seq.Last().Op.Func) != "":
		case f.Case.Observed.Status == testcase.Hung:
			instead = 0 // a step of -1 is as wrong as one of 0, which go-funk's ChunkInts and its like do not return for either
		default:
			continue // package finding has rules for these
		}
		if seq := withOrdinaryNumbers(f.Case.Seq, least, most, instead); seq != nil {
			asked, seqs = append(asked, f), append(seqs, seq)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	outcomes, err := bench.Runner(false).RunUnmarked(ctx, seqs)
	for i, f := range asked {
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status == testcase.NotRun || failsAlike(f.Case.Observed, outcomes[i]) {
			continue
		}
		if gosyntax.ReturnsError(f.Case.Seq.Last().Op.Signature()) && !isTooLarge(bench.Judge.Rules.Pkg, f.Case.Observed) && !(f.Case.Observed.Status == testcase.Hung && passesSizes(f.Case.Seq)) {
			finding.OfRefusable(f)
			continue
		}
		finding.OfNumbers(f)
	}
	return err
}

// passesSizes reports whether the numbers of a sequence's last call that are not ordinary are sizes: none is negative, or so large that counting to
// it may never end, or the largest of its type. What does not return in time for such a number takes its time, and on an idle machine it may return.
func passesSizes(seq *testcase.Sequence) bool {
	const countable = 1 << 31
	sizes := false
	for _, a := range seq.Last().Args {
		op := seq.At(a.Stmt).Op
		if op.Kind != testcase.OpLiteral || op.Lit.Kind != testcase.LitInt && op.Lit.Kind != testcase.LitUint {
			continue
		}
		b, ok := op.Type.Underlying().(*types.Basic)
		if !ok {
			continue
		}
		n := op.Lit.Bits
		if n >= countable { // as is each that is negative
			return false
		}
		if _, more := testcase.IntLiteral(b, int64(n)+1); !more {
			return false // the largest of its type
		}
		sizes = sizes || n > large
	}
	return sizes
}

// The numbers above which one may be too large for what it is passed for: anything at all, and a size, an exponent or a
// distance to shift by.
const (
	huge  = 1 << 20
	large = 20
)

// isTooLarge reports whether an execution failed because of a size: there was no memory left, a length or shift was refused by
// the language, or another module refused what it was passed.
func isTooLarge(pkg *load.Package, o *testcase.Outcome) bool {
	if o.Status == testcase.Died {
		return o.Message == testcase.OutOfMemory
	}
	if o.Panic == nil {
		return false
	}
	switch o.Panic.Kind {
	case "negative-length", "negative-shift":
		return true
	}
	return o.Panic.Kind == "explicit" && len(o.Panic.Stack) > 0 && !finding.OfModule(pkg, o.Panic.Stack[0].Func)
}

// withOrdinaryNumbers returns a sequence whose last call gets an ordinary number in place of each whole number that is smaller than least or
// larger than most, or nil if the call is passed none.
func withOrdinaryNumbers(seq *testcase.Sequence, least, most int64, instead uint64) *testcase.Sequence {
	last := seq.Last()
	if last.Op.Kind != testcase.OpFunc && last.Op.Kind != testcase.OpMethod {
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
		if n := int64(op.Lit.Bits); op.Kind != testcase.OpLiteral || op.Lit.Kind != testcase.LitInt && op.Lit.Kind != testcase.LitUint || least <= n && n <= most {
			continue
		}
		args[k] = b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: testcase.Literal{Kind: op.Lit.Kind, Bits: instead}})
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
