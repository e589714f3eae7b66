package diff

import (
	"cmp"
	"context"
	"slices"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// How many cases are followed in a version, and the part of its usual effort that the symbolic engine
// spends on the branches off the cases of one function.
const (
	flipCases = 60
	flipShare = 1. / 2
)

// flip follows cases that reach changed places, in both versions, and takes the decisions on their paths the
// other way, because the decisions of one version lead to inputs that no engine has looked for in the other
// version. Then the random engine builds upon everything that was found.
func (c *comparison) flip(ctx context.Context) error {
	var found [2][]*testcase.Case
	errs := c.inBoth("flipping", func(i int, s *side) error {
		found[i] = c.flipSide(ctx, i, s)
		var known []*testcase.Sequence
		for _, k := range c.cases.all {
			if o := k.outs[newSide]; o != nil && o.Status == testcase.Returned && k.seqs[i].Len() <= testcase.MaxKnown {
				known = append(known, k.seqs[i])
			}
		}
		more, err := c.random(ctx, s, s.targets, known, min(lastRandom, firstRandom+eachRandom*float64(len(s.targets))))
		found[i] = append(found[i], more...)
		return err
	})
	for i := range c.sides {
		c.cases.addAll(i, found[i])
	}
	for _, err := range errs {
		if err := c.UnlessCut(err); err != nil && !isBug(err) {
			return err
		}
	}
	return c.cases.exchange(ctx)
}

// flipSide follows cases in one version.
func (c *comparison) flipSide(ctx context.Context, i int, s *side) []*testcase.Case {
	seeds := map[*load.Target][]*testcase.Sequence{}
	var targets []*load.Target
	for _, k := range c.worthFollowing() {
		op := k.seqs[i].Last().Op
		if op.Func == nil {
			continue
		}
		t := s.Pkg.TargetOf(op.Func, op.TypeArgs)
		if t == nil || t.Skip != "" {
			continue
		}
		if seeds[t] == nil {
			targets = append(targets, t)
		}
		seeds[t] = append(seeds[t], k.seqs[i])
	}
	if len(targets) == 0 {
		return nil
	}
	var out []*testcase.Case
	for _, x := range engine.Explore(ctx, s.Session, engine.Work{
		Engines: []engine.Engine{engine.Symbolic{}}, Targets: targets, Stage: "flipping",
		Task: func(t *load.Target) engine.Task { return engine.Task{Share: flipShare, Seeds: seeds[t]} },
	}) {
		x.AddTo(s.Session)
		out = append(out, x.Cases...)
	}
	return out
}

// worthFollowing returns cases that go through changed places: for each set of places the shortest cases that
// go through them. Cases of the symbolic engine come last, because that engine has followed these paths
// already.
func (c *comparison) worthFollowing() []*case2 {
	places := c.places()
	byPlaces := map[string][]*case2{}
	var sets []string
	for _, k := range c.cases.all {
		if k.outs[newSide] == nil || k.diff != nil || endsProcess(k.raw) || endsProcess(k.outs[newSide]) {
			continue
		}
		at := places.of(k)
		if len(at) == 0 {
			continue
		}
		key := k.target + places.key(at)
		if byPlaces[key] == nil {
			sets = append(sets, key)
		}
		byPlaces[key] = append(byPlaces[key], k)
	}
	for _, list := range byPlaces {
		slices.SortStableFunc(list, func(a, b *case2) int {
			made := func(k *case2) int {
				if k.engine == "symbolic" {
					return 1
				}
				return 0
			}
			return cmp.Or(made(a)-made(b), a.seqs[newSide].Len()-b.seqs[newSide].Len())
		})
	}
	var out []*case2
	for round := 0; len(out) < flipCases; round++ {
		more := false
		for _, key := range sets {
			if round < len(byPlaces[key]) && len(out) < flipCases {
				out, more = append(out, byPlaces[key][round]), true
			}
		}
		if !more {
			break
		}
	}
	return out
}

// endsProcess reports whether an execution ended its process or had to be ended.
func endsProcess(o *testcase.Outcome) bool {
	return o == nil || o.Status != testcase.Returned && o.Status != testcase.Panicked
}
