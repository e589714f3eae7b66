package vm

import "go/types"

// The machine has only the standard files. Output to these goes to Config.Stdout, or is dropped if
// Config.Stdout is nil. A *os.File that os.NewFile makes in the initialiser of package os points to a
// variable that holds the descriptor.

// newFile executes os.NewFile for the descriptor of a standard file.
func newFile(m *Machine, st *State, c *call) ([]Value, signal) {
	if !st.init || c.args[0].Bits > 2 {
		panic(unsupported("files"))
	}
	fd := ptr(m.newVariable(st, m.types.of(types.Typ[types.Uintptr])), 0)
	m.store(st, fd, m.types.of(types.Typ[types.Uintptr]), c.args[:1])
	t := c.result.Fields[0].Type.Elem
	f := ptr(m.newVariable(st, t), 0)
	m.store(st, f, t.Fields[0].Type, []Value{fd})
	return []Value{f}, sigNext
}

// writeFile executes (*os.File).Write.
func writeFile(m *Machine, st *State, c *call) ([]Value, signal) {
	f := m.known(c.args[0])
	if f.Lazy != 0 || f.Term != 0 || f.Bits == 0 {
		panic(unsupported("files"))
	}
	var fd [1]Value
	m.load(st, f, m.types.of(types.Typ[types.UnsafePointer]), fd[:])
	if fd[0].Bits != 0 {
		m.load(st, fd[0], m.types.of(types.Typ[types.Uintptr]), fd[:])
	}
	if fd[0].Bits != 1 && fd[0].Bits != 2 {
		panic(unsupported("files"))
	}
	if m.cfg.Stdout != nil {
		s, ok := m.concreteString(st, c.args[1], c.args[2])
		if !ok {
			s = "?"
		}
		m.cfg.Stdout(s)
	}
	return []Value{c.args[2], {}, {}}, sigNext
}
