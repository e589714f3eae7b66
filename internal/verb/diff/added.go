package diff

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/difference"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// mostShown is how many inputs of a new function are shown.
const mostShown = 5

// explored is an input of a function that only the new version has, with its outcome.
type explored struct {
	seq     *testcase.Sequence
	out     *testcase.Outcome
	finding *testcase.Finding // nil if the input shows no defect
}

// runAdded runs the cases that the engines found for new functions, twice in different processes, and notes
// their outcomes. It leaves out outcomes that differ from run to run, or on another machine.
func (c *comparison) runAdded(ctx context.Context) error {
	s := c.sides[newSide]
	if len(s.others) == 0 {
		return nil
	}
	var cases []*testcase.Case
	seen := map[string]bool{}
	for _, k := range c.cases.alone[newSide] {
		t := s.Pkg.Target(k.Target)
		if t == nil || !slices.Contains(s.others, t) || t.Exported && finding.HandBuilt(s.Pkg, k) || seen[k.Seq.Dump()] {
			continue
		}
		seen[k.Seq.Dump()] = true
		cases = append(cases, k)
	}
	seqs := make([]*testcase.Sequence, len(cases))
	for i, k := range cases {
		seqs[i] = k.Seq
	}
	outs, err := s.bench.Runner(true).Run(ctx, seqs)
	c.added = map[string][]explored{}
	for i, k := range cases {
		if i >= len(outs) || outs[i] == nil || outs[i].Unstable {
			continue
		}
		why, f := s.bench.Judge.Case(&testcase.Case{Package: s.Pkg.Path, Target: k.Target, Seq: k.Seq, Observed: outs[i]})
		if why != "" && f == nil {
			continue
		}
		c.added[k.Target] = append(c.added[k.Target], explored{k.Seq, outs[i], f})
	}
	return c.UnlessCut(err)
}

// rank orders the inputs of a new function. Defects come first, and misuse comes last.
func (x explored) rank() int {
	switch {
	case x.finding == nil:
		return 1
	case x.finding.Severity == testcase.Error, x.finding.Severity == testcase.Warning:
		return 0
	}
	return 2
}

// reportAdded reports the outcomes of each new function's simplest inputs: those that take a new way through
// the function, and one for each defect and misuse.
func (c *comparison) reportAdded() {
	blocks := c.sides[newSide].bench.Blocks()
	for _, t := range c.sides[newSide].others {
		all := c.added[t.Name]
		e := event.Added{Package: c.Pkg.Path, Func: t.String(), Cases: len(all), Shown: []event.AddedCase{}}
		slices.SortStableFunc(all, func(a, b explored) int {
			if n := a.rank() - b.rank(); n != 0 {
				return n
			}
			switch {
			case reduce.Simpler(a.seq, b.seq):
				return -1
			case reduce.Simpler(b.seq, a.seq):
				return 1
			}
			return 0
		})
		var covered testcase.Cover
		causes := map[string]bool{}
		for _, x := range all {
			var own testcase.Cover // blocks of other functions in the same calls do not count
			for b := range blocks {
				if blocks[b].Func == t.Name && x.out.Cover.Has(b) {
					own.Set(b)
				}
			}
			grew := covered.Union(own)
			if x.finding != nil {
				grew = !causes[x.finding.Cause]
				causes[x.finding.Cause] = true
			}
			if !grew || len(e.Shown) == mostShown {
				continue
			}
			shown := event.AddedCase{Input: strings.Join(strings.Fields(x.seq.Inline()), " "), Outcome: difference.Text(x.out)}
			if x.finding != nil {
				shown.Severity, shown.Evidence = x.finding.Severity, cmp.Or(x.finding.Evidence, x.finding.Misuse)
			}
			e.Shown = append(e.Shown, shown)
		}
		c.Events.Send(e)
	}
}
