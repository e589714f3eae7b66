package strategy

import (
	"cmp"
	"context"
	"slices"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// flipCases is how many cases are executed symbolically in a round. maxFlipTimes is how many rounds there are
// at most; a round that covers nothing new is the last one.
const (
	flipCases    = 40
	maxFlipTimes = 3
)

// flipShare is the part of the symbolic engine's usual effort that is spent on following branches off
// the cases of one function.
const flipShare = 1. / 4

// flipDecisions executes cases symbolically that come near to uncovered blocks, so that the decision
// that led elsewhere goes the other way.
func (e *exploration) flipDecisions(ctx context.Context) error {
	var engines []engine.Engine
	for _, en := range e.cfg.Engines {
		if _, ok := en.(engine.Follower); ok {
			engines = append(engines, en)
		}
	}
	for range maxFlipTimes {
		before := e.cover.Count()
		seeds, targets := e.seedsAtUncovered()
		if len(targets) == 0 || ctx.Err() != nil {
			return nil
		}
		w := engine.Work{Engines: engines, Targets: targets, Stage: "flipping", Task: func(t *load.Target) engine.Task {
			task := e.task(t)
			task.Share, task.Seeds = flipShare, seeds[t]
			return task
		}}
		if _, err := e.exploreMore(ctx, w); err != nil {
			return err
		}
		if e.cover.Count() == before {
			return nil
		}
	}
	return nil
}

// seedsAtUncovered returns sequences that reach a condition with an uncovered outcome, by the target that
// they end with, and these targets in the order in which they were explored. For each outcome it takes the
// two shortest sequences that were not yet executed symbolically. Sequences that the symbolic engine made
// come last, because it has followed their paths already.
func (e *exploration) seedsAtUncovered() (map[*load.Target][]*testcase.Sequence, []*load.Target) {
	type place struct{ pos, text string }
	blocks := e.bench.Blocks()
	sides := make(map[place][2]int) // for each outcome, the number of its block + 1
	way := map[bool]int{false: 0, true: 1}
	for i, b := range blocks {
		if b.Text != "" {
			p := place{b.Pos.String(), b.Text}
			s := sides[p]
			s[way[b.Value]] = i + 1
			sides[p] = s
		}
	}
	cases := slices.Clone(e.first)
	for _, x := range e.Explored {
		cases = append(cases, x.Cases...)
	}
	cases = slices.DeleteFunc(cases, func(c *testcase.Case) bool {
		o := c.Observed
		return o == nil || e.flipped[c] || o.Status != testcase.Returned && o.Status != testcase.Panicked
	})
	slices.SortStableFunc(cases, func(a, b *testcase.Case) int {
		made := func(c *testcase.Case) int { return way[c.Engine == "symbolic"] }
		return cmp.Or(made(a)-made(b), a.Seq.Len()-b.Seq.Len())
	})
	seeds := make(map[*load.Target][]*testcase.Sequence)
	var targets []*load.Target
	n := 0
	for i, b := range blocks {
		if b.Text == "" || e.cover.Has(i) || n == flipCases {
			continue
		}
		other := sides[place{b.Pos.String(), b.Text}][1-way[b.Value]] - 1
		if other < 0 || !e.cover.Has(other) {
			continue
		}
		taken := 0
		for _, c := range cases {
			if taken == 2 || n == flipCases {
				break
			}
			if !c.Observed.Cover.Has(other) {
				continue
			}
			taken++
			if e.flipped[c] {
				continue // the case is already taken for another outcome in this round
			}
			e.flipped[c] = true
			t := e.lastTarget(c)
			if t == nil {
				continue
			}
			if seeds[t] == nil {
				targets = append(targets, t)
			}
			seeds[t] = append(seeds[t], c.Seq)
			n++
		}
	}
	return seeds, targets
}

// lastTarget returns the target that the last statement of a case calls, or nil if that statement calls no
// target.
func (e *exploration) lastTarget(c *testcase.Case) *load.Target {
	op := c.Seq.Last().Op
	if op.Func == nil {
		return nil
	}
	if t := e.Pkg.TargetOf(op.Func, op.TypeArgs); t != nil && t.Skip == "" {
		return t
	}
	return nil
}
