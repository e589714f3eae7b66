// Package boundary makes cases at the boundaries of the constants that code compares with, for the choice of tests and for
// the search of gaps in suites. A solver returns some model of one side of a comparison, seldom the one at the boundary.
//
// The steps ([Cases]):
//
//  1. The shortest cases of each function are taken.
//  2. In each, one number or text that its calls take is replaced by a constant of the called function, by a number beside
//     it, or by the sum of two neighbouring units.
//  3. What was made runs, and what is fit to be a test is returned.
package boundary

import (
	"cmp"
	"context"
	"go/constant"
	"go/types"
	"math"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of the cases that are made at the boundaries of the code's constants.
const (
	maxBases      = 3   // cases of a function that are varied
	maxBoundaries = 300 // cases in all
	maxConstants  = 12  // constants of one function
)

// Cases returns cases at the boundaries of the constants that the code compares with. Each is a
// given case in which one number that its call takes, or that made its receiver, is replaced by a
// constant of the called function or by a number beside that constant; texts are replaced by the
// function's texts. The cases have run and are fit to be tests. They are needed because a solver
// returns some model of one side of a comparison, seldom the one at the boundary. Of each function the
// given number of cases is varied, the shortest first; 0 means three.
func Cases(ctx context.Context, pkg *load.Package, bench *session.Bench, cases []*testcase.Case, most int) ([]*testcase.Case, error) {
	if most <= 0 {
		most = maxBases
	}
	var out []*testcase.Case
	bases := make(map[string]int)
	seen := make(map[string]bool)
	order := slices.Clone(cases)
	slices.SortStableFunc(order, func(a, b *testcase.Case) int { return cmp.Compare(a.Seq.Len(), b.Seq.Len()) })
	for _, c := range order {
		if c.Whole || c.Observed.Status != testcase.Returned || bases[c.Target] >= most {
			continue
		}
		bases[c.Target]++
		for _, seq := range boundaries(pkg, c) {
			if key := c.Target + " " + seq.Key(); !seen[key] && len(out) < maxBoundaries {
				seen[key] = true
				d := *c
				d.Seq, d.Predicted, d.Path = seq, nil, nil
				out = append(out, &d)
			}
		}
	}
	return bench.Fit(ctx, out)
}

// boundaries returns the sequences of a case with one constant at a boundary.
func boundaries(pkg *load.Package, c *testcase.Case) []*testcase.Sequence {
	var out []*testcase.Sequence
	target := c.TargetStmt()
	for i := range target + 1 {
		st := c.Seq.At(i)
		if st.Op.Func == nil || i != target && st.Op.Kind != testcase.OpFunc {
			continue
		}
		for _, a := range st.Args {
			out = append(out, withConstants(c.Seq, a.Stmt, pkg.Literals.ByFunc[testcase.TargetName(st.Op.Func)])...)
		}
	}
	return out
}

// withConstants returns the sequences in which a constant is at a boundary of one of a function's constants.
func withConstants(s *testcase.Sequence, at int, near *load.Literals) []*testcase.Sequence {
	op := s.At(at).Op
	if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Choice != nil {
		return nil
	}
	var out []*testcase.Sequence
	for _, lit := range constantsFor(op, near) {
		out = append(out, with(s, map[int]testcase.Literal{at: lit}))
	}
	return out
}

// with returns a sequence with other constants, by their statements.
func with(s *testcase.Sequence, lits map[int]testcase.Literal) *testcase.Sequence {
	stmts := slices.Clone(s.AppendTo(nil))
	for at, lit := range lits {
		stmts[at].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: stmts[at].Op.Type, Lit: lit}
	}
	return testcase.NewSequence(stmts...)
}

// constantsFor returns the values of a literal's type that are at a boundary of one of a function's
// constants.
func constantsFor(op *testcase.Operation, near *load.Literals) []testcase.Literal {
	b, ok := op.Type.Underlying().(*types.Basic)
	if !ok || near == nil {
		return nil
	}
	var out []testcase.Literal
	switch info := b.Info(); {
	case info&types.IsString != 0:
		for _, s := range near.Strings[:min(len(near.Strings), maxConstants)] {
			out = append(out, testcase.Literal{Kind: testcase.LitString, Str: s})
		}
	case info&types.IsInteger != 0:
		values := []int64{-1, 0, 1}
		for _, v := range near.Ints[:min(len(near.Ints), maxConstants)] {
			if n, exact := constant.Int64Val(v); exact && n > math.MinInt64 && n < math.MaxInt64 {
				values = append(values, n-1, n, n+1)
			}
		}
		values = append(values, mixedUnits(near.Ints)...)
		slices.Sort(values)
		for _, n := range slices.Compact(values) {
			if lit, ok := testcase.IntLiteral(b, n); ok {
				out = append(out, lit)
			}
		}
	case b.Kind() == types.Float64:
		for _, v := range near.Floats[:min(len(near.Floats), maxConstants)] {
			f, _ := constant.Float64Val(v)
			for _, x := range []float64{f - 1, f, f + 1} {
				out = append(out, testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(x)})
			}
		}
	}
	return slices.DeleteFunc(out, func(l testcase.Literal) bool { return l == op.Lit })
}

// mixedUnits returns, for constants that are units of one kind, each in turn some times larger than the one before, the sums
// of two neighbours: one megabyte and one kilobyte. Code that takes a unit for its neighbour does the same with one and a few
// of the smallest.
func mixedUnits(constants []constant.Value) []int64 {
	const times = 8
	var units []int64
	for _, v := range constants {
		if n, exact := constant.Int64Val(v); exact && n > 1 {
			units = append(units, n)
		}
	}
	slices.Sort(units)
	units = slices.Compact(units)
	var out []int64
	for i := 1; i < len(units) && len(out) < maxConstants; i++ {
		if a, b := units[i-1], units[i]; b/a >= times && b < math.MaxInt64-a {
			out = append(out, a+b)
		}
	}
	return out
}
