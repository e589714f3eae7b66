package diff

import (
	"bytes"
	"context"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// The endings of the names of written tests. They distinguish these tests from gen's.
const (
	changedSuffix = "_changed" // states the new behaviour
	keptSuffix    = "_kept"    // states the old behaviour, which the new version does not have
)

// write writes a test for each group into the file that gen would use. The tests state the new version's
// behaviour or, with Config.KeepOld, the old version's. Earlier tests stay in the file, except those of an
// earlier run of diff for the same functions.
func (c *comparison) write(groups []*group) error {
	if !c.how.Write || len(groups) == 0 {
		return nil
	}
	ctx, cancel := context.WithDeadline(c.User, c.Deadline.Add(c.Config.Bound()/5))
	defer cancel()
	earlier, err := files.Earlier(c.Pkg.Dir)
	if err != nil {
		return err
	}
	if err := files.Writable(c.Pkg.Dir); err != nil {
		return fmt.Errorf("cannot write to %s: %w", c.Pkg.Dir, err)
	}
	written, err := c.emit(groups)
	if err != nil {
		return err
	}
	var out []files.New
	for _, f := range written {
		f, err = c.named(f)
		if err == nil {
			err = c.verify(ctx, f)
		}
		i := slices.IndexFunc(earlier, func(o files.Own) bool { return o.Name == f.Path })
		if err == nil && i >= 0 && earlier[i].Edited {
			err = fmt.Errorf("the file was edited by hand: delete or rename it")
		}
		if err == nil && i >= 0 {
			f.Content, err = c.merged(f, earlier[i])
		}
		if err != nil {
			c.Events.Send(event.Diagnostic{Pos: token.Position{Filename: f.Path}, Message: "no test was written: " + session.OneLine(err.Error())})
			c.Result.Failed = true
			continue
		}
		out = append(out, files.New{Name: f.Path, Content: f.Content})
		c.noteTests(groups, f)
	}
	_, _, err = files.Replace(c.Pkg.Dir, earlier, out, func(string) bool { return true })
	return err
}

// emit makes the files of tests.
func (c *comparison) emit(groups []*group) ([]emit.File, error) {
	var cases []*testcase.Case
	var findings []*testcase.Finding
	for _, g := range groups {
		if g.kind.OfCost() || g.byTest != nil {
			continue // a test of how long a call takes holds on one machine only; a test by hand is there already
		}
		k := c.caseOf(g)
		why, f := c.sides[newSide].bench.Judge.Case(k)
		switch {
		case f != nil && f.Severity != testcase.Misuse && f.Severity != testcase.Note:
			findings = append(findings, f)
		case why == "":
			cases = append(cases, k)
		default:
			c.Warn("no test of %s is written: %s", input(g.shown), why)
		}
	}
	written, left, err := emit.Files(c.Pkg, cases, findings, emit.Config{Fset: c.Prog.Fset, ReadsOnly: purity.New(c.Prog).PureCalls(c.Pkg), Lacks: c.Prog.Lacks})
	for _, u := range left {
		c.Warn("no test of %s is written: %s", u.Case.Seq, u.Reason)
	}
	return written, err
}

// caseOf returns the shown case of a group, with the behaviour to assert.
func (c *comparison) caseOf(g *group) *testcase.Case {
	k := &testcase.Case{Package: c.Pkg.Path, Target: c.shownFunc(g), Engine: "diff", Seq: g.shown.seqs[newSide], Observed: g.shown.outs[newSide]}
	if c.how.KeepOld {
		old := *g.shown.outs[oldSide]
		old.Cover = nil // the blocks are those of the other version
		k.Observed = &old
	}
	return k
}

// named gives the tests of a file names that differ from those of gen.
func (c *comparison) named(f emit.File) (emit.File, error) {
	suffix := changedSuffix
	if c.how.KeepOld {
		suffix = keptSuffix
	}
	text := f.Content
	if generated, _ := testfile.Verify(text); generated {
		const header = 2 // lines of the header
		text = bytes.SplitN(text, []byte("\n"), header+1)[header]
	}
	f.Tests = slices.Clone(f.Tests)
	for i, t := range f.Tests {
		head := []byte("\nfunc " + t.Name + "(")
		if bytes.Count(text, head) != 1 {
			return f, fmt.Errorf("%s is not declared once", t.Name)
		}
		f.Tests[i].Name += suffix
		text = bytes.Replace(text, head, []byte("\nfunc "+f.Tests[i].Name+"("), 1)
	}
	f.Content = testfile.Seal(bytes.TrimLeft(text, "\n"))
	return f, nil
}

// verify runs a file's tests in the version whose behaviour they assert. Tests of findings fail there,
// as in files that gen writes.
func (c *comparison) verify(ctx context.Context, f emit.File) error {
	s := c.Session
	bug := strings.HasSuffix(f.Path, files.BugSuffix)
	if c.how.KeepOld {
		s = c.sides[oldSide].Session
		if s.Pkg.Name != c.Pkg.Name {
			return nil // the tests do not compile in that version
		}
	}
	cfg := session.SuiteConfig{
		Files: []gotest.File{{Path: filepath.Join(s.Pkg.Dir, filepath.Base(f.Path)), Content: f.Content}}, Tags: s.Config.Tags, Timeout: testTimeout,
	}
	if bug {
		cfg.Tags = gotest.WithTag(cfg.Tags, testfile.BugTag)
	}
	outcomes, _, err := s.RunSuite(ctx, cfg)
	if err != nil {
		return err
	}
	for i, o := range outcomes {
		if o != nil && o.Status != testcase.Returned && !bug && i < len(f.Tests) {
			return fmt.Errorf("%s fails: %s", f.Tests[i].Name, session.OneLine(o.Message+" "+o.String()))
		}
	}
	return nil
}

// merged adds the tests of an earlier file to the new ones, except tests with the same names.
func (c *comparison) merged(f emit.File, old files.Own) ([]byte, error) {
	fresh := map[string]bool{}
	for _, t := range f.Tests {
		fresh[t.Name] = true
	}
	return testfile.Merge(f.Content, old.Content, func(test string) bool { return !fresh[test] }, func(test string) int {
		if fresh[test] {
			return 1
		}
		return 0
	})
}

// noteTests records the tests that were written for groups.
func (c *comparison) noteTests(groups []*group, f emit.File) {
	for _, t := range f.Tests {
		c.Events.Send(event.Test{Package: c.Pkg.Path, Func: t.Func, Name: t.Name, File: f.Path, Engine: "diff"})
		for _, g := range groups {
			if g.byTest != nil {
				continue
			}
			in := slices.ContainsFunc(t.Cases, func(k *testcase.Case) bool { return k.Seq == g.shown.seqs[newSide] })
			if in || t.Bug != nil && t.Bug.Case.Seq == g.shown.seqs[newSide] {
				g.test, g.file = t.Name, f.Path
			}
		}
	}
}
