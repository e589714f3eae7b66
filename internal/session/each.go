package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/lock"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// Verb is the work that Each does with each package.
type Verb struct {
	Name string
	// Accepts, if not nil, checks whether the loaded packages have what the user asked for.
	Accepts func(*load.Program) error
	Do      func(*Session) error
	// RunsNothing says that no code of the packages is run.
	RunsNothing bool
	// Writes says that the verb writes to the packages' directories. Processes that work on the same package
	// then wait for one another.
	Writes bool
}

// Each loads the packages and lets the verb work on each of them in turn, then sums up. Both CPUs are used
// within one package, and each package has its own timeout.
func Each(ctx context.Context, cfg Config, verb Verb) (Result, error) {
	start := time.Now()
	p, result, err := Open(ctx, cfg, verb)
	if p == nil {
		return result, err
	}
	took := time.Since(start)
	loading := cfg.uncounted(took)
	if loading > 0 {
		p.Events.Send(event.Diagnostic{Warning: true, Message: fmt.Sprintf("compiling what the packages import took %s, most of which does not count for the timeout; the next run finds it in the build cache", took.Round(time.Second))})
	}
	total := event.Summary{Verb: verb.Name}
	for i, path := range p.Paths() {
		if i > 0 {
			start = time.Now() // the time for loading counts for the first package
		}
		if ctx.Err() != nil {
			result.Interrupted = true
			break
		}
		s := p.Work(ctx, path, Terms{Start: start, Uncounted: loading})
		loading = 0
		result.Add(s.Result)
		total.AddUp(s.Summary)
	}
	return result, p.Close(total)
}

// Packages are the packages that a verb works on, loaded once. The verb may work on several of them at the
// same time, and on one package several times.
type Packages struct {
	Events *event.Stream // receives the events that are not about the work on one package

	cfg      Config
	verb     Verb
	begin    time.Time
	confined confinement
	known    *finding.Baseline
	accepted []finding.Accepted // findings to add to the baseline

	mu      sync.Mutex
	prog    *load.Program
	effects *purity.WorldEffects
}

// Terms are the conditions for the work on one package. With the zero value the configuration decides.
type Terms struct {
	Start   time.Time     // when the package's time begins; zero means now
	Timeout time.Duration // the package's time, of which everything counts; 0 means that of the configuration
	// Uncounted is what has passed since Start and does not count for the timeout.
	Uncounted time.Duration
	Workers   int           // targets explored at the same time; 0 is as the configuration says
	Events    *event.Stream // receives the package's events; nil means Packages.Events
	// Continued says that a further run may continue this one, so that work cut off by the time is not reported.
	Continued bool
}

// Open loads the packages. If there are none to work on, for example because the time is over, it reports
// that, and returns nil and the result of the run.
func Open(ctx context.Context, cfg Config, verb Verb) (*Packages, Result, error) {
	p := &Packages{Events: &event.Stream{Sink: cfg.Events}, cfg: cfg, verb: verb, begin: time.Now()}
	prog, err := loadInTime(ctx, cfg)
	if errors.Is(err, context.DeadlineExceeded) {
		p.Events.Send(event.Diagnostic{Message: fmt.Sprintf("timed out after %s, before the packages were loaded", cfg.Bound()+cfg.FirstBuild), Warning: true})
		return nil, Result{}, p.Close(event.Summary{Verb: verb.Name})
	}
	if errors.Is(err, context.Canceled) {
		return nil, Result{Interrupted: true}, nil
	}
	if err != nil {
		return nil, Result{}, err
	}
	if verb.Accepts != nil {
		if err := verb.Accepts(prog); err != nil {
			return nil, Result{}, err
		}
	}
	if err := runMatches(cfg, prog); err != nil {
		return nil, Result{}, err
	}
	if p.confined, err = newConfinement(ctx, cfg, !verb.RunsNothing, p.Events); err != nil {
		return nil, Result{}, err
	}
	if p.known, err = finding.ReadBaseline(cfg.Baseline, cfg.Dir); err != nil {
		return nil, Result{}, err
	}
	if cfg.BaselineWrite {
		p.Events = collecting(p.Events, &p.accepted)
	}
	result := Result{Failed: p.leaveOut(prog)}
	p.use(prog)
	if cfg.Shard.Count > 0 {
		p.Events.Send(event.Shard{Shard: cfg.Shard.Index, Shards: cfg.Shard.Count, Packages: len(prog.Packages), Others: prog.Others})
	}
	return p, result, nil
}

// leaveOut takes packages out of a program that workers cannot build, because they need files which are not sent to them, names
// these packages, and reports whether there are any.
func (p *Packages) leaveOut(prog *load.Program) bool {
	if p.cfg.Root == "" {
		return false
	}
	var names []string
	needed := make(map[string]bool)
	prog.Packages = slices.DeleteFunc(prog.Packages, func(pkg *load.Package) bool {
		if len(pkg.Errors) > 0 {
			return false
		}
		dirs, err := prog.Outside(pkg, p.cfg.Root)
		if err != nil || len(dirs) == 0 {
			return false // if it is not known, a worker says what it lacks
		}
		p.Events.Send(event.Skip{Package: pkg.Path, Reason: fmt.Sprintf("it needs %s, which workers do not have", strings.Join(dirs, " and "))})
		names = append(names, pkg.Path)
		for _, dir := range dirs {
			needed[dir] = true
		}
		return true
	})
	if len(names) == 0 {
		return false
	}
	many := ""
	if len(names) == 1 {
		many = "s"
	}
	const most = 10
	if n := len(names) - most; n > 0 {
		names = append(names[:most], fmt.Sprintf("%d more", n))
	}
	p.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s need%s %s, outside of the module, which workers do not have: run without workers for that, or after go mod vendor",
		strings.Join(names, ", "), many, strings.Join(slices.Sorted(maps.Keys(needed)), ", "))})
	return true
}

// Close sends the sum of all packages, and writes the baseline if that was asked for.
func (p *Packages) Close(total event.Summary) error {
	total.ElapsedS = event.Seconds(time.Since(p.begin))
	p.Events.Send(total)
	if p.cfg.BaselineWrite && p.known != nil {
		return writeBaseline(p.known, p.accepted, p.Events)
	}
	return nil
}

// use makes the packages of a program those to work on.
func (p *Packages) use(prog *load.Program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.prog, p.effects = prog, purity.NewWorldEffects()
}

// Paths returns the import paths of the packages, in their order.
func (p *Packages) Paths() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]string, len(p.prog.Packages))
	for i, pkg := range p.prog.Packages {
		out[i] = pkg.Path
	}
	return out
}

// Work has the verb work on one package.
func (p *Packages) Work(ctx context.Context, path string, terms Terms) *Session {
	if terms.Start.IsZero() {
		terms.Start = time.Now()
	}
	s := p.session(ctx, path, terms)
	if p.verb.Writes {
		unlock, err := p.lock(ctx, &s, terms)
		defer unlock()
		if err != nil {
			s.Fail(err)
			s.Result.Interrupted = ctx.Err() != nil
			return s
		}
	}
	s.work(p.verb.Do)
	return s
}

// session returns the session for work on a package that begins.
func (p *Packages) session(ctx context.Context, path string, terms Terms) *Session {
	p.mu.Lock()
	prog, effects := p.prog, p.effects
	p.mu.Unlock()
	i := slices.IndexFunc(prog.Packages, func(p *load.Package) bool { return p.Path == path })
	if i < 0 {
		return nil
	}
	pkg := prog.Packages[i]
	s := &Session{
		Config: p.cfg, Prog: prog, Pkg: pkg, Rules: usage.New(pkg), Effects: effects, Events: terms.Events, Known: p.known, User: ctx,
		start: terms.Start, uncounted: terms.Uncounted, continued: terms.Continued, skipped: make(map[string]bool), excluded: make(map[event.Unreachable]bool),
		Summary: event.Summary{Verb: p.verb.Name, Package: pkg.Path},
	}
	if s.Events == nil {
		s.Events = p.Events
	}
	if terms.Timeout > 0 {
		s.Config.Timeout, s.Config.FirstBuild = terms.Timeout, 0
	}
	if terms.Workers > 0 {
		s.Config.Workers = terms.Workers
	}
	s.Deadline = s.start.Add(s.Config.Bound() + terms.Uncounted)
	s.Config.Confine, s.refused = p.confined.of(prog, pkg)
	return s
}

// lock makes sure that no other process works on the package. If another process did, the packages are loaded
// again, because that process may have written to them. The time spent waiting does not count.
func (p *Packages) lock(ctx context.Context, s **Session, terms Terms) (unlock func(), err error) {
	waited := false
	old := *s
	unlock, err = lock.Dir(ctx, old.Pkg.Dir, func() {
		waited = true
		old.Events.Send(event.Diagnostic{Warning: true, Message: old.Pkg.Path + ": another run of assay works on this package, and this run waits for it"})
	})
	if err != nil || !waited {
		return unlock, err
	}
	terms.Start = time.Now()
	prog, err := loadInTime(ctx, p.cfg)
	if err != nil {
		return unlock, err
	}
	p.use(prog)
	now := p.session(ctx, old.Pkg.Path, terms)
	if now == nil {
		return unlock, errors.New("the package is gone")
	}
	*s = now
	return unlock, nil
}

// collecting returns a stream that hands events on, and notes the findings for the baseline.
func collecting(to *event.Stream, accepted *[]finding.Accepted) *event.Stream {
	return &event.Stream{Sink: func(e event.Event) {
		if f, ok := e.(event.Finding); ok && (f.Severity == testcase.Error || f.Severity == testcase.Warning) {
			*accepted = append(*accepted, finding.Accepted{Package: f.Package, Func: f.Func, Kind: f.Kind, Message: f.Message})
		}
		to.Send(e)
	}}
}

// writeBaseline adds findings to the known ones, and reports that.
func writeBaseline(known *finding.Baseline, accepted []finding.Accepted, events *event.Stream) error {
	name, n, err := known.Write(accepted)
	if err != nil {
		return err
	}
	lines := "lines were"
	if n == 1 {
		lines = "line was"
	}
	events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %d %s added; write the reason behind each", name, n, lines), Warning: true})
	return nil
}

// work runs f on the package, with the parts that are the same for every verb.
func (s *Session) work(f func(*Session) error) {
	s.Ctx, s.cancel = context.WithDeadline(s.User, s.Deadline)
	defer func() { s.cancel() }()
	for _, d := range s.Pkg.Problems {
		s.Events.Send(event.Diagnostic{Pos: d.Pos, Message: d.Message + ": the directive is left out"})
		s.Result.Failed = true // a contract that silently goes unchecked is worse than none
	}
	s.warnOfEffects()
	s.warnOfContradictions()
	s.warnOfPredicates()
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
	timer := time.AfterFunc(cfg.Bound()+cfg.FirstBuild, func() {
		mu.Lock()
		defer mu.Unlock()
		late = true
		cancel()
	})
	prog, err := load.Load(ctx, load.Config{Dir: cfg.Dir, Tags: cfg.Tags, Overlay: cfg.Overlay, Shard: cfg.Shard}, cfg.Patterns...)
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
	// The program keeps the context for loading dependencies later; the context ends with its parent.
	context.AfterFunc(ctx, cancel)
	return prog, nil
}

// runMatches checks that -run matches a function of some package.
func runMatches(cfg Config, prog *load.Program) error {
	if cfg.Run == nil || cfg.Part || prog.Others > 0 {
		return nil // another part may have a match
	}
	for _, pkg := range prog.Packages {
		if len(pkg.Errors) > 0 {
			return nil // a package that could not be loaded might have had a match
		}
		for _, t := range pkg.Targets {
			if cfg.Run.MatchString(t.Name) {
				return nil
			}
		}
	}
	return UsageError(fmt.Sprintf("-run %q matches no function in %s", cfg.Run, cfg.PatternText()))
}
