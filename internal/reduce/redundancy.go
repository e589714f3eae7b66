package reduce

import (
	"github.com/goassay/assay/internal/testcase"
)

// Dead reports for each statement whether it is dead with respect to the final one: neither the final
// statement nor a statement that is not dead uses its results.
//
//	isDead(s_i) = false  if i = n
//	isDead(s_i) = false  if some s_j that is not dead uses s_i
//	isDead(s_i) = true   otherwise
func Dead(s *testcase.Sequence) []bool {
	dead := make([]bool, s.Len())
	for i := range dead {
		dead[i] = i != s.Len()-1
	}
	for i := s.Len() - 1; i >= 0; i-- {
		if dead[i] {
			continue
		}
		for _, a := range s.At(i).Args {
			dead[a.Stmt] = false
		}
	}
	return dead
}

// Clean returns the sequence without the statements that are dead and pure. A dead statement that is
// not pure may have changed something that the final one reads, so it stays, with all statements that
// it uses.
func Clean(s *testcase.Sequence, pure func(*testcase.Operation) bool) *testcase.Sequence {
	dead := Dead(s)
	keep := make([]bool, s.Len())
	for i := s.Len() - 1; i >= 0; i-- {
		keep[i] = keep[i] || !dead[i] || !isPure(s.At(i).Op, pure)
		if keep[i] {
			for _, a := range s.At(i).Args {
				keep[a.Stmt] = true
			}
		}
	}
	out, ok := s.Keep(keep)
	if !ok {
		panic("bug: reduce: cleaning dropped what is needed")
	}
	return out
}

// Key returns a text that is equal for two sequences if and only if they are redundant: the cleaned sequence
// as text.
func Key(s *testcase.Sequence, pure func(*testcase.Operation) bool) string {
	return Clean(s, pure).Dump()
}

// Redundant reports whether two sequences are redundant: clean(s) = clean(t).
func Redundant(s, t *testcase.Sequence, pure func(*testcase.Operation) bool) bool {
	return Key(s, pure) == Key(t, pure)
}

// isPure reports whether the operation changes nothing. The function pure decides for calls, and the kind
// decides for other operations.
func isPure(op *testcase.Operation, pure func(*testcase.Operation) bool) bool {
	switch op.Kind {
	case testcase.OpLiteral, testcase.OpZero, testcase.OpComposite, testcase.OpAddr, testcase.OpGlobal, testcase.OpField,
		testcase.OpDeref, testcase.OpIndex, testcase.OpConvert, testcase.OpAssert, testcase.OpStubFunc, testcase.OpStubIface, testcase.OpMakeChan,
		testcase.OpFuncValue, testcase.OpFuncLit, testcase.OpClosure:
		return true
	case testcase.OpFunc, testcase.OpMethod:
		return pure != nil && pure(op)
	}
	return false
}

// prune returns the sequence without values that nothing uses. The result need not be run, because making a
// value has no effect.
func prune(s *testcase.Sequence) *testcase.Sequence {
	keep := make([]bool, s.Len())
	for i := s.Len() - 1; i >= 0; i-- {
		switch s.At(i).Op.Kind {
		case testcase.OpLiteral, testcase.OpZero, testcase.OpComposite, testcase.OpAddr, testcase.OpGlobal, testcase.OpStubFunc,
			testcase.OpStubIface, testcase.OpMakeChan, testcase.OpFuncValue, testcase.OpFuncLit, testcase.OpClosure:
			keep[i] = keep[i] || i == s.Len()-1
		default:
			keep[i] = true
		}
		if keep[i] {
			for _, a := range s.At(i).Args {
				keep[a.Stmt] = true
			}
		}
	}
	out, ok := s.Keep(keep)
	if !ok {
		panic("bug: reduce: pruning dropped what is needed")
	}
	return out
}
