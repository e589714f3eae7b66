package event

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/drawing"
	"github.com/goassay/assay/internal/testcase"
)

// This file has the events in which gen tells more than a terminal or -json shows; reports, editors and
// agents read them.

// Written is a file of tests as gen writes it or, if nothing is to be written, would.
type Written struct {
	Package string `json:"package"`
	File    string `json:"file"` // absolute
	Content []byte `json:"content"`
}

// Case is a case that a test shows, with its path.
type Case struct {
	Path
	Test string `json:"test"`
	File string `json:"file"` // of the test, absolute
	Line int    `json:"line,omitempty"`
	Row  string `json:"row,omitempty"` // of the test's table, or its subtest
}

// Drawn is a graph for people to look at: the states of a type, or a structure.
type Drawn struct {
	Package string
	Kind    string // "states" or "structures"
	Title   string
	Graph   *drawing.Graph
}

// Coverage says which statements of a package the tests reach that exist after the run, hand-written
// ones included if they count.
type Coverage struct {
	Package string  `json:"package"`
	Blocks  []Block `json:"blocks"`
}

// Block is a stretch of statements that are always executed together. Lines and columns count
// from 1; columns are bytes, and the end is behind the stretch.
type Block struct {
	File      string `json:"file"` // absolute
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
	Stmts     int    `json:"stmts"`
	Covered   bool   `json:"covered"`
}

// Mutant is a small fault that was planted into the code under test, and what the tests made of it.
type Mutant struct {
	Package  string `json:"package"`
	Func     string `json:"func"`
	Pos      string `json:"pos"`
	Operator string `json:"operator"`
	Text     string `json:"text"` // the change: "a < b becomes a <= b"
	Fate     Fate   `json:"fate"`
	Test     string `json:"test,omitempty"` // the first test that notices it
	// For a mutant that no test notices: statements that would notice it, and their results without and
	// with the mutant. They are empty if none were found or looked for.
	Calls   []string `json:"calls,omitempty"`
	Without string   `json:"without,omitempty"`
	With    string   `json:"with,omitempty"`
}

// Fate says whether tests notice a mutant.
type Fate string

// The fates.
const (
	Killed    Fate = "killed"      // a test notices it
	Survived  Fate = "survived"    // tests reach it, and none notices it
	Unreached Fate = "not reached" // no test reaches it
)

// unpredicted and handedOver stand for results that the machine does not predict.
const (
	unpredicted = "not predicted: it depends on more than the inputs, such as the order of a map"
	handedOver  = "not predicted: without the assumption the code is executed concretely"
)

// PathOf describes the path of a case in terms of the source. Names of pkg go without its name.
func PathOf(path string, pkg *types.Package, fn string, c *testcase.Case) Path {
	p := Path{Package: path, Func: fn, Stop: c.Stop, Inputs: []string{}}
	var conditions []string
	for _, d := range c.Path {
		text := d.Text
		if !d.True {
			text = "!(" + text + ")"
		}
		if len(conditions) == 0 || conditions[len(conditions)-1] != text {
			conditions = append(conditions, text)
		}
	}
	p.Condition = strings.Join(conditions, " && ")
	p.Way = decisions(c)
	at := c.TargetStmt()
	before, inputs := c.Seq.Spelled(at, pkg)
	p.Setup, p.Inputs = before, append(p.Inputs, inputs...)
	o := c.Observed
	if o == nil {
		o = c.Predicted
	}
	switch {
	case o == nil && c.Stop == "concrete":
		p.Results = []string{handedOver}
	case o == nil, o.Panic == nil && o.Status == testcase.Returned && at >= len(o.Results):
		if sig := c.Seq.At(at).Op.Signature(); c.Stop == "return" && sig != nil && sig.Results().Len() > 0 {
			p.Results = []string{unpredicted}
		}
	case o.Panic != nil:
		p.Results = []string{o.Panic.Message}
	case at < len(o.Results):
		for _, v := range o.Results[at] {
			p.Results = append(p.Results, v.String())
		}
	case o.Status != testcase.Returned:
		p.Results = []string{fmt.Sprint(o.Status)}
	}
	return p
}

// InputText returns the inputs of a path in one line, behind the statements that make them.
func (p Path) InputText() string {
	return strings.Join(append(slices.Clone(p.Setup), strings.Join(p.Inputs, ", ")), "; ")
}

// Action implements Event; like the others here it is no line of -json.
func (Written) Action() string { return "" }

// Action implements Event.
func (Case) Action() string { return "" }

// Action implements Event.
func (Drawn) Action() string { return "" }

// Action implements Event.
func (Coverage) Action() string { return "" }

// Action implements Event.
func (Mutant) Action() string { return "" }

// Input answers whether an input leads to a place of a function, or breaks a condition there.
type Input struct {
	Package string  `json:"package"`
	Func    string  `json:"func"`
	Pos     string  `json:"pos,omitempty"`
	Asked   string  `json:"asked"` // in words: "reach line 12", "n > 0 is false"
	Verdict Reached `json:"verdict"`
	// If an input was found: the call as one expression, all statements, the way, and a test.
	Call  string   `json:"call,omitempty"`
	Calls []string `json:"calls,omitempty"`
	Way   []Step   `json:"way,omitempty"`
	// If there is no input: whether the "analysis" or an "exploration" shows it, and within which
	// bounds of inputs.
	By     string `json:"by,omitempty"`
	Within string `json:"within,omitempty"`
	// Assumptions are the assumptions under which no input leads there; Bound is the reason why that is
	// not known.
	Assumptions []Assumed `json:"assumptions,omitempty"`
	Bound       string    `json:"bound,omitempty"`
}

// Reached says whether an input leads somewhere.
type Reached string

// The answers.
const (
	Found      Reached = "found"      // an input does, and was run
	Impossible Reached = "impossible" // no input does, by proof
	Unlikely   Reached = "assumed"    // no input leads there under the assumptions, and no test breaks these
	NotFound   Reached = "not found"  // no input was found, and Bound says why that is no proof
)

// Action implements Event.
func (Input) Action() string { return "" }

// Trial says what a proposed test file is worth.
type Trial struct {
	Package  string      `json:"package"`
	File     string      `json:"file"`
	Problems []string    `json:"problems,omitempty"` // why it does not compile, in the words of the compiler or vet
	Tests    []TrialTest `json:"tests,omitempty"`
	// Coverage in percent of the package's statements: by the other test files, and with it.
	CoverageBefore *float64 `json:"coverage_before,omitempty"`
	CoverageAfter  *float64 `json:"coverage_after,omitempty"`
	// Outcomes are outcomes of conditions, and Lines where statements are, that it covers and
	// the other test files do not.
	Outcomes []Step   `json:"outcomes,omitempty"`
	Lines    []string `json:"lines,omitempty"` // file:line
	// Mutants is how many were planted. The others say how many of them the other test files notice,
	// and how many with the proposed one. Adds are the mutants that only the proposed one notices.
	Mutants      *int     `json:"mutants,omitempty"`
	KilledBefore *int     `json:"killed_before,omitempty"`
	KilledAfter  *int     `json:"killed_after,omitempty"`
	Adds         []Mutant `json:"adds,omitempty"`
	// Alone is the reason why the other test files do not count, or "" if they do.
	Alone string `json:"alone,omitempty"`
}

// TrialTest is a test of a proposed file.
type TrialTest struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`        // "passes", "fails", "flaky", "does not run"
	Said    string `json:"said,omitempty"` // its message if it fails
}

// Passes reports whether a file compiles, has a test, and all its tests always pass.
func (t Trial) Passes() bool {
	for _, x := range t.Tests {
		if x.Verdict != "passes" {
			return false
		}
	}
	return len(t.Problems) == 0 && len(t.Tests) > 0
}

// Action implements Event.
func (Trial) Action() string { return "" }
