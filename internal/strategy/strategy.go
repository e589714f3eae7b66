package strategy

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
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
	run   func(*exploration, context.Context) error
	// again does what is left of the phase where its share of the time was too short; nil
	// if a later phase does it anyway.
	again func(*exploration, context.Context) error
}

// hybrid is the strategy where both kinds of engines work, the phases in their order. An engine
// works in the phases of its unit: "exported", "inside" and "rest" are for engines of
// functions, "types" for those of types, "structures" for those of packages but random.
func hybrid() []phase {
	return []phase{
		{"first", 33, (*exploration).randomFirst, nil},
		{"exported", 60, (*exploration).exploreExported, (*exploration).resume},
		{"types", 64, (*exploration).exploreTypes, (*exploration).exploreTypes},
		{"inside", 68, (*exploration).exploreInside, (*exploration).resume},
		{"rest", 72, (*exploration).exploreRest, (*exploration).exploreRest},
		{"structures", 76, (*exploration).makeStructures, (*exploration).makeStructures},
		{"flip", 81, (*exploration).flipDecisions, nil},
		{"random", 95, (*exploration).randomLast, (*exploration).randomLast},
		{"flip again", 100, (*exploration).flipDecisions, (*exploration).flipDecisions},
	}
}

// ManyTargets is from how many functions on a package is large: there is no time to go through each of
// them symbolically, and random finds more a second.
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

// separate is what is done where only some engines were asked for: each does all that it
// can for itself.
func separate() []phase {
	return []phase{
		{"exported", 70, (*exploration).exploreExported, (*exploration).resume},
		{"types", 70, (*exploration).exploreTypes, (*exploration).exploreTypes},
		{"inside", 70, (*exploration).exploreInside, (*exploration).resume},
		{"package", 100, (*exploration).explorePackage, (*exploration).explorePackage},
	}
}

// Config says what is explored, and with what.
type Config struct {
	Engines  []engine.Engine
	Exported []*load.Target // what users of the package call
	Inside   []*load.Target // explored directly only where the exported ones do not reach

	// Documented are cases that the documentation speaks of; they ran.
	Documented []*testcase.Case
	// Checks are the contracts that the package's types and functions are expected to keep.
	Checks []*testcase.Check
	// Noticed names the mutants that each case notices and no earlier one does.
	Noticed func(context.Context, []*testcase.Case) ([][]string, error)
	// Observing returns the context in which cases are run once more that a spoiled harness
	// had observed.
	Observing func() (context.Context, context.CancelFunc)

	Exhaustive bool // the engine bounded makes tests that enumerate all inputs again
	Concrete   bool // the engine sequence explores concrete states, as a baseline
	Depth      int  // calls after the constructor, for the engine sequence; 0 is its default
	// Finitization is the user's function for the bounds of the engine bounded.
	Finitization string
}

// Finds is what exploration came to.
type Finds struct {
	Explored   []engine.Explored
	Spare      []*testcase.Case      // cover nothing new and were not observed
	Exhaustive []*bounded.Exhaustive // tests that enumerate
	Cut        bool                  // a phase did not end by itself
	Natural    testcase.Cover        // what cases cover that build no object by hand
}

// Cases returns all cases of the exploration.
func (f Finds) Cases() []*testcase.Case {
	var out []*testcase.Case
	for _, x := range f.Explored {
		out = append(out, x.Cases...)
	}
	return out
}

// exploration is the engines' work on a package. Each phase adds to what was found, and
// looks at what the earlier ones cover.
type exploration struct {
	*session.Session
	cfg   Config
	bench *session.Bench
	Finds

	first   []*testcase.Case        // what random finds first of all; it joins Explored in the end
	cover   testcase.Cover          // of everything that becomes a test
	flipped map[*testcase.Case]bool // executed symbolically already
	orderer orderer
}

// Explore lets the engines look for cases until ctx ends, phase after phase. What was found is
// returned with an error, too.
func Explore(ctx context.Context, s *session.Session, bench *session.Bench, cfg Config) (Finds, error) {
	e := &exploration{Session: s, cfg: cfg, bench: bench, flipped: make(map[*testcase.Case]bool)}
	err := e.runPhases(ctx)
	e.Natural = e.coverWithoutHandBuilt()
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
	start, all := time.Now(), time.Until(session.DeadlineOf(whole))
	var short []phase
	for _, p := range phases {
		until := p.until
		if len(engine.Of(e.cfg.Engines, engine.PerPackage)) == 0 {
			until = 100
		}
		end := all * time.Duration(until) / 100
		if p.name == "first" {
			// What it calls has to be built into the harness, or no later phase has anything.
			end = max(end, min(2*e.bench.BuildTime, all/2))
		}
		ctx, stop := context.WithDeadline(whole, start.Add(end))
		began := time.Now()
		var err error
		if ctx.Err() == nil {
			err = p.run(e, ctx)
		}
		if ctx.Err() != nil && p.again != nil {
			short = append(short, p)
		}
		stop()
		e.Debug("stages", "%s: explore: %s took %s, %d of %d blocks and outcomes reached", e.Pkg.Path, p.name,
			time.Since(began).Round(time.Millisecond), e.cover.Count(), len(e.bench.Blocks()))
		if err != nil && !session.IsBug(err) {
			return err
		}
		// What is ours has been said; the other engines may do without this one.
	}
	cutOff, err := e.catchUp(whole, short)
	if err != nil {
		return err
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

// putDocumentedFirst puts the cases that the documentation speaks of before those of the engines:
// where both are the same, it is the documentation's.
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

// catchUp does what is left of the phases whose share of the time was too short, in the
// time that the others did not need. It reports whether that was too short as well.
func (e *exploration) catchUp(ctx context.Context, short []phase) (cut bool, err error) {
	for _, p := range short {
		if ctx.Err() != nil {
			return true, nil
		}
		began := time.Now()
		err := p.again(e, ctx)
		e.Debug("stages", "%s: explore: what was left of %s took %s", e.Pkg.Path, p.name, time.Since(began).Round(time.Millisecond))
		if err != nil && !session.IsBug(err) {
			return false, err
		}
	}
	return len(short) > 0 && ctx.Err() != nil, nil
}

// isHybrid reports whether the engines are there that the strategy is about.
func (e *exploration) isHybrid() bool {
	return e.engineNamed("symbolic") != nil && e.engineNamed("random") != nil
}

// engineNamed returns the engine of that name if it works, else nil.
func (e *exploration) engineNamed(name string) engine.Engine {
	i := slices.IndexFunc(e.cfg.Engines, func(e engine.Engine) bool { return e.Name() == name })
	if i < 0 {
		return nil
	}
	return e.cfg.Engines[i]
}
