package choose

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

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
		known[c.Seq.String()] = true
	}
	for _, c := range wrapped {
		t := behind[c.Target]
		d := *c
		d.Target, d.Predicted, d.Path, d.Observed = t.Name, nil, nil, nil
		d.Seq = calling(c.Seq, t.Obj)
		if key := d.Seq.String(); !known[key] {
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
	if must.Results().Len() != n-1 || !types.Identical(f.Results().At(n-1).Type(), types.Universe.Lookup("error").Type()) {
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
