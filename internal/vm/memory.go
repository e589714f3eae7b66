package vm

import (
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// maxIte is the largest number of cells that a read or write at a symbolic index
// turns into if-then-else terms; beyond it the index is decided by forking.
const maxIte = 64

// zeroBase is the object that all variables without a size are, as in the runtime.
const zeroBase = staticRegion

// newVariable allocates a zero variable of type t; an array is an object of its
// element type, so that its elements can be indexed symbolically.
func (m *Machine) newVariable(st *State, t *Type) ObjID {
	if t.Size == 0 {
		return zeroBase
	}
	m.memory(st)
	if t.Size > maxAlloc {
		o := hugeVariable(t)
		if o == nil {
			panic(pathEnd{StopMemory, "a variable larger than the machine allocates"})
		}
		m.huge = true
		return st.newObject(o)
	}
	elem := t
	if t.Kind == KArray {
		elem = t.Elem
	}
	return st.newCells(t.Size, elem)
}

// hugeVariable is a variable with more cells than the machine allocates: an array of
// numbers, of which only those that were written are kept. It is nil for other types.
func hugeVariable(t *Type) *Object {
	for t.Kind == KArray && t.Elem.Kind == KArray {
		t = t.Elem
	}
	if t.Kind != KArray || !t.Elem.scalar() {
		return nil
	}
	return &Object{kind: objLazy, elem: t.Elem, lazy: &lazyArray{width: t.Elem.width()}}
}

// maxCells is how many cells a path may allocate: half a gigabyte.
const maxCells = 1 << 25

// memory ends paths that allocate without end.
func (m *Machine) memory(st *State) {
	if st.heap.live > m.cfg.maxObjects() || st.heap.cells > maxCells || st.init && m.imageCells > maxCells {
		panic(pathEnd{StopMemory, "more objects than the machine keeps"})
	}
}

// pointer resolves a pointer that is about to be followed: a lazy one is decided, nil
// panics.
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

func (m *Machine) doFieldAddr(st *State, fr *Frame, ins *Instr) signal {
	var elem *Type
	if f := ins.data; f != nil {
		elem = f.(*Type)
	}
	p := m.pointer(st, fr.regs[ins.A], elem)
	fr.regs[ins.D] = Value{Bits: p.Bits + ins.Imm, Term: p.Term}
	return sigNext
}

// indexData is an index operation.
type indexData struct {
	x, i int32
	t    *Type // type of x, for doIndex
	idxT *Type
	elem *Type
	len  int // of an array
}

// doIndexAddr computes &x[i] with a check, where x is a slice or pointer to array.
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
		return m.startPanic(st, m.indexError(i, n, d.idxT)) // cheaper than by a Go panic
	}
	m.checkIndex(st, i, n, d.idxT)
	fr.regs[ins.D] = m.elemAddr(st, m.resolveSlicePtr(st, p), i, d.elem.Size)
	return sigNext
}

// checkIndex panics unless i < n, as unsigned 64-bit numbers; t is the index's type.
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

// indexError is the panic of index i of type t beyond length n.
func (m *Machine) indexError(i, n Value, t *Type) *panicRec {
	return m.runtimeError("index-out-of-range", boundsMessage("index out of range [%x]", "length", t.signed(), i, n))
}

// elemAddr is the address i elements of size cells after p.
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

// doLoad loads through a pointer that is lazy, symbolic, nil, or into an object that
// is no plain cells.
func (m *Machine) doLoad(st *State, fr *Frame, ins *Instr) signal {
	t := ins.data.(*Type)
	if t.Size == 0 {
		m.pointer(st, fr.regs[ins.A], t)
		return sigNext
	}
	p := m.pointer(st, fr.regs[ins.A], t)
	m.load(st, p, t, fr.regs[ins.D:int(ins.D)+t.Size])
	return sigNext
}

// load reads a value of type t at p into out.
func (m *Machine) load(st *State, p Value, t *Type, out []Value) {
	if p.Term != 0 {
		m.loadSymbolic(st, p, t, out)
		return
	}
	o := st.object(p.obj())
	off := p.off()
	switch o.kind {
	case objCells:
		if off+len(out) > len(o.cells) {
			if p.obj() == zeroBase && off != 0 && len(out) == 1 {
				// A function value is the address of its code, which is its number.
				out[0] = p
				return
			}
			panic(unsupported("a read beyond an object (unsafe)"))
		}
		copy(out, o.cells[off:off+len(out)])
	case objBytes:
		if off >= len(o.str) {
			panic(unsupported("a read beyond a string (unsafe)"))
		}
		out[0] = Value{Bits: uint64(o.str[off])}
	case objLazy:
		if o.lazy.width == 0 {
			m.loadLazyElem(st, p, o, t, out)
			return
		}
		if t.Kind == KArray {
			for i := range out {
				out[i] = m.lazyRead(st, o.lazy, num(off+i))
			}
			return
		}
		out[0] = m.lazyRead(st, o.lazy, num(off))
	case objType:
		m.fillDescriptor(o)
		m.load(st, p, t, out)
	case objPoison:
		panic(unsupported("a global variable whose initialiser the machine could not run"))
	default:
		panic(unsupported("a read of a map or channel (unsafe)"))
	}
}

// loadSymbolic reads at a symbolic index.
func (m *Machine) loadSymbolic(st *State, p Value, t *Type, out []Value) {
	o := st.object(p.obj())
	switch {
	case o.kind == objLazy && o.lazy.width != 0 && len(out) == 1:
		i := p.Term
		if p.off() != 0 {
			i = m.ts.Add(i, m.ts.Const(64, uint64(p.off())))
		}
		out[0] = m.lazyRead(st, o.lazy, m.value(i))
		return
	case o.kind == objBytes && len(out) == 1:
		vals := make([]uint64, 0, len(o.str)-p.off())
		for i := p.off(); i < len(o.str); i++ {
			vals = append(vals, uint64(o.str[i]))
		}
		out[0] = m.value(m.ts.Lookup(m.ts.NewTable(8, vals), p.Term))
		return
	case o.kind == objCells && t.scalar() && o.elem != nil && o.elem.Size > 0:
		if v, ok := m.loadChoice(st, o, p, t); ok {
			out[0] = v
			return
		}
	}
	m.load(st, m.concretePointer(st, p), t, out)
}

// concretePointer decides a symbolic index by forking.
func (m *Machine) concretePointer(st *State, p Value) Value {
	if p.Term == 0 {
		return p
	}
	return Value{Bits: p.Bits + m.concretize(st, Value{Term: p.Term}, 64)}
}

// stride returns the number of cells between two elements that a symbolic index into an array of elem may
// choose among, nested arrays flattened. ok is false if an element has no cells, or is a struct with an
// array in it: a symbolic index may lead into that array, too, so that distances differ.
func stride(elem *Type) (int, bool) {
	for elem.Kind == KArray {
		elem = elem.Elem
	}
	return elem.Size, elem.Size > 0 && !holdsArray(elem)
}

func holdsArray(t *Type) bool {
	if t.Kind == KArray {
		return true
	}
	if t.Kind == KStruct {
		for _, f := range t.Fields {
			if holdsArray(f.Type) {
				return true
			}
		}
	}
	return false
}

// Bounds of loadChoice. Of an array of up to maxScan elements it takes all as candidates. For a longer one
// it first asks the solver for an upper bound of the index; if more than maxTable candidates remain, the
// caller forks.
const (
	maxScan  = 1 << 10
	maxTable = 1 << 14
)

// loadChoice reads a scalar at a symbolic index as a table or an if-then-else term.
func (m *Machine) loadChoice(st *State, o *Object, p Value, t *Type) (Value, bool) {
	size, ok := stride(o.elem)
	if !ok {
		return Value{}, false
	}
	first := p.off()
	w := t.width()
	n := (len(o.cells) - first + size - 1) / size
	idx := p.Term
	if n > maxScan {
		if n = m.bound(st, idx, n*size)/size + 1; n > maxTable {
			return Value{}, false
		}
	}
	concrete := true
	for k := range n {
		v := o.cells[first+k*size]
		if v.Lazy != 0 {
			return Value{}, false
		}
		concrete = concrete && v.Term == 0
	}
	if concrete && n > 4 {
		vals := make([]uint64, n)
		for k := range n {
			vals[k] = o.cells[first+k*size].Bits
		}
		if size > 1 {
			idx = m.ts.UDiv(idx, m.ts.Const(64, uint64(size)))
		}
		return m.value(m.ts.Lookup(m.ts.NewTable(w, vals), idx)), true
	}
	if n > maxIte || n == 0 {
		return Value{}, false
	}
	r := m.termOf(o.cells[first+(n-1)*size], w)
	for k := n - 2; k >= 0; k-- {
		r = m.ts.Ite(m.ts.Eq(idx, m.ts.Const(64, uint64(k*size))), m.termOf(o.cells[first+k*size], w), r)
	}
	return m.value(r), true
}

// bound returns a number below limit that a term is certainly not above.
func (m *Machine) bound(st *State, t term.ID, limit int) int {
	hi := limit - 1
	for c := maxScan; c < limit; c *= 2 {
		if yes, _ := m.sctx.Branch(st.pc, m.ts.Ule(m.ts.Const(64, uint64(c)), t)); yes == solver.Unsat {
			hi = c - 1
			break
		}
	}
	return hi
}

// doStore stores where the fast way does not reach.
func (m *Machine) doStore(st *State, fr *Frame, ins *Instr) signal {
	t := ins.data.(*Type)
	p := m.pointer(st, fr.regs[ins.A], t)
	n := int32(ins.Imm)
	m.store(st, p, t, fr.regs[ins.B:ins.B+n])
	return sigNext
}

// store writes a value of type t at p.
func (m *Machine) store(st *State, p Value, t *Type, val []Value) {
	if len(val) == 0 {
		return
	}
	o := st.object(p.obj())
	if o.kind == objLazy && o.input > 0 && st.objects[o.input-1].text {
		panic(unsupported("a write to a string (unsafe)"))
	}
	if p.Term != 0 {
		if m.storeSymbolic(st, p, t, val, o) {
			return
		}
		p = m.concretePointer(st, p)
	}
	off := p.off()
	switch o.kind {
	case objCells:
		if off+len(val) > len(o.cells) {
			panic(unsupported("a write beyond an object (unsafe)"))
		}
		o = st.mutable(p.obj())
		copy(o.cells[off:], val)
		if st.init && val[0].Lazy == poison {
			o.kind = objPoison
		}
	case objLazy:
		if o.lazy.width == 0 {
			m.storeLazyElem(st, p, o, val)
			return
		}
		l := st.mutable(p.obj()).lazy
		for i, v := range val {
			l.write(num(off+i), v)
		}
	case objBytes:
		panic(unsupported("a write to a constant (unsafe)"))
	case objPoison:
		if len(val) == len(o.cells) && off == 0 && val[0].Lazy != poison {
			o = st.mutable(p.obj())
			o.kind = objCells
			copy(o.cells, val)
			return
		}
		panic(unsupported("a global variable whose initialiser the machine could not run"))
	default:
		panic(unsupported("a write to a map or channel (unsafe)"))
	}
}

// storeSymbolic writes a scalar at a symbolic index, if that can be said in terms.
func (m *Machine) storeSymbolic(st *State, p Value, t *Type, val []Value, o *Object) bool {
	if len(val) != 1 || !t.scalar() {
		return false
	}
	w := t.width()
	if o.kind == objLazy && o.lazy.width != 0 {
		i := p.Term
		if p.off() != 0 {
			i = m.ts.Add(i, m.ts.Const(64, uint64(p.off())))
		}
		st.mutable(p.obj()).lazy.write(m.value(i), val[0])
		return true
	}
	if o.kind != objCells || o.elem == nil || o.elem.Size == 0 {
		return false
	}
	size, ok := stride(o.elem)
	if !ok {
		return false
	}
	first := p.off()
	n := (len(o.cells) - first + size - 1) / size
	if n > maxIte {
		return false
	}
	for k := range n {
		if o.cells[first+k*size].Lazy != 0 {
			return false
		}
	}
	o = st.mutable(p.obj())
	v := m.termOf(val[0], w)
	for k := range n {
		c := &o.cells[first+k*size]
		*c = m.value(m.ts.Ite(m.ts.Eq(p.Term, m.ts.Const(64, uint64(k*size))), v, m.termOf(*c, w)))
	}
	return true
}
