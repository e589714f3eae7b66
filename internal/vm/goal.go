package vm

import (
	"maps"
	"slices"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// A path decides much before it comes to a condition: a loop over a text decides the text's length, and behind
// the loop the length is compared with 60. Sixty iterations with two outcomes each are more paths than a budget
// allows, so no path that is followed has such a text. The inputs that the condition asks for are known at once,
// however. A goal begins with them: it is executed symbolically along the path that these inputs take, and the
// decisions of that path are flipped, as with a seed.

// goal is an outcome of a condition that contradicted what a path had decided before, although some inputs
// satisfy the condition by itself.
type goal struct {
	driver  *Driver
	wanted  term.ID
	hard    []term.ID // what Assume has asked for before the condition
	objects []inputObject
	leaves  []leaf
	prefers []term.ID
}

// maxGoals is how many conditions are kept for one outcome. A condition in a loop differs in each iteration.
const maxGoals = 3

// wish notes that a path cannot take an outcome of a condition because of earlier decisions.
//
// Outcomes in the calls that prepare say nothing about the target.
func (m *Machine) wish(st *State, site int32, c term.ID, onFalse bool) {
	n := int(site) << 2
	if !onFalse {
		n |= 1
	}
	if !m.sites[site].own || !m.uncovered(n) || len(m.goals[n]) >= maxGoals || st.call < len(st.driver.Calls)-1 {
		return
	}
	if onFalse {
		c = m.ts.Not(c)
	}
	if slices.ContainsFunc(m.goals[n], func(g goal) bool { return g.wanted == c }) {
		return
	}
	m.goals[n] = append(m.goals[n], goal{
		driver: st.driver, wanted: c, hard: st.hard[:len(st.hard):len(st.hard)], leaves: st.leaves, prefers: st.prefers,
		objects: st.objects[:len(st.objects):len(st.objects)],
	})
}

// Goals returns how to look for each outcome that no path took because of earlier decisions: functions that
// explore from inputs that satisfy the outcome's condition. A function does nothing if a path has taken the
// outcome in the meantime, or no inputs satisfy its condition. The order is that of the code.
func (m *Machine) Goals() []func(Searcher, Limits, func() bool, func(*Path) bool) (Stats, error) {
	var out []func(Searcher, Limits, func() bool, func(*Path) bool) (Stats, error)
	for _, n := range slices.Sorted(maps.Keys(m.goals)) {
		for _, g := range m.goals[n] {
			out = append(out, func(search Searcher, b Limits, stop func() bool, yield func(*Path) bool) (Stats, error) {
				if !m.uncovered(n) {
					return Stats{}, nil
				}
				seeds := m.inputsFor(g)
				if seeds == nil {
					return Stats{}, nil
				}
				m.seeds = seeds
				defer func() { m.seeds = nil }()
				st := m.newState(g.driver)
				st.seeded = true
				return m.ExploreFrom(st, search, b, stop, yield)
			})
		}
	}
	m.goals = map[int][]goal{}
	return out
}

// inputsFor returns inputs that satisfy a goal's condition, or nil if none were found.
func (m *Machine) inputsFor(g goal) *term.Model {
	scratch := &State{m: m, pc: m.sctx.NewPath(), objects: g.objects, leaves: g.leaves, prefers: g.prefers}
	defer scratch.pc.Release()
	for _, l := range g.leaves {
		if l.typ == nil {
			m.sctx.Assume(scratch.pc, m.ts.Ult(l.term, m.ts.Const(64, maxLen)))
		}
	}
	if m.sctx.Feasible(scratch.pc, g.wanted) != solver.Sat {
		return nil
	}
	m.sctx.Assume(scratch.pc, g.wanted)
	for _, h := range g.hard {
		// What Assume asks for may depend on what the path had decided. The path of the new inputs asks for it in its
		// own terms.
		if m.sctx.Feasible(scratch.pc, h) == solver.Sat {
			m.sctx.Assume(scratch.pc, h)
		}
	}
	a := m.sctx.Solve(scratch.pc, m.preferences(scratch), nil)
	if a.Verdict != solver.Sat {
		return nil
	}
	seeds := a.Model.Clone()
	m.fill(scratch, seeds)
	return seeds
}
