package event

import "github.com/goassay/assay/internal/testcase"

// Versions says what is compared: the names of the two versions, as the user gave them.
type Versions struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// Difference says that two versions of a function do not do the same.
type Difference struct {
	Package  string            `json:"package"`
	Func     string            `json:"func"`
	Kind     string            `json:"kind"`
	Severity testcase.Severity `json:"severity"`
	// Input are the smallest calls found that show it; Before and After are their outcomes in the old
	// and in the new version.
	Input  string `json:"input"`
	Before string `json:"before"`
	After  string `json:"after"`
	// Cause is the changed place that it leads back to, Pos where that is in the new version. If it was not seen that the
	// difference is gone without it, OtherCauses are the places that may be the cause as well.
	Cause       string   `json:"cause,omitempty"`
	Pos         string   `json:"pos,omitempty"`
	OtherCauses []string `json:"other_causes,omitempty"`
	// Doors are the other functions that show it, Cases how many inputs were found to.
	Doors []string `json:"doors,omitempty"`
	Cases int      `json:"cases"`
	// NoticedBy are the hand-written tests that notice it, empty if none does.
	NoticedBy []string `json:"noticed_by"`
	// Worse says that the new version is worse for every user. Misuse says what the input does that
	// users may not do.
	Worse  bool   `json:"worse,omitempty"`
	Misuse string `json:"misuse,omitempty"`
	// Test and File are of the test that was written of it, if one was.
	Test string `json:"test,omitempty"`
	File string `json:"file,omitempty"`
}

// The verdicts on functions without a difference, besides Proved.
const (
	// Bounded says that none of the inputs tried showed a difference.
	Bounded Verdict = "bounded"
)

// Same says that no difference was found in a changed function.
type Same struct {
	Package string  `json:"package"`
	Func    string  `json:"func"`
	Verdict Verdict `json:"verdict"` // Proved or Bounded
	// Cases is how many inputs were run in both versions, Paths how many pairs of paths were
	// compared for all of their inputs: 0 if the code of the function proves it.
	Cases int `json:"cases"`
	Paths int `json:"paths"`
	// Left is why it is not proved, Within the bounds of inputs that a proof has.
	Left   string `json:"left,omitempty"`
	Within string `json:"within,omitempty"`
}

// Added is about a function that only the new version has, which was explored by itself.
type Added struct {
	Package string `json:"package"`
	Func    string `json:"func"`
	Cases   int    `json:"cases"` // inputs that were run
	// Shown are a few of them: defects first, then the simplest for each part of the function, and last
	// what users may not do.
	Shown []AddedCase `json:"shown"`
}

// AddedCase is an input of a new function, with what it comes to.
type AddedCase struct {
	Input   string `json:"input"`
	Outcome string `json:"outcome"`
	// Severity and Evidence are given if it is a defect or a misuse.
	Severity testcase.Severity `json:"severity,omitempty"`
	Evidence string            `json:"evidence,omitempty"`
}

// Unpaired says that a function is in one version only, or that its versions cannot be
// compared. With no Func it says so of the package.
type Unpaired struct {
	Package string `json:"package"`
	Func    string `json:"func,omitempty"`
	Reason  string `json:"reason"`
}

// Action implements Event.
func (Versions) Action() string { return "versions" }

// Action implements Event.
func (Difference) Action() string { return "difference" }

// Action implements Event.
func (Same) Action() string { return "same" }

// Action implements Event.
func (Added) Action() string { return "added" }

// Action implements Event.
func (Unpaired) Action() string { return "unpaired" }
