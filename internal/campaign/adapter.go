package campaign

import (
	"context"

	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/testcase"
)

// allEngines is the table of engines, in the order in which they work on a target.
func allEngines() []engine { return []engine{symbolicEngine{}} }

// symbolicEngine is package symbolic.
type symbolicEngine struct{}

func (symbolicEngine) name() string { return "symbolic" }

func (symbolicEngine) run(ctx context.Context, j job, yield func(*testcase.Case) bool) (effort, error) {
	res, err := symbolic.Run(ctx, j.prog, j.pkg, j.target, symbolic.Config{Seed: j.seed, All: j.all}, yield)
	return effort{
		paths: res.Paths, states: res.States, instructions: res.Instructions, queries: res.Queries,
		solver: res.SolverTime, stops: res.Stops, skip: res.Skip,
	}, err
}
