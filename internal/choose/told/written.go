package told

import (
	"context"
	"fmt"
	"go/types"
	"net/http"
	"slices"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/choose/record"
	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// mostBuffers is how many buffers a test reads.
const mostBuffers = 2

// Written returns the tests with statements behind their own call that read the buffers and recorders which
// the code under test was given to write to. A test that passes a buffer and does not read it would also pass
// if the function wrote nothing. The headers with these keys are read of recorders.
func (r *Reader) Written(ctx context.Context, tests []*testcase.Case, keys []string) ([]*testcase.Case, error) {
	of := make([]int, len(tests))
	read := make([]*testcase.Case, len(tests))
	for i, c := range tests {
		of[i] = i
		if seq := withOutputRead(c, keys); seq != nil && c.Observed != nil && c.Observed.Status == testcase.Returned {
			read[i] = &testcase.Case{}
			*read[i] = *c
			read[i].Seq, read[i].Predicted = seq, nil
		}
	}
	// A read that returned nothing is not worth a line: the tests with such reads run once more without them.
	for range 2 {
		var seqs []*testcase.Sequence
		var at []int
		for _, i := range of {
			if read[i] != nil {
				seqs, at = append(seqs, read[i].Seq), append(at, i)
			}
		}
		outcomes, err := r.bench.Proposals(true).Run(ctx, seqs)
		if err := r.UnlessCut(err); err != nil {
			return nil, fmt.Errorf("reading what was written: %w", err)
		}
		of = nil
		for k, i := range at {
			if k >= len(outcomes) || !record.SameEnd(tests[i], outcomes[k]) || !IsWhole(seqs[k], outcomes[k], tests[i].TargetStmt()+1) {
				read[i] = nil
				continue
			}
			read[i].Observed = outcomes[k]
			shorter, empty := withoutEmptyReads(read[i])
			switch {
			case shorter == nil:
				read[i] = nil // nothing was written
			case empty:
				read[i].Seq, of = shorter, append(of, i)
			}
		}
	}
	out := slices.Clone(tests)
	for i, c := range read {
		if c != nil {
			out[i] = c
		}
	}
	return out, nil
}

// withoutEmptyReads returns the sequence of a case without those reads of outputs that showed nothing, and
// whether there were any. The sequence is nil if no read shows anything. A recorder that received nothing has
// the status 200, no header and no body.
func withoutEmptyReads(c *testcase.Case) (s *testcase.Sequence, empty bool) {
	keep := make([]bool, c.Seq.Len())
	shows := false
	for i := range keep {
		keep[i] = true
		if i <= c.TargetStmt() || isStep(c.Seq, i) || len(c.Observed.Results[i]) == 0 {
			continue // a call that returns nothing reads no output
		}
		v := c.Observed.Results[i][0]
		switch {
		case c.Seq.At(i).Op.Kind == testcase.OpDeref:
			keep[i] = !isZeroValue(v)
			shows, empty = shows || keep[i], empty || !keep[i]
		case v.Kind != testcase.String:
			shows = shows || v.Bits != http.StatusOK
		case v.Str != "":
			shows = true
		case isBody(c.Seq, i):
			// Body and status belong to a response, whatever their values are.
		default:
			keep[i], empty = false, true
		}
	}
	if !shows {
		return nil, empty
	}
	for i := len(keep) - 1; i > c.TargetStmt(); i-- {
		if isStep(c.Seq, i) {
			keep[i] = false
			for k := i + 1; k < len(keep); k++ {
				keep[i] = keep[i] || keep[k] && slices.ContainsFunc(c.Seq.At(k).Args, func(a testcase.Ref) bool { return a.Stmt == i })
			}
		}
	}
	s, ok := c.Seq.Keep(keep)
	if !ok {
		return nil, empty
	}
	return s, empty
}

// Trimmed returns tests without reads of buffers that are empty behind a call which succeeds. Such a read showed something once, when the
// call was passed other values. Behind a call that fails an empty buffer says that nothing was written. A test that could compare nothing
// else keeps its reads.
func (r *Reader) Trimmed(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	out := slices.Clone(tests)
	var seqs []*testcase.Sequence
	var at []int
	for i, c := range tests {
		if seq := withoutEmptyBuffers(c); seq != nil {
			seqs, at = append(seqs, seq), append(at, i)
		}
	}
	outcomes, err := r.bench.Proposals(true).Run(ctx, seqs)
	if err := r.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("leaving out empty buffers: %w", err)
	}
	for k, i := range at {
		if k >= len(outcomes) || !record.SameEnd(tests[i], outcomes[k]) {
			continue
		}
		c := *tests[i]
		c.Seq, c.Predicted, c.Observed = seqs[k], nil, outcomes[k]
		if !outcome.AssertsNothing(&c) {
			out[i] = &c
		}
	}
	return out, nil
}

// withoutEmptyBuffers returns the sequence of a case that succeeds without the reads of buffers that are empty, nil if there are none.
func withoutEmptyBuffers(c *testcase.Case) *testcase.Sequence {
	if c.Story != nil || c.Observed == nil || c.Observed.Status != testcase.Returned || outcome.HasError(c) || len(c.Observed.Results) < c.Seq.Len() {
		return nil
	}
	keep, empty := make([]bool, c.Seq.Len()), false
	for i := range keep {
		st, results := c.Seq.At(i), c.Observed.Results[i]
		keep[i] = true
		if i > c.TargetStmt() && outcome.ReadsOf(c, i) && len(results) == 1 && results[0].Kind == testcase.String && results[0].Str == "" && !isBody(c.Seq, i) && !isStep(c.Seq, i) {
			from := st.Args[0]
			if load.IsBuffer(c.Seq.ResultTypes()[from.Stmt][from.Result]) && c.Seq.At(from.Stmt).Op.Kind == testcase.OpAddr {
				keep[i], empty = false, true
			}
		}
	}
	if !empty {
		return nil
	}
	s, ok := c.Seq.Keep(keep)
	if !ok {
		return nil
	}
	return s
}

// isZeroValue reports whether a value is the zero value of its type.
func isZeroValue(v testcase.Value) bool {
	switch v.Kind {
	case testcase.Struct, testcase.Array:
		return !slices.ContainsFunc(v.Elems, func(e testcase.Value) bool { return !isZeroValue(e) })
	case testcase.String:
		return v.Str == "" && !v.Cut
	case testcase.Slice, testcase.Map, testcase.Pointer, testcase.Interface, testcase.Opaque:
		return false
	}
	return v.Bits == 0
}

// isBody reports whether a statement reads the body of a recorder.
func isBody(s *testcase.Sequence, i int) bool {
	st := s.At(i)
	if len(st.Args) != 1 {
		return false
	}
	from := s.At(st.Args[0].Stmt)
	return from.Op.Kind == testcase.OpField && len(from.Args) == 1 && load.IsRecorder(s.ResultTypes()[from.Args[0].Stmt][from.Args[0].Result])
}

// isStep reports whether a statement only leads to another one that reads: w.Body to w.Body.String().
func isStep(s *testcase.Sequence, i int) bool {
	for k := i + 1; k < s.Len(); k++ {
		for _, a := range s.At(k).Args {
			if a.Stmt == i {
				return true
			}
		}
	}
	return false
}

// withOutputRead returns the sequence of a case with reads of its buffers and recorders appended, in their
// order. The sequence is nil if the case has none that the code under test writes to. A buffer counts only if
// it is empty before the code under test writes to it, so that its contents are what this code wrote. The
// parameter keys holds the names of the headers that are read from recorders.
func withOutputRead(c *testcase.Case, keys []string) *testcase.Sequence {
	s := c.Seq
	target := c.TargetStmt()
	results := s.ResultTypes()
	index := make([]int, s.Len())
	var b testcase.Builder
	var reads []func()
	leads := leadingTo(s, target)
	for i := range s.Len() {
		st := s.At(i)
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			args[k] = testcase.Ref{Stmt: index[a.Stmt], Result: a.Result}
		}
		output := leads[i] && i < target && len(results[i]) == 1 && len(reads) < mostBuffers && writtenTo(s, i, target)
		switch {
		case output && load.IsBuffer(results[i][0]):
			pointer := results[i][0]
			zero := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: pointer.(*types.Pointer).Elem()})
			buffer := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: pointer}, zero)
			index[i] = buffer.Stmt
			reads = append(reads, func() { b.Add(ReadsBuffer(pointer), buffer) })
		case output && load.IsRecorder(results[i][0]) && st.Op.Kind == testcase.OpFunc:
			recorder := b.Add(st.Op, args...)
			index[i] = recorder.Stmt
			reads = append(reads, func() { ReadRecorder(&b, recorder, results[i][0], keys) })
		case i < target && st.Op.Kind == testcase.OpAddr && decodedInto(s, i, target):
			pointer := b.Add(st.Op, args...)
			index[i] = pointer.Stmt
			reads = append(reads, func() {
				b.Add(&testcase.Operation{Kind: testcase.OpDeref, Type: st.Op.Type.Underlying().(*types.Pointer).Elem()}, pointer)
			})
		default:
			index[i] = b.Add(st.Op, args...).Stmt
		}
	}
	if len(reads) == 0 {
		return nil
	}
	for _, read := range reads {
		read()
	}
	return b.Sequence()
}

// leadingTo reports which statements make the arguments of a statement, directly or indirectly. The buffers
// of other statements say nothing about its call.
func leadingTo(s *testcase.Sequence, target int) []bool {
	leads := make([]bool, s.Len())
	leads[target] = true
	for i := target; i >= 0; i-- {
		if !leads[i] {
			continue
		}
		for _, a := range s.At(i).Args {
			leads[a.Stmt] = true
		}
	}
	return leads
}

// decodedInto reports whether a pointer to an empty value is passed as an any to the target and to nothing
// else: the target decodes its input into this value.
func decodedInto(s *testcase.Sequence, pointer, target int) bool {
	if s.At(s.At(pointer).Args[0].Stmt).Op.Kind != testcase.OpZero {
		return false
	}
	passed := false
	for i := pointer + 1; i < s.Len(); i++ {
		st := s.At(i)
		for k, a := range st.Args {
			if a.Stmt != pointer {
				continue
			}
			if st.Op.Kind == testcase.OpMethod {
				k--
			}
			sig := st.Op.Signature()
			if i != target || sig == nil || k < 0 || k >= sig.Params().Len() || sig.Variadic() {
				return false
			}
			p, ok := sig.Params().At(k).Type().Underlying().(*types.Interface)
			passed = ok && p.NumMethods() == 0 && p.IsMethodSet()
		}
	}
	return passed
}

// writtenTo reports whether a buffer is passed, up to the target, to code that can only write to it, and
// nothing else in the sequence uses it.
func writtenTo(s *testcase.Sequence, buffer, target int) bool {
	found := false
	for i := buffer + 1; i < s.Len(); i++ {
		st := s.At(i)
		for k, a := range st.Args {
			if a.Stmt != buffer {
				continue
			}
			if i > target || !onlyWrites(st, k) {
				return false
			}
			found = true
		}
	}
	return found
}

// onlyWrites reports whether a statement takes its k-th argument as something that can be written to and
// not read from.
func onlyWrites(st testcase.Statement, k int) bool {
	if st.Op.Kind == testcase.OpConvert {
		return isWriter(st.Op.Type)
	}
	sig := st.Op.Signature()
	if st.Op.Kind == testcase.OpMethod {
		k--
	}
	if sig == nil || st.Op.Via != nil || k < 0 || k >= sig.Params().Len() {
		return false
	}
	return isWriter(sig.Params().At(k).Type())
}

// isWriter reports whether a type is an interface that has Write, and neither Read nor Close.
func isWriter(t types.Type) bool {
	has := func(method string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, method)
		_, isFunc := obj.(*types.Func)
		return isFunc
	}
	return types.IsInterface(t) && has("Write") && !has("Read") && !has("Close")
}

// Outputs is withOutputRead as a way to change a test: where a real buffer or recorder has taken the
// place of a stand-in, the test reads it.
func Outputs(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	for i := c.TargetStmt() + 1; i < c.Seq.Len(); i++ {
		if outcome.ReadsOf(c, i) {
			return nil, false // the case reads its outputs already
		}
	}
	s := withOutputRead(c, nil)
	return s, s != nil
}

// IsWhole reports whether everything that the observers from a statement on returned was read, and is the same
// in each run. Statements that only lead to another statement do not count.
func IsWhole(s *testcase.Sequence, o *testcase.Outcome, from int) bool {
	for i := from; i < s.Len(); i++ {
		if isStep(s, i) {
			continue
		}
		if i >= len(o.Results) || slices.ContainsFunc(o.Results[i], func(v testcase.Value) bool { return !gofile.Whole(v) }) {
			return false
		}
	}
	return true
}
