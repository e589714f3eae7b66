package campaign

import (
	"context"
	"errors"
	"go/types"
	"sync"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/choose"
	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/strategy"
	"github.com/goassay/assay/internal/testcase"
)

// generate takes a package through gen: the result of each stage is passed to the next ones. When the
// time is over, what has been found by then is still judged, verified and written.
func (g *gen) generate() error {
	scope, err := stage(g, "look", unlessOver, g.look)
	if err != nil {
		return err
	}
	defer scope.close()
	bench, err := stage(g, "build", unlessOver, func() (bench *workbench, err error) {
		err = g.Prepare(func(ctx context.Context) error {
			bench, err = g.build(ctx, scope)
			return err
		})
		return bench, err
	})
	if err != nil {
		return err
	}
	defer bench.close()
	said, err := stage(g, "documentation", unlessOver, func() (documented, error) { return g.compareDocumentation(bench) })
	if session.IsBug(err) {
		said, err = documented{}, nil // the code can be tested without its documentation
	}
	if err != nil {
		return err
	}
	found, err := stage(g, "explore", unlessOver, func() (strategy.Finds, error) { return g.explore(scope, bench, said) })
	if err != nil {
		return err
	}
	judged, err := stage(g, "judge", always, func() (verdicts, error) { return g.judge(bench, found, said) })
	if err != nil {
		return err
	}
	chosen, err := stage(g, "reduce", always, func() (choose.Selection, error) { return g.reduce(scope, bench, found, judged) })
	if session.IsBug(err) {
		chosen, err = unreduced(judged), nil // there are more tests than needed
	}
	if err != nil {
		return err
	}
	g.noteCorpus(judged, chosen)
	g.noteLearnt(found, chosen)
	verify.MarkWanted(g.Pkg, chosen.Findings, judged.tests)
	suite, err := stage(g, "verify", always, func() (*verify.Suite, error) { return g.verify(scope, bench, found, judged, chosen) })
	if err != nil {
		return err
	}
	if g.comesToLess(suite) {
		return errStands
	}
	if g.job != nil && !suite.Verified {
		g.Summary.StmtsCovered, g.Summary.Coverage = 0, nil // no tests are written
	}
	if err := g.finish(ending{scope, bench, found, judged.misuse, suite}); err != nil {
		return err
	}
	if g.noticesLess() {
		return errStands // the files that were just written are replaced by the earlier ones
	}
	if errors.Is(g.Ctx.Err(), context.DeadlineExceeded) {
		g.TimedOut("")
	}
	return nil
}

// ending has the results of the earlier stages, for the stages at the end.
type ending struct {
	scope  scope
	bench  *workbench
	found  strategy.Finds
	misuse []event.Misuse
	suite  *verify.Suite
}

// finish writes the suite and runs the stages after that. Nothing written depends on these.
func (g *gen) finish(e ending) error {
	for _, last := range []struct {
		name string
		run  func() error
	}{
		{"write", func() error { return g.write(e) }},
		{"seed", func() error { return g.writeSeeds(e.suite) }},
		{"mismatches", func() error { return g.mismatches(e.bench, e.found) }},
		{"mutate", func() error { return g.mutate(e.scope, e.bench, e.suite) }},
	} {
		if _, err := stage(g, last.name, always, func() (none struct{}, err error) { return none, last.run() }); err != nil {
			return err
		}
	}
	return nil
}

// Gen writes tests for the packages that cfg names.
func Gen(ctx context.Context, cfg Config) (session.Result, error) {
	return genWith(ctx, cfg, engine.All())
}

// genWith is Gen with these engines instead of all.
func genWith(ctx context.Context, cfg Config, all []engine.Engine) (session.Result, error) {
	engines, err := engine.Select(all, cfg.Engines)
	if err != nil {
		return session.Result{}, err
	}
	changed := &since{chosen: make(map[string]map[string]bool)}
	if cfg.Since != "" {
		if changed.lines, err = changedSince(ctx, cfg.Dir, cfg.Since); err != nil {
			return session.Result{Interrupted: ctx.Err() != nil}, err
		}
	}
	var kept keeper
	if cfg.Cache != nil {
		kept = cfg.Cache
	}
	one := func(s *session.Session, job *passJob) error {
		cfg := cfg
		cfg.Config = s.Config // this configuration knows how the package is confined
		g := &gen{Session: s, cfg: cfg, engines: engines, since: changed, kept: kept, job: job}
		work := g.generate
		if cfg.Remote != nil {
			work = g.remotely
		}
		err := g.passOrRecall(work)
		if errors.Is(err, errNothing) {
			return nil
		}
		return err
	}
	if cfg.Budget > 0 || cfg.Remote != nil {
		if kept == nil {
			kept = cache.NewMemory() // each pass continues the result of the pass before
		}
		return inPasses(ctx, cfg, one)
	}
	return session.Each(ctx, cfg.Config, session.Verb{Name: "gen", Writes: !cfg.DryRun, Do: func(s *session.Session) error { return one(s, nil) }})
}

// keeper keeps results of runs, as a directory of package cache does.
type keeper interface {
	Get(cache.Key) ([]byte, bool)
	Put(cache.Key, []byte) error
}

// gen is the work on one package. It holds the task; results of stages are passed on as values.
type gen struct {
	*session.Session
	cfg      Config
	engines  []engine.Engine
	since    *since               // what has changed since the revision of -since
	kept     keeper               // nil keeps nothing
	doubtful map[*types.Func]bool // the predicates of which it was said why not all of their answers are to be believed
	// job is the pass that this run is, or nil if there is only one. continues is the result of the pass
	// before.
	job       *passJob
	continues *remembered
	// round is the number of the round that this pass is, or 0 if it begins anew; resumed has the cases that the round
	// goes on from. The cases in corpus are for the next one. A worker, which has no job, is told by keepsCorpus to note
	// them.
	round           int
	resumed, corpus []keptCase
	keepsCorpus     bool
	// scored tells a worker that the pass before this one counted mutants.
	scored bool
	// knew is what is known besides resumed, and learnt what is kept besides corpus.
	knew, learnt learnt
	// content is the package's ContentPrint, or "" as long as nobody has asked for it. Parts of a round ask at the same time.
	content   string
	contentMu sync.Mutex
	// standing is the result of an earlier run, of which only the functions in Session.Only are done again.
	// It is nil if everything is done.
	standing *remembered
}

// verdicts are the cases sorted into tests and findings, with one finding for each defect.
type verdicts struct {
	tests    []*testcase.Case // cases that returned, or that ended as the code says that misuse ends
	findings []*testcase.Finding
	misuse   []event.Misuse  // calls that fail on what users of the package may not do
	disputed map[string]bool // calls, as text, of which the documentation says something else
}

// runs says whether a stage runs after an interrupt or when the time is over.
type runs bool

// A stage that looks for more does not run then. A stage that makes tests or findings of earlier results
// does.
const (
	unlessOver runs = false
	always     runs = true
)

// stage runs a stage of generate. A panic of ours ends the stage. It is no error if the time runs out: the
// stage then returns its results so far. A stage that does not run returns a zero value and no error. Each
// stage therefore has to accept the zero values of the stages before it: no functions, a nil workbench, no
// cases.
func stage[T any](g *gen, name string, when runs, f func() (T, error)) (out T, err error) {
	if when == unlessOver && g.Ctx.Err() != nil {
		return out, nil
	}
	start := time.Now()
	g.Events.Send(event.Progress{Package: g.Pkg.Path, Stage: name})
	func() {
		defer func() {
			if p := recover(); p != nil {
				err = g.ReportBug(name, p)
			}
		}()
		out, err = f()
	}()
	g.Debug("stages", "%s: %s took %s", g.Pkg.Path, name, time.Since(start).Round(time.Millisecond))
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		err = nil
	}
	return out, err
}

// errNothing ends the work on a package where there is nothing to do. The user has been told why.
var errNothing = errors.New("nothing to do")
