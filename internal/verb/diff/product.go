package diff

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/pair"
	"github.com/goassay/assay/internal/product"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// product executes both versions of each function symbolically on the same inputs. Inputs on which they
// may differ become cases. If there can be no such input the versions are equal. The order of the
// functions matters only if time runs out. A function that has a verdict is left out, unless time ran out then:
// this is done once in the beginning, because inputs that the solver finds at once are also good for the engines to
// build upon, and again when the engines are done.
func (c *comparison) product(ctx context.Context) error {
	functions := slices.DeleteFunc(slices.Clone(c.functions), func(f pair.Function) bool {
		v, known := c.verdicts[f.New.String()]
		return known && v.Left != timeUsedUp
	})
	verdicts := make([]*event.Same, len(functions))
	found := make([][]*testcase.Sequence, len(functions))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(c.Config.WorkerCount(), len(functions)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				verdicts[i] = c.productOf(ctx, functions[i], func(s *testcase.Sequence) { found[i] = append(found[i], s) })
			}
		}()
	}
	for i := range functions {
		next <- i
	}
	close(next)
	wg.Wait()
	for i, f := range functions {
		if v := verdicts[i]; v != nil {
			c.verdicts[f.New.String()] = *v
		}
		for _, s := range found[i] {
			c.cases.addAll(newSide, []*testcase.Case{{Package: c.Pkg.Path, Target: f.New.Name, Engine: "product", Seq: s}})
		}
	}
	return c.cases.exchange(ctx)
}

// firstPart is the part of the time, in percent, that the product may take before the engines work.
const firstPart = 15

// firstProduct is product with little time. What is cut off is done again, so the comparison is still whole.
func (c *comparison) firstProduct(ctx context.Context) error {
	begin := c.Deadline.Add(-c.Config.Bound())
	first, cancel := context.WithDeadline(ctx, begin.Add(c.Config.Bound()*firstPart/100))
	defer cancel()
	err := c.product(first)
	if first.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// timeUsedUp is why a verdict is not final.
const timeUsedUp = product.TimeUsedUp

// productOf compares one function. It returns nil if there was no time, or after a bug of ours.
func (c *comparison) productOf(ctx context.Context, f pair.Function, yield func(*testcase.Sequence)) (v *event.Same) {
	if ctx.Err() != nil {
		return &event.Same{Verdict: event.Bounded, Left: timeUsedUp}
	}
	defer func() {
		if p := recover(); p != nil {
			_ = c.ReportBug("comparing "+f.New.Name, p) // the bug has been reported
			v = &event.Same{Verdict: event.Bounded, Left: "a bug of assay's"}
		}
	}()
	old, new := c.sides[oldSide], c.sides[newSide]
	res, err := product.Compare(ctx, product.Side{Prog: old.Prog, Pkg: old.Pkg, Target: f.Old}, product.Side{Prog: new.Prog, Pkg: new.Pkg, Target: f.New}, yield)
	if err != nil {
		return &event.Same{Verdict: event.Bounded, Left: session.OneLine(err.Error())}
	}
	out := &event.Same{Verdict: event.Bounded, Paths: res.Pairs, Left: res.Left, Within: res.Within}
	if out.Left == "" {
		sliced := vm.TakesSlices(f.New.Func.Signature)
		out.Left = cmp.Or(
			session.NewAnalyser(old.Prog, old.Pkg, check.Config{}).Depends(f.Old.Func, res.Entered[oldSide], sliced),
			session.NewAnalyser(new.Prog, new.Pkg, check.Config{}).Depends(f.New.Func, res.Entered[newSide], sliced))
	}
	if out.Left == "" {
		out.Verdict = event.Proved
	}
	return out
}
