package vm

import "github.com/goassay/assay/internal/term"

// This file postpones the formatting of symbols. Text that fmt makes of symbols is mostly for people, and to
// follow each possible length of each number in it would multiply the paths for nothing. The text is
// therefore first a phantom, of which nothing is known. If a branch turns out to depend on the phantom, the
// state in which it was made takes over, and fmt makes the text from its source.

// exactText is a state that is about to format text, kept while another state continues with a phantom.
type exactText struct {
	serial int
	state  *State // nil if there is no such state; then the path ends
	begun  bool
}

// maxExact is how many such states are kept for a path.
const maxExact = 16

// keepExact keeps the state as it is before an instruction that makes phantoms.
func (m *Machine) keepExact(st *State) *exactText {
	m.exacts++
	e := &exactText{serial: m.exacts}
	if st.init || m.pending == nil || st.kept >= maxExact {
		return e
	}
	st.kept++
	e.state = st.fork()
	e.state.exact = true
	return e
}

// phantom makes text of which nothing is known. Results that contain it are not predicted.
func (m *Machine) phantom(st *State, e *exactText) []Value {
	st.approx = true
	st.phantoms++
	name := "text" + itoa(st.id) + "." + itoa(st.phantoms)
	p, n := m.symbolicArray(st, m.byteType, name, true)
	m.phantoms[n.Term] = e
	m.phantomArrays[m.inputArray(name, 8)] = e
	st.hasPhantom = true
	return []Value{p, n}
}

// phantomNumber makes a number of which nothing is known and nothing can be found out.
func (m *Machine) phantomNumber(st *State, width int, name string) Value {
	st.approx = true
	st.phantoms++
	v := m.ts.Var(width, name+itoa(st.id)+"."+itoa(st.phantoms))
	m.phantoms[v] = &exactText{}
	st.hasPhantom = true
	return Value{Term: v}
}

// phantomIn returns the first phantom that a condition depends on, or nil.
func (m *Machine) phantomIn(c term.ID) *exactText {
	var first *exactText
	m.ts.Vars(c, func(l term.ID) {
		e := m.phantoms[l]
		switch m.ts.Op(l) {
		case term.OpElem, term.OpArray, term.OpRead:
			e = m.phantomArrays[m.ts.ArrayOf(l)]
		}
		if e != nil && (first == nil || e.serial < first.serial) {
			first = e
		}
	})
	return first
}

// exactly ends a path that depends on a phantom, in favour of the state that makes the text. That state
// continues once for all paths that share the phantom.
func (m *Machine) exactly(e *exactText) {
	if e.state == nil {
		panic(unsupported("a decision about text or numbers of which nothing is known"))
	}
	if !e.begun {
		e.begun = true
		m.pending(e.state)
	}
	panic(pathEnd{StopReplaced, ""})
}
