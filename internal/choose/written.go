package choose

import (
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// mostBuffers is how many buffers a test reads.
const mostBuffers = 2

// written returns the tests with calls behind their own that read the buffers which the code under test
// was given to write to. What a function writes is what it does: a test that passes a buffer and does
// not read it would pass for a function that writes nothing.
func (o *observing) written(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	var seqs []*testcase.Sequence
	var of []int
	for i, c := range tests {
		if seq := withBuffersRead(c); seq != nil && c.Observed != nil && c.Observed.Status == testcase.Returned {
			seqs, of = append(seqs, seq), append(of, i)
		}
	}
	outcomes, err := o.bench.Runner(true).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("reading buffers: %w", err)
	}
	out := slices.Clone(tests)
	for k, i := range of {
		if k >= len(outcomes) || !sameEnd(tests[i], outcomes[k]) || !whole(seqs[k], outcomes[k], tests[i].TargetStmt()+1) {
			continue
		}
		if at := seqs[k].Len() - 1; len(outcomes[k].Results[at]) == 0 || outcomes[k].Results[at][0].Str == "" {
			continue // nothing was written
		}
		c := *tests[i]
		c.Seq, c.Observed, c.Predicted = seqs[k], outcomes[k], nil
		out[i] = &c
	}
	return out, nil
}

// withBuffersRead returns the sequence of a case with its buffers read in the end, the last of them
// last; nil if it has none that the code under test writes to. A buffer that is written to is empty
// first: what is in it then was written by the code under test.
func withBuffersRead(c *testcase.Case) *testcase.Sequence {
	s := c.Seq
	target := c.TargetStmt()
	results := s.ResultTypes()
	index := make([]int, s.Len())
	var b testcase.Builder
	var reads []testcase.Statement
	for i := range s.Len() {
		st := s.At(i)
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			args[k] = testcase.Ref{Stmt: index[a.Stmt], Result: a.Result}
		}
		if i >= target || len(results[i]) != 1 || !load.IsBuffer(results[i][0]) || !writtenTo(s, i, target) || len(reads) == mostBuffers {
			index[i] = b.Add(st.Op, args...).Stmt
			continue
		}
		pointer := results[i][0]
		zero := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: pointer.(*types.Pointer).Elem()})
		buffer := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: pointer}, zero)
		index[i] = buffer.Stmt
		reads = append(reads, testcase.Statement{Op: readsBuffer(pointer), Args: []testcase.Ref{buffer}})
	}
	if len(reads) == 0 {
		return nil
	}
	return b.Sequence().Extend(reads...)
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

// readsBuffer returns a call of the method that returns a buffer's contents.
func readsBuffer(pointer types.Type) *testcase.Operation {
	obj, _, _ := types.LookupFieldOrMethod(pointer, true, nil, "String")
	return &testcase.Operation{Kind: testcase.OpMethod, Func: obj.(*types.Func)}
}

// bufferReads returns what reading the buffers takes that operations make.
func bufferReads(ops []*testcase.Operation) []*testcase.Operation {
	var out []*testcase.Operation
	seen := make(map[string]bool)
	for _, op := range ops {
		made := []types.Type{op.Type}
		if sig := op.Signature(); sig != nil {
			made = nil
			for r := range sig.Results().Variables() {
				made = append(made, r.Type())
			}
		}
		for _, t := range made {
			if t != nil && load.IsBuffer(t) && !seen[t.String()] {
				seen[t.String()] = true
				out = append(out, readsBuffer(t), &testcase.Operation{Kind: testcase.OpZero, Type: t.(*types.Pointer).Elem()}, &testcase.Operation{Kind: testcase.OpAddr, Type: t})
			}
		}
	}
	return out
}

// readBuffers is withBuffersRead as a way to give a test other values: where a real buffer takes the place
// of a stand-in, it is read.
func readBuffers(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	s := withBuffersRead(c)
	return s, s != nil
}

// readsOf reports whether a statement behind the case's own call reads a buffer.
func readsOf(c *testcase.Case, i int) bool {
	st := c.Seq.At(i)
	return i > c.TargetStmt() && st.Op.Kind == testcase.OpMethod && len(st.Args) == 1 && load.IsBuffer(c.Seq.ResultTypes()[st.Args[0].Stmt][st.Args[0].Result])
}
