package event

import (
	"go/token"

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
	// Evidence is why it is a defect of the code, or a misuse of it, Rank how strong that is:
	// 3 for what is declared or documented, 2 for what other code of the package shows, 1 for
	// what is usual in Go.
	Evidence string `json:"evidence,omitempty"`
	Rank     int    `json:"rank,omitempty"`
	// Cause is where the wrong value comes from, Misuse what users may not do, Doors the
	// exported functions that lead there.
	Cause  string   `json:"cause,omitempty"`
	Misuse string   `json:"misuse,omitempty"`
	Doors  []string `json:"doors,omitempty"`
	// Asserted says that an Assertion event says the same.
	Asserted bool `json:"-"`
}

// FindingOf says what a finding of a package is.
func FindingOf(pkg string, f *testcase.Finding) Finding {
	e := Finding{
		Package: pkg, Func: f.Func, Kind: f.Kind, Severity: f.Severity, Message: f.Message,
		Evidence: f.Evidence, Rank: f.Rank, Cause: f.Root, Misuse: f.Misuse, Doors: f.Doors,
	}
	if f.Pos.IsValid() {
		e.Pos = f.Pos.String()
	}
	return e
}

// Misuse says that a function fails when its user does what he may not. It is counted in the
// summary, and nobody is shown it: with -misuse there are Findings instead.
type Misuse struct {
	Package, Func, What string
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

// Confinement says how what assay runs is kept from the rest of the machine.
type Confinement struct {
	Confined bool   `json:"confined"`
	How      string `json:"how"`  // how it is confined, or why it is not
	Mode     string `json:"mode"` // as -confine has it
}

// Debug is a line of what -debug asked for.
type Debug struct {
	Topic string // "mismatches", "states", "queries", ...
	Text  string
}

// The names of the events in -json.
func (Test) Action() string        { return "test" }
func (Finding) Action() string     { return "finding" }
func (Misuse) Action() string      { return "" }
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
func (Confinement) Action() string { return "confinement" }
