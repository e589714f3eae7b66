package campaign

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/goassay/assay/internal/campaign/earlier"
	"github.com/goassay/assay/internal/choose/record"
	"github.com/goassay/assay/internal/choose/told"
	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/oracle"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/strategy"
	"github.com/goassay/assay/internal/testcase"
)

// scope is the code to test, and the files of earlier runs.
type scope struct {
	exported []*load.Target
	inside   []*load.Target // functions tested directly only where the exported ones do not reach them
	earlier  earlier.Files
	rerun    *earlier.Rerun // runs the earlier tests on the present code, or nil if there are none
}

// empty reports whether there is nothing to test.
func (s scope) empty() bool { return len(s.exported)+len(s.inside) == 0 }

func (s scope) close() { s.rerun.Stop() }

// chooseChanged chooses the functions that -since is about: the run is about no others, and their names are part of its key in
// the cache.
func (g *gen) chooseChanged() error {
	if g.cfg.Since == "" {
		return nil
	}
	only, err := stage(g, "since", unlessOver, func() (map[string]bool, error) { return g.since.reaching(g.Session) })
	if err != nil {
		return fmt.Errorf("-since: %w", err)
	}
	if g.Only = only; only == nil { // there was no time to find out
		g.Only = make(map[string]bool)
		g.MarkPartial()
	}
	return nil
}

// skipUnchanged says that nothing of the package has changed since the revision of -since. A run over part of a package removes
// no files.
func (g *gen) skipUnchanged() error {
	g.Summary.Functions = event.Count(0)
	g.Events.Send(event.Skip{Package: g.Pkg.Path, Reason: "nothing in it reaches what has changed since " + g.cfg.Since})
	return errNothing
}

// look finds out what there is to test and which files are in the way.
func (g *gen) look() (s scope, err error) {
	s.exported, s.inside = g.SelectTargets()
	g.Summary.Functions = event.Count(len(s.exported) + len(s.inside))
	if g.standing != nil {
		if s.empty() {
			return s, errors.New("what has changed is not to be tested")
		}
		g.Summary.Functions, g.Summary.Redone = g.standing.Summary.Functions, g.Summary.Functions
	}
	if s.earlier, err = earlier.Find(g.Session, !g.cfg.DryRun, !g.cfg.FuzzCorpus); err != nil {
		return s, err
	}
	if s.empty() {
		if g.cfg.Since != "" {
			return s, g.skipUnchanged()
		}
		g.Events.Send(event.Skip{Package: g.Pkg.Path, Reason: "there is no function to test"})
		if g.Partly() {
			return s, errNothing // a run over part of the package removes no files
		}
		g.Summary.Tests, g.Summary.Findings = event.Count(0), event.Count(0)
	}
	// With -update the results of the earlier tests do not matter. In a further pass the earlier tests come
	// from the pass before, and have passed on this code.
	if !g.cfg.Update && g.continues == nil {
		s.rerun = earlier.Start(g.Session, s.earlier.Own)
	}
	return s, nil
}

// workbench is the package's harness, together with the hand-written tests if they count.
type workbench struct {
	*session.Bench
	existing *earlier.HandWritten
	warming  *warming
	said     oracle.Documentation
	resumed  strategy.Resumed // what this run goes on from
}

func (b *workbench) close() {
	if b == nil {
		return
	}
	b.existing.Stop()
	b.warming.stop()
	b.Close()
}

// session returns the harness in the form that all verbs use, or nil for a nil workbench.
func (b *workbench) session() *session.Bench {
	if b == nil {
		return nil
	}
	return b.Bench
}

// Blocks returns the blocks that the harness counts. A nil workbench counts none.
func (b *workbench) Blocks() []testcase.Block {
	if b == nil {
		return nil
	}
	return b.Bench.Blocks()
}

// Stateful reports whether functions of the package change its variables.
func (b *workbench) Stateful() bool { return b != nil && b.Bench.Stateful() }

// build builds the native harness. It returns nil if there is nothing to test.
func (g *gen) build(ctx context.Context, s scope) (*workbench, error) {
	if s.empty() {
		return nil, nil
	}
	if err := g.requireFinite(ctx); err != nil {
		return nil, err
	}
	cfg := session.BenchConfig{Checks: g.checks()}
	for _, e := range g.engines {
		if p, ok := e.(engine.Preparer); ok {
			cfg.Needs = append(cfg.Needs, p.Needs(g.Prog, g.Pkg)...)
		}
	}
	said := g.readDocumentation(s.exported)
	needs, checks := oracle.Operations(said.Claims, said.Uses)
	cfg.Needs, cfg.Checks = append(cfg.Needs, needs...), append(cfg.Checks, checks...)
	resumed := g.earlierCases()
	cfg.Needs = append(cfg.Needs, operationsOf(resumed)...)
	// What choosing passes and reads comes later, but each operation that a harness lacks costs a further build, which on a busy
	// machine takes a third of the time for choosing.
	cfg.Needs = append(cfg.Needs, plain.Operations(g.Pkg)...)
	cfg.Needs = append(cfg.Needs, record.Ahead(g.Pkg)...)
	cfg.Needs = append(cfg.Needs, told.OutputReads(cfg.Needs)...)
	b, err := g.Session.Build(ctx, cfg)
	if err != nil {
		return nil, err
	}
	var existing *earlier.HandWritten
	if !g.cfg.IgnoreExisting {
		existing = earlier.StartHandWritten(g.Session)
	}
	return &workbench{b, existing, g.startWarming(), said, resumed}, nil
}

// checks returns the contracts that the package's types and functions are expected to keep, if one of
// the engines checks them.
func (g *gen) checks() []*testcase.Check {
	if len(engine.Of(g.engines, engine.PerPackage)) == 0 {
		return nil
	}
	return protocol.Of(g.Pkg, g.cfg.NoContracts)
}

// finitePath is the path of the package that exhaustive tests import.
const finitePath = "github.com/goassay/assay/finite"

// requireFinite checks that tests of the package can import package finite.
func (g *gen) requireFinite(ctx context.Context) error {
	if !g.cfg.Exhaustive {
		return nil
	}
	cmd := exec.CommandContext(ctx, "go", "list", finitePath)
	cmd.Dir, cmd.Env = g.Pkg.Dir, gotest.Env(g.Pkg.Dir)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("tests written with -exhaustive import %s, and the module does not require it (go get %s)", finitePath, finitePath)
	}
	return nil
}
