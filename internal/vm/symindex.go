package vm

import (
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// This file reads and writes memory at an index that is a term. There are three ways, and the first that
// is possible is taken:
//
//  1. Arrays of symbolic length or content take a term as their index anyway (lazyarray.go).
//  2. Of an array of scalars all elements are considered that the index may mean (loadChoice). A read
//     becomes a table or a nested if-then-else, a write changes each of the elements if the index
//     means it.
//  3. The state forks, once for each index that is possible (concretePointer).

// Bounds of the terms that one access makes. Beyond them the state forks.
const (
	maxIte   = 64      // elements in an if-then-else, or written under a condition
	maxTable = 1 << 14 // elements in a table of constants
	maxScan  = 1 << 10 // elements up to which the solver need not be asked for a bound of the index
)

// loadSymbolic reads a value of type t at a pointer with a term.
func (m *Machine) loadSymbolic(st *State, p Value, t *Type, out []Value) {
	o := st.object(p.obj())
	switch {
	case o.kind == objLazy && !o.lazy.hasElems() && len(out) == 1:
		out[0] = m.lazyRead(st, o.lazy, m.value(m.cellIndex(p)))
		return
	case o.kind == objBytes && len(out) == 1:
		vals := make([]uint64, 0, len(o.str)-p.off())
		for i := p.off(); i < len(o.str); i++ {
			vals = append(vals, uint64(o.str[i]))
		}
		out[0] = m.value(m.ts.Lookup(m.ts.NewTable(8, vals), p.Term))
		return
	case t.scalar():
		if v, ok := m.loadChoice(st, o, p, t); ok {
			out[0] = v
			return
		}
	}
	m.load(st, m.concretePointer(st, p), t, out)
}

// cellIndex returns the number of the cell that a pointer with a term points to, as a term.
func (m *Machine) cellIndex(p Value) term.ID {
	if p.off() == 0 {
		return p.Term
	}
	return m.ts.Add(p.Term, m.ts.Const(64, uint64(p.off())))
}

// choices are the cells of an object that a pointer with a term may point to: n cells from first on, in
// distances of stride. The term's value is k*stride for the k-th of them.
type choices struct {
	first, stride, n int
}

// choicesOf returns the cells that p may point to. It returns false if these cannot be told from the
// type of the elements.
func choicesOf(o *Object, p Value) (choices, bool) {
	if o.kind != objCells || o.elem == nil || o.elem.Size == 0 {
		return choices{}, false
	}
	size, ok := stride(o.elem)
	if !ok {
		return choices{}, false
	}
	first := p.off()
	return choices{first: first, stride: size, n: (len(o.cells) - first + size - 1) / size}, true
}

// stride returns the number of cells between two elements that a symbolic index into an array of elem
// may choose among; nested arrays are flattened. It returns false if an element has no cells, or is a
// struct with an array in it: a symbolic index may lead into that array, too, so distances differ.
func stride(elem *Type) (int, bool) {
	for elem.Kind == KArray {
		elem = elem.Elem
	}
	return elem.Size, elem.Size > 0 && !holdsArray(elem)
}

// holdsArray reports whether a type is an array or a struct with an array in it.
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

// cell returns the k-th cell.
func (c choices) cell(o *Object, k int) *Value { return &o.cells[c.first+k*c.stride] }

// undecided reports whether one of the cells stands for an input that is not decided yet.
func (c choices) undecided(o *Object) bool {
	for k := range c.n {
		if c.cell(o, k).Lazy != 0 {
			return true
		}
	}
	return false
}

// constant reports whether no cell has a term.
func (c choices) constant(o *Object) bool {
	for k := range c.n {
		if c.cell(o, k).Term != 0 {
			return false
		}
	}
	return true
}

// loadChoice reads a scalar of type t at a pointer with a term, as a term over all cells that the pointer
// may point to. It returns false if there are too many.
func (m *Machine) loadChoice(st *State, o *Object, p Value, t *Type) (Value, bool) {
	c, ok := choicesOf(o, p)
	if !ok {
		return Value{}, false
	}
	if c.n > maxScan {
		if c.n = m.bound(st, p.Term, c.n*c.stride)/c.stride + 1; c.n > maxTable {
			return Value{}, false
		}
	}
	switch {
	case c.undecided(o):
		return Value{}, false
	case c.n > 4 && c.constant(o):
		return m.value(m.table(o, c, p.Term, t.width())), true
	case c.n > maxIte || c.n == 0:
		return Value{}, false
	}
	return m.value(m.selectCell(o, c, p.Term, t.width())), true
}

// table returns a table of the cells, which are constants, looked up at an index.
func (m *Machine) table(o *Object, c choices, index term.ID, width int) term.ID {
	vals := make([]uint64, c.n)
	for k := range c.n {
		vals[k] = c.cell(o, k).Bits
	}
	if c.stride > 1 {
		index = m.ts.UDiv(index, m.ts.Const(64, uint64(c.stride)))
	}
	return m.ts.Lookup(m.ts.NewTable(width, vals), index)
}

// selectCell returns the cell at an index as a nested if-then-else.
func (m *Machine) selectCell(o *Object, c choices, index term.ID, width int) term.ID {
	r := m.termOf(*c.cell(o, c.n-1), width)
	for k := c.n - 2; k >= 0; k-- {
		r = m.ts.Ite(m.isCell(c, k, index), m.termOf(*c.cell(o, k), width), r)
	}
	return r
}

// isCell returns the condition that an index means the k-th cell.
func (m *Machine) isCell(c choices, k int, index term.ID) term.ID {
	return m.ts.Eq(index, m.ts.Const(64, uint64(k*c.stride)))
}

// bound returns a number below limit that a term's value never exceeds on this path. It only asks the solver
// about powers of two, so the number may be larger than necessary.
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

// storeSymbolic writes a value of type t at a pointer with a term. It returns false, and has changed
// nothing, if the write cannot be expressed by terms.
func (m *Machine) storeSymbolic(st *State, p Value, t *Type, val []Value) bool {
	if len(val) != 1 || !t.scalar() {
		return false
	}
	o := st.object(p.obj())
	if o.kind == objLazy && !o.lazy.hasElems() {
		index := m.value(m.cellIndex(p))
		st.mutable(p.obj()).lazy.write(index, val[0])
		return true
	}
	c, ok := choicesOf(o, p)
	if !ok || c.n > maxIte || c.undecided(o) {
		return false
	}
	o = st.mutable(p.obj())
	w := t.width()
	v := m.termOf(val[0], w)
	for k := range c.n {
		cell := c.cell(o, k)
		*cell = m.value(m.ts.Ite(m.isCell(c, k, p.Term), v, m.termOf(*cell, w)))
	}
	return true
}
