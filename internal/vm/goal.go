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

// Goal is an outcome of a condition that contradicted what a path had decided before, although some inputs
// satisfy the condition by itself.
type Goal struct {
	outcome int // numbered as in covered
	driver  *Driver
	wanted  term.ID
	path    []term.ID // what the path had decided before the condition, and what Assume had asked for
	objects []inputObject
	leaves  []leaf
	prefers []term.ID
	given   bool // Goals has returned it
	goesOn  bool // longer texts go on as those of the path end; see continueTexts
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
	if slices.ContainsFunc(m.goals[n], func(g *Goal) bool { return g.wanted == c }) {
		return
	}
	m.goals[n] = append(m.goals[n], &Goal{
		outcome: n, driver: st.driver, wanted: c, path: st.pc.Conjuncts(), leaves: st.leaves, prefers: st.prefers,
		objects: st.objects[:len(st.objects):len(st.objects)],
	})
}

// Goals returns the goals that have come up since the last call, in the order of the code. Each comes twice, since there
// are two ways to make texts longer.
func (m *Machine) Goals() []*Goal {
	var out []*Goal
	for _, n := range slices.Sorted(maps.Keys(m.goals)) {
		for _, g := range m.goals[n] {
			if !g.given {
				g.given = true
				again := *g
				again.goesOn = true
				out = append(out, g, &again)
			}
		}
	}
	return out
}

// ExploreGoal does the same as Explore, from inputs that satisfy a goal's condition. It does nothing and returns false
// if a path has taken the goal's outcome in the meantime, or no such inputs were found.
func (m *Machine) ExploreGoal(g *Goal, search Searcher, b Limits, stop func() bool, yield func(*Path) bool) (Stats, bool, error) {
	if !m.uncovered(g.outcome) {
		return Stats{}, false, nil
	}
	if m.seeds = m.inputsFor(g); m.seeds == nil {
		return Stats{}, false, nil
	}
	m.lengths = m.lengthsIn(g.wanted, m.seeds)
	defer func() { m.seeds, m.lengths = nil, nil }()
	st := m.newState(g.driver)
	st.seeded = true
	stats, err := m.ExploreFrom(st, search, b, stop, yield)
	return stats, true, err
}

// inputsFor returns inputs that satisfy a goal's condition, or nil if none were found.
func (m *Machine) inputsFor(g *Goal) *term.Model {
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
	// The path that led to the condition is followed as far as the condition allows, because other inputs may never come
	// to the condition.
	soft := append(g.path[:len(g.path):len(g.path)], m.preferences(scratch)...)
	a := m.sctx.Solve(scratch.pc, soft, nil)
	if a.Verdict != solver.Sat {
		return nil
	}
	for i, c := range g.path {
		if a.KeptSoft[i] {
			m.sctx.Assume(scratch.pc, c) // so that fill leaves the bytes alone that it mentions
		}
	}
	seeds := a.Model.Clone()
	m.fill(scratch, seeds)
	if g.goesOn {
		m.continueTexts(scratch, g, seeds)
	}
	return seeds
}

// continueTexts lets texts that are longer than those of the goal's path go on as these end. What has accepted the
// last byte most often accepts one more of its kind.
func (m *Machine) continueTexts(st *State, g *Goal, inputs *term.Model) {
	before := &State{m: m, pc: m.sctx.NewPath(), leaves: g.leaves, prefers: g.prefers}
	defer before.pc.Release()
	for _, c := range g.path {
		m.sctx.Assume(before.pc, c)
	}
	a := m.sctx.Solve(before.pc, m.preferences(before), nil)
	if a.Verdict != solver.Sat {
		return
	}
	mentioned := map[term.ID]bool{}
	for _, c := range st.pc.Conjuncts() {
		m.ts.Vars(c, func(leaf term.ID) { mentioned[leaf] = true })
	}
	for _, o := range g.objects {
		if !o.array || o.elem == nil || o.elem.Kind != KUint || o.elem.width() != 8 || o.length.Term == 0 {
			continue
		}
		at := func(i uint64) term.ID { return m.ts.Read(m.inputArray(o.name, 8), m.ts.Const(64, i)) }
		end := m.ts.Eval(o.length.Term, a.Model)
		if end == 0 || !a.Model.Has(at(end-1)) {
			continue
		}
		last := m.ts.Eval(at(end-1), a.Model)
		for i := end; i < min(m.ts.Eval(o.length.Term, inputs), maxFill); i++ {
			if !mentioned[at(i)] {
				inputs.Set(at(i), last)
			}
		}
	}
}

// lengthsIn returns the lengths of inputs that a condition mentions, as they are in a model. A loop over such an input
// does not decide its length anew in each iteration then.
func (m *Machine) lengthsIn(c term.ID, inputs *term.Model) map[term.ID]int {
	out := map[term.ID]int{}
	m.ts.Vars(c, func(leaf term.ID) {
		if m.ts.Op(leaf) != term.OpVar || m.ts.Width(leaf) != 64 {
			return // an element, or all elements of an array, is no length
		}
		if n := m.ts.Eval(leaf, inputs); n <= maxFill {
			out[leaf] = int(n)
		}
	})
	return out
}

// wantedLength returns the length that the present goal wants of an input with these elements, or 0. The path's condition
// says that length, because a goal that comes up behind it follows the same path.
func (m *Machine) wantedLength(st *State, elem *Type, name string) int {
	if !st.seeded || len(m.lengths) == 0 || !elem.scalar() {
		return 0
	}
	length := m.ts.Var(64, name+".len")
	n := m.lengths[length]
	if n > 0 {
		m.sctx.Assume(st.pc, m.ts.Eq(length, m.ts.Const(64, uint64(n))))
	}
	return n
}
