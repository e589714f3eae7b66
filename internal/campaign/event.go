package campaign

import (
	"fmt"
	"go/token"
	"strings"
	"time"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/testcase"
)

// Event is something that happened, as data: what -json prints a line of, what the
// text on the terminal is made of. Action is its name there, "" for events that
// -json does not have.
type Event interface{ Action() string }

// Test says that there is a test. A provisional one ran natively and may still lose
// its place to a shorter one that covers the same; its name and file are not known.
type Test struct {
	Package     string `json:"package"`
	Func        string `json:"func"`
	Name        string `json:"name,omitempty"`
	File        string `json:"file,omitempty"` // absolute
	Engine      string `json:"engine,omitempty"`
	Provisional bool   `json:"provisional,omitempty"`
}

// Finding says that there is a bug.
type Finding struct {
	Package  string            `json:"package"`
	Func     string            `json:"func"`
	Kind     string            `json:"kind"`
	Severity testcase.Severity `json:"severity"`
	Message  string            `json:"message"`
	Pos      string            `json:"pos,omitempty"`
	Test     string            `json:"test,omitempty"`
	File     string            `json:"file,omitempty"`
	// Asserted says that an Assertion event says the same.
	Asserted bool `json:"-"`
}

// Assertion says what the check verb knows of an assertion.
type Assertion struct {
	Package string  `json:"package"`
	Func    string  `json:"func"`
	Pos     string  `json:"pos"` // file:line:column
	Kind    string  `json:"kind"`
	Text    string  `json:"text"` // what is asserted
	Verdict Verdict `json:"verdict"`
	// Assumptions are what the verdict, or the analyser's own one, rests on.
	Assumptions []Assumed `json:"assumptions,omitempty"`
	// By is "analysis", "exploration" or "others" for what is proved, and Within the bounds
	// of inputs that an exploration has.
	By     string `json:"by,omitempty"`
	Within string `json:"within,omitempty"`
	// Bound is why an unknown one is not decided.
	Bound string `json:"bound,omitempty"`
	// Of what is refuted: how bad it is, what happens, the calls that show it, and a test
	// file that fails.
	Severity testcase.Severity `json:"severity,omitempty"`
	Message  string            `json:"message,omitempty"`
	Calls    string            `json:"calls,omitempty"`
	Test     string            `json:"test,omitempty"`
}

// Verdict is what is known of an assertion.
type Verdict string

// The verdicts.
const (
	Proved    Verdict = "proved"  // no execution breaks it
	AssumedOK Verdict = "assumed" // nor does one that keeps the assumptions
	Refuted   Verdict = "refuted" // a test breaks it
	Undecided Verdict = "unknown"
)

// Assumed is "assumed P as a".
type Assumed struct {
	ID   string `json:"id"`
	Pos  string `json:"pos"`
	Text string `json:"text"`
}

// Annotated is a file of the package with verification annotations as comments.
type Annotated struct {
	File string
	Text string
}

// Path is a path of a function that the explore verb found.
type Path struct {
	Package   string   `json:"package"`
	Func      string   `json:"func"`
	Stop      string   `json:"stop"`
	Condition string   `json:"condition"`
	Inputs    []string `json:"inputs"`
	Results   []string `json:"results,omitempty"`
}

// States is the state space of a type as text: a table, or a graph for Graphviz. In
// JSON there is only its summary.
type States struct {
	Package, Type string
	Text          string
	Alone         bool // nothing else belongs on stdout: it is a file
}

// Structure is a structure that the enum verb found.
type Structure struct {
	Package string `json:"package"`
	Type    string `json:"type"`
	Number  int    `json:"number"` // from 1
	Go      string `json:"go"`     // an expression
	Dot     string `json:"dot,omitempty"`
	Objects any    `json:"objects"` // the root first; pointers are {"object": index}
}

// Reduced says what the reduce verb removes, or with -n would remove: a test, a row of
// its table (from 1; 0 is the whole test) or, without a test, statements.
type Reduced struct {
	Package string `json:"package"`
	File    string `json:"file,omitempty"` // absolute
	Test    string `json:"test,omitempty"`
	Row     int    `json:"row,omitempty"`
	Reason  string `json:"reason"`
}

// Seed says that an input was written for a Fuzz function.
type Seed struct {
	Package string `json:"package"`
	Func    string `json:"func"` // the Fuzz function
	File    string `json:"file"` // absolute
}

// Skip says why a function got no test, or with no Func why a package got none.
type Skip struct {
	Package string `json:"package"`
	Func    string `json:"func,omitempty"`
	Reason  string `json:"reason"`
}

// Summary sums a package up, or with an empty Package the whole run. Counts that do
// not apply are nil or zero and left out.
type Summary struct {
	Verb       string `json:"verb"`
	Package    string `json:"package"`
	Functions  *int   `json:"functions,omitempty"`
	Tests      *int   `json:"tests,omitempty"`
	Findings   *int   `json:"findings,omitempty"`
	Known      *int   `json:"known,omitempty"` // findings that the baseline silences
	Paths      *int   `json:"paths,omitempty"`
	States     *int   `json:"states,omitempty"`
	Candidates *int64 `json:"candidates,omitempty"`  // structures that a predicate was asked about
	Valid      *int64 `json:"valid,omitempty"`       // those for which it holds
	LowerBound bool   `json:"lower_bound,omitempty"` // there may be more candidates
	// Stops counts the states of symbolic execution by how they ended: "assume" were
	// discarded because hard constraints cannot hold, "concrete" were handed over to native
	// execution because an assumption conflicts with the path.
	Stops        map[string]int `json:"stops,omitempty"`
	Instructions *int64         `json:"instructions,omitempty"`
	Queries      *int64         `json:"queries,omitempty"`
	SolverS      *float64       `json:"solver_s,omitempty"`
	Solver       *Solver        `json:"solver,omitempty"`
	Mismatches   *int           `json:"mismatches,omitempty"`
	Coverage     *float64       `json:"coverage,omitempty"` // percent of the statements
	Statements   *int           `json:"statements,omitempty"`
	// Before is the part of Coverage that hand-written tests have without what was written.
	// It is there where they count; Coverage is of the package's own sources as the harness
	// counts statements then.
	Before    *float64 `json:"coverage_before,omitempty"`
	Redundant *int     `json:"redundant,omitempty"`
	Mutants   *int     `json:"mutants,omitempty"`        // planted into the functions under test
	Killed    *int     `json:"killed,omitempty"`         // of them, by the written tests
	Mutation  *float64 `json:"mutation_score,omitempty"` // percent: Killed of Mutants
	// Of check: assertions by their verdict, and what the static part took.
	Proved    *int     `json:"proved,omitempty"`
	Assumed   *int     `json:"assumed,omitempty"`
	Refuted   *int     `json:"refuted,omitempty"`
	Unknown   *int     `json:"unknown,omitempty"`
	AnalysisS *float64 `json:"analysis_s,omitempty"`
	ElapsedS  float64  `json:"elapsed_s"`
	// Cached says that an earlier run came to this; Redone is how many functions were done
	// again because they have changed since, where the others have not.
	Cached bool `json:"cached,omitempty"`
	Redone *int `json:"redone,omitempty"`

	covered, statements int // what Coverage is of, to add up
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
	Unknown   int64 `json:"unknown,omitempty"`  // of the backend's
	// DroppedSoft are preferences that models could not keep, DroppedAssumptions those of
	// AssumeOrExecuteConcretely.
	DroppedSoft        int64 `json:"dropped_soft,omitempty"`
	DroppedAssumptions int64 `json:"dropped_assumptions,omitempty"`
}

func layers(s solver.Stats) Solver {
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

func (s *Solver) add(p Solver) {
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

// Unreachable says that the assumptions of a function exclude an outcome of one of its
// conditions: without them an input would take it.
type Unreachable struct {
	Package   string `json:"package"`
	Func      string `json:"func"`
	Pos       string `json:"pos"`
	Condition string `json:"condition"` // as it would have to be: "x <= 0", "!(n == m)"
	// Proved says that every path of the function was followed; else it holds of those
	// that were.
	Proved bool `json:"proved"`
}

// Changed says that the code behaves otherwise than an earlier test states: Call came to
// Before and comes to After. Where that cannot be read off the failing test, After is what
// it says and the others are empty.
type Changed struct {
	Package string `json:"package"`
	Func    string `json:"func,omitempty"`
	Test    string `json:"test"`
	File    string `json:"file"` // absolute
	Call    string `json:"call,omitempty"`
	Before  string `json:"before,omitempty"`
	After   string `json:"after"`
	More    bool   `json:"more,omitempty"` // there are changes that are not shown
}

// Diagnostic is an error of the user's or a word of warning, with its place if there
// is one: stderr's.
type Diagnostic struct {
	Pos     token.Position
	Message string
	Warning bool // nothing failed
}

// Progress says how far a package is. Test counts are of provisional ones.
type Progress struct {
	Package     string
	Stage       string // "load", "build", "explore", "random", "reduce", "verify", "write"
	Done, Total int    // targets explored
	Tests       int
	Findings    int
}

// Debug is a line of what -debug asked for.
type Debug struct {
	Topic string // "mismatches", "states", "queries", ...
	Text  string
}

// The names of the events in -json.
func (Test) Action() string        { return "test" }
func (Finding) Action() string     { return "finding" }
func (Path) Action() string        { return "path" }
func (Seed) Action() string        { return "seed" }
func (Skip) Action() string        { return "skip" }
func (Reduced) Action() string     { return "reduce" }
func (Unreachable) Action() string { return "unreachable" }
func (Summary) Action() string     { return "summary" }
func (Changed) Action() string     { return "changed" }
func (Diagnostic) Action() string  { return "" }
func (Progress) Action() string    { return "" }
func (Debug) Action() string       { return "" }
func (States) Action() string      { return "" }
func (Structure) Action() string   { return "structure" }
func (Assertion) Action() string   { return "assertion" }
func (Annotated) Action() string   { return "" }

// addUp adds the counts of a package to those of the run.
func (s *Summary) addUp(p Summary) {
	addTo(&s.Functions, p.Functions)
	addTo(&s.Tests, p.Tests)
	addTo(&s.Findings, p.Findings)
	addTo(&s.Known, p.Known)
	addTo(&s.Paths, p.Paths)
	addTo(&s.States, p.States)
	addTo(&s.Candidates, p.Candidates)
	addTo(&s.Valid, p.Valid)
	s.LowerBound = s.LowerBound || p.LowerBound
	addTo(&s.Instructions, p.Instructions)
	addTo(&s.Queries, p.Queries)
	addTo(&s.SolverS, p.SolverS)
	s.addStops(p.Stops)
	if p.Solver != nil {
		s.addSolver(*p.Solver)
	}
	addTo(&s.Mismatches, p.Mismatches)
	addTo(&s.Redundant, p.Redundant)
	addTo(&s.Mutants, p.Mutants)
	addTo(&s.Killed, p.Killed)
	s.setMutation()
	addTo(&s.Proved, p.Proved)
	addTo(&s.Assumed, p.Assumed)
	addTo(&s.Refuted, p.Refuted)
	addTo(&s.Unknown, p.Unknown)
	addTo(&s.AnalysisS, p.AnalysisS)
	s.covered += p.covered
	s.statements += p.statements
	s.setCoverage()
}

func (s *Summary) addStops(stops map[string]int) {
	for k, n := range stops {
		if s.Stops == nil {
			s.Stops = map[string]int{}
		}
		s.Stops[k] += n
	}
}

func (s *Summary) addSolver(p Solver) {
	if s.Solver == nil {
		s.Solver = &Solver{}
	}
	s.Solver.add(p)
}

func (s *Summary) setCoverage() {
	if s.statements > 0 {
		c := 100 * float64(s.covered) / float64(s.statements)
		s.Coverage, s.Statements = &c, count(s.statements)
	}
}

func (s *Summary) setMutation() {
	if s.Mutants != nil && *s.Mutants > 0 {
		c := 100 * float64(*s.Killed) / float64(*s.Mutants)
		s.Mutation = &c
	}
}

func addTo[N int | int64 | float64](to **N, n *N) {
	if n == nil {
		return
	}
	sum := *n
	if *to != nil {
		sum += **to
	}
	*to = &sum
}

// seconds rounds to milliseconds, so that sums stay readable.
func seconds(d time.Duration) float64 {
	return float64(d.Round(time.Millisecond)) / float64(time.Second)
}
