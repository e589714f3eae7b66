// Package record has tests assert which calls the code under test made of its dependencies: implementations of the package's
// interfaces, and functions.
//
//  1. [Recorder.Tests] wraps the dependencies of tests, runs them, and keeps the wraps of those that were called. Where a
//     test has requests answered, they are noted without a wrap.
//  2. [Ahead] says what that is likely to call, so that the first harness has it.
//  3. [Unrecorded] takes a wrap away where what the function returned shows already that it was called.
package record

import (
	"context"
	"fmt"
	"go/types"
	"regexp"
	"slices"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Recorder wraps the dependencies of the tests of a package.
type Recorder struct {
	*session.Session
	bench     *session.Bench
	recorders *giver.Recorders
}

// New returns a Recorder for the package of a session, which runs tests on a bench.
func New(s *session.Session, bench *session.Bench) *Recorder {
	return &Recorder{s, bench, giver.NewRecorders(s.Pkg.Types, s.Pkg.StartsGoroutines())}
}

// mostCalls is how many calls of one dependency a test lists.
const mostCalls = 6

// Tests wraps the dependencies that the code under test calls. Behind the call of the function under test,
// the test then looks at the arguments that the dependencies were called with.
func (r *Recorder) Tests(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	var seqs, before []*testcase.Sequence // before has what the tests do until their own call
	var of []int
	for i, c := range tests {
		if seq := r.wrap(c, c.Seq.Len(), r.recorders.Of); seq != nil && c.Observed != nil && c.Observed.Status == testcase.Returned {
			seqs, before, of = append(seqs, seq), append(before, r.wrap(c, c.TargetStmt(), r.recorders.Of)), append(of, i)
		}
	}
	outcomes, err := r.bench.Runner(true).Run(ctx, slices.Concat(seqs, before))
	if err == nil {
		err = r.sort(ctx, tests, of, seqs, outcomes)
	}
	if err := r.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("running recorded dependencies: %w", err)
	}
	runs := make([]*run, len(seqs))
	called := make(map[string]bool) // the dependencies that a call of a function has called in some test
	for k, i := range of {
		if len(seqs)+k >= len(outcomes) || !SameEnd(tests[i], outcomes[k]) {
			continue
		}
		looks := r.lookedAt(seqs[k])
		runs[k] = &run{seqs[k], outcomes[k], tests[i].Target, looks, counts(outcomes[len(seqs)+k], len(looks)), r.Pkg.StartsGoroutines()}
		for n := range looks {
			called[runs[k].dependency(n)] = called[runs[k].dependency(n)] || runs[k].calls(n)
		}
	}
	out := slices.Clone(tests)
	for k, i := range of {
		if runs[k] == nil {
			continue
		}
		seq, o := runs[k].withCalls(called)
		if seq == nil {
			continue
		}
		c := *tests[i]
		c.Seq, c.Observed, c.Predicted = seq, o, nil
		out[i] = &c
	}
	return out, nil
}

// sort has recorders sort the calls in tests where the calls come in another order in each run. seqs are the wrapped sequences
// of the tests with the numbers in of, and outcomes what came of them; both are replaced.
func (r *Recorder) sort(ctx context.Context, tests []*testcase.Case, of []int, seqs []*testcase.Sequence, outcomes []*testcase.Outcome) error {
	var again []*testcase.Sequence
	var places []int
	for k, i := range of {
		if k >= len(outcomes) || outcomes[k] == nil {
			continue
		}
		run := run{seq: seqs[k], outcome: outcomes[k], looks: r.lookedAt(seqs[k])}
		varies := false
		for n := range run.looks {
			calls := run.looked(n)
			varies = varies || calls.Shuffled || slices.ContainsFunc(calls.Elems, func(v testcase.Value) bool { return v.Varies })
		}
		if !varies {
			continue
		}
		if seq := r.wrap(tests[i], tests[i].Seq.Len(), r.recorders.Sorted); seq != nil {
			again, places = append(again, seq), append(places, k)
		}
	}
	if len(again) == 0 {
		return nil
	}
	sorted, err := r.bench.Runner(true).Run(ctx, again)
	for n, k := range places {
		if n < len(sorted) {
			seqs[k], outcomes[k] = again[n], sorted[n]
		}
	}
	return err
}

// counts returns how many calls each of the last statements of a run looked at, 0 where the run did not come so far.
func counts(o *testcase.Outcome, looks int) []int {
	out := make([]int, looks)
	if o == nil || o.Status != testcase.Returned || len(o.Results) < looks {
		return out
	}
	for i, results := range o.Results[len(o.Results)-looks:] {
		if len(results) == 1 {
			out[i] = len(results[0].Elems)
		}
	}
	return out
}

// SameEnd reports whether a case ends with wrapped dependencies in the way in which it ends without.
func SameEnd(c *testcase.Case, o *testcase.Outcome) bool {
	return o != nil && o.Status == testcase.Returned && o.Violated == "" && (!o.Unsteady(c.TargetStmt()) || c.Observed.Unstable)
}

// wrap returns the first statements of a case, so many, with the case's dependencies wrapped by helpers and a look at their calls at
// the end. It is nil if no dependency's calls would tell anything.
func (r *Recorder) wrap(c *testcase.Case, end int, helper helperOf) *testcase.Sequence {
	s := c.Seq
	target := c.TargetStmt()
	index := make([]int, s.Len())                  // the new numbers of the statements
	instead := make(map[testcase.Ref]testcase.Ref) // the wrapped values that take the place of others
	var b testcase.Builder
	var calls []testcase.Ref
	for i := range end {
		st := s.At(i)
		if looksAtRequests(s, i) {
			continue // the test is wrapped already, and looks at the requests at its end again
		}
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			args[k] = testcase.Ref{Stmt: index[a.Stmt], Result: a.Result}
			if w, ok := instead[a]; ok {
				args[k] = w
			}
		}
		index[i] = b.Add(st.Op, args...).Stmt
		if giver.AnswersRequests(st.Op) {
			calls = append(calls, testcase.Ref{Stmt: index[i]})
			continue
		}
		h := r.recorder(s, i, target, helper)
		if h == nil {
			continue
		}
		wrapped := b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: h.Func, Via: h}, testcase.Ref{Stmt: index[i]})
		instead[testcase.Ref{Stmt: i}] = wrapped
		calls = append(calls, testcase.Ref{Stmt: wrapped.Stmt, Result: 1})
	}
	if len(calls) == 0 {
		return nil
	}
	for _, ref := range calls {
		b.Add(&testcase.Operation{Kind: testcase.OpDeref, Type: types.NewSlice(types.Typ[types.String])}, ref)
	}
	return b.Sequence()
}

// looksAtRequests reports whether a statement looks at the requests that a helper has noted.
func looksAtRequests(s *testcase.Sequence, i int) bool {
	st := s.At(i)
	return st.Op.Kind == testcase.OpDeref && giver.AnswersRequests(s.At(st.Args[0].Stmt).Op)
}

// helperOf returns the helper that wraps values of a type which are called by a name, or nil.
type helperOf func(t types.Type, name string) *testcase.Helper

// recorder returns the operation that wraps the value of a statement. It is nil if the value is no
// dependency that a statement up to the target uses, or if its calls would tell nothing.
func (r *Recorder) recorder(s *testcase.Sequence, i, target int, helper helperOf) *testcase.Helper {
	st := s.At(i)
	switch st.Op.Kind {
	case testcase.OpStubFunc, testcase.OpStubIface:
	case testcase.OpFuncLit:
		if !isPassedAsAny(s, i, target) {
			return nil // what such a function does with what it is given shows that it was called
		}
	case testcase.OpFuncValue:
		if st.Op.Func.Pkg() == r.Pkg.Types && st.Op.Func.Signature().Results().Len() > 0 {
			return nil // the results of the package's own function show that it was called, and with what
		}
	default:
		return nil
	}
	for j := i + 1; j <= target; j++ {
		user := s.At(j)
		for k, a := range user.Args {
			if a != (testcase.Ref{Stmt: i}) {
				continue
			}
			if user.Op.Via != nil {
				return nil
			}
			name := placeName(user, k)
			if r.isCalledByClause(user.Op.Func, name) {
				return nil
			}
			return helper(st.Op.Type, name)
		}
	}
	return nil
}

// isPassedAsAny reports whether the function that a statement makes is passed, up to the target, where any value may be.
func isPassedAsAny(s *testcase.Sequence, i, target int) bool {
	for j := i + 1; j <= target; j++ {
		st := s.At(j)
		sig := st.Op.Signature()
		if !st.Op.IsCall() || sig == nil {
			continue
		}
		for k, a := range st.Args[st.Op.FirstParam():] {
			if a == (testcase.Ref{Stmt: i}) && k < sig.Params().Len() && gosyntax.IsAny(sig.Params().At(k).Type()) {
				return true
			}
		}
	}
	return false
}

// isCalledByClause reports whether a contract of a function calls one of its parameters: the harness checks contracts, and the test
// does not.
func (r *Recorder) isCalledByClause(f *types.Func, param string) bool {
	if f == nil || r.Pkg.Contracts == nil {
		return false
	}
	decl := r.Pkg.Func(f.Origin())
	if decl == nil {
		return false
	}
	contract := r.Pkg.Contracts.Func(decl)
	return contract != nil && contract.Calls(param)
}

// isPassed reports whether an operation makes a function that people pass (see package giver), and that returns something.
func isPassed(op *testcase.Operation) bool {
	if op.Via == nil || op.Signature() == nil || op.Signature().Params().Len() > 0 || op.Signature().Results().Len() != 1 {
		return false
	}
	made, ok := op.Signature().Results().At(0).Type().Underlying().(*types.Signature)
	return ok && made.Results().Len() > 0
}

// Unrecorded is a way that passes declared functions, and functions that people pass, unwrapped where their calls were recorded:
// their results already show that they were called, and with what.
func Unrecorded(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	s := c.Seq
	plain := make(map[int]testcase.Ref) // the values that recorders wrap, by the recorders' statements
	for i := range s.Len() {
		st := s.At(i)
		if st.Op.Via == nil || st.Op.Drives() || len(st.Args) != 1 {
			continue
		}
		wrapped := s.At(st.Args[0].Stmt).Op
		declared := wrapped.Kind == testcase.OpFuncValue && wrapped.Func.Signature().Results().Len() > 0
		if declared || isPassed(wrapped) {
			plain[i] = st.Args[0]
		}
	}
	if len(plain) == 0 {
		return nil, false
	}
	var b testcase.Builder
	index := make([]int, s.Len())
	dropped := make([]bool, s.Len())
	for i := range s.Len() {
		st := s.At(i)
		_, dropped[i] = plain[i]
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			if dropped[a.Stmt] {
				original, isRecorder := plain[a.Stmt]
				if dropped[i] = !isRecorder || a.Result != 0; dropped[i] {
					break // this statement looks at the calls
				}
				a = original
			}
			args[k] = testcase.Ref{Stmt: index[a.Stmt], Result: a.Result}
		}
		if !dropped[i] {
			index[i] = b.Add(st.Op, args...).Stmt
		}
	}
	return b.Sequence(), true
}

// otherwise is what a function is called whose place has no name.
const otherwise = "f"

// placeName returns a name for a function by the place that it is passed to: the name of the parameter or
// field.
func placeName(user testcase.Statement, k int) string {
	name := ""
	switch op := user.Op; op.Kind {
	case testcase.OpFunc, testcase.OpMethod:
		if op.Kind == testcase.OpMethod {
			k--
		}
		if sig := op.Declared(); k >= 0 && k < sig.Params().Len() {
			name = sig.Params().At(k).Name()
		}
	case testcase.OpSetField:
		name = op.Var.Name()
	case testcase.OpComposite:
		if s, ok := op.Type.Underlying().(*types.Struct); ok {
			if op.Elems != nil {
				k = op.Elems[k]
			}
			name = s.Field(k).Name()
		}
	}
	if name == "" || name == "_" {
		return otherwise
	}
	return name
}

// lookedAt returns the statements at the end of a wrapped sequence that look at calls.
func (r *Recorder) lookedAt(s *testcase.Sequence) []int {
	var out []int
	for i := s.Len() - 1; i >= 0; i-- {
		st := s.At(i)
		if st.Op.Kind != testcase.OpDeref || s.At(st.Args[0].Stmt).Op.Via == nil {
			break
		}
		out = append(out, i)
	}
	slices.Reverse(out)
	return out
}

// run is the run of a test with wrapped dependencies.
type run struct {
	seq     *testcase.Sequence
	outcome *testcase.Outcome
	target  string
	looks   []int // the statements that look at calls
	before  []int // how many calls of each dependency were noted before the case's own call
	started bool  // the package starts goroutines
}

// looked returns the calls that the n-th look shows.
func (r *run) looked(n int) testcase.Value {
	if i := r.looks[n]; i < len(r.outcome.Results) && len(r.outcome.Results[i]) == 1 {
		return r.outcome.Results[i][0]
	}
	return testcase.Value{}
}

// calls reports whether the case's own call, or a later one, called a dependency.
func (r *run) calls(n int) bool {
	v := r.looked(n)
	return v.Kind == testcase.Slice && len(v.Elems) > r.before[n]
}

// isSpared reports whether a dependency was never called.
func (r *run) isSpared(n int) bool {
	v := r.looked(n)
	return r.before[n] == 0 && (v.Kind == testcase.Nil || v.Kind == testcase.Slice && !v.Cut && len(v.Elems) == 0)
}

// mayStillCome reports whether a dependency that was not called so far may be called by a goroutine, sooner or later. Code that calls any
// function by reflection has one method for those that are called at once and those that are not.
func (r *run) mayStillCome(n int) bool {
	wrapped := r.seq.At(r.seq.At(r.looks[n]).Args[0].Stmt).Args[0]
	return r.started && r.seq.At(wrapped.Stmt).Op.Kind == testcase.OpFuncLit
}

// dependency names a dependency of the function under test.
func (r *run) dependency(n int) string {
	return r.target + " " + r.seq.At(r.seq.At(r.looks[n]).Args[0].Stmt).Op.Func.FullName()
}

// withCalls returns the wrapped sequence, with its outcome, in which only the dependencies are still wrapped that the case's own
// call, or a later one, has called, and those that were not called though the function calls them in other tests. It is nil if
// there are none, or if one was called too often.
func (r *run) withCalls(called map[string]bool) (*testcase.Sequence, *testcase.Outcome) {
	s, o := r.seq, r.outcome
	drop := make(map[int]bool)                  // statements
	back := make(map[testcase.Ref]testcase.Ref) // maps wrapped values to the original ones
	left, idle := 0, false                      // idle says that a statement has requests answered, and none came
	for n, i := range r.looks {
		wrapper := s.At(i).Args[0].Stmt
		v := r.looked(n)
		answers := giver.AnswersRequests(s.At(wrapper).Op)
		if r.calls(n) && !v.Cut && len(v.Elems) <= mostCalls && !slices.ContainsFunc(v.Elems, hasAddress) && (answers || !slices.ContainsFunc(v.Elems, isHollow)) ||
			!answers && r.isSpared(n) && called[r.dependency(n)] && !r.mayStillCome(n) {
			left++
			continue
		}
		drop[i] = true
		if answers {
			idle = unasked(s, wrapper, v, drop) || idle
			continue
		}
		drop[wrapper] = true
		back[testcase.Ref{Stmt: wrapper}] = s.At(wrapper).Args[0]
	}
	if left == 0 && !idle {
		return nil, nil
	}
	index := make([]int, s.Len())
	out := *o
	out.Results = nil
	var b testcase.Builder
	for i := range s.Len() {
		if drop[i] {
			continue
		}
		st := s.At(i)
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			if w, ok := back[a]; ok {
				a = w
			}
			args[k] = testcase.Ref{Stmt: index[a.Stmt], Result: a.Result}
		}
		index[i] = b.Add(st.Op, args...).Stmt
		if i < len(o.Results) {
			out.Results = append(out.Results, o.Results[i])
		}
	}
	out.At = b.Len() - 1
	return b.Sequence(), &out
}

// address matches the address of a function or an object, as fmt prints it.
var address = regexp.MustCompile(`\b0x[0-9a-f]{5,16}\b`)

// hasAddress reports whether the text of a call has an address in it, which is another one in each program.
func hasAddress(v testcase.Value) bool { return address.MatchString(v.Str) }

// hollow matches what fmt prints of a struct with nothing in it.
var hollow = regexp.MustCompile(`\{[^}"]*<nil>|&\{\{|0001-01-01 00:00:00`)

// isHollow reports whether the text of a call shows a struct with nothing in it: nobody would write that down.
func isHollow(v testcase.Value) bool { return hollow.MatchString(v.Str) }

// unasked drops a statement that has requests answered if no request came, and the arguments that nothing else uses. It reports
// whether it did.
func unasked(s *testcase.Sequence, at int, noted testcase.Value, drop map[int]bool) bool {
	if noted.Kind != testcase.Nil && (noted.Kind != testcase.Slice || noted.Cut || len(noted.Elems) > 0) {
		return false
	}
	drop[at] = true
	for _, a := range s.At(at).Args {
		users := 0
		for i := range s.Len() {
			if slices.ContainsFunc(s.At(i).Args, func(r testcase.Ref) bool { return r.Stmt == a.Stmt }) {
				users++
			}
		}
		drop[a.Stmt] = drop[a.Stmt] || users == 1
	}
	return true
}

// Operations returns the operations that wrapping the dependencies of the cases takes.
func (r *Recorder) Operations(cases []*testcase.Case) []*testcase.Operation {
	var out []*testcase.Operation
	seen := make(map[*testcase.Helper]bool)
	for _, c := range cases {
		for i := range c.Seq.Len() {
			if h := r.recorder(c.Seq, i, c.TargetStmt(), r.recorders.Of); h != nil && !seen[h] {
				seen[h] = true
				out = append(out, &testcase.Operation{Kind: testcase.OpFunc, Func: h.Func, Via: h})
			}
		}
	}
	return out
}
