package event

import (
	"go/token"

	"github.com/goassay/assay/internal/testcase"
)

// Event is something that happened, as data. -json prints it as a line, and the text on the terminal is made
// from it. Action is its name in -json, or "" for events that -json does not have.
type Event interface{ Action() string }

// Test says that there is a test. A provisional test ran natively and may still lose its place to a
// shorter one that covers the same; its name and file are not known.
type Test struct {
	Package     string `json:"package"`
	Func        string `json:"func"`
	Name        string `json:"name,omitempty"`
	File        string `json:"file,omitempty"` // absolute
	Line        int    `json:"line,omitempty"` // the line of its declaration in the file
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
	Line     int               `json:"line,omitempty"` // the line of the test's declaration in the file
	// Evidence says why the code is wrong, or why the case is misuse. Rank is how strong this reason is: 3
	// for what is declared or documented, 2 for what other code of the package shows, 1 for what is usual in
	// Go.
	Evidence string `json:"evidence,omitempty"`
	Rank     int    `json:"rank,omitempty"`
	// Declared is where Func is declared.
	Declared string `json:"declared,omitempty"`
	// Cause says where the wrong value comes from, and CausePos where that is declared. Misuse says what users may
	// not do. Doors are the exported functions that lead there.
	Cause    string   `json:"cause,omitempty"`
	CausePos string   `json:"cause_pos,omitempty"`
	Misuse   string   `json:"misuse,omitempty"`
	Doors    []string `json:"doors,omitempty"`
	// Calls are the statements that show the finding, in short Go. Way is their way through the code: the
	// decided conditions of the function, and the calls that were under way at the failure, the outermost
	// first.
	Calls []string `json:"calls,omitempty"`
	Way   []Step   `json:"way,omitempty"`
	// Fingerprint identifies the finding. It stays the same if lines move.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Asserted says that an Assertion event reports the same.
	Asserted bool `json:"-"`
}

// Known is a finding that the baseline lists. It is not reported, and does not make the run fail.
type Known struct {
	Finding
	Reason string `json:"reason"` // why the finding is accepted, according to the baseline
}

// Step is a place on the way of a call through the code.
type Step struct {
	Pos  string `json:"pos"`  // file:line:column
	Text string `json:"text"` // the step: "n < 0 is true", "in Account.Deposit"
}

// Misuse says that a function fails when its users do what they may not do. The summary counts such
// functions; no other event reports them. With -misuse there are Findings instead.
type Misuse struct {
	Package, Func, What string
}

// Assertion is the check verb's result for an assertion.
type Assertion struct {
	Package string  `json:"package"`
	Func    string  `json:"func"`
	Pos     string  `json:"pos"` // file:line:column
	Kind    string  `json:"kind"`
	Text    string  `json:"text"` // the assertion in words
	Verdict Verdict `json:"verdict"`
	// Assumptions are the assumptions that the verdict, or the analyser's own verdict, relies on.
	Assumptions []Assumed `json:"assumptions,omitempty"`
	// Premises are sets of identifiers, if any one of several sets of assumptions is enough.
	Premises [][]string `json:"premises,omitempty"`
	// By is "analysis", "exploration" or "others" for a proved assertion. Within has the bounds of inputs of
	// an exploration.
	By     string `json:"by,omitempty"`
	Within string `json:"within,omitempty"`
	// Bound is the reason why an unknown assertion is not decided.
	Bound string `json:"bound,omitempty"`
	// Fails says that, according to the analysis, every execution which reaches the assertion breaks it.
	Fails bool `json:"fails,omitempty"`
	// The fields for a refuted assertion: how bad the finding is, what happens, the calls that show it, and a
	// test file that fails.
	Severity testcase.Severity `json:"severity,omitempty"`
	Message  string            `json:"message,omitempty"`
	Calls    string            `json:"calls,omitempty"`
	Test     string            `json:"test,omitempty"`
	// Source is the line of Pos, without the white space around it. A later reader of the event can see by
	// this line whether the file has changed.
	Source string `json:"source,omitempty"`
}

// Verdict is the result for an assertion.
type Verdict string

// The verdicts.
const (
	Proved    Verdict = "proved"  // no execution breaks it
	AssumedOK Verdict = "assumed" // no input that satisfies the assumptions breaks it either
	Refuted   Verdict = "refuted" // a test breaks it
	Undecided Verdict = "unknown"
)

// Assumed is an assumption "assumed P as a".
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

// NoBranch is what a path is shown with that takes no branch of its function's own. It need not be the only one: how often
// a loop over a list or a map turns is no condition in the source, nor is whether a map has a key unless the code asks.
const NoBranch = "no branch"

// Path is a path of a function that the explore verb found.
type Path struct {
	Package   string `json:"package"`
	Func      string `json:"func"`
	Stop      string `json:"stop"`
	Condition string `json:"condition"`
	// Setup has the statements, in Go, that come before the call, where the Inputs as expressions do not say everything: they
	// name what the statements make.
	Setup   []string `json:"setup,omitempty"`
	Inputs  []string `json:"inputs"`
	Results []string `json:"results,omitempty"`
	// Way has the decisions of the path, one by one.
	Way []Step `json:"-"`
}

// Iteration is the result of all sequences of up to Calls calls of a type's methods after the
// constructor. Text shows it as a line of the table in States.
type Iteration struct {
	Package  string  `json:"package"`
	Type     string  `json:"type"`
	Calls    int     `json:"calls"`
	States   int     `json:"states"`  // different states so far
	Pruned   int     `json:"pruned"`  // in this iteration
	Retired  int     `json:"retired"` // in this iteration
	Paths    int     `json:"paths"`   // so far
	Covered  int     `json:"covered"` // branch decisions taken so far
	Branches int     `json:"branches"`
	ElapsedS float64 `json:"elapsed_s"` // since the exploration began
	// Noticed is how many of Faults planted faults the sequences notice.
	Noticed int `json:"noticed,omitempty"`
	Faults  int `json:"faults,omitempty"`
}

// Guided is the result of one way to guide tests by verification results: on one function or, if Func
// is empty, on all functions of a package or of all packages.
type Guided struct {
	Package string `json:"package,omitempty"`
	Func    string `json:"func,omitempty"`
	Guide   string `json:"guide"`
	// Functions is how many functions a sum is about.
	Functions int `json:"functions,omitempty"`
	// Tests counts all runs that ended, and Suite those that cover something new.
	Tests TestKinds `json:"tests"`
	Suite TestKinds `json:"suite"`
	// Unverified counts unverified executions: tests that differ in their decisions before the last
	// assertion whose premise does not hold.
	Unverified int `json:"unverified"`
	Pruned     int `json:"pruned"` // paths that were ended because everything that follows is verified
	// Broken are the assertions that some test breaks.
	Broken []string `json:"broken,omitempty"`
	// Bounds says which bounds of the exploration were reached, and how often.
	Bounds map[string]int `json:"bounds,omitempty"`
	CPUS   float64        `json:"cpu_s"`
	// Alike is, in sums, how many functions get the same number of tests that are not redundant in every way
	// of guiding, and AlikeCPUS is the time for these.
	Alike     int     `json:"alike,omitempty"`
	AlikeCPUS float64 `json:"alike_cpu_s,omitempty"`
}

// TestKinds counts tests by what they show: that an assertion fails, that an assertion is met whose
// premise does not hold, or neither.
type TestKinds struct {
	Failing      int `json:"failing"`
	NonRedundant int `json:"non_redundant"` // of these, those that do not fail
	Redundant    int `json:"redundant"`
}

// All is how many tests there are.
func (k TestKinds) All() int { return k.Failing + k.NonRedundant + k.Redundant }

// States is the state space of a type as text: a table, or a graph for Graphviz. In
// JSON there are iterations instead, and a summary.
type States struct {
	Package, Type string
	Text          string
	Alone         bool // stdout gets nothing else, because it is a file
}

// Space is the state space of structures that the enum verb walks.
type Space struct {
	Package string `json:"package"`
	Type    string `json:"type"`
	// Candidates is how many vectors of values there are. It is a decimal text, because it may be larger than
	// any integer.
	Candidates string `json:"candidates"`
	// Fields are in the order in which the predicate first reads them, followed by the fields that it did not
	// read.
	Fields []SpaceField `json:"fields"`
}

// SpaceField is a field of all objects of a type.
type SpaceField struct {
	Type    string `json:"type"`
	Objects int    `json:"objects"` // how many objects of the type there are
	Field   string `json:"field"`   // the field; for a slice it stands for the length, and "items[]" for the elements
	Values  int    `json:"values"`  // how many values it may have
	Read    bool   `json:"read"`
}

// Structure is a structure that the enum verb found.
type Structure struct {
	Package string `json:"package"`
	Type    string `json:"type"`
	Number  int    `json:"number"` // from 1
	Go      string `json:"go"`     // the structure as an expression
	Dot     string `json:"dot,omitempty"`
	Objects any    `json:"objects"` // the root first; pointers are {"object": index}
}

// Reduced says what the reduce verb removes, or with -n would remove: a test, a row of its table (from
// 1; 0 is the whole test) or, without a test, statements.
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

// Pass says that a pass over a package is done, if a budget is divided over packages. It says what the
// package's tests show now.
type Pass struct {
	Package string  `json:"package"`
	Pass    int     `json:"pass"`    // from 1, in this run
	BoundS  float64 `json:"bound_s"` // the time that it had
	// Round is the number of the round, from 1, of a pass that went on from what earlier ones had found.
	Round      int     `json:"round,omitempty"`
	ElapsedS   float64 `json:"elapsed_s"`
	Covered    int     `json:"covered"` // statements that are covered
	Statements int     `json:"statements"`
	Tests      int     `json:"tests"`
	Findings   int     `json:"findings"`
	Cut        bool    `json:"cut,omitempty"`    // with more time the result may be better
	Cached     bool    `json:"cached,omitempty"` // the result of an earlier run
	// Rechecked says that the tests came from a worker, and were run once more where they are written.
	Rechecked bool `json:"rechecked,omitempty"`
}

// Shard says that the run is about a part of the packages, and other machines do the other parts.
type Shard struct {
	Shard    int `json:"shard"` // from 1
	Shards   int `json:"shards"`
	Packages int `json:"packages"`
	Others   int `json:"others"` // packages in the other parts
}

// Skip says why a function got no test or, without Func, why a package got none.
type Skip struct {
	Package string `json:"package"`
	Func    string `json:"func,omitempty"`
	Pos     string `json:"pos,omitempty"` // the place in the source that is the reason, if there is one
	Reason  string `json:"reason"`
}

// Unreachable says that the assumptions of a function exclude an outcome of one of its conditions,
// which an input would have without them.
type Unreachable struct {
	Package   string `json:"package"`
	Func      string `json:"func"`
	Pos       string `json:"pos"`
	Condition string `json:"condition"` // as it would have to be: "x <= 0", "!(n == m)"
	// Proved says that every path of the function was followed. If it is false, the exclusion holds for the
	// paths that were followed.
	Proved bool `json:"proved"`
}

// Changed says that the code behaves otherwise than an earlier test asserts: the result of Call was Before
// and is After. If the failing test's message does not tell these, After is the message and the other fields
// are empty.
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

// Diagnostic is an error in the user's code or a warning, with its place if there is one. The text goes to
// stderr.
type Diagnostic struct {
	Pos     token.Position
	Message string
	Warning bool // it is a warning: nothing failed
}

// Progress says how far the work on a package is. Counts of tests are counts of provisional ones.
type Progress struct {
	Package     string
	Stage       string // "load", "build", "explore", "random", "reduce", "verify", "write"
	Done, Total int    // targets explored
	Tests       int
	Findings    int
}

// Confinement says how the code that assay runs is kept from the rest of the machine.
type Confinement struct {
	Confined bool   `json:"confined"`
	How      string `json:"how"`  // how it is confined, or why it is not
	Mode     string `json:"mode"` // the mode given by -confine
}

// Debug is a line that -debug asked for.
type Debug struct {
	Topic string // "mismatches", "states", "queries", ...
	Text  string
}

// The names of the events in -json.
func (Test) Action() string        { return "test" }
func (Finding) Action() string     { return "finding" }
func (Known) Action() string       { return "known" }
func (Misuse) Action() string      { return "" }
func (Path) Action() string        { return "path" }
func (Seed) Action() string        { return "seed" }
func (Skip) Action() string        { return "skip" }
func (Pass) Action() string        { return "pass" }
func (Shard) Action() string       { return "shard" }
func (Reduced) Action() string     { return "reduce" }
func (Unreachable) Action() string { return "unreachable" }
func (Summary) Action() string     { return "summary" }
func (Changed) Action() string     { return "changed" }
func (Diagnostic) Action() string  { return "" }
func (Progress) Action() string    { return "" }
func (Debug) Action() string       { return "" }
func (Iteration) Action() string   { return "iteration" }
func (Guided) Action() string      { return "guided" }
func (States) Action() string      { return "" }
func (Space) Action() string       { return "space" }
func (Structure) Action() string   { return "structure" }
func (Assertion) Action() string   { return "assertion" }
func (Annotated) Action() string   { return "" }
func (Confinement) Action() string { return "confinement" }
