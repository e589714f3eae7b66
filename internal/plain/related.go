package plain

import (
	"go/types"
	"maps"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Related returns the sequence of a case without the calls on objects that have nothing to do with its own
// call: no object that the call takes is made of them, is passed to them, or passes through them. It returns
// false if there are no such calls.
func Related(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	keep := related(c.Seq, c.TargetStmt())
	for _, k := range keep {
		if !k {
			return c.Seq.Keep(keep)
		}
	}
	return nil, false
}

// related marks the statements that share an object with the target or with the statements behind the target, and the
// statements whose values these need.
func related(s *testcase.Sequence, target int) []bool {
	keep, results := make([]bool, s.Len()), s.ResultTypes()
	copied := func(a testcase.Ref) bool {
		return a.Result < len(results[a.Stmt]) && isCopied(results[a.Stmt][a.Result])
	}
	for i := target; i < s.Len(); i++ {
		keep[i] = true
	}
	for changed := true; changed; {
		changed = false
		for i := s.Len() - 1; i >= 0; i-- {
			st := s.At(i)
			if !keep[i] && (st.Op.Kind == testcase.OpSetGlobal || sharesObject(s, st, keep, copied)) {
				keep[i], changed = true, true
			}
			if !keep[i] {
				continue
			}
			for _, a := range st.Args {
				changed = changed || !keep[a.Stmt]
				keep[a.Stmt] = true
			}
		}
	}
	return keep
}

// isCopied reports whether each call that takes a value of a type has a copy of its own: the type has no references, or
// is that of moments, whose zone never changes.
func isCopied(t types.Type) bool { return load.IsNamed(t, "time", "Time") || isData(t) }

// sharesObject reports whether a statement takes a value that a kept statement made, other than a constant or a
// copy.
func sharesObject(s *testcase.Sequence, st testcase.Statement, keep []bool, copied func(testcase.Ref) bool) bool {
	for _, a := range st.Args {
		made := s.At(a.Stmt)
		if made.Op.Kind == testcase.OpConvert {
			made = s.At(made.Args[0].Stmt)
		}
		if keep[a.Stmt] && !isConstant(s, made) && !copied(a) {
			return true
		}
	}
	return false
}

// Unread returns the sequence of a case in which parameters that functions of the package do not read are passed nothing: a reader
// would look for what the value is for.
func Unread(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	with := make(map[int]Part)
	ts := c.Seq.ResultTypes()
	for i, p := range unread(pkg, c.Seq) {
		t := ts[i][p.result]
		if types.IsInterface(p.param.Type()) {
			t = p.param.Type() // nil, and not the zero that an interface holds
		}
		if op := c.Seq.At(i).Op; !types.Identical(op.Type, t) || op.Kind != testcase.OpZero && (op.Kind != testcase.OpLiteral || op.Lit != testcase.Literal{Kind: op.Lit.Kind}) {
			with[i] = Part{Seq: testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: t}})}
		}
	}
	return Replaced(c.Seq, with)
}

// unreadValue is a value that only parameters take which are not read: the number of the result, and one of the parameters.
type unreadValue struct {
	result int
	param  *types.Var
}

// unread returns the statements whose values are passed to nothing but parameters that functions of the package do not read.
// Contexts are not among them: everybody passes one.
func unread(pkg *load.Package, s *testcase.Sequence) map[int]unreadValue {
	out, read := make(map[int]unreadValue), make(map[int]bool)
	for i := range s.Len() {
		st := s.At(i)
		first := 0 // behind the receiver
		if st.Op.Kind == testcase.OpMethod {
			first = 1
		}
		for k, a := range st.Args {
			if k < first || !ignores(pkg, st.Op, k-first) {
				read[a.Stmt] = true
			} else {
				out[a.Stmt] = unreadValue{a.Result, st.Op.Signature().Params().At(k - first)}
			}
		}
	}
	maps.DeleteFunc(out, func(i int, _ unreadValue) bool { return read[i] })
	return out
}

// ignores reports whether an operation calls a function of the package whose body does not name its k-th parameter.
func ignores(pkg *load.Package, op *testcase.Operation, k int) bool {
	if !ownCall(pkg, op) || op.Via != nil || pkg.Info == nil {
		return false
	}
	fn := op.Func.Origin()
	if decl := pkg.Func(fn); decl == nil || decl.Body == nil || fn.Signature().Variadic() {
		return false
	}
	p := fn.Signature().Params().At(k)
	return !pkg.Names(p) && !load.IsNamed(p.Type(), "context", "Context")
}
