package vm

// This file reads and writes the memory of a state.
//
// Memory consists of objects (heap.go): variables, arrays, strings, maps and so on. A value in memory
// takes one cell if it is a number or a pointer, and several if it is a string, a struct or an array. A
// pointer names an object and a cell in it. If the program has computed an index from symbols, the
// pointer also has a term, whose value is added to the number of the cell.
//
// An access takes three steps:
//
//  1. The pointer is resolved (address.go). Nil panics. For a pointer from the input it may still be open
//     whether it is nil, or what it points to; this is decided now, and the state may fork.
//  2. If its index is concrete, load and store access the object according to its kind.
//  3. If its index is symbolic, loadSymbolic and storeSymbolic (symindex.go) consider all cells that it
//     may mean. They read a term that depends on the index, or write such terms into the cells. If
//     that would take too many terms, the state forks, and each fork has a concrete index.
//
// A write copies an object first if other states share it (State.mutable). An access that Go's types do
// not allow, which takes package unsafe, ends the path as unsupported.

// doLoad is the slow path of a load. The interpreter's switch (run.go) itself loads plain cells through
// concrete pointers; doLoad handles the rest: pointers that are undecided, symbolic or nil, and objects of
// other kinds.
func (m *Machine) doLoad(st *State, fr *Frame, ins *Instr) signal {
	t := ins.data.(*Type)
	p := m.pointer(st, fr.regs[ins.A], t)
	if t.Size > 0 {
		m.load(st, p, t, fr.regs[ins.D:int(ins.D)+t.Size])
	}
	return sigNext
}

// doStore is the slow path of a store: the interpreter's switch stores to plain cells itself, and doStore handles the
// pointers and objects that doLoad handles for loads.
func (m *Machine) doStore(st *State, fr *Frame, ins *Instr) signal {
	t := ins.data.(*Type)
	p := m.pointer(st, fr.regs[ins.A], t)
	n := int32(ins.Imm)
	m.store(st, p, t, fr.regs[ins.B:ins.B+n])
	return sigNext
}

// load reads a value of type t at p into out, which has a cell for each cell of the value.
func (m *Machine) load(st *State, p Value, t *Type, out []Value) {
	if len(out) == 0 {
		return
	}
	if p.Term != 0 {
		m.loadSymbolic(st, p, t, out)
		return
	}
	o := st.object(p.obj())
	switch o.kind {
	case objCells:
		loadCells(o, p, out)
	case objBytes:
		if p.off()+len(out) > len(o.str) {
			panic(unsupported("a read beyond a string (unsafe)"))
		}
		for i := range out { // more than one for an array of bytes
			out[i] = Value{Bits: uint64(o.str[p.off()+i])}
		}
	case objLazy:
		m.loadLazy(st, o, p, t, out)
	case objType:
		m.fillDescriptor(o) // which makes it an object of cells
		m.load(st, p, t, out)
	case objPoison:
		switch {
		case p.obj() != m.argsVar:
			panic(errPoison)
		case !st.init:
			panic(unsupported("the program's arguments"))
		}
		loadCells(o, p, out)
	default:
		panic(unsupported("a read of a map or channel (unsafe)"))
	}
}

// loadCells reads plain cells.
func loadCells(o *Object, p Value, out []Value) {
	off := p.off()
	if off+len(out) <= len(o.cells) {
		copy(out, o.cells[off:off+len(out)])
		return
	}
	if p.obj() == zeroBase && off != 0 && len(out) == 1 {
		// This is the load by which package reflect gets the address of a function's code from a function value, which
		// in compiled Go points to that address. In the machine a function value is itself a number, written as a pointer
		// to zeroBase with that number as its offset (funcBit). The load returns this number.
		out[0] = p
		return
	}
	panic(unsupported("a read beyond an object (unsafe)"))
}

// loadLazy reads from an array of symbolic length or content. There is no bound to check here: the length is a
// part of the slice or string, and the interpreted program has already compared the index with it.
func (m *Machine) loadLazy(st *State, o *Object, p Value, t *Type, out []Value) {
	if o.lazy.hasElems() {
		m.loadLazyElem(st, o, p, t, out)
		return
	}
	for i := range out {
		out[i] = m.lazyRead(st, o.lazy, num(p.off()+i))
	}
}

// store writes a value of type t, whose cells are val, at p.
func (m *Machine) store(st *State, p Value, t *Type, val []Value) {
	if len(val) == 0 {
		return
	}
	if st.isInputText(st.object(p.obj())) {
		panic(unsupported("a write to a string (unsafe)"))
	}
	if p.Term != 0 {
		if m.storeSymbolic(st, p, t, val) {
			return
		}
		p = m.concretePointer(st, p)
	}
	switch o := st.object(p.obj()); o.kind {
	case objCells:
		m.storeCells(st, o, p, val)
	case objLazy:
		if o.lazy.hasElems() {
			m.storeLazyElem(st, o, p, val)
			return
		}
		l := st.mutable(p.obj()).lazy
		for i, v := range val {
			l.write(num(p.off()+i), v)
		}
	case objBytes:
		panic(unsupported("a write to a constant (unsafe)"))
	case objPoison:
		m.storePoison(st, o, p, val)
	case objType:
		panic(unsupported("a write to the descriptor of a type (unsafe)"))
	default:
		panic(unsupported("a write to a map or channel (unsafe)"))
	}
}

// isInputText reports whether an object is the content of a string from the input.
func (st *State) isInputText(o *Object) bool {
	return o.kind == objLazy && o.input > 0 && st.objects[o.input-1].text
}

// storeCells writes plain cells. While a package initialiser runs, the stored value may be the result of code that
// the machine cannot run. The cells of such a value are poison, and each use of one ends the path. If the first cell of the value
// is poison, the whole object becomes unknown. The first cell of an interface is its type, which can be known although the
// value in the second cell is poison: the object then stays as it is, and only a use of that value ends the path.
func (m *Machine) storeCells(st *State, o *Object, p Value, val []Value) {
	if p.off()+len(val) > len(o.cells) {
		panic(unsupported("a write beyond an object (unsafe)"))
	}
	o = st.mutable(p.obj())
	copy(o.cells[p.off():], val)
	if st.init && val[0].Lazy == poison {
		o.kind = objPoison
	}
}

// errPoison ends a path that uses a global variable whose initialiser could not be run.
const errPoison = unsupported("a global variable whose initialiser the machine could not run")

// storePoison writes to an object whose value is not known. A known value that fills the whole object
// makes it an ordinary object again. Any other write ends the path; in a package's initialiser the machine goes on behind
// the write (skipInit), and the object stays unknown.
func (m *Machine) storePoison(st *State, o *Object, p Value, val []Value) {
	if len(val) != len(o.cells) || p.off() != 0 || val[0].Lazy == poison {
		panic(errPoison)
	}
	o = st.mutable(p.obj())
	o.kind = objCells
	copy(o.cells, val)
}
