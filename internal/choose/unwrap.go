package choose

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"go/version"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/choose/alone"
	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	observers "github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// This file takes calls out of what hides their results: a function called Must, which panics instead of returning an error, other
// calls of a case, and an iterator, which yields them one by one.

// unwrapMust replaces calls of functions called Must by calls of the functions behind them, except for
// the shortest call that returns and the shortest that panics. MustParse only says that it is Parse and
// panics instead of returning an error, so the results for other inputs belong into Parse's tests.
func (ch *chooser) unwrapMust(ctx context.Context) error {
	behind := ch.behindMust()
	if len(behind) == 0 {
		return nil
	}
	kept, wrapped := ch.splitMust(behind)
	var cases []*testcase.Case
	var seqs []*testcase.Sequence
	known := make(map[string]bool)
	for _, c := range kept {
		known[c.Seq.Key()] = true
	}
	for _, c := range wrapped {
		t := behind[c.Target]
		d := *c
		d.Target, d.Predicted, d.Path, d.Observed = t.Name, nil, nil, nil
		d.Seq = calling(c.Seq, t.Obj)
		if key := d.Seq.Key(); !known[key] {
			known[key] = true
			cases, seqs = append(cases, &d), append(seqs, d.Seq)
		}
	}
	outcomes, err := ch.bench.Runner(true).Run(ctx, seqs)
	if err := ch.UnlessCut(err); err != nil {
		return fmt.Errorf("running what is behind Must: %w", err)
	}
	if len(outcomes) < len(seqs) {
		return nil // the time ended before anything ran
	}
	ch.Tests = slices.Concat(kept, ch.fit(cases, outcomes))
	ch.given.Tests = ch.Tests
	return nil
}

// splitCalls makes cases of their own of calls that a case makes beside its own one (see [alone.Calls]).
func (ch *chooser) splitCalls(ctx context.Context) error {
	splits, seqs := alone.Calls(ch.Pkg, ch.Tests, ch.how.Pure)
	outcomes, err := ch.bench.Proposals(true).Run(ctx, seqs)
	if err := ch.UnlessCut(err); err != nil || len(outcomes) < len(seqs) {
		return err
	}
	ch.Tests = slices.Clone(ch.Tests)
	for _, s := range splits {
		if own := ch.fitOrRefused([]*testcase.Case{s.Own}, outcomes[:1]); own != nil && outcome.Class(s.Own) == outcome.Class(s.Of) {
			ch.Tests[slices.Index(ch.Tests, s.Of)] = s.Own
			ch.Tests = append(ch.Tests, ch.fit(s.Parts, outcomes[1:1+len(s.Parts)])...)
		}
		outcomes = outcomes[1+len(s.Parts):]
	}
	ch.given.Tests = ch.Tests
	return nil
}

// behindMust returns, by the name of each function of the package that is called Must, the function
// behind it: the one that takes the same parameters and returns an error in addition to the same
// results.
func (ch *chooser) behindMust() map[string]*load.Target {
	byName := make(map[string]*load.Target)
	for _, t := range ch.Pkg.Targets {
		byName[t.Name] = t
	}
	out := make(map[string]*load.Target)
	for _, t := range ch.Pkg.Targets {
		owner, name, isMethod := strings.Cut(t.Name, ".")
		if !isMethod {
			owner, name = "", t.Name
		}
		rest, ok := strings.CutPrefix(name, "Must")
		if !ok || rest == "" || len(t.TypeArgs) > 0 {
			continue
		}
		if isMethod {
			rest = owner + "." + rest
		}
		if b := byName[rest]; b != nil && b.Exported && b.Skip == "" && len(b.TypeArgs) == 0 && wraps(t.Obj.Signature(), b.Obj.Signature()) {
			out[t.Name] = b
		}
	}
	return out
}

// wraps reports whether the first function can be the second one with a panic in place of the error
// that the second returns.
func wraps(must, f *types.Signature) bool {
	n := f.Results().Len()
	if must.Results().Len() != n-1 || !gosyntax.IsError(f.Results().At(n-1).Type()) {
		return false
	}
	for i := range n - 1 {
		if !types.Identical(must.Results().At(i).Type(), f.Results().At(i).Type()) {
			return false
		}
	}
	return types.Identical(must.Params(), f.Params()) && must.Variadic() == f.Variadic()
}

// splitMust divides the tests into those that stay as they are and those of Must functions that are to call
// the function behind the Must function.
func (ch *chooser) splitMust(behind map[string]*load.Target) (kept, wrapped []*testcase.Case) {
	type end struct {
		target string
		status testcase.Status
	}
	shortest := make(map[end]*testcase.Case)
	is := func(c *testcase.Case) bool {
		return behind[c.Target] != nil && !c.Whole && !c.Keep && c.Documented == "" && c.TargetStmt() == c.Seq.Len()-1
	}
	order := slices.Clone(ch.Tests)
	slices.SortStableFunc(order, func(a, b *testcase.Case) int { return cmp.Compare(a.Seq.Len(), b.Seq.Len()) })
	for _, c := range order {
		if e := (end{c.Target, c.Observed.Status}); is(c) && shortest[e] == nil {
			shortest[e] = c
		}
	}
	for _, c := range ch.Tests {
		if is(c) && shortest[end{c.Target, c.Observed.Status}] != c {
			wrapped = append(wrapped, c)
		} else {
			kept = append(kept, c)
		}
	}
	return kept, wrapped
}

// calling returns a sequence with another function called by its last statement.
func calling(s *testcase.Sequence, f *types.Func) *testcase.Sequence {
	stmts := slices.Clone(s.AppendTo(nil))
	last := &stmts[len(stmts)-1]
	op := *last.Op
	op.Func = f
	last.Op = &op
	return testcase.NewSequence(stmts...)
}

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
	yield := gosyntax.Yield(t)
	if yield == nil {
		return nil
	}
	var out []types.Type
	for v := range yield.Params().Variables() {
		out = append(out, v.Type())
	}
	return out
}
