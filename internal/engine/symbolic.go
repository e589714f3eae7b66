package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/smtlib"
	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// Symbolic is the adapter of package symbolic.
type Symbolic struct{}

// Name implements Engine.
func (Symbolic) Name() string { return "symbolic" }

// Unit implements Engine.
func (Symbolic) Unit() Unit { return PerFunction }

// Follows implements Follower.
func (Symbolic) Follows() {}

// Run implements Engine.
func (Symbolic) Run(ctx context.Context, t Task, yield func(*testcase.Case) bool) (Report, error) {
	cfg := symbolic.Config{Seed: t.Seed, All: t.AllPaths && !t.Count, Show: t.AllPaths, Count: t.Count, Ended: t.Ended, Seeds: t.Seeds}
	if t.Share > 0 {
		cfg.Budget = symbolic.DefaultBudget().Part(int(math.Round(1 / t.Share)))
	}
	cfg.Budget.Paths = cmp.Or(t.MostPaths, cfg.Budget.Paths)
	if t.Queries != nil {
		cfg.Queries = func(st *term.Store, q *solver.Query, r solver.Result) { t.Queries(script(st, q, r)) }
	}
	if t.Order != nil {
		cfg.Order = t.Order()
	}
	res, err := symbolic.Run(ctx, symbolic.Subject{Prog: t.Prog, Pkg: t.Pkg, Target: t.Target}, cfg, yield)
	return Report{
		Paths: res.Paths, States: res.States, Instructions: res.Instructions, Queries: res.Queries,
		Solver: res.SolverTime, Stops: res.Stops, Skip: res.Skip, Unsatisfied: res.Unsatisfied, Layers: event.SolverOf(res.Solver),
		Excluded: unreachable(t, res), Cut: !res.Complete,
	}, err
}

// unreachable returns the outcomes of conditions that the assumptions of a target exclude. None of them is
// proved if executions depend on more than receiver and arguments.
func unreachable(t Task, res symbolic.Result) []symbolic.Excluded {
	if len(res.Excluded) == 0 {
		return nil
	}
	open := session.NewAnalyser(t.Prog, t.Pkg, check.Config{}).Depends(t.Target.Func, res.Entered, vm.TakesSlices(t.Target.Func.Signature)) != ""
	out := slices.Clone(res.Excluded)
	for i := range out {
		out[i].Proved = out[i].Proved && !open
	}
	return out
}

// script returns a query as SMT-LIB 2. It can be read by itself, or behind other queries.
func script(st *term.Store, q *solver.Query, r solver.Result) string {
	var b strings.Builder
	b.WriteString("(reset)\n")
	if r.Verdict != solver.Unknown {
		fmt.Fprintf(&b, "(set-info :status %s)\n", r.Verdict)
	}
	if err := smtlib.WriteQuery(&b, st, q); err != nil {
		panic("bug: engine: a query cannot be printed: " + err.Error())
	}
	return strings.TrimSpace(b.String())
}
