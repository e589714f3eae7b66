package choose

import (
	"context"
	"fmt"
	"go/types"
	"go/version"

	"github.com/goassay/assay/internal/testcase"
)

// collectors name the functions that collect what an iterator yields into a slice or a map, so that a test
// can compare it. The key is how many values the iterator yields at once.
var collectors = map[int]struct{ pkg, name string }{1: {"slices", "Collect"}, 2: {"maps", "Collect"}}

// collectIterators changes tests of functions that return an iterator, so that they compare the
// elements that the iterator yields, if such a test shows at least as much as before. A test that the
// iterator is not nil says little.
func (ch *chooser) collectIterators(ctx context.Context) error {
	const since = "go1.23" // iterators exist since this version
	if ch.Pkg.GoVersion != "" && version.Compare("go"+ch.Pkg.GoVersion, since) < 0 {
		return nil
	}
	var index []int
	var seqs []*testcase.Sequence
	for i, c := range ch.Tests {
		s, err := ch.withCollected(c)
		if err != nil {
			return err
		}
		if s != nil {
			index, seqs = append(index, i), append(seqs, s)
		}
	}
	outcomes, err := ch.bench.Runner(true).Run(ctx, seqs)
	if err := ch.UnlessCut(err); err != nil {
		return fmt.Errorf("running iterators: %w", err)
	}
	for k, i := range index {
		if k >= len(outcomes) || outcomes[k] == nil {
			continue
		}
		c := *ch.Tests[i]
		c.Seq, c.Observed, c.Predicted = seqs[k], outcomes[k], nil
		if unfit, f := ch.bench.Judge.Case(&c); unfit == "" && f == nil && c.Observed.Status == testcase.Returned && covers(c.Observed.Cover, ch.Tests[i].Observed.Cover) {
			if ids, ok := ch.Kills[ch.Tests[i].Seq]; ok {
				ch.Kills[c.Seq] = ids
			}
			ch.Tests[i] = &c
		}
	}
	return nil
}

// covers reports whether a has all blocks of b.
func covers(a, b testcase.Cover) bool { return a.Contains(b) }

// withCollected returns the sequence of a case up to its target, followed by a call that collects all values
// which the target's result yields. The sequence is nil if the result is no iterator.
func (ch *chooser) withCollected(c *testcase.Case) (*testcase.Sequence, error) {
	at := c.TargetStmt()
	results := c.Seq.ResultTypes()[at]
	if c.Whole || c.Observed == nil || c.Observed.Status != testcase.Returned || len(results) != 1 {
		return nil, nil
	}
	yields := yielded(results[0])
	by, ok := collectors[len(yields)]
	if !ok || len(yields) == 2 && !types.Comparable(yields[0]) {
		return nil, nil
	}
	collect, err := ch.Prog.Imported(by.pkg, by.name)
	if err != nil {
		return nil, err
	}
	seq := c.Seq.Prefix(at + 1)
	return seq.Extend(testcase.Statement{
		Op:   &testcase.Operation{Kind: testcase.OpFunc, Func: collect, TypeArgs: yields},
		Args: []testcase.Ref{{Stmt: seq.Len() - 1}},
	}), nil
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
