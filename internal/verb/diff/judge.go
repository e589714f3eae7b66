package diff

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/difference"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/pair"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// group is a set of differences of one kind that lead back to one changed place.
type group struct {
	place int // number of the hunk, or -1 if it is not known
	// others are the places that explain the differences as well, if it was not seen that the place is the cause.
	others []int
	kind   difference.Kind
	cases  []*case2
	// shown is the case to show: the simplest one, made as small as possible.
	shown  *case2
	misuse string
	// noticed are the hand-written tests that notice the difference.
	noticed    []string
	test, file string // the written test and its file
	// byTest is the hand-written test that shows the group, if no input does; then cases and shown are nil.
	byTest *noticed
}

// judge confirms the differences that were seen, makes the cases as small as possible, so that each
// shows one difference only, and groups them.
func (c *comparison) judge() ([]*group, error) {
	var suspects []*case2
	for _, k := range c.cases.all {
		if k.diff != nil {
			suspects = append(suspects, k)
		}
	}
	// There is time for this even if the deadline has cut off earlier work.
	ctx, cancel := context.WithDeadline(c.User, c.Deadline.Add(c.Config.Bound()/20))
	defer cancel()
	start := time.Now()
	err := c.confirm(ctx, suspects)
	if err != nil {
		return nil, err
	}
	whole := make([]case2, len(suspects))
	for i, k := range suspects {
		whole[i] = *k
	}
	if err := c.shrink(ctx, suspects, nil); err != nil {
		return nil, err
	}
	// A smaller case may differ for another reason. Where it went through other places, too, these would be tried in vain.
	pl := c.places()
	for i, k := range suspects {
		if k.diff != nil && k.seqs != whole[i].seqs && slices.Equal(pl.of(k), pl.of(&whole[i])) {
			c.spare = append(c.spare, &whole[i])
		}
	}
	ts := c.try(ctx, suspects)
	defer ts.close()
	if err := c.confirmOthers(ctx, ts); err != nil {
		return nil, err
	}
	groups := c.group()
	if groups, err = c.steady(ctx, groups); err != nil {
		return nil, err
	}
	groups = append(groups, c.costGroups(ctx)...)
	for _, g := range groups {
		g.misuse = c.misuse(g.shown)
		g.others = c.places().others(g)
	}
	c.notice.wait(ctx)
	c.nameTests(groups)
	groups = append(groups, c.byTests(groups)...)
	slices.SortStableFunc(groups, compareGroups)
	c.Debug("stages", "%s: judge took %s: %d cases differ, %d groups", c.Pkg.Path, time.Since(start).Round(time.Millisecond), len(suspects), len(groups))
	return groups, nil
}

// mostConfirmed is how many differences of one kind, function and set of changed places are run again. So many more
// as mostSpare are kept in case that they have another cause, and the others are dropped.
const (
	mostConfirmed = 6
	mostSpare     = 150
)

// confirm runs the cases that differ again, twice in each version, in other processes and under other
// conditions. It drops cases that do not differ in every run.
func (c *comparison) confirm(ctx context.Context, suspects []*case2) error {
	count := map[string]int{}
	var part []*case2
	slices.SortStableFunc(suspects, func(a, b *case2) int { return compareSize(a, b) })
	pl := c.places()
	for _, k := range suspects {
		key := k.target + string(k.diff.Kind) + pl.key(pl.of(k))
		most := mostConfirmed
		if k.raw.Status == testcase.Hung || k.outs[newSide].Status == testcase.Hung {
			most = mostHanging // each run of them costs a time limit
		}
		if count[key]++; count[key] > most {
			if count[key] <= most+mostSpare {
				spare := *k
				c.spare = append(c.spare, &spare)
			}
			k.diff, k.outs[newSide] = nil, nil // it is not known whether they really differ
			continue
		}
		part = append(part, k)
	}
	before := map[*case2]difference.Kind{}
	for _, k := range part {
		before[k] = k.diff.Kind
	}
	err := c.runBoth(ctx, part, true)
	for _, k := range part {
		if k.diff != nil && k.diff.Kind != before[k] || unsteady(k.raw) || unsteady(k.outs[newSide]) {
			k.diff = nil
		}
	}
	return err
}

// compareSize orders cases, the simpler ones first.
func compareSize(a, b *case2) int {
	switch x, y := a.seqs[newSide], b.seqs[newSide]; {
	case reduce.Simpler(x, y):
		return -1
	case reduce.Simpler(y, x):
		return 1
	}
	return 0
}

// unsteady reports whether an execution ended in another way when it was repeated.
func unsteady(o *testcase.Outcome) bool {
	return o == nil || o.Unstable && (o.Status == testcase.Hung || o.Status == testcase.Died)
}

// group puts differences together that lead back to one place.
func (c *comparison) group() []*group {
	runs, of := c.places().runs()
	var groups []*group
	for i, place := range difference.Explain(runs, len(c.pairing.Hunks)) {
		k := of[i]
		if k.diff == nil {
			continue
		}
		same := func(g *group) bool {
			return g.place == place && g.kind == k.diff.Kind && (place >= 0 || g.cases[0].target == k.target)
		}
		at := slices.IndexFunc(groups, same)
		if at < 0 {
			at = len(groups)
			groups = append(groups, &group{place: place, kind: k.diff.Kind})
		}
		groups[at].cases = append(groups[at].cases, k)
	}
	for _, g := range groups {
		g.shown = slices.MinFunc(g.cases, func(a, b *case2) int { return c.compareShown(g, a, b) })
	}
	return groups
}

// steadyRuns is how often the shown case of a group is run once more in each version. If a difference
// depends on the order of a map of two entries, all these runs agree once in a thousand times.
const steadyRuns = 10

// steady runs the shown cases many times, and drops those that do not always differ in the same way.
// Other cases of their groups take their places. It returns the groups that still have a case.
func (c *comparison) steady(ctx context.Context, groups []*group) ([]*group, error) {
	known := map[*case2]bool{}
	for {
		var part []*case2
		for _, g := range groups {
			if !known[g.shown] && !endsProcess(g.shown.raw) && !endsProcess(g.shown.outs[newSide]) {
				known[g.shown] = true
				part = append(part, g.shown)
			}
		}
		if len(part) == 0 {
			return groups, nil
		}
		kinds := map[*case2]difference.Kind{}
		for _, k := range part {
			kinds[k] = k.diff.Kind
		}
		for range steadyRuns {
			again := make([]*case2, len(part))
			for i, k := range part {
				again[i] = &case2{target: k.target, seqs: k.seqs}
			}
			if err := c.runBoth(ctx, again, false); err != nil {
				return groups, err
			}
			for i, k := range part {
				if again[i].outs[newSide] != nil {
					native.Merge(k.raw, again[i].raw)
					native.Merge(k.outs[newSide], again[i].outs[newSide])
				}
			}
		}
		for _, k := range part {
			if c.set(k, k.raw, k.outs[newSide]); k.diff != nil && k.diff.Kind != kinds[k] {
				k.diff = nil
			}
		}
		for _, g := range groups {
			g.cases = slices.DeleteFunc(g.cases, func(k *case2) bool { return k.diff == nil })
			if len(g.cases) > 0 {
				g.shown = slices.MinFunc(g.cases, func(a, b *case2) int { return c.compareShown(g, a, b) })
			}
		}
		groups = slices.DeleteFunc(groups, func(g *group) bool { return len(g.cases) == 0 })
	}
}

// placeIn returns the first hunk in a function, or -1 if there is none.
func (c *comparison) placeIn(name string) int {
	return slices.IndexFunc(c.pairing.Hunks, func(h pair.Hunk) bool { return h.Decl == c.Pkg.Path+"."+name })
}

// compareShown orders the cases of a group by how well they show the difference. Misuse comes last;
// calls of the changed function itself come before calls of functions that reach it, and simple cases
// before complicated ones.
func (c *comparison) compareShown(g *group, a, b *case2) int {
	rank := func(k *case2) int {
		n := 0
		if c.misuse(k) != "" {
			n += 2
		}
		if g.place >= 0 && c.pairing.Hunks[g.place].Decl != c.Pkg.Path+"."+k.target {
			n++
		}
		return n
	}
	return cmp.Or(rank(a)-rank(b), compareSize(a, b))
}

// misuse says what a case does that users may not do, if the old version fails on it, or "" if it does
// nothing of that kind. If the old version accepts something, users may do it.
func (c *comparison) misuse(k *case2) string {
	if k.raw == nil || k.raw.Status == testcase.Returned {
		return ""
	}
	s := c.sides[oldSide]
	_, f := s.bench.Judge.Case(&testcase.Case{Package: s.Pkg.Path, Target: c.pairing.OldName(k.target), Seq: k.seqs[oldSide], Observed: k.raw})
	if f != nil && f.Severity == testcase.Misuse {
		return cmp.Or(f.Misuse, "misuse")
	}
	return ""
}

// compareGroups orders groups for readers: differences that no test notices come first, bad ones before
// harmless ones, and misuse last.
func compareGroups(a, b *group) int {
	no := func(yes bool) int {
		if yes {
			return 0
		}
		return 1
	}
	return cmp.Or(no(a.misuse == "")-no(b.misuse == ""), no(len(a.noticed) == 0)-no(len(b.noticed) == 0), a.kind.Rank()-b.kind.Rank(), a.place-b.place)
}

// How many runs may be spent on making a case smaller if each run costs a time limit, or a process.
const (
	hangingRuns = 6
	dyingRuns   = 30
)

// maxStatefulRuns bounds the runs if cases change variables of the package, because each run takes a
// process of its own in both versions.
const maxStatefulRuns = 400

// shrink makes the cases that differ as small as possible. The smaller case must differ in the same way, in a
// call of the same function and, if there are trials, due to the same place.
func (c *comparison) shrink(ctx context.Context, suspects []*case2, ts trials) error {
	suspects = slices.DeleteFunc(slices.Clone(suspects), func(k *case2) bool { return k.diff == nil })
	if len(suspects) == 0 {
		return nil
	}
	// A smaller input for which a version hangs shows something else, if neither hung before.
	hang := slices.ContainsFunc(suspects, func(k *case2) bool { return endsProcess(k.raw) || endsProcess(k.outs[newSide]) })
	r := &bothRunner{c: c, trials: ts, hasty: !hang, diffs: map[*testcase.Outcome]*case2{}}
	pl := c.places()
	subjects := make([]reduce.Subject, len(suspects))
	for i, k := range suspects {
		subjects[i] = c.subject(r, k, pl)
	}
	how := reduce.Config{Pure: purity.New(c.Prog).PureCalls(c.Pkg)}
	if c.sides[oldSide].bench.Stateful() || c.sides[newSide].bench.Stateful() {
		how.MaxRuns = maxStatefulRuns
	}
	var smaller []reduce.Subject
	err := c.RunOrLeave(ctx, func() (func(), error) {
		out, _, err := reduce.Smaller(ctx, subjects, r, how)
		return func() { smaller = out }, err
	})
	if err != nil {
		return fmt.Errorf("making inputs smaller: %w", err)
	}
	var again []*case2
	var of []*case2
	for i, s := range smaller {
		over, err := c.sides[newSide].over.Sequence(s.Seq)
		if err != nil {
			continue // the case was shown in this form
		}
		k := suspects[i]
		again = append(again, &case2{target: k.target, engine: k.engine, seqs: [2]*testcase.Sequence{over, s.Seq}})
		of = append(of, k)
	}
	if err := c.runBoth(ctx, again, true); err != nil {
		return err
	}
	if err := ts.run(ctx, again, pl); err != nil {
		return err
	}
	for i, k := range again {
		if k.diff != nil && k.diff.Kind == of[i].diff.Kind && k.diff.At == k.seqs[newSide].Len()-1 && (len(ts) == 0 || pl.cause(k) == pl.cause(of[i])) {
			*of[i] = *k
		}
	}
	return nil
}

// subject is a case that differs, with the condition that a smaller one has to meet.
func (c *comparison) subject(r *bothRunner, k *case2, pl *places) reduce.Subject {
	cause := pl.cause(k)
	seq, kind := k.seqs[newSide], k.diff.Kind
	if k.diff.At < seq.Len()-1 {
		seq = seq.Prefix(k.diff.At + 1)
	}
	fn := calledAt(seq, seq.Len()-1)
	allowed := c.misuse(k) == ""
	natural := !finding.HandBuilt(c.Pkg, &testcase.Case{Seq: seq})
	out := reduce.Subject{Seq: seq, Out: k.outs[newSide], Same: func(s *testcase.Sequence, o *testcase.Outcome) bool {
		t := r.diffs[o]
		return t != nil && t.diff != nil && t.diff.Kind == kind && t.diff.At == s.Len()-1 && calledAt(s, s.Len()-1) == fn &&
			(!natural || !finding.HandBuilt(c.Pkg, &testcase.Case{Seq: s})) && (!allowed || c.misuse(t) == "") && (len(r.trials) == 0 || pl.cause(t) == cause)
	}}
	for _, o := range []*testcase.Outcome{k.raw, k.outs[newSide]} {
		switch o.Status {
		case testcase.Hung:
			out.MaxRuns = hangingRuns
		case testcase.Died, testcase.Deadlock, testcase.Exited:
			out.MaxRuns = dyingRuns
		}
	}
	return out
}

// calledAt names the function that a statement calls, or the kind of the statement.
func calledAt(s *testcase.Sequence, i int) string {
	if op := s.At(i).Op; op.Func != nil {
		return op.Func.FullName()
	}
	return s.At(i).Op.Kind.String()
}

// bothRunner is a reduce.Runner that runs sequences in both versions. It returns the new version's
// outcome, and remembers the comparison.
type bothRunner struct {
	c      *comparison
	trials trials
	hasty  bool // sequences have less time than others, see session.Bench.Proposals
	diffs  map[*testcase.Outcome]*case2
}

// Run implements reduce.Runner.
func (r *bothRunner) Run(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	var cases []*case2
	out := make([]*testcase.Outcome, len(seqs))
	at := make([]int, 0, len(seqs))
	for i, s := range seqs {
		over, err := r.c.sides[newSide].over.Sequence(s)
		if err != nil {
			continue // the old version cannot run it
		}
		k := &case2{seqs: [2]*testcase.Sequence{over, s}}
		if op := s.Last().Op; op.Func != nil {
			k.target = testcase.TargetName(op.Func)
		}
		cases = append(cases, k)
		at = append(at, i)
	}
	err := r.c.runBothBy(ctx, cases, func(b *session.Bench) session.Runner {
		if r.hasty {
			return b.Proposals(false)
		}
		return b.Runner(false)
	})
	if err == nil && len(r.trials) > 0 {
		err = r.trials.run(ctx, cases, r.c.places())
	}
	for n, k := range cases {
		if k.outs[newSide] != nil {
			out[at[n]] = k.outs[newSide]
			r.diffs[k.outs[newSide]] = k
		}
	}
	return out, err
}

// input shows the calls of a case. Of inputs that were made larger it shows how they begin and end.
func input(k *case2) string {
	const head, tail = 120, 40
	text := strings.Join(strings.Fields(k.seqs[newSide].Inline()), " ")
	if k.diff != nil && k.diff.Kind.OfCost() && len(text) > 2*(head+tail) {
		return strings.ToValidUTF8(text[:head], "") + " … " + strings.ToValidUTF8(text[len(text)-tail:], "")
	}
	return text
}
