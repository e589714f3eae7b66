package campaign

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// explored is what the engines found for one target.
type explored struct {
	target *load.Target
	cases  []*testcase.Case // in the order of the engines, then of each engine
	effort effort
	err    error
}

// exploreTargets lets the engines work on the targets, with several workers, and
// returns what they found in the order of the targets, whatever the number of
// workers. Each case is also passed to found as soon as it is there, in any order and
// from several goroutines. When ctx ends, what is there is returned.
func (r *run) exploreTargets(ctx context.Context, es []engine, targets []*load.Target, found func(*testcase.Case), progress func(done int)) []explored {
	out := make([]explored, len(targets))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(r.cfg.workers(), len(targets)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				mu.Lock()
				left := len(targets) - done
				mu.Unlock()
				slice, cancel := r.slice(ctx, left)
				out[i] = r.exploreTarget(slice, es, targets[i], found)
				if ctx.Err() == nil && out[i].err == context.DeadlineExceeded {
					out[i].err = errSlice
				}
				cancel()
				if out[i].err != nil {
					r.partial.Store(true)
				}
				mu.Lock()
				done++
				progress(done)
				mu.Unlock()
			}
		}()
	}
	for i := range targets {
		out[i].target = targets[i]
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

// errSlice says that a target used up its share of the time.
var errSlice = errors.New("it used up its share of the time")

// slice bounds the work on one target when left targets are to be explored, so that
// one which runs away does not cost all the others: three times its fair share, and
// not less than two seconds. Budgets normally end exploration far earlier.
func (r *run) slice(ctx context.Context, left int) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	fair := time.Until(deadline) * time.Duration(min(r.cfg.workers(), left)) / time.Duration(max(left, 1))
	return context.WithTimeout(ctx, max(3*fair, 2*time.Second))
}

// grace is how long an engine may take to notice that its context has ended before it
// is left behind.
const grace = 500 * time.Millisecond

// exploreTarget runs the engines on one target, one after the other. A bug of ours
// costs what the engine had not found yet. An engine that does not stop when ctx ends
// is left behind, for the timeout is a promise: what it has found until then counts.
func (r *run) exploreTarget(ctx context.Context, es []engine, t *load.Target, found func(*testcase.Case)) explored {
	x := explored{target: t, effort: effort{stops: make(map[string]int)}}
	if ctx.Err() != nil {
		x.err = ctx.Err()
		return x
	}
	var mu sync.Mutex // guards x until the engines are done or left behind
	left := false
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				err := r.bug(t.String(), p)
				mu.Lock()
				x.err = err
				mu.Unlock()
			}
		}()
		for _, any := range es {
			e, ok := any.(targetEngine)
			if !ok {
				continue
			}
			j := job{prog: r.prog, pkg: r.pkg, target: t, seed: r.cfg.Seed, all: r.verb == "explore", count: r.cfg.Count, concrete: r.cfg.Concrete}
			if r.verb == "gen" {
				j.order = func() *vm.Guide { return r.orderer.order(r.prog, r.pkg, t) }
			}
			if r.cfg.Debug["queries"] {
				j.queries = func(script string) { r.debug("queries", "%s", script) }
			}
			eff, err := e.run(ctx, j, func(c *testcase.Case) bool {
				mu.Lock()
				defer mu.Unlock()
				if left {
					return false
				}
				x.cases = append(x.cases, c)
				found(c)
				return ctx.Err() == nil
			})
			mu.Lock()
			x.effort.add(eff)
			if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
				x.err = err
			} else if ctx.Err() != nil {
				x.err = ctx.Err()
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
	case <-time.After(grace):
	}
	mu.Lock()
	defer mu.Unlock()
	left = true
	r.debug("stages", "%s: %s: the engine did not stop in time", r.pkg.Path, t)
	// Copies: the engine may still write to x.
	return explored{
		target: t, cases: slices.Clone(x.cases), err: ctx.Err(),
		effort: effort{stops: map[string]int{}, paths: x.effort.paths, states: x.effort.states,
			instructions: x.effort.instructions, queries: x.effort.queries, solver: x.effort.solver},
	}
}

func (e *effort) add(f effort) {
	e.paths += f.paths
	e.states += f.states
	e.instructions += f.instructions
	e.queries += f.queries
	e.solver += f.solver
	e.layers.Add(f.layers)
	e.cut = e.cut || f.cut
	e.excluded = append(e.excluded, f.excluded...)
	for k, n := range f.stops {
		e.stops[k] += n
	}
	if f.skip != "" {
		e.skip = f.skip
	}
	if f.left != "" {
		e.left = f.left
	}
}

// bugError is a panic of ours.
type bugError struct {
	where string
	what  any
	stack []byte
}

func (e *bugError) Error() string {
	return fmt.Sprintf("a bug of assay's: %s", strings.TrimPrefix(oneLine(fmt.Sprint(e.what)), "bug: "))
}

// Bug turns a recovered panic into an error and reports it as ours.
func (r *run) bug(where string, what any) error {
	e := &bugError{where, what, debug.Stack()}
	r.partial.Store(true)
	r.events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s: %v", r.pkg.Path, where, e), Warning: true})
	if r.cfg.Debug["stages"] {
		r.events.Send(event.Debug{Topic: "stages", Text: string(e.stack)})
	}
	return e
}
