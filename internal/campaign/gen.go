package campaign

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"time"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// Gen writes tests for the packages that cfg names.
func Gen(ctx context.Context, cfg Config) (Result, error) {
	es, err := engines(cfg.Engines)
	if err != nil {
		return Result{}, err
	}
	var changed map[string][]load.Lines
	if cfg.Since != "" {
		if changed, err = changedSince(ctx, cfg.Dir, cfg.Since); err != nil {
			return Result{Interrupted: ctx.Err() != nil}, err
		}
	}
	return each(ctx, cfg, "gen", func(r *run) error {
		return r.remembering(func() error {
			g := &gen{run: r, engines: es, interrupted: ctx, kept: make(map[string]bool), emptied: make(map[string]bool), changedLines: changed, flipped: make(map[*testcase.Case]bool)}
			return g.do()
		})
	})
}

// gen is the work on one package, handed from stage to stage.
type gen struct {
	*run
	engines     []engine
	interrupted context.Context // ends with the user's interrupt only

	old     []files.Own     // what an earlier run left
	kept    map[string]bool // files of those that are left as they are, by name
	emptied map[string]bool // those of which nothing is left, where a run is about part of the package
	// changedLines are those of -since.
	changedLines map[string][]load.Lines
	earlier      *earlierTests  // how they do on the code as it is now
	existing     *existingTests // the package's hand-written tests, if they count
	exported     []*load.Target
	inside       []*load.Target

	harness *native.Harness
	machine testcase.Cover // blocks that ask for something of the machine
	buildS  time.Duration  // what building it took: a measure of what go test will take
	cover   testcase.Cover
	// changes and sets say that a sequence calls what changes package-level variables,
	// and what is there to set them; anyChanges that the package has such functions.
	changes, sets func(*testcase.Sequence) bool
	anyChanges    bool
	readsOnly     func(*testcase.Operation) bool // a call that changes nothing that outlives it
	stored        map[string][]*types.Var        // what functions set that are there for it, by full name

	exhaustive []*bounded.Exhaustive
	before     testcase.Cover // what the hand-written tests cover, nil if they do not count

	explored []explored
	early    []*testcase.Case             // found first of all; they join explored in the end
	kills    map[*testcase.Sequence][]int // which mutants tests kill, where that was asked
	calls    map[string][]words.Call      // executed calls, by target, with what observers said
	spare    []*testcase.Case             // cover nothing new and were not observed
	flipped  map[*testcase.Case]bool      // executed symbolically already
	cutShort bool                         // a phase of exploration did not end by itself
	tests    []*testcase.Case             // observed to end well, or as the code says on misuse
	findings []*testcase.Finding
	misuse   []event.Misuse // what their users may not do, and fails
	suite    *suite         // emitted and verified
	noVet    bool           // the package builds, and go vet refuses it
}

// stage is a step of gen.
type stage struct {
	name string
	run  func(*gen) error
	// ends says that the stage is still worth its time after an interrupt or when the
	// time for exploring is over.
	ends bool
}

// stages is the way of a package through gen.
func stages() []stage {
	return []stage{
		{"look", (*gen).look, false},
		{"build", (*gen).build, false},
		{"explore", (*gen).explore, false},
		{"judge", (*gen).judge, true},
		{"reduce", (*gen).reduce, true},
		{"verify", (*gen).verify, true},
		{"write", (*gen).write, true},
		{"seed", (*gen).seed, true},
		{"mismatches", (*gen).mismatches, true},
		{"mutate", (*gen).mutate, true},
	}
}

func (g *gen) do() error {
	defer g.close()
	for _, s := range stages() {
		start := time.Now()
		if !s.ends && g.ctx.Err() != nil {
			continue
		}
		g.events.Send(event.Progress{Package: g.pkg.Path, Stage: s.name})
		err := g.guarded(s)
		g.debug("stages", "%s: %s took %s", g.pkg.Path, s.name, time.Since(start).Round(time.Millisecond))
		if err == errNothing {
			return nil
		}
		// What was cut off is no error as long as there is something to finish.
		if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	if errors.Is(g.ctx.Err(), context.DeadlineExceeded) {
		g.timedOut("")
	}
	return nil
}

// guarded runs a stage. A panic of ours ends it: without reduction there are more
// tests than needed, without any other stage there are none.
func (g *gen) guarded(s stage) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = g.bug(s.name, p)
			if s.name == "reduce" {
				err = nil
			}
		}
	}()
	return s.run(g)
}

// errNothing ends the work on a package where there is nothing to do; it has been
// said why.
var errNothing = errors.New("nothing to do")

// finishing returns the context of the stages that finish what there is: an
// interrupt does not end it, the deadline does.
func (g *gen) finishing() (context.Context, context.CancelFunc) {
	return context.WithDeadline(context.WithoutCancel(g.interrupted), g.deadline)
}

// believing returns the context of verification. Where the machine was slower than building
// the harness had promised, it may go beyond the deadline, by half of the bound at most:
// without it all that was found would be lost.
func (g *gen) believing() (context.Context, context.CancelFunc) {
	end := time.Now().Add(min(g.verifying(), g.cfg.timeout()/2))
	if end.Before(g.deadline) {
		end = g.deadline
	}
	return context.WithDeadline(context.WithoutCancel(g.interrupted), end)
}

// exploring returns the context of exploration, which leaves time to reduce and to
// verify.
func (g *gen) exploring() (context.Context, context.CancelFunc) {
	reserve := g.verifying() + max(2*time.Second, g.cfg.timeout()/10)
	if g.anyChanges {
		reserve += g.cfg.timeout() / 5 // cases that change variables are run once more, each in a process of its own
	}
	// Where building took so long that hardly any time is left, some of it goes into
	// exploring all the same: go test finds much in its cache and may be faster.
	reserve = min(reserve, g.cfg.timeout()*2/3, time.Until(g.deadline)*3/4)
	return context.WithDeadline(g.ctx, g.deadline.Add(-reserve))
}

// verifying is the time that is kept for go test, which compiles, vets, links and runs
// where building the harness only compiled and linked: some seconds on a busy machine.
func (g *gen) verifying() time.Duration {
	if g.anyChanges {
		// Tests that spoil others are found out in a second and a third round.
		return min(max(8*time.Second+8*g.buildS, g.cfg.timeout()/4), g.cfg.timeout()/2)
	}
	return min(max(4*time.Second+4*g.buildS, g.cfg.timeout()/6), g.cfg.timeout()/2)
}

func (g *gen) close() {
	if g.earlier != nil {
		g.earlier.stop()
	}
	if g.existing != nil {
		g.existing.stop()
	}
	if g.harness != nil {
		if err := g.harness.Close(); err != nil {
			g.events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %v", g.pkg.Path, err), Warning: true})
		}
	}
}

// look finds out what there is to test and what is in the way.
func (g *gen) look() error {
	var err error
	if g.cfg.Since != "" {
		if g.affected, err = g.prog.Affected(g.pkg, g.changedLines); err != nil {
			return fmt.Errorf("-since: %w", err)
		}
	}
	g.exported, g.inside = g.selectTargets()
	g.summary.Functions = event.Count(len(g.exported) + len(g.inside))
	if g.stands != nil {
		if len(g.exported)+len(g.inside) == 0 {
			return errors.New("what has changed is not to be tested")
		}
		g.summary.Functions, g.summary.Redone = g.stands.Summary.Functions, g.summary.Functions
	}
	if g.old, err = files.Earlier(g.pkg.Dir); err != nil {
		return err
	}
	if !g.cfg.DryRun {
		if err := files.Writable(g.pkg.Dir); err != nil {
			return fmt.Errorf("cannot write to %s: %w", g.pkg.Dir, err)
		}
	}
	for _, o := range g.old {
		if strings.HasSuffix(o.Name, emit.FuzzSuffix) && !g.cfg.FuzzCorpus {
			g.keep(o) // what was proposed once stays
		}
		if o.Edited {
			g.keep(o)
			g.result.Failed = true
			g.events.Send(event.Diagnostic{
				Pos:     token.Position{Filename: o.Name},
				Message: "edited by hand, so it is not overwritten: rename it to keep it, or remove it to have it written anew",
			})
		}
	}
	if len(g.exported)+len(g.inside) == 0 {
		reason := "there is no function to test"
		if g.affected != nil {
			reason = "nothing in it reaches what has changed since " + g.cfg.Since
		}
		g.events.Send(event.Skip{Package: g.pkg.Path, Reason: reason})
		if g.partly() {
			return errNothing // a run over part of the package removes nothing
		}
		g.summary.Tests, g.summary.Findings = event.Count(0), event.Count(0)
	}
	g.earlier = g.startEarlier()
	return nil
}

// keep leaves an earlier file as it is; new tests must not collide with its names.
func (g *gen) keep(o files.Own) {
	g.kept[o.Name] = true
	f, err := parser.ParseFile(token.NewFileSet(), o.Name, o.Content, parser.SkipObjectResolution)
	if f == nil || err != nil && len(f.Decls) == 0 {
		return // what does not parse declares nothing; go test will say so
	}
	for _, n := range load.DeclaredNames(f) {
		g.pkg.TestNames[n] = true
	}
}

// Build builds the native harness.
func (g *gen) build() error {
	if len(g.exported)+len(g.inside) == 0 {
		return nil
	}
	if err := g.requireFinite(g.ctx); err != nil {
		return err
	}
	g.setters()
	start := time.Now()
	var err error
	var needs []*testcase.Operation
	if g.engine("random") != nil {
		needs = random.Needs(g.prog, g.pkg)
	}
	g.harness, err = native.Build(g.ctx, g.prog, g.pkg, native.Config{Tags: g.cfg.Tags, Confine: g.cfg.Confine, Checks: g.checks(), Needs: needs})
	g.buildS = time.Since(start)
	if err == nil {
		g.machine = g.machineBlocks()
		g.existing = g.startExisting()
	}
	return err
}

// checks returns the contracts that the package's types and functions are expected to
// keep, if an engine is there to check them.
func (g *gen) checks() []*testcase.Check {
	if !g.hasPackageEngine() {
		return nil
	}
	return protocol.Of(g.pkg, g.cfg.NoContracts)
}

// base is the file's name without its directory.
func base(name string) string { return filepath.Base(name) }
