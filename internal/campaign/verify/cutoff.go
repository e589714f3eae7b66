package verify

import (
	"strings"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// This file says for which findings mended code has to return an error, so that their tests want one: a decoder or a parser reads beyond
// the end of what it is passed, and returns an error for other things that it is passed.

// fewestRefused is how many other inputs a function has to answer by an error before one more is expected.
const fewestRefused = 2

// MarkWanted sets WantsError of findings. The cases are those that ended as they should. What is accepted may be cut off and be accepted
// again, as a date without a time is, so a text of which a beginning was accepted is left alone. So is nothing at all: json-patch came to
// return an empty document as it is.
func MarkWanted(pkg *load.Package, findings []*testcase.Finding, cases []*testcase.Case) {
	for _, f := range findings {
		text, param, ok := cutOff(pkg, f)
		if !ok {
			continue
		}
		refused := make(map[string]bool)
		accepted := false
		for _, c := range cases {
			other, ok := passedText(pkg, c, param)
			last := c.Seq.Len() - 1
			if c.Target != f.Func || !ok || c.Observed == nil || c.Observed.Status != testcase.Returned || last >= len(c.Observed.Results) {
				continue
			}
			results := c.Observed.Results[last]
			if len(results) > 0 && results[len(results)-1].Kind != testcase.Nil {
				refused[other] = true
			} else if strings.HasPrefix(text, other) {
				accepted = true
			}
		}
		f.WantsError = len(refused) >= fewestRefused && !accepted
	}
}

// cutOff returns the text or the bytes that the last call of a finding reads beyond the end of, and the parameter that they are passed
// for. It returns false if the finding is of another kind, or its function has no error to return.
func cutOff(pkg *load.Package, f *testcase.Finding) (text string, param int, ok bool) {
	o := f.Case.Observed
	if f.Kind != "index-out-of-range" && f.Kind != "slice-out-of-range" || o == nil || o.Panic == nil || f.Case.TargetStmt() != f.Case.Seq.Len()-1 || !isPastEnd(o.Panic.Message) {
		return "", 0, false
	}
	fn := f.Case.Seq.Last().Op.Func
	if fn == nil || fn.Signature().Results().Len() == 0 || !gosyntax.IsError(fn.Signature().Results().At(fn.Signature().Results().Len()-1).Type()) {
		return "", 0, false
	}
	if param = purity.BeyondArgument(pkg, finding.FramesOf(pkg, o)); param < 0 {
		return "", 0, false
	}
	text, ok = passedText(pkg, f.Case, param)
	return text, param, ok && text != ""
}

// isPastEnd reports whether the message of a panic says that an index is beyond the length, and not below zero: "index out of range [3]
// with length 3", "slice bounds out of range [:4] with capacity 3".
func isPastEnd(message string) bool {
	return strings.Contains(message, "] with length ") || strings.Contains(message, "] with capacity ")
}

// passedText returns the constant text or bytes that the last call of a case is passed for a parameter.
func passedText(pkg *load.Package, c *testcase.Case, param int) (string, bool) {
	last := c.Seq.Last()
	switch last.Op.Kind {
	case testcase.OpFunc:
	case testcase.OpMethod:
		param++ // behind the receiver
	default:
		return "", false
	}
	if param >= len(last.Args) {
		return "", false
	}
	return plain.TextOf(pkg, c.Seq, last.Args[param].Stmt)
}
