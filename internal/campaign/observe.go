package campaign

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"sync"
	"time"

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

// add queues a case.
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

// run runs some cases and says what they come to.
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
		if judged, f := judgeCase(o.g, c); judged == "" && o.cover.Union(out.Cover) && f == nil {
			o.tests++
			o.g.events.send(Test{Package: o.g.pkg.Path, Func: c.Target, Engine: c.Engine, Provisional: true})
		}
	}
	return err
}

// explore lets the engines look for cases, first for the exported functions, then for
// those of the others that stay uncovered.
func (g *gen) explore() error {
	if g.harness == nil {
		return nil
	}
	ctx, cancel := g.exploring()
	defer cancel()
	whole := ctx
	if g.hasPackageEngine() {
		// The engines that come after the targets' get their share in any case.
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Until(deadlineOf(ctx))*7/10)
		defer stop()
	}
	if err := g.round(ctx, g.exported); err != nil {
		return err
	}
	if err := g.typeRound(ctx); err != nil {
		return err
	}
	var uncovered []*load.Target
	for _, t := range g.inside {
		if g.uncovered(t) {
			uncovered = append(uncovered, t)
		}
	}
	if len(uncovered) > 0 {
		if err := g.round(ctx, uncovered); err != nil {
			return err
		}
	}
	if err := g.packageEngines(whole); err != nil {
		return err
	}
	for _, x := range g.explored {
		if errors.Is(x.err, errSlice) {
			g.debug("stages", "%s: %s: %v", g.pkg.Path, x.target, x.err)
		}
	}
	if g.interrupted.Err() == nil && ctx.Err() != nil {
		g.timedOut("not every path was explored")
	}
	return nil
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
		if named := namedOf(t.Recv); named != nil && !slices.ContainsFunc(first, func(u *load.Target) bool { return types.Identical(namedOf(u.Recv), named) }) {
			first = append(first, t)
		}
	}
	if len(es) == 0 || len(first) == 0 {
		return nil
	}
	obs := g.observe(ctx)
	xs := g.exploreTargets(ctx, es, first, obs.add, func(done int) {
		g.events.send(Progress{Package: g.pkg.Path, Stage: "sequences", Done: done, Total: len(first)})
	})
	err := obs.wait()
	g.cover.Union(obs.cover)
	index := g.index()
	for _, x := range xs {
		g.account(x)
		if x.effort.left != "" {
			g.debug("states", "%s: not every state of %s was explored: %s", g.pkg.Path, namedOf(x.target.Recv).Obj().Name(), x.effort.left)
		}
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

// joinOne adds a case to what was explored of its target, and reports whether it has
// one.
func (g *gen) joinOne(c *testcase.Case, index map[string]int) bool {
	i, ok := index[c.Target]
	if !ok {
		t := g.pkg.Target(c.Target)
		if t == nil {
			return false
		}
		i = len(g.explored)
		index[c.Target] = i
		g.explored = append(g.explored, explored{target: t, effort: effort{stops: map[string]int{}}})
	}
	g.explored[i].cases = append(g.explored[i].cases, c)
	return true
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
func (g *gen) round(ctx context.Context, targets []*load.Target) error {
	obs := g.observe(ctx)
	xs := g.exploreTargets(ctx, g.engines, targets, obs.add, func(done int) {
		g.events.send(Progress{Package: g.pkg.Path, Stage: "exploring", Done: done, Total: len(targets)})
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

// packageEngines lets the engines that work on the whole package look for what is
// left. What they find joins what was explored of its target.
func (g *gen) packageEngines(ctx context.Context) error {
	index := g.index()
	wanted := make(map[string]bool)
	for _, t := range g.exported {
		wanted[t.Name] = true
	}
	for _, t := range g.inside {
		wanted[t.Name] = g.uncovered(t)
	}
	for _, e := range g.engines {
		pe, ok := e.(packageEngine)
		if !ok || ctx.Err() != nil {
			continue
		}
		g.events.send(Progress{Package: g.pkg.Path, Stage: e.name()})
		h, done, err := g.spoilable(ctx)
		if err != nil {
			return err
		}
		err = g.within(ctx, func() (func(), error) {
			var found []*testcase.Case
			err := pe.runPackage(ctx, packageJob{
				prog: g.prog, pkg: g.pkg, harness: h, seed: g.cfg.Seed, covered: g.cover, checks: g.checks(), tags: g.cfg.Tags,
				wanted: func(name string) bool { return wanted[name] }, mutants: g.noticed(), exhaustive: g.wantExhaustive(),
				log: func(form string, args ...any) { g.debug("stages", form, args...) },
			}, func(c *testcase.Case) bool {
				found = append(found, c)
				return ctx.Err() == nil
			})
			return func() { g.join(found, index) }, err
		})
		done()
		if err != nil {
			return fmt.Errorf("engine %s: %w", e.name(), err)
		}
	}
	return nil
}

// join adds cases to what was explored of their targets. What was observed of them in
// a harness that others had spoiled is observed again.
func (g *gen) join(cases []*testcase.Case, index map[string]int) {
	if g.anyChanges {
		seqs := make([]*testcase.Sequence, len(cases))
		for i, c := range cases {
			seqs[i] = c.Seq
		}
		outcomes, err := g.runner(false).Run(g.ctx, seqs)
		if err != nil && g.unlessCut(err) != nil {
			g.events.send(Diagnostic{Message: fmt.Sprintf("%s: running cases: %v", g.pkg.Path, err), Warning: true})
		}
		for i, c := range cases {
			c.Observed = nil
			if i < len(outcomes) {
				c.Observed = outcomes[i]
			}
		}
	}
	for _, c := range cases {
		noteBroken(g.pkg, []*testcase.Sequence{c.Seq}, []*testcase.Outcome{c.Observed})
		if !g.joinOne(c, index) || c.Observed == nil {
			continue
		}
		if judged, f := judgeCase(g, c); judged == "" && g.cover.Union(c.Observed.Cover) && f == nil {
			g.events.send(Test{Package: g.pkg.Path, Func: c.Target, Engine: c.Engine, Provisional: true})
		}
	}
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
