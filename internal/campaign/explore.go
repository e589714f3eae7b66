package campaign

import (
	"context"

	"github.com/goassay/assay/internal/strategy"
)

// explore has the engines look for cases, in the phases of package strategy.
func (g *gen) explore(scope scope, bench *workbench, said documented) (strategy.Finds, error) {
	if bench == nil {
		return strategy.Finds{}, nil
	}
	ctx, cancel := g.times(bench).explore()
	defer cancel()
	return strategy.Explore(ctx, g.Session, bench.Bench, strategy.Config{
		Engines: g.engines, Exported: scope.exported, Inside: scope.inside,
		Documented: said.all(), Resumed: bench.resumed, Checks: g.checks(), Noticed: g.mutantsNoticed(bench),
		Observing: func() (context.Context, context.CancelFunc) { return g.times(bench).reduce() },
		GivenBack: g.times(bench).givenBack(), IfFew: g.times(bench).ifFew, IfLittle: g.times(bench).ifLittle,
		Exhaustive: g.cfg.Exhaustive, Concrete: g.cfg.Concrete, Depth: g.cfg.Depth, Finitization: g.cfg.Finitization, Waiting: g.cfg.Waiting,
	})
}
