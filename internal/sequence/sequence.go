package sequence

import (
	"context"
	"fmt"
	"go/types"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// Budget bounds the effort for one type in deterministic units. Zero fields mean the
// defaults.
type Budget struct {
	Instructions int // executed by the machine; default 20,000,000
	Paths        int // finished calls; default 20,000
	Queries      int // to the bit-blaster; default 1,500
	Effort       int // of the bit-blaster, in propagations; default 20,000,000
	States       int // kept; default 10,000
	Cases        int // default 300
}

func (b Budget) withDefaults() Budget {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&b.Instructions, 20_000_000)
	def(&b.Paths, 20_000)
	def(&b.Queries, 1_500)
	def(&b.Effort, 20_000_000)
	def(&b.States, 10_000)
	def(&b.Cases, 300)
	return b
}

// defaultDepth is how many calls follow the constructor by default.
const defaultDepth = 6

// Config says how to explore. The zero value is ready for use.
type Config struct {
	// Depth is the number of calls after the constructor; 0 means 6.
	Depth int
	// Concrete explores concrete states, with arguments out of Values: the baseline
	// that the symbolic exploration is measured against.
	Concrete bool
	// Values are the numbers that a concrete exploration passes as arguments; nil means 1 to Depth. Text
	// arguments are the decimals of these numbers.
	Values []int64
	// Retire drops states that have not been expanded yet when a new state subsumes them. The paper does not
	// retire states.
	Retire bool
	// Exact compares states by their concrete states even if only the order of values matters (order.go).
	// There are more states then, and no other paths.
	Exact bool
	// Methods, if not nil, says which methods to call.
	Methods func(*load.Target) bool
	// All makes a case of every path, not only of those that show something new.
	All bool
	// Graph keeps the states and calls in Result.Graph.
	Graph  bool
	Seed   uint64 // not used: nothing is random
	Budget Budget
	// Validate evaluates the query under every model that the solver returns, before the model is used.
	Validate bool
}

// Iteration counts the results of all sequences of up to Depth calls after the constructor.
type Iteration struct {
	Depth             int
	States            int           // different states so far, without retired ones
	Pruned, Retired   int           // in this iteration
	Paths             int           // all paths so far
	Covered, Branches int           // branch outcomes so far: covered ones, and all in the functions that were entered
	Elapsed           time.Duration // since the exploration began
	// Noticed is how many of Faults planted faults the sequences notice. The caller that plants faults fills
	// in both fields.
	Noticed, Faults int
}

// Result says what an exploration did.
type Result struct {
	Iterations      []Iteration
	States          int
	Pruned, Retired int
	Paths           int
	Panics          int
	// Violations counts the pairs of a method and a contract or invariant that it breaks.
	Violations   int
	Instructions int64
	Queries      int64
	SolverTime   time.Duration
	// Asks counts the comparisons of states that order alone did not decide.
	Asks int
	// Stops counts the paths by their ends.
	Stops map[string]int
	// Opaque counts states that could not be compared with others.
	Opaque int
	// Skip is the reason why there is no case, if there is none.
	Skip string
	// Ordered says that the code only decided the order of symbolic values, and that states were compared
	// accordingly.
	Ordered bool
	// Left is the reason why not all sequences up to the depth were explored, or "" if all were.
	Left   string
	Graph  *Graph
	Solver solver.Stats
}

// Subject is the type to explore.
type Subject struct {
	Prog *load.Program
	Pkg  *load.Package
	Type types.Type
}

// Run explores the sequences of calls of a named type of the package and yields their cases until yield
// returns false, the budget is used up, or the context ends. For a generic type it explores the first
// instance that is tested. The error is an internal failure, or says that the type has no methods.
func Run(ctx context.Context, s Subject, cfg Config, yield func(*testcase.Case) bool) (Result, error) {
	prog, pkg, named := s.Prog, s.Pkg, load.NamedOf(s.Type)
	if named == nil {
		return Result{}, fmt.Errorf("%s is not a named type", s.Type)
	}
	ts := term.NewStore()
	order := &ordering{ts: ts, known: map[term.ID]bool{}, signed: map[int]bool{}, broken: cfg.Exact || cfg.Concrete}
	sctx := solver.NewContext(ts, bitblast.New(ts, bitblast.Config{}), solver.Config{Validate: cfg.Validate, Asked: order.checkQuestion})
	m, err := vm.New(prog, pkg, ts, sctx, vm.Config{})
	if err != nil {
		return Result{}, err
	}
	if cfg.Depth <= 0 {
		cfg.Depth = defaultDepth
	}
	e := &explorer{
		m: m, ts: ts, sctx: sctx, prog: prog, pkg: pkg, cfg: cfg, yield: yield,
		res: Result{Stops: map[string]int{}}, budget: cfg.Budget.withDefaults(),
		order: order, sub: &subsumer{ts: ts, sctx: sctx}, seen: map[string][]*state{}, broken: map[string]bool{}, outcomes: map[string]bool{}, self: &donor{},
		stop: func() bool { return ctx.Err() != nil },
	}
	if cfg.Graph {
		e.res.Graph = &Graph{}
	}
	e.choose(named)
	if len(e.methods) == 0 {
		e.res.Skip = "no methods to call"
		return e.res, nil
	}
	e.run()
	st := sctx.Stats()
	e.res.Queries, e.res.SolverTime, e.res.Solver, e.res.Asks = st.Backend, st.BackendTime, st, e.sub.asks
	if e.err != nil {
		return e.res, e.err
	}
	if e.cases == 0 && e.res.Skip == "" {
		e.res.Skip = e.skipReason()
	}
	return e.res, nil
}

// skipReason explains why there is no case.
func (e *explorer) skipReason() string {
	switch {
	case e.last != "":
		return e.last
	case e.res.Paths == 0:
		return "no call ended within the budget"
	}
	return fmt.Sprintf("none of %d paths became a case", e.res.Paths)
}
