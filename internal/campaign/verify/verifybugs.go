package verify

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/testcase"
)

// verifyBugs checks that the tests of findings compile and fail, each in a process of its own because a
// panic ends the process. If such a test passes, the finding came from limits of the harness and not
// from the code, and is dropped.
func (v *verifier) verifyBugs(ctx context.Context, s *Suite) error {
	bugs := s.bugTests()
	if len(bugs) == 0 {
		return nil
	}
	replace, err := v.overlay(s)
	if err != nil {
		return err
	}
	binary := filepath.Join(v.work, "bugs.test")
	if err := v.buildBugs(ctx, s, replace, binary); err != nil {
		if !v.skipOwn && ctx.Err() == nil {
			// No test has passed yet, so it is not known whether the package's own tests are at fault.
			v.skipOwn = true
			return v.verifyBugs(ctx, s)
		}
		t, ok := bugAt(s, replace, err)
		if !ok || ctx.Err() != nil {
			return fmt.Errorf("the tests that reproduce findings do not compile: %w", err)
		}
		// A mistake of ours in one of these tests must not cost the others.
		v.Events.Send(event.Diagnostic{Pos: t.Bug.Pos, Message: fmt.Sprintf("%s %s: it has no test, because the test that was written does not compile: %v", t.Bug.Func, t.Bug.Message, err), Warning: true})
		s.Findings = slices.DeleteFunc(s.Findings, func(f *testcase.Finding) bool { return f == t.Bug })
		if err := v.emitBugs(s); err != nil {
			return err
		}
		return v.verifyBugs(ctx, s)
	}
	passed, err := v.passingBugs(ctx, bugs, binary)
	if err != nil || len(passed) == 0 {
		return err
	}
	for _, f := range passed {
		if f.Kind == "assertion" {
			// The condition was seen to be false where it stands.
			f.NoTest = "a test cannot see it: let the function that asserts panic behind the build tag " + testfile.BugTag
			v.Events.Send(event.Diagnostic{Pos: f.Pos, Message: fmt.Sprintf("%s %s: %s", f.Func, f.Message, f.NoTest), Warning: true})
		}
	}
	s.Findings = slices.DeleteFunc(s.Findings, func(f *testcase.Finding) bool { return f.NoTest == "" && slices.Contains(passed, f) })
	return v.emitBugs(s)
}

// bugTests returns the tests that reproduce findings.
func (s *Suite) bugTests() []emit.Test {
	var bugs []emit.Test
	for _, f := range s.Files {
		if strings.HasSuffix(f.Path, files.BugSuffix) {
			bugs = append(bugs, f.Tests...)
		}
	}
	return bugs
}

// buildBugs builds the tests of findings. If vet refuses code that is not ours, it builds them without
// vet.
func (v *verifier) buildBugs(ctx context.Context, s *Suite, replace map[string]string, binary string) error {
	build := func(noVet bool) error {
		return gotest.Run{Dir: v.Pkg.Dir, Tags: gotest.WithTag(v.Config.Tags, testfile.BugTag), Overlay: replace, NoVet: noVet}.Build(ctx, v.work, binary)
	}
	err := build(v.noVet)
	if err != nil && !v.noVet {
		if _, ours := bugAt(s, replace, err); !ours && build(true) == nil {
			v.refusedByVet(token.Position{}, err.Error())
			err = nil
		}
	}
	return err
}

// bugTimeout is how long the test of a finding may take. It is more than the ten seconds after which the test
// itself says that a call does not return.
const bugTimeout = 20 * time.Second

// bugsAtOnce is how many tests of findings run side by side. The tests of calls that do not return wait for ten
// seconds each.
const bugsAtOnce = 4

// passingBugs runs the tests and returns the findings whose tests pass.
func (v *verifier) passingBugs(ctx context.Context, bugs []emit.Test, binary string) ([]*testcase.Finding, error) {
	var passed []*testcase.Finding
	b := gotest.Binary{Name: binary, Dir: v.Pkg.Dir, Tmp: filepath.Join(v.work, "tmp"), Policy: v.Policy}
	shown, ran := make([]bool, len(bugs)), make([]bool, len(bugs))
	var all errgroup.Group
	all.SetLimit(bugsAtOnce)
	for i, t := range bugs {
		all.Go(func() (err error) {
			shown[i], err = v.shows(ctx, b, t)
			ran[i] = err == nil && ctx.Err() == nil
			return err
		})
	}
	err := all.Wait()
	if ctx.Err() != nil {
		v.MarkPartial() // the tests compile, and the findings of those that have not run were observed natively
	} else if err != nil {
		return nil, fmt.Errorf("the tests that reproduce findings cannot be run: %w", err)
	}
	for i, t := range bugs {
		if shown[i] || !ran[i] {
			continue
		}
		passed = append(passed, t.Bug)
		v.Debug("stages", "%s: %s does not show it: %s %s", v.Pkg.Path, t.Name, t.Bug.Func, t.Bug.Message)
	}
	return passed, nil
}

// mostTries is how often the test of a finding runs if the finding ends the process. When another goroutine
// panics, the test may be over before the process ends.
const mostTries = 8

// shows reports whether the test of a finding reproduces it.
func (v *verifier) shows(ctx context.Context, b gotest.Binary, t emit.Test) (bool, error) {
	tries := 1
	if o := t.Bug.Case.Observed; o != nil && o.Status == testcase.Died {
		tries = mostTries
	}
	for range tries {
		res, err := b.Try(ctx, gotest.Trial{Names: []string{t.Name}, Timeout: bugTimeout})
		if err == nil && reproduces(t.Bug, t.Name, res) {
			return true, nil
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return false, err
		}
	}
	return false, nil
}

// reproduces reports whether the test of a finding failed because of it: the test says so, or the runtime
// ends the process while the test runs. A test that takes too long reproduces only findings about calls that
// do not return. A process that ended in another way reproduces nothing.
func reproduces(f *testcase.Finding, name string, res *gotest.Result) bool {
	switch {
	case !slices.Contains(res.Failed, name):
		return false
	case res.Hung:
		return f.Kind == "hang" || f.Kind == "deadlock"
	case !slices.Contains(res.Died, name):
		return true
	}
	return slices.ContainsFunc(res.Output[name], func(line string) bool {
		return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "runtime: ")
	})
}

// bugAt returns the test of a finding that contains an error of the compiler. replace says which files
// are laid over the package.
func bugAt(s *Suite, replace map[string]string, err error) (emit.Test, bool) {
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

// emitBugs writes the suite's files of findings anew. The other files stay as they were when they were
// verified.
func (v *verifier) emitBugs(s *Suite) error {
	emitted, _, err := emit.Files(v.Pkg, s.Tests, s.Findings, v.emitConfig(s.Selection))
	if err != nil {
		return err
	}
	isBug := func(name string) bool { return strings.HasSuffix(name, files.BugSuffix) }
	s.Files = slices.DeleteFunc(s.Files, func(f emit.File) bool { return isBug(f.Path) })
	emitted = slices.DeleteFunc(emitted, func(f emit.File) bool { return !isBug(f.Path) || v.cfg.Earlier.Kept[f.Path] })
	if emitted, err = v.cfg.Earlier.ShareMore(v.Session, v.cfg.Earlier.Carry(v.Session, emitted, isBug), s.Files); err != nil {
		return err
	}
	s.Files = append(s.Files, emitted...)
	return nil
}
