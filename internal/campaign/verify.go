package campaign

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// maxRounds bounds how often failing tests are taken out and the rest is tried again.
const maxRounds = 8

// mostFailures is in how many rounds tests of one function may fail before it is given up.
const mostFailures = 2

// repeats is how often each test runs to be believed.
const repeats = 2

// suite is what was emitted.
type suite struct {
	files     []emit.File
	unwritten []emit.Unwritten
	verified  bool
}

// verify emits the tests and runs them as `go test` will, with the new files laid
// over the package's directory. Tests that fail, flake or do not compile are taken
// out and reported.
func (g *gen) verify() error {
	ctx, cancel := g.believing()
	defer cancel()
	if !g.changed() {
		return errNothing
	}
	if g.cut() {
		g.keepBetter()
	}
	work, err := os.MkdirTemp("", "assay-suite-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) // a leftover temporary directory harms nobody

	// Tests that were added since notice mutants, and may be disputed as well.
	if g.tests, err = g.undisputed(ctx, g.tests); err != nil {
		return err
	}
	worth, adds := g.worth()
	cases := make([]*testcase.Case, len(g.tests))
	for i, c := range g.tests {
		cases[i] = g.restoring(c)
	}
	skipOwnTests := false
	failed := make(map[string]int) // rounds in which a test of a target failed
	for round := range maxRounds {
		s := &suite{}
		s.files, s.unwritten, err = emit.Files(g.pkg, cases, g.findings, emit.Config{
			MaxTests: g.cfg.MaxTests, Fset: g.prog.Fset, MaxLines: g.cfg.MaxLines, Rank: worth, Adds: adds, ReadsOnly: g.readsOnly, Calls: g.executed,
		})
		if err != nil {
			return err
		}
		s.files = append(s.files, slices.Concat(g.exhaustiveFiles(), g.fuzzFiles())...)
		s.files = slices.DeleteFunc(s.files, func(f emit.File) bool { return g.kept[f.Path] })
		s.files = g.carry(s.files, func(string) bool { return true })
		g.suite = s
		bad, err := g.try(ctx, work, s, skipOwnTests, round > 0)
		switch {
		case errors.Is(err, errOwnTests):
			skipOwnTests = true
			continue
		case errors.Is(err, context.DeadlineExceeded):
			g.suite = nil
			return fmt.Errorf("%s: timed out while the tests were verified: %w", g.pkg.Path, err)
		case err != nil:
			return err
		case len(bad) == 0 && !skipOwnTests && g.disturbs(ctx, work, s, bad):
		case len(bad) == 0:
			s.verified = true
			g.tests = cases
			return g.verifyBugs(ctx, work, s, skipOwnTests)
		}
		// A function whose tests fail again and again in other forms is not one to be tested.
		again := make(map[string]bool)
		for c := range bad {
			again[c.Target] = failed[c.Target] >= mostFailures
		}
		for target := range again {
			failed[target]++
		}
		cases = slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return bad[c] || again[c.Target] })
	}
	return fmt.Errorf("%s: tests still fail after %d rounds of taking them out; nothing is written", g.pkg.Path, maxRounds)
}

// cut reports whether exploration was cut short, so that what was found may be less
// than what an earlier run found.
func (g *gen) cut() bool {
	if g.ctx.Err() != nil || g.cutShort {
		return true
	}
	for _, x := range g.explored {
		if errors.Is(x.err, context.Canceled) || errors.Is(x.err, context.DeadlineExceeded) {
			return true
		}
	}
	return len(g.explored) == 0 && len(g.exported) > 0
}

// errOwnTests says that the user's own test files do not compile, or not to go vet's
// satisfaction. Then the suite is verified without them.
var errOwnTests = errors.New("the package's own tests do not build")

// overlay writes the suite's files to work and returns what go test is to see in
// place of the package's directory.
func (g *gen) overlay(work string, s *suite, skipOwnTests bool) (map[string]string, error) {
	replace := make(map[string]string)
	for i, f := range s.files {
		name := filepath.Join(work, strconv.Itoa(i)+"_test.go")
		if err := os.WriteFile(name, f.Content, 0o600); err != nil {
			return nil, err
		}
		replace[f.Path] = name
	}
	for _, o := range g.old {
		if _, ok := replace[o.Name]; !ok && !g.stays(o.Name) && !o.Edited {
			replace[o.Name] = "" // it will be gone
		}
	}
	if skipOwnTests {
		for _, name := range g.pkg.TestFiles {
			if _, ok := replace[name]; !ok {
				replace[name] = ""
			}
		}
	}
	return replace, nil
}

// try runs the suite and returns the cases of tests that must go. In a later round those
// are suspected, too, that put back what they set.
func (g *gen) try(ctx context.Context, work string, s *suite, skipOwnTests, later bool) (map[*testcase.Case]bool, error) {
	var names []string
	for _, f := range s.files {
		if strings.HasSuffix(f.Path, files.BugSuffix) {
			continue
		}
		for _, t := range f.Tests {
			names = append(names, t.Name)
		}
	}
	if g.stands != nil {
		names = nil // coverage is of what there will be
		for _, t := range g.allTests(s) {
			names = append(names, t.names...)
		}
	}
	if len(names) == 0 {
		if g.before != nil {
			g.together(g.before)
		}
		return nil, nil
	}
	replace, err := g.overlay(work, s, skipOwnTests)
	if err != nil {
		return nil, err
	}
	profile := filepath.Join(work, "cover.out")
	run := gotest.Run{
		Dir: g.pkg.Dir, Tags: g.cfg.Tags, Overlay: replace, Names: names,
		Count: repeats, Shuffle: g.cfg.Seed + 1, CoverProfile: profile, Policy: g.policy, NoVet: g.noVet,
	}
	res, err := run.Do(ctx)
	if err == nil && len(res.Build) > 0 && !run.NoVet && !slices.ContainsFunc(res.Build, func(b gotest.BuildError) bool { _, ours := testAt(s, b); return ours }) {
		// Code that builds may be such that vet refuses it: old code often is, to a vet that
		// is younger. It can be tested all the same.
		said := res.Build[0]
		run.NoVet = true
		if res, err = run.Do(ctx); err == nil && len(res.Build) == 0 {
			g.refusedByVet(said.Pos, said.Msg)
		}
	}
	if err != nil {
		return nil, err
	}
	bad := make(map[*testcase.Case]bool)
	take := func(t emit.Test, why string) { g.takeOut(bad, t, t.Cases, why) }
	if len(res.Build) > 0 {
		ours := false
		for _, b := range res.Build {
			if t, ok := testAt(s, b); ok {
				ours = true
				g.takeOut(bad, t, casesAt(s, t, b), "it does not compile: "+b.Msg)
			}
		}
		switch {
		case ours:
			return bad, nil
		case skipOwnTests:
			return nil, errors.New(res.Build[0].String())
		}
		g.events.Send(event.Diagnostic{Pos: res.Build[0].Pos, Message: errOwnTests.Error() + ": " + res.Build[0].Msg, Warning: true})
		return nil, errOwnTests
	}
	suspects := func(c *testcase.Case) bool { return g.sets(c.Seq) && (later || c.Restores == nil) }
	if res.Hung {
		// What it waits for, a lock as a rule, another test has left so, and there is no time
		// to find out which.
		suspects = func(c *testcase.Case) bool { return g.changes(c.Seq) || g.sets(c.Seq) }
	}
	if len(res.Failed) > 0 && g.takeSetters(s, suspects, take) {
		return bad, nil // the others may hold without them
	}
	for _, name := range res.Failed {
		for _, f := range s.files {
			for _, t := range f.Tests {
				if t.Name == name {
					why := "it fails: "
					if res.Passed[name] {
						why = "it does not always pass: "
					}
					g.takeOut(bad, t, failedCases(t, res.Subtests[name]), why+gotest.Failure(res.Output[name]))
				}
			}
		}
	}
	if len(res.Failed) > 0 && len(bad) == 0 {
		return nil, fmt.Errorf("go test: %s fails", res.Failed[0])
	}
	if len(bad) == 0 {
		g.takeHiding(ctx, run, s, take)
	}
	if len(bad) == 0 {
		g.summary.StmtsCovered, g.summary.StmtsTotal, err = gotest.ReadCoverage(profile)
		g.summary.SetCoverage()
		if g.before != nil {
			g.together(g.before)
		}
	}
	return bad, err
}

// takeOut puts cases of a test into bad and says why.
func (g *gen) takeOut(bad map[*testcase.Case]bool, t emit.Test, cases []*testcase.Case, why string) {
	name := t.Name
	for i, c := range t.Cases {
		if !slices.Contains(cases, c) {
			continue
		}
		bad[c] = true
		if len(cases) == 1 && i < len(t.Rows) && t.Rows[i] != "" {
			name += "/" + t.Rows[i]
		}
	}
	if c := g.dropExhaustive(t); c != nil {
		bad[c] = true
	}
	g.events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s was taken out: %s", g.pkg.Path, name, why), Warning: true})
}

// failedCases returns the cases of a test whose subtests failed, all of them where that does
// not say which.
func failedCases(t emit.Test, subtests []string) []*testcase.Case {
	var out []*testcase.Case
	for i, c := range t.Cases {
		if i < len(t.Rows) && t.Rows[i] != "" && slices.Contains(subtests, gotest.SubtestName(t.Rows[i])) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return t.Cases
	}
	return out
}

// casesAt returns the cases of a test in whose row or subtest an error of the compiler is: of
// those whose names stand at the line or above it the nearest. All cases are at fault where
// no name does.
func casesAt(s *suite, t emit.Test, b gotest.BuildError) []*testcase.Case {
	for _, f := range s.files {
		if base(f.Path) != base(b.Pos.Filename) {
			continue
		}
		lines := strings.Split(string(f.Content), "\n")
		for i := min(b.Pos.Line, len(lines)) - 1; i >= 0 && !strings.HasPrefix(lines[i], "func "); i-- {
			for k, row := range t.Rows {
				if row != "" && (strings.Contains(lines[i], strconv.Quote(row)) || strings.Contains(lines[i], "`"+row+"`")) {
					return t.Cases[k : k+1]
				}
			}
		}
	}
	return t.Cases
}

// executed returns all executed calls of a function.
func (g *gen) executed(target string) []words.Call { return g.calls[target] }

// refusedByVet notes that go vet refuses the package, and says so once.
func (g *gen) refusedByVet(pos token.Position, said string) {
	g.noVet = true
	g.events.Send(event.Diagnostic{Pos: pos, Message: "go vet refuses the package, whose tests need go test -vet=off: " + said, Warning: true})
}

// takeSetters takes out the tests of cases that are suspected to set package-level
// variables, if there are any.
func (g *gen) takeSetters(s *suite, suspected func(*testcase.Case) bool, take func(emit.Test, string)) bool {
	some := false
	for _, f := range s.files {
		for _, t := range f.Tests {
			if slices.ContainsFunc(t.Cases, suspected) {
				take(t, "it sets package-level variables that other tests depend on")
				some = true
			}
		}
	}
	return some
}

// disturbs reports whether the package's hand-written tests and those of the suite
// spoil package-level state for one another, and puts the cases of the suite that must
// go into bad. It asks only if some of its tests touch such state and there is time;
// hand-written tests may take long.
func (g *gen) disturbs(ctx context.Context, work string, s *suite, bad map[*testcase.Case]bool) bool {
	if !g.anyChanges || len(g.pkg.TestNames) == 0 {
		return false
	}
	replace, err := g.overlay(work, s, false)
	if err != nil {
		return false // the run before this one has written the same
	}
	ctx, cancel := context.WithTimeout(ctx, min(time.Until(g.deadline)/2, 10*time.Second))
	defer cancel()
	res, err := gotest.Run{Dir: g.pkg.Dir, Tags: g.cfg.Tags, Overlay: replace, All: true, Policy: g.policy, NoVet: g.noVet}.Do(ctx)
	if err != nil {
		g.partial.Store(true) // with more time it might
		return false
	}
	if res.OK {
		return false
	}
	take := func(t emit.Test, why string) {
		for _, c := range t.Cases {
			bad[c] = true
		}
		if c := g.dropExhaustive(t); c != nil {
			bad[c] = true
		}
		g.events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s was taken out: %s", g.pkg.Path, t.Name, why), Warning: true})
	}
	some := g.takeSetters(s, func(c *testcase.Case) bool { return g.sets(c.Seq) }, take)
	for _, f := range s.files {
		for _, t := range f.Tests {
			if t.Bug == nil && slices.Contains(res.Failed, t.Name) {
				take(t, "it fails after the package's own tests")
				some = true
			}
		}
	}
	return some
}

// testAt returns the test of the suite that a line is in.
func testAt(s *suite, b gotest.BuildError) (emit.Test, bool) {
	for _, f := range s.files {
		if f.Path != b.Pos.Filename && base(f.Path) != base(b.Pos.Filename) {
			continue
		}
		lines := strings.Split(string(f.Content), "\n")
		for i := min(b.Pos.Line, len(lines)) - 1; i >= 0; i-- {
			for _, t := range f.Tests {
				if strings.HasPrefix(lines[i], "func "+t.Name+"(") {
					return t, true
				}
			}
		}
		if len(f.Tests) > 0 {
			return f.Tests[0], true // imports, helpers: something must go
		}
	}
	return emit.Test{}, false
}

// verifyBugs checks that the tests which reproduce findings compile and fail, each in
// a process of its own, for a panic ends the process. A finding whose test passes came
// from the harness's limits, not from the code: it is dropped.
func (g *gen) verifyBugs(ctx context.Context, work string, s *suite, skipOwnTests bool) error {
	var bugs []emit.Test
	for _, f := range s.files {
		if strings.HasSuffix(f.Path, files.BugSuffix) {
			bugs = append(bugs, f.Tests...)
		}
	}
	if len(bugs) == 0 {
		return nil
	}
	replace, err := g.overlay(work, s, skipOwnTests)
	if err != nil {
		return err
	}
	binary := filepath.Join(work, "bugs.test")
	build := func(noVet bool) error {
		return gotest.Run{Dir: g.pkg.Dir, Tags: gotest.WithTag(g.cfg.Tags, emit.BugTag), Overlay: replace, NoVet: noVet}.Build(ctx, work, binary)
	}
	if err = build(g.noVet); err != nil && !g.noVet {
		if _, ours := bugAt(s, replace, err); !ours && build(true) == nil {
			g.refusedByVet(token.Position{}, err.Error())
			err = nil
		}
	}
	if err != nil && !skipOwnTests && ctx.Err() == nil {
		// Without a test that passes nobody has found out yet whose fault it is.
		return g.verifyBugs(ctx, work, s, true)
	}
	if err != nil {
		t, ok := bugAt(s, replace, err)
		if !ok || ctx.Err() != nil {
			return fmt.Errorf("the tests that reproduce findings do not compile: %w", err)
		}
		// A mistake of ours in one of them must not cost the others.
		g.events.Send(event.Diagnostic{Pos: t.Bug.Pos, Message: fmt.Sprintf("%s %s: no test shows it, for the one that was written does not compile: %v", t.Bug.Func, t.Bug.Message, err), Warning: true})
		g.findings = slices.DeleteFunc(g.findings, func(f *testcase.Finding) bool { return f == t.Bug })
		if err := g.emitBugs(s); err != nil {
			return err
		}
		return g.verifyBugs(ctx, work, s, skipOwnTests)
	}
	var passed []*testcase.Finding
	for _, t := range bugs {
		cmd, err := gotest.Command(ctx, g.policy(filepath.Join(work, "tmp")), g.pkg.Dir, binary, "-test.run=^"+t.Name+"$", "-test.timeout=10s", "-test.count=1")
		if err != nil {
			return err
		}
		err = cmd.Run()
		if ctx.Err() != nil {
			g.partial.Store(true)
			break // they compile, and their findings were observed natively
		}
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			continue // as it should
		}
		passed = append(passed, t.Bug)
		g.debug("stages", "%s: %s passes: %s %s", g.pkg.Path, t.Name, t.Bug.Func, t.Bug.Message)
	}
	if len(passed) == 0 {
		return nil
	}
	for _, f := range passed {
		if f.Kind == "assertion" {
			// It was seen to be false where it stands.
			f.NoTest = "a test cannot see it: let the function that asserts panic behind the build tag " + emit.BugTag
			g.events.Send(event.Diagnostic{Pos: f.Pos, Message: fmt.Sprintf("%s %s: %s", f.Func, f.Message, f.NoTest), Warning: true})
		}
	}
	g.findings = slices.DeleteFunc(g.findings, func(f *testcase.Finding) bool { return f.NoTest == "" && slices.Contains(passed, f) })
	return g.emitBugs(s)
}

// bugAt returns the test that reproduces a finding in which the compiler's error is, given
// which files are laid over the package.
func bugAt(s *suite, replace map[string]string, err error) (emit.Test, bool) {
	at, ok := gotest.ErrorPlace(err)
	if !ok {
		return emit.Test{}, false
	}
	for path, file := range replace {
		if file == at.Filename || path == at.Filename {
			t, ok := testAt(s, gotest.BuildError{Pos: token.Position{Filename: path, Line: at.Line}})
			return t, ok && t.Bug != nil
		}
	}
	return emit.Test{}, false
}

// emitBugs writes the files of the suite anew that reproduce findings. The others stay
// as they were verified.
func (g *gen) emitBugs(s *suite) error {
	worth, adds := g.worth()
	emitted, _, err := emit.Files(g.pkg, g.tests, g.findings, emit.Config{
		MaxTests: g.cfg.MaxTests, Fset: g.prog.Fset, MaxLines: g.cfg.MaxLines, Rank: worth, Adds: adds, ReadsOnly: g.readsOnly, Calls: g.executed,
	})
	if err != nil {
		return err
	}
	isBug := func(name string) bool { return strings.HasSuffix(name, files.BugSuffix) }
	s.files = slices.DeleteFunc(s.files, func(f emit.File) bool { return isBug(f.Path) })
	emitted = slices.DeleteFunc(emitted, func(f emit.File) bool { return !isBug(f.Path) || g.kept[f.Path] })
	s.files = append(s.files, g.carry(emitted, isBug)...)
	return nil
}
