package vm

import "github.com/goassay/assay/internal/term"

// objKind is the kind of an object's content.
type objKind uint8

const (
	objCells  objKind = iota // cells: a variable, an array, a struct, a closure, a box
	objBytes                 // str: the bytes of a constant string; immutable
	objLazy                  // lazy: an array whose length or content is symbolic
	objMap                   // m
	objChan                  // ch
	objType                  // the descriptor of type elem, not yet filled in; see reflect_type.go
	objPoison                // a global whose initialiser the machine could not run
)

// Object is the target of pointers. The owner tag says which state may change it in place; for other
// states it is immutable.
type Object struct {
	owner uint32
	kind  objKind
	elem  *Type // element type of arrays; nil where it does not matter
	cells []Value
	str   string
	lazy  *lazyArray
	m     *mapData
	ch    *chanData
	input uint32 // the number of the input that this object came from, see inputs.go; 0 if it came from none
}

// lazyArray is the content of an array of symbolic length or content, whose elements are scalars. It has a
// base and the writes since then. Index 0 is the object's first element.
type lazyArray struct {
	width int        // of the element's term; 0 if the elements cannot be terms
	base  term.Array // an input's content, if has is set
	has   bool
	parts []part      // or pieces one after the other; without pieces and a base the content is zeros
	log   []lazyWrite // oldest first; never changed in place
	elems []lazyElem  // for an input whose elements cannot be terms: the elements that were used
}

// hasElems reports whether the elements are objects of their own (elems), because they cannot be terms.
func (l *lazyArray) hasElems() bool { return l.width == 0 }

// part is a run of bytes of an immutable object.
type part struct {
	ptr Value
	len Value
}

type lazyWrite struct {
	index Value
	val   Value
}

// lazyElem says where the cells of the element number index are: at Off of object Cells.
type lazyElem struct {
	index int64
	cells ObjID
}

const pageSize = 32

type page struct {
	owner uint32
	objs  [pageSize]*Object
}

// heap holds the objects of a state, in pages that a state copies before it writes them if it does not
// own them.
type heap struct {
	pages    []*page
	n        int  // the number of objects so far
	live     int  // objects that are not freed; see gc.go
	cells    int  // the number of their cells when they were allocated
	shared   bool // another state has the same list of pages
	overlay  map[ObjID]*Object
	ovShared bool
}

// fork returns a copy of the heap that shares everything with it.
func (h *heap) fork() heap {
	h.shared, h.ovShared = true, true
	return *h
}

// alloc adds an object to the heap and returns its name. Object 0 is never used, because it is nil.
func (st *State) alloc(o *Object) ObjID {
	h := &st.heap
	if h.n == 0 {
		h.n = 1
	}
	id := h.n
	h.n++
	h.live++
	h.cells += len(o.cells)
	pi := id / pageSize
	st.ownPages()
	if pi == len(h.pages) {
		h.pages = append(h.pages, st.m.recycler.page(st.owner))
		st.mine = append(st.mine, int32(pi))
	}
	p := h.pages[pi]
	if p.owner != st.owner {
		p = st.ownPage(pi)
	}
	o.owner = st.owner
	p.objs[id%pageSize] = o
	return ObjID(id)
}

// ownPage makes a copy of a page for the state. The list of pages is the state's own already.
func (st *State) ownPage(i int) *page {
	p := st.m.recycler.copyOf(st.heap.pages[i], st.owner)
	st.heap.pages[i] = p
	st.mine = append(st.mine, int32(i))
	return p
}

// ownPages makes the list of pages the state's own.
func (st *State) ownPages() {
	if h := &st.heap; h.shared {
		list := st.spare
		if cap(list) == 0 {
			list = make([]*page, 0, len(h.pages)+4)
		}
		h.pages, st.spare = append(list[:0], h.pages...), nil
		h.shared = false
	}
}

// object returns the object named id for reading.
func (st *State) object(id ObjID) *Object {
	if id < imageRegion {
		return st.heap.pages[id/pageSize].objs[id%pageSize]
	}
	if id&staticRegion != 0 {
		return st.m.static[id&^staticRegion]
	}
	if st.heap.overlay != nil {
		if o := st.heap.overlay[id]; o != nil {
			return o
		}
	}
	return st.m.image[id&^imageRegion]
}

// mutable returns the object named id for writing in place.
func (st *State) mutable(id ObjID) *Object {
	if id < imageRegion {
		p := st.heap.pages[id/pageSize]
		o := p.objs[id%pageSize]
		if o.owner == st.owner && p.owner == st.owner {
			return o
		}
		st.ownPages()
		if p.owner != st.owner {
			p = st.ownPage(int(id / pageSize))
		}
		if o.owner != st.owner {
			if o.kind == objCells {
				c := st.m.recycler.cells(len(o.cells))
				cells := c.cells
				*c = *o
				c.cells, c.owner = cells, st.owner
				copy(cells, o.cells)
				o = c
			} else {
				o = o.clone(st.owner)
			}
			p.objs[id%pageSize] = o
		}
		return o
	}
	if id&staticRegion != 0 {
		panic("bug: vm: a write to a constant")
	}
	o := st.object(id)
	if o.owner == st.owner || st.init {
		return o
	}
	if st.heap.ovShared || st.heap.overlay == nil {
		ov := make(map[ObjID]*Object, len(st.heap.overlay)+1)
		for k, v := range st.heap.overlay {
			ov[k] = v
		}
		st.heap.overlay, st.heap.ovShared = ov, false
	}
	o = o.clone(st.owner)
	st.heap.overlay[id] = o
	return o
}

// clone copies an object for a new owner.
func (o *Object) clone(owner uint32) *Object {
	c := *o
	c.owner = owner
	if o.cells != nil {
		c.cells = append(make([]Value, 0, len(o.cells)), o.cells...)
	}
	if o.lazy != nil {
		l := *o.lazy
		l.log = l.log[:len(l.log):len(l.log)] // appending then copies the list
		c.lazy = &l
	}
	if o.m != nil {
		c.m = o.m.clone()
	}
	if o.ch != nil {
		ch := *o.ch
		ch.buf = append([][]Value(nil), o.ch.buf...)
		ch.recvq = append([]waiter(nil), o.ch.recvq...)
		ch.sendq = append([]waiter(nil), o.ch.sendq...)
		c.ch = &ch
	}
	return &c
}

// newObject allocates an object in the state, or in the image while a package
// initialiser runs.
func (st *State) newObject(o *Object) ObjID {
	if st.init {
		o.owner = st.owner
		st.m.imageCells += len(o.cells)
		st.m.image = append(st.m.image, o)
		return ObjID(len(st.m.image)-1) | imageRegion
	}
	return st.alloc(o)
}

// newCells allocates n zero cells.
func (st *State) newCells(n int, elem *Type) ObjID {
	if st.init {
		return st.newObject(&Object{cells: make([]Value, n), elem: elem})
	}
	o := st.m.recycler.cells(n)
	cells := o.cells
	clear(cells)
	*o = Object{cells: cells, elem: elem}
	return st.alloc(o)
}
