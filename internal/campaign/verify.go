package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/strategy"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// This file makes sure that what is written holds:
//
//  1. The tests are emitted. What does not compile is left out (compile.go), and the rest is laid over the
//     package's directory.
//  2. They run as `go test` will run them, twice, in another order (try.go).
//  3. What fails, flakes, does not compile or disturbs other tests is taken out, and the rest
//     is tried again.
//  4. What has passed is doubted: it runs in other orders, time zones and so on, until it is
//     believed (doubt.go). What fails there goes as well.
//  5. Where the time is over before that has come to an end, what holds of the rest is found out
//     in a few runs (salvage.go).
//  6. The tests that reproduce findings must compile and fail (verifybugs.go).

// maxRounds bounds how often failing tests are taken out and the rest is tried again.
const maxRounds = 8

// patientRounds is after how many rounds of taking tests out each is run by itself.
const patientRounds = 2

// mostFailures is in how many rounds tests of one function may fail before it is given up.
const mostFailures = 2

// repeats is how often each test runs to be believed.
const repeats = 2

// suite is what is to be written. One that was not verified is not written, and has no files.
type suite struct {
	selection
	files     []emit.File
	unwritten []emit.Unwritten
	verified  bool
	profile   []event.Block // of the last run of its tests
}

// verifier finds out which of the tests hold.
type verifier struct {
	*gen
	scope      scope
	bench      *workbench
	chosen     selection             // what was to be written at first
	exhaustive []*bounded.Exhaustive // tests that enumerate, as far as they hold

	work    string                  // a directory for what is laid over the package
	passed  map[*testcase.Case]bool // cases whose tests passed whenever they ran last
	last    *doubter                // of the suite that was doubted last, nil if none was
	ran     bool                    // the tests of the round before have all run to their end
	doubted bool                    // and under all conditions; see doubt.go
	noVet   bool                    // the package builds, and go vet refuses it
	skipOwn bool                    // the package's own test files do not build, and are left out
}

// verify emits the tests and runs them as `go test` will, with the new files laid
// over the package's directory. Tests that fail, flake or do not compile are taken
// out and reported.
func (g *gen) verify(scope scope, bench *workbench, found strategy.Finds, chosen selection) (*suite, error) {
	unverified := &suite{selection: chosen}
	ctx, cancel := g.times(bench).verify()
	defer cancel()
	if !g.reportChanged(scope) {
		return unverified, errNothing
	}
	if g.continues == nil && g.foundLess(scope, found) {
		scope.keepBetter(bench, chosen.Tests, chosen.Findings)
	}
	work, err := os.MkdirTemp("", "assay-suite-")
	if err != nil {
		return unverified, err
	}
	defer os.RemoveAll(work) // a leftover temporary directory harms nobody

	// Tests that were added since notice mutants, and may be disputed as well.
	if chosen.Tests, err = undisputed(ctx, bench, chosen.Findings, chosen.Tests); err != nil {
		return unverified, err
	}
	g.Summary.Rejected, g.Summary.Unreliable = event.Count(0), event.Count(0)
	v := &verifier{gen: g, scope: scope, bench: bench, chosen: chosen, exhaustive: found.Exhaustive, work: work}
	cases := make([]*testcase.Case, len(chosen.Tests))
	for i, c := range chosen.Tests {
		cases[i] = bench.WithRestores(c)
	}
	failed := make(map[string]int) // rounds in which a test of a target failed
	began := time.Now()
	for round := range maxRounds {
		if took := time.Since(began); round > 0 && time.Until(session.DeadlineOf(ctx)) < 2*took {
			cases = v.withoutState(cases) // there is no time to find out which of them disturb one another
		}
		began = time.Now()
		s, compiling, err := v.emitCompiling(cases)
		if err != nil {
			return unverified, err
		}
		cases = compiling
		bad, err := v.try(ctx, s, round > 0)
		switch {
		case errors.Is(err, errOwnTests):
			v.skipOwn = true
			continue
		case errors.Is(err, context.DeadlineExceeded) && v.ran && v.doubted:
			// All of these have passed whatever was tried, in the round before, with others beside
			// them that did not and are gone. That is worth more than nothing.
			v.MarkPartial()
			s.verified = true
			return s, nil
		case errors.Is(err, context.DeadlineExceeded):
			return v.salvage(cases, fmt.Errorf("%s: timed out while the tests were verified: %w", g.Pkg.Path, err))
		case err != nil:
			return unverified, err
		case len(bad) == 0 && !v.skipOwn && v.disturbs(ctx, s, bad):
		case len(bad) == 0 && v.doubts(ctx, s, bad):
		case len(bad) == 0:
			s.verified = true
			return s, v.verifyBugs(ctx, s)
		}
		if round == patientRounds {
			if err := v.spoilThemselves(ctx, s, bad); err != nil && ctx.Err() == nil {
				v.Warn("the tests could not be run one by one: %v", err)
			}
		}
		// A function whose tests fail again and again in other forms is not one to be tested.
		hopeless := make(map[string]bool)
		for c := range bad {
			hopeless[c.Target] = failed[c.Target] >= mostFailures
		}
		for target := range hopeless {
			failed[target]++
		}
		cases = slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return bad[c] || hopeless[c.Target] })
	}
	return v.salvage(cases, fmt.Errorf("%s: tests still fail after %d rounds of taking them out; nothing is written", g.Pkg.Path, maxRounds))
}

// withoutState returns the cases that neither set nor change package-level variables, if there are
// such, else all.
func (v *verifier) withoutState(cases []*testcase.Case) []*testcase.Case {
	out := slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return v.bench.Sets(c.Seq) || v.bench.Changes(c.Seq) })
	if len(out) == len(cases) || len(out) == 0 {
		return cases
	}
	v.MarkPartial()
	v.Warn("%d tests that set or change package-level variables are left out: there is no time to find out which of them disturb others", len(cases)-len(out))
	return out
}

// foundLess reports whether exploration was cut short, so that what was found may be less
// than what an earlier run found.
func (g *gen) foundLess(scope scope, found strategy.Finds) bool {
	if g.Ctx.Err() != nil || found.Cut {
		return true
	}
	for _, x := range found.Explored {
		if errors.Is(x.Err, context.Canceled) || errors.Is(x.Err, context.DeadlineExceeded) {
			return true
		}
	}
	return len(found.Explored) == 0 && len(scope.exported) > 0
}

// emit writes the cases as tests.
func (v *verifier) emit(cases []*testcase.Case) (*suite, error) {
	s := &suite{selection: v.chosen}
	s.Tests = cases
	var err error
	if s.files, s.unwritten, err = emit.Files(v.Pkg, cases, v.chosen.Findings, v.emitConfig(v.chosen)); err != nil {
		return nil, err
	}
	s.files = append(s.files, slices.Concat(exhaustiveFiles(v.Pkg, v.exhaustive), v.fuzzFiles(v.scope, v.chosen.Selection))...)
	s.files = slices.DeleteFunc(s.files, func(f emit.File) bool { return v.scope.earlier.kept[f.Path] })
	s.files = v.carry(v.scope.earlier, s.files, func(string) bool { return true })
	return s, nil
}

// emitConfig ranks the tests that have to fit into the files.
func (v *verifier) emitConfig(ranked selection) emit.Config {
	place, adds := ranked.Rank(len(v.bench.Blocks()))
	return emit.Config{MaxTests: v.cfg.MaxTests, Fset: v.Prog.Fset, MaxLines: v.cfg.MaxLines, Rank: place, Adds: adds,
		ReadsOnly: ranked.ReadsOnly, Calls: func(target string) []words.Call { return ranked.Calls[target] }}
}

// overlay writes the suite's files to work and returns what go test is to see in
// place of the package's directory.
func (v *verifier) overlay(s *suite) (map[string]string, error) {
	replace := make(map[string]string)
	for i, f := range s.files {
		name := filepath.Join(v.work, strconv.Itoa(i)+"_test.go")
		if err := os.WriteFile(name, f.Content, 0o600); err != nil {
			return nil, err
		}
		replace[f.Path] = name
	}
	for _, o := range v.scope.earlier.files {
		if _, ok := replace[o.Name]; !ok && !v.scope.earlier.outlives(o.Name) && !o.Edited {
			replace[o.Name] = "" // it will be gone
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
