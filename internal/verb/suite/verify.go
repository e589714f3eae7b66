package suite

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Proposal is a new test file, or a new version of an existing one.
type Proposal struct {
	File    string // the name within the package's directory: "x_test.go"
	Content []byte
}

// repeats is how often each test runs to be believed.
const repeats = 3

// Verify says what a proposed test file is worth for the package in cfg.Dir. Faults of the proposal are
// part of the answer; an error means that there is no answer.
func Verify(ctx context.Context, cfg session.Config, p Proposal) (event.Trial, error) {
	var trial event.Trial
	if filepath.Base(p.File) != p.File || !strings.HasSuffix(p.File, "_test.go") {
		return trial, session.UsageError(fmt.Sprintf("%q: want the name of a test file, without a directory: x_test.go", p.File))
	}
	cfg.Patterns = []string{"."}
	done := false
	var problem *event.Diagnostic
	told := cfg.Events
	cfg.Events = func(e event.Event) {
		if d, ok := e.(event.Diagnostic); ok && !d.Warning && problem == nil {
			problem = &d
		}
		if told != nil {
			told(e)
		}
	}
	_, err := session.Each(ctx, cfg, session.Verb{Name: "verify", Do: func(s *session.Session) error {
		v := &verification{Session: s, file: filepath.Join(s.Pkg.Dir, p.File), content: p.Content}
		err := v.run()
		trial, done = v.Trial, err == nil
		return err
	}})
	switch {
	case err != nil:
		return trial, err
	case ctx.Err() != nil:
		return trial, ctx.Err()
	case done:
		return trial, nil
	case problem != nil:
		return trial, errors.New(strings.TrimPrefix(problem.Pos.String()+": ", "-: ") + problem.Message)
	}
	return trial, errors.New("timed out before anything was known")
}

// verification is the work on one proposal.
type verification struct {
	*session.Session
	event.Trial
	file    string
	content []byte
	names   []string
}

func (v *verification) run() error {
	v.Trial = event.Trial{Package: v.Pkg.Path, File: v.file}
	f, err := parser.ParseFile(token.NewFileSet(), v.file, v.content, parser.SkipObjectResolution)
	if err != nil {
		v.Problems = append(v.Problems, session.OneLine(err.Error()))
		return nil
	}
	if name := f.Name.Name; name != v.Pkg.Name && name != v.Pkg.Name+"_test" {
		v.Problems = append(v.Problems, fmt.Sprintf("package %s; want %s or %s_test", name, v.Pkg.Name, v.Pkg.Name))
		return nil
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && isTest(d) {
			v.names = append(v.names, d.Name.Name)
		}
	}
	if len(v.names) == 0 {
		v.Problems = append(v.Problems, "it declares no test function")
		return nil
	}
	if err := v.test(); err != nil || !v.Passes() {
		return err
	}
	return v.weigh()
}

// isTest reports whether go test takes a function for a test.
func isTest(d *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(d.Name.Name, "Test")
	if !ok || d.Recv != nil || d.Name.Name == "TestMain" || d.Type.Params.NumFields() != 1 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(first)
}

// test runs the tests as go test will.
func (v *verification) test() error {
	v.Events.Send(event.Progress{Package: v.Pkg.Path, Stage: "verify"})
	work, err := os.MkdirTemp("", "assay-verify-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) // a leftover temporary directory does no harm
	name := filepath.Join(work, "x_test.go")
	if err := os.WriteFile(name, v.content, 0o600); err != nil {
		return err
	}
	run := gotest.Run{
		Dir: v.Pkg.Dir, Tags: v.Config.Tags, Overlay: map[string]string{v.file: name}, Names: v.names,
		Count: repeats, Shuffle: v.Config.Seed + 1, Policy: v.Policy,
	}
	res, err := run.Do(v.Ctx)
	if err != nil {
		return err
	}
	for _, b := range res.Build {
		b.Pos.Filename = filepath.Base(b.Pos.Filename)
		v.Problems = append(v.Problems, b.String())
	}
	if len(res.Build) > 0 {
		return nil
	}
	for _, name := range v.names {
		t := event.TrialTest{Name: name, Verdict: "passes"}
		failed := slices.Contains(res.Failed, name)
		switch {
		case failed && res.Passed[name]:
			t.Verdict, t.Said = "flaky", gotest.Failure(res.Output[name])
		case failed:
			t.Verdict, t.Said = "fails", gotest.Failure(res.Output[name])
		case !res.Passed[name]:
			t.Verdict = "does not run"
		}
		v.Tests = append(v.Tests, t)
	}
	return nil
}

// weigh finds out what the file covers and notices beyond the others.
func (v *verification) weigh() error {
	others, err := presentTests(v.Session, v.file)
	if err != nil {
		return err
	}
	v.Events.Send(event.Progress{Package: v.Pkg.Path, Stage: "mutate"})
	bench, err := v.Build(v.Ctx, session.BenchConfig{})
	if err != nil {
		return err
	}
	stateful := bench.Stateful()
	bench.Close()
	proposed := gotest.File{Path: v.file, Content: v.content, Tests: v.names}
	a, err := mutate.Build(v.Ctx, v.Prog, v.Pkg, mutantConfig(v.Session, stateful, append(slices.Clone(others), proposed)))
	if build := (*native.BuildError)(nil); errors.As(err, &build) && len(others) > 0 {
		v.Alone = "the other test files do not build in a harness: " + session.OneLine(err.Error())
		others = nil
		a, err = mutate.Build(v.Ctx, v.Prog, v.Pkg, mutantConfig(v.Session, stateful, []gotest.File{proposed}))
	}
	if err != nil {
		return err
	}
	defer a.Close() // an error leaves only temporary files behind
	verdicts, err := a.Suite(v.Ctx, mutate.Options{All: true})
	if err != nil {
		return err
	}
	v.countMutants(a.Tests(), verdicts)
	return v.cover(append(others, proposed))
}

// own reports whether a test is one of the proposed ones, which come last.
func (v *verification) own(tests []string, i int) bool { return i >= len(tests)-len(v.names) }

func (v *verification) countMutants(tests []string, verdicts []mutate.Verdict) {
	mutants, before, after := 0, 0, 0
	for _, x := range verdicts {
		if !x.Run {
			continue
		}
		mutants++
		if !x.Killed {
			continue
		}
		after++
		if slices.ContainsFunc(x.By, func(i int) bool { return !v.own(tests, i) }) {
			before++
			continue
		}
		v.Adds = append(v.Adds, mutate.EventOf(v.Pkg.Path, tests, x))
	}
	v.Mutants, v.KilledBefore, v.KilledAfter = &mutants, &before, &after
}

// cover finds out which blocks and outcomes the file covers and the others do not.
func (v *verification) cover(suite []gotest.File) error {
	outcomes, blocks, err := v.RunSuite(v.Ctx, session.SuiteConfig{Files: suite, Tags: v.Config.Tags})
	if err != nil {
		return err
	}
	var before, after testcase.Cover
	for i, o := range outcomes {
		if o == nil || o.Status != testcase.Returned {
			continue
		}
		after.Union(o.Cover)
		if i < len(outcomes)-len(v.names) {
			before.Union(o.Cover)
		}
	}
	all, had, have := 0, 0, 0
	for i, b := range blocks {
		all += b.Stmts
		if before.Has(i) {
			had += b.Stmts
		}
		if after.Has(i) {
			have += b.Stmts
		}
		if before.Has(i) || !after.Has(i) || b.Func == "" {
			continue
		}
		if b.Text != "" {
			v.Outcomes = append(v.Outcomes, event.Step{Pos: b.Pos.String(), Text: fmt.Sprintf("%s is %t", b.Text, b.Value)})
		} else if b.Stmts > 0 {
			v.Lines = append(v.Lines, fmt.Sprintf("%s:%d", b.Pos.Filename, b.Pos.Line))
		}
	}
	if all > 0 {
		p, q := 100*float64(had)/float64(all), 100*float64(have)/float64(all)
		v.CoverageBefore, v.CoverageAfter = &p, &q
	}
	return nil
}
