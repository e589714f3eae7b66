package verify

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/testcase"
)

// errOwnTests says that the user's own test files do not compile, or that go vet refuses them. Then the
// suite is verified without them.
var errOwnTests = errors.New("the package's own tests do not build")

// trial is one run of a suite.
type trial struct {
	*verifier
	s   *Suite
	bad map[*testcase.Case]bool // the cases of tests that must be taken out
}

// try runs the suite and returns the cases of tests that must go. If later is set, tests that restore
// package-level state are suspected, too.
func (v *verifier) try(ctx context.Context, s *Suite, later bool) (map[*testcase.Case]bool, error) {
	names := v.testNames(s)
	if len(names) == 0 {
		if s.Existing != nil {
			v.addExistingCoverage()
		}
		return nil, nil
	}
	v.dropAhead() // its files are about to be replaced
	if v.cfg.Waiting && !later {
		v.buildAhead(ctx, s)
	}
	profile := filepath.Join(v.work, "cover.out")
	res, err := v.runTests(ctx, s, names, profile)
	if ended := new(gotest.EndedError); errors.As(err, &ended) && !v.skipOwn && len(v.Pkg.TestNames) > 0 {
		v.Events.Send(event.Diagnostic{Message: v.Pkg.Path + ": the package's own tests cannot be run, so the new ones are tried without them: " + ended.Said, Warning: true})
		return nil, errOwnTests
	}
	if err != nil {
		return nil, err
	}
	v.ran, v.doubted = len(res.Build) == 0 && !res.Hung, false
	t := &trial{v, s, make(map[*testcase.Case]bool)}
	if len(res.Build) > 0 {
		return t.bad, t.takeUncompiled(res)
	}
	v.notePassed(s, res)
	if len(res.Failed) > 0 {
		suspects := func(c *testcase.Case) bool { return v.bench.Sets(c.Seq) && (later || c.Restores == nil) }
		if res.Hung {
			// The test waits for something, usually a lock, that another test has left in this state,
			// and there is no time to find out which one.
			suspects = func(c *testcase.Case) bool { return v.bench.Changes(c.Seq) || v.bench.Sets(c.Seq) }
		}
		if !res.Hung && t.takeFailingAlone(ctx, res, names, suspects) {
			return t.bad, nil // the other failures may have come of these
		}
		if t.takeSetters(suspects) {
			return t.bad, nil // the other tests may pass without these
		}
		t.takeFailed(res, "")
		t.takeHidden(ctx, res, names)
		if len(t.bad) == 0 {
			return nil, fmt.Errorf("go test: %s fails", res.Failed[0])
		}
	}
	if len(t.bad) == 0 {
		if s.Profile, err = v.readProfile(profile); err != nil {
			return nil, err
		}
		v.Summary.StmtsCovered, v.Summary.StmtsTotal, err = gotest.ReadCoverage(profile)
		v.Summary.SetCoverage()
		if s.Existing != nil {
			v.addExistingCoverage()
		}
	}
	return t.bad, err
}

// notePassed notes the cases of the tests that passed each time they ran.
func (v *verifier) notePassed(s *Suite, res *gotest.Result) {
	v.passed = make(map[*testcase.Case]bool)
	for _, f := range s.Files {
		for _, test := range f.Tests {
			if res.Passed[test.Name] && !slices.Contains(res.Failed, test.Name) {
				for _, c := range test.Cases {
					v.passed[c] = true
				}
			}
		}
	}
}

// testNames returns the names of the tests to run: those of the suite. If only part of the package was done
// again, the earlier tests that stay run, too, so that coverage is that of the final files.
func (v *verifier) testNames(s *Suite) []string {
	var names []string
	if v.cfg.WithEarlier {
		for _, t := range s.AllTests(v.cfg.Earlier) {
			names = append(names, t.Tests...)
		}
		return names
	}
	for _, f := range s.Files {
		if strings.HasSuffix(f.Path, files.BugSuffix) {
			continue
		}
		for _, t := range f.Tests {
			names = append(names, t.Name)
		}
	}
	return names
}

// runTests runs tests of the suite. If vet refuses the package's own code, which happens to old code
// with a newer vet, the tests run without vet.
func (v *verifier) runTests(ctx context.Context, s *Suite, names []string, profile string) (*gotest.Result, error) {
	replace, err := v.overlay(s)
	if err != nil {
		return nil, err
	}
	run := gotest.Run{
		Dir: v.Pkg.Dir, Tags: v.Config.Tags, Overlay: replace, Names: names,
		Count: repeats, Shuffle: v.Config.Seed + 1, CoverProfile: profile, Policy: v.Policy, NoVet: v.noVet,
	}
	res, err := run.Do(ctx)
	if err == nil && len(res.Build) > 0 && !run.NoVet && !slices.ContainsFunc(res.Build, func(b gotest.BuildError) bool { _, ours := testAt(s, b); return ours }) {
		said := res.Build[0]
		run.NoVet = true
		if res, err = run.Do(ctx); err == nil && len(res.Build) == 0 {
			v.refusedByVet(said.Pos, said.Msg)
		}
	}
	return res, err
}

// takeUncompiled takes out the tests that do not compile. If none of the suite's is to blame, it
// returns errOwnTests, or the compiler's error if the package's own tests are left out already.
func (t *trial) takeUncompiled(res *gotest.Result) error {
	ours := false
	for _, b := range res.Build {
		if test, ok := testAt(t.s, b); ok {
			ours = true
			t.reject(test, b)
		}
	}
	switch {
	case ours:
		return nil
	case t.skipOwn:
		return errors.New(res.Build[0].String())
	}
	t.Events.Send(event.Diagnostic{Pos: res.Build[0].Pos, Message: errOwnTests.Error() + ": " + res.Build[0].Msg, Warning: true})
	return errOwnTests
}

// takeFailed takes out the tests that failed at least once. If they ran under a special condition, the
// report names it: "with GOMAXPROCS=1".
func (t *trial) takeFailed(res *gotest.Result, condition string) {
	for _, name := range res.Failed {
		for _, f := range t.s.Files {
			for _, test := range f.Tests {
				if test.Name != name {
					continue
				}
				why := "it fails"
				if res.Passed[name] {
					why = "it does not always pass"
				}
				if condition != "" {
					why += " " + condition
				}
				t.takeCases(test, failedCases(test, res.Subtests[name]), why+": "+gotest.Failure(res.Output[name]))
			}
		}
	}
}

// take takes a test out, and says why.
func (t *trial) take(test emit.Test, why string) { t.takeCases(test, test.Cases, why) }

// takeCases takes cases out that a test failed for, and says why.
func (t *trial) takeCases(test emit.Test, cases []*testcase.Case, why string) {
	if t.divide(test, cases) {
		return
	}
	before := len(t.bad)
	name := t.remove(test, cases)
	event.AddTo(&t.Summary.Unreliable, event.Count(len(t.bad)-before))
	t.Warn("%s was taken out: %s", name, why)
	for _, c := range cases {
		t.Debug("rejected", "%s: %s", name, c.Seq)
	}
}

// divide reports whether a test is written with subtests from now on, because it failed as a loop and only subtests show for which of
// these cases. A test is divided once.
func (t *trial) divide(test emit.Test, cases []*testcase.Case) bool {
	if len(cases) < 2 || len(cases) < len(test.Cases) {
		return false
	}
	divided := false
	for i, c := range cases {
		if i < len(test.Rows) && test.Rows[i] == "" && !t.named[c] {
			t.named[c], divided = true, true
		}
	}
	if divided {
		t.bad[&testcase.Case{}] = true // no case is bad, but an entry shows that the suite has changed
	}
	return divided
}

// remove takes cases of a test out and returns the name under which this is reported.
func (t *trial) remove(test emit.Test, cases []*testcase.Case) string {
	name := test.Name
	for i, c := range test.Cases {
		if !slices.Contains(cases, c) {
			continue
		}
		t.bad[c] = true
		if len(cases) == 1 && i < len(test.Rows) && test.Rows[i] != "" {
			name += "/" + test.Rows[i]
		}
	}
	n := len(t.exhaustive)
	t.exhaustive = slices.DeleteFunc(t.exhaustive, func(x *bounded.Exhaustive) bool { return x.Name == test.Name })
	if len(t.exhaustive) < n {
		t.bad[&testcase.Case{}] = true // the test has no case, but an entry shows that the suite has changed
	}
	return name
}

// failedCases returns the cases of a test whose subtests failed. If that is not known it returns all
// cases of the test.
func failedCases(t emit.Test, subtests []string) []*testcase.Case {
	var out []*testcase.Case
	for i, c := range t.Cases {
		if i < len(t.Rows) && t.Rows[i] != "" && slices.Contains(subtests, gosyntax.SubtestName(t.Rows[i])) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return t.Cases
	}
	return out
}

// casesAt returns the cases of a test whose row or subtest an error of the compiler is in: the cases
// with the nearest name at the line or above it. If there is no name, all cases of the test count.
func casesAt(s *Suite, t emit.Test, b gotest.BuildError) []*testcase.Case {
	for _, f := range s.Files {
		if filepath.Base(f.Path) != filepath.Base(b.Pos.Filename) {
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

// takeSetters takes out the tests of cases that are suspected to set package-level
// variables, if there are any.
func (t *trial) takeSetters(suspected func(*testcase.Case) bool) bool {
	some := false
	for _, f := range t.s.Files {
		for _, test := range f.Tests {
			if slices.ContainsFunc(test.Cases, suspected) {
				t.take(test, "it sets package-level variables that other tests depend on")
				some = true
			}
		}
	}
	return some
}

// disturbs reports whether the package's hand-written tests and those of the suite spoil package-level
// state for one another, and puts the cases of the suite that must go into bad. It runs only if some of
// the suite's tests touch such state and there is time, because hand-written tests may take long.
func (v *verifier) disturbs(ctx context.Context, s *Suite, bad map[*testcase.Case]bool) bool {
	if !v.bench.Stateful() || len(v.Pkg.TestNames) == 0 {
		return false
	}
	replace, err := v.overlay(s)
	if err != nil {
		return false // the run before this one has written the same
	}
	ctx, cancel := context.WithTimeout(ctx, min(time.Until(v.Deadline)/2, 10*time.Second))
	defer cancel()
	res, err := gotest.Run{Dir: v.Pkg.Dir, Tags: v.Config.Tags, Overlay: replace, All: true, Policy: v.Policy, NoVet: v.noVet}.Do(ctx)
	if err != nil {
		v.MarkPartial() // with more time the tests might have been found out
		return false
	}
	if res.OK {
		return false
	}
	t := &trial{v, s, bad}
	some := t.takeSetters(func(c *testcase.Case) bool { return v.bench.Sets(c.Seq) })
	for _, f := range s.Files {
		for _, test := range f.Tests {
			if test.Bug == nil && slices.Contains(res.Failed, test.Name) {
				t.take(test, "it fails after the package's own tests")
				some = true
			}
		}
	}
	return some
}

// refusedByVet notes that go vet refuses the package, and says so the first time.
func (v *verifier) refusedByVet(pos token.Position, said string) {
	v.noVet = true
	v.Events.Send(event.Diagnostic{Pos: pos, Message: "go vet refuses the package, so its tests need go test -vet=off: " + said, Warning: true})
}

// testAt returns the test of the suite that contains a line.
func testAt(s *Suite, b gotest.BuildError) (emit.Test, bool) {
	for _, f := range s.Files {
		if f.Path != b.Pos.Filename && filepath.Base(f.Path) != filepath.Base(b.Pos.Filename) {
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
			return f.Tests[0], true // the error is in imports or helpers, so some test must be taken out
		}
	}
	return emit.Test{}, false
}

// addExistingCoverage sets the coverage of the summary to that of hand-written and written tests
// together, and says which part of it the former have alone.
func (v *verifier) addExistingCoverage() {
	all := testcase.CoverOf(v.chosen.Tests)
	all.Union(v.chosen.Existing)
	had := 0
	v.Summary.StmtsCovered, v.Summary.StmtsTotal = 0, 0
	for i, b := range v.bench.Blocks() {
		v.Summary.StmtsTotal += b.Stmts
		if all.Has(i) {
			v.Summary.StmtsCovered += b.Stmts
		}
		if v.chosen.Existing.Has(i) {
			had += b.Stmts
		}
	}
	v.Summary.SetCoverage()
	if v.Summary.StmtsTotal > 0 {
		percent := 100 * float64(had) / float64(v.Summary.StmtsTotal)
		v.Summary.Before = &percent
	}
}

// readProfile reads the coverage profile that go test wrote. It returns nothing if no test ran.
func (v *verifier) readProfile(name string) ([]event.Block, error) {
	blocks, err := gotest.ReadProfile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []event.Block
	for _, b := range blocks {
		i := slices.IndexFunc(v.Pkg.GoFiles, func(file string) bool { return path.Join(v.Pkg.Path, filepath.Base(file)) == b.File })
		if i < 0 {
			continue // the file is generated while building
		}
		file := v.Pkg.GoFiles[i]
		out = append(out, event.Block{File: file, Line: b.Line, Column: b.Column, EndLine: b.EndLine, EndColumn: b.EndColumn, Stmts: b.Stmts, Covered: b.Covered})
	}
	return out, err
}
