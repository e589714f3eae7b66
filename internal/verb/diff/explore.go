package diff

import (
	"context"
	"errors"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Parts of their usual effort that engines spend on each version. Functions whose own text differs get more
// of the symbolic engine's effort than functions that only reach such functions.
const (
	firstRandom  = 1. / 2 // the random engine, before the others
	lastRandom   = 2.     // the random engine, after the others and with their cases to build upon, at most
	eachRandom   = 1. / 4 // a part of that for each function, in addition to a half
	ownShare     = 1.
	reachesShare = 1. / 8
	mostOwn      = 40 // functions that get ownShare; if there are more, the later ones get less
)

// explore lets the engines look for cases in both versions at the same time.
func (c *comparison) explore(ctx context.Context) error {
	found := [2][]*testcase.Case{}
	errs := c.inBoth("exploring", func(i int, s *side) (err error) {
		found[i], err = c.exploreSide(ctx, s)
		return err
	})
	for i := range c.sides {
		c.cases.addAll(i, found[i])
	}
	var bug *session.Bug
	for _, err := range errs {
		if err != nil && !errors.As(err, &bug) {
			return err
		}
	}
	return nil
}

// exploreSide lets the engines work on one version: random first, because its cases are cheap, then the
// engines of functions and types.
func (c *comparison) exploreSide(ctx context.Context, s *side) ([]*testcase.Case, error) {
	targets := slices.Concat(s.targets, s.others)
	cases, err := c.random(ctx, s, targets, nil, firstRandom)
	if err != nil {
		return cases, err
	}
	own := map[*load.Target]bool{}
	for i, f := range c.functions[:min(len(c.functions), mostOwn)] {
		if c.distance(f) == 0 {
			own[s.targets[i]] = true
		}
	}
	for _, t := range s.others[:min(len(s.others), mostOwn)] {
		own[t] = true
	}
	xs := engine.Explore(ctx, s.Session, engine.Work{
		Engines: engine.Of(engine.All(), engine.PerFunction), Targets: targets,
		Task: func(t *load.Target) engine.Task {
			if own[t] {
				return engine.Task{Share: ownShare}
			}
			return engine.Task{Share: reachesShare}
		},
	})
	xs = append(xs, engine.Explore(ctx, s.Session, engine.Work{Engines: engine.Of(engine.All(), engine.PerType), Targets: firstMethods(targets), Stage: "sequences"})...)
	for _, x := range xs {
		x.AddTo(s.Session)
		cases = append(cases, x.Cases...)
	}
	return cases, nil
}

// firstMethods returns one method of each type among the targets.
func firstMethods(targets []*load.Target) []*load.Target {
	var out []*load.Target
	for _, t := range targets {
		if t.Recv == nil {
			continue
		}
		named := load.NamedOf(t.Recv)
		if named != nil && !slices.ContainsFunc(out, func(o *load.Target) bool { return types.Identical(load.NamedOf(o.Recv), named) }) {
			out = append(out, t)
		}
	}
	return out
}

// random lets the random engine work on some functions of a version, with a part of its usual effort,
// starting from the cases known so far.
func (c *comparison) random(ctx context.Context, s *side, targets []*load.Target, known []*testcase.Sequence, share float64) ([]*testcase.Case, error) {
	wanted := map[string]bool{}
	for _, t := range targets {
		wanted[t.Name] = true
	}
	var out []*testcase.Case
	err := s.RunOrLeave(ctx, func() (func(), error) {
		var cases []*testcase.Case
		report, err := engine.Random{}.Run(ctx, engine.Task{
			Prog: s.Prog, Pkg: s.Pkg, Seed: s.Config.Seed, Tags: s.Config.Tags, Confine: s.Config.Confine, Share: share,
			Harness: s.bench.Harness, Wanted: func(name string) bool { return wanted[name] }, Known: known,
			Change: s.change, Log: func(form string, args ...any) { c.Debug("stages", form, args...) },
		}, func(k *testcase.Case) bool {
			cases = append(cases, k)
			return ctx.Err() == nil
		})
		return func() { out = append(cases, report.Spare...) }, err
	})
	return out, err
}
