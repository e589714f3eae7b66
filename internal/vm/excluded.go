package vm

import (
	"go/token"
	"maps"
	"slices"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// Excluded is an outcome of a condition in the package under test that no path took
// because Assume excludes it.
type Excluded struct {
	Pos       token.Position
	Condition string // as it would have to be
}

// exclude notes that one outcome of a branch is infeasible on a path with assumptions: is
// it they that exclude it? The question is asked once for each outcome that is not
// covered, by leaving them out of the path condition.
func (m *Machine) exclude(st *State, site int32, c term.ID, onFalse bool) {
	n := int(site) << 2
	if !onFalse {
		n |= 1
	}
	if _, asked := m.exclusions[n]; asked || !m.sites[site].own || !m.uncovered(n) {
		return
	}
	without := map[term.ID]bool{}
	for _, h := range st.hard {
		m.conjuncts(h, without)
	}
	q := m.sctx.NewPath()
	defer q.Release()
	for _, k := range st.pc.Conjuncts() {
		if !without[k] {
			m.sctx.Assume(q, k)
		}
	}
	if onFalse {
		c = m.ts.Not(c)
	}
	m.exclusions[n] = m.sctx.Feasible(q, c) == solver.Sat
}

// conjuncts adds the conjuncts of a condition to a set.
func (m *Machine) conjuncts(c term.ID, set map[term.ID]bool) {
	set[c] = true
	if m.ts.Op(c) == term.OpAnd && m.ts.Width(c) == 1 {
		for _, a := range m.ts.Args(c) {
			m.conjuncts(a, set)
		}
	}
}

// Excluded lists the outcomes of conditions that no path took so far and that Assume
// excludes, in the order of the source.
func (m *Machine) Excluded() []Excluded {
	texts := m.conditionTexts()
	var out []Excluded
	for _, n := range slices.Sorted(maps.Keys(m.exclusions)) {
		text, ok := texts[m.sites[n>>2].pos]
		if !m.exclusions[n] || !m.uncovered(n) || !ok {
			continue
		}
		condition := text.text
		if (n&1 == 1) == text.negated {
			condition = "!(" + condition + ")"
		}
		out = append(out, Excluded{Pos: m.prog.Fset.Position(text.pos), Condition: condition})
	}
	slices.SortStableFunc(out, func(a, b Excluded) int {
		if a.Pos.Filename != b.Pos.Filename {
			return len(a.Pos.Filename) - len(b.Pos.Filename)
		}
		return a.Pos.Offset - b.Pos.Offset
	})
	return out
}
