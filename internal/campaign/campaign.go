package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// UsageError is a mistake in how assay was called that shows only once the packages
// are known: -run matches nothing, there is no such engine.
type UsageError string

func (e UsageError) Error() string { return string(e) }

// Do is a verb at work on one package.
type run struct {
	cfg  Config
	verb string
	prog *load.Program
	pkg  *load.Package
	// rules say what users of the package may do.
	rules *usage.Rules

	effects *purity.Analysis
	orderer orderer
	events  *event.Stream
	known   *finding.Baseline
	start   time.Time

	// ctx ends with the user's interrupt or at the deadline.
	ctx      context.Context
	deadline time.Time

	result      Result
	summary     event.Summary
	affected    map[string]bool            // functions that the run is about, by Target.Name; nil is all
	stands      *remembered                // what an earlier run came to, of which only the affected functions are done again
	skipped     map[string]bool            // functions whose skip was reported
	excluded    map[event.Unreachable]bool // those that were reported
	unreachable []event.Unreachable        // what is to be reported, unless something covers it
	refused     string                     // why the package's code must not be run, or ""
	late        bool                       // it was said that the timeout cut something off
	partial     atomic.Bool                // a limit of time or a bug of ours cut something off
}

// each loads the packages and runs f on each of them in turn, then sums up. Within a
// package both CPUs are used, and a timeout of one package is not another's.
func each(ctx context.Context, cfg Config, verb string, f func(*run) error) (Result, error) {
	start := time.Now()
	ev := &event.Stream{Sink: cfg.Events}
	var result Result
	total := event.Summary{Verb: verb}

	prog, err := loadWithin(ctx, cfg)
	if errors.Is(err, context.DeadlineExceeded) {
		ev.Send(event.Diagnostic{Message: fmt.Sprintf("timed out after %s, before the packages were loaded", cfg.timeout()), Warning: true})
		total.ElapsedS = event.Seconds(time.Since(start))
		ev.Send(total)
		return result, nil
	}
	if errors.Is(err, context.Canceled) {
		result.Interrupted = true
		return result, nil
	}
	if err != nil {
		return result, err
	}
	if err := matchesSomething(cfg, prog); err != nil {
		return result, err
	}
	confined, err := newConfinement(ctx, cfg, verb != "explore" && !cfg.Static && !cfg.Annotate, ev)
	if err != nil {
		return result, err
	}
	known, err := finding.ReadBaseline(cfg.Baseline, cfg.Dir)
	if err != nil {
		return result, err
	}
	var accepted []finding.Accepted
	if cfg.BaselineWrite {
		ev = collecting(ev, &accepted)
	}
	effects := purity.New()
	for i, pkg := range prog.Packages {
		r := &run{
			cfg: cfg, verb: verb, prog: prog, pkg: pkg, rules: usage.New(pkg), effects: effects, events: ev, known: known,
			start: start, skipped: make(map[string]bool), excluded: make(map[event.Unreachable]bool),
			summary: event.Summary{Verb: verb, Package: pkg.Path},
		}
		if i > 0 {
			r.start = time.Now() // loading is on the first one's account
		}
		r.deadline = r.start.Add(cfg.timeout())
		r.cfg.Confine, r.refused = confined.of(prog, pkg)
		if ctx.Err() != nil {
			result.Interrupted = true
			break
		}
		r.whole(ctx, f)
		result.add(r.result)
		total.AddUp(r.summary)
	}
	total.ElapsedS = event.Seconds(time.Since(start))
	ev.Send(total)
	if cfg.BaselineWrite {
		name, n, err := known.Write(accepted)
		if err != nil {
			return result, err
		}
		lines := "lines were"
		if n == 1 {
			lines = "line was"
		}
		ev.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %d %s added; each wants a reason", name, n, lines), Warning: true})
	}
	return result, nil
}

// collecting returns a stream that hands events on and notes the findings which a baseline is
// to have.
func collecting(to *event.Stream, accepted *[]finding.Accepted) *event.Stream {
	return &event.Stream{Sink: func(e event.Event) {
		if f, ok := e.(event.Finding); ok && (f.Severity == testcase.Error || f.Severity == testcase.Warning) {
			*accepted = append(*accepted, finding.Accepted{Package: f.Package, Func: f.Func, Kind: f.Kind, Message: f.Message})
		}
		to.Send(e)
	}}
}

// whole runs f on the package, with what is the same for every verb.
func (r *run) whole(ctx context.Context, f func(*run) error) {
	var cancel context.CancelFunc
	r.ctx, cancel = context.WithDeadline(ctx, r.deadline)
	defer cancel()
	for _, d := range r.pkg.Problems {
		r.events.Send(event.Diagnostic{Pos: d.Pos, Message: d.Message + ": the directive is left out"})
		r.result.Failed = true // a contract that is silently not checked is worse than none
	}
	if len(r.pkg.Errors) > 0 {
		for _, d := range r.pkg.Errors {
			r.events.Send(event.Diagnostic{Pos: d.Pos, Message: d.Message})
		}
		r.events.Send(event.Skip{Package: r.pkg.Path, Reason: "it does not compile"})
		r.result.Failed = true
	} else if r.refused != "" {
		r.events.Send(event.Skip{Package: r.pkg.Path, Reason: r.refused})
	} else if err := f(r); err != nil {
		r.fail(err)
	}
	if ctx.Err() != nil {
		r.result.Interrupted = true
	}
	r.summary.ElapsedS = event.Seconds(time.Since(r.start))
	r.events.Send(r.summary)
}

// fail reports an error that ended the work on the package.
func (r *run) fail(err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		r.timedOut("")
		return
	}
	if errors.Is(err, context.Canceled) {
		return // the interrupt has been announced
	}
	r.result.Failed = true
	r.events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s", r.pkg.Path, oneLine(err.Error()))})
}

// timedOut says that the timeout cut something off.
func (r *run) timedOut(what string) {
	if r.late {
		return
	}
	r.late = true
	msg := fmt.Sprintf("%s: timed out after %s", r.pkg.Path, r.cfg.timeout())
	if spent := time.Since(r.start); spent < r.cfg.timeout()*9/10 {
		msg = fmt.Sprintf("%s: out of time after %s of %s, the rest of which running the tests may take", r.pkg.Path, spent.Round(100*time.Millisecond), r.cfg.timeout())
	}
	if what != "" {
		msg += ": " + what
	}
	r.events.Send(event.Diagnostic{Message: msg, Warning: true})
}

// loadWithin loads the packages within the timeout of the first one. The program goes
// on loading lazily for as long as ctx lasts.
func loadWithin(ctx context.Context, cfg Config) (*load.Program, error) {
	ctx, cancel := context.WithCancel(ctx)
	late := false
	var mu sync.Mutex
	timer := time.AfterFunc(cfg.timeout(), func() {
		mu.Lock()
		defer mu.Unlock()
		late = true
		cancel()
	})
	prog, err := load.Load(ctx, load.Config{Dir: cfg.Dir, Tags: cfg.Tags}, cfg.Patterns...)
	timer.Stop()
	mu.Lock()
	defer mu.Unlock()
	if late {
		return nil, context.DeadlineExceeded
	}
	if err != nil {
		cancel()
		return nil, err
	}
	// The program keeps the context for what it loads later; it ends with its parent.
	context.AfterFunc(ctx, cancel)
	return prog, nil
}

// matchesSomething checks that -run matches a function of some package, and -type a
// type.
func matchesSomething(cfg Config, prog *load.Program) error {
	if cfg.Type != "" {
		if !slices.ContainsFunc(prog.Packages, func(p *load.Package) bool { return methodOf(p, cfg.Type) != nil || len(p.Errors) > 0 }) {
			return UsageError(fmt.Sprintf("-type %s: no such type with methods in %s", cfg.Type, cfg.patterns()))
		}
	}
	if cfg.Run == nil {
		return nil
	}
	for _, pkg := range prog.Packages {
		if len(pkg.Errors) > 0 {
			return nil // it would perhaps have had one
		}
		for _, t := range pkg.Targets {
			if cfg.Run.MatchString(t.Name) {
				return nil
			}
		}
	}
	return UsageError(fmt.Sprintf("-run %q matches no function in %s", cfg.Run, cfg.patterns()))
}

// patterns are the package patterns as the user gave or meant them.
func (c Config) patterns() string {
	if len(c.Patterns) == 0 {
		return "."
	}
	return strings.Join(c.Patterns, " ")
}

// skip reports once why a function gets no test.
func (r *run) skip(fn, reason string) {
	if r.skipped[fn] {
		return
	}
	r.skipped[fn] = true
	r.events.Send(event.Skip{Package: r.pkg.Path, Func: fn, Reason: reason})
}

// debug sends a line if -debug asks for the topic.
func (r *run) debug(topic, format string, args ...any) {
	if r.cfg.Debug[topic] {
		r.events.Send(event.Debug{Topic: topic, Text: fmt.Sprintf(format, args...)})
	}
}

// select returns the targets that the run is about, split into exported ones and
// those that are only tested directly where exported ones don't reach. Those that are
// not to be tested are reported as skipped.
func (r *run) selectTargets() (exported, inside []*load.Target) {
	r.leaveAlone()
	for _, t := range r.pkg.Targets {
		if !r.about(t.Name) {
			continue
		}
		if t.Skip != "" {
			r.skip(t.String(), t.Skip)
			continue
		}
		// A function that was asked for by its name is tested for its own sake.
		if t.Exported || r.cfg.Run != nil {
			exported = append(exported, t)
		} else {
			inside = append(inside, t)
		}
	}
	return exported, inside
}

// leaveAlone marks the functions that certainly do something to the world around them:
// no engine calls them, not even to make what another function needs.
func (r *run) leaveAlone() {
	if r.cfg.Unsafe {
		return
	}
	for _, t := range r.pkg.Targets {
		if t.Skip != "" {
			continue
		}
		if reason := r.effects.Effect(t.Func); reason != "" {
			t.Skip = reason + "; -unsafe tests it all the same"
		}
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
