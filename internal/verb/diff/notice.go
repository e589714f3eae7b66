package diff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/difference"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/pair"
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
	runs  []difference.Run // of all tests that ran in both versions
	why   string           // why the tests do not count, or "" if they do
	// partial says that there was no time for all tests.
	partial bool
}

// noticed is a test that ends differently in the two versions, and the changed places that it
// goes through.
type noticed struct {
	name   string
	number int // among the tests
	run    int // among the runs
	places []int
	place  int    // the one of places that explains it best, or -1
	fails  int    // the side on which it fails
	how    string // how it fails
	steady bool   // it ended in the same way each time
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
		if len(n.runs) == 0 {
			n.why = "there was no time to run them"
		}
	}
}

// run runs the tests of the new version, or else of the old one.
func (n *noticing) run(ctx context.Context) {
	if n.c.sides[oldSide].Pkg.Name != n.c.Pkg.Name {
		n.why = "the package has another name"
		return
	}
	for _, from := range []int{newSide, oldSide} {
		n.tests, n.runs = nil, nil
		files := n.files(from)
		if len(files[from]) == 0 {
			n.why = "there are none"
			continue
		}
		err := n.runOf(ctx, from, files)
		if err == nil {
			n.why = ""
			return
		}
		n.why = session.OneLine(err.Error())
		n.c.Debug("stages", "%s: the hand-written tests of %s do not count: %s", n.c.Pkg.Path, n.c.two[from], n.why)
		if ctx.Err() != nil {
			return
		}
	}
}

// mostLeftOut is how many times a file that does not compile is left out.
const mostLeftOut = 4

// openSuites builds the tests of one version with both, and returns the files that it could build. Files that do not
// compile with the other version are left out: they test what only one version has. The caller closes the suites.
func (n *noticing) openSuites(ctx context.Context, from int, files [2][]gotest.File) (suites [2]*session.Suite, _ [2][]gotest.File, _ error) {
	for left := 0; suites[oldSide] == nil || suites[newSide] == nil; {
		for _, i := range []int{from, 1 - from} {
			if suites[i] != nil {
				continue
			}
			s := n.c.sides[i].Session
			suite, err := s.OpenSuite(ctx, session.SuiteConfig{Files: files[i], Tags: s.Config.Tags, Timeout: testTimeout})
			if err == nil {
				suites[i] = suite
				continue
			}
			bad := slices.IndexFunc(files[i], func(f gotest.File) bool {
				return strings.Contains(err.Error(), filepath.Base(f.Path)+":")
			})
			if left++; i == from || bad < 0 || len(files[i]) == 1 || left > mostLeftOut || ctx.Err() != nil {
				return suites, files, err
			}
			n.c.Debug("stages", "%s: %s is left out: %s", n.c.Pkg.Path, filepath.Base(files[i][bad].Path), session.OneLine(err.Error()))
			for side := range files {
				files[side] = slices.Delete(slices.Clone(files[side]), bad, bad+1)
			}
			if suites[from] != nil {
				suites[from].Close()
				suites[from] = nil
			}
			break
		}
	}
	return suites, files, nil
}

// runOf runs the tests of one version in both.
func (n *noticing) runOf(ctx context.Context, from int, files [2][]gotest.File) error {
	suites, files, err := n.openSuites(ctx, from, files)
	defer func() {
		for _, s := range suites {
			if s != nil {
				s.Close()
			}
		}
	}()
	if err != nil {
		return err
	}
	blocks := [2][]testcase.Block{suites[oldSide].Blocks(), suites[newSide].Blocks()}
	names := testNames(files[from])
	// Tests that the change has added or changed come first. If there is no time for the others, they still count.
	fresh, others := n.freshTests(names)
	for _, which := range [][]int{fresh, others} {
		var outs [2][]*testcase.Outcome
		var err error
		for i, suite := range suites {
			if outs[i], err = suite.Run(ctx, which); err != nil {
				break
			}
		}
		before := len(n.tests)
		if err == nil {
			n.compare(outs, blocks, which, names)
			err = n.repeat(ctx, suites, n.tests[before:])
		}
		if err != nil && len(n.runs) > 0 {
			n.c.Debug("stages", "%s: not all hand-written tests were run: %s", n.c.Pkg.Path, session.OneLine(err.Error()))
			n.partial = true
			break
		}
		if err != nil {
			return err
		}
	}
	n.place()
	return nil
}

// freshTests divides tests into those whose text is in one version only, and the others, by their numbers.
func (n *noticing) freshTests(names []string) (fresh, others []int) {
	texts := [2]map[string]string{n.texts(oldSide), n.texts(newSide)}
	for i, name := range names {
		if texts[oldSide][name] != texts[newSide][name] {
			fresh = append(fresh, i)
		} else {
			others = append(others, i)
		}
	}
	return fresh, others
}

// texts returns the source of each function in the tests of a version.
func (n *noticing) texts(side int) map[string]string {
	out := map[string]string{}
	for _, f := range n.files(side)[side] {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, f.Path, f.Content, parser.SkipObjectResolution)
		if err != nil {
			continue // its tests have no text, and come first if the other version has one
		}
		tf := fset.File(file.FileStart)
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				out[fd.Name.Name] = string(f.Content[tf.Offset(fd.Pos()):tf.Offset(fd.End())])
			}
		}
	}
	return out
}

// repetitions is how often a test that ends differently runs again in each version. One that does not end as before
// each time may fail for other reasons than the code.
const repetitions = 3

// repeat runs the tests that end differently again, and marks those that always end as they did.
func (n *noticing) repeat(ctx context.Context, suites [2]*session.Suite, tests []noticed) error {
	which := make([]int, len(tests))
	for i, t := range tests {
		which[i], tests[i].steady = t.number, true
	}
	for range repetitions {
		for side, suite := range suites {
			outs, err := suite.Run(ctx, which)
			if err != nil {
				return err
			}
			for i, o := range outs {
				t := &tests[i]
				t.steady = t.steady && o != nil && o.Status != testcase.NotRun && (o.Status != testcase.Returned) == (t.fails == side)
			}
		}
	}
	return nil
}

// files returns the hand-written test files of a version, once for its own directory and once for the
// other version's.
func (n *noticing) files(from int) [2][]gotest.File {
	var out [2][]gotest.File
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
			out[i] = append(out[i], gotest.File{Path: filepath.Join(n.c.sides[i].Pkg.Dir, filepath.Base(name)), Content: src})
		}
	}
	return out
}

// testNames lists the test functions of files in the order in which a suite has them.
func testNames(files []gotest.File) []string {
	var out []string
	for _, f := range files {
		out = append(out, native.TestFunctions(f)...)
	}
	return out
}

// compare notes the tests that end differently, of those with some numbers.
func (n *noticing) compare(outs [2][]*testcase.Outcome, blocks [2][]testcase.Block, which []int, names []string) {
	var at [2][][]int
	for i := range at {
		at[i] = hunksAt(n.c, i, blocks[i])
	}
	for t := range min(len(outs[oldSide]), len(outs[newSide]), len(which)) {
		a, b := outs[oldSide][t], outs[newSide][t]
		if a == nil || b == nil || a.Status == testcase.NotRun || b.Status == testcase.NotRun || which[t] >= len(names) {
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
		through = slices.Compact(through)
		differs := (a.Status == testcase.Returned) != (b.Status == testcase.Returned)
		n.runs = append(n.runs, difference.Run{Differs: differs, Places: through})
		if !differs {
			continue
		}
		fails, failed := oldSide, a
		if b.Status != testcase.Returned {
			fails, failed = newSide, b
		}
		n.tests = append(n.tests, noticed{name: names[which[t]], number: which[t], run: len(n.runs) - 1, places: through, place: -1, fails: fails, how: failureOf(failed)})
	}
}

// place finds the changed place that explains best why each test ends differently.
func (n *noticing) place() {
	places := difference.Explain(n.runs, len(n.c.pairing.Hunks))
	for i, t := range n.tests {
		n.tests[i].place = places[t.run]
	}
}

// failureOf says how a test failed.
func failureOf(o *testcase.Outcome) string {
	if o.Panic == nil {
		return difference.Text(o)
	}
	text, own := strings.CutPrefix(o.Panic.Message, native.TestFailed)
	if !own {
		return difference.Text(o)
	}
	if text = strings.TrimPrefix(text, ": "); text != "" {
		return "fails: panics: " + session.OneLine(text)
	}
	return "fails"
}

// byTests returns a group for each changed place at which tests end differently and no input was found that
// does. The tests are the only inputs that are known to show the change. A test that may read files of
// testdata is left out if the versions have different ones.
func (c *comparison) byTests(groups []*group) []*group {
	var out []*group
	otherData := c.otherTestdata()
	for _, t := range c.notice.tests {
		// Another text of an error is hardly what the test is about.
		known := slices.ContainsFunc(groups, func(g *group) bool {
			return slices.Contains(g.noticed, t.name) && g.misuse == "" && g.kind.Severity() != testcase.Note
		})
		if known || !t.steady || !c.isAbout(t.place) || otherData && c.readsTestdata(t.name) {
			continue
		}
		kind := difference.TestPasses
		if t.fails == newSide {
			kind = difference.TestFails
		}
		i := slices.IndexFunc(out, func(g *group) bool { return g.place == t.place && g.kind == kind })
		if i < 0 {
			i = len(out)
			out = append(out, &group{place: t.place, kind: kind, byTest: &t, others: slices.Clone(t.places)})
		}
		// A test goes through many places, and none was taken back for it.
		out[i].others = slices.DeleteFunc(out[i].others, func(place int) bool {
			return place == t.place || !slices.Contains(t.places, place) || c.pairing.Hunks[place].Closes()
		})
		out[i].noticed = append(out[i].noticed, t.name)
	}
	return out
}

// isAbout reports whether the run is about a changed place: any, or those that the functions named by -run
// reach. If another version of a dependency is all that has changed there are no places.
func (c *comparison) isAbout(place int) bool {
	if place < 0 {
		return len(c.pairing.Hunks) == 0
	}
	return c.Config.Run == nil || slices.ContainsFunc(c.functions, func(f pair.Function) bool {
		return c.pairing.Reaches(f, place)
	})
}

// otherTestdata reports whether the files in the directories testdata of the versions differ.
func (c *comparison) otherTestdata() bool {
	var files [2]map[string]string
	for i, s := range c.sides {
		files[i] = map[string]string{}
		dir := filepath.Join(s.Pkg.Dir, "testdata")
		err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(name)
			if err == nil {
				files[i][strings.TrimPrefix(name, dir)] = string(text)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true // what cannot be read may differ
		}
	}
	return !maps.Equal(files[oldSide], files[newSide])
}

// readsTestdata reports whether the file of a test mentions the directory testdata.
func (c *comparison) readsTestdata(test string) bool {
	for _, side := range []int{newSide, oldSide} {
		for _, f := range c.notice.files(side)[side] {
			if slices.Contains(native.TestFunctions(f), test) && bytes.Contains(f.Content, []byte("testdata")) {
				return true
			}
		}
	}
	return false
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
	if c.notice.partial && len(groups) > 0 {
		c.Warn("there was no time to run all hand-written tests: more of them may notice the differences")
	}
	if c.notice.why != "" && !strings.HasPrefix(c.notice.why, "there are none") && len(groups) > 0 {
		c.Warn("which hand-written tests notice the differences is not known: %s", fmt.Sprint(c.notice.why))
	}
}
