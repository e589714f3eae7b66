package engine

import (
	"context"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/sequence"
	"github.com/goassay/assay/internal/testcase"
)

// Sequence is the adapter of package sequence.
type Sequence struct{}

// Name implements Engine.
func (Sequence) Name() string { return "sequence" }

// Unit implements Engine.
func (Sequence) Unit() Unit { return PerType }

// Run implements Engine.
func (Sequence) Run(ctx context.Context, t Task, yield func(*testcase.Case) bool) (Report, error) {
	// In gen the other engines work, too. A type therefore gets only a part of the effort that its full state
	// space may be worth.
	budget := sequence.Budget{Instructions: 4_000_000, Paths: 4_000, Queries: 800, Effort: 10_000_000, States: 2_000, Cases: 100}
	res, err := sequence.Run(ctx, sequence.Subject{Prog: t.Prog, Pkg: t.Pkg, Type: load.NamedOf(t.Target.Recv)}, sequence.Config{Seed: t.Seed, Budget: budget, Concrete: t.Concrete, Depth: t.Depth}, yield)
	return Report{
		Paths: res.Paths, States: res.States, Instructions: res.Instructions, Queries: res.Queries,
		Solver: res.SolverTime, Stops: res.Stops, Skip: res.Skip, Left: res.Left, Layers: event.SolverOf(res.Solver),
	}, err
}
