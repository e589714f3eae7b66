package vm

import "github.com/goassay/assay/internal/term"

// maxLog is how many writes to a lazy array are kept, because reads have to look through them.
const maxLog = 4096

// write notes a write. The array must belong to the state.
func (l *lazyArray) write(i, v Value) {
	if len(l.log) >= maxLog {
		panic(pathEnd{StopMemory, "more writes to an array of symbolic length than the machine keeps"})
	}
	l.log = append(l.log, lazyWrite{i, v})
}

// readSteps is how many instructions the read of a symbolic element counts as. One copy may read
// thousands of elements, on each of thousands of paths, and each read costs as much as several
// instructions: when a copy counted as one instruction, io.ReadAll of a text of symbolic length took
// twenty seconds within its budget.
const readSteps = 4

// lazyRead reads element i of a lazy array: the newest value written to it, or the one in the base.
func (m *Machine) lazyRead(st *State, l *lazyArray, i Value) Value {
	st.steps += readSteps + int64(len(l.log)/8)
	var pending []lazyWrite // writes whose index may or may not be i, newest first
	var hit Value
	found := false
	for k := len(l.log) - 1; k >= 0 && !found; k-- {
		wr := l.log[k]
		switch {
		case wr.index.Term == 0 && i.Term == 0:
			if wr.index.Bits == i.Bits {
				hit, found = wr.val, true
			}
		default:
			c := m.ts.Eq(m.termOf(wr.index, 64), m.termOf(i, 64))
			if b, ok := m.ts.IsConst(c); ok {
				if b != 0 {
					hit, found = wr.val, true
				}
				continue
			}
			pending = append(pending, wr)
		}
	}
	if !found {
		hit = m.lazyBase(st, l, i)
	}
	if len(pending) == 0 {
		return hit
	}
	t := m.termOf(hit, l.width)
	for k := len(pending) - 1; k >= 0; k-- {
		c := m.ts.Eq(m.termOf(pending[k].index, 64), m.termOf(i, 64))
		t = m.ts.Ite(c, m.termOf(pending[k].val, l.width), t)
	}
	return m.value(t)
}

// lazyBase reads element i of the base of a lazy array.
func (m *Machine) lazyBase(st *State, l *lazyArray, i Value) Value {
	if l.has {
		return m.value(m.ts.Read(l.base, m.termOf(i, 64)))
	}
	return m.readParts(st, l.parts, i, l.width)
}

// readParts reads element i of parts one after the other.
func (m *Machine) readParts(st *State, parts []part, i Value, w int) Value {
	if len(parts) == 0 {
		return Value{}
	}
	p := parts[0]
	read := func() Value {
		at := m.elemAddr(st, p.ptr, i, 1)
		if at.obj() != p.ptr.obj() {
			return Value{} // before the beginning of the object: element i is in another part, and nobody looks at this value
		}
		return m.readCell(st, at, w)
	}
	if len(parts) == 1 {
		if n := p.len; n.Term == 0 && i.Term == 0 && i.Bits >= n.Bits {
			return Value{}
		}
		return read()
	}
	rest := func() Value {
		var j Value
		if i.Term|p.len.Term == 0 {
			j = Value{Bits: i.Bits - p.len.Bits}
		} else {
			j = m.value(m.ts.Sub(m.termOf(i, 64), m.termOf(p.len, 64)))
		}
		return m.readParts(st, parts[1:], j, w)
	}
	if i.Term|p.len.Term == 0 {
		if i.Bits < p.len.Bits {
			return read()
		}
		return rest()
	}
	c := m.ts.Ult(m.termOf(i, 64), m.termOf(p.len, 64))
	if b, ok := m.ts.IsConst(c); ok {
		if b != 0 {
			return read()
		}
		return rest()
	}
	return m.value(m.ts.Ite(c, m.termOf(read(), w), m.termOf(rest(), w)))
}

// readCell reads one scalar cell at an address. The address may be beyond its object's end; nobody looks at
// the value then.
func (m *Machine) readCell(st *State, p Value, w int) Value {
	p = m.inElem(st, p)
	o := st.object(p.obj())
	if p.Term == 0 {
		off := p.off()
		switch o.kind {
		case objBytes:
			if off >= len(o.str) {
				return Value{}
			}
			return Value{Bits: uint64(o.str[off])}
		case objCells:
			if off >= len(o.cells) {
				return Value{}
			}
			return o.cells[off]
		case objLazy:
			return m.lazyRead(st, o.lazy, num(off))
		}
		panic("bug: vm: text in an object of another kind")
	}
	i := p.Term
	if o.kind == objLazy {
		if p.off() != 0 {
			i = m.ts.Add(i, m.ts.Const(64, uint64(p.off())))
		}
		return m.lazyRead(st, o.lazy, m.value(i))
	}
	var n int
	if o.kind == objBytes {
		n = len(o.str) - p.off()
		vals := make([]uint64, 0, max(n, 0))
		for k := p.off(); k < len(o.str); k++ {
			vals = append(vals, uint64(o.str[k]))
		}
		return m.value(m.ts.Lookup(m.ts.NewTable(w, vals), i))
	}
	n = len(o.cells) - p.off()
	cell := func(k int) term.ID { return m.termOf(o.cells[p.off()+k], w) }
	if n > 4*maxIte {
		return m.readCell(st, m.concretePointer(st, p), w)
	}
	r := m.ts.Const(w, 0)
	for k := n - 1; k >= 0; k-- {
		r = m.ts.Ite(m.ts.Eq(i, m.ts.Const(64, uint64(k))), cell(k), r)
	}
	return m.value(r)
}
