package engine

import (
	"context"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// Random is the adapter of package random.
type Random struct{}

// Name implements Engine.
func (Random) Name() string { return "random" }

// Unit implements Engine.
func (Random) Unit() Unit { return PerPackage }

// Needs implements Preparer.
func (Random) Needs(prog *load.Program, pkg *load.Package) []*testcase.Operation {
	return random.Needs(prog, pkg)
}

// Run implements Engine.
func (Random) Run(ctx context.Context, t Task, yield func(*testcase.Case) bool) (Report, error) {
	share := t.Share
	if share == 0 {
		share = 1
	}
	cfg := random.Config{Seed: t.Seed, Ops: int(random.DefaultOps * share), Targets: t.Wanted, Covered: t.Covered, Known: t.Known, Accepted: t.Accepted, Change: t.Change, Stateful: t.Stateful}
	if share >= 1 {
		cfg.Checks = t.Checks // contracts are checked on the objects of long sequences
	}
	res, err := random.Run(ctx, random.Subject{Prog: t.Prog, Pkg: t.Pkg, Harness: t.Harness}, cfg, yield)
	return Report{Spare: slices.Concat(res.Opened, res.Spare), Accepted: res.Accepted}, err
}
