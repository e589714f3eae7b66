package engine

import (
	"context"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/testcase"
)

// Bounded is the adapter of package bounded.
type Bounded struct{}

// Name implements Engine.
func (Bounded) Name() string { return "bounded" }

// Unit implements Engine.
func (Bounded) Unit() Unit { return PerPackage }

// Run implements Engine.
func (Bounded) Run(ctx context.Context, t Task, yield func(*testcase.Case) bool) (Report, error) {
	cfg := bounded.Config{Targets: t.Wanted, Tags: t.Tags, Confine: t.Confine, Log: t.Log, Mutants: t.Mutants, Exhaustive: t.Exhaustive, Finitization: t.Finitization}
	res, err := bounded.Run(ctx, bounded.Subject{Prog: t.Prog, Pkg: t.Pkg, Harness: t.Harness}, cfg, yield)
	return Report{Exhaustive: res.Exhaustive}, err
}
