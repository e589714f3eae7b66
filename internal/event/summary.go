package event

import (
	"fmt"
	"strings"
	"time"

	"github.com/goassay/assay/internal/solver"
)

// Summary has the sums for a package or, if Package is empty, for the whole run. Counts that do not apply are
// nil or zero, and left out.
type Summary struct {
	Verb      string `json:"verb"`
	Package   string `json:"package"`
	Functions *int   `json:"functions,omitempty"`
	Tests     *int   `json:"tests,omitempty"`
	Findings  *int   `json:"findings,omitempty"`
	Known     *int   `json:"known,omitempty"` // findings that the baseline lists
	// Misuse counts the functions that fail on what their users may not do, and Misused counts them by
	// the kind of misuse: "nil arguments".
	Misuse     *int           `json:"misuse,omitempty"`
	Misused    map[string]int `json:"misused,omitempty"`
	Paths      *int           `json:"paths,omitempty"`
	States     *int           `json:"states,omitempty"`
	Candidates *int64         `json:"candidates,omitempty"`  // structures that a predicate was asked about
	Valid      *int64         `json:"valid,omitempty"`       // candidates for which the predicate holds
	LowerBound bool           `json:"lower_bound,omitempty"` // the true number of candidates may be larger
	// Stops counts the states of symbolic execution by how they ended. "assume" were discarded because
	// hard constraints cannot hold, "concrete" were handed over to native execution because an
	// assumption conflicts with the path.
	Stops        map[string]int `json:"stops,omitempty"`
	Instructions *int64         `json:"instructions,omitempty"`
	Queries      *int64         `json:"queries,omitempty"`
	SolverS      *float64       `json:"solver_s,omitempty"`
	Solver       *Solver        `json:"solver,omitempty"`
	Mismatches   *int           `json:"mismatches,omitempty"`
	// Rejected counts tests that did not compile when they had been written, which is a bug of assay's.
	// Unreliable counts tests that did not pass always and everywhere. Tests counts neither.
	Rejected   *int     `json:"rejected,omitempty"`
	Unreliable *int     `json:"unreliable,omitempty"`
	Coverage   *float64 `json:"coverage,omitempty"` // percent of the statements
	Statements *int     `json:"statements,omitempty"`
	// Before is the part of Coverage that hand-written tests have without the generated ones. It is set if
	// hand-written tests count. Coverage then is that of the package's own sources, with the statements that
	// the harness counts.
	Before    *float64 `json:"coverage_before,omitempty"`
	Redundant *int     `json:"redundant,omitempty"`
	Mutants   *int     `json:"mutants,omitempty"`        // mutants planted into the functions under test
	Killed    *int     `json:"killed,omitempty"`         // mutants that the written tests kill
	Mutation  *float64 `json:"mutation_score,omitempty"` // percent: Killed of Mutants
	// For check: assertions by their verdict, and the time of the static analysis.
	Proved    *int     `json:"proved,omitempty"`
	Assumed   *int     `json:"assumed,omitempty"`
	Refuted   *int     `json:"refuted,omitempty"`
	Unknown   *int     `json:"unknown,omitempty"`
	AnalysisS *float64 `json:"analysis_s,omitempty"`
	// For diff: groups of differences, those that no hand-written test notices, and the compared functions
	// that are proved to be equal.
	Differences *int    `json:"differences,omitempty"`
	Unnoticed   *int    `json:"unnoticed,omitempty"`
	Equal       *int    `json:"equal,omitempty"`
	ElapsedS    float64 `json:"elapsed_s"`
	// Cut says that a larger budget might bring more: the package was not worked on to the end, or not at
	// all.
	Cut bool `json:"cut,omitempty"`
	// Cached says that the result is from an earlier run. Redone is how many functions were done again
	// because they have changed since.
	Cached bool `json:"cached,omitempty"`
	Redone *int `json:"redone,omitempty"`

	// StmtsCovered and StmtsTotal are the numbers behind Coverage. They are kept because percentages cannot
	// be added.
	StmtsCovered, StmtsTotal int `json:"-"`
}

// Solver counts which layer of the solver answered how many of the questions asked: the
// sides of branches, and requests for models.
type Solver struct {
	Questions int64 `json:"questions"`
	Trivial   int64 `json:"trivial,omitempty"`    // constants, conjuncts of the path
	Domains   int64 `json:"domains,omitempty"`    // value sets
	Order     int64 `json:"order,omitempty"`      // order closure
	Intervals int64 `json:"intervals,omitempty"`  //
	ModelSide int64 `json:"model_side,omitempty"` // the path's own model
	Cache     int64 `json:"cache,omitempty"`
	Cores     int64 `json:"cores,omitempty"`
	Residues  int64 `json:"residues,omitempty"`
	Repaired  int64 `json:"repaired,omitempty"` // the model with one leaf changed
	Backend   int64 `json:"backend,omitempty"`  // the bit-blaster
	Unknown   int64 `json:"unknown,omitempty"`  // queries that the backend could not answer
	// DroppedSoft counts preferences that models could not keep, and DroppedAssumptions assumptions of
	// AssumeOrExecuteConcretely.
	DroppedSoft        int64 `json:"dropped_soft,omitempty"`
	DroppedAssumptions int64 `json:"dropped_assumptions,omitempty"`
}

// SolverOf returns the solver's counts that are shown.
func SolverOf(s solver.Stats) Solver {
	return Solver{
		Questions: s.Questions, Trivial: s.Trivial, Domains: s.Domains, Order: s.Order, Intervals: s.Intervals,
		ModelSide: s.ModelSide, Cache: s.Cache, Cores: s.Cores, Residues: s.Residues, Repaired: s.Repaired,
		Backend: s.Backend, Unknown: s.BackendUnknown, DroppedSoft: s.DroppedSoft, DroppedAssumptions: s.DroppedAssumptions,
	}
}

// fields lists the counts with their names, for adding and printing.
func (s *Solver) fields() []struct {
	name string
	n    *int64
} {
	return []struct {
		name string
		n    *int64
	}{
		{"questions", &s.Questions}, {"trivial", &s.Trivial}, {"domains", &s.Domains}, {"order", &s.Order},
		{"intervals", &s.Intervals}, {"model side", &s.ModelSide}, {"cache", &s.Cache}, {"cores", &s.Cores},
		{"residues", &s.Residues}, {"repaired", &s.Repaired}, {"backend", &s.Backend}, {"unknown", &s.Unknown},
		{"dropped soft", &s.DroppedSoft}, {"dropped assumptions", &s.DroppedAssumptions},
	}
}

// Add adds the counts of p to those of s.
func (s *Solver) Add(p Solver) {
	to := s.fields()
	for i, f := range p.fields() {
		*to[i].n += *f.n
	}
}

// String lists the counts that are not zero.
func (s Solver) String() string {
	var parts []string
	for _, f := range s.fields() {
		if *f.n != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", *f.n, f.name))
		}
	}
	return strings.Join(parts, ", ")
}

// AddUp adds the counts of a package to those of the run.
func (s *Summary) AddUp(p Summary) {
	AddTo(&s.Functions, p.Functions)
	AddTo(&s.Tests, p.Tests)
	AddTo(&s.Findings, p.Findings)
	AddTo(&s.Known, p.Known)
	AddTo(&s.Misuse, p.Misuse)
	for what, n := range p.Misused {
		if s.Misused == nil {
			s.Misused = map[string]int{}
		}
		s.Misused[what] += n
	}
	AddTo(&s.Paths, p.Paths)
	AddTo(&s.States, p.States)
	AddTo(&s.Candidates, p.Candidates)
	AddTo(&s.Valid, p.Valid)
	s.LowerBound = s.LowerBound || p.LowerBound
	AddTo(&s.Instructions, p.Instructions)
	AddTo(&s.Queries, p.Queries)
	AddTo(&s.SolverS, p.SolverS)
	s.AddStops(p.Stops)
	if p.Solver != nil {
		s.AddSolver(*p.Solver)
	}
	AddTo(&s.Mismatches, p.Mismatches)
	AddTo(&s.Rejected, p.Rejected)
	AddTo(&s.Unreliable, p.Unreliable)
	AddTo(&s.Redundant, p.Redundant)
	AddTo(&s.Mutants, p.Mutants)
	AddTo(&s.Killed, p.Killed)
	s.SetMutation()
	AddTo(&s.Proved, p.Proved)
	AddTo(&s.Assumed, p.Assumed)
	AddTo(&s.Refuted, p.Refuted)
	AddTo(&s.Unknown, p.Unknown)
	AddTo(&s.AnalysisS, p.AnalysisS)
	AddTo(&s.Differences, p.Differences)
	AddTo(&s.Unnoticed, p.Unnoticed)
	AddTo(&s.Equal, p.Equal)
	s.Cut = s.Cut || p.Cut
	s.StmtsCovered += p.StmtsCovered
	s.StmtsTotal += p.StmtsTotal
	s.SetCoverage()
}

// AddStops adds to the counts of how states ended.
func (s *Summary) AddStops(stops map[string]int) {
	for k, n := range stops {
		if s.Stops == nil {
			s.Stops = map[string]int{}
		}
		s.Stops[k] += n
	}
}

// AddSolver adds to the counts of the solver's layers.
func (s *Summary) AddSolver(p Solver) {
	if s.Solver == nil {
		s.Solver = &Solver{}
	}
	s.Solver.Add(p)
}

// SetCoverage makes the percentage of StmtsCovered and StmtsTotal.
func (s *Summary) SetCoverage() {
	if s.StmtsTotal > 0 {
		c := 100 * float64(s.StmtsCovered) / float64(s.StmtsTotal)
		s.Coverage, s.Statements = &c, Count(s.StmtsTotal)
	}
}

// SetMutation makes the percentage of Killed and Mutants.
func (s *Summary) SetMutation() {
	if s.Mutants != nil && *s.Mutants > 0 {
		c := 100 * float64(*s.Killed) / float64(*s.Mutants)
		s.Mutation = &c
	}
}

// AddTo adds n to the number to which to points. A nil pointer means that there is no count, and stays nil if
// n is nil.
func AddTo[N int | int64 | float64](to **N, n *N) {
	if n == nil {
		return
	}
	sum := *n
	if *to != nil {
		sum += **to
	}
	*to = &sum
}

// Count returns a count that applies. A nil count would not apply.
func Count(n int) *int { return &n }

// Seconds returns a duration in seconds, rounded to milliseconds, so that sums stay readable.
func Seconds(d time.Duration) float64 {
	return float64(d.Round(time.Millisecond)) / float64(time.Second)
}
