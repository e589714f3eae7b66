package campaign

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/oracle"
	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// scope is what there is to test, and what an earlier run left.
type scope struct {
	exported []*load.Target
	inside   []*load.Target // tested directly only where the exported ones do not reach
	earlier  earlierFiles
	rerun    *earlierTests // the earlier tests on the code as it is now; nil if there are none
}

// empty reports whether there is nothing to test.
func (s scope) empty() bool { return len(s.exported)+len(s.inside) == 0 }

func (s scope) close() {
	if s.rerun != nil {
		s.rerun.stop()
	}
}

// earlierFiles are the files that an earlier run left in the package's directory.
type earlierFiles struct {
	files []files.Own
	// kept has the names of those that are left as they are, emptied of those of which
	// nothing is left, where a run is about part of the package.
	kept, emptied map[string]bool
	partly        bool // the run is about part of the package
	// taken are the names that new tests must not have, which kept files declare.
	taken map[string]bool
}

// keep leaves an earlier file as it is; new tests must not collide with its names.
func (e earlierFiles) keep(o files.Own) {
	e.kept[o.Name] = true
	f, err := parser.ParseFile(token.NewFileSet(), o.Name, o.Content, parser.SkipObjectResolution)
	if f == nil || err != nil && len(f.Decls) == 0 {
		return // what does not parse declares nothing; go test will say so
	}
	for _, n := range load.DeclaredNames(f) {
		e.taken[n] = true
	}
}

// keepAll leaves every earlier file as it is: what there is now may be less.
func (e earlierFiles) keepAll() {
	for _, o := range e.files {
		if !e.kept[o.Name] {
			e.keep(o)
		}
	}
}

// outlives reports whether an earlier file is not to be removed though nothing replaces it.
func (e earlierFiles) outlives(name string) bool {
	return e.kept[name] || e.partly && !e.emptied[name]
}

// look finds out what there is to test and what is in the way.
func (g *gen) look() (s scope, err error) {
	if g.cfg.Since != "" {
		if g.Only, err = g.Prog.Affected(g.Pkg, g.changedLines); err != nil {
			return s, fmt.Errorf("-since: %w", err)
		}
	}
	s.exported, s.inside = g.SelectTargets()
	g.Summary.Functions = event.Count(len(s.exported) + len(s.inside))
	if g.standing != nil {
		if s.empty() {
			return s, errors.New("what has changed is not to be tested")
		}
		g.Summary.Functions, g.Summary.Redone = g.standing.Summary.Functions, g.Summary.Functions
	}
	if s.earlier, err = g.findEarlier(); err != nil {
		return s, err
	}
	if s.empty() {
		reason := "there is no function to test"
		if g.Only != nil {
			reason = "nothing in it reaches what has changed since " + g.cfg.Since
		}
		g.Events.Send(event.Skip{Package: g.Pkg.Path, Reason: reason})
		if g.partly() {
			return s, errNothing // a run over part of the package removes nothing
		}
		g.Summary.Tests, g.Summary.Findings = event.Count(0), event.Count(0)
	}
	s.rerun = g.startEarlier(s.earlier.files)
	return s, nil
}

// findEarlier finds the files of earlier runs, and makes sure that they can be replaced. Those
// that the user has edited are kept, and that is a failure: their functions get no new tests.
func (g *gen) findEarlier() (earlierFiles, error) {
	e := earlierFiles{kept: make(map[string]bool), emptied: make(map[string]bool), partly: g.partly(), taken: g.Pkg.TestNames}
	var err error
	if e.files, err = files.Earlier(g.Pkg.Dir); err != nil {
		return e, err
	}
	if !g.cfg.DryRun {
		err := files.Clean(g.Pkg.Dir)
		if err == nil {
			err = files.Writable(g.Pkg.Dir)
		}
		if err != nil {
			return e, fmt.Errorf("cannot write to %s: %w", g.Pkg.Dir, err)
		}
	}
	for _, o := range e.files {
		if strings.HasSuffix(o.Name, emit.FuzzSuffix) && !g.cfg.FuzzCorpus {
			e.keep(o) // what was proposed once stays
		}
		if o.Edited {
			e.keep(o)
			g.Result.Failed = true
			g.Events.Send(event.Diagnostic{
				Pos:     token.Position{Filename: o.Name},
				Message: "edited by hand, so it is not overwritten: rename it to keep it, or remove it to have it written anew",
			})
		}
	}
	return e, nil
}

// workbench is the package's harness, and the hand-written tests if they count.
type workbench struct {
	*session.Bench
	existing *existingTests
	warming  *warming
	claims   []*oracle.Claim // what the documentation says
}

func (b *workbench) close() {
	if b == nil {
		return
	}
	if b.existing != nil {
		b.existing.stop()
	}
	b.warming.stop()
	b.Close()
}

// Blocks are what the harness counts; a nil bench counts nothing.
func (b *workbench) Blocks() []native.Block {
	if b == nil {
		return nil
	}
	return b.Bench.Blocks()
}

// Stateful reports whether functions of the package change its variables.
func (b *workbench) Stateful() bool { return b != nil && b.Bench.Stateful() }

// build builds the native harness; there is none where there is nothing to test.
func (g *gen) build(s scope) (*workbench, error) {
	if s.empty() {
		return nil, nil
	}
	if err := g.requireFinite(g.Ctx); err != nil {
		return nil, err
	}
	cfg := session.BenchConfig{Checks: g.checks()}
	for _, e := range g.engines {
		if p, ok := e.(engine.Preparer); ok {
			cfg.Needs = append(cfg.Needs, p.Needs(g.Prog, g.Pkg)...)
		}
	}
	claims := g.claims(s.exported)
	needs, checks := oracle.Operations(claims)
	cfg.Needs, cfg.Checks = append(cfg.Needs, needs...), append(cfg.Checks, checks...)
	b, err := g.Session.Build(g.Ctx, cfg)
	if err != nil {
		return nil, err
	}
	return &workbench{b, g.startExisting(), g.startWarming(), claims}, nil
}

// checks returns the contracts that the package's types and functions are expected to
// keep, if an engine is there to check them.
func (g *gen) checks() []*testcase.Check {
	if len(engine.Of(g.engines, engine.PerPackage)) == 0 {
		return nil
	}
	return protocol.Of(g.Pkg, g.cfg.NoContracts)
}
