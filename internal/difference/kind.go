package difference

import "github.com/goassay/assay/internal/testcase"

// Kind says how the new version differs from the old one.
type Kind string

// The kinds, the worst first.
const (
	Panics       Kind = "panics"
	Hangs        Kind = "hangs"
	Breaks       Kind = "breaks a contract"
	Mended       Kind = "no longer panics"
	Ends         Kind = "no longer hangs"
	Keeps        Kind = "keeps a contract"
	ReturnsError Kind = "returns an error"
	LosesError   Kind = "loses an error"
	Result       Kind = "another result"
	State        Kind = "leaves another state"
	OtherPanic   Kind = "another panic"
	ErrorText    Kind = "another error text"
	Slower       Kind = "slower"
	Memory       Kind = "more memory"
	TestFails    Kind = "a test fails"
	TestPasses   Kind = "a test passes"
)

// row describes a kind for reviewers.
type row struct {
	kind     Kind
	severity testcase.Severity
	worse    bool // every user finds the new version worse
}

// kinds is the table of the kinds in their order.
var kinds = [...]row{
	{Panics, testcase.Error, true},
	{Hangs, testcase.Error, true},
	{Breaks, testcase.Error, true},
	{Mended, testcase.Warning, false},
	{Ends, testcase.Warning, false},
	{Keeps, testcase.Warning, false},
	{ReturnsError, testcase.Warning, true},
	{LosesError, testcase.Warning, true},
	{Result, testcase.Warning, false},
	{State, testcase.Warning, false},
	{Slower, testcase.Warning, true},
	{Memory, testcase.Warning, true},
	{TestFails, testcase.Warning, true},
	{TestPasses, testcase.Warning, false},
	{OtherPanic, testcase.Note, false},
	{ErrorText, testcase.Note, false},
}

// Rank orders kinds: 0 is the worst.
func (k Kind) Rank() int {
	for i, row := range kinds {
		if row.kind == k {
			return i
		}
	}
	return len(kinds)
}

// OfCost reports whether the versions have the same result, and one takes more time or memory. No test
// asserts such a difference.
func (k Kind) OfCost() bool { return k == Slower || k == Memory }

// Severity says how closely a reviewer has to look at a difference of the kind. An error is worse than before
// in any case. A note is a matter of words.
func (k Kind) Severity() testcase.Severity {
	if i := k.Rank(); i < len(kinds) {
		return kinds[i].severity
	}
	return testcase.Note
}

// Worse reports whether every user finds the new version worse: it fails where the old one did not, does not
// report an error that the old one returned, or takes far longer or far more memory.
func (k Kind) Worse() bool {
	i := k.Rank()
	return i < len(kinds) && kinds[i].worse
}
