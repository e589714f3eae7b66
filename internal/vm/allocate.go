package vm

// This file allocates variables, and ends paths that allocate too much.

// zeroBase is the object of all variables of size zero, as in Go's runtime.
const zeroBase = staticRegion

// maxCells is how many cells a path may allocate: half a gigabyte.
const maxCells = 1 << 25

// newVariable allocates a zero variable of type t. For an array it makes an object of the element type,
// so that the elements can be indexed by symbols.
func (m *Machine) newVariable(st *State, t *Type) ObjID {
	if t.Size == 0 {
		return zeroBase
	}
	m.limitMemory(st)
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

// hugeVariable returns an object for a variable with more cells than the machine allocates. It is an
// array of numbers that keeps only the elements that were written. It returns nil for other types.
func hugeVariable(t *Type) *Object {
	for t.Kind == KArray && t.Elem.Kind == KArray {
		t = t.Elem
	}
	if t.Kind != KArray || !t.Elem.scalar() {
		return nil
	}
	return &Object{kind: objLazy, elem: t.Elem, lazy: &lazyArray{width: t.Elem.width()}}
}

// limitMemory ends a path that has too many objects or cells. It is called before each allocation.
func (m *Machine) limitMemory(st *State) {
	if st.heap.live > m.cfg.maxObjects() || st.heap.cells > maxCells || st.init && m.imageCells > maxCells {
		panic(pathEnd{StopMemory, "more objects than the machine keeps"})
	}
}
