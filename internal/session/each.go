package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// Verb is what Each does with each package.
type Verb struct {
	Name string
	// Accepts says whether the loaded packages have what the user asked for, if not nil.
	Accepts func(*load.Program) error
	Do      func(*Session) error
	// RunsNothing says that no code of the packages is run.
	RunsNothing bool
}

// Each loads the packages and has the verb work on each of them in turn, then sums up. Within a
// package both CPUs are used, and a timeout of one package is not another's.
func Each(ctx context.Context, cfg Config, verb Verb) (Result, error) {
	start := time.Now()
	events := &event.Stream{Sink: cfg.Events}
	var result Result
	total := event.Summary{Verb: verb.Name}

	prog, err := loadInTime(ctx, cfg)
	if errors.Is(err, context.DeadlineExceeded) {
		events.Send(event.Diagnostic{Message: fmt.Sprintf("timed out after %s, before the packages were loaded", cfg.Bound()), Warning: true})
		total.ElapsedS = event.Seconds(time.Since(start))
		events.Send(total)
		return result, nil
	}
	if errors.Is(err, context.Canceled) {
		result.Interrupted = true
		return result, nil
	}
	if err != nil {
		return result, err
	}
	if verb.Accepts != nil {
		if err := verb.Accepts(prog); err != nil {
			return result, err
		}
	}
	if err := runMatches(cfg, prog); err != nil {
		return result, err
	}
	confined, err := newConfinement(ctx, cfg, !verb.RunsNothing, events)
	if err != nil {
		return result, err
	}
	known, err := finding.ReadBaseline(cfg.Baseline, cfg.Dir)
	if err != nil {
		return result, err
	}
	var accepted []finding.Accepted
	if cfg.BaselineWrite {
		events = collecting(events, &accepted)
	}
	effects := purity.New()
	for i, pkg := range prog.Packages {
		s := &Session{
			Config: cfg, Prog: prog, Pkg: pkg, Rules: usage.New(pkg), Effects: effects, Events: events, Known: known, User: ctx,
			start: start, skipped: make(map[string]bool), excluded: make(map[event.Unreachable]bool),
			Summary: event.Summary{Verb: verb.Name, Package: pkg.Path},
		}
		if i > 0 {
			s.start = time.Now() // loading is on the first one's account
		}
		s.Deadline = s.start.Add(cfg.Bound())
		s.Config.Confine, s.refused = confined.of(prog, pkg)
		if ctx.Err() != nil {
			result.Interrupted = true
			break
		}
		s.work(verb.Do)
		result.Add(s.Result)
		total.AddUp(s.Summary)
	}
	total.ElapsedS = event.Seconds(time.Since(start))
	events.Send(total)
	if cfg.BaselineWrite {
		return result, writeBaseline(known, accepted, events)
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

// writeBaseline adds findings to those that are known, and says so.
func writeBaseline(known *finding.Baseline, accepted []finding.Accepted, events *event.Stream) error {
	name, n, err := known.Write(accepted)
	if err != nil {
		return err
	}
	lines := "lines were"
	if n == 1 {
		lines = "line was"
	}
	events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %d %s added; each wants a reason", name, n, lines), Warning: true})
	return nil
}

// work runs f on the package, with what is the same for every verb.
func (s *Session) work(f func(*Session) error) {
	var cancel context.CancelFunc
	s.Ctx, cancel = context.WithDeadline(s.User, s.Deadline)
	defer cancel()
	for _, d := range s.Pkg.Problems {
		s.Events.Send(event.Diagnostic{Pos: d.Pos, Message: d.Message + ": the directive is left out"})
		s.Result.Failed = true // a contract that is silently not checked is worse than none
	}
	if len(s.Pkg.Errors) > 0 {
		for _, d := range s.Pkg.Errors {
			s.Events.Send(event.Diagnostic{Pos: d.Pos, Message: d.Message})
		}
		s.Events.Send(event.Skip{Package: s.Pkg.Path, Reason: "it does not compile"})
		s.Result.Failed = true
	} else if s.refused != "" {
		s.Events.Send(event.Skip{Package: s.Pkg.Path, Reason: s.refused})
	} else if err := f(s); err != nil {
		s.Fail(err)
	}
	if s.User.Err() != nil {
		s.Result.Interrupted = true
	}
	s.Summary.ElapsedS = event.Seconds(time.Since(s.start))
	s.Events.Send(s.Summary)
}

// loadInTime loads the packages within the timeout of the first one. The program goes
// on loading lazily for as long as ctx lasts.
func loadInTime(ctx context.Context, cfg Config) (*load.Program, error) {
	ctx, cancel := context.WithCancel(ctx)
	late := false
	var mu sync.Mutex
	timer := time.AfterFunc(cfg.Bound(), func() {
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

// runMatches checks that -run matches a function of some package.
func runMatches(cfg Config, prog *load.Program) error {
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
	return UsageError(fmt.Sprintf("-run %q matches no function in %s", cfg.Run, cfg.PatternText()))
}
