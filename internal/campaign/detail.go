package campaign

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/mutate"
)

// This file announces in detail which tests there are and what they show, for reports, editors and
// agents.

// announceDetails announces the written files, the cases in them, and the statements that all tests
// together reach.
func (g *gen) announceDetails(bench *workbench, suite *verify.Suite) {
	for _, f := range suite.Files {
		g.Events.Send(event.Written{Package: g.Pkg.Path, File: f.Path, Content: f.Content})
		for _, t := range f.Tests {
			line := lineOf(f.Content, t.Name)
			for i, c := range t.Cases {
				k := event.Case{Path: event.PathOf(g.Pkg.Path, g.Pkg.Types, t.Func, c), Test: t.Name, File: f.Path, Line: line}
				if i < len(t.Rows) {
					k.Row = t.Rows[i]
				}
				g.Events.Send(k)
			}
		}
	}
	if bench != nil && suite.Verified {
		g.Events.Send(event.Coverage{Package: g.Pkg.Path, Blocks: coveredBlocks(bench, suite)})
	}
}

// coveredBlocks returns the blocks of the coverage profile of the last go test, if there is one. The coverage
// of hand-written tests comes from the harness.
func coveredBlocks(bench *workbench, suite *verify.Suite) []event.Block {
	out := slices.Clone(suite.Profile)
	counted := bench.Blocks()
	if len(out) == 0 {
		for i, b := range counted {
			if b.Stmts > 0 {
				out = append(out, event.Block{
					File: b.Pos.Filename, Line: b.Pos.Line, Column: b.Pos.Column, EndLine: b.End.Line, EndColumn: b.End.Column,
					Stmts: b.Stmts, Covered: suite.Existing.Has(i),
				})
			}
		}
		return out
	}
	for i, b := range counted {
		if b.Stmts == 0 || !suite.Existing.Has(i) {
			continue
		}
		for k := range out {
			o := &out[k]
			if o.File == b.Pos.Filename && !isBefore(o.Line, o.Column, b.Pos.Line, b.Pos.Column) && isBefore(o.Line, o.Column, b.End.Line, b.End.Column) {
				o.Covered = true
			}
		}
	}
	return out
}

// isBefore reports whether a place of a file comes before another one.
func isBefore(line, column, line2, column2 int) bool {
	return line < line2 || line == line2 && column < column2
}

// announceMutants announces the verdict on each mutant.
func (g *gen) announceMutants(a *mutate.Analysis, verdicts []mutate.Verdict) {
	for _, v := range verdicts {
		if v.Run {
			g.Events.Send(mutate.EventOf(g.Pkg.Path, a.Tests(), v))
		}
	}
}

// mostReasons is how many reasons of one test are shown.
const mostReasons = 6

// debugWhy prints for each written test, row and subtest why it is there: the mutants that only it
// kills, the outcome that only it shows, the blocks that only it covers.
func (g *gen) debugWhy(suite *verify.Suite) {
	if !g.cfg.Debug["why"] {
		return
	}
	for _, f := range suite.Files {
		for _, t := range f.Tests {
			for i, c := range t.Cases {
				g.Debug("why", "%s: %s", whichCase(f, t, i), reasons(suite.Why[c.Seq]))
			}
		}
	}
}

// whichCase names a case of a test.
func whichCase(f emit.File, t emit.Test, i int) string {
	name := fmt.Sprintf("%s: %s", filepath.Base(f.Path), t.Name)
	if i < len(t.Rows) && t.Rows[i] != "" {
		name += "/" + t.Rows[i]
	}
	return name
}

// reasons joins the reasons to one line.
func reasons(why []string) string {
	if n := len(why) - mostReasons; n > 0 {
		why = append(append([]string(nil), why[:mostReasons]...), fmt.Sprintf("and %d more", n))
	}
	return cmp.Or(strings.Join(why, "; "), "nothing alone: it was not weighed against the others")
}
