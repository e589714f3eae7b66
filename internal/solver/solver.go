// Package solver decides path conditions: whether a branch can be taken, and with which inputs.
//
// A Context is shared by one exploration. It holds the term store, the backend for the hard questions
// (solver/bitblast by default), the layers in front of it, and the statistics. A PathCond is the path
// condition of one state. It carries a model of itself, so one side of every branch costs no query. It also
// keeps the known values of each input byte and integer, so most branches cost no query at all.
//
// A condition goes through these layers (context.go):
//
//  1. value sets of single leaves (domain.go, ranges.go), order closure (order.go), intervals;
//  2. the slice of the path that the condition depends on (slice.go);
//  3. a cache of slices, and a cache of unsatisfiable cores (cache.go);
//  4. residues (residue.go), repair of the parent's model (repair.go);
//  5. the backend, with equal variables replaced by one (equal.go).
//
// Each layer gives an exact verdict, or passes the condition on to the next one. Each can be switched off in
// Config.
//
// Unknown is the zero Verdict and never reads as a proof: a layer that is unsure passes on, and a backend
// that gives up says Unknown.
//
// To add a layer: give it a file, call it from Context.decide (from Context.byLayers, which is asked before, if
// it needs no query), count it in Stats, give it a switch in Config, and see that the differential tests, which
// run with every switch, exercise it.
package solver

import (
	"time"

	"github.com/goassay/assay/internal/term"
)

// Verdict is the answer to a query.
type Verdict uint8

// The verdicts. Unknown is the zero value.
const (
	Unknown Verdict = iota
	Sat
	Unsat
)

// String returns the verdict as SMT-LIB writes it.
func (v Verdict) String() string {
	switch v {
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	}
	return "unknown"
}

// A Query asks whether Conjuncts and Assumptions, which are all booleans, hold together.
type Query struct {
	Conjuncts   []term.ID
	Assumptions []term.ID
	// Limit bounds the effort in the backend's deterministic units; 0 means the backend's default.
	Limit int64
}

// A Result answers a Query.
type Result struct {
	Verdict Verdict
	// Model satisfies the query if the verdict is Sat.
	Model *term.Model
	// Core has conjuncts and assumptions of the query that cannot hold together, if the verdict is Unsat. It
	// need not be minimal.
	Core []term.ID
	// Effort is the effort that was spent, in the units of Query.Limit.
	Effort int64
}

// A Solver decides queries. Only one goroutine may use it.
type Solver interface {
	Check(q *Query) Result
}

// Config configures a Context. The zero value is the default stack.
type Config struct {
	// Limit is the effort for each query of the backend; 0 means the backend's default.
	Limit int64
	// The layers can be switched off, for measurements and for tests.
	NoDomains, NoOrder, NoIntervals, NoCache, NoResidues, NoRepair, NoEqualities bool
	// Validate asks the backend again about every verdict of a layer, and panics if they disagree. Models are
	// evaluated against their query in any case.
	Validate bool
	// Record, if not nil, is called with every query that reaches the backend.
	Record func(q *Query, r Result, d time.Duration)
	// Asked, if not nil, is called with every condition that is decided or assumed.
	Asked func(c term.ID)
}

// Stats counts what a Context did. A branch is two questions, one per side.
type Stats struct {
	Questions int64 // sides of branches and requests for models
	// How many questions each layer answered:
	Trivial   int64 // constants and conjuncts of the path itself
	Domains   int64 // value sets
	Order     int64 // order closure
	Intervals int64
	ModelSide int64 // the path's own model satisfies the condition
	Cache     int64 // the same slice was decided before
	Cores     int64 // the slice contains a known unsatisfiable core
	Residues  int64 // remainders by constants
	Repaired  int64 // the model after a change of one leaf
	Backend   int64
	// How many questions the backend answered:
	BackendSat, BackendUnsat, BackendUnknown int64
	BackendEffort                            int64
	BackendTime                              time.Duration
	// The outcomes of Solve:
	DroppedSoft, DroppedAssumptions int64
}

// SolverSeconds returns the seconds spent in the backend.
func (s *Stats) SolverSeconds() float64 { return s.BackendTime.Seconds() }
