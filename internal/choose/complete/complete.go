// Package complete makes cases that pass more than those which engines found, for the choice of tests. Engines look for other ways
// through the code, and reducers take away all that is not needed for a way, so that structs have one field, and lists one
// element. Whether the code forgets a field, or all elements but the first, shows only where there are such.
//
// The steps ([Cases]):
//
//  1. The shortest cases of each function that returned are taken.
//  2. What they leave at zero gets a value (plain.Completed); the elements that two of them pass in a list are passed in one.
//  3. What was made runs, and what is fit to be a test is returned. Mutants decide whether it shows more.
//
// [Content] proposes content for what tests that are kept leave empty within lists, maps and structs.
package complete

import (
	"cmp"
	"context"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of the cases that are made.
const (
	mostBases    = 4   // cases of a function that are varied
	mostElements = 4   // elements of a list that is made of two
	mostCases    = 300 // cases in all
)

// Cases returns cases of the given ones' functions that pass more than these. They have run and are fit to be tests.
//
// The function objects returns a sequence whose last statement makes the n-th object of a type that nobody can write out, or nil.
func Cases(ctx context.Context, pkg *load.Package, bench *session.Bench, cases []*testcase.Case, objects func(t types.Type, n int) *testcase.Sequence) ([]*testcase.Case, error) {
	var out []*testcase.Case
	seen := make(map[string]bool)
	for _, c := range cases {
		seen[c.Target+" "+c.Seq.Key()] = true
	}
	add := func(c *testcase.Case, seq *testcase.Sequence) {
		if key := c.Target + " " + seq.Key(); !seen[key] && len(out) < mostCases {
			seen[key] = true
			d := *c
			d.Seq, d.Predicted, d.Path = seq, nil, nil
			out = append(out, &d)
		}
	}
	for _, bases := range shortest(cases) {
		for _, c := range bases {
			for _, truths := range []bool{false, true} {
				if seq, ok := plain.Completed(truths, objects)(pkg, c); ok {
					add(c, seq)
				}
			}
		}
		for _, c := range bases {
			for _, d := range bases {
				if seq := joined(c, d); c != d && seq != nil {
					add(c, seq)
				}
			}
		}
	}
	return bench.Fit(ctx, out)
}

// shortest returns the shortest cases of each function that returned, those without stand-ins first, and the functions in the order of
// their first cases.
func shortest(cases []*testcase.Case) [][]*testcase.Case {
	order := slices.Clone(cases)
	slices.SortStableFunc(order, func(a, b *testcase.Case) int {
		return cmp.Or(cmp.Compare(a.Seq.StandIns(), b.Seq.StandIns()), cmp.Compare(a.Seq.Len(), b.Seq.Len()))
	})
	at := make(map[string]int)
	var out [][]*testcase.Case
	for _, c := range order {
		if c.Whole || c.Observed.Status != testcase.Returned {
			continue
		}
		k, ok := at[c.Target]
		if !ok {
			k = len(out)
			at[c.Target], out = k, append(out, nil)
		}
		if len(out[k]) < mostBases {
			out[k] = append(out[k], c)
		}
	}
	return out
}

// joined returns the sequence of a case that passes the elements of its own list, and behind them those that the other case passes
// in its place: all of a variadic call, or else of the first list that both write out. It returns nil if there is none, or if the
// list would be long.
func joined(c, d *testcase.Case) *testcase.Sequence {
	call, other := c.Seq.At(c.TargetStmt()), d.Seq.At(d.TargetStmt())
	if call.Op.Func == nil || call.Op.Func != other.Op.Func || call.Op.Kind != other.Op.Kind || call.Op.Via != other.Op.Via || call.Op.Spread || other.Op.Spread ||
		!slices.EqualFunc(call.Op.TypeArgs, other.Op.TypeArgs, types.Identical) {
		return nil
	}
	b, moved := &testcase.Builder{}, make(map[testcase.Ref]testcase.Ref)
	b.Append(c.Seq.Prefix(c.TargetStmt()))
	args := slices.Clone(call.Args)
	if sig := call.Op.Signature(); sig != nil && sig.Variadic() {
		fixed := sig.Params().Len() - 1
		if call.Op.Kind == testcase.OpMethod {
			fixed++ // the receiver
		}
		if n := len(call.Args) + len(other.Args) - 2*fixed; len(other.Args) <= fixed || len(call.Args) <= fixed || n > mostElements {
			return nil
		}
		for _, a := range other.Args[fixed:] {
			args = append(args, b.Bring(d.Seq, a, moved))
		}
		return followed(b, c, args)
	}
	for k := range min(len(call.Args), len(other.Args)) {
		one, two := c.Seq.At(call.Args[k].Stmt), d.Seq.At(other.Args[k].Stmt)
		if !isList(one) || !isList(two) || !types.Identical(one.Op.Type, two.Op.Type) || len(one.Args)+len(two.Args) > mostElements {
			continue
		}
		list := &testcase.Operation{Kind: testcase.OpComposite, Type: one.Op.Type, N: len(one.Args) + len(two.Args)}
		elements := slices.Clone(one.Args)
		for _, a := range two.Args {
			elements = append(elements, b.Bring(d.Seq, a, moved))
		}
		args[k] = b.Add(list, elements...)
		return followed(b, c, args)
	}
	return nil
}

// followed adds the call of a case with these arguments, and what the case does with its results, and returns the sequence.
func followed(b *testcase.Builder, c *testcase.Case, args []testcase.Ref) *testcase.Sequence {
	at := c.TargetStmt()
	further := b.Len() - at
	b.Add(c.Seq.At(at).Op, args...)
	for i := at + 1; i < c.Seq.Len(); i++ {
		st := c.Seq.At(i)
		moved := slices.Clone(st.Args)
		for k, a := range moved {
			if a.Stmt >= at {
				moved[k].Stmt += further
			}
		}
		b.Add(st.Op, moved...)
	}
	return b.Sequence()
}

// isList reports whether a statement writes out a list with something in it.
func isList(st testcase.Statement) bool {
	if st.Op.Kind != testcase.OpComposite || len(st.Args) == 0 || st.Op.N != len(st.Args) || st.Op.Elems != nil {
		return false
	}
	_, ok := st.Op.Type.Underlying().(*types.Slice)
	return ok
}
