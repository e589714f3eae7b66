package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Explored is the result of engines for one target.
type Explored struct {
	Target *load.Target
	Cases  []*testcase.Case // in the order of the engines, then of each engine
	Report Report
	Err    error
}

// Work is a number of tasks for engines of functions or types.
type Work struct {
	Engines []Engine // each works on each target, one after the other
	Targets []*load.Target
	// Task returns the task for a target; its program, package, target and seed need not be set. Nil means
	// that no other field is set.
	Task func(*load.Target) Task
	// Found, if not nil, receives each case as soon as it was made, in any order and from several goroutines.
	Found func(*testcase.Case)
	// Stage is the name of this work in progress reports; "" means "exploring".
	Stage string
}

// Explore lets the engines work on the targets, with several workers, and returns the results in the
// order of the targets, whatever the number of workers. When ctx ends it returns the results so far.
func Explore(ctx context.Context, s *session.Session, w Work) []Explored {
	if w.Stage == "" {
		w.Stage = "exploring"
	}
	out := make([]Explored, len(w.Targets))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(s.Config.WorkerCount(), len(w.Targets)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				mu.Lock()
				left := len(w.Targets) - done
				mu.Unlock()
				slice, cancel := timeSlice(ctx, s, left)
				out[i] = exploreTarget(slice, s, w, w.Targets[i])
				if ctx.Err() == nil && out[i].Err == context.DeadlineExceeded {
					out[i].Err = ErrShareUsedUp
				}
				cancel()
				if out[i].Err != nil {
					s.MarkPartial()
				}
				mu.Lock()
				done++
				s.Events.Send(event.Progress{Package: s.Pkg.Path, Stage: w.Stage, Done: done, Total: len(w.Targets)})
				mu.Unlock()
			}
		}()
	}
	for i := range w.Targets {
		out[i].Target = w.Targets[i]
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

// ErrShareUsedUp says that a target used up its share of the time.
var ErrShareUsedUp = errors.New("it used up its share of the time")

// timeSlice bounds the work on one target when left targets remain, so that one target cannot take the time
// of all the others. The bound is three times the target's fair share, and at least two seconds or a quarter of what
// is left, whichever is less. Budgets normally end exploration far earlier.
func timeSlice(ctx context.Context, s *session.Session, left int) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	whole := time.Until(deadline)
	fair := whole * time.Duration(min(s.Config.WorkerCount(), left)) / time.Duration(max(left, 1))
	return context.WithTimeout(ctx, max(3*fair, min(2*time.Second, whole/4)))
}

// exploreTarget runs the engines on one target, one after the other. If an engine panics, its further cases
// are lost. An engine that does not stop when ctx ends is left behind, because the timeout has to hold. Its
// cases up to then count.
func exploreTarget(ctx context.Context, s *session.Session, w Work, t *load.Target) Explored {
	x := Explored{Target: t, Report: Report{Stops: make(map[string]int)}}
	if ctx.Err() != nil {
		x.Err = ctx.Err()
		return x
	}
	var mu sync.Mutex // guards x until the engines are done or left behind
	left := false
	yield := func(c *testcase.Case) bool {
		mu.Lock()
		defer mu.Unlock()
		if left {
			return false
		}
		x.Cases = append(x.Cases, c)
		if w.Found != nil {
			w.Found(c)
		}
		return ctx.Err() == nil
	}
	counted := Report{Stops: make(map[string]int), Cut: true} // for the case that the engine is left behind
	task := w.task(s, t)
	task.Ended = func(stop string) {
		mu.Lock()
		defer mu.Unlock()
		counted.Paths++
		counted.Stops[stop]++
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				err := s.ReportBug(t.String(), p)
				mu.Lock()
				x.Err = err
				mu.Unlock()
			}
		}()
		for _, e := range w.Engines {
			report, err := e.Run(ctx, task, yield)
			mu.Lock()
			x.Report.add(report)
			if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
				x.Err = err
			} else if ctx.Err() != nil {
				x.Err = ctx.Err()
			}
			mu.Unlock()
		}
	}()
	select {
	case <-done:
		return x
	case <-ctx.Done():
	}
	select {
	case <-done:
		return x
	case <-time.After(session.Grace):
	}
	mu.Lock()
	defer mu.Unlock()
	left = true
	s.Debug("stages", "%s: %s: the engine did not stop in time", s.Pkg.Path, t)
	// The result is a copy, because an engine that was left behind may still write to x.
	r := counted
	r.Stops, r.Paths = maps.Clone(counted.Stops), max(counted.Paths, x.Report.Paths)
	r.States, r.Instructions, r.Queries, r.Solver = x.Report.States, x.Report.Instructions, x.Report.Queries, x.Report.Solver
	return Explored{Target: t, Cases: slices.Clone(x.Cases), Err: ctx.Err(), Report: r}
}

// task returns the task for the engines about a target.
func (w Work) task(s *session.Session, t *load.Target) Task {
	var task Task
	if w.Task != nil {
		task = w.Task(t)
	}
	task.Prog, task.Pkg, task.Target, task.Seed, task.Tags = s.Prog, s.Pkg, t, s.Config.Seed, s.Config.Tags
	if s.Config.Debug["queries"] {
		task.Queries = func(script string) { s.Debug("queries", "%s", script) }
	}
	return task
}

// AddTo adds the effort for the target to the summary.
func (x Explored) AddTo(s *session.Session) {
	r := x.Report
	event.AddTo(&s.Summary.States, &r.States)
	event.AddTo(&s.Summary.Instructions, &r.Instructions)
	event.AddTo(&s.Summary.Queries, &r.Queries)
	solver := r.Solver.Seconds()
	event.AddTo(&s.Summary.SolverS, &solver)
	s.Summary.AddStops(r.Stops)
	for _, stop := range slices.Sorted(maps.Keys(r.Stops)) {
		s.Debug("states", "%s: %s %d", x.Target, stop, r.Stops[stop])
	}
	if r.Layers.Questions > 0 {
		s.Summary.AddSolver(r.Layers)
		s.Debug("stats", "%s: %d paths, %d instructions, %s", x.Target, r.Paths, r.Instructions, r.Layers)
		if n := r.Layers.DroppedSoft; n > 0 {
			s.Debug("states", "%s: soft constraints dropped %d", x.Target, n)
		}
		if n := r.Layers.DroppedAssumptions; n > 0 {
			s.Debug("states", "%s: assumptions dropped %d", x.Target, n)
		}
	}
	for _, e := range r.Excluded {
		s.NoteUnreachable(event.Unreachable{Package: s.Pkg.Path, Func: x.Target.String(), Pos: e.Pos.String(), Condition: e.Condition, Proved: e.Proved}, e.Shown)
	}
}
