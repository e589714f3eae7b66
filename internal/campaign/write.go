package campaign

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/choose"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// write replaces the package's earlier files by the suite, and announces its tests
// and findings.
func (g *gen) write(e ending) error {
	bench, suite := e.bench, e.suite
	if bench != nil {
		g.debugCover(bench, suite)
		g.debugWhy(suite)
	}
	if suite.Verified && !g.cfg.DryRun {
		written := make([]files.New, len(suite.Files))
		for i, f := range suite.Files {
			written[i] = files.New{Name: f.Path, Content: f.Content}
		}
		if _, _, err := files.Replace(g.Pkg.Dir, e.scope.earlier.Own, written, e.scope.earlier.Outlives); err != nil {
			return err
		}
	}
	tested, failing := make(map[string]bool), make(map[string]bool)
	tests := g.announceTests(suite, tested)
	lost := g.questions(suite)
	g.announceDetails(bench, suite)
	findings := g.announceFindings(suite, failing) + lost
	standing, known, misuse := g.announceStanding()
	for _, m := range misuse {
		if !slices.Contains(e.misuse, m) {
			e.misuse = append(e.misuse, m)
		}
	}
	g.announceMisuse(e.misuse)
	g.Summary.Tests, g.Summary.Findings = event.Count(tests+standing), event.Count(findings+known)
	g.explainUntested(e, tested, failing)
	return nil
}

// announceTests announces the tests and returns how many there are; the functions that have one
// are added to tested.
func (g *gen) announceTests(suite *verify.Suite, tested map[string]bool) int {
	tests := 0
	for _, f := range suite.Files {
		for _, t := range f.Tests {
			if t.Bug != nil {
				continue
			}
			tested[t.Func] = true
			tests++
			e := event.Test{Package: g.Pkg.Path, Func: t.Func, Name: t.Name, File: f.Path, Line: lineOf(f.Content, t.Name)}
			if len(t.Cases) > 0 {
				e.Engine = t.Cases[0].Engine
			}
			g.Events.Send(e)
		}
	}
	return tests
}

// lineOf returns the line at which a test function is declared, or 0 if it is not.
func lineOf(src []byte, test string) int {
	i := bytes.Index(src, []byte("\nfunc "+test+"("))
	if i < 0 {
		return 0
	}
	return bytes.Count(src[:i+1], []byte("\n")) + 1
}

// announceFindings announces the findings and returns how many there are that are no notes; the
// functions that have one are added to failing.
func (g *gen) announceFindings(suite *verify.Suite, failing map[string]bool) int {
	bugs := make(map[*testcase.Finding]emit.Test)
	where := make(map[*testcase.Finding]emit.File)
	for _, f := range suite.Files {
		for _, t := range f.Tests {
			if t.Bug != nil {
				bugs[t.Bug], where[t.Bug] = t, f
			}
		}
	}
	findings := 0
	for _, f := range suite.Findings {
		if f.Severity == testcase.Error || f.Severity == testcase.Warning {
			findings++
		}
		e := event.FindingOf(g.Pkg.Path, f, g.Prog.Source)
		if t, ok := bugs[f]; ok {
			e.Test, e.File, e.Line = t.Name, where[f].Path, lineOf(where[f].Content, t.Name)
		}
		g.Events.Send(e)
		failing[f.Func] = true
		if f.Severity == testcase.Error {
			g.Result.ErrorFindings++
		}
	}
	return findings
}

// questions announces what the tests assert although it is strange, and returns how many of these findings are no notes.
func (g *gen) questions(suite *verify.Suite) int {
	sentinels := finding.NewSentinels(g.Pkg)
	for _, f := range suite.Files {
		for _, t := range f.Tests {
			for _, c := range t.Cases {
				sentinels.Note(c)
			}
		}
	}
	warnings := 0
	lost := make(map[string]bool) // one lost error is announced for a function
	for _, f := range suite.Files {
		for _, t := range f.Tests {
			g.question(t, f.Path)
			if !lost[t.Func] && g.lostError(sentinels, t, f.Path) {
				lost[t.Func] = true
				warnings++
			}
		}
	}
	return warnings
}

// question says which tests of a test function assert something strange as right, once for each test
// function.
func (g *gen) question(t emit.Test, file string) {
	for i, c := range t.Cases {
		if q := finding.Question(c); q != "" {
			e := g.questionable(t, file)
			e.Message, e.Evidence = "returns "+q, "the test states it as right"+rowOf(t, i)
			g.Events.Send(e)
			return
		}
	}
}

// lostError announces a test that asserts an error which has lost the exported one that it speaks of, and reports whether there
// is one. Functions that users cannot call may leave that to their callers.
func (g *gen) lostError(sentinels *finding.Sentinels, t emit.Test, file string) bool {
	target := g.Pkg.Target(t.Func)
	if target == nil || !target.Exported || t.Bug != nil {
		return false
	}
	for i, c := range t.Cases {
		if message, evidence := sentinels.Lost(c); message != "" && c.Target == t.Func {
			e := g.questionable(t, file)
			e.Severity, e.Rank = testcase.Warning, usage.Shown
			e.Message, e.Evidence = "returns "+message, evidence+"; the test states the error as it is"+rowOf(t, i)
			g.Events.Send(e)
			return true
		}
	}
	return false
}

// questionable returns a note that a test asserts something strange, without what that is.
func (g *gen) questionable(t emit.Test, file string) event.Finding {
	e := event.Finding{
		Package: g.Pkg.Path, Func: t.Func, Kind: "questionable", Severity: testcase.Note, Test: t.Name, File: file, Rank: usage.Usual,
	}
	if target := g.Pkg.Target(t.Func); target != nil {
		e.Pos = target.Pos.String()
	}
	return e
}

// rowOf names the row of a table that a case is in, for the end of a sentence.
func rowOf(t emit.Test, i int) string {
	if i < len(t.Rows) && t.Rows[i] != "" {
		return fmt.Sprintf(", row %q", t.Rows[i])
	}
	return ""
}

// announceMisuse announces which functions fail on misuse, and counts them.
func (g *gen) announceMisuse(misuse []event.Misuse) {
	functions, by := make(map[string]bool), make(map[string]int)
	for _, m := range misuse {
		g.Events.Send(m)
		functions[m.Func] = true
		by[m.What]++
	}
	if len(functions) > 0 {
		g.Summary.Misuse, g.Summary.Misused = event.Count(len(functions)), by
	}
}

// explainUntested says why functions have no test, if that was not said yet. Their cases were lost in one of the stages. A function
// that has only findings has no case to lose if all its calls fail.
func (g *gen) explainUntested(e ending, tested, failing map[string]bool) {
	reasons := make(map[string]string)
	for _, u := range e.suite.Unwritten {
		if u.Case != nil && reasons[u.Case.Target] == "" {
			reasons[u.Case.Target] = u.Reason
		}
	}
	for _, x := range e.found.Explored {
		name := x.Target.Name
		if tested[name] || g.Skipped(x.Target.String()) || failing[name] && !slices.ContainsFunc(x.Cases, worked) {
			continue
		}
		reason := reasons[name]
		if file := strings.TrimSuffix(x.Target.Pos.Filename, ".go") + files.TestSuffix; e.scope.earlier.Kept[file] {
			reason = filepath.Base(file) + " is left as it is"
		}
		if reason == "" && existingCoverAll(e.suite.Selection, e.bench.Blocks(), name) {
			reason = "the hand-written tests cover it (-ignore-existing writes tests all the same)"
		}
		if reason == "" && slices.ContainsFunc(e.misuse, func(m event.Misuse) bool { return m.Func == name }) {
			reason = "it fails on misuse (-misuse lists the failures), and no other call of it makes a test of its own"
		}
		if by := shownBy(e.suite.Tests, name); reason == "" && by != "" {
			reason = "tests of " + by + " call it first, and show what it does"
		}
		if by := askedBy(e.suite.Tests, name); reason == "" && by != "" {
			reason = "tests of " + by + " ask it behind their call, and show what it does"
		}
		if reason == "" && e.suite.Unseen[name] {
			reason = "nothing that its calls did can be compared: they changed no result, no observer's answer, and no field of numbers or texts"
		}
		if reason == "" {
			reason = disputedFor(e.suite.Findings, name)
		}
		if reason == "" && failing[name] {
			reason = "beside its finding no call of it makes a test of its own"
		}
		if reason == "" {
			reason = g.whyUncovered(e, name)
		}
		if reason == "" {
			reason = "other tests cover all that its own tests would, or its own tests did not always pass"
		}
		g.Skip(x.Target.String(), reason)
	}
}

// whyUncovered says why a function has no test of which no test executes all statements that its own calls did. It returns "" for other functions.
func (g *gen) whyUncovered(e ending, name string) string {
	called, covered, returns := testcase.Cover(nil), testcase.CoverOf(e.suite.Tests), false
	for _, x := range e.found.Explored {
		if x.Target.Name == name {
			returns = x.Target.Obj.Signature().Results().Len() > 0
			called.Union(testcase.CoverOf(slices.DeleteFunc(slices.Clone(x.Cases), func(c *testcase.Case) bool { return !worked(c) })))
		}
	}
	lost, shared := false, false // statements that no test executes, and that some test does
	for i, b := range e.bench.Blocks() {
		if b.Func == name && b.Stmts > 0 && called.Has(i) {
			has := covered.Has(i) || e.suite.Existing.Has(i)
			lost, shared = lost || !has, shared || has
		}
	}
	switch idle := e.suite.Idle[name]; {
	case !lost:
		return ""
	case idle && returns:
		return "its own tests would also pass if it did nothing and returned zero values"
	case idle:
		return "its own tests would also pass if it did nothing"
	case shared:
		return "other tests execute a part of it, and the rest showed too little for a test of its own, or its own tests did not always pass"
	}
	return "its calls showed too little that a test could compare, or its own tests did not always pass"
}

// worked reports whether all calls of a case ended as they should, as far as the case tells.
func worked(c *testcase.Case) bool {
	return c.Observed != nil && c.Observed.Status == testcase.Returned && c.Observed.Violated == ""
}

// shownBy returns the function of a test that calls another one before its own call, on the same object, "" if there is none.
func shownBy(tests []*testcase.Case, name string) string {
	for _, c := range tests {
		own := c.Seq.At(c.TargetStmt())
		if own.Op.Kind != testcase.OpMethod {
			continue
		}
		for i := range c.TargetStmt() {
			if st := c.Seq.At(i); st.Op.Kind == testcase.OpMethod && testcase.TargetName(st.Op.Func) == name && st.Args[0] == own.Args[0] {
				return c.Target
			}
		}
	}
	return ""
}

// askedBy returns the function of a test that asks another one behind its own call, "" if there is none.
func askedBy(tests []*testcase.Case, name string) string {
	for _, c := range tests {
		for i := c.TargetStmt() + 1; i < c.Seq.Len(); i++ {
			if st := c.Seq.At(i); st.Op.Kind == testcase.OpMethod && testcase.TargetName(st.Op.Func) == name {
				return c.Target
			}
		}
	}
	return ""
}

// disputedFor says which finding is about what tests of a method ask: a contract that its type, or the method itself, breaks. It returns "" if
// there is none.
func disputedFor(findings []*testcase.Finding, name string) string {
	owner, _, isMethod := strings.Cut(name, ".")
	for _, f := range findings {
		op := f.Case.Seq.Last().Op
		if op.Kind != testcase.OpCheck {
			continue
		}
		if of, _, method := strings.Cut(op.Check.Target, "."); op.Check.Target == name || isMethod && method && of == owner {
			return "what its tests would ask is in dispute, since " + f.Func + " " + f.Message
		}
	}
	return ""
}

// debugCover shows which statements and outcomes of conditions no case of the suite
// reaches.
func (g *gen) debugCover(bench *workbench, suite *verify.Suite) {
	cover := testcase.CoverOf(suite.Tests)
	for _, f := range suite.Findings {
		cover.Union(f.Case.Observed.Cover)
	}
	blocks := bench.Blocks()
	for i, b := range blocks {
		if cover.Has(i) || b.Func == "" {
			continue
		}
		what := "statements"
		if b.Text != "" {
			what = fmt.Sprintf("%s is %v", b.Text, b.Value)
		}
		g.Debug("cover", "%s: %s: not reached: %s", b.Pos, b.Func, what)
	}
	g.Debug("cover", "%s: %d of %d blocks and outcomes reached", g.Pkg.Path, cover.Count(), len(blocks))
}

// existingCoverAll reports whether hand-written tests cover all blocks of a function.
func existingCoverAll(s choose.Selection, blocks []testcase.Block, name string) bool {
	if s.Existing == nil {
		return false
	}
	for i, b := range blocks {
		if b.Func == name && !s.Existing.Has(i) {
			return false
		}
	}
	return true
}
