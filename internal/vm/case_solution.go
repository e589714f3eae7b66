package vm

import (
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// Solution is a path's inputs under a model.
type Solution struct {
	Model *term.Model
	// DroppedAssumptions says that the inputs do not satisfy an AssumeOrExecuteConcretely on the path.
	DroppedAssumptions bool
}

// Solve finds inputs for a path that are pleasant to read. The hard constraints hold, and the preferences
// hold as far as possible.
func (m *Machine) Solve(p *Path) (*Solution, solver.Verdict) {
	st := p.State
	if v := m.settleCalls(st); v != solver.Sat {
		return nil, v
	}
	a := m.sctx.Solve(st.pc, m.preferences(st), st.assumes)
	if a.Verdict != solver.Sat {
		return nil, a.Verdict
	}
	mod := a.Model.Clone()
	m.fill(st, mod)
	return &Solution{Model: mod, DroppedAssumptions: !a.AllAssumptions()}, solver.Sat
}

// fillByte fills text of which nothing is known.
const fillByte = 'a'

// maxFill is how many bytes of a text are given a value in the model.
const maxFill = 4096

// fill gives readable values to the bytes of text inputs that no condition mentions. Bytes are text if the conditions
// mention some of them and want only characters there.
func (m *Machine) fill(st *State, mod *term.Model) {
	mentioned := map[term.ID]bool{}
	whole := map[term.Array]bool{}
	bytes := map[term.Array]bool{}  // some element is mentioned
	others := map[term.Array]bool{} // an element is no printable character
	for _, c := range st.pc.Conjuncts() {
		m.ts.Vars(c, func(leaf term.ID) {
			switch m.ts.Op(leaf) {
			case term.OpArray:
				whole[m.ts.ArrayOf(leaf)] = true
			case term.OpElem:
				if m.ts.Width(leaf) == 8 {
					arr, v := m.ts.ArrayOf(leaf), m.ts.Eval(leaf, mod)
					bytes[arr] = true
					others[arr] = others[arr] || v < ' ' || v > '~'
				}
			}
			mentioned[leaf] = true
		})
	}
	for _, o := range st.objects {
		if !o.array || o.elem == nil || o.elem.Kind != KUint || o.elem.width() != 8 || o.length.Term == 0 {
			continue
		}
		arr := m.inputArray(o.name, o.elem.width())
		if whole[arr] || !o.text && (!bytes[arr] || others[arr]) {
			continue
		}
		n := m.ts.Eval(o.length.Term, mod)
		for i := range min(n, maxFill) {
			leaf := m.ts.Read(arr, m.ts.Const(64, i))
			if !mentioned[leaf] {
				mod.Set(leaf, fillByte)
			}
		}
	}
}

// preferences returns the soft constraints of a path, the most important first: those of the user (Prefer),
// short lengths, small numbers, printable text.
func (m *Machine) preferences(st *State) []term.ID {
	ts := m.ts
	soft := append([]term.ID(nil), st.prefers...)
	for _, l := range st.leaves {
		if l.typ == nil {
			soft = append(soft, ts.Ule(l.term, ts.Const(64, 4)))
		}
	}
	for _, l := range st.leaves {
		if l.typ == nil {
			continue
		}
		if isDuration(l.typ) {
			soft = append(soft, m.preferredDurations(l.term)...)
			continue
		}
		switch l.typ.Kind {
		case KInt:
			w := int(l.typ.Bits)
			nonNeg := ts.Sle(ts.Const(w, 0), l.term)
			soft = append(soft,
				ts.And(nonNeg, ts.Sle(l.term, ts.Const(w, 9))),
				ts.And(ts.Sle(ts.Const(w, uint64(100)^mask(l.typ.Bits)+1&mask(l.typ.Bits)), l.term), ts.Sle(l.term, ts.Const(w, 100))))
		case KUint:
			w := int(l.typ.Bits)
			soft = append(soft, ts.Ule(l.term, ts.Const(w, 9)), ts.Ule(l.term, ts.Const(w, 100)))
		case KFloat:
			w := int(l.typ.Bits)
			soft = append(soft, ts.Not(ts.FIsNaN(l.term)), ts.FLe(ts.FAbs(l.term), ts.Const(w, floatBits(1000, l.typ.Bits))))
		}
	}
	seen := map[term.ID]bool{}
	for _, c := range st.pc.Conjuncts() {
		ts.Vars(c, func(leaf term.ID) {
			if seen[leaf] || ts.Width(leaf) != 8 || len(seen) > 64 || ts.Op(leaf) != term.OpElem {
				return
			}
			seen[leaf] = true
			soft = append(soft,
				ts.And(ts.Ule(ts.Const(8, '0'), leaf), ts.Ule(leaf, ts.Const(8, 'z'))),
				ts.And(ts.Ule(ts.Const(8, ' '), leaf), ts.Ule(leaf, ts.Const(8, '~'))))
		})
	}
	// If a few elements are not enough, there should still not be billions.
	for _, l := range st.leaves {
		if l.typ == nil {
			for _, n := range []uint64{8, 16, 64, 512, 4096} {
				soft = append(soft, ts.Ule(l.term, ts.Const(64, n)))
			}
		}
	}
	if len(soft) > 200 {
		soft = soft[:200]
	}
	return soft
}
