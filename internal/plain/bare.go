package plain

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// MostBare is how many fields of a case's structs can be left out, one by one.
const MostBare = 12

// Bare returns a way that leaves out the n-th field which the structs of a case set, counted from the first statement. A
// reader takes each field of an argument for a reason of the test, so those without which the calls return the same and
// the same mutants are noticed are only in the way. Tried from the last field to the first, one field that is left out
// does not change the numbers of those still to be tried.
func Bare(n int) Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		at, field := setField(c, n)
		if at < 0 {
			return nil, false
		}
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		stmts[at] = withoutField(stmts[at], field)
		return trimmed(stmts)
	}
}

// setField returns the statement and the argument that set the n-th field, or -1 if the case sets fewer.
func setField(c *testcase.Case, n int) (stmt, arg int) {
	for i := range c.TargetStmt() {
		st := c.Seq.At(i)
		if _, ok := structOf(st.Op); !ok || st.Op.IsNameless() {
			continue
		}
		for k := range st.Args {
			if c.Seq.At(st.Args[k].Stmt).Op.Kind == testcase.OpZero {
				continue // nothing is written for a zero field
			}
			if n == 0 {
				return i, k
			}
			n--
		}
	}
	return -1, 0
}

// structOf returns the type of a struct literal.
func structOf(op *testcase.Operation) (*types.Struct, bool) {
	if op.Kind != testcase.OpComposite {
		return nil, false
	}
	st, ok := op.Type.Underlying().(*types.Struct)
	return st, ok
}

// withoutField returns a struct literal without one of its arguments.
func withoutField(st testcase.Statement, arg int) testcase.Statement {
	if len(st.Args) == 1 {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: st.Op.Type}}
	}
	op := *st.Op
	if op.Elems == nil {
		op.Elems = make([]int, len(st.Args))
		for k := range op.Elems {
			op.Elems[k] = k
		}
	}
	op.Elems = slices.Delete(slices.Clone(op.Elems), arg, arg+1)
	return testcase.Statement{Op: &op, Args: slices.Delete(slices.Clone(st.Args), arg, arg+1)}
}
