package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// The strategy: what the engines do in which order, and what one tells another. Cheap
// native tests come first; what they cover decides how much effort the symbolic engine
// puts into a function, and which of their inputs it executes (flip.go); everything that
// was found goes into the pool of the random engine, whose tests are executed again.
// Hybrid concolic testing (Majumdar, Sen, ICSE 2007) goes back and forth in the same way.
//
// Effort is counted, not timed, so the same seed gives the same cases. The shares of the
// time matter only where the package's bound cuts in: so that no phase starves the rest.
// There what is cheap gets most: of a package with two hundred functions random finds more in
// a second than the symbolic engine in three, which has hardly begun.

// phase is a part of exploration.
type phase struct {
	name string
	// until is which part of the time for exploring may be over when the phase ends, in
	// percent.
	until int
	run   func(*gen, context.Context) error
	// again does what is left of the phase where its share of the time was too short; nil
	// if a later phase does it anyway.
	again func(*gen, context.Context) error
}

// hybrid is the strategy where both kinds of engines work, the phases in their order.
func hybrid() []phase {
	return []phase{
		{"first", 33, (*gen).first, nil},
		{"exported", 60, (*gen).exportedRound, (*gen).resume},
		{"types", 64, (*gen).typeRound, (*gen).typeRound},
		{"inside", 68, (*gen).insideRound, (*gen).resume},
		{"rest", 72, (*gen).restRound, (*gen).restRound},
		{"structures", 76, (*gen).structures, (*gen).structures},
		{"flip", 81, (*gen).flipRounds, nil},
		{"random", 95, (*gen).random, (*gen).random},
		{"flip again", 100, (*gen).flipRounds, (*gen).flipRounds},
	}
}

// separate is what is done where only some engines were asked for: each does all that it
// can for itself.
func separate() []phase {
	return []phase{
		{"exported", 70, (*gen).exportedRound, (*gen).resume},
		{"types", 70, (*gen).typeRound, (*gen).typeRound},
		{"inside", 70, (*gen).insideRound, (*gen).resume},
		{"package", 100, (*gen).packageEngines, (*gen).packageEngines},
	}
}

// isHybrid reports whether the engines are there that the strategy is about.
func (g *gen) isHybrid() bool { return g.engine("symbolic") != nil && g.engine("random") != nil }

// engine returns the engine of that name if it works, else nil.
func (g *gen) engine(name string) engine {
	for _, e := range g.engines {
		if e.name() == name {
			return e
		}
	}
	return nil
}

// explore lets the engines look for cases.
func (g *gen) explore() error {
	if g.harness == nil {
		return nil
	}
	whole, cancel := g.exploring()
	defer cancel()
	phases := separate()
	if g.isHybrid() {
		phases = hybrid()
	}
	start, all := time.Now(), time.Until(deadlineOf(whole))
	var short []phase
	for _, p := range phases {
		until := p.until
		if !g.hasPackageEngine() {
			until = 100
		}
		end := all * time.Duration(until) / 100
		if p.name == "first" {
			// What it calls has to be built into the harness, or no later phase has anything.
			end = max(end, min(2*g.buildS, all/2))
		}
		ctx, stop := context.WithDeadline(whole, start.Add(end))
		began := time.Now()
		var err error
		if ctx.Err() == nil {
			err = p.run(g, ctx)
		}
		if ctx.Err() != nil && p.again != nil {
			short = append(short, p)
		}
		stop()
		g.debug("stages", "%s: explore: %s took %s, %d of %d blocks and outcomes reached", g.pkg.Path, p.name,
			time.Since(began).Round(time.Millisecond), g.cover.Count(), len(g.harness.Blocks()))
		var bug *bugError
		if err != nil && !errors.As(err, &bug) {
			return err
		}
		// What is ours has been said; the other engines may do without this one.
	}
	cut, err := g.catchUp(whole, short)
	if err != nil {
		return err
	}
	g.join(g.early, g.index())
	for _, x := range g.explored {
		if errors.Is(x.err, errSlice) {
			g.debug("stages", "%s: %s: %v", g.pkg.Path, x.target, x.err)
		}
	}
	if g.interrupted.Err() == nil && cut {
		g.cutShort = true
		g.timedOut("not every path was explored")
	}
	return nil
}

// catchUp does what is left of the phases whose share of the time was too short, in the
// time that the others did not need. It reports whether that was too short as well.
func (g *gen) catchUp(ctx context.Context, short []phase) (cut bool, err error) {
	for _, p := range short {
		if ctx.Err() != nil {
			return true, nil
		}
		began := time.Now()
		err := p.again(g, ctx)
		g.debug("stages", "%s: explore: what was left of %s took %s", g.pkg.Path, p.name, time.Since(began).Round(time.Millisecond))
		var bug *bugError
		if err != nil && !errors.As(err, &bug) {
			return false, err
		}
	}
	return len(short) > 0 && ctx.Err() != nil, nil
}

// resume explores the functions once more whose exploration the time cut off.
func (g *gen) resume(ctx context.Context) error {
	var targets []*load.Target
	left := make(map[string]int)
	for i, x := range g.explored {
		if errors.Is(x.err, context.DeadlineExceeded) {
			targets = append(targets, x.target)
			left[x.target.Name] = i
		}
	}
	if len(targets) == 0 {
		return nil
	}
	return g.further(ctx, "exploring", g.targetEngines(), targets, func(x explored) {
		g.explored[left[x.target.Name]].err = x.err
	})
}

// Shares of its usual effort that the random engine spends before the others, and after
// them: then it starts from what they found, and it is what finds failures that no branch
// leads to.
const (
	earlyShare = 1. / 6
	lateShare  = 3
)

// first lets the random engine look for what is easily found. Its cases join those of the
// others after them, since where both show the same theirs are simpler.
func (g *gen) first(ctx context.Context) error {
	return g.packageEngine(ctx, g.engine("random").(packageEngine), earlyShare, func(cases []*testcase.Case) {
		g.early = cases
		g.coveredBy(cases)
	})
}

// firstShare is which part of its usual effort the symbolic engine spends on a function
// at first, coveredShare where the function is covered already: there it finds simpler
// inputs, and what fails. Few functions need more; restRound gives the rest to those that do.
const (
	firstShare   = 4
	coveredShare = 8
)

// exportedRound has the exported functions explored.
func (g *gen) exportedRound(ctx context.Context) error {
	return g.round(ctx, g.targetEngines(), g.exported)
}

// insideRound has those of the other functions explored that stay uncovered.
func (g *gen) insideRound(ctx context.Context) error {
	var targets []*load.Target
	for _, t := range g.inside {
		if g.uncovered(t) {
			targets = append(targets, t)
		}
	}
	if len(targets) == 0 {
		return nil
	}
	return g.round(ctx, g.targetEngines(), targets)
}

// targetEngines are the engines for single functions, with the effort of a first round if
// there are others.
func (g *gen) targetEngines() []engine {
	if !g.isHybrid() {
		return g.engines
	}
	parts := make(map[*load.Target]int)
	for _, t := range g.pkg.Targets {
		parts[t] = firstShare
		if !g.uncovered(t) {
			parts[t] = coveredShare
		}
	}
	return []engine{symbolicEngine{parts: parts}}
}

// restRound gives their full effort to functions that are not covered and whose paths
// were not all followed in the first round.
func (g *gen) restRound(ctx context.Context) error {
	var targets []*load.Target
	for _, x := range g.explored {
		if x.effort.cut && g.uncovered(x.target) {
			targets = append(targets, x.target)
		}
	}
	if len(targets) == 0 {
		return nil
	}
	return g.further(ctx, "exploring", []engine{symbolicEngine{}}, targets, func(explored) {})
}

// structures lets the engine bounded make the structures that a predicate of the package
// vouches for, where the exported functions are not covered.
func (g *gen) structures(ctx context.Context) error {
	e, ok := g.engine("bounded").(packageEngine)
	if !ok || !slices.ContainsFunc(g.exported, g.uncovered) {
		return nil
	}
	return g.packageEngine(ctx, e, 1, func(cases []*testcase.Case) { g.join(cases, g.index()) })
}

// random lets the random engine look for what is left, with what the others have found as
// values to begin with.
func (g *gen) random(ctx context.Context) error {
	e := g.engine("random").(packageEngine)
	return g.packageEngine(ctx, e, lateShare, func(cases []*testcase.Case) { g.join(cases, g.index()) })
}

// packageEngines lets the engines that work on the whole package look for what is
// left, where they work for themselves.
func (g *gen) packageEngines(ctx context.Context) error {
	for _, e := range g.engines {
		if pe, ok := e.(packageEngine); ok && ctx.Err() == nil {
			if err := g.packageEngine(ctx, pe, lateShare, func(cases []*testcase.Case) { g.join(cases, g.index()) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// packageEngine runs one of them with a share of its usual effort, and gives what it finds
// to found.
func (g *gen) packageEngine(ctx context.Context, e packageEngine, share float64, found func([]*testcase.Case)) error {
	wanted := make(map[string]bool)
	for _, t := range g.exported {
		wanted[t.Name] = true
	}
	for _, t := range g.inside {
		wanted[t.Name] = g.uncovered(t)
	}
	g.events.Send(event.Progress{Package: g.pkg.Path, Stage: e.name()})
	if g.anyChanges {
		// It runs what it likes, and the cases that are kept are observed in a process that
		// nobody has spoiled.
		defer g.harness.Fresh()
	}
	j := packageJob{
		prog: g.prog, pkg: g.pkg, harness: g.harness, seed: g.cfg.Seed, share: share, covered: g.natural(), checks: g.checks(), tags: g.cfg.Tags, confine: g.cfg.Confine,
		wanted: func(name string) bool { return wanted[name] }, exhaustive: g.wantExhaustive(),
		log: func(form string, args ...any) { g.debug("stages", form, args...) },
	}
	if g.isHybrid() {
		j.known = g.sequences() // the reducer will ask which mutants the cases notice
	} else {
		j.mutants = g.noticed()
	}
	err := g.within(ctx, func() (func(), error) {
		var cases, spare []*testcase.Case
		j.spare = func(more []*testcase.Case) { spare = more }
		err := e.runPackage(ctx, j, func(c *testcase.Case) bool {
			cases = append(cases, c)
			return ctx.Err() == nil
		})
		return func() { found(cases); g.spare = spare }, err
	})
	if err != nil {
		return fmt.Errorf("engine %s: %w", e.name(), err)
	}
	return nil
}
