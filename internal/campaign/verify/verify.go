package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/campaign/earlier"
	"github.com/goassay/assay/internal/choose"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// maxRounds bounds how often failing tests are taken out and the rest is tried again.
const maxRounds = 8

// patientRounds is after how many rounds of taking tests out each test is run by itself.
const patientRounds = 2

// mostFailures is in how many rounds tests of a function may fail before the function gets no tests.
const mostFailures = 2

// repeats is how often each test has to pass in a round.
const repeats = 2

// Suite has the tests and files to write. A suite that was not verified has no files.
type Suite struct {
	choose.Selection
	Files     []emit.File
	Unwritten []emit.Unwritten
	Verified  bool
	Profile   []event.Block // the coverage profile of the last run of its tests
}

// Config says what is verified in addition to the tests.
type Config struct {
	Earlier    earlier.Files         // the tests in the package's directory
	Exhaustive []*bounded.Exhaustive // tests that enumerate all inputs
	Beside     []emit.File           // files that are written as they are
	// WithEarlier says that only part of the package was done again. The earlier tests that stay then run
	// together with the new ones, so that coverage is that of the final files.
	WithEarlier        bool
	MaxTests, MaxLines int // see emit.Config
	// Waiting says that somebody waits for the result. What is needed if the tests pass is then built while they
	// run for the first time.
	Waiting bool
}

// verifier finds out which of the tests hold.
type verifier struct {
	*session.Session
	cfg        Config
	bench      *session.Bench        // nil where there is nothing to test
	chosen     choose.Selection      // the tests that were chosen
	exhaustive []*bounded.Exhaustive // the exhaustive tests of the configuration that pass

	// replaced are cases that failed, with what they lacked: calls that close their objects, for those that left goroutines, and
	// environment variables that the test takes away.
	replaced map[*testcase.Case]*testcase.Case
	// starting has what mayStart says of each function.
	starting map[string]bool
	// starts has what startingFuncs returns, once it was asked for, and orderly the cases that have passed with goroutines in other orders.
	starts  map[*types.Func]bool
	orderly map[*testcase.Case]bool
	named   map[*testcase.Case]bool // the cases that are written as subtests (see divide)
	work    string                  // a directory for the files to lay over the package
	passed  map[*testcase.Case]bool // the cases whose tests passed when they last ran
	ahead   *ahead                  // what is built ahead, or nil
	last    *doubter                // the doubter of the suite that was doubted last, or nil if none was
	ran     bool                    // the tests of the previous round have all run to their end
	doubted bool                    // the suite has passed under all conditions; see doubt.go
	noVet   bool                    // the package builds, but go vet refuses it
	skipOwn bool                    // the package's own test files do not build, and are left out
	litters bool                    // some test has left files, and what takes its place may do so as well
}

// Tests emits the chosen tests and runs them as `go test` will, with the new files laid over the package's
// directory. Tests that fail, pass only sometimes or do not compile are taken out and reported.
func Tests(ctx context.Context, s *session.Session, bench *session.Bench, chosen choose.Selection, cfg Config) (*Suite, error) {
	unverified := &Suite{Selection: chosen}
	work, err := os.MkdirTemp("", "assay-suite-")
	if err != nil {
		return unverified, err
	}
	defer os.RemoveAll(work) // a leftover temporary directory does no harm
	s.Summary.Rejected, s.Summary.Unreliable = event.Count(0), event.Count(0)
	v := &verifier{Session: s, cfg: cfg, bench: bench, chosen: chosen, exhaustive: cfg.Exhaustive, work: work, replaced: make(map[*testcase.Case]*testcase.Case), starting: make(map[string]bool), orderly: make(map[*testcase.Case]bool), named: make(map[*testcase.Case]bool)}
	defer v.dropAhead()
	suite, err := v.rounds(ctx)
	if suite == nil {
		suite = unverified
	}
	return suite, err
}

// rounds tries the tests, takes out those that fail, and tries the rest again, until a round in which
// none fails. The suite is nil if no test holds.
func (v *verifier) rounds(ctx context.Context) (*Suite, error) {
	cases, err := v.prepared(ctx)
	if err != nil {
		return nil, err
	}
	failed := make(map[string]int) // for each target, the rounds in which one of its tests failed
	began := time.Now()
	for round := range maxRounds {
		if took := time.Since(began); round > 0 && time.Until(session.DeadlineOf(ctx)) < 2*took {
			cases = v.withoutState(cases) // there is no time to find out which of them disturb one another
		}
		began = time.Now()
		s, compiling, err := v.emitCompiling(cases)
		if err != nil {
			return nil, err
		}
		cases = compiling
		bad, err := v.try(ctx, s, round > 0)
		switch {
		case errors.Is(err, errOwnTests):
			v.skipOwn = true
			continue
		case errors.Is(err, context.DeadlineExceeded) && v.ran && v.doubted && !slices.ContainsFunc(cases, func(c *testcase.Case) bool { return !v.inOrder(c) }):
			// All of these tests have passed everything that was tried in the previous round. Tests that
			// failed there have been removed since. To write the rest is better than to write nothing.
			v.MarkPartial()
			s.Verified = true
			return s, nil
		case errors.Is(err, context.DeadlineExceeded):
			return v.salvage(cases, fmt.Errorf("%s: timed out while the tests were verified: %w", v.Pkg.Path, err))
		case err != nil:
			return nil, err
		case len(bad) == 0 && !v.skipOwn && v.disturbs(ctx, s, bad):
		case len(bad) == 0 && v.doubts(ctx, s, bad):
		case len(bad) == 0:
			s.Verified = true
			return s, v.verifyBugs(ctx, s)
		}
		if round == patientRounds {
			if err := v.spoilThemselves(ctx, s, bad); err != nil && ctx.Err() == nil {
				v.Warn("the tests could not be run one by one: %v", err)
			}
		}
		// If a function's tests keep failing in new forms, the function gets no tests.
		hopeless := make(map[string]bool)
		for c := range bad {
			if v.replaced[c] != nil {
				continue
			}
			hopeless[c.Target] = failed[c.Target] >= mostFailures
		}
		for target := range hopeless {
			failed[target]++
		}
		cases = v.without(cases, func(c *testcase.Case) bool { return bad[c] || hopeless[c.Target] })
	}
	return v.salvage(cases, fmt.Errorf("%s: tests still fail after %d rounds of taking them out; nothing is written", v.Pkg.Path, maxRounds))
}

// prepared returns the cases of the chosen tests with what their tests do beside them: variables are put back, and objects
// closed that started goroutines. Cases that leave goroutines in a bubble nevertheless are left out.
func (v *verifier) prepared(ctx context.Context) ([]*testcase.Case, error) {
	cases := make([]*testcase.Case, len(v.chosen.Tests))
	starters := v.starters()
	for i, c := range v.chosen.Tests {
		cases[i] = v.closingAhead(v.bench.WithRestores(c), starters)
		if !leaves(cases[i]) {
			continue
		}
		if closing := v.closing(cases[i]); closing != nil {
			cases[i] = closing
		}
	}
	if err := v.keepEnding(ctx, cases); err != nil {
		return nil, err
	}
	var out []*testcase.Case
	for i, c := range cases {
		if c == nil {
			c = v.bench.WithRestores(v.chosen.Tests[i]) // with its goroutine, which a later step sees
		}
		if leaves(c) && c.Closes == nil {
			event.AddTo(&v.Summary.Unreliable, event.Count(1))
			v.Debug("rejected", "%s leaves goroutines, for which a test in a bubble fails: %s", c.Target, c.Seq)
			continue
		}
		out = append(out, c)
	}
	return out, nil
}

// leaves reports whether a case ended with goroutines in its bubble.
func leaves(c *testcase.Case) bool { return c.Observed != nil && c.Observed.Leaves }

// without returns the cases that are not dropped. A case that closes its objects, or takes variables away, takes the place of
// the one that did not.
func (v *verifier) without(cases []*testcase.Case, dropped func(*testcase.Case) bool) []*testcase.Case {
	var out []*testcase.Case
	for _, c := range cases {
		if better := v.replaced[c]; better != nil {
			out = append(out, better)
		} else if !dropped(c) {
			out = append(out, c)
		}
	}
	return out
}

// withoutState returns the cases that neither set nor change package-level variables. If there are no such
// cases, it returns all cases.
func (v *verifier) withoutState(cases []*testcase.Case) []*testcase.Case {
	out := slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return v.bench.Sets(c.Seq) || v.bench.Changes(c.Seq) })
	if len(out) == len(cases) || len(out) == 0 {
		return cases
	}
	v.MarkPartial()
	v.Warn("%d tests that set or change package-level variables are left out: there is no time to find out which of them disturb others", len(cases)-len(out))
	return out
}

// emit writes the cases as tests.
func (v *verifier) emit(cases []*testcase.Case) (*Suite, error) {
	s := &Suite{Selection: v.chosen}
	s.Tests = cases
	var err error
	if s.Files, s.Unwritten, err = emit.Files(v.Pkg, cases, v.chosen.Findings, v.emitConfig(v.chosen)); err != nil {
		return nil, err
	}
	s.Files = append(s.Files, slices.Concat(exhaustiveFiles(v.Pkg, v.exhaustive), v.cfg.Beside)...)
	s.Files = slices.DeleteFunc(s.Files, func(f emit.File) bool { return v.cfg.Earlier.Kept[f.Path] })
	s.Files = v.cfg.Earlier.Carry(v.Session, s.Files, func(string) bool { return true })
	if s.Files, err = v.cfg.Earlier.Share(v.Session, s.Files); err != nil {
		return nil, err
	}
	return s, nil
}

// emitConfig ranks the tests that have to fit into the files.
func (v *verifier) emitConfig(ranked choose.Selection) emit.Config {
	place, adds := ranked.Rank(len(v.bench.Blocks()))
	bubbles := purity.NewBubbles(v.Pkg)
	return emit.Config{MaxTests: v.cfg.MaxTests, Fset: v.Prog.Fset, MaxLines: v.cfg.MaxLines, Rank: place, Adds: adds,
		Ways:      words.WaysOf(v.Prog.Fset, v.bench.Blocks()),
		Named:     func(c *testcase.Case) bool { return v.named[c] },
		Rests:     func(c *testcase.Case) bool { return bubbles.Rests(v.Prog.Fset, c, v.bench.Blocks()) },
		ReadsOnly: ranked.ReadsOnly, Leaves: v.leaves, Lacks: v.Prog.Lacks, Types: v.typeTest, Calls: func(target string) []words.Call { return ranked.Calls[target] }}
}

// leaves reports whether a call cannot change a field; it is emit.Config.Leaves.
func (v *verifier) leaves(op *testcase.Operation, field *types.Var) bool {
	if op.Func == nil {
		return false
	}
	t := v.Pkg.FirstTargetOf(op.Func)
	return t != nil && t.Func != nil && purity.Leaves(t.Func, field)
}

// typeTest type-checks a test file for package emit; it is emit.Config.Types.
func (v *verifier) typeTest(path string, text []byte) *load.TypedTest {
	return v.Prog.TypeTest(v.Pkg, load.TestSource{Name: path, Content: text})
}

// overlay writes the suite's files to work. It returns, for each file of the package's directory that
// go test is to see differently, the file to use instead.
func (v *verifier) overlay(s *Suite) (map[string]string, error) {
	replace := make(map[string]string)
	for i, f := range s.Files {
		name := filepath.Join(v.work, strconv.Itoa(i)+"_test.go")
		// A file that is as it should be stays untouched, because a build that runs may read it.
		if there, err := os.ReadFile(name); err != nil || !bytes.Equal(there, f.Content) {
			if err := os.WriteFile(name, f.Content, 0o600); err != nil {
				return nil, err
			}
		}
		replace[f.Path] = name
	}
	for _, o := range v.cfg.Earlier.Own {
		if _, ok := replace[o.Name]; !ok && !v.cfg.Earlier.Outlives(o.Name) && !o.Edited {
			replace[o.Name] = "" // the file will be removed
		}
	}
	if v.skipOwn {
		for _, name := range v.Pkg.TestFiles {
			if _, ok := replace[name]; !ok {
				replace[name] = ""
			}
		}
	}
	return replace, nil
}

// AllTests returns all tests that there will be after the run, by file, including the earlier ones that stay.
func (s *Suite) AllTests(old earlier.Files) []gotest.File {
	var out []gotest.File
	add := func(path string, content []byte) {
		f, err := parser.ParseFile(token.NewFileSet(), path, content, parser.SkipObjectResolution)
		if err != nil || strings.HasSuffix(path, files.BugSuffix) {
			return // a file that does not parse is not ours, or go test will report the error
		}
		t := gotest.File{Path: path, Content: content}
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && strings.HasPrefix(fd.Name.Name, "Test") {
				t.Tests = append(t.Tests, fd.Name.Name)
			}
		}
		out = append(out, t)
	}
	for _, f := range s.Files {
		add(f.Path, f.Content)
	}
	for _, o := range old.Own {
		if !o.Edited && old.Outlives(o.Name) && !slices.ContainsFunc(out, func(t gotest.File) bool { return t.Path == o.Name }) {
			add(o.Name, o.Content)
		}
	}
	return out
}
