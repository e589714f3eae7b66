package mutate

import (
	"context"
	"fmt"
	"go/ast"
	"io"
	"slices"
	"time"

	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/testcase"
)

// Config says which mutants to make and how to run them. The zero value works.
type Config struct {
	// Suite has the test files whose tests Analysis.Suite runs. Without a suite only cases can be run.
	Suite []gotest.File
	// Needs has the operations of the sequences that are to be run, see native.Config.
	Needs []*testcase.Operation
	// Funcs reports for which functions, by Target.Name, mutants are wanted; nil means all.
	Funcs func(name string) bool
	// MaxMutants bounds how many mutants are run, taken evenly over the source; 0 means
	// 5,000.
	MaxMutants int
	// CaseTimeout is the processor time that a case or a test may take with a mutant on; 0 means 300
	// ms. Loops are cut earlier, by the number of their turns.
	CaseTimeout time.Duration

	// Stateful says that the package changes package-level variables of its own. State left by an
	// earlier mutant may then hide a mutant or seem to show one, so each mutant gets processes of its
	// own, which costs some ten milliseconds each.
	Stateful bool

	// Changes reports whether a sequence changes package-level variables. Such cases are run against no
	// mutant, and the others need no processes of their own, whatever Stateful says. Nil means that it is not
	// known which sequences do.
	Changes func(*testcase.Sequence) bool

	Tags    string
	Confine guard.Mode // what to do if the system cannot confine the tests
	Log     io.Writer  // receives a line for each build and each process; nil drops them
}

// Analysis is a package with its mutants, built and ready to run. Its methods must not
// be called from several goroutines.
type Analysis struct {
	pkg     *load.Package
	harness *native.Harness
	mutants []Mutant
	tests   []string // the names of the suite's tests, by number
	wanted  []bool   // which mutants are to be run, by ID

	stateful  bool
	changes   func(*testcase.Sequence) bool
	unordered map[string]bool // functions that go through a map, by Target.Name

	lasting bool // nothing that a run leaves behind can affect later runs in the same process, unless it has spoiled some state
	spoiled bool // a run in the present process has spoiled some state
	ran     int  // how many jobs the present process has run

	costly map[costlyRun][]*testcase.Outcome // what runs came to that take much longer than others
}

// costlyRun is a run of a sequence against a mutant that takes until its time is over, or takes a process of its own. Choosing
// tests asks about the same sequences several times, so the outcomes of these runs are kept.
type costlyRun struct {
	seq *testcase.Sequence
	id  int
}

// mostInProcess is how many jobs a process runs before another one takes its place, which frees what the jobs
// have left.
const mostInProcess = 2000

// renew has the next jobs, so many of them, run in a new process if that is needed. To start a process costs as much as some
// hundred runs of small cases, and many questions are about few cases.
func (a *Analysis) renew(jobs int) {
	if a.lasting && !a.spoiled && a.ran+jobs <= mostInProcess {
		a.ran += jobs
		return
	}
	a.harness.Fresh()
	a.spoiled, a.ran = false, jobs
}

// Build rewrites the package, builds it once, and starts it. An error comes from native.Build, or says why
// the suite's files or the package do not compile.
func Build(ctx context.Context, prog *load.Program, pkg *load.Package, cfg Config) (*Analysis, error) {
	sources := map[*ast.File][]byte{}
	for _, f := range pkg.Syntax {
		name := prog.Fset.File(f.FileStart).Name()
		if !slices.Contains(pkg.GoFiles, name) {
			continue
		}
		src, err := prog.Source(name)
		if err != nil {
			return nil, err
		}
		if len(src) != prog.Fset.File(f.FileStart).Size() {
			return nil, fmt.Errorf("%s: changed since it was loaded", name)
		}
		sources[f] = src
	}
	s := newSchemata(prog, pkg, sources, cfg.Funcs)
	timeout := cfg.CaseTimeout
	if timeout <= 0 {
		timeout = 300 * time.Millisecond
	}
	h, err := native.Build(ctx, prog, pkg, native.Config{
		Tags: cfg.Tags, Confine: cfg.Confine, Log: cfg.Log, CaseTimeout: timeout, Rewriter: s, Suite: cfg.Suite, Needs: cfg.Needs,
	})
	if err != nil {
		return nil, err
	}
	a := &Analysis{pkg: pkg, costly: make(map[costlyRun][]*testcase.Outcome), harness: h, tests: h.Tests(), stateful: cfg.Stateful, changes: cfg.Changes, unordered: s.w.unordered, lasting: !cfg.Stateful && !pkg.StartsGoroutines()}
	for _, x := range s.w.sites {
		a.mutants = append(a.mutants, x.mutants...)
	}
	a.wanted = spread(len(a.mutants), cfg.MaxMutants)
	return a, nil
}

// spread chooses at most the given number of n mutants, evenly over the source. The result is by ID.
func spread(n, most int) []bool {
	if most <= 0 {
		most = 5000
	}
	out := make([]bool, n+1)
	for i := range n {
		out[i+1] = n <= most || i*most/n != (i+1)*most/n
	}
	return out
}

// Close ends the processes and removes the built files.
func (a *Analysis) Close() error { return a.harness.Close() }

// Mutants returns the mutants in the order of their IDs, which begin with 1. The caller must not change them.
func (a *Analysis) Mutants() []Mutant { return a.mutants }

// Verdict is the result for a mutant.
type Verdict struct {
	Mutant  Mutant
	Run     bool // the mutant was to be run, and there was time for it
	Covered bool // some case or test reaches the mutant
	Killed  bool // some case or test notices the mutant
	// By has the numbers of the cases or tests that notice the mutant, in their order. It has only the first
	// of them unless Options.All is set.
	By []int
	// How says what the first of them noticed: "result", "argument", "panic", "no panic", "hang", "crash",
	// "assertion", "test".
	How string
}

// Options restrict a question to the Analysis.
type Options struct {
	// All asks for every case or test that kills a mutant, not only the first.
	All bool
	// Only reports for which mutants, by ID, verdicts are wanted; nil means all.
	Only func(id int) bool
	// Most bounds how many cases that kill a mutant are looked for, if All is set. Once a round has reached
	// this number the remaining cases are not run. 0 means no bound.
	Most int
	// Pair reports whether it matters if case k kills the mutant with this ID. Nil means that it always does.
	Pair func(k, id int) bool
	// Same compares the outcomes without and with a mutant, and returns how they differ, or "" if they do
	// not. Nil means [Noticed]. Suites do not use it.
	Same func(base, got *testcase.Outcome) string
	// Public asks for what users of the package can see: unexported fields of objects are not compared (see [Public]).
	// Suites do not use it.
	Public bool
	// Noticed is called for each case that notices a mutant, with the case's number, the mutant's ID,
	// and the outcomes without and with the mutant. It may be nil.
	Noticed func(k, id int, base, got *testcase.Outcome)
}

// Cases runs the cases against the mutants that they reach. Values that differ from run to run are
// Opaque in the outcome without a mutant, and kill nothing. Verdicts are sorted by ID. When the context
// ends, Cases returns the verdicts so far with the context's error.
func (a *Analysis) Cases(ctx context.Context, cases []*testcase.Case, opt Options) ([]Verdict, error) {
	seqs := make([]*testcase.Sequence, len(cases))
	for i, c := range cases {
		seqs[i] = c.Seq
	}
	base, err := a.unmutated(ctx, seqs)
	if err != nil {
		return a.verdicts(), err
	}
	for i, o := range base {
		if o != nil && o.Status != testcase.NotRun && opt.Same == nil {
			base[i] = Visible(cases[i], o)
			if opt.Public {
				base[i] = Public(a.pkg, cases[i], base[i])
			}
		}
	}
	differ := func(k int, base, got *testcase.Outcome) string {
		if opt.Same != nil {
			return opt.Same(base, got)
		}
		return Noticed(cases[k], base, got)
	}
	usable := func(i int) bool {
		o := base[i]
		return (o.Status == testcase.Returned || o.Status == testcase.Panicked) && o.Violated == ""
	}
	r := &runner{Analysis: a, seqs: seqs, base: base, capture: native.CaptureAll, usable: usable, differ: differ, opt: opt,
		own: func(k int) string { return cases[k].Target }, apart: a.stateful && a.changes == nil}
	return r.run(ctx)
}

// unmutated runs sequences twice with no mutant on. Sequences that change package-level variables are not
// run, because the others would see the changes.
func (a *Analysis) unmutated(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	var clean []*testcase.Sequence
	var at []int
	for i, s := range seqs {
		if a.changes == nil || !a.changes(s) {
			clean, at = append(clean, s), append(at, i)
		}
	}
	outcomes, err := a.harness.RunTwice(ctx, clean)
	out := make([]*testcase.Outcome, len(seqs))
	for i := range out {
		out[i] = &testcase.Outcome{}
	}
	for k, o := range outcomes {
		out[at[k]] = o
	}
	return out, err
}

// Kills returns for each case the IDs of the mutants that it kills, in the form that package reduce
// needs.
func (a *Analysis) Kills(ctx context.Context, cases []*testcase.Case) ([][]int, error) {
	verdicts, err := a.Cases(ctx, cases, Options{All: true})
	if err != nil {
		return nil, err
	}
	out := make([][]int, len(cases))
	for _, v := range verdicts {
		for _, k := range v.By {
			out[k] = append(out[k], v.Mutant.ID)
		}
	}
	return out, nil
}

// Reached returns for each case the IDs of the mutants that it reaches.
func (a *Analysis) Reached(ctx context.Context, cases []*testcase.Case) ([][]int, error) {
	jobs := make([]native.Job, len(cases))
	for i, c := range cases {
		jobs[i] = native.Job{Seq: c.Seq}
	}
	outcomes, err := a.harness.RunJobs(ctx, jobs, native.CaptureNone)
	if err != nil {
		return nil, err
	}
	out := make([][]int, len(cases))
	for i, o := range outcomes {
		for _, m := range a.mutants {
			if o != nil && o.Cover.Has(m.site) {
				out[i] = append(out[i], m.ID)
			}
		}
	}
	return out, nil
}

// Tests returns the names of the suite's tests by their numbers.
func (a *Analysis) Tests() []string { return a.tests }

// Suite runs the tests of Config.Suite against the mutants that they reach. Tests that fail without a
// mutant kill nothing.
func (a *Analysis) Suite(ctx context.Context, opt Options) ([]Verdict, error) {
	seqs := make([]*testcase.Sequence, len(a.tests))
	for i := range a.tests {
		seqs[i] = a.harness.Suite(i)
	}
	jobs := make([]native.Job, len(seqs))
	for i, s := range seqs {
		jobs[i] = native.Job{Seq: s}
	}
	base, err := a.harness.RunJobs(ctx, jobs, native.CaptureNone)
	if err != nil {
		return a.verdicts(), err
	}
	usable := func(i int) bool { return base[i].Status == testcase.Returned }
	differ := func(_ int, base, got *testcase.Outcome) string {
		if how := ending(got); got.Status != base.Status {
			return how
		}
		return ""
	}
	r := &runner{Analysis: a, seqs: seqs, base: base, capture: native.CaptureNone, usable: usable, differ: differ, opt: opt, apart: a.stateful}
	return r.run(ctx)
}

// Restrict leaves out the mutants for which keep is false, from now on.
func (a *Analysis) Restrict(keep func(id int) bool) {
	for id := range a.wanted {
		a.wanted[id] = a.wanted[id] && keep(id)
	}
}

func (a *Analysis) verdicts() []Verdict {
	out := make([]Verdict, len(a.mutants))
	for i, m := range a.mutants {
		out[i].Mutant = m
	}
	return out
}

// Score is the sum of verdicts.
type Score struct {
	Mutants int // mutants that were run, or that nothing reaches
	Covered int // mutants that a test reaches
	Killed  int // mutants that a test notices
}

// Percent is killed / mutants in percent, or 0 if there are no mutants.
func (s Score) Percent() float64 {
	if s.Mutants == 0 {
		return 0
	}
	return 100 * float64(s.Killed) / float64(s.Mutants)
}

// OfCovered is killed / covered in percent, or 0 if no mutant is covered.
func (s Score) OfCovered() float64 {
	if s.Covered == 0 {
		return 0
	}
	return 100 * float64(s.Killed) / float64(s.Covered)
}

// Sum returns the score of verdicts.
func Sum(vs []Verdict) Score {
	var s Score
	for _, v := range vs {
		if !v.Run {
			continue
		}
		s.Mutants++
		if v.Covered {
			s.Covered++
		}
		if v.Killed {
			s.Killed++
		}
	}
	return s
}
