package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// This file makes sure that what is written holds:
//
//  1. The tests are emitted, and laid over the package's directory.
//  2. They run as `go test` will run them, twice, in another order (try.go).
//  3. What fails, flakes, does not compile or disturbs other tests is taken out, and the rest
//     is tried again.
//  4. The tests that reproduce findings must compile and fail (verifybugs.go).

// maxRounds bounds how often failing tests are taken out and the rest is tried again.
const maxRounds = 8

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
}

// verifier finds out which of the tests hold.
type verifier struct {
	*gen
	scope      scope
	bench      *workbench
	chosen     selection             // what was to be written at first
	exhaustive []*bounded.Exhaustive // tests that enumerate, as far as they hold

	work    string // a directory for what is laid over the package
	noVet   bool   // the package builds, and go vet refuses it
	skipOwn bool   // the package's own test files do not build, and are left out
}

// verify emits the tests and runs them as `go test` will, with the new files laid
// over the package's directory. Tests that fail, flake or do not compile are taken
// out and reported.
func (g *gen) verify(scope scope, bench *workbench, found finds, chosen selection) (*suite, error) {
	unverified := &suite{selection: chosen}
	ctx, cancel := g.times(bench).verify()
	defer cancel()
	if !g.reportChanged(scope) {
		return unverified, errNothing
	}
	if g.foundLess(scope, found) {
		scope.keepBetter(bench, chosen.verdicts)
	}
	work, err := os.MkdirTemp("", "assay-suite-")
	if err != nil {
		return unverified, err
	}
	defer os.RemoveAll(work) // a leftover temporary directory harms nobody

	// Tests that were added since notice mutants, and may be disputed as well.
	if chosen.tests, err = undisputed(ctx, bench, chosen.findings, chosen.tests); err != nil {
		return unverified, err
	}
	v := &verifier{gen: g, scope: scope, bench: bench, chosen: chosen, exhaustive: found.exhaustive, work: work}
	cases := make([]*testcase.Case, len(chosen.tests))
	for i, c := range chosen.tests {
		cases[i] = bench.WithRestores(c)
	}
	failed := make(map[string]int) // rounds in which a test of a target failed
	for round := range maxRounds {
		s, err := v.emit(cases)
		if err != nil {
			return unverified, err
		}
		bad, err := v.try(ctx, s, round > 0)
		switch {
		case errors.Is(err, errOwnTests):
			v.skipOwn = true
			continue
		case errors.Is(err, context.DeadlineExceeded):
			return unverified, fmt.Errorf("%s: timed out while the tests were verified: %w", g.Pkg.Path, err)
		case err != nil:
			return unverified, err
		case len(bad) == 0 && !v.skipOwn && v.disturbs(ctx, s, bad):
		case len(bad) == 0:
			s.verified = true
			return s, v.verifyBugs(ctx, s)
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
	return unverified, fmt.Errorf("%s: tests still fail after %d rounds of taking them out; nothing is written", g.Pkg.Path, maxRounds)
}

// foundLess reports whether exploration was cut short, so that what was found may be less
// than what an earlier run found.
func (g *gen) foundLess(scope scope, found finds) bool {
	if g.Ctx.Err() != nil || found.cut {
		return true
	}
	for _, x := range found.explored {
		if errors.Is(x.Err, context.Canceled) || errors.Is(x.Err, context.DeadlineExceeded) {
			return true
		}
	}
	return len(found.explored) == 0 && len(scope.exported) > 0
}

// emit writes the cases as tests.
func (v *verifier) emit(cases []*testcase.Case) (*suite, error) {
	s := &suite{selection: v.chosen}
	s.tests = cases
	var err error
	if s.files, s.unwritten, err = emit.Files(v.Pkg, cases, v.chosen.findings, v.emitConfig(v.chosen)); err != nil {
		return nil, err
	}
	s.files = append(s.files, slices.Concat(exhaustiveFiles(v.Pkg, v.exhaustive), v.fuzzFiles(v.scope, v.chosen.verdicts))...)
	s.files = slices.DeleteFunc(s.files, func(f emit.File) bool { return v.scope.earlier.kept[f.Path] })
	s.files = v.carry(v.scope.earlier, s.files, func(string) bool { return true })
	return s, nil
}

// emitConfig ranks the tests that have to fit into the files.
func (v *verifier) emitConfig(ranked selection) emit.Config {
	place, adds := ranked.rankTests(len(v.bench.Blocks()))
	return emit.Config{MaxTests: v.cfg.MaxTests, Fset: v.Prog.Fset, MaxLines: v.cfg.MaxLines, Rank: place, Adds: adds,
		ReadsOnly: ranked.readsOnly, Calls: func(target string) []words.Call { return ranked.calls[target] }}
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
