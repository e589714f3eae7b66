package campaign

import (
	"context"
	"fmt"
	"strings"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/sequence"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/smtlib"
	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
)

// allEngines is the table of engines, in the order in which they work.
func allEngines() []engine {
	return []engine{symbolicEngine{}, sequenceEngine{}, boundedEngine{}, randomEngine{}}
}

// boundedEngine is package bounded.
type boundedEngine struct{}

func (boundedEngine) name() string { return "bounded" }

func (boundedEngine) runPackage(ctx context.Context, j packageJob, yield func(*testcase.Case) bool) error {
	cfg := bounded.Config{Targets: j.wanted, Tags: j.tags, Log: j.log, Mutants: j.mutants, Exhaustive: j.exhaustive != nil}
	res, err := bounded.Run(ctx, j.prog, j.pkg, j.harness, cfg, yield)
	for _, x := range res.Exhaustive {
		j.exhaustive(x)
	}
	return err
}

// symbolicEngine is package symbolic.
type symbolicEngine struct {
	parts map[*load.Target]int // which part of its usual effort it spends: one n-th; 0 is all
	// seeds, if not nil, are the sequences that are executed symbolically, by the target that
	// they end with. Nothing else is explored then.
	seeds map[*load.Target][]*testcase.Sequence
}

func (symbolicEngine) name() string { return "symbolic" }

func (e symbolicEngine) run(ctx context.Context, j job, yield func(*testcase.Case) bool) (effort, error) {
	cfg := symbolic.Config{Seed: j.seed, All: j.all && !j.count, Count: j.count, Seeds: e.seeds[j.target]}
	if n := e.parts[j.target]; n > 0 {
		cfg.Budget = symbolic.DefaultBudget().Part(n)
	}
	if j.queries != nil {
		cfg.Queries = func(st *term.Store, q *solver.Query, r solver.Result) { j.queries(script(st, q, r)) }
	}
	if j.order != nil {
		cfg.Order = j.order()
	}
	res, err := symbolic.Run(ctx, j.prog, j.pkg, j.target, cfg, yield)
	return effort{
		paths: res.Paths, states: res.States, instructions: res.Instructions, queries: res.Queries,
		solver: res.SolverTime, stops: res.Stops, skip: res.Skip, layers: event.SolverOf(res.Solver),
		excluded: unreachable(j, res), cut: !res.Complete,
	}, err
}

// script is a query as SMT-LIB 2, to be read by itself or one after the other.
func script(st *term.Store, q *solver.Query, r solver.Result) string {
	var b strings.Builder
	b.WriteString("(reset)\n")
	if r.Verdict != solver.Unknown {
		fmt.Fprintf(&b, "(set-info :status %s)\n", r.Verdict)
	}
	if err := smtlib.WriteQuery(&b, st, q); err != nil {
		panic("bug: campaign: a query cannot be printed: " + err.Error())
	}
	return strings.TrimSpace(b.String())
}

// sequenceEngine is package sequence.
type sequenceEngine struct{}

func (sequenceEngine) name() string { return "sequence" }

func (sequenceEngine) runType(ctx context.Context, j job, yield func(*testcase.Case) bool) (effort, error) {
	// Within gen the other engines work too, so a type gets a fraction of the effort
	// that its full state space may be worth.
	budget := sequence.Budget{Instructions: 4_000_000, Paths: 4_000, Queries: 800, Effort: 10_000_000, States: 2_000, Cases: 100}
	res, err := sequence.Run(ctx, j.prog, j.pkg, load.NamedOf(j.target.Recv), sequence.Config{Seed: j.seed, Budget: budget, Concrete: j.concrete}, yield)
	return effort{
		paths: res.Paths, states: res.States, instructions: res.Instructions, queries: res.Queries,
		solver: res.SolverTime, stops: res.Stops, skip: res.Skip, left: res.Left, layers: event.SolverOf(res.Solver),
	}, err
}

// randomEngine is package random.
type randomEngine struct{}

func (randomEngine) name() string { return "random" }

func (randomEngine) runPackage(ctx context.Context, j packageJob, yield func(*testcase.Case) bool) error {
	cfg := random.Config{Seed: j.seed, Ops: int(random.DefaultOps * j.share), Targets: j.wanted, Known: j.known}
	if j.share >= 1 {
		cfg.Checks = j.checks // contracts are for the objects that much has been done to
	}
	res, err := random.Run(ctx, j.prog, j.pkg, j.harness, cfg, j.covered, yield)
	j.spare(res.Spare)
	return err
}
