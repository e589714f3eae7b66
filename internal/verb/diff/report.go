package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

// report reports the differences, and the functions without any.
func (c *comparison) report(groups []*group) {
	differs := map[string]bool{}
	unnoticed := 0
	for _, g := range groups {
		c.Events.Send(c.eventOf(g))
		if len(g.noticed) == 0 {
			unnoticed++
		}
		if c.how.Fail.counts(g.kind) {
			c.Result.ErrorFindings++
		}
		for _, k := range g.cases {
			differs[k.target] = true
		}
		if g.byTest == nil {
			differs[c.shownFunc(g)] = true
		}
	}
	ran := map[string]int{}
	for _, k := range c.cases.all {
		if k.outs[newSide] != nil {
			ran[k.target]++
		}
	}
	for _, f := range c.functions {
		name := f.New.String()
		v, known := c.verdicts[name]
		if differs[f.New.Name] {
			if v.Verdict == event.Proved {
				c.Warn("a bug of assay's: %s was proved equal, and differs", name)
			}
			continue
		}
		if !known {
			v = event.Same{Verdict: event.Bounded, Left: "it was not explored symbolically in both versions"}
		}
		v.Package, v.Func, v.Cases = c.Pkg.Path, name, ran[f.New.Name]
		if v.Verdict == event.Proved {
			c.equal = append(c.equal, v)
			continue
		}
		c.Events.Send(v)
	}
	c.reportEqual()
	c.reportAdded()
	c.Summary.Differences, c.Summary.Unnoticed = event.Count(len(groups)), event.Count(unnoticed)
}

// reportEqual reports the functions that are proved equal, in the order of their names.
func (c *comparison) reportEqual() {
	slices.SortStableFunc(c.equal, func(a, b event.Same) int { return strings.Compare(a.Func, b.Func) })
	for _, v := range c.equal {
		c.Events.Send(v)
	}
	c.Summary.Equal = event.Count(len(c.equal))
}

// shownFunc returns the function whose call shows a group.
func (c *comparison) shownFunc(g *group) string {
	op := g.shown.seqs[newSide].At(g.shown.diff.At).Op
	if op.Func != nil {
		name := testcase.TargetName(op.Func)
		if _, ok := c.cases.function(name); ok {
			return name
		}
	}
	return g.shown.target
}

// eventOf describes a group.
func (c *comparison) eventOf(g *group) event.Difference {
	e := event.Difference{
		Package: c.Pkg.Path, Kind: string(g.kind), Severity: g.kind.Severity(), Cases: len(g.cases), NoticedBy: g.noticed,
		Worse: g.kind.Worse(), Misuse: g.misuse, Test: g.test, File: g.file,
	}
	if t := g.byTest; t != nil {
		e.Func, e.Input, e.Cases = t.name, t.name, len(g.noticed)
		e.Before, e.After = t.how, "passes"
		if t.fails == newSide {
			e.Before, e.After = e.After, e.Before
		}
	} else {
		k := g.shown
		e.Func, e.Input, e.Before, e.After = c.shownFunc(g), input(k), k.diff.Before, k.diff.After
	}
	if e.NoticedBy == nil {
		e.NoticedBy = []string{}
	}
	if g.misuse != "" {
		e.Severity = testcase.Note
	}
	if g.place >= 0 {
		h := c.pairing.Hunks[g.place]
		e.Cause = h.String()
		for _, place := range g.others {
			e.OtherCauses = append(e.OtherCauses, c.pairing.Hunks[place].String())
		}
		if h.New.File != "" {
			e.Pos = fmt.Sprintf("%s:%d", h.New.File, h.New.First)
		}
	}
	for _, o := range g.cases {
		if o.target != e.Func && !slices.Contains(e.Doors, o.target) {
			e.Doors = append(e.Doors, o.target)
		}
	}
	slices.Sort(e.Doors)
	return e
}
