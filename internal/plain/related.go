package plain

import (
	"go/types"

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
