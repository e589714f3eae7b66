package session

import (
	"context"
	"slices"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// Bench is a package's harness, with everything needed to run cases in it and to judge them.
type Bench struct {
	// Harness is for engines that run cases themselves, and for its block numbers; all other code runs
	// cases by the methods of Bench.
	Harness *native.Harness
	// Judge decides what a case is that has run.
	Judge finding.Judge
	// BuildTime is how long building the harness took. It is the estimate of how long go test will take.
	BuildTime time.Duration

	s     *Session
	state state
	pure  func(*testcase.Operation) bool // calls that change nothing which outlives them
}

// BenchConfig says what the harness has in addition to what every case needs.
type BenchConfig struct {
	Checks []*testcase.Check     // contracts that sequences may check
	Needs  []*testcase.Operation // operations that an engine will call
}

// Build builds the package's harness.
func (s *Session) Build(ctx context.Context, cfg BenchConfig) (*Bench, error) {
	b := &Bench{s: s, state: packageState(s.Pkg), pure: purity.New(s.Prog).PureCalls(s.Pkg)}
	start := time.Now()
	var err error
	b.Harness, err = native.Build(ctx, s.Prog, s.Pkg, native.Config{Tags: s.Config.Tags, Confine: s.Config.Confine, Overlay: s.Config.Overlay, Checks: cfg.Checks, Needs: cfg.Needs, Refuse: s.refuses, Log: s.debugLog("native")})
	b.BuildTime = time.Since(start)
	b.BuildTime -= s.Config.uncounted(b.BuildTime)
	if err != nil {
		return nil, err
	}
	b.Judge = finding.Judge{Rules: s.Rules, Machine: machineBlocks(s.Prog, s.Pkg, b.Harness.Blocks()),
		Network: transportBlocks(s.Prog, s.Pkg, b.Harness.Blocks()), Args: argsBlocks(s.Prog, s.Pkg, b.Harness.Blocks()), Workspace: b.Harness.Workspace()}
	return b, nil
}

// Prepare runs f, which has the go command compile what the package imports. Then it moves the deadline by the part of the
// time which that took that does not count (see Config.FirstBuild). The context of f allows for that part.
func (s *Session) Prepare(f func(context.Context) error) error {
	if s.Config.FirstBuild == 0 {
		return f(s.Ctx)
	}
	start := time.Now()
	ctx, stop := context.WithDeadline(s.User, s.Deadline.Add(s.Config.FirstBuild))
	defer stop()
	err := f(ctx)
	took := time.Since(start)
	if part := s.Config.uncounted(took); part > 0 {
		s.Warn("compiling what it imports took %s, most of which does not count for the timeout; the next run finds it in the build cache", took.Round(time.Second))
		s.uncounted += part
		s.Deadline = s.Deadline.Add(part)
		s.cancel()
		s.Ctx, s.cancel = context.WithDeadline(s.User, s.Deadline)
	}
	return err
}

// Close ends the harness's processes. A nil bench has none.
func (b *Bench) Close() {
	if b == nil {
		return
	}
	if err := b.Harness.Close(); err != nil {
		b.s.Warn("%v", err)
	}
}

// Blocks returns the blocks that the harness counts. A nil bench has none.
func (b *Bench) Blocks() []testcase.Block {
	if b == nil {
		return nil
	}
	return b.Harness.Blocks()
}

// Uncovered reports whether part of a function is not in cover.
func (b *Bench) Uncovered(t *load.Target, cover testcase.Cover) bool {
	for i, k := range b.Harness.Blocks() {
		if k.Func == t.Name && !cover.Has(i) {
			return true
		}
	}
	return false
}

// Open returns, by the names of functions, how many of their blocks and outcomes are not in cover.
func (b *Bench) Open(cover testcase.Cover) map[string]int {
	open := make(map[string]int)
	for i, k := range b.Harness.Blocks() {
		if !cover.Has(i) {
			open[k.Func]++
		}
	}
	return open
}

// Fresh makes the next case run in a new process.
func (b *Bench) Fresh() { b.Harness.Fresh() }

// RunInRow runs sequences one after another in a new process, which ends afterwards. With twice they
// run in the opposite order, too, and results that differ are marked as unstable.
func (b *Bench) RunInRow(ctx context.Context, seqs []*testcase.Sequence, twice bool) ([]*testcase.Outcome, error) {
	b.Harness.Fresh()
	defer b.Harness.Fresh()
	return b.Harness.RunWith(ctx, seqs, native.Options{Twice: twice})
}

// RunApart runs each sequence in a process of its own, so that no earlier one has left state for it that no analysis knows of.
func (b *Bench) RunApart(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	return b.Harness.RunWith(ctx, seqs, native.Options{Fresh: true})
}

// Fit runs cases that were made of others and returns those that are fit to be tests.
func (b *Bench) Fit(ctx context.Context, cases []*testcase.Case) ([]*testcase.Case, error) {
	var seqs []*testcase.Sequence
	for _, c := range cases {
		seqs = append(seqs, c.Seq)
	}
	outcomes, err := b.Proposals(true).Run(ctx, seqs)
	if err != nil {
		return nil, err
	}
	var fit []*testcase.Case
	for i, c := range cases {
		c.Observed = outcomes[i]
		if verdict, f := b.Judge.Case(c); verdict == "" && f == nil && !c.Unsteady() {
			fit = append(fit, c)
		}
	}
	return fit, nil
}

// maxDoubts bounds how many differences between prediction and observation are run again.
const maxDoubts = 200

// CountMismatches counts the cases that the machine predicted wrongly. The machine starts each path from
// fresh variables, so a case that seems wrong is run again in processes of its own. A difference that is due
// to state left by an earlier case, or that changes from run to run, is no mismatch. Cases that are not run
// again for lack of time are not counted; -debug=mismatches names them.
func (b *Bench) CountMismatches(ctx context.Context, cases []*testcase.Case) int {
	var doubts []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range cases {
		if finding.Mismatch(c) != "" && len(doubts) < maxDoubts {
			doubts = append(doubts, c)
			seqs = append(seqs, c.Seq)
		}
	}
	if len(doubts) == 0 || b == nil {
		return 0
	}
	n := 0
	for i, c := range doubts {
		// The cases run one by one, so that the outcomes are known of those for which there was time.
		outcomes, err := b.Harness.RunWith(ctx, seqs[i:i+1], native.Options{Twice: true, Fresh: true})
		if err != nil || len(outcomes) == 0 || outcomes[0] == nil || outcomes[0].Status == testcase.NotRun {
			b.s.Debug("mismatches", "%s: %s: not run again: %v, %s", c.Target, c.Seq, err, finding.Mismatch(c))
			continue
		}
		d := *c
		d.Observed = outcomes[0]
		if m := finding.Mismatch(&d); m != "" {
			n++
			b.s.Debug("mismatches", "%s: %s: %s", c.Target, c.Seq, m)
		}
	}
	return n
}

// NoteCover adds the blocks that cases cover to cover, for cases that become tests, and announces the
// cases that add something.
func (b *Bench) NoteCover(cover *testcase.Cover, cases []*testcase.Case) {
	for _, c := range cases {
		if c.Observed == nil {
			continue
		}
		// Blocks that only a finding reaches are not covered by any test.
		if reason, f := b.Judge.Case(c); reason == "" && cover.Union(c.Observed.Cover) && f == nil {
			b.s.Events.Send(event.Test{Package: b.s.Pkg.Path, Func: c.Target, Engine: c.Engine, Provisional: true})
		}
	}
}

// SuiteConfig says which tests RunSuite runs.
type SuiteConfig struct {
	Files   []gotest.File
	Tags    string        // build tags, comma-separated
	Timeout time.Duration // the processor time that a test may take; 0 is the harness's default
}

// RunSuite runs the tests of files instead of the package's own, each by itself. It returns the result
// of each, and the blocks that their coverage refers to.
func (s *Session) RunSuite(ctx context.Context, cfg SuiteConfig) ([]*testcase.Outcome, []testcase.Block, error) {
	suite, err := s.OpenSuite(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	defer suite.Close()
	outcomes, err := suite.Run(ctx, suite.All())
	return outcomes, suite.Blocks(), err
}

// Suite is a harness with tests of files, which can run again and again.
type Suite struct{ h *native.Harness }

// OpenSuite builds a harness with the tests of files instead of the package's own. The caller closes it.
func (s *Session) OpenSuite(ctx context.Context, cfg SuiteConfig) (*Suite, error) {
	h, err := native.Build(ctx, s.Prog, s.Pkg, native.Config{
		Tags: cfg.Tags, Suite: cfg.Files, Confine: s.Config.Confine, Overlay: s.Config.Overlay, CaseTimeout: cfg.Timeout,
	})
	if err != nil {
		return nil, err
	}
	return &Suite{h}, nil
}

// All numbers the tests.
func (s *Suite) All() []int {
	out := make([]int, len(s.h.Tests()))
	for i := range out {
		out[i] = i
	}
	return out
}

// Run runs some tests, each by itself, and returns their outcomes in that order.
func (s *Suite) Run(ctx context.Context, tests []int) ([]*testcase.Outcome, error) {
	jobs := make([]native.Job, len(tests))
	for i, t := range tests {
		jobs[i] = native.Job{Seq: s.h.Suite(t)}
	}
	return s.h.RunJobs(ctx, jobs, native.CaptureNone)
}

// Blocks returns the blocks that the coverage of the tests refers to.
func (s *Suite) Blocks() []testcase.Block { return slices.Clone(s.h.Blocks()) }

// Close removes the harness.
func (s *Suite) Close() { _ = s.h.Close() } // an error leaves only temporary files behind
