package choose

import (
	"context"
	"fmt"
	"go/types"
	"go/version"

	observers "github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// collectIterators changes tests of functions that return an iterator, so that they compare the
// elements that the iterator yields, if such a test shows at least as much as before. A test that the
// iterator is not nil says little.
func (ch *chooser) collectIterators(ctx context.Context) error {
	collected, err := ch.collected(ctx, ch.Tests)
	if err != nil {
		return err
	}
	for i, c := range collected {
		if ids, ok := ch.Kills[ch.Tests[i].Seq]; ok {
			ch.Kills[c.Seq] = ids
		}
		ch.Tests[i] = c
	}
	return nil
}

// collected returns, by number, cases that compare what the iterators of these cases yield: in its order if
// it has one.
func (ch *chooser) collected(ctx context.Context, cases []*testcase.Case) (map[int]*testcase.Case, error) {
	const since = "go1.23" // iterators are of it
	if ch.Pkg.GoVersion != "" && version.Compare("go"+ch.Pkg.GoVersion, since) < 0 {
		return nil, nil
	}
	var index []int
	var seqs []*testcase.Sequence
	for i, c := range cases {
		with, err := ch.withCollected(c)
		if err != nil {
			return nil, err
		}
		for _, s := range with {
			index, seqs = append(index, i), append(seqs, s)
		}
	}
	outcomes, err := ch.bench.Proposals(true).Run(ctx, seqs)
	if err := ch.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("running iterators: %w", err)
	}
	out := make(map[int]*testcase.Case)
	for k, i := range index {
		if k >= len(outcomes) || outcomes[k] == nil || outcomes[k].Unsteady(cases[i].TargetStmt()) || out[i] != nil {
			continue
		}
		c := *cases[i]
		c.Seq, c.Observed, c.Predicted = seqs[k], outcomes[k], nil
		if unfit, f := ch.bench.Judge.Case(&c); unfit == "" && f == nil && c.Observed.Status == testcase.Returned && covers(c.Observed.Cover, cases[i].Observed.Cover) {
			out[i] = &c
		}
	}
	return out, nil
}

// covers reports whether a has all blocks of b.
func covers(a, b testcase.Cover) bool { return a.Contains(b) }

// withCollected returns the sequence of a case up to its target, with all values collected that the
// target's result yields; none if that is no iterator. Pairs are collected in their order first, and
// then as a map, which is for iterators whose order changes from run to run.
func (ch *chooser) withCollected(c *testcase.Case) ([]*testcase.Sequence, error) {
	at := c.TargetStmt()
	results := c.Seq.ResultTypes()[at]
	if c.Whole || c.Observed == nil || c.Observed.Status != testcase.Returned || len(results) != 1 {
		return nil, nil
	}
	var collectors []*testcase.Operation
	collector := func(pkg, name string, yields []types.Type) error {
		f, err := ch.Prog.Imported(pkg, name)
		collectors = append(collectors, &testcase.Operation{Kind: testcase.OpFunc, Func: f, TypeArgs: yields})
		return err
	}
	switch yields := yielded(results[0]); len(yields) {
	case 1:
		if err := collector("slices", "Collect", yields); err != nil {
			return nil, err
		}
	case 2:
		collectors = append(collectors, observers.Pairs(results[0]))
		if types.Comparable(yields[0]) {
			if err := collector("maps", "Collect", yields); err != nil {
				return nil, err
			}
		}
	}
	var out []*testcase.Sequence
	for _, collect := range collectors {
		seq := c.Seq.Prefix(at + 1)
		out = append(out, seq.Extend(testcase.Statement{Op: collect, Args: []testcase.Ref{{Stmt: seq.Len() - 1}}}))
	}
	return out, nil
}

// yielded returns the types of the values that an iterator of the given type passes to one call of its yield
// function. It returns nil if the type is no iterator.
func yielded(t types.Type) []types.Type {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return nil
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok || yield.Variadic() || yield.Results().Len() != 1 || !types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool]) {
		return nil
	}
	var out []types.Type
	for v := range yield.Params().Variables() {
		out = append(out, v.Type())
	}
	return out
}
