package plain

import (
	"go/constant"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/testcase"
)

// mostDocumented is how many calls of the documentation are tried for one case.
const mostDocumented = 4

// Documented returns a way that gives the case's own call the constants of the n-th call of the function in
// the documentation, because users know these values. Constants that the hand-written tests pass already are
// left out.
func Documented(n int) Way { return documented(n, func(int) bool { return true }) }

// DocumentedArgument returns a way that does so for one argument of the call alone, counted from 0 without the receiver.
func DocumentedArgument(n, arg int) Way { return documented(n, func(k int) bool { return k == arg }) }

// documented returns the way for the arguments that are wanted.
func documented(n int, wanted func(arg int) bool) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		if pkg.Literals == nil {
			return nil, false
		}
		lists := slices.DeleteFunc(slices.Clone(pkg.Literals.Documented[c.Target]), func(list []constant.Value) bool {
			return slices.ContainsFunc(pkg.Literals.Calls[c.Target], func(l []constant.Value) bool { return sameConstants(l, list) })
		})
		at := c.TargetStmt()
		st := c.Seq.At(at)
		args := st.Args
		if st.Op.Kind == testcase.OpMethod {
			args = args[1:]
		}
		if n >= len(lists) || len(lists[n]) != len(args) {
			return nil, false
		}
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		changed := false
		for i, a := range args {
			op := stmts[a.Stmt].Op
			v := lists[n][i]
			if v == nil || !wanted(i) || op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || IsEnumeration(pkg, op.Type) && !isDuration(op.Type) {
				continue
			}
			lit, ok := constantOf(op.Type, v)
			if !ok || op.Kind == testcase.OpLiteral && lit == op.Lit {
				continue
			}
			stmts[a.Stmt] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}}
			changed = true
		}
		if !changed {
			return nil, false
		}
		return testcase.NewSequence(stmts...), true
	}
}

// IsDocumented reports whether the case's own call passes the same constants as a call in the
// documentation, or an example of the README. Arguments that are not constant there do not count.
func IsDocumented(pkg *load.Package, c *testcase.Case) bool {
	if pkg.Literals == nil {
		return false
	}
	st := c.Seq.At(c.TargetStmt())
	args := st.Args
	if st.Op.Kind == testcase.OpMethod {
		args = args[1:]
	}
	for _, a := range args {
		at, ok := TextBehind(pkg, c.Seq, a)
		if !ok {
			continue
		}
		text, _ := TextOf(pkg, c.Seq, at)
		if slices.ContainsFunc(pkg.Literals.Fenced, func(f literals.Fenced) bool { return f.Text == text }) {
			return true
		}
	}
	return slices.ContainsFunc(pkg.Literals.Documented[c.Target], func(list []constant.Value) bool {
		if len(list) != len(args) {
			return false
		}
		for i, a := range args {
			op := c.Seq.At(a.Stmt).Op
			if list[i] == nil {
				continue
			}
			if op.Kind != testcase.OpLiteral {
				return false // the result of a call gives the constant no type
			}
			if lit, ok := constantOf(op.Type, list[i]); !ok || lit != op.Lit {
				return false
			}
		}
		return true
	})
}

func sameConstants(a, b []constant.Value) bool {
	return slices.EqualFunc(a, b, func(a, b constant.Value) bool {
		return a != nil && b != nil && a.ExactString() == b.ExactString()
	})
}

// constantOf returns a text or a whole number as a constant of a type, and false if the value is neither.
func constantOf(t types.Type, v constant.Value) (testcase.Literal, bool) {
	if v.Kind() != constant.String && v.Kind() != constant.Int {
		return testcase.Literal{}, false
	}
	lit, ok := testcase.ConstantLiteral(v, t)
	return lit, ok && lit.Kind != testcase.LitFloat
}
