package emit

import (
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/testcase"
)

// docComment returns a sentence that says what a straight-line test tests, or "" if its name says everything.
// The script s wrote the test; it is nil if the test asserts a panic.
func (w *writer) docComment(c *testcase.Case, s *script) string {
	if c.Story != nil {
		return c.Story.About
	}
	f := phrase.TargetFunc(c)
	if f == nil {
		return ""
	}
	if o := c.Observed; s == nil && o != nil && o.Panic != nil && !o.Panic.Runtime && strings.Contains(o.Panic.Message, " ") {
		return "" // the code says itself why it panics, and the test has its words
	}
	result := w.phrases.Result(c).Text
	if c.Observed != nil && c.Observed.Status == testcase.Panicked {
		result = "panics"
	}
	switch {
	case s == nil:
	case s.asserted == 0:
		result = "does not panic"
	case result == "" && len(s.changed) == 1:
		result = "sets " + s.changed[0]
	case result == "" && len(s.changed) > 1:
		last := len(s.changed) - 1
		result = "sets " + strings.Join(s.changed[:last], ", ") + " and " + s.changed[last]
	case result == "" && s.shownBy(c.TargetStmt()):
		return "" // the test's assertions on a new object say it best themselves
	}
	var when []string
	if n := w.called[c]; n.Clause != "" && (w.phrases.Cases > 1 || c.Observed.Status == testcase.Panicked) {
		when = append(when, n.Clause)
	}
	if result == "" && len(when) > 0 {
		result = phrase.Object(c)
	}
	if asserts := s != nil && s.asserted > 0; asserts && len(when) == 0 && !phrase.OnNil(c) {
		return "" // only arguments and preparations set this case apart from others, and a reader sees both in the test
	}
	if result == "panics" && len(when) == 0 && !phrase.OnNil(c) {
		return "" // the name of the test says so, and the test says with what
	}
	out := f.Name()
	if result != "" {
		out += " " + result
	}
	switch {
	case phrase.OnNil(c):
		out += " on a nil " + gofile.ShortName(c.Seq.At(c.Seq.At(c.TargetStmt()).Args[0].Stmt).Op.Type)
	case result == "":
		return "" // a condition without a result is no sentence
	case len(when) > 0:
		out += " when " + strings.Join(when, " and ")
	}
	return out + "."
}
