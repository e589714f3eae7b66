package diff

import (
	"cmp"
	"context"
	"slices"
)

// mostCostTrials is how many versions are built to measure cases in, each without one changed place.
const mostCostTrials = 6

// tryCosts takes changed places back, one by one, and measures the cases that became slower or use more memory. The
// cause is a place without which they do not. Cases that go through one place only need no trial.
func (c *comparison) tryCosts(ctx context.Context) error {
	ctx, cancel := context.WithDeadline(ctx, c.Deadline)
	defer cancel()
	pl := c.places()
	count := map[int]int{} // how many cases go through a place
	for _, k := range c.slower {
		if at := pl.of(k); len(at) > 1 {
			for _, place := range at {
				count[place]++
			}
		}
	}
	var places []int
	for place := range c.pairing.Hunks {
		if count[place] > 0 {
			places = append(places, place)
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	trials := make(trials, min(len(places), mostCostTrials))
	c.each(len(trials), func(i int) {
		if w := c.takeBack(ctx, places[i]); w != nil {
			trials[i] = c.trial(ctx, []retraction{*w})
		}
	})
	trials = slices.DeleteFunc(trials, func(tr *trial) bool { return tr == nil })
	defer trials.close()
	c.Debug("stages", "%s: of %d places of costs %d were taken back", c.Pkg.Path, len(places), len(trials))
	for _, tr := range trials {
		for _, k := range c.slower {
			if at := pl.of(k); len(at) < 2 || !slices.Contains(at, tr.of[0].place) {
				continue
			}
			if err := tr.measure(ctx, k); err != nil {
				return c.UnlessCut(err)
			}
		}
	}
	return nil
}

// measure notes whether a case still costs so much more than in the old version without the change of the trial.
func (tr *trial) measure(ctx context.Context, k *case2) error {
	seq, err := tr.pairing.Forward().Sequence(k.seqs[oldSide])
	if err != nil {
		return nil // what it calls has another signature here
	}
	var least cost
	for n := range repeats {
		now, err := costIn(ctx, tr.bench, seq)
		if err != nil {
			return err
		}
		if n == 0 {
			least = now
		}
		least = cost{min(least.time, now.time), min(least.bytes, now.bytes)}
		if n > 0 && least.time > longCall {
			break
		}
	}
	got := vanishes
	if d := k.costs[oldSide].worse(least, 0); d != nil && d.Kind == k.diff.Kind {
		got = noEffect
	}
	k.noteWithout(tr.of[0].taken, got)
	return nil
}

// costGroups returns the groups of the cases that became slower or use more memory. Those of one kind with one cause
// are a group.
func (c *comparison) costGroups(ctx context.Context) []*group {
	if len(c.slower) == 0 {
		return nil
	}
	if err := c.tryCosts(ctx); err != nil {
		c.Warn("looking for causes: %v", err)
	}
	pl := c.places()
	var groups []*group
	for _, k := range c.slower {
		place := c.placeIn(k.target)
		if at := pl.causes(k); len(at) > 0 && !slices.Contains(at, place) {
			place = at[0]
		}
		at := slices.IndexFunc(groups, func(g *group) bool { return g.place == place && place >= 0 && g.kind == k.diff.Kind })
		if at < 0 {
			at = len(groups)
			groups = append(groups, &group{place: place, kind: k.diff.Kind, shown: k})
		}
		groups[at].cases = append(groups[at].cases, k)
	}
	for _, g := range groups {
		g.shown = slices.MinFunc(g.cases, func(a, b *case2) int { return c.compareShown(g, a, b) })
	}
	return groups
}
