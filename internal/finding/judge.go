package finding

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// Judge decides what a case is.
type Judge struct {
	Rules *usage.Rules
	// Machine has the blocks that ask for properties of the machine or the user. Results of a case that
	// reaches them differ elsewhere, so no test can assert them.
	Machine testcase.Cover
	// Network has the blocks that send requests by a transport. A case that reaches them without a
	// helper's transport would use the network if it could.
	Network testcase.Cover
	// Args has the blocks that read the command line of the process. Where a case has not set it, it is that of the
	// harness, and of go test in written tests.
	Args testcase.Cover
	// Workspace is the directory of the cases' program, or "" if there is none. A result that names it, as
	// os.Args does, holds nowhere else.
	Workspace string
}

// onMachine is the reason why a case is no test that meets a block of the machine's.
const onMachine = "what it comes to depends on the machine"

// Case returns the reason why a case is no test, or "" if it is one, and the defect that the case shows, if
// any. Every stage and verb uses Case, so that a case means the same to all of them.
func (j Judge) Case(c *testcase.Case) (verdict string, f *testcase.Finding) {
	o := c.Observed
	if o == nil || o.Status == testcase.NotRun {
		return "there was no time to run it", nil
	}
	if n := c.Seq.Len(); n > maxStatements {
		return fmt.Sprintf("its input would take %d statements to write", n), nil
	}
	if repeatsKey(c.Seq) {
		return "a map in it has a key twice, which cannot be written", nil
	}
	if j.Workspace != "" && mentions(o, func(text string) bool { return strings.Contains(text, j.Workspace) }) {
		return "it says where its program is", nil
	}
	if Denied(o) {
		return "it is refused access to the system, and need not be elsewhere", nil
	}
	if meets(j.Network, o) && !hasTransport(c.Seq) {
		return "it opens a network connection", nil
	}
	if meets(j.Args, o) && !setsArgs(c.Seq) {
		return "what it comes to depends on how its process is called", nil
	}
	if o.Status == testcase.Returned && meets(j.Machine, o) {
		return onMachine, nil
	}
	switch o.Status {
	case testcase.Discarded:
		return "no input satisfies what the code assumes", nil
	case testcase.Refused:
		return o.Message, nil
	case testcase.Exited:
		return "it ends the process", nil
	case testcase.Goexit:
		return "it ends its goroutine", nil
	}
	if endsByGiven(c) {
		return "a function that it is given panics, and it does not return", nil
	}
	if o.Status == testcase.Panicked && giver.PassedThrough(c.Seq, o.Panic) {
		return "a function that it is given panics, of which it makes nothing", nil
	}
	if o.Leaves && o.Status == testcase.Returned && o.Violated == "" && !purity.CanEnd(c.Seq) {
		return "it leaves goroutines that nothing ends, and a test in a bubble fails for that", nil
	}
	if o.Status == testcase.Panicked && o.Panic != nil && o.Panic.Kind == "type-assertion" && o.Panic.OfStandIn && answersRequests(c.Seq) {
		return "it asks for another transport than the one by which its requests are answered", nil
	}
	if clause, why, ok := j.FailingClause(c); ok {
		return clause.String() + " " + why, nil
	}
	f = Of(j.Rules, c)
	switch {
	case f != nil && (f.Kind == "explicit" || passesOn(c)) && f.Severity == testcase.Misuse && !o.Held && o.Status == testcase.Panicked && !o.Unstable:
		// The code refuses misuse explicitly, or passes on the panic of a function. This is behaviour to be tested, unless it says that
		// something was refused to it which it may have elsewhere.
		if meets(j.Machine, o) {
			return onMachine, f
		}
		return unfitFormat(c.Seq), f
	case f != nil:
		return f.Message, f
	case c.Seq.UsesFailed(o):
		return "it goes on with what a call returned together with an error", nil
	case c.Seq.UsesNothing(o):
		return "it goes on with nothing, which a call returned together with false", nil
	case o.Held:
		return "it leaves a lock of the package held", nil
	case o.Unstable && o.Status != testcase.Returned:
		return "it behaves differently each time", nil
	}
	return unfitFormat(c.Seq), nil
}

// answersRequests reports whether a case replaces the transport of all requests.
func answersRequests(s *testcase.Sequence) bool {
	for i := range s.Len() {
		if giver.AnswersRequests(s.At(i).Op) {
			return true
		}
	}
	return false
}

// unfitFormat returns the reason why a sequence is no test if it passes a format that does not fit its arguments, and "" if
// it passes none.
func unfitFormat(s *testcase.Sequence) string {
	if f := badFormat(s); f != nil {
		return "it passes " + f.Name() + " a format that does not fit its arguments, which go vet refuses"
	}
	return ""
}

// endsByGiven reports whether a case does not return, because a function panics that it passes: that is what the function is
// passed for, and no fault.
func endsByGiven(c *testcase.Case) bool {
	s := c.Observed.Status
	return (s == testcase.Died || s == testcase.Hung || s == testcase.Deadlock) && giver.PassesPanic(c.Seq)
}

// passesOn reports whether the code passes on the panic of a function that it is given, or makes another one of it.
func passesOn(c *testcase.Case) bool {
	o := c.Observed
	return o.Status == testcase.Panicked && o.Panic != nil && giver.SaysPanicked(o.Panic.Message) && giver.PassesPanic(c.Seq)
}

// FailingClause returns the clause of a contract that panicked or did not return when it was asked about the values of a
// case, with these words, and false if none did. That is no behaviour of the function.
func (j Judge) FailingClause(c *testcase.Case) (clause contract.Clause, why string, ok bool) {
	o := c.Observed
	if o == nil || o.Panic == nil || !o.Panic.Contract.IsValid() || j.Rules.Pkg.Contracts == nil {
		return contract.Clause{}, "", false
	}
	switch o.Status {
	case testcase.Panicked:
		why = "panics itself"
	case testcase.Hung, testcase.Deadlock, testcase.Died:
		why = "does not return"
	default:
		return contract.Clause{}, "", false
	}
	clause, ok = j.Rules.Pkg.Contracts.ClauseAt(o.Panic.Contract)
	return clause, why, ok
}

// maxStatements is the largest number of statements in a case that is given to the reducer. A longer case
// would not become a test that somebody reads.
const maxStatements = 600

// Denied reports whether the execution met an error with which the kernel refuses something under
// confinement. A test that expects such an error would fail where tests run freely. A system call by itself says no more than that the
// operation is not permitted, and callers put that into sentences of their own; that a permission is denied, without the words of a call before
// it, packages say of themselves.
func Denied(o *testcase.Outcome) bool {
	return mentions(o, func(text string) bool {
		return strings.HasSuffix(text, ": permission denied") || strings.Contains(text, "operation not permitted")
	})
}

// mentions reports whether a text in the outcome satisfies is: in an error's message, a result, an argument
// or a panic.
func mentions(o *testcase.Outcome, is func(text string) bool) bool {
	var met func(v testcase.Value) bool
	met = func(v testcase.Value) bool {
		return v.Err != nil && is(v.Err.Message) || v.Kind == testcase.String && is(v.Str) || slices.ContainsFunc(v.Elems, met)
	}
	for _, vs := range o.Results {
		if slices.ContainsFunc(vs, met) {
			return true
		}
	}
	return slices.ContainsFunc(o.Final, met) || o.Panic != nil && (met(o.Panic.Value) || is(o.Panic.Message))
}

// repeatsKey reports whether a map is made with the same constant key twice, counting the keys that
// fill the map up to its size. The harness accepts that, but a compiler does not.
func repeatsKey(s *testcase.Sequence) bool {
	for i := range s.Len() {
		st := s.At(i)
		m, ok := st.Op.Type, st.Op.Kind == testcase.OpComposite
		if !ok {
			continue
		}
		t, ok := m.Underlying().(*types.Map)
		if !ok {
			continue
		}
		seen := make(map[testcase.Literal]bool)
		for j := 0; j+1 < len(st.Args); j += 2 {
			op := s.At(st.Args[j].Stmt).Op
			key := op.Lit
			if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
				continue
			}
			if op.Kind == testcase.OpZero {
				first, ok := testcase.FillKey(t.Key(), 0)
				if !ok {
					continue
				}
				key = testcase.Literal{Kind: first.Kind}
			}
			if seen[key] {
				return true
			}
			seen[key] = true
		}
		for n := st.Op.From; n < st.Op.From+st.Op.N && len(seen) > 0; n++ {
			if key, ok := testcase.FillKey(t.Key(), n); ok && seen[key] {
				return true
			}
		}
	}
	return false
}

// meets reports whether an execution reached a block of a set.
func meets(blocks testcase.Cover, o *testcase.Outcome) bool {
	for i, w := range blocks {
		if i < len(o.Cover) && o.Cover[i]&w != 0 {
			return true
		}
	}
	return false
}

// setsArgs reports whether a sequence sets the command line of the process.
func setsArgs(s *testcase.Sequence) bool {
	for i := range s.Len() {
		if giver.SetsCommandLine(s.At(i).Op) {
			return true
		}
	}
	return false
}

// hasTransport reports whether a sequence has requests answered by the transport of all clients, or makes an HTTP transport
// by a helper that needs no network, and no client without such a transport.
func hasTransport(s *testcase.Sequence) bool {
	given := false
	for i := range s.Len() {
		op := s.At(i).Op
		if giver.AnswersRequests(op) {
			return true
		}
		if op.Via != nil && op.Via.Sig.Results().Len() == 1 && types.TypeString(op.Via.Sig.Results().At(0).Type(), nil) == "net/http.RoundTripper" {
			given = true
		}
		if op.Type == nil || types.TypeString(op.Type, nil) != "net/http.Client" {
			continue
		}
		if op.Kind == testcase.OpZero {
			return false
		}
		if st, ok := op.Type.Underlying().(*types.Struct); ok && op.Kind == testcase.OpComposite && !slices.ContainsFunc(op.Elems, func(f int) bool { return st.Field(f).Name() == "Transport" }) {
			return false
		}
	}
	return given
}
