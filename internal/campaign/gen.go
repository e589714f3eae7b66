package campaign

import (
	"context"
	"errors"
	"time"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// generate is the way of a package through gen: what one stage comes to is what the next
// ones are given. Where the time is over, what is there by then is still judged, verified
// and written.
func (g *gen) generate() error {
	scope, err := stage(g, "look", early, g.look)
	if err != nil {
		return err
	}
	defer scope.close()
	bench, err := stage(g, "build", early, func() (*workbench, error) { return g.build(scope) })
	if err != nil {
		return err
	}
	defer bench.close()
	found, err := stage(g, "explore", early, func() (finds, error) { return g.explore(scope, bench) })
	if err != nil {
		return err
	}
	judged, err := stage(g, "judge", late, func() (verdicts, error) { return g.judge(bench, found) })
	if err != nil {
		return err
	}
	chosen, err := stage(g, "reduce", late, func() (selection, error) { return g.reduce(scope, bench, found, judged) })
	if isBug(err) {
		chosen, err = selection{verdicts: judged}, nil // there are more tests than needed
	}
	if err != nil {
		return err
	}
	suite, err := stage(g, "verify", late, func() (*suite, error) { return g.verify(scope, bench, found, chosen) })
	if err != nil {
		return err
	}
	if err := g.finish(scope, bench, found, suite); err != nil {
		return err
	}
	if errors.Is(g.Ctx.Err(), context.DeadlineExceeded) {
		g.TimedOut("")
	}
	return nil
}

// finish writes the suite and does what comes after: nothing written depends on it.
func (g *gen) finish(scope scope, bench *workbench, found finds, suite *suite) error {
	for _, last := range []struct {
		name string
		run  func() error
	}{
		{"write", func() error { return g.write(scope, bench, found, suite) }},
		{"seed", func() error { return g.seed(suite) }},
		{"mismatches", func() error { return g.mismatches(bench, found) }},
		{"mutate", func() error { return g.mutate(scope, bench, suite) }},
	} {
		if _, err := stage(g, last.name, late, func() (none struct{}, err error) { return none, last.run() }); err != nil {
			return err
		}
	}
	return nil
}

// Gen writes tests for the packages that cfg names.
func Gen(ctx context.Context, cfg Config) (session.Result, error) {
	return genWith(ctx, cfg, engine.All())
}

// genWith is Gen with other engines than those that there are.
func genWith(ctx context.Context, cfg Config, all []engine.Engine) (session.Result, error) {
	engines, err := engine.Select(all, cfg.Engines)
	if err != nil {
		return session.Result{}, err
	}
	var changed map[string][]load.Lines
	if cfg.Since != "" {
		if changed, err = changedSince(ctx, cfg.Dir, cfg.Since); err != nil {
			return session.Result{Interrupted: ctx.Err() != nil}, err
		}
	}
	return session.Each(ctx, cfg.Config, session.Verb{Name: "gen", Do: func(s *session.Session) error {
		cfg := cfg
		cfg.Config = s.Config // which knows how this package is confined
		g := &gen{Session: s, cfg: cfg, engines: engines, changedLines: changed}
		err := g.recallOrGenerate(g.generate)
		if errors.Is(err, errNothing) {
			return nil
		}
		return err
	}})
}

// gen is the work on one package: what it was asked for. What stages find out is handed
// from one to the next.
type gen struct {
	*session.Session
	cfg     Config
	engines []engine.Engine
	// changedLines are those of -since.
	changedLines map[string][]load.Lines
	// standing is what an earlier run came to, of which only the functions in Session.Only are
	// done again; nil if everything is.
	standing *remembered
}

// verdicts are the cases by what they are, with one finding for each defect.
type verdicts struct {
	tests    []*testcase.Case // observed to end well, or as the code says on misuse
	findings []*testcase.Finding
	misuse   []event.Misuse // what users of the package may not do, and fails
}

// When a stage is left out.
const (
	early = true  // after an interrupt, and when the time is over
	late  = false // never: it is worth its time for what there is
)

// stage runs a stage of the way through gen. A panic of ours ends it. That the time is over is
// no error, and what there is by then is the result.
func stage[T any](g *gen, name string, early bool, f func() (T, error)) (out T, err error) {
	if early && g.Ctx.Err() != nil {
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

// isBug reports whether an error is a panic of ours.
func isBug(err error) bool {
	var bug *session.Bug
	return errors.As(err, &bug)
}

// errNothing ends the work on a package where there is nothing to do; it has been
// said why.
var errNothing = errors.New("nothing to do")
