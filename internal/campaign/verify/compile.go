package verify

import (
	"go/token"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// maxRejections bounds how often tests are emitted anew because some do not compile. When these are left out,
// others may be emitted in another form, which may not compile either.
const maxRejections = 20

// emitCompiling writes the cases as tests that the type checker accepts, and returns the remaining
// cases. A test that does not compile is a bug of ours. It is counted and left out before anything is
// built.
func (v *verifier) emitCompiling(cases []*testcase.Case) (*Suite, []*testcase.Case, error) {
	for range maxRejections {
		s, err := v.emit(cases)
		if err != nil {
			return nil, nil, err
		}
		t := &trial{v, s, make(map[*testcase.Case]bool)}
		if !t.takeRejected() {
			return s, cases, nil
		}
		cases = withoutBad(cases, t.bad)
	}
	s, err := v.emit(cases) // go test reports the remaining errors
	return s, cases, err
}

// takeRejected takes out the tests that the type checker refuses, and reports whether there were
// any.
func (t *trial) takeRejected() bool {
	files := make([]load.TestSource, len(t.s.Files))
	for i, f := range t.s.Files {
		files[i] = load.TestSource{Name: f.Path, Content: f.Content}
	}
	some := false
	for _, d := range t.Prog.CheckTests(t.Pkg, files) {
		if test, ok := testAt(t.s, gotest.BuildError{Pos: d.Pos, Msg: d.Message}); ok {
			t.reject(test, gotest.BuildError{Pos: d.Pos, Msg: d.Message})
			some = true
		}
	}
	return some
}

// reject takes out the part of a test that does not compile, and counts it.
func (t *trial) reject(test emit.Test, b gotest.BuildError) {
	t.Debug("rejected", "%s: %s: %s: %s", t.Pkg.Path, test.Name, b, t.s.line(b.Pos))
	if test.Bug != nil {
		if test.Bug.NoTest == "" {
			test.Bug.NoTest = "the test that was written does not compile"
			event.AddTo(&t.Summary.Rejected, event.Count(1))
		}
		return
	}
	cases := casesAt(t.s, test, b)
	if t.divide(test, cases) {
		return
	}
	before := len(t.bad)
	t.remove(test, cases)
	event.AddTo(&t.Summary.Rejected, event.Count(len(t.bad)-before))
}

// line returns a line of a file to be written, without white space around it.
func (s *Suite) line(at token.Position) string {
	for _, f := range s.Files {
		if f.Path != at.Filename {
			continue
		}
		if lines := strings.Split(string(f.Content), "\n"); 0 < at.Line && at.Line <= len(lines) {
			return strings.TrimSpace(lines[at.Line-1])
		}
	}
	return ""
}

// withoutBad returns the cases that are not in bad.
func withoutBad(cases []*testcase.Case, bad map[*testcase.Case]bool) []*testcase.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return bad[c] })
}
