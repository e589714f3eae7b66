package diff

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/difference"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// testTimeout is the processor time after which a hand-written test does not count.
const testTimeout = 5 * time.Second

// noticing runs the new version's hand-written tests in both versions while the engines work. Tests
// that end differently notice a difference. If they do not compile with the old version, the old
// version's tests are run in both instead.
type noticing struct {
	c      *comparison
	cancel context.CancelFunc
	done   chan struct{}

	// These fields may be read only once done is closed.
	tests []noticed
	why   string // why the tests do not count, or "" if they do
}

// noticed is a test that ends differently in the two versions, and the changed places that it
// goes through.
type noticed struct {
	name   string
	places []int
	fails  int // the side on which it fails
}

// mayNotice reports whether a test can notice a kind of difference. A test that passes in the version that
// panics has not met the panic.
func (t noticed) mayNotice(k difference.Kind) bool {
	switch k {
	case difference.Panics, difference.Hangs, difference.Breaks:
		return t.fails == newSide
	case difference.Mended, difference.Ends, difference.Keeps:
		return t.fails == oldSide
	}
	return !k.OfCost()
}

// startNotice starts the tests.
func (c *comparison) startNotice() *noticing {
	n := &noticing{c: c, done: make(chan struct{})}
	var ctx context.Context
	ctx, n.cancel = context.WithCancel(c.Ctx)
	go func() {
		defer close(n.done)
		defer func() {
			if p := recover(); p != nil {
				n.why = c.ReportBug("the hand-written tests", p).Error()
			}
		}()
		n.run(ctx)
	}()
	return n
}

// stop ends the tests that are still running.
func (n *noticing) stop() {
	n.cancel()
	<-n.done
}

// wait waits for the tests until ctx ends.
func (n *noticing) wait(ctx context.Context) {
	select {
	case <-n.done:
	case <-ctx.Done():
		n.cancel()
		<-n.done
		n.why = "there was no time to run them"
	}
}

// run runs the tests of the new version, or else of the old one.
func (n *noticing) run(ctx context.Context) {
	if n.c.sides[oldSide].Pkg.Name != n.c.Pkg.Name {
		n.why = "the package has another name"
		return
	}
	for _, from := range []int{newSide, oldSide} {
		files := n.files(from)
		if len(files[from]) == 0 {
			n.why = "there are none"
			continue
		}
		var outs [2][]*testcase.Outcome
		var blocks [2][]native.Block
		var err error
		for _, i := range []int{from, 1 - from} {
			s := n.c.sides[i].Session
			outs[i], blocks[i], err = s.RunSuite(ctx, session.SuiteConfig{Files: files[i], Tags: s.Config.Tags, Timeout: testTimeout})
			if err != nil {
				break
			}
		}
		if err == nil {
			n.why = ""
			n.compare(outs, blocks, testNames(files[from]))
			return
		}
		n.why = session.OneLine(err.Error())
		n.c.Debug("stages", "%s: the hand-written tests of %s do not count: %s", n.c.Pkg.Path, n.c.two[from], n.why)
		if ctx.Err() != nil {
			return
		}
	}
}

// files returns the hand-written test files of a version, once for its own directory and once for the
// other version's.
func (n *noticing) files(from int) [2][]native.TestFile {
	var out [2][]native.TestFile
	s := n.c.sides[from]
	for _, name := range s.Pkg.TestFiles {
		src, err := s.Prog.Source(name)
		if err != nil {
			continue // the file was removed since it was listed
		}
		if generated, _ := testfile.Verify(src); generated {
			continue
		}
		for i := range out {
			out[i] = append(out[i], native.TestFile{Path: filepath.Join(n.c.sides[i].Pkg.Dir, filepath.Base(name)), Content: src})
		}
	}
	return out
}

// testNames lists the test functions of files in the order in which a suite has them.
func testNames(files []native.TestFile) []string {
	var out []string
	for _, f := range files {
		out = append(out, native.TestFunctions(f)...)
	}
	return out
}

// compare notes the tests that end differently.
func (n *noticing) compare(outs [2][]*testcase.Outcome, blocks [2][]native.Block, names []string) {
	var at [2][][]int
	for i := range at {
		at[i] = hunksAt(n.c, i, blocks[i])
	}
	for t := range min(len(outs[oldSide]), len(outs[newSide]), len(names)) {
		a, b := outs[oldSide][t], outs[newSide][t]
		if a == nil || b == nil || a.Status == testcase.NotRun || b.Status == testcase.NotRun || (a.Status == testcase.Returned) == (b.Status == testcase.Returned) {
			continue
		}
		var through []int
		for i, o := range []*testcase.Outcome{a, b} {
			for block, hunks := range at[i] {
				if o.Cover.Has(block) {
					through = append(through, hunks...)
				}
			}
		}
		slices.Sort(through)
		fails := oldSide
		if b.Status != testcase.Returned {
			fails = newSide
		}
		n.tests = append(n.tests, noticed{names[t], slices.Compact(through), fails})
	}
}

// nameTests gives each group the tests that notice it.
func (c *comparison) nameTests(groups []*group) {
	for _, g := range groups {
		for _, t := range c.notice.tests {
			if t.mayNotice(g.kind) && (g.place < 0 || slices.Contains(t.places, g.place)) {
				g.noticed = append(g.noticed, t.name)
			}
		}
	}
	if c.notice.why != "" && !strings.HasPrefix(c.notice.why, "there are none") && len(groups) > 0 {
		c.Warn("which hand-written tests notice the differences is not known: %s", fmt.Sprint(c.notice.why))
	}
}
