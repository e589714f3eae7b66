package diff

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/goassay/assay/internal/difference"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/pair"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// effect says what becomes of a difference if a changed place says again what it said.
type effect int

// The values of effect. The zero value is not known, because no such version compiles or was run.
const (
	unknownEffect effect = iota
	noEffect             // the difference is the same, so the place does not matter
	someEffect           // the case ends in a third way
	vanishes             // the case ends as in the old version
	vanishesAmong        // it does, if other places of the declaration are taken back with this one
)

const (
	// mostTried is how many changed places are taken back. Each is compiled as far as its types at least.
	mostTried = 24
	// mostTrials is how many versions are built to run cases in.
	mostTrials = 8
	// mostHanging is how many cases that hang are run in each of these versions, and are run again and made smaller of one
	// kind, function and set of changed places.
	mostHanging = 2
)

// retraction is a changed place that is taken back, in a way that compiles.
type retraction struct {
	place int
	taken []int // the place, or all places in its declaration
	gone  bool  // as in pair.Pairing.TakeBack
}

// trial is a version in which changed places say again what they said. No case goes through two of them.
type trial struct {
	of      []retraction
	pairing *pair.Pairing // of the old version and this one
	bench   *session.Bench
	errors  map[string]bool
}

// try takes changed places back and runs the cases that differ in what results. Which executions go through a
// place says little where all go through several, and the flow of data does not tell apart two values that
// the result depends on: only what happens without a change says whether the difference is due to it.
// What cannot be tried is left to what the executions go through. The caller closes the result.
func (c *comparison) try(ctx context.Context, differing []*case2) trials {
	ctx, cancel := context.WithDeadline(ctx, c.Deadline) // the rest of the time is for those that follow
	defer cancel()
	start := time.Now()
	pl := c.places()
	var runs []difference.Run
	together := map[[2]int]bool{} // places that a case goes through both
	for _, k := range slices.Concat(differing, c.spare) {
		at := pl.of(k)
		if k.diff == nil || len(at) < 2 {
			continue
		}
		runs = append(runs, difference.Run{Differs: true, Places: at})
		for _, a := range at {
			for _, b := range at {
				together[[2]int{a, b}] = true
			}
		}
	}
	places := difference.Suspects(runs, len(c.pairing.Hunks))
	if len(places) > mostTried {
		places = places[:mostTried]
	}
	ways := make([]*retraction, len(places))
	c.each(len(places), func(i int) { ways[i] = c.takeBack(ctx, places[i]) })
	var sets [][]retraction
	for _, w := range ways {
		if w == nil {
			continue
		}
		at := slices.IndexFunc(sets, func(set []retraction) bool {
			return !slices.ContainsFunc(set, func(o retraction) bool { return meet(*w, o, together) })
		})
		switch {
		case at >= 0:
			sets[at] = append(sets[at], *w)
		case len(sets) < mostTrials:
			sets = append(sets, []retraction{*w})
		}
	}
	built := make(trials, len(sets))
	c.each(len(sets), func(i int) { built[i] = c.trial(ctx, sets[i]) })
	built = slices.DeleteFunc(built, func(tr *trial) bool { return tr == nil })
	if err := c.UnlessCut(built.run(ctx, slices.Concat(differing, c.spare), pl)); err != nil {
		c.Warn("looking for causes: %v", err)
	}
	c.Debug("stages", "%s: of %d places %d were taken back, in %d versions, in %s", c.Pkg.Path, len(places), len(built.places()), len(built), time.Since(start).Round(time.Millisecond))
	if ctx.Err() != nil {
		c.MarkPartial()
	}
	return built
}

// trials are all that were built.
type trials []*trial

// run runs cases in all trials.
func (ts trials) run(ctx context.Context, cases []*case2, pl *places) error {
	for _, tr := range ts {
		if err := tr.run(ctx, cases, pl); err != nil {
			return err
		}
	}
	return nil
}

// places returns the places that were taken back.
func (ts trials) places() []int {
	var out []int
	for _, tr := range ts {
		for _, w := range tr.of {
			out = append(out, w.place)
		}
	}
	return out
}

// close ends their processes.
func (ts trials) close() {
	for _, tr := range ts {
		tr.bench.Close()
	}
}

// meet reports whether a case goes through places of both.
func meet(a, b retraction, together map[[2]int]bool) bool {
	for _, x := range a.taken {
		for _, y := range b.taken {
			if x == y || together[[2]int{x, y}] {
				return true
			}
		}
	}
	return false
}

// each does work for the numbers below n, as many at a time as there are workers. A panic is reported as a bug of ours.
func (c *comparison) each(n int, work func(i int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(c.Config.WorkerCount(), n) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				func() {
					defer func() {
						if p := recover(); p != nil {
							_ = c.ReportBug("looking for causes", p) // it has been reported, and there is a report without causes, too
						}
					}()
					work(i)
				}()
			}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// takeBack finds a way to take a place back that compiles: alone, with the places that close the blocks that it opens or,
// if it needs others, with all in the same declaration.
// The result is nil if there is none.
func (c *comparison) takeBack(ctx context.Context, place int) *retraction {
	var all []int
	for i, h := range c.pairing.Hunks {
		if h.Decl == c.pairing.Hunks[place].Decl {
			all = append(all, i)
		}
	}
	ways := []retraction{{place, []int{place}, false}, {place, []int{place}, true}}
	if balanced := c.pairing.Balanced(place); len(balanced) > 1 {
		ways = []retraction{{place, balanced, false}, {place, balanced, true}}
	}
	for _, w := range append(ways, retraction{place, all, true}) {
		if prog, _ := c.without(ctx, []retraction{w}); prog != nil {
			return &w
		}
	}
	return nil
}

// without loads the new version without some changes. The result is nil if that does not compile.
func (c *comparison) without(ctx context.Context, ways []retraction) (*load.Program, map[string][]byte) {
	var taken []int
	gone := false
	for _, w := range ways {
		taken = append(taken, w.taken...)
		gone = gone || w.gone
	}
	files, err := c.pairing.TakeBack(taken, gone)
	if err != nil {
		return nil, nil // these lines cannot be put together
	}
	overlay := maps.Clone(c.Config.Overlay)
	if overlay == nil {
		overlay = map[string][]byte{}
	}
	maps.Copy(overlay, files)
	prog, err := load.Load(ctx, load.Config{Dir: c.Pkg.Dir, Tags: c.Config.Tags, Overlay: overlay})
	if err != nil || len(prog.Packages) != 1 || len(prog.Packages[0].Errors) > 0 {
		return nil, nil // the go command replaces no files of modules that it keeps, for one
	}
	return prog, overlay
}

// trial builds a version without some changes. It returns nil if it cannot be built.
func (c *comparison) trial(ctx context.Context, ways []retraction) *trial {
	prog, overlay := c.without(ctx, ways)
	if prog == nil && len(ways) > 1 {
		ways = ways[:1] // which compiles by itself
		prog, overlay = c.without(ctx, ways)
	}
	if prog == nil {
		return nil
	}
	old := c.sides[oldSide]
	tr := &trial{of: ways}
	var err error
	if tr.pairing, err = pair.Packages(pair.Side{Prog: old.Prog, Pkg: old.Pkg}, pair.Side{Prog: prog, Pkg: prog.Packages[0]}); err == nil {
		s := c.OfVersion(prog, prog.Packages[0])
		s.Config.Overlay = overlay
		tr.bench, err = s.Build(ctx, session.BenchConfig{})
	}
	if err != nil {
		var fails *native.BuildError
		if err := c.UnlessCut(err); err != nil && !errors.As(err, &fails) {
			c.Warn("looking for causes: %v", err)
		}
		return nil
	}
	tr.errors = sharedErrors(old.bench, tr.bench, tr.pairing)
	return tr
}

// run runs the cases that go through one of the places, and notes what becomes of the differences.
func (tr *trial) run(ctx context.Context, differing []*case2, pl *places) error {
	forward := tr.pairing.Forward()
	var part []*case2
	var ways []retraction // for each case
	var seqs []*testcase.Sequence
	hanging := 0
	for _, k := range differing {
		if k.diff == nil {
			continue
		}
		through := pl.of(k)
		at := slices.IndexFunc(tr.of, func(w retraction) bool { return slices.Contains(through, w.place) })
		if at < 0 || len(through) < 2 {
			continue
		}
		if k.raw.Status == testcase.Hung || k.outs[newSide].Status == testcase.Hung {
			if hanging++; hanging > mostHanging {
				continue
			}
		}
		seq, err := forward.Sequence(k.seqs[oldSide])
		if err != nil {
			continue // what it calls has another signature here
		}
		part, ways, seqs = append(part, k), append(ways, tr.of[at]), append(seqs, seq)
	}
	outs, err := tr.bench.Runner(false).Run(ctx, seqs)
	if err != nil {
		return err
	}
	for i, k := range part {
		if outs[i] == nil {
			continue
		}
		got := vanishes
		switch d := compareOutcomes(seqs[i], forward.Outcome(k.raw), outs[i], tr.errors); {
		case d == nil:
		case d.Kind == k.diff.Kind && d.At == k.diff.At && d.After == k.diff.After:
			got = noEffect
		default:
			got = someEffect
		}
		k.noteWithout(ways[i].taken, got)
	}
	return nil
}

// noteWithout notes what becomes of a difference if some places are taken back. What a place does alone says more than what
// it does with others.
func (k *case2) noteWithout(taken []int, got effect) {
	if k.without == nil {
		k.without = map[int]effect{}
	}
	if len(taken) > 1 && got == vanishes {
		got = vanishesAmong
	}
	for _, place := range taken {
		if len(taken) == 1 || k.without[place] == unknownEffect {
			k.without[place] = got
		}
	}
}

// causes returns those of the places that a case goes through to which its difference may be due: those without which
// it vanishes or, if it vanishes without none of them alone, all but those that were seen not to matter; and of these
// those that are no consequence of another, and those that the function reaches at whose call the versions differ, if
// there are any.
func (p *places) causes(k *case2) []int {
	through := p.of(k)
	with := func(from []int, yes func(int) bool) []int {
		return slices.DeleteFunc(slices.Clone(from), func(place int) bool { return !yes(place) })
	}
	out := with(through, func(place int) bool { return k.without[place] == vanishes })
	if len(out) == 0 {
		out = with(through, func(place int) bool { return k.without[place] == vanishesAmong })
	}
	certain := len(out) > 0
	if !certain {
		out = with(through, func(place int) bool { return k.without[place] != noEffect })
	}
	if len(out) == 0 {
		out = through // each of several is enough
	}
	if first := with(out, func(place int) bool { return !p.follows(k, place) }); len(first) > 0 {
		out = first
	}
	if certain {
		return out
	}
	f, _ := p.c.cases.function(k.target)
	if behind := with(out, func(place int) bool { return p.c.pairing.Reaches(f, place) }); len(behind) > 0 {
		return behind
	}
	return out
}

// follows reports whether a place can only be a consequence of what caused the difference: it says something in both
// versions, and only one of the executions goes through it. That was decided before.
func (p *places) follows(k *case2, place int) bool {
	h := p.c.pairing.Hunks[place]
	return !h.Old.Empty() && !h.New.Empty() && p.through(oldSide, k.raw)[place] != p.through(newSide, k.outs[newSide])[place]
}

// confirmOthers confirms spare cases that are due to one of the places that were tried, if no confirmed difference of
// that kind is, and makes them smaller as long as they are due to it.
func (c *comparison) confirmOthers(ctx context.Context, ts trials) error {
	tried := ts.places()
	pl := c.places()
	count := map[string]int{}
	for _, k := range c.cases.all {
		if k.diff != nil {
			count[pl.cause(k)] = mostConfirmed
		}
	}
	var part []*case2
	kinds := map[*case2]difference.Kind{}
	for _, k := range c.spare {
		at := pl.causes(k)
		if key := pl.cause(k); len(at) == 1 && slices.Contains(tried, at[0]) && count[key] < mostConfirmed {
			count[key]++
			part = append(part, k)
			kinds[k] = k.diff.Kind
		}
	}
	if err := c.runBoth(ctx, part, true); err != nil {
		return err
	}
	part = slices.DeleteFunc(part, func(k *case2) bool {
		return k.diff == nil || k.diff.Kind != kinds[k] || unsteady(k.raw) || unsteady(k.outs[newSide])
	})
	c.cases.all = append(c.cases.all, part...)
	return c.shrink(ctx, part, ts)
}

// cause returns a key for the function, the kind and the causes of a difference.
func (p *places) cause(k *case2) string {
	return k.target + string(k.diff.Kind) + p.key(p.causes(k))
}
