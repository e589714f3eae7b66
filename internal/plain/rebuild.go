package plain

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file has the common part of the ways that change how values are made, and not only their constants.

// rebuilt returns a sequence in which change has replaced each statement; statements that change
// appends to out stand before the statement. It returns false if change changed nothing. Constants that
// no statement uses any more are left out.
func rebuilt(s *testcase.Sequence, change func(i int, out *[]testcase.Statement) (testcase.Statement, bool)) (*testcase.Sequence, bool) {
	index := make([]int, s.Len())
	var out []testcase.Statement
	changed := false
	for i := range s.Len() {
		args := make([]testcase.Ref, len(s.At(i).Args))
		for k, a := range s.At(i).Args {
			args[k] = testcase.Ref{Stmt: index[a.Stmt], Result: a.Result}
		}
		st, anew := change(i, &out)
		if anew {
			changed = true
		} else {
			st.Args = args
		}
		index[i] = len(out)
		out = append(out, st)
	}
	if !changed {
		return nil, false
	}
	return trimmed(out)
}

// trimmed returns a sequence without the constants, variables, moments and stand-ins that no other statement
// needs.
func trimmed(out []testcase.Statement) (*testcase.Sequence, bool) {
	needed := make([]bool, len(out))
	for i := len(out) - 1; i >= 0; i-- {
		switch op := out[i].Op; {
		case op.Kind == testcase.OpLiteral, op.Kind == testcase.OpZero, op.Kind == testcase.OpComposite, op.Kind == testcase.OpAddr, op.Kind == testcase.OpConvert, op.Kind == testcase.OpGlobal, op.Kind == testcase.OpStubFunc, op.Kind == testcase.OpStubIface, makesMoment(op), asksClock(op), makesValue(op):
			needed[i] = needed[i] || i == len(out)-1
		default:
			needed[i] = true
		}
		if needed[i] {
			for _, a := range out[i].Args {
				needed[a.Stmt] = true
			}
		}
	}
	return testcase.NewSequence(out...).Keep(needed)
}

// makesValue reports whether a call makes a value, like an error, a reader or the syntax of a file, and does nothing else: one of
// a helper that needs no test, or a maker of the standard library.
func makesValue(op *testcase.Operation) bool {
	if op.Kind != testcase.OpFunc {
		return false
	}
	if op.Via != nil {
		return !op.Via.OfTest && op.Func == op.Via.Func
	}
	return gosyntax.MakesByName(op.Func)
}

// Part makes a value: statements, and the result among theirs that is the value.
type Part struct {
	Seq   *testcase.Sequence
	Value testcase.Ref
}

// Replaced returns a sequence in which the parts in with make the values of some statements. It returns false
// if with is empty.
func Replaced(s *testcase.Sequence, with map[int]Part) (*testcase.Sequence, bool) {
	var out []testcase.Statement
	index := make([]testcase.Ref, s.Len())
	changed := false
	for i := range s.Len() {
		base := len(out)
		if part, ok := with[i]; ok {
			changed = true
			out = part.Seq.AppendTo(out)
			index[i] = testcase.Ref{Stmt: base + part.Value.Stmt, Result: part.Value.Result}
			continue
		}
		st := s.At(i)
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			at := index[a.Stmt]
			args[k] = testcase.Ref{Stmt: at.Stmt, Result: at.Result + a.Result}
		}
		index[i] = testcase.Ref{Stmt: base}
		out = append(out, testcase.Statement{Op: st.Op, Args: args})
	}
	if !changed {
		return nil, false
	}
	return trimmed(out)
}

// Held passes what a call returned as an interface as it is where a test takes the value out of the interface only to pass it for a
// parameter that takes the interface: IsSquare(s) rather than IsSquare(s.(Square)).
func Held(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	s := c.Seq
	stmts := s.AppendTo(nil)
	changed := false
	for i, st := range stmts {
		if st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod || st.Op.Via != nil || st.Op.Spread {
			continue
		}
		args := slices.Clone(st.Args)
		params, first := st.Op.Signature().Params(), st.Op.FirstParam()
		for k := first; k < len(args) && k-first < params.Len(); k++ {
			param := params.At(k - first).Type()
			if inside, ok := holder(s, args[k]); ok && types.IsInterface(param) && types.AssignableTo(s.ResultTypes()[inside.Stmt][inside.Result], param) {
				args[k], changed = inside, true
			}
		}
		stmts[i].Args = args
	}
	if !changed {
		return nil, false
	}
	used := make([]bool, len(stmts))
	keep := make([]bool, len(stmts))
	for i, st := range slices.Backward(stmts) {
		keep[i] = used[i] || st.Op.Kind != testcase.OpAssert && st.Op.Kind != testcase.OpConvert || i == len(stmts)-1
		for _, a := range st.Args {
			used[a.Stmt] = used[a.Stmt] || keep[i]
		}
	}
	return testcase.NewSequence(stmts...).Keep(keep)
}

// holder returns the interface that a value was taken out of, perhaps to be put into one again, and false if it was not.
func holder(s *testcase.Sequence, value testcase.Ref) (testcase.Ref, bool) {
	st := s.At(value.Stmt)
	for st.Op.Kind == testcase.OpConvert && types.IsInterface(st.Op.Type) {
		st = s.At(st.Args[0].Stmt)
	}
	if st.Op.Kind != testcase.OpAssert {
		return testcase.Ref{}, false
	}
	return st.Args[0], true
}
