package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/schedule"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// If there is one budget for many packages, gen works on them in passes:
//
//  1. inPasses loads the packages. Package schedule says which one is worked on next, and how
//     long. Each pass is a run of gen over one package with that time as its timeout.
//  2. The result of a pass that ran out of time is kept (endPass), with the cases that it found. The
//     next pass, in this run or a later one, replaces it only by a better result (comesToLess), whose tests
//     notice no fewer mutants (noticesLess): for that its files are written first, and put back. If
//     that pass is a round, it goes on from these cases (kept.go).
//  3. The final result of each package is announced at the end, in the order of the packages.

// pass describes a pass that ran out of time.
type pass struct {
	Bound, Took time.Duration
	// Gained is how many statements and findings the earlier pass did not have, and Noticed how many mutants.
	Gained, Noticed int
	// Rounds is how many rounds there were up to this pass, of which the last Vain gained nothing; see package schedule.
	Rounds, Vain int
}

// passJob is a pass that is under way.
type passJob struct {
	schedule.Job
	begin time.Time
	end   time.Time // when results from workers are no longer waited for; zero means never
	// recalled is the pass, of an earlier run, that the present result comes from, or nil if it comes from a
	// pass of this run.
	recalled *pass
	// engines is what each engine did in the pass that the one before it had not.
	engines []schedule.EngineOutcome
	// rechecks says whether a worker's result is checked here, and rechecked that it was and holds or not.
	rechecks  *rechecks
	rechecked bool
	started   *beginning // of this run, with its first pass over the package
	only      bool       // there is no budget, and no further pass over the package
}

// finalWork holds the final result of a package.
type finalWork struct {
	events  []event.Event
	summary event.Summary
	result  session.Result
	elapsed float64 // the time of all passes
}

// passes is gen's work on many packages.
type passes struct {
	packages *session.Packages
	remote   bool // the work is done elsewhere, and the time that it waits does not count
	single   bool // there is one pass over each package
	rechecks rechecks
	end      time.Time

	mu      sync.Mutex
	jobs    map[string]*passJob
	works   map[string]*finalWork
	started map[string]*beginning
}

// inPasses works on the packages within the budget of the configuration; the function one works on a single
// package.
func inPasses(ctx context.Context, cfg Config, one func(*session.Session, *passJob) error) (session.Result, error) {
	begin := time.Now()
	w := &passes{jobs: make(map[string]*passJob), works: make(map[string]*finalWork), started: make(map[string]*beginning)}
	plan := schedule.Config{Budget: cfg.Budget, Workers: cfg.WorkerCount(), Most: cfg.Bound(), Single: cfg.Budget == 0}
	if w.single = plan.Single; w.single {
		plan.Budget = math.MaxInt64
	}
	if cfg.Remote != nil {
		plan.Workers, w.remote = cfg.RemoteWorkers, true
	}
	if cfg.Budget > 0 {
		w.end = begin.Add(cfg.Budget)
	}
	cfg.Timeout, cfg.FirstBuild = max(plan.Most, cfg.Budget), 0 // the bound of loading; each pass has its own
	var result session.Result
	var err error
	w.packages, result, err = session.Open(ctx, cfg.Config, session.Verb{Name: "gen", Writes: true, Do: func(s *session.Session) error {
		return one(s, w.job(s.Pkg.Path))
	}})
	if w.packages == nil {
		return result, err
	}
	plan.Packages = w.packages.Paths()
	plan.Budget -= time.Since(begin)
	finished := w.follow(ctx, schedule.New(plan), begin, cfg.Budget)
	total := event.Summary{Verb: "gen"}
	missed, unfinished := 0, 0
	for _, path := range w.packages.Paths() {
		work := w.works[path]
		if work == nil {
			missed++
			reason := "the budget was spent before its turn"
			if ctx.Err() != nil {
				reason = "the run was interrupted before its turn"
			}
			w.packages.Events.Send(event.Skip{Package: path, Reason: reason})
			continue
		}
		if work.summary.Cut && !finished(path) {
			unfinished++
		}
		w.announce(work)
		result.Add(work.result)
		total.AddUp(work.summary)
	}
	total.Cut = total.Cut || missed > 0
	result.Interrupted = result.Interrupted || ctx.Err() != nil
	if missed+unfinished > 0 && !result.Interrupted && cfg.Budget > 0 {
		w.packages.Events.Send(event.Diagnostic{Warning: true, Message: budgetSpent(cfg, missed, unfinished)})
	}
	return result, w.packages.Close(total)
}

// follow runs the passes that the plan chooses, and reports progress. It returns the function that says which packages
// would get no further pass.
func (w *passes) follow(ctx context.Context, plan *schedule.Plan, begin time.Time, budget time.Duration) func(path string) bool {
	all := len(w.packages.Paths())
	schedule.Run(ctx, plan, func(j schedule.Job) schedule.Outcome { return w.pass(ctx, j) }, func(schedule.Job, schedule.Outcome) {
		seen, finished, covered, statements := plan.Progress()
		e := event.Progress{
			Package: "all", Done: finished, Total: all,
			Stage: fmt.Sprintf("%d of %d packages, %d to the end, %d of %d statements", seen, all, finished, covered, statements),
		}
		if budget > 0 {
			e.Done, e.Total = int(time.Since(begin).Milliseconds()), int(budget.Milliseconds())
		}
		w.packages.Events.Send(e)
	})
	return plan.Finished
}

// budgetSpent says which work was left undone when the budget was spent.
func budgetSpent(cfg Config, missed, unfinished int) string {
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{
		{missed, "1 package was not started", "%d packages were not started"},
		{unfinished, "1 was not finished", "%d were not finished"},
	} {
		switch p.n {
		case 0:
		case 1:
			parts = append(parts, p.one)
		default:
			parts = append(parts, fmt.Sprintf(p.many, p.n))
		}
	}
	next := "another run continues from here"
	if cfg.Cache == nil {
		next = "no results are kept, so another run starts from the beginning"
	}
	return fmt.Sprintf("the budget of %s is spent: %s; %s", cfg.Budget, strings.Join(parts, ", "), next)
}

// job returns the pass over a package that is under way.
func (w *passes) job(path string) *passJob {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.jobs[path]
}

// pass works on one package.
func (w *passes) pass(ctx context.Context, j schedule.Job) schedule.Outcome {
	job := &passJob{Job: j, begin: time.Now(), end: w.end, rechecks: &w.rechecks, only: w.single}
	w.mu.Lock()
	if w.started[j.Package] == nil {
		w.started[j.Package] = &beginning{}
	}
	job.started = w.started[j.Package]
	w.jobs[j.Package] = job
	before := w.works[j.Package]
	w.mu.Unlock()
	work := &finalWork{}
	timeout := j.Bound
	if w.remote {
		timeout = remotePatience
	}
	s := w.packages.Work(ctx, j.Package, session.Terms{
		Timeout: timeout, Workers: j.Workers, Continued: true,
		Events: &event.Stream{Sink: func(e event.Event) {
			if isResult(e) {
				work.events = append(work.events, e)
			}
		}},
	})
	took := time.Since(job.begin)
	work.summary, work.result, work.elapsed = s.Summary, s.Result, took.Seconds()
	out := schedule.Outcome{Bound: j.Bound, Took: took, Covered: s.Summary.StmtsCovered, Statements: s.Summary.StmtsTotal, Finished: !s.Summary.Cut}
	out.Killed, out.Mutants = countOf(s.Summary.Killed), countOf(s.Summary.Mutants)
	var was event.Summary
	if before != nil {
		work.elapsed += before.elapsed
		was = before.summary
	}
	out.Gained, out.Noticed = gained(s.Summary, was)
	out.Engines = job.engines
	if p := job.recalled; p != nil {
		out.Bound, out.Took, out.Gained, out.Noticed, out.Rounds, out.Vain = max(p.Bound, time.Second), p.Took, p.Gained, p.Noticed, p.Rounds, p.Vain
	}
	w.mu.Lock()
	w.works[j.Package] = work
	w.mu.Unlock()
	e := passEvent(j, out, took, s.Summary)
	e.Rechecked = job.rechecked
	w.packages.Events.Send(e)
	return out
}

// gained returns how many more statements and findings a pass has than the one before it, and how many more mutants its
// tests notice. Mutants are counted apart, because chance decides for how many of them there is time.
func gained(now, before event.Summary) (statements, mutants int) {
	more := func(now, before int) int { return max(0, now-before) }
	statements = more(now.StmtsCovered, before.StmtsCovered) + more(countOf(now.Findings), countOf(before.Findings))
	return statements, more(countOf(now.Killed), countOf(before.Killed))
}

// isResult reports whether an event is part of a package's result, and not a report of progress.
func isResult(e event.Event) bool {
	switch e := e.(type) {
	case event.Progress:
		return false
	case event.Test:
		return !e.Provisional
	}
	return true
}

// passEvent describes the result of a pass.
func passEvent(j schedule.Job, out schedule.Outcome, took time.Duration, s event.Summary) event.Pass {
	return event.Pass{
		Package: j.Package, Pass: j.Pass, BoundS: event.Seconds(j.Bound), Round: j.Round, ElapsedS: event.Seconds(took),
		Covered: out.Covered, Statements: out.Statements, Cut: s.Cut, Cached: s.Cached,
		Tests: countOf(s.Tests), Findings: countOf(s.Findings),
	}
}

// announce sends the result of a package.
func (w *passes) announce(work *finalWork) {
	for _, e := range work.events {
		if s, ok := e.(event.Summary); ok {
			s.ElapsedS = event.Seconds(time.Duration(work.elapsed * float64(time.Second)))
			e = s
		}
		w.packages.Events.Send(e)
	}
}

// errStands ends a pass whose result is no better than that of the earlier pass, which is kept.
var errStands = errors.New("what the pass before came to stands")

// comesToLess reports whether the result of the earlier pass is to be kept; see stands.
func (g *gen) comesToLess(s *verify.Suite) bool {
	m := g.continues
	if m == nil || g.Whole() && m.Pass.Rounds == 0 {
		return false
	}
	if !s.Verified {
		return true
	}
	tests, findings := 0, 0
	for _, f := range s.Files {
		for _, t := range f.Tests {
			if t.Bug == nil {
				tests++
			}
		}
	}
	for _, f := range s.Findings {
		if f.Severity == testcase.Error || f.Severity == testcase.Warning {
			findings++
		}
	}
	// The mutants are the last stage. What is known before must not depend on how many mutants the tests will notice.
	had := m.worth()
	return had.stands(g.Whole(), m.Pass.Rounds, worth{g.Summary.StmtsCovered, findings, tests, had.killed, had.mutants})
}

// noticesLess reports whether the result of the earlier pass is to be kept because of mutants that its tests notice and those
// that this pass has written do not; see stands.
func (g *gen) noticesLess() bool {
	m := g.continues
	if m == nil || g.Whole() && m.Pass.Rounds == 0 || !m.isScored() {
		return false
	}
	had := m.worth()
	now := had
	now.killed, now.mutants = countOf(g.Summary.Killed), countOf(g.Summary.Mutants)
	return had.isMore(now)
}

// isScored reports whether there was time to count the mutants that the tests of a remembered result notice.
func (m *remembered) isScored() bool { return countOf(m.Summary.Mutants) > 0 }

// worth says how good a result is. Of mutants so many are killed; both are 0 if there was no time for mutants.
type worth struct{ covered, findings, tests, killed, mutants int }

// worth returns how good a remembered result is.
func (m *remembered) worth() worth {
	s := m.Summary
	return worth{m.Covered, countOf(s.Findings), countOf(s.Tests), countOf(s.Killed), countOf(s.Mutants)}
}

// isMore reports whether an earlier result is better than a new one in some respect. Killed mutants are compared if both are of
// equally many, and if there was no time for them in the new one, which would then report less.
func (had worth) isMore(now worth) bool {
	return now.covered < had.covered || now.findings < had.findings ||
		now.killed < had.killed && (now.mutants == had.mutants || now.mutants == 0)
}

// stands reports whether an earlier result, up to which there were so many rounds, is kept although there is a new one. It is if
// the new one ran out of time, too, and is worse in some respect, or better in none. A pass that ended by itself has found
// all that one with less time did, and its tests are the final ones, unless rounds with other seeds have covered, found or killed more.
func (had worth) stands(whole bool, rounds int, now worth) bool {
	if had.isMore(now) {
		return !whole || rounds > 0
	}
	return !whole && now.covered == had.covered && now.findings == had.findings && now.tests <= had.tests
}

// countOf returns a count of a summary, or 0 if the count does not apply.
func countOf(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// passOrRecall does the same as recallOrGenerate for a pass: it also notes whether more time may improve the
// result.
func (g *gen) passOrRecall(work func() error) error {
	err := g.recallOrGenerate(work)
	if g.job != nil && !g.Summary.Cached {
		g.Summary.Cut = !g.Whole() && !g.Result.Failed && isTime(err)
	}
	return err
}

// recallPass looks for the result of the last pass over the same code. A quick pass takes it as its own
// result and returns true; a longer pass starts from it. Without a budget the only pass of a run by workers goes on from it in a
// round if it had as much time, and takes it if some rounds gained nothing.
func (g *gen) recallPass(print string, before []files.Own) bool {
	// Files that assay has written since the packages were loaded do not belong to the user.
	own := make([]string, len(before))
	for i, o := range before {
		own[i] = o.Name
	}
	g.Pkg.Written(own)
	data, ok := g.lookUpPass(print, before)
	if !ok {
		if !g.job.only {
			g.resumeChanged()
		}
		return false
	}
	var m remembered
	if err := json.Unmarshal(data, &m); err != nil {
		return false
	}
	further := g.job.only && m.Pass.Bound >= g.job.Bound
	if m.Pass.Bound > 0 && (g.job.Quick || further && m.Pass.Vain >= schedule.InVain) {
		if g.recall(data, before) {
			g.Summary.Cut, g.job.recalled, g.job.engines = true, &m.Pass, m.Learnt.Gained
			return true
		}
		return false
	}
	g.continues = &m
	if g.round = g.job.Round; further {
		g.round = m.Pass.Rounds + 1
	}
	if g.round > 0 {
		g.resumed, g.knew = m.Corpus, m.Learnt
	}
	return false
}

// endPass keeps the result of a pass that ran out of time, or the result of the pass before if that is
// better.
func (g *gen) endPass(err error, print string, parts prints, heard []event.Event) error {
	interrupted := g.User.Err() != nil
	if m := g.continues; m != nil && (err != nil || g.Result.Failed) {
		own, readErr := files.Earlier(g.Pkg.Dir)
		if readErr != nil {
			return readErr
		}
		return g.letStand(err, print, own, heard)
	}
	if g.continues != nil {
		sendAll(g.Events, heard)
	}
	if err != nil || g.Result.Failed {
		return err
	}
	m, after, err := g.outcome(parts, heard)
	if err != nil {
		return err
	}
	m.Pass = pass{Took: time.Since(g.job.begin)}
	if !interrupted {
		m.Pass.Bound = g.job.Bound
	}
	if g.continues == nil {
		m.Pass.Rounds = g.round
	}
	var was event.Summary
	if before := g.continues; before != nil {
		m.Pass.Bound = max(m.Pass.Bound, before.Pass.Bound)
		m.Pass.Rounds = before.Pass.Rounds
		was = before.Summary
		was.StmtsCovered = before.Covered
	}
	m.Pass.Gained, m.Pass.Noticed = gained(g.Summary, was)
	var knew learnt
	if before := g.continues; before != nil {
		g.countRound(&m.Pass, before.Pass)
		knew = before.Learnt
	}
	g.compareEngines(&m.Learnt, knew)
	g.sharePass(m, after)
	return g.keep(m, g.key("pass", print, after, false), g.lastPassKey())
}

// compareEngines notes what the engines did in this round that the pass before had not. In a pass that begins anew each engine
// finds again what earlier passes found, which says nothing of what further work would gain.
func (g *gen) compareEngines(now *learnt, before learnt) {
	if g.round > 0 {
		now.Gained = schedule.Since(now.Engines, before.Engines)
		g.job.engines = now.Gained
	}
}

// countRound counts this round in the pass that is kept, unless the user has ended the round.
func (g *gen) countRound(p *pass, before pass) {
	if g.round > 0 && g.User.Err() == nil {
		p.Rounds, p.Vain = g.round, schedule.VainAfter(schedule.Outcome{Bound: before.Bound, Vain: before.Vain}, g.job.Bound, p.Gained)
	}
}

// letStand announces the result of the pass before as the result of this one. It reports errors of this pass,
// and notes the time that this pass had, so that no further pass tries the same time.
func (g *gen) letStand(err error, print string, own []files.Own, heard []event.Event) error {
	m := *g.continues
	failed := g.Result.Failed || !errors.Is(err, errStands) && !isTime(err)
	for _, e := range heard {
		if d, ok := e.(event.Diagnostic); ok && !d.Warning {
			g.Events.Send(d)
		}
	}
	if g.User.Err() == nil {
		m.Pass.Bound, m.Pass.Took, m.Pass.Gained, m.Pass.Noticed = max(m.Pass.Bound, g.job.Bound), time.Since(g.job.begin), 0, 0
	}
	g.countRound(&m.Pass, g.continues.Pass)
	if g.round > 0 && len(g.learnt.Engines) > 0 {
		m.Learnt = g.learnt
		g.compareEngines(&m.Learnt, g.continues.Learnt)
	}
	if g.Summary.StmtsCovered > m.Covered && len(g.corpus) > 0 {
		m.Corpus = g.corpus // its tests kill fewer mutants, and a round that goes on from its cases may have both
	}
	if g.Whole() {
		m.Pass.Vain = schedule.InVain // with any time this pass would come to no more
	}
	only := g.Only
	g.StartOver()
	g.Only = only // it is a part of the keys
	data, marshalErr := json.Marshal(m)
	if marshalErr != nil {
		return fmt.Errorf("cache: %w", marshalErr)
	}
	if !g.recall(data, own) {
		return fmt.Errorf("%s: what an earlier pass came to cannot be written again", filepath.Base(g.Pkg.Dir))
	}
	g.Summary.Cached, g.Result.Failed = false, failed
	if failed {
		if errors.Is(err, errStands) || isTime(err) {
			err = nil // the error has been reported
		}
		return err
	}
	g.sharePass(m, own)
	return g.keep(m, g.key("pass", print, own, false), g.lastPassKey())
}

// isTime reports whether an error is nil, or only says that the time was over.
func isTime(err error) bool {
	return err == nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
