package campaign

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"sync"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// batch bounds how many cases the harness is given at a time: enough to make the way
// there and back negligible, few enough that the first tests show soon.
const batch = 128

// observer runs cases natively while engines still look for more. What it observes of
// a case does not depend on what else is in its batch.
type observer struct {
	g    *gen
	ctx  context.Context
	mu   sync.Mutex
	wake *sync.Cond

	queue  []*testcase.Case
	closed bool
	done   chan struct{}

	// Only for the goroutine until done is closed.
	err   error
	cover testcase.Cover
	tests int
}

func (g *gen) observe(ctx context.Context) *observer {
	o := &observer{g: g, ctx: ctx, done: make(chan struct{})}
	o.wake = sync.NewCond(&o.mu)
	go o.loop()
	return o
}

// Add queues a case.
func (o *observer) add(c *testcase.Case) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queue = append(o.queue, c)
	o.wake.Signal()
}

// wait runs what is queued and ends the observer.
func (o *observer) wait() error {
	o.mu.Lock()
	o.closed = true
	o.wake.Signal()
	o.mu.Unlock()
	<-o.done
	return o.err
}

func (o *observer) loop() {
	defer close(o.done)
	for {
		o.mu.Lock()
		for len(o.queue) == 0 && !o.closed {
			o.wake.Wait()
		}
		n := min(len(o.queue), batch)
		cases := o.queue[:n:n]
		o.queue = o.queue[n:]
		o.mu.Unlock()
		if n == 0 {
			return
		}
		if o.err == nil && o.ctx.Err() == nil {
			o.err = o.run(cases)
		}
	}
}

// Do runs some cases and says what they come to.
func (o *observer) run(cases []*testcase.Case) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = o.g.bug("the native runner", p)
		}
	}()
	seqs := make([]*testcase.Sequence, len(cases))
	for i, c := range cases {
		seqs[i] = c.Seq
	}
	outcomes, err := o.g.runner(false).Run(o.ctx, seqs)
	for i, out := range outcomes {
		if out == nil || out.Status == testcase.NotRun {
			continue
		}
		c := cases[i]
		c.Observed = out
		// What only a finding reaches is not covered by any test.
		if judged, f := o.g.judging().Case(c); judged == "" && o.cover.Union(out.Cover) && f == nil {
			o.tests++
			o.g.events.Send(event.Test{Package: o.g.pkg.Path, Func: c.Target, Engine: c.Engine, Provisional: true})
		}
	}
	return err
}

// typeRound lets the engines that work on types explore those whose exported methods
// are not covered yet.
func (g *gen) typeRound(ctx context.Context) error {
	var es []engine
	for _, e := range g.engines {
		if te, ok := e.(typeEngine); ok {
			es = append(es, perType{te})
		}
	}
	var first []*load.Target // a method of each type
	for _, t := range g.exported {
		if t.Recv == nil || !g.uncovered(t) {
			continue
		}
		if named := load.NamedOf(t.Recv); named != nil && !slices.ContainsFunc(first, func(u *load.Target) bool { return types.Identical(load.NamedOf(u.Recv), named) }) {
			first = append(first, t)
		}
	}
	if len(es) == 0 || len(first) == 0 {
		return nil
	}
	return g.further(ctx, "sequences", es, first, func(x explored) {
		if x.effort.left != "" {
			g.debug("states", "%s: not every state of %s was explored: %s", g.pkg.Path, load.NamedOf(x.target.Recv).Obj().Name(), x.effort.left)
		}
	})
}

// further lets engines work on targets that may have been explored before: what they find
// joins what was found of the functions that it is about.
func (g *gen) further(ctx context.Context, stage string, es []engine, targets []*load.Target, each func(explored)) error {
	obs := g.observe(ctx)
	xs := g.exploreTargets(ctx, es, targets, obs.add, func(done int) {
		g.events.Send(event.Progress{Package: g.pkg.Path, Stage: stage, Done: done, Total: len(targets)})
	})
	err := obs.wait()
	g.cover.Union(obs.cover)
	index := g.index()
	for _, x := range xs {
		g.account(x)
		each(x)
		for _, c := range x.cases {
			g.joinOne(c, index)
		}
	}
	if err := g.unlessCut(err); err != nil {
		return fmt.Errorf("running cases: %w", err)
	}
	return nil
}

// index returns where in g.explored the first instance of each target is, by name.
func (g *gen) index() map[string]int {
	index := make(map[string]int)
	for i, x := range g.explored {
		if _, ok := index[x.target.Name]; !ok {
			index[x.target.Name] = i
		}
	}
	return index
}

// joinOne adds a case to what was explored of its target, if it has one.
func (g *gen) joinOne(c *testcase.Case, index map[string]int) {
	i, ok := index[c.Target]
	if !ok {
		t := g.pkg.Target(c.Target)
		if t == nil {
			return
		}
		i = len(g.explored)
		index[c.Target] = i
		g.explored = append(g.explored, explored{target: t, effort: effort{stops: map[string]int{}}})
	}
	g.explored[i].cases = append(g.explored[i].cases, c)
}

func (g *gen) hasPackageEngine() bool {
	return slices.ContainsFunc(g.engines, func(e engine) bool {
		_, ok := e.(packageEngine)
		return ok
	})
}

// deadlineOf returns when ctx ends; every context here has a deadline.
func deadlineOf(ctx context.Context) time.Time {
	d, ok := ctx.Deadline()
	if !ok {
		panic("bug: campaign: a context without a deadline")
	}
	return d
}

// round explores some targets and runs what is found.
func (g *gen) round(ctx context.Context, es []engine, targets []*load.Target) error {
	obs := g.observe(ctx)
	xs := g.exploreTargets(ctx, es, targets, obs.add, func(done int) {
		g.events.Send(event.Progress{Package: g.pkg.Path, Stage: "exploring", Done: done, Total: len(targets)})
	})
	err := obs.wait()
	g.cover.Union(obs.cover)
	for _, x := range xs {
		g.account(x)
	}
	g.explored = append(g.explored, xs...)
	if err = g.unlessCut(err); err != nil {
		return fmt.Errorf("running cases: %w", err)
	}
	return nil
}

// join adds cases to what was explored of their targets. What was observed of them in
// a harness that others had spoiled is observed again.
func (g *gen) join(cases []*testcase.Case, index map[string]int) {
	if g.anyChanges {
		// What did not end is not waited for again: it would take all the time that is left.
		again := slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool { return exhausts(c.Observed) })
		seqs := make([]*testcase.Sequence, len(again))
		for i, c := range again {
			seqs[i] = c.Seq
		}
		ctx, cancel := g.shrinking()
		defer cancel()
		outcomes, err := g.runner(false).Run(ctx, seqs)
		if err != nil && g.unlessCut(err) != nil {
			g.events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: running cases: %v", g.pkg.Path, err), Warning: true})
		}
		for i, c := range again {
			c.Observed = nil
			if i < len(outcomes) {
				c.Observed = outcomes[i]
			}
		}
	}
	for _, c := range cases {
		finding.MarkBroken(g.rules, []*testcase.Sequence{c.Seq}, []*testcase.Outcome{c.Observed})
		g.joinOne(c, index)
	}
	g.coveredBy(cases)
}

// uncovered reports whether part of a function was not reached yet.
func (g *gen) uncovered(t *load.Target) bool {
	for i, b := range g.harness.Blocks() {
		if b.Func == t.Name && !g.cover.Has(i) {
			return true
		}
	}
	return false
}
