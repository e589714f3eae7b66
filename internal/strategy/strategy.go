package strategy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/schedule"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// A strategy says what the engines do in which order, and what one engine tells another. Cheap native tests
// come first. Their coverage decides how much effort the symbolic engine puts into a function, and some of
// their inputs are executed symbolically (flip.go). All sequences found go into the pool of the random
// engine, and its tests are executed symbolically in turn. Hybrid concolic testing (Majumdar, Sen, ICSE 2007)
// goes back and forth in the same way.
//
// Effort is counted, not timed, so the same seed gives the same cases. The shares of time matter only if the
// package's time runs out, so that one phase does not starve the others. Cheap work gets most of the time
// then: in a package with two hundred functions the random engine finds more in a second than the symbolic
// engine in three seconds, which are hardly enough for it to begin.

// phase is a part of exploration.
type phase struct {
	name string
	// engine is the name of the engine that works in the phase, or "" if several do.
	engine string
	// until is which part of the time for exploring may be over when the phase ends, in
	// percent.
	until int
	run   func(*exploration, context.Context) error
	// catchUp does the rest of the phase if its time was too short. It is nil if a later phase does this work
	// in any case.
	catchUp func(*exploration, context.Context) error
}

// hybrid is the strategy with several kinds of engines: the phases in their order. An engine works in the
// phases of its unit: "exported", "inside" and "rest" are for engines of functions, "types" is for engines of
// types, and "structures" is for engines of packages other than random.
func hybrid() []phase {
	return []phase{
		{"first", "random", 33, (*exploration).randomFirst, nil},
		{"exported", "symbolic", 60, (*exploration).exploreExported, (*exploration).resume},
		{"types", "sequence", 64, (*exploration).exploreTypes, (*exploration).exploreTypes},
		{"inside", "symbolic", 68, (*exploration).exploreInside, (*exploration).resume},
		{"rest", "symbolic", 72, (*exploration).exploreRest, (*exploration).exploreRest},
		{"structures", "bounded", 76, (*exploration).makeStructures, (*exploration).makeStructures},
		{"flip", "symbolic", 81, (*exploration).flipDecisions, nil},
		{"random", "random", 95, (*exploration).randomLast, (*exploration).randomLast},
		{"flip again", "symbolic", 100, (*exploration).flipDecisions, (*exploration).flipDecisions},
	}
}

// ManyTargets is the number of functions from which on a package is large: there is no time to explore
// each of them symbolically, and the random engine finds more in a second.
const ManyTargets = 150

// hybridLarge is hybrid with the shares of large packages.
func hybridLarge() []phase {
	until := map[string]int{"first": 45, "exported": 55, "types": 57, "inside": 60, "rest": 63, "structures": 64, "flip": 70}
	phases := hybrid()
	for i, p := range phases {
		if share, ok := until[p.name]; ok {
			phases[i].until = share
		}
	}
	return phases
}

// separate returns the phases if the user asked for only some engines: each does all its work by itself.
func separate() []phase {
	return []phase{
		{"exported", "", 70, (*exploration).exploreExported, (*exploration).resume},
		{"types", "", 70, (*exploration).exploreTypes, (*exploration).exploreTypes},
		{"inside", "", 70, (*exploration).exploreInside, (*exploration).resume},
		{"package", "", 100, (*exploration).explorePackage, (*exploration).explorePackage},
	}
}

// Config says what to explore, and with which engines.
type Config struct {
	Engines  []engine.Engine
	Exported []*load.Target // functions that users of the package call
	Inside   []*load.Target // explored directly only where the exported ones do not reach

	// Documented are cases of calls in the documentation; they have run.
	Documented []*testcase.Case
	// Resumed is what an earlier run has found. Its zero value makes the run begin anew.
	Resumed Resumed
	// Checks are the contracts that the package's types and functions are expected to keep.
	Checks []*testcase.Check
	// Noticed names the mutants that each case notices and no earlier one does.
	Noticed func(context.Context, []*testcase.Case) ([][]string, error)
	// Observing returns the context for running cases once more that were observed in a harness in an
	// unknown state.
	Observing func() (context.Context, context.CancelFunc)

	// GivenBack returns contexts that last longer than the one of Explore, the shorter ones first. They spend time that
	// is kept for running tests, and are asked for where no case has become a test until then.
	GivenBack []func() (context.Context, context.CancelFunc)

	// IfFew returns a context that spends time which is kept for choosing among many cases. It is asked for where the time was
	// too short to find more than a few, between which there is little to choose. Nil gives none.
	IfFew func() (context.Context, context.CancelFunc)

	// IfLittle is the same where most of the package was not reached. It leaves more time for choosing, because there may be
	// hundreds of cases of the part that was.
	IfLittle func() (context.Context, context.CancelFunc)

	Exhaustive bool // the engine bounded makes tests that enumerate all inputs again
	Concrete   bool // the engine sequence explores concrete states, as a baseline
	Depth      int  // calls after the constructor, for the engine sequence; 0 is its default
	// Waiting says that a person waits for the result: the random engine ends with a part of its effort.
	Waiting bool
	// Finitization is the user's function for the bounds of the engine bounded.
	Finitization string
}

// Finds is the result of exploration.
type Finds struct {
	Explored   []engine.Explored
	Spare      []*testcase.Case         // cases that cover nothing new and were not observed
	Exhaustive []*bounded.Exhaustive    // tests that enumerate all inputs
	Cut        bool                     // the time cut a phase off
	Learnt     Learnt                   // what a round goes on from besides cases
	Engines    []schedule.EngineOutcome // what each engine reached first, in what time
	Natural    testcase.Cover           // the coverage of the cases that build no object by hand
}

// Cases returns all cases of the exploration.
func (f Finds) Cases() []*testcase.Case {
	var out []*testcase.Case
	for _, x := range f.Explored {
		out = append(out, x.Cases...)
	}
	return out
}

// exploration is the engines' work on a package. Each phase adds to the results, and looks at what the
// earlier phases cover.
type exploration struct {
	*session.Session
	cfg   Config
	bench *session.Bench
	Finds

	first   []*testcase.Case        // the random engine's first cases; they are added to Explored in the end
	resumed []*testcase.Case        // the cases of an earlier run, which are also among the first
	cover   testcase.Cover          // the coverage of all cases that become tests
	flipped map[*testcase.Case]bool // cases that were executed symbolically already
	// complete says of the functions that the symbolic engine has explored whether it has followed all of their paths.
	complete map[*load.Target]bool
	orderer  orderer
	unrun    []*testcase.Case // cases for which there was no time to run them yet
}

// Explore lets the engines look for cases until ctx ends, phase after phase. With an error it also
// returns what was found.
func Explore(ctx context.Context, s *session.Session, bench *session.Bench, cfg Config) (Finds, error) {
	e := &exploration{Session: s, cfg: cfg, bench: bench, flipped: make(map[*testcase.Case]bool), complete: make(map[*load.Target]bool)}
	err := e.runPhases(ctx)
	e.Natural = e.coverWithoutHandBuilt()
	e.noteFrontier()
	return e.Finds, err
}

// runPhases runs the phases, each until its part of the time is over.
func (e *exploration) runPhases(whole context.Context) error {
	phases := separate()
	if e.isHybrid() {
		phases = hybrid()
		if len(e.cfg.Exported)+len(e.cfg.Inside) > ManyTargets {
			phases = hybridLarge()
		}
	}
	e.bench.NoteCover(&e.cover, e.cfg.Documented)
	if err := e.resumeEarlier(whole); err != nil && !session.IsBug(err) {
		return err
	}
	start, all := time.Now(), time.Until(session.DeadlineOf(whole))
	var short []phase
	for i, until := range untilWith(phases, e.cfg.Resumed.Weights) {
		p := phases[i]
		if len(engine.Of(e.cfg.Engines, engine.PerPackage)) == 0 {
			until = 100
		}
		end := all * time.Duration(until) / 100
		if p.name == "first" {
			// The operations that the phase calls have to be built into the harness. Without them later
			// phases find nothing.
			end = max(end, min(2*e.bench.BuildTime, all/2))
		}
		ctx, stop := context.WithDeadline(whole, start.Add(end))
		began := time.Now()
		var err error
		if ctx.Err() == nil {
			err = e.noting(p, func() error { return p.run(e, ctx) })
		}
		if ctx.Err() != nil && p.catchUp != nil {
			short = append(short, p)
		}
		stop()
		e.Debug("stages", "%s: explore: %s took %s, %d of %d blocks and outcomes reached", e.Pkg.Path, p.name,
			time.Since(began).Round(time.Millisecond), e.cover.Count(), len(e.bench.Blocks()))
		if err != nil && !session.IsBug(err) {
			return err
		}
		// A bug of ours has been reported; the other engines may do without this phase.
	}
	if isLittle(e.cover.Count(), len(e.bench.Blocks())) {
		short = randomBefore(short)
	}
	cutOff, err := e.catchUp(whole, short)
	if err == nil && cutOff {
		cutOff, err = e.catchUpFew(short)
	}
	if err == nil && cutOff {
		cutOff, err = e.catchUpLittle(short)
	}
	if err == nil && cutOff {
		cutOff, err = e.catchUpUntested(short)
	}
	if err != nil {
		return err
	}
	if err := e.runUnrun(whole); err != nil {
		return fmt.Errorf("running cases: %w", err)
	}
	e.addCases(e.first)
	e.putDocumentedFirst()
	for _, x := range e.Explored {
		if errors.Is(x.Err, engine.ErrShareUsedUp) {
			e.Debug("stages", "%s: %s: %v", e.Pkg.Path, x.Target, x.Err)
		}
	}
	if e.User.Err() == nil && cutOff {
		e.Cut = true
		e.TimedOut("not every path was explored")
	}
	return nil
}

// putDocumentedFirst puts the cases from the documentation before those of the engines, so that of two
// equal cases the documented one is kept.
func (e *exploration) putDocumentedFirst() {
	index := e.index()
	for _, c := range slices.Backward(e.cfg.Documented) {
		if i, ok := index[c.Target]; ok {
			e.Explored[i].Cases = append([]*testcase.Case{c}, e.Explored[i].Cases...)
			continue
		}
		e.addCase(c, index)
	}
}

// catchUp does the rest of the phases whose time was too short, in time that the other phases did not need.
// It reports whether this time was too short as well.
func (e *exploration) catchUp(ctx context.Context, short []phase) (cut bool, err error) {
	for _, p := range short {
		if ctx.Err() != nil {
			return true, nil
		}
		began := time.Now()
		err := e.noting(p, func() error { return p.catchUp(e, ctx) })
		e.Debug("stages", "%s: explore: what was left of %s took %s", e.Pkg.Path, p.name, time.Since(began).Round(time.Millisecond))
		if err != nil && !session.IsBug(err) {
			return false, err
		}
	}
	return len(short) > 0 && ctx.Err() != nil, nil
}

// few is the number of cases up to which choosing hardly takes time.
const few = 30

// catchUpFew does the rest of the phases in the time that is kept for choosing, if there are only a few cases. It reports
// whether this time was too short as well.
func (e *exploration) catchUpFew(short []phase) (cut bool, err error) {
	if e.cfg.IfFew == nil || len(e.Cases())+len(e.first) > few || e.User.Err() != nil {
		return true, nil
	}
	ctx, stop := e.cfg.IfFew()
	defer stop()
	return e.catchUp(ctx, short)
}

// littlePart is which part of a package has to be reached before choosing is worth more than exploring.
const littlePart = 2

// catchUpLittle does the rest of the phases in a part of the time that is kept for choosing, if less than a half of the package was
// reached: a slow build, or calls that sleep, took the time. It reports whether this time was too short as well.
func (e *exploration) catchUpLittle(short []phase) (cut bool, err error) {
	partly := len(e.cfg.Exported)+len(e.cfg.Inside) < len(e.Pkg.Targets)/2 // most of the package is not asked for
	if e.cfg.IfLittle == nil || partly || !isLittle(e.cover.Count(), len(e.bench.Blocks())) || e.User.Err() != nil {
		return true, nil
	}
	ctx, stop := e.cfg.IfLittle()
	defer stop()
	return e.catchUp(ctx, short)
}

// isLittle reports whether so many blocks are a small part of all.
func isLittle(reached, all int) bool { return reached*littlePart < all }

// randomBefore returns the phases with those of the random engine first, which reaches most in a second.
func randomBefore(phases []phase) []phase {
	return slices.SortedStableFunc(slices.Values(phases), func(a, b phase) int { return cmp.Compare(a.rankOfRest(), b.rankOfRest()) })
}

// rankOfRest orders phases whose rest is done in the end.
func (p phase) rankOfRest() int {
	if p.name == "random" {
		return 0
	}
	return 1
}

// catchUpUntested does the rest of the phases in the time that is kept for running tests, as long as there is none to
// run. It reports whether this time was too short as well.
func (e *exploration) catchUpUntested(short []phase) (cut bool, err error) {
	for _, next := range e.cfg.GivenBack {
		if e.cover.Count() > 0 || e.User.Err() != nil {
			break
		}
		ctx, stop := next()
		cut, err := e.catchUp(ctx, short)
		stop()
		if err != nil || !cut {
			return false, err
		}
	}
	return true, nil
}

// isHybrid reports whether all engines work that the phases of hybrid need.
func (e *exploration) isHybrid() bool {
	return e.engineNamed("symbolic") != nil && e.engineNamed("random") != nil
}

// engineNamed returns the engine of that name if it works in this run, or nil.
func (e *exploration) engineNamed(name string) engine.Engine {
	i := slices.IndexFunc(e.cfg.Engines, func(e engine.Engine) bool { return e.Name() == name })
	if i < 0 {
		return nil
	}
	return e.cfg.Engines[i]
}
