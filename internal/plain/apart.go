package plain

import (
	"go/types"
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Apart returns the sequence of a case whose own call takes one object in two places, with another object in the second
// place: a.Sub(b) shows which of the two is taken from which, and a.Sub(a) does not. The other object is made as the first
// one is, with another number, or with another text in the notation that its parameter asks for. Apart returns false if no
// object is taken twice, or if the object is made of neither a number nor a text.
func Apart(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	return madeTwice(pkg, c, madeAnew)
}

// Twice returns the sequence of a case whose own call compares an object with itself, with a second object that is made of the same
// constants: whether 1.2.3 equals 1.2.3 is the question, and not whether a version equals itself.
func Twice(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	sig := c.Seq.At(c.TargetStmt()).Op.Signature()
	if sig == nil || sig.Results().Len() != 1 {
		return nil, false
	}
	if b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic); !ok || b.Info()&(types.IsInteger|types.IsBoolean) == 0 {
		return nil, false
	}
	return madeTwice(pkg, c, func(_ *load.Package, s *testcase.Sequence, a testcase.Ref, at int) ([]testcase.Statement, bool) {
		made := s.At(a.Stmt)
		if made.Op.Kind != testcase.OpFunc || made.Op.Via != nil || len(made.Args) == 0 {
			return nil, false
		}
		var out []testcase.Statement
		again := testcase.Statement{Op: made.Op}
		for _, arg := range made.Args {
			st := s.At(arg.Stmt)
			if st.Op.Kind != testcase.OpLiteral {
				return nil, false
			}
			again.Args = append(again.Args, testcase.Ref{Stmt: at + len(out)})
			out = append(out, st)
		}
		return append(out, again), true
	})
}

// madeTwice returns the sequence of a case whose own call takes one object in two places, with another object in the second place,
// which anew makes for a place behind all that the first one needs.
func madeTwice(pkg *load.Package, c *testcase.Case, anew func(*load.Package, *testcase.Sequence, testcase.Ref, int) ([]testcase.Statement, bool)) (*testcase.Sequence, bool) {
	target := c.TargetStmt()
	own := c.Seq.At(target)
	for k, a := range own.Args {
		if !slices.Contains(own.Args[:k], a) {
			continue
		}
		other, ok := anew(pkg, c.Seq, a, target)
		if !ok {
			continue
		}
		stmts := c.Seq.AppendTo(nil)
		out := append(slices.Clone(stmts[:target]), other...)
		shift := len(other)
		for i, st := range stmts[target:] {
			args := slices.Clone(st.Args)
			for n := range args {
				if args[n].Stmt >= target {
					args[n].Stmt += shift
				}
			}
			if i == 0 {
				args[k] = testcase.Ref{Stmt: target + shift - 1, Result: a.Result}
			}
			out = append(out, testcase.Statement{Op: st.Op, Args: args})
		}
		return testcase.NewSequence(out...), true
	}
	return nil, false
}

// madeAnew returns statements that make an object as a sequence has made it, with another number or text. They are to
// stand at a place behind all statements that the first object needs.
func madeAnew(pkg *load.Package, s *testcase.Sequence, a testcase.Ref, at int) ([]testcase.Statement, bool) {
	made := s.At(a.Stmt)
	if made.Op.Kind != testcase.OpFunc || made.Op.Via != nil {
		return nil, false
	}
	var out []testcase.Statement
	args := slices.Clone(made.Args)
	changed := false
	for k, arg := range args {
		op := s.At(arg.Stmt).Op
		if changed || op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
			continue
		}
		lit, ok := anotherNumber(op)
		if n := pkg.Notated(made.Op.Func, k); !ok && n != nil && op.Lit.Kind == testcase.LitString {
			lit, ok = testcase.Literal{Kind: testcase.LitString, Str: n.Accepted[0].Value}, true
			if lit == op.Lit {
				lit.Str = n.Accepted[1].Value
			}
		}
		if !ok {
			continue
		}
		changed = true
		args[k] = testcase.Ref{Stmt: at + len(out)}
		out = append(out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}})
	}
	return append(out, testcase.Statement{Op: made.Op, Args: args}), changed
}

// anotherNumber returns a constant in place of a number, or of a text that is one.
func anotherNumber(op *testcase.Operation) (testcase.Literal, bool) {
	const other, otherText = 5, "3.25"
	b, ok := op.Type.Underlying().(*types.Basic)
	switch {
	case !ok || op.Choice != nil:
	case b.Info()&types.IsString != 0:
		if _, err := strconv.ParseFloat(op.Lit.Str, 64); err == nil && op.Lit.Str != otherText {
			return testcase.Literal{Kind: testcase.LitString, Str: otherText}, true
		}
	case b.Info()&types.IsNumeric != 0 && b.Info()&types.IsComplex == 0 && number(op) != other:
		return numeral(op.Type, other, whole), true
	}
	return testcase.Literal{}, false
}
