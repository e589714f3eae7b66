package campaign

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// write replaces the package's earlier files by the suite, and announces its tests
// and findings.
func (g *gen) write() error {
	g.debugCover()
	if g.suite == nil || !g.suite.verified {
		g.report(nil)
		return nil
	}
	if !g.cfg.DryRun {
		emitted := make([]files.New, len(g.suite.files))
		for i, f := range g.suite.files {
			emitted[i] = files.New{Name: f.Path, Content: f.Content}
		}
		if _, _, err := files.Replace(g.pkg.Dir, g.old, emitted, g.stays); err != nil {
			return err
		}
	}
	g.report(g.suite)
	return nil
}

// report announces tests, findings and functions without either.
func (g *gen) report(s *suite) {
	tested := make(map[string]bool)
	bugs := make(map[*testcase.Finding]emit.Test)
	where := make(map[*testcase.Finding]string)
	tests := 0
	var emitted []emit.File
	if s != nil {
		emitted = s.files
	}
	for _, f := range emitted {
		for _, t := range f.Tests {
			tested[t.Func] = true
			if t.Bug != nil {
				bugs[t.Bug], where[t.Bug] = t, f.Path
				continue
			}
			tests++
			e := event.Test{Package: g.pkg.Path, Func: t.Func, Name: t.Name, File: f.Path}
			if len(t.Cases) > 0 {
				e.Engine = t.Cases[0].Engine
			}
			g.events.Send(e)
		}
	}
	for _, f := range emitted {
		for _, t := range f.Tests {
			g.question(t, f.Path)
		}
	}
	findings := 0
	for _, f := range g.findings {
		if f.Severity == testcase.Error || f.Severity == testcase.Warning {
			findings++
		}
		e := event.FindingOf(g.pkg.Path, f)
		e.Test, e.File = bugs[f].Name, where[f]
		g.events.Send(e)
		tested[f.Func] = true
		if f.Severity == testcase.Error {
			g.result.ErrorFindings++
		}
	}
	standing, known := g.announceStanding()
	g.announceMisuse()
	g.summary.Tests, g.summary.Findings = event.Count(tests+standing), event.Count(findings+known)
	// The rest has been skipped with its reason, or lost its cases on the way.
	reasons := make(map[string]string)
	if s != nil {
		for _, u := range s.unwritten {
			if u.Case != nil && reasons[u.Case.Target] == "" {
				reasons[u.Case.Target] = u.Reason
			}
		}
	}
	for _, x := range g.explored {
		name := x.target.Name
		if tested[name] || g.skipped[x.target.String()] {
			continue
		}
		reason := reasons[name]
		if file := strings.TrimSuffix(x.target.Pos.Filename, ".go") + files.TestSuffix; g.kept[file] {
			reason = base(file) + " is left as it is"
		}
		if reason == "" && g.hadAll(name) {
			reason = "hand-written tests cover it (-ignore-existing writes others)"
		}
		if reason == "" && slices.ContainsFunc(g.misuse, func(m event.Misuse) bool { return m.Func == name }) {
			reason = "it fails on misuse, and nothing else that it does is left to be shown (-misuse lists it)"
		}
		if reason == "" {
			reason = "other tests cover all that its own would, or its own did not hold"
		}
		g.skip(x.target.String(), reason)
	}
}

// question says which test states something strange as right, once for a test.
func (g *gen) question(t emit.Test, file string) {
	for i, c := range t.Cases {
		q := finding.Question(c)
		if q == "" {
			continue
		}
		row := ""
		if i < len(t.Rows) && t.Rows[i] != "" {
			row = fmt.Sprintf(", row %q", t.Rows[i])
		}
		e := event.Finding{
			Package: g.pkg.Path, Func: t.Func, Kind: "questionable", Severity: testcase.Note, Test: t.Name, File: file,
			Message: "returns " + q, Evidence: "the test states it as right" + row, Rank: usage.Usual,
		}
		if target := g.pkg.Target(t.Func); target != nil {
			e.Pos = target.Pos.String()
		}
		g.events.Send(e)
		return
	}
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// debugCover shows which statements and outcomes of conditions no case of the suite
// reaches.
func (g *gen) debugCover() {
	if g.harness == nil {
		return
	}
	var cover testcase.Cover
	for _, c := range g.tests {
		if c.Observed != nil {
			cover.Union(c.Observed.Cover)
		}
	}
	for _, f := range g.findings {
		cover.Union(f.Case.Observed.Cover)
	}
	blocks := g.harness.Blocks()
	for i, b := range blocks {
		if cover.Has(i) || b.Func == "" {
			continue
		}
		what := "statements"
		if b.Text != "" {
			what = fmt.Sprintf("%s is %v", b.Text, b.Value)
		}
		g.debug("cover", "%s: %s: not reached: %s", b.Pos, b.Func, what)
	}
	g.debug("cover", "%s: %d of %d blocks and outcomes reached", g.pkg.Path, cover.Count(), len(blocks))
}
