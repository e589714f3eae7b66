package diff

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/difference"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// places says which changed places executions go through: the hunks of the pairing, by number.
type places struct {
	c *comparison
	// at has, for each version and each block that its harness counts, the hunks in the block.
	at [2][][]int
}

func (c *comparison) places() *places {
	p := &places{c: c}
	for i, s := range c.sides {
		p.at[i] = hunksAt(c, i, s.bench.Blocks())
	}
	return p
}

// hunksAt returns the hunks in each of some blocks of a version.
func hunksAt(c *comparison, side int, blocks []testcase.Block) [][]int {
	out := make([][]int, len(blocks))
	counted := make([]bool, len(c.pairing.Hunks))
	for b, block := range blocks {
		for h, hunk := range c.pairing.Hunks {
			at := hunk.Old
			if side == newSide {
				at = hunk.New
			}
			// What a function init does is seen by others.
			if !c.harmless[hunk.Decl] && !strings.HasSuffix(hunk.Decl, ".init") && at.Has(block.Pos.Filename, block.Pos.Line, block.End.Line) {
				out[b] = append(out[b], h)
				counted[h] = true
			}
		}
	}
	// A line outside of all blocks, such as the head of a case, a constant or one of another package, belongs to
	// its function, or to the functions that use the declaration.
	for h, hunk := range c.pairing.Hunks {
		at := hunk.Old
		if side == newSide {
			at = hunk.New
		}
		if at.Empty() || c.harmless[hunk.Decl] {
			continue
		}
		// What runs at the start is counted in no case.
		names := c.pairing.StartedAt(hunk.Decl, side == newSide)
		if !counted[h] {
			names = append(names, c.pairing.FunctionsAt(hunk.Decl, side == newSide)...)
		}
		for b, block := range blocks {
			if block.Func != "" && slices.Contains(names, block.Func) && !slices.Contains(out[b], h) {
				out[b] = append(out[b], h)
			}
		}
	}
	return out
}

// of returns the places that a case goes through in either version, in their order.
func (p *places) of(k *case2) []int {
	old, new := p.through(oldSide, k.raw), p.through(newSide, k.outs[newSide])
	var out []int
	for h := range p.c.pairing.Hunks {
		if old[h] || new[h] {
			out = append(out, h)
		}
	}
	return out
}

// through says of each place whether an execution of a version goes through it.
func (p *places) through(side int, o *testcase.Outcome) []bool {
	out := make([]bool, len(p.c.pairing.Hunks))
	if o == nil {
		return out
	}
	for b, hunks := range p.at[side] {
		if o.Cover.Has(b) {
			for _, h := range hunks {
				out[h] = true
			}
		}
	}
	return out
}

// others returns the places to which the difference that a group shows may be due beside the group's own, unless it was seen
// to be gone without that. Those that explain most of what differs come first.
func (p *places) others(g *group) []int {
	if g.place < 0 || g.shown.without[g.place] == vanishes {
		return nil
	}
	out := slices.DeleteFunc(slices.Clone(p.causes(g.shown)), func(place int) bool {
		return place == g.place || p.c.pairing.Hunks[place].Closes()
	})
	if len(out) < 2 {
		return out
	}
	runs, _ := p.runs()
	order := difference.Suspects(runs, len(p.c.pairing.Hunks))
	slices.SortStableFunc(out, func(a, b int) int { return slices.Index(order, a) - slices.Index(order, b) })
	return out
}

// runs returns the executions that were compared, with the places that may be the causes where they differ, and their cases.
func (p *places) runs() (runs []difference.Run, of []*case2) {
	for _, k := range p.c.cases.all {
		if k.outs[newSide] == nil {
			continue
		}
		at := p.of(k)
		if k.diff != nil {
			at = p.causes(k)
		}
		runs = append(runs, difference.Run{Differs: k.diff != nil, Places: at})
		of = append(of, k)
	}
	return runs, of
}

// key returns a key for a set of places.
func (p *places) key(at []int) string { return fmt.Sprint(at) }

func isBug(err error) bool {
	var bug *session.Bug
	return errors.As(err, &bug)
}
