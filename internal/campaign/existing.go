package campaign

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// existingTests runs the package's hand-written tests, confined like everything else,
// while the engines work: what they cover is not written again. Where they do not build
// in a harness (they come with a TestMain, say) they count for nothing.
type existingTests struct {
	files  []native.TestFile
	cancel context.CancelFunc
	done   chan struct{}

	// Only once done is closed.
	blocks []native.Block
	cover  testcase.Cover // of those that pass, by blocks
	err    error
}

// existingTimeout is the processor time of a hand-written test that counts.
const existingTimeout = 5 * time.Second

// startExisting starts the hand-written tests, nil if there are none or they are not to
// count.
func (g *gen) startExisting() *existingTests {
	if g.cfg.IgnoreExisting {
		return nil
	}
	e := &existingTests{done: make(chan struct{})}
	for _, name := range g.Pkg.TestFiles {
		src, err := g.Prog.Source(name)
		if err != nil {
			continue // it is gone since it was listed
		}
		if generated, _ := testfile.Verify(src); !generated {
			e.files = append(e.files, native.TestFile{Path: name, Content: src})
		}
	}
	if len(e.files) == 0 {
		return nil
	}
	var ctx context.Context
	ctx, e.cancel = context.WithCancel(g.Ctx)
	go func() {
		defer close(e.done)
		defer func() {
			if p := recover(); p != nil {
				e.err = g.ReportBug("the hand-written tests", p)
			}
		}()
		e.err = e.run(ctx, g.Session)
	}()
	return e
}

func (e *existingTests) run(ctx context.Context, s *session.Session) error {
	outcomes, blocks, err := s.RunSuite(ctx, session.SuiteConfig{Files: e.files, Tags: s.Config.Tags, Timeout: existingTimeout})
	for _, o := range outcomes {
		if o != nil && o.Status == testcase.Returned {
			e.cover.Union(o.Cover)
		}
	}
	e.blocks = blocks
	return err
}

func (e *existingTests) stop() {
	e.cancel()
	<-e.done
}

// countExisting waits for the hand-written tests until ctx ends, and returns what they cover as
// the harness numbers it, and their files. Both are nil if the tests do not count.
func (g *gen) countExisting(ctx context.Context, bench *workbench) (testcase.Cover, []native.TestFile) {
	e := bench.existing
	if e == nil {
		return nil, nil
	}
	select {
	case <-e.done:
	case <-ctx.Done():
		g.MarkPartial()
		return nil, nil
	}
	if e.err != nil {
		if g.UnlessCut(e.err) != nil {
			g.Debug("stages", "%s: the hand-written tests do not count: %v", g.Pkg.Path, session.OneLine(e.err.Error()))
		}
		return nil, nil
	}
	name := func(b native.Block) string { return fmt.Sprint(b.Pos, b.End, b.Text, b.Value, b.Branch) }
	covered := make(map[string]bool)
	for i, b := range e.blocks {
		covered[name(b)] = e.cover.Has(i)
	}
	var existing testcase.Cover
	for i, b := range bench.Blocks() {
		if covered[name(b)] {
			existing.Set(i)
		}
	}
	if existing == nil {
		return nil, nil
	}
	return existing, slices.Clone(e.files)
}

// addExistingCoverage sets the coverage of the summary to that of hand-written and written tests
// together, and says which part of it the former have alone.
func (g *gen) addExistingCoverage(bench *workbench, s selection) {
	all := testcase.CoverOf(s.Tests)
	all.Union(s.Existing)
	had := 0
	g.Summary.StmtsCovered, g.Summary.StmtsTotal = 0, 0
	for i, b := range bench.Blocks() {
		g.Summary.StmtsTotal += b.Stmts
		if all.Has(i) {
			g.Summary.StmtsCovered += b.Stmts
		}
		if s.Existing.Has(i) {
			had += b.Stmts
		}
	}
	g.Summary.SetCoverage()
	if g.Summary.StmtsTotal > 0 {
		percent := 100 * float64(had) / float64(g.Summary.StmtsTotal)
		g.Summary.Before = &percent
	}
}

// existingCoverAll reports whether hand-written tests cover all of a function.
func (s selection) existingCoverAll(bench *workbench, name string) bool {
	if s.Existing == nil {
		return false
	}
	for i, b := range bench.Blocks() {
		if b.Func == name && !s.Existing.Has(i) {
			return false
		}
	}
	return true
}
