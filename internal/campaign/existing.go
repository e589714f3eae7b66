package campaign

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/native"
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
	passed int
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
	for _, name := range g.pkg.TestFiles {
		src, err := g.prog.Source(name)
		if err != nil {
			continue // it is gone since it was listed
		}
		if generated, _ := emit.Verify(src); !generated {
			e.files = append(e.files, native.TestFile{Path: name, Content: src})
		}
	}
	if len(e.files) == 0 {
		return nil
	}
	var ctx context.Context
	ctx, e.cancel = context.WithCancel(g.ctx)
	go func() {
		defer close(e.done)
		defer func() {
			if p := recover(); p != nil {
				e.err = g.bug("the hand-written tests", p)
			}
		}()
		e.err = e.run(ctx, g.run)
	}()
	return e
}

func (e *existingTests) run(ctx context.Context, r *run) error {
	h, err := native.Build(ctx, r.prog, r.pkg, native.Config{
		Tags: r.cfg.Tags, Suite: e.files, Confine: r.cfg.Confine, CaseTimeout: existingTimeout,
	})
	if err != nil {
		return err
	}
	defer h.Close() // what is left of it is temporary
	outcomes, err := runTests(ctx, h)
	for _, o := range outcomes {
		if o != nil && o.Status == testcase.Returned {
			e.passed++
			e.cover.Union(o.Cover)
		}
	}
	e.blocks = h.Blocks()
	return err
}

func (e *existingTests) stop() {
	e.cancel()
	<-e.done
}

// counts waits for the hand-written tests until ctx ends, and returns what they cover as
// the harness numbers it, nil if they do not count.
func (g *gen) counts(ctx context.Context) testcase.Cover {
	e := g.existing
	if e == nil || g.harness == nil {
		return nil
	}
	select {
	case <-e.done:
	case <-ctx.Done():
		g.partial.Store(true)
		return nil
	}
	if e.err != nil {
		if g.unlessCut(e.err) != nil {
			g.debug("stages", "%s: the hand-written tests do not count: %v", g.pkg.Path, oneLine(e.err.Error()))
		}
		return nil
	}
	name := func(b native.Block) string { return fmt.Sprint(b.Pos, b.End, b.Text, b.Value, b.Branch) }
	covered := make(map[string]bool)
	for i, b := range e.blocks {
		covered[name(b)] = e.cover.Has(i)
	}
	var out testcase.Cover
	for i, b := range g.harness.Blocks() {
		if covered[name(b)] {
			out.Set(i)
		}
	}
	return out
}

// together sets the coverage of hand-written and written tests: before is what the
// former cover.
func (g *gen) together(before testcase.Cover) {
	all := append(testcase.Cover(nil), before...)
	for _, c := range g.tests {
		if c.Observed != nil {
			all.Union(c.Observed.Cover)
		}
	}
	had := 0
	g.summary.StmtsCovered, g.summary.StmtsTotal = 0, 0
	for i, b := range g.harness.Blocks() {
		g.summary.StmtsTotal += b.Stmts
		if all.Has(i) {
			g.summary.StmtsCovered += b.Stmts
		}
		if before.Has(i) {
			had += b.Stmts
		}
	}
	g.summary.SetCoverage()
	if g.summary.StmtsTotal > 0 {
		percent := 100 * float64(had) / float64(g.summary.StmtsTotal)
		g.summary.Before = &percent
	}
}

// counted returns the hand-written test files, if their tests count.
func (g *gen) counted() []native.TestFile {
	if g.before == nil {
		return nil
	}
	return slices.Clone(g.existing.files)
}

// hadAll reports whether hand-written tests cover all of a function.
func (g *gen) hadAll(name string) bool {
	if g.before == nil {
		return false
	}
	for i, b := range g.blocks() {
		if b.Func == name && !g.before.Has(i) {
			return false
		}
	}
	return true
}
