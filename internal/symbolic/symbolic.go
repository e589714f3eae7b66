package symbolic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// Budget bounds the effort for one target in deterministic units. Zero fields mean the
// defaults.
type Budget struct {
	Instructions int // executed by the machine; default 1,500,000
	Paths        int // finished; default 2,000
	Queries      int // to the bit-blaster; default 3,000
	Effort       int // of the bit-blaster, in propagations; default 6,000,000
	Query        int // of the bit-blaster for one query; default 600,000
	Cases        int // default 100
	States       int // that wait at the same time; default 20,000
	Stale        int // paths in a row that cover nothing new, after which a driver is given up; default 500
	Branches     int // decisions along one path whose outcomes are both feasible; no bound by default
	Stack        int // frames along one path; default 2,000
}

// DefaultBudget is the budget for finding tests, which the zero Budget stands for.
func DefaultBudget() Budget {
	return Budget{Instructions: 1_500_000, Paths: 2_000, Queries: 3_000, Effort: 6_000_000, Query: 600_000, Cases: 100, States: 20_000, Stale: 500}
}

// Part returns one n-th of a budget. Bounds that are no effort stay: how many states may wait, and how many
// cases there may be.
func (b Budget) Part(n int) Budget {
	b.Instructions, b.Paths, b.Queries = b.Instructions/n, b.Paths/n, b.Queries/n
	b.Effort, b.Stale = b.Effort/n, b.Stale/n
	return b
}

// forAll is the budget for showing every path. Nobody reads more paths than it allows.
func forAll() Budget {
	return Budget{Instructions: 20_000_000, Paths: 10_000, Queries: 20_000, Effort: 60_000_000, Cases: 10_000}
}

// forCount has no bounds but the memory's. The context ends a count.
func forCount() Budget {
	return Budget{Instructions: math.MaxInt, Paths: math.MaxInt, Queries: math.MaxInt, Effort: math.MaxInt, States: 1 << 20, Stale: math.MaxInt}
}

// OrElse replaces fields that are zero by those of another budget.
func (b Budget) OrElse(d Budget) Budget {
	return Budget{
		Instructions: cmp.Or(b.Instructions, d.Instructions), Paths: cmp.Or(b.Paths, d.Paths), Queries: cmp.Or(b.Queries, d.Queries),
		Effort: cmp.Or(b.Effort, d.Effort), Query: cmp.Or(b.Query, d.Query), Cases: cmp.Or(b.Cases, d.Cases), States: cmp.Or(b.States, d.States), Stale: cmp.Or(b.Stale, d.Stale),
		Branches: cmp.Or(b.Branches, d.Branches), Stack: cmp.Or(b.Stack, d.Stack),
	}
}

// Config says how to explore. The zero value is ready for use.
type Config struct {
	Seed   uint64
	Budget Budget
	// All makes a case of every path, whether or not it covers something new; up to 10,000 cases,
	// unless the budget says otherwise.
	All bool
	// Show is All for a reader: paths with the same way through the code and the same outcome have one case, and pointers to anything
	// may be the same.
	Show bool
	// Count follows every path within the budget and makes no cases. The Result says how the paths
	// ended.
	Count bool
	// Ended hears how each path ends that is counted, as it ends: a caller that cannot wait for the Result knows how many there were.
	Ended func(stop string)
	// Direct calls no other methods between a receiver's constructor and the target.
	Direct bool
	// Guide leads the exploration by results of a verifier. Nil means that there is no guide. A path that
	// ends where everything behind is verified becomes a case if it has met an assertion that is not
	// verified.
	Guide *vm.Guide
	// Order only orders the search by results of a verifier: states that must lead to unverified executions
	// come first. Nothing is left out. Nil means that there is no order. With a Guide, Order has no effect.
	Order *vm.Guide
	// Seeds are concrete executions that end with a call of the target. If there are any, only paths that
	// branch off them are explored: each seed is executed symbolically along its path, and its decisions are
	// flipped. Decisions whose other side no path has taken come first.
	Seeds []*testcase.Sequence
	// Queries, if not nil, is called with every query. The layers in front of the bit-blaster are then
	// switched off, because they would answer some queries without it.
	Queries func(st *term.Store, q *solver.Query, r solver.Result)
	// Validate evaluates the query under every model that the solver returns, before the model is used.
	Validate bool
}

// Result says what an exploration did.
type Result struct {
	Paths, States int
	Instructions  int64
	Queries       int64
	SolverTime    time.Duration
	// Stops counts the paths by their ends.
	Stops map[string]int
	// Skip is the reason why there is no case, if there is none.
	Skip string
	// Unsatisfied says that Skip is because of assumptions: no path that was followed satisfies them.
	Unsatisfied bool
	// Complete says that every path was followed to its end. Code that no path reached cannot be reached
	// then.
	Complete bool
	// Bound is the bound that ended the exploration before every path was followed, or "" if there was none.
	Bound string
	// Partial says that some paths stand for more executions than were followed (one of several values was
	// picked, or a decision was given up), so that Complete is no proof.
	Partial bool
	// Unsound has violations of assertions whose premises may hold: the verifier that made the guide was
	// wrong. It is empty if the guide is trusted.
	Unsound []testcase.AssertionRef
	// Unlisted are panics in guided functions that the verifier has no assertion for.
	Unlisted []string
	Solver   solver.Stats
	// Broken are the assertions of guided functions that some path broke, whether or not a
	// case shows it: a function may recover from its panic.
	Broken map[vm.BrokenAssertion]bool
	// Clauses are the clauses of the target's contract that some path broke, as text. They are checked
	// around the target, so that they are no assertions at instructions of it.
	Clauses map[string]bool
	// Entered has the functions that paths went through, if there is a Guide or if outcomes are Excluded.
	Entered vm.Functions
	// Any is the result of an exploration for any values of receiver and arguments, or nil if there was none:
	// it needs a Guide, and inputs that can all be symbols. It makes no cases, because perhaps nobody can
	// make such values.
	Any *AnyInputs
	// Excluded are the outcomes of conditions in the package under test that Assume excludes: no path
	// had them, and without the assumptions one would.
	Excluded []Excluded
}

// Unfinished names a way in which paths ended before the code did, or "" if there was none. The code behind
// such an end was not executed.
func (r Result) Unfinished() string {
	for _, s := range early() {
		if r.Stops[string(s)] > 0 {
			return string(s)
		}
	}
	return ""
}

// early are the ways in which a path ends before the code does.
func early() []vm.Stop {
	return []vm.Stop{vm.StopSolver, vm.StopBudget, vm.StopStack, vm.StopMemory, vm.StopUnsupported, vm.StopConcrete}
}

func unfinished(s vm.Stop) bool { return slices.Contains(early(), s) }

// Excluded is an outcome of a condition. Proved says that every path was followed to its
// end, for any receivers and arguments.
type Excluded struct {
	vm.Excluded
	Proved bool
}

// AnyInputs is the result of following paths for any inputs.
type AnyInputs struct {
	// Bound says why not every path was followed to its end, or "" if all were.
	Bound string
	// Broken are the assertions that some path broke, Clauses the clauses of the target's contract.
	Broken  map[vm.BrokenAssertion]bool
	Clauses map[string]bool
	// Past is what comes of it if paths go on behind assertions of the code that fail. It is nil if none fails.
	Past *AnyInputs
}

// Subject is the function or method to explore.
type Subject struct {
	Prog   *load.Program
	Pkg    *load.Package
	Target *load.Target
}

// Run explores a target and yields its cases until yield returns false, the budget is
// used up, or the context ends. The error is an internal failure.
func Run(ctx context.Context, s Subject, cfg Config, yield func(*testcase.Case) bool) (Result, error) {
	budget := cfg.budget()
	ts := term.NewStore()
	sctx := solver.NewContext(ts, bitblast.New(ts, bitblast.Config{}), cfg.layers(ts, budget))
	guide := cfg.Guide
	if guide == nil {
		guide = cfg.Order
	}
	m, err := vm.New(s.Prog, s.Pkg, ts, sctx, vm.Config{
		SplitResults: true, TruthValues: cfg.All, Show: cfg.Show, Guide: guide, MaxDepth: budget.Stack, Regardless: guide == nil && cfg.Seeds == nil,
	})
	if err != nil {
		return Result{}, err
	}
	res := Result{Stops: map[string]int{}, Clauses: map[string]bool{}}
	plans, why := s.drivers(cfg)
	if len(plans) == 0 {
		res.Skip = why
		return res, nil
	}
	e := &explorer{m: m, sctx: sctx, cfg: cfg, pkg: s.Pkg, target: s.Target, yield: yield, res: &res, budget: budget, broken: map[brokenAssertion]int{}}
	if cfg.Count && cfg.Show && len(plans) > 1 {
		e.counted = make(map[countedWay]bool)
	}
	exhausted, err := e.execute(ctx, plans)
	if err != nil {
		return res, err
	}
	if exhausted && cfg.Guide == nil && cfg.Seeds == nil && e.allDiscarded() {
		if more := byHand(s); more != nil {
			plans = append(plans, more)
			if exhausted, err = e.execute(ctx, plans[len(plans)-1:]); err != nil {
				return res, err
			}
		}
	}
	if (!exhausted || m.GivenUp() > 0) && cfg.Guide == nil && cfg.Seeds == nil && !cfg.All && !cfg.Count {
		if err := e.executeGoals(ctx); err != nil {
			return res, err
		}
		if err := e.approachMisses(ctx); err != nil {
			return res, err
		}
	}
	e.sumUp(ctx, plans, exhausted)
	e.sumUpCount()
	if cfg.Guide == nil && cfg.Seeds == nil && !cfg.All && !cfg.Count && !e.allDiscarded() && (!e.done || e.cases >= budget.Cases) {
		if err := e.askObjects(ctx, s, plans); err != nil {
			return res, err
		}
	}
	if cfg.Guide != nil && !cfg.Direct && ctx.Err() == nil {
		if res.Any, err = anyInputs(ctx, m, s, cfg, budget); err != nil {
			return res, err
		}
	}
	if cfg.Guide != nil || len(res.Excluded) > 0 {
		res.Entered = m.Entered()
	}
	if e.err != nil {
		return res, e.err
	}
	if e.cases == 0 && !cfg.Count {
		res.Skip, res.Unsatisfied = e.skipReason(res, exhausted), exhausted && e.allDiscarded()
	}
	return res, nil
}

// budget returns the budget of an exploration, with defaults that depend on its purpose.
func (cfg Config) budget() Budget {
	budget := cfg.Budget
	switch {
	case cfg.Count:
		budget = budget.OrElse(forCount())
	case cfg.All:
		budget = budget.OrElse(forAll())
	}
	return budget.OrElse(DefaultBudget())
}

// layers returns the configuration of the solver. If queries are recorded, the layers that would answer
// some of them are switched off.
func (cfg Config) layers(ts *term.Store, budget Budget) solver.Config {
	layers := solver.Config{Validate: cfg.Validate, Limit: int64(budget.Query)}
	if cfg.Queries != nil {
		layers.NoDomains, layers.NoOrder, layers.NoIntervals = true, true, true
		layers.NoCache, layers.NoResidues, layers.NoRepair, layers.NoEqualities = true, true, true, true
		layers.Record = func(q *solver.Query, r solver.Result, _ time.Duration) { cfg.Queries(ts, q, r) }
	}
	return layers
}

// drivers returns the drivers to execute, or the reason why there are none: the seeds' drivers if there are
// seeds, and those of plan otherwise.
func (s Subject) drivers(cfg Config) (list []*vm.Driver, why string) {
	if cfg.Seeds != nil {
		for _, seq := range cfg.Seeds {
			list = append(list, drivers(s.Prog, s.Pkg, seq)...)
		}
		return list, "its inputs cannot be symbols"
	}
	list, why = driversOf(s.Prog, s.Pkg, s.Target, cfg.Direct)
	if cfg.Guide != nil && !cfg.Direct && len(list) > 0 {
		// A verifier assumes that two pointers differ, so drivers in which they are equal are needed.
		list = append(list, shared(list[0])...)
	}
	return list, why
}

// execute executes the drivers one after the other. It reports whether all of their paths were followed.
func (e *explorer) execute(ctx context.Context, plans []*vm.Driver) (exhausted bool, err error) {
	stop := func() bool { return ctx.Err() != nil || e.done || e.stale > e.budget.Stale }
	exhausted = true
	for i, d := range plans {
		e.stale = 0
		// A verifier needs more than coverage: all ways to make the receiver.
		covered := e.cfg.Guide == nil && e.cfg.Seeds == nil && e.m.Complete(e.target.Func) && e.returned
		if i > 0 && (covered || e.done) {
			break
		}
		left := e.remainingLimits(i, len(plans))
		if left.Steps <= 0 || left.Paths <= 0 || left.Queries <= 0 || left.Effort <= 0 || stop() {
			return false, nil
		}
		stats, err := e.m.Explore(d, e.cfg.searcher(), left, stop, e.path)
		if err != nil {
			return false, err
		}
		e.add(stats)
		exhausted = exhausted && stats.Exhausted
	}
	return exhausted, nil
}

// add counts what an exploration did.
func (e *explorer) add(stats vm.Stats) {
	e.res.Paths += stats.Paths
	e.res.States += stats.States
	e.res.Instructions += stats.Steps
	for k, n := range stats.Stops {
		e.res.Stops[string(k)] += n
	}
}

// remainingLimits returns the limits of the i-th of n drivers. Seeds get equal parts of what is left. Otherwise the
// first driver, which is the simplest, gets half of it and each other a quarter.
func (e *explorer) remainingLimits(i, n int) vm.Limits {
	b, st := e.budget, e.sctx.Stats()
	left := vm.Limits{
		Steps:   int64(b.Instructions) - e.res.Instructions,
		Paths:   b.Paths - e.res.Paths,
		Queries: int64(b.Queries) - st.Backend,
		Effort:  int64(b.Effort) - st.BackendEffort,
		States:  b.States, PathSteps: 1_000_000, PathForks: b.Branches,
	}
	switch {
	case e.cfg.Seeds != nil:
		return left.Part(n - i)
	case n == 1:
		return left
	case i == 0:
		return left.Part(2)
	}
	return left.Part(4)
}

// sumUp fills in the parts of the result that are known once all drivers have been executed.
func (e *explorer) sumUp(ctx context.Context, plans []*vm.Driver, exhausted bool) {
	res, st := e.res, e.noteSolver()
	res.Complete, res.Unlisted = exhausted && !e.unsolved, e.m.Unlisted()
	if !exhausted {
		res.Bound = e.bound(ctx, st)
	}
	res.Partial = res.Partial || e.m.Unknowns() > 0
	followed := res.Complete && !res.Partial && res.Unfinished() == "" && e.m.GivenUp() == 0 && e.cfg.Seeds == nil
	proved := followed && givenAny(e.pkg, e.target, plans)
	for _, x := range e.m.Excluded() {
		// With seeds only the paths that branch off them are followed, which is no proof.
		if e.cfg.Seeds == nil && (proved || x.Hard || x.Beyond && followed) {
			res.Excluded = append(res.Excluded, Excluded{x, proved})
		}
	}
	res.Broken = e.m.TakeBroken()
}

// noteSolver notes in the result what the solver has done so far.
func (e *explorer) noteSolver() solver.Stats {
	st := e.sctx.Stats()
	e.res.Queries, e.res.SolverTime, e.res.Solver = st.Backend, st.BackendTime, st
	return st
}

// explorer turns paths into cases.
type explorer struct {
	m        *vm.Machine
	sctx     *solver.Context
	cfg      Config
	pkg      *load.Package
	target   *load.Target
	yield    func(*testcase.Case) bool
	res      *Result
	budget   Budget
	cases    int
	returned bool // some path of the target returned
	plain    int  // cases that covered nothing new so far
	stale    int  // paths since the last one that covered something new
	last     string
	unsolved bool // there is a path for which no inputs were found
	done     bool
	err      error
	broken   map[brokenAssertion]int // how many cases break each assertion
	counted  map[countedWay]bool     // the ways that were counted, see count
	ends     map[string]int          // how the paths ended that were counted
	ways     map[string]bool         // which ways through the code, with which outcomes, have cases; see shown
}

// plainCases is how many paths that cover nothing new become cases for their results.
const plainCases = 12

// path makes a case of a path, if the path is worth one.
func (e *explorer) path(p *vm.Path) bool {
	e.stale++
	if len(p.New) > 0 || e.cfg.All || e.cfg.Count {
		e.stale = 0
	}
	if p.Partial() {
		e.res.Partial = true
	}
	if e.cfg.Count {
		e.count(p)
		return true
	}
	if !p.Last || p.Stop == vm.StopAssume || p.Stop == vm.StopSetup || p.Stop == vm.StopPruned && !p.MetAny() {
		return true
	}
	if p.Stop == vm.StopAssert {
		e.res.Clauses[p.Reason] = true
	}
	first := !e.returned && p.Stop == vm.StopReturn
	e.returned = e.returned || first
	if p.Stop == vm.StopUnsupported || p.Stop == vm.StopSolver {
		e.last = p.Reason
	}
	checked := e.checked(p)
	broken, breaks := brokenBy(p, checked)
	if !e.cfg.All && breaks {
		if e.broken[broken]++; e.broken[broken] > maxViolations {
			return true
		}
	}
	if !e.cfg.All && len(p.New) == 0 && !first && !breaks {
		if e.plain >= plainCases {
			return true
		}
		e.plain++
	}
	s, verdict := e.m.Solve(p)
	if verdict != solver.Sat {
		e.unsolved = true
		e.last = "the solver found no inputs for a path"
		e.m.Disclaim(p)
		return true
	}
	seq, err := e.m.Sequence(p, s)
	if err != nil {
		e.last = err.Error()
		e.m.Disclaim(p)
		return true
	}
	e.m.Claim(p)
	c := &testcase.Case{
		Package: e.pkg.Path, Target: e.target.Name, Engine: "symbolic", Seq: seq,
		Path: e.m.Conditions(p), Stop: string(stopOf(p)),
		Predicted: e.m.Predict(p, s, seq.Len()),
	}
	if checked != nil {
		met, prefix := e.m.Met(p, s)
		checked.Prefix = prefix
		for _, i := range met {
			checked.Met = append(checked.Met, testcase.AssertionRef{Func: e.target.Func.String(), Index: i})
		}
		c.Checked = checked
	}
	if p.Reason != "" && p.Stop != vm.StopExit {
		c.Stop += ": " + p.Reason
	}
	if e.shown(p, c) {
		return true
	}
	e.cases++
	if !e.yield(c) || e.cases >= e.budget.Cases {
		e.done = true
	}
	return !e.done
}

// shown reports whether a case shows what an earlier one has shown, where every path is asked for: its path went the same way through
// the code, and the same came out. It may have another object, or be one of several ways to make the receiver. Paths whose
// outcome is not known are all shown.
func (e *explorer) shown(p *vm.Path, c *testcase.Case) bool {
	if !e.cfg.Show || c.Predicted == nil {
		return false
	}
	key := fmt.Sprintf("%d %s %s", p.Way(), c.Stop, c.Predicted)
	if c.Predicted.Panic != nil {
		key += fmt.Sprint(c.Predicted.Panic.Stack) // two pointers may be nil
	}
	if e.ways[key] {
		return true
	}
	if e.ways == nil {
		e.ways = make(map[string]bool)
	}
	e.ways[key] = true
	return false
}

// allDiscarded reports whether every path that was followed violates an assumption.
func (e *explorer) allDiscarded() bool {
	n := e.res.Stops[string(vm.StopAssume)]
	return n > 0 && e.res.Paths == n
}

// skipReason explains why a target got no case. If the exploration ended by its budget, inputs that were not tried may be fit.
func (e *explorer) skipReason(r Result, exhausted bool) string {
	switch {
	case e.allDiscarded():
		if !exhausted {
			return "none of the inputs tried satisfies its assumptions, and not all were tried within the budget"
		}
		if e.target.Recv != nil {
			return "none of the receivers and arguments tried satisfies its assumptions"
		}
		return "no input satisfies its assumptions"
	case e.last != "":
		return e.last
	case r.Stops[string(vm.StopSetup)] > 0:
		return "its receiver or arguments could not be built"
	case r.Paths == 0:
		return "no path ended within the budget"
	}
	return fmt.Sprintf("none of its %d paths became a case", r.Paths)
}

// stopOf returns how a path ended. One that was handed over is told from those that return as predicted.
func stopOf(p *vm.Path) vm.Stop {
	if p.Stop == vm.StopReturn && p.State.HandedOver() {
		return vm.StopConcrete
	}
	return p.Stop
}
