package vm

// This file computes addresses: those that pointers hold, and those of fields and elements.

// pointer returns the address that a pointer to an elem holds. It decides a pointer of an input that is
// not decided yet, and panics if the pointer is nil.
func (m *Machine) pointer(st *State, v Value, elem *Type) Value {
	m.known(v)
	if v.Lazy != 0 {
		v = m.resolvePointer(st, v, elem)
	}
	if v.Bits>>32 == 0 {
		panic(goPanic{m.nilPanic()})
	}
	return v
}

// doFieldAddr computes &x.f.
func (m *Machine) doFieldAddr(st *State, fr *Frame, ins *Instr) signal {
	var elem *Type
	if f := ins.data; f != nil {
		elem = f.(*Type)
	}
	p := m.pointer(st, fr.regs[ins.A], elem)
	fr.regs[ins.D] = Value{Bits: p.Bits + ins.Imm, Term: p.Term}
	return sigNext
}

// indexData describes an index operation.
type indexData struct {
	x, i int32
	t    *Type // the type of x, for doIndex
	idxT *Type // the type of the index
	elem *Type
	len  int // the length of an array
}

// doIndexAddr computes &x[i] for a slice or a pointer to an array, and checks the index.
func (m *Machine) doIndexAddr(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*indexData)
	p := fr.regs[ins.A]
	i := m.known(fr.regs[ins.B])
	if i.Term != 0 {
		i.Term = m.resize(i.Term, 64, false)
	}
	n := num(d.len)
	if ins.Op == opIndexAddrSlice {
		n = fr.regs[ins.A+1]
	} else {
		p = m.pointer(st, p, nil)
	}
	if i.Term|n.Term == 0 && i.Bits >= n.Bits {
		return m.startPanic(st, m.indexError(i, n, d.idxT)) // this costs less than checkIndex, which panics in Go
	}
	m.checkIndex(st, i, n, d.idxT)
	fr.regs[ins.D] = m.elemAddr(st, m.resolveSlicePtr(st, p), i, d.elem.Size)
	return sigNext
}

// checkIndex panics unless i < n as unsigned 64-bit numbers. The parameter t is the index's type. If both
// outcomes are possible the state forks.
func (m *Machine) checkIndex(st *State, i, n Value, t *Type) {
	if i.Term|n.Term == 0 {
		if i.Bits < n.Bits {
			return
		}
	} else if m.branch(st, m.ts.Ult(m.termOf(i, 64), m.termOf(n, 64))) {
		return
	}
	panic(goPanic{m.indexError(i, n, t)})
}

// indexError returns the panic of index i of type t beyond length n.
func (m *Machine) indexError(i, n Value, t *Type) *panicRec {
	return m.runtimeError(boundsMessage("index out of range [%x]", "length", t.signed(), i, n))
}

// elemAddr returns the address that lies i elements of size cells behind p.
func (m *Machine) elemAddr(st *State, p, i Value, size int) Value {
	if i.Term == 0 {
		return Value{Bits: p.Bits + i.Bits*uint64(size), Term: p.Term}
	}
	t := i.Term
	if size != 1 {
		t = m.ts.Mul(t, m.ts.Const(64, uint64(size)))
	}
	if p.Term != 0 {
		t = m.ts.Add(p.Term, t)
	}
	v := m.value(t)
	if v.Term == 0 {
		return Value{Bits: p.Bits + v.Bits}
	}
	return Value{Bits: p.Bits, Term: v.Term}
}

// concretePointer returns a pointer without a term. The state forks for each value that the term can
// have.
func (m *Machine) concretePointer(st *State, p Value) Value {
	if p.Term == 0 {
		return p
	}
	return Value{Bits: p.Bits + m.concretize(st, Value{Term: p.Term}, 64)}
}
