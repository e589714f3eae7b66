package plain

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Answers returns the sequence of a case with stand-ins for functions that return something other than zeros.
// A stand-in without a script returns zeros, and with zeros a test cannot show whether the result was used.
func Answers(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	give := distinct(whole)(pkg, c)
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if st.Op.Kind != testcase.OpStubFunc || len(st.Op.Stub) > 0 {
			return st, false
		}
		sig := st.Op.Type.Underlying().(*types.Signature)
		var script []testcase.Statement
		some := false
		for r := range sig.Results().Variables() {
			zero := &testcase.Operation{Kind: testcase.OpZero, Type: r.Type()}
			if changeable(pkg, zero) && !isTruth(r.Type()) {
				zero = &testcase.Operation{Kind: testcase.OpLiteral, Type: r.Type(), Lit: give(zero, r.Name())}
				some = true
			}
			script = append(script, testcase.Statement{Op: zero})
		}
		if !some {
			return st, false
		}
		op := *st.Op
		op.Stub = []testcase.StubCall{{From: 0, To: len(script)}}
		anew := testcase.Statement{Op: &op}
		for _, s := range script {
			anew.Args = append(anew.Args, testcase.Ref{Stmt: len(*out)})
			*out = append(*out, s)
		}
		return anew, true
	})
}

// isTruth reports whether a type is a boolean. False is as good an answer as true, so a zero of such a type
// need not be replaced.
func isTruth(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// Failures returns the sequence of a case whose stand-ins return zeros beside an error, as functions
// usually do.
func Failures(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	uses := make([]int, len(stmts))
	for _, st := range stmts {
		for _, a := range st.Args {
			uses[a.Stmt]++
		}
	}
	changed := false
	for _, st := range c.Seq.AppendTo(nil) {
		if st.Op.Kind != testcase.OpStubFunc && st.Op.Kind != testcase.OpStubIface {
			continue
		}
		for _, call := range st.Op.Stub {
			if call.To-call.From < 2 || call.To > len(st.Args) || !fails(c.Seq, st.Args[call.To-1]) {
				continue
			}
			for _, a := range st.Args[call.From : call.To-1] {
				if op := stmts[a.Stmt].Op; op.Kind == testcase.OpLiteral && op.Choice == nil && uses[a.Stmt] == 1 {
					stmts[a.Stmt] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: op.Type}}
					changed = true
				}
			}
		}
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// fails reports whether a result is an error that is not nil.
func fails(s *testcase.Sequence, r testcase.Ref) bool {
	t := s.ResultTypes()[r.Stmt][r.Result]
	return gosyntax.IsError(t) && s.At(r.Stmt).Op.Kind != testcase.OpZero
}
