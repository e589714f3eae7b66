package campaign

import (
	"context"
	"errors"

	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/choose"
	"github.com/goassay/assay/internal/strategy"
)

// verify has package verify find out which of the tests hold.
func (g *gen) verify(scope scope, bench *workbench, found strategy.Finds, judged verdicts, chosen choose.Selection) (*verify.Suite, error) {
	unverified := &verify.Suite{Selection: chosen}
	ctx, cancel := g.times(bench).verify()
	defer cancel()
	if !scope.rerun.Report(g.Session, scope.earlier) {
		return unverified, errNothing
	}
	if g.continues == nil && g.foundLess(scope, found) {
		scope.earlier.KeepBetter(scope.rerun, bench.Blocks(), chosen.Tests, chosen.Findings)
	}
	// Tests that were added since then notice mutants, and may be disputed as well.
	left, err := undisputed(ctx, bench, chosen.Findings, chosen.Tests)
	if err != nil {
		return unverified, err
	}
	if bench != nil && len(left) < len(chosen.Tests) {
		// Findings that were made since dispute some of the engines' cases, too.
		instead, err := undisputed(ctx, bench, chosen.Findings, inPlaceOfBroken(chosen.Tests, left, judged.tests))
		if err != nil {
			return unverified, err
		}
		left = append(left, instead...)
	}
	chosen.Tests = left
	return verify.Tests(ctx, g.Session, bench.session(), chosen, verify.Config{
		Earlier: scope.earlier, Exhaustive: found.Exhaustive, Beside: g.fuzzFiles(scope, chosen), WithEarlier: g.standing != nil,
		MaxTests: g.cfg.MaxTests, MaxLines: g.cfg.MaxLines, Waiting: g.cfg.Waiting,
	})
}

// foundLess reports whether exploration was cut short, so that it may have found less than an earlier
// run.
func (g *gen) foundLess(scope scope, found strategy.Finds) bool {
	if g.Ctx.Err() != nil || found.Cut {
		return true
	}
	for _, x := range found.Explored {
		if errors.Is(x.Err, context.Canceled) || errors.Is(x.Err, context.DeadlineExceeded) {
			return true
		}
	}
	return len(found.Explored) == 0 && len(scope.exported) > 0
}
