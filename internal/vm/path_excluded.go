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
	Condition string // the condition that would have to hold
	// Hard says that the assumptions exclude the outcome whatever was decided before. If it is false
	// they exclude it together with the decisions of the paths so far, and only following all paths
	// proves that no other path has it.
	Hard bool
}

// exclusion says what keeps a path from an outcome.
type exclusion uint8

const (
	notExcluded exclusion = iota // decisions on the path exclude the outcome
	byPath                       // assumptions exclude the outcome after the path's decisions
	byHard                       // assumptions alone exclude the outcome
)

// exclude notes that one outcome of a branch is infeasible on a path with assumptions, and finds out whether
// the assumptions exclude the outcome. It asks once for each outcome that is not covered, with the
// assumptions left out of the path condition.
//
// Outcomes in the calls that prepare say nothing about the target.
func (m *Machine) exclude(st *State, site int32, c term.ID, onFalse bool) {
	if st.call < len(st.driver.Calls)-1 || st.handed {
		return
	}
	n := int(site) << 2
	if !onFalse {
		n |= 1
	}
	if old, asked := m.exclusions[n]; asked && old != notExcluded || !m.sites[site].own || !m.uncovered(n) {
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
	if m.sctx.Feasible(q, c) != solver.Sat {
		m.exclusions[n] = notExcluded
		return
	}
	alone := m.sctx.NewPath()
	defer alone.Release()
	for _, h := range st.hard {
		m.sctx.Assume(alone, h)
	}
	m.exclusions[n] = byPath
	if m.sctx.Feasible(alone, c) == solver.Unsat {
		m.exclusions[n] = byHard
	}
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
		if m.exclusions[n] == notExcluded || !m.uncovered(n) || !ok {
			continue
		}
		condition := text.text
		if (n&1 == 1) == text.negated {
			condition = "!(" + condition + ")"
		}
		out = append(out, Excluded{Pos: m.prog.Fset.Position(text.pos), Condition: condition, Hard: m.exclusions[n] == byHard})
	}
	slices.SortStableFunc(out, func(a, b Excluded) int {
		if a.Pos.Filename != b.Pos.Filename {
			return len(a.Pos.Filename) - len(b.Pos.Filename)
		}
		return a.Pos.Offset - b.Pos.Offset
	})
	return out
}
