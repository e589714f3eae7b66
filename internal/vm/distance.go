package vm

import "golang.org/x/tools/go/ssa"

// Where no decision leads to code that no path has reached, the states that wait are not equal: some stand right in front of such code,
// and others in a loop that has been left a thousand times. How far a state is from uncovered code is the number of branches
// that it has to pass at least, through calls and back to the callers, as the source has them and whatever their conditions say
// (Burnim, Sen, ASE 2008; Cadar, Dunbar, Engler, OSDI 2008, who call it the minimum distance to an uncovered instruction).

// Far is the distance of a state from which nothing uncovered is known to be reachable.
const Far = 1 << 14

// uncoveredWay says for the instructions of a function how many branches there are at least from each of them.
type uncoveredWay struct {
	open  []uint16 // to an outcome that no path has taken, within the function or in what it calls
	leave []uint16 // to the function's end
}

// Distance returns by how many branches the state is away from an outcome in the package under test that no path has taken, or Far.
func (st *State) Distance() int {
	if st.stop != StopNone || len(st.gs) == 0 {
		return Far
	}
	m := st.m
	m.measureWays()
	best, back := Far, 0
	for f := st.gs[st.cur].top; f != nil && back < best; f = f.parent {
		w := m.ways[f.fn]
		if w == nil {
			back++ // code of others has nothing that counts, and is left behind some branch
			continue
		}
		best = min(best, back+int(w.open[f.pc]))
		back += int(w.leave[f.pc])
	}
	return min(best, Far)
}

// Epoch returns a number that grows when a path reaches what none has reached: all distances may have changed then.
func (st *State) Epoch() int { return st.m.epoch }

// measureWays computes the distances within the functions of the package under test, if they may have changed.
func (m *Machine) measureWays() {
	if m.ways != nil && m.measured == m.epoch {
		return
	}
	m.measured = m.epoch
	if m.ways == nil {
		m.ways = make(map[*Func]*uncoveredWay)
	}
	var own []*Func
	for _, f := range m.funcs {
		if !f.own || f.code == nil {
			continue
		}
		own = append(own, f)
		w := m.ways[f]
		if w == nil {
			w = &uncoveredWay{make([]uint16, len(f.code)), make([]uint16, len(f.code))}
			m.ways[f] = w
		}
		for pc := range w.open {
			w.open[pc], w.leave[pc] = Far, Far
		}
	}
	// Distances only become smaller. Most functions call others that come before them, so few rounds are needed.
	for changed := true; changed; {
		changed = false
		for _, f := range own {
			for m.measureFunc(f) {
				changed = true
			}
		}
	}
}

// measureFunc goes through a function once, from its end to its beginning, and reports whether a distance has become smaller.
func (m *Machine) measureFunc(f *Func) bool {
	w, changed := m.ways[f], false
	for pc := len(f.code) - 1; pc >= 0; pc-- {
		open, end := m.ahead(f, w, pc)
		if open < w.open[pc] {
			w.open[pc], changed = open, true
		}
		if end < w.leave[pc] {
			w.leave[pc], changed = end, true
		}
	}
	return changed
}

// ahead returns the distances at an instruction by those behind it.
func (m *Machine) ahead(f *Func, w *uncoveredWay, pc int) (open, end uint16) {
	ins := &f.code[pc]
	switch {
	case ins.Op == opReturn:
		return Far, 0
	case ins.Op == opJump:
		return w.open[ins.Imm], w.leave[ins.Imm]
	case isBranch(ins.Op):
		taken, not := int(ins.Imm), int(ins.B)
		open, end = min(w.open[taken], w.open[not])+1, min(w.leave[taken], w.leave[not])+1
		if n := int(ins.C) << 2; m.uncovered(n) || m.uncovered(n+1) {
			open = 0
		}
		return min(open, Far), min(end, Far)
	case pc+1 == len(f.code) || m.panics(f, pc):
		return Far, Far
	}
	open, end = w.open[pc+1], w.leave[pc+1]
	if d, ok := ins.data.(*callData); ok {
		// A function that no path has entered has no distances yet. What leads to its call is not covered, or the first path is on its way there.
		if in := m.ways[d.fn]; in != nil {
			open = min(in.open[0], in.leave[0]+open)
			end = in.leave[0] + end
		}
	}
	return min(open, Far), min(end, Far)
}

// panics reports whether an instruction is a call of panic.
func (m *Machine) panics(f *Func, pc int) bool {
	if f.sites[pc] < 0 {
		return false
	}
	_, yes := m.sites[f.sites[pc]].ins.(*ssa.Panic)
	return yes
}

// isBranch reports whether an instruction has two successors.
func isBranch(o op) bool {
	switch o {
	case opIf, opIfEq, opIfNe, opIfLtS, opIfLeS, opIfLtU, opIfLeU:
		return true
	}
	return false
}
