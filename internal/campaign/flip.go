package campaign

import (
	"cmp"
	"context"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// flipCases is how many cases are executed symbolically in a round, and flipRoundsMax how
// many rounds there are as long as each covers something new.
const (
	flipCases     = 40
	flipRoundsMax = 3
)

// flipPart is which part of the symbolic engine's usual effort goes into what branches off
// the cases that end with one function.
const flipPart = 4

// flipRounds executes cases that come near to what is not covered symbolically, so that
// the decision which led them elsewhere goes the other way.
func (g *gen) flipRounds(ctx context.Context) error {
	for range flipRoundsMax {
		before := g.cover.Count()
		seeds, targets := g.near()
		if len(targets) == 0 || ctx.Err() != nil {
			return nil
		}
		parts := make(map[*load.Target]int)
		for _, t := range targets {
			parts[t] = flipPart
		}
		es := []engine{symbolicEngine{parts: parts, seeds: seeds}}
		if err := g.further(ctx, "flipping", es, targets, func(explored) {}); err != nil {
			return err
		}
		if g.cover.Count() == before {
			return nil
		}
	}
	return nil
}

// near returns sequences that reach a condition of which one outcome is not covered, by
// the target that they end with, and these targets in the order in which they were
// explored. Of each outcome it takes the shortest two that were not executed symbolically
// yet; those that the symbolic engine made come last, for it has been there.
func (g *gen) near() (map[*load.Target][]*testcase.Sequence, []*load.Target) {
	type place struct{ pos, text string }
	blocks := g.harness.Blocks()
	sides := make(map[place][2]int) // numbers of its blocks + 1, by outcome
	way := map[bool]int{false: 0, true: 1}
	for i, b := range blocks {
		if b.Text != "" {
			p := place{b.Pos.String(), b.Text}
			s := sides[p]
			s[way[b.Value]] = i + 1
			sides[p] = s
		}
	}
	cases := slices.Clone(g.early)
	for _, x := range g.explored {
		cases = append(cases, x.cases...)
	}
	cases = slices.DeleteFunc(cases, func(c *testcase.Case) bool {
		o := c.Observed
		return o == nil || g.flipped[c] || o.Status != testcase.Returned && o.Status != testcase.Panicked
	})
	slices.SortStableFunc(cases, func(a, b *testcase.Case) int {
		made := func(c *testcase.Case) int { return way[c.Engine == "symbolic"] }
		return cmp.Or(made(a)-made(b), a.Seq.Len()-b.Seq.Len())
	})
	seeds := make(map[*load.Target][]*testcase.Sequence)
	var targets []*load.Target
	n := 0
	for i, b := range blocks {
		if b.Text == "" || g.cover.Has(i) || n == flipCases {
			continue
		}
		other := sides[place{b.Pos.String(), b.Text}][1-way[b.Value]] - 1
		if other < 0 || !g.cover.Has(other) {
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
			if g.flipped[c] {
				continue // by way of another outcome in this round
			}
			g.flipped[c] = true
			t := g.ends(c)
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

// ends returns the target whose call is the last statement of a case, nil if it is none.
func (g *gen) ends(c *testcase.Case) *load.Target {
	op := c.Seq.Last().Op
	if op.Func == nil {
		return nil
	}
	i := slices.IndexFunc(g.pkg.Targets, func(t *load.Target) bool {
		return t.Skip == "" && t.Obj == op.Func.Origin() && slices.EqualFunc(t.TypeArgs, op.TypeArgs, types.Identical)
	})
	if i < 0 {
		return nil
	}
	return g.pkg.Targets[i]
}

// sequences returns what was found so far and may be built upon: what returned.
func (g *gen) sequences() []*testcase.Sequence {
	var out []*testcase.Sequence
	for _, x := range g.explored {
		for _, c := range x.cases {
			if c.Observed != nil && c.Observed.Status == testcase.Returned && c.Observed.Violated == "" && c.Seq.Len() <= maxKnown && !finding.HandBuilt(g.pkg, c) {
				out = append(out, c.Seq)
			}
		}
	}
	return out
}

// maxKnown is how many statements a sequence may have that others are built upon: what
// comes of longer ones nobody would read.
const maxKnown = 60

// coveredBy notes what cases cover that become tests.
func (g *gen) coveredBy(cases []*testcase.Case) {
	for _, c := range cases {
		if c.Observed == nil {
			continue
		}
		if judged, f := g.judging().Case(c); judged == "" && g.cover.Union(c.Observed.Cover) && f == nil {
			g.events.Send(event.Test{Package: g.pkg.Path, Func: c.Target, Engine: c.Engine, Provisional: true})
		}
	}
}
