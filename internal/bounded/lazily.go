package bounded

import (
	"context"
	"errors"
	"go/types"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/bounded/lazy"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
)

// countLazily counts the structures of a search without asking the predicate about each candidate. If that
// cannot be done, it returns the reason, and "" otherwise.
func (w where) countLazily(ctx context.Context, s native.Search, e *Enumeration, counts *Counts) (why string, err error) {
	fn, why := predicateFunc(w.prog, w.pkg, s)
	if fn == nil {
		return why, nil
	}
	spec, typ := s.Spec, s.Types
	if spec == nil {
		only := s
		only.Only = true
		res, err := w.h.Search(ctx, only)
		if err != nil {
			return "", err
		}
		shape, err := shapeOf(w.pkg, s.Root, res.Spec, res.Types)
		if err != nil {
			return err.Error(), nil
		}
		spec, typ = res.Spec, shape.types
	}
	t, err := countWith(ctx, e.Workers, func() (*lazy.Counter, error) { return lazy.NewCounter(w.prog, fn, spec, typ) }, func(t lazy.Result) {
		if e.Progress != nil {
			e.Progress(t.Paths, t.Valid)
		}
	})
	var cannot lazy.Unsupported
	if errors.As(err, &cannot) {
		return string(cannot), nil
	}
	counts.Lazy, counts.Valid, counts.Paths, counts.Complete = true, t.Valid, t.Paths, err == nil
	return "", err
}

// fewPaths is after how many executions a second worker is worth starting.
const fewPaths = 1 << 14

// lazyParts is how many parts of a space there are for each worker.
const lazyParts = 16

// countWith counts a space with several workers, each with a counter of its own. The function progress
// receives the sums so far.
func countWith(ctx context.Context, workers int, counter func() (*lazy.Counter, error), progress func(lazy.Result)) (lazy.Result, error) {
	c, err := counter()
	if err != nil {
		return lazy.Result{}, err
	}
	few := int64(fewPaths)
	if workers <= 1 {
		few = 0
	}
	if res, complete, err := c.Count(ctx, few, progress); complete || err != nil {
		return res, err
	}
	parts := workers * lazyParts
	var mu sync.Mutex
	var wait sync.WaitGroup
	var first error
	sums := make([]lazy.Result, parts)
	total := func() (r lazy.Result) {
		for _, s := range sums {
			r.Valid, r.Paths = r.Valid+s.Valid, r.Paths+s.Paths
		}
		return r
	}
	next := 0
	// take returns the next part, or -1 if there is none.
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if first != nil || next == parts {
			return -1
		}
		next++
		return next - 1
	}
	for range workers {
		wait.Go(func() {
			c, err := counter()
			if err == nil {
				err = c.Split(ctx, parts)
			}
			for part := take(); err == nil && part >= 0; part = take() {
				note := func(r lazy.Result) {
					mu.Lock()
					defer mu.Unlock()
					sums[part] = r
					progress(total())
				}
				var res lazy.Result
				res, err = c.CountPart(ctx, part, note)
				note(res)
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil && first == nil {
				first = err
			}
		})
	}
	wait.Wait()
	return total(), first
}

// predicateFunc returns the predicate of a search as one function, or the reason why it is not one.
func predicateFunc(prog *load.Program, pkg *load.Package, s native.Search) (*ssa.Function, string) {
	if len(s.Checks) != 1 {
		return nil, "there are several predicates"
	}
	c := s.Checks[0]
	if c.Func == nil {
		t := &load.Target{TypeArgs: c.TypeArgs}
		return prog.ContractFunc(pkg, c.Name, t), ""
	}
	if c.Func.Name() != "RepOK" {
		return nil, "the predicate returns an error"
	}
	return prog.LookupMethod(types.NewPointer(s.Root), c.Func.Pkg(), c.Func.Name()), ""
}
