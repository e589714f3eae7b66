// Package told has tests read what tells of an object that a call returned: of a request the URL, the header and the body, of what
// is behind an interface what its methods say, of a reader what is read from it. Which parts these are is a table and two rules of
// package observer. Mutants alone would choose the one field that notices most of them, and a reader would not learn what became of
// the others.
//
//  1. [Reader.Learn] reads all parts behind the calls of a package, and notes those that say something behind some call of a
//     function. A method that is GET in all tests says nothing.
//  2. [Reader.Tests] puts these reads behind the calls of tests. An empty list, map or body is left out, and so is what is
//     not the same in each run. What stands behind a field that is nil is not read.
//  3. [Reader.Operations] are the operations that harnesses need for that.
//
// Buffers and recorders that a call was given to write to are read by [Reader.Written], and files that it has changed in directories of
// the test's own by [Reader.Files].
//
// An object in an exported field of a struct that the call returned counts as returned, if the struct is not compared as a whole.
//
// Not supported: objects that a call changes and does not return; of several results the first one is read.
package told

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"sync"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Reader reads parts of what the calls of a package's functions return.
type Reader struct {
	*session.Session
	bench *session.Bench
	// says has the parts that say something behind some call of a target.
	says map[part]bool
	// writes reports whether the package has a function that may change files.
	writes func() bool
}

// part is a part of what the calls of a target return.
type part struct{ target, path string }

// New returns a Reader for the package of a session, which runs tests on a bench.
func New(s *session.Session, bench *session.Bench) *Reader {
	return &Reader{s, bench, make(map[part]bool), sync.OnceValue(func() bool { return purity.MayWriteFiles(s.Pkg) })}
}

// tale is what is read of an object that a test's call returned.
type tale struct {
	test    int // the number of the test
	object  testcase.Ref
	parts   []observer.Part
	at      []int // the statements that read the parts
	seq     *testcase.Sequence
	outcome *testcase.Outcome
}

// Learn notes which parts say something behind the calls of these tests.
func (r *Reader) Learn(ctx context.Context, tests []*testcase.Case) error {
	_, err := r.all(ctx, tests)
	return err
}

// all reads all parts of what the tests' calls returned.
func (r *Reader) all(ctx context.Context, tests []*testcase.Case) ([]*tale, error) {
	var tales []*tale
	for i, c := range tests {
		if t := returnedBy(c); t != nil {
			t.test = i
			tales = append(tales, t)
		}
	}
	if err := r.read(ctx, tests, tales); err != nil {
		return nil, err
	}
	for _, t := range tales {
		for k, p := range t.parts {
			if all := t.answers(t.at[k]); len(all) > 0 && (p.Received() || !allSayNothing(p, all)) {
				r.says[part{tests[t.test].Target, p.Path}] = true
			}
		}
	}
	return tales, nil
}

// Tests returns the tests with statements behind their own calls that read what these returned, where there is something to
// read.
func (r *Reader) Tests(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	tales, err := r.all(ctx, tests)
	if err != nil {
		return nil, err
	}
	for _, t := range tales {
		var kept []observer.Part
		for k, p := range t.parts {
			all := t.answers(t.at[k])
			if r.says[part{tests[t.test].Target, p.Path}] && len(all) > 0 && (all[0].Kind <= testcase.String || p.Received() || !allSayNothing(p, all)) {
				kept = append(kept, p)
			}
		}
		t.parts = kept
	}
	tales = slices.DeleteFunc(tales, func(t *tale) bool { return len(t.parts) == 0 })
	if err := r.read(ctx, tests, tales); err != nil {
		return nil, err
	}
	out := slices.Clone(tests)
	for _, t := range tales {
		was := tests[t.test]
		if !returned(t.outcome) || t.outcome.Unsteady(t.object.Stmt) && !was.Observed.Unstable || slices.ContainsFunc(t.at, func(i int) bool { return len(t.answers(i)) == 0 }) {
			continue
		}
		c := *was
		c.Seq, c.Observed, c.Predicted = t.seq, t.outcome, nil
		out[t.test] = &c
	}
	return out, nil
}

// returnedBy returns the first object that has parts to tell and that a case's own call returned, or
// a call of the function which it returned. It returns nil if there is none, or if something stands behind the call.
func returnedBy(c *testcase.Case) *tale {
	at := c.Seq.Len() - 1
	own := c.Seq.At(c.TargetStmt()).Op.Func
	if !returned(c.Observed) || c.CallFailed() || !observer.Returns(c, at) || at >= len(c.Observed.Results) || own == nil || testcase.TargetName(own) != c.Target {
		return nil
	}
	for r, v := range c.Observed.Results[at] {
		t := c.Seq.ResultTypes()[at][r]
		parts := observer.AskedBehind(t)
		if gofile.Whole(v) && !observer.HasRow(t) && len(parts) == 0 {
			continue // the test compares the whole struct
		}
		if len(parts) == 0 {
			parts = observer.Told(t)
		}
		if len(parts) == 0 && readsText(c) {
			parts = observer.ReadThrough(t)
		}
		if len(parts) > 0 && v.Kind != testcase.Nil && v.Kind != testcase.Invalid {
			return &tale{object: testcase.Ref{Stmt: at, Result: r}, parts: parts}
		}
	}
	return nil
}

// readsText reports whether a case's own call is given a text or a reader of one, so that what is read from its result has an end. The
// name of a file or of a host is no such text.
func readsText(c *testcase.Case) bool {
	for p := range c.Seq.At(c.TargetStmt()).Op.Signature().Params().Variables() {
		if obj, _, _ := types.LookupFieldOrMethod(p.Type(), false, nil, "Read"); obj != nil || load.IsText(p.Type()) && !load.NamesPlace(p) {
			return true
		}
	}
	return false
}

func returned(o *testcase.Outcome) bool {
	return o != nil && o.Status == testcase.Returned && o.Violated == ""
}

// read runs the tests with statements behind their calls that read the parts.
func (r *Reader) read(ctx context.Context, tests []*testcase.Case, tales []*tale) error {
	var seqs []*testcase.Sequence
	for _, t := range tales {
		c := tests[t.test]
		var behind []testcase.Statement
		t.at = nil
		for _, p := range t.parts {
			at := t.object
			for _, op := range present(c, at, p.Steps(c.Seq.ResultTypes()[at.Stmt][at.Result], r.Prog.Imported)) {
				behind = append(behind, testcase.Statement{Op: op, Args: []testcase.Ref{at}})
				at = testcase.Ref{Stmt: c.Seq.Len() + len(behind) - 1}
			}
			t.at = append(t.at, at.Stmt)
		}
		t.seq = c.Seq.Extend(behind...)
		seqs = append(seqs, t.seq)
	}
	outcomes, err := r.bench.Proposals(true).Run(ctx, seqs)
	if err := r.UnlessCut(err); err != nil {
		return fmt.Errorf("reading what calls returned: %w", err)
	}
	for k, t := range tales {
		if t.outcome = nil; k < len(outcomes) {
			t.outcome = outcomes[k]
		}
	}
	return nil
}

// present returns the first of the steps that lead from an object to a part of it, up to a field that is nil.
func present(c *testcase.Case, object testcase.Ref, steps []*testcase.Operation) []*testcase.Operation {
	t, v := c.Seq.ResultTypes()[object.Stmt][object.Result], c.Observed.Results[object.Stmt][object.Result]
	for n, op := range steps {
		if v.Kind == testcase.Nil {
			return steps[:n]
		}
		if op.Kind != testcase.OpField {
			return steps
		}
		if p, ok := t.Underlying().(*types.Pointer); ok && v.Kind == testcase.Pointer && len(v.Elems) == 1 {
			t, v = p.Elem(), v.Elems[0]
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok || v.Kind != testcase.Struct || len(v.Elems) != st.NumFields() {
			return steps
		}
		for i := range st.NumFields() {
			if st.Field(i).Name() == op.Var.Name() {
				t, v = st.Field(i).Type(), v.Elems[i]
				break
			}
		}
	}
	return steps
}

// answers returns what the part is that statement i reads, and nothing if that is not known or not the same in each run. A method may
// return several things.
func (t *tale) answers(i int) []testcase.Value {
	if i == t.object.Stmt || !returned(t.outcome) || i >= len(t.outcome.Results) || len(t.outcome.Results[i]) == 0 {
		return nil
	}
	results := t.outcome.Results[i]
	received := observer.Receives(t.seq.At(i).Op) // an error that comes from a channel is what the channel is for
	if slices.ContainsFunc(results, func(v testcase.Value) bool { return v.Err != nil && !received || !gofile.Whole(v) }) {
		return nil
	}
	return results
}

// allSayNothing reports whether each result is what it is of most objects.
func allSayNothing(p observer.Part, results []testcase.Value) bool {
	return !slices.ContainsFunc(results, func(v testcase.Value) bool { return !saysNothing(p, v) })
}

// saysNothing reports whether a part is what it is of most objects of its type.
func saysNothing(p observer.Part, v testcase.Value) bool {
	switch v.Kind {
	case testcase.Nil:
		return true
	case testcase.String:
		return v.Str == "" || v.Str == p.Usual
	case testcase.Slice, testcase.Map:
		return len(v.Elems) == 0
	}
	return v.Kind < testcase.String && v.Bits == 0
}

// Operations returns the operations that read the parts of what the package's own among the given operations return.
func (r *Reader) Operations(ops []*testcase.Operation) []*testcase.Operation {
	var out []*testcase.Operation
	seen := make(map[string]bool)
	add := func(sig *types.Signature) {
		for v := range sig.Results().Variables() {
			if key := v.Type().String(); !seen[key] {
				seen[key] = true
				for _, p := range slices.Concat(observer.Told(v.Type()), observer.AskedBehind(v.Type()), observer.ReadThrough(v.Type())) {
					out = append(out, p.Steps(v.Type(), r.Prog.Imported)...)
				}
			}
		}
	}
	for _, op := range ops {
		sig := op.Signature()
		if sig == nil || op.Func == nil || op.Func.Pkg() != r.Pkg.Types {
			continue
		}
		add(sig)
		for v := range sig.Results().Variables() {
			if f, ok := v.Type().Underlying().(*types.Signature); ok {
				add(f)
			}
		}
	}
	return out
}
