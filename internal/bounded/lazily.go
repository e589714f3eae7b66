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

// countLazily counts the structures of a search without asking the predicate about each.
// It returns why that cannot be done, "" if it was.
func countLazily(ctx context.Context, h *native.Harness, prog *load.Program, pkg *load.Package, s native.Search, e *Enumeration, counts *Counts) (why string, err error) {
	fn, why := predicateFunc(prog, pkg, s)
	if fn == nil {
		return why, nil
	}
	spec, typ := s.Spec, s.Types
	if spec == nil {
		only := s
		only.Only = true
		res, err := h.Search(ctx, only)
		if err != nil {
			return "", err
		}
		shape, err := shapeOf(pkg, s.Root, res.Spec, res.Types)
		if err != nil {
			return err.Error(), nil
		}
		spec, typ = res.Spec, shape.types
	}
	all := 1
	if e.Workers > 1 {
		all = e.Workers * splitting
	}
	var mu sync.Mutex
	var wait sync.WaitGroup
	var first error
	sums := make([]lazy.Result, all)
	total := func() (r lazy.Result) {
		for _, s := range sums {
			r.Valid, r.Paths = r.Valid+s.Valid, r.Paths+s.Paths
		}
		return r
	}
	next := 0
	for range max(e.Workers, 1) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for {
				mu.Lock()
				part := next
				next++
				stop := first != nil || part >= all
				mu.Unlock()
				if stop {
					return
				}
				note := func(r lazy.Result) {
					mu.Lock()
					defer mu.Unlock()
					sums[part] = r
					if e.Progress != nil {
						t := total()
						e.Progress(t.Paths, t.Valid)
					}
				}
				res, err := lazy.Count(ctx, prog, fn, spec, typ, part, all, note)
				note(res)
				mu.Lock()
				if err != nil && first == nil {
					first = err
				}
				mu.Unlock()
			}
		}()
	}
	wait.Wait()
	var cannot lazy.Unsupported
	if errors.As(first, &cannot) {
		return string(cannot), nil
	}
	t := total()
	counts.Lazy, counts.Valid, counts.Paths, counts.Complete = true, t.Valid, t.Paths, first == nil
	return "", first
}

// predicateFunc returns the predicate of a search as one function, or why there is none.
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
