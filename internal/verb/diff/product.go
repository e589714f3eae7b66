package diff

import (
	"cmp"
	"context"
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
// functions matters only if time runs out.
func (c *comparison) product(ctx context.Context) error {
	verdicts := make([]*event.Same, len(c.functions))
	found := make([][]*testcase.Sequence, len(c.functions))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(c.Config.WorkerCount(), len(c.functions)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				verdicts[i] = c.productOf(ctx, c.functions[i], func(s *testcase.Sequence) { found[i] = append(found[i], s) })
			}
		}()
	}
	for i := range c.functions {
		next <- i
	}
	close(next)
	wg.Wait()
	for i, f := range c.functions {
		if v := verdicts[i]; v != nil {
			c.verdicts[f.New.String()] = *v
		}
		for _, s := range found[i] {
			c.cases.addAll(newSide, []*testcase.Case{{Package: c.Pkg.Path, Target: f.New.Name, Engine: "product", Seq: s}})
		}
	}
	return c.cases.exchange(ctx)
}

// productOf compares one function. It returns nil if there was no time, or after a bug of ours.
func (c *comparison) productOf(ctx context.Context, f pair.Function, yield func(*testcase.Sequence)) (v *event.Same) {
	if ctx.Err() != nil {
		return &event.Same{Verdict: event.Bounded, Left: "the time was used up"}
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
