package vm

// collectCells is after how many allocated cells the garbage of a program is collected.
const collectCells = 1 << 23

// collect frees the objects of a state that nothing refers to. It is for whole programs (RunMain), which run
// long and on one path. Cells do not say whether they hold an address, so any cell that could be an address
// is taken for one. The tables of lazy inputs are not searched. It may only be called between two
// instructions.
func (m *Machine) collect(st *State) {
	c := &collector{st: st, marked: make([]uint64, st.heap.n/64+1)}
	for _, g := range st.gs {
		for f := g.top; f != nil; f = f.parent {
			c.values(f.regs)
			for d := f.defers; d != nil; d = d.next {
				c.values(d.args)
				c.values(d.call.free)
			}
		}
		for _, p := range g.panics {
			c.values(p.value[:])
		}
		if g.wake != nil {
			c.values(g.wake.val)
		}
		c.value(g.sema)
	}
	for _, vs := range append(st.results[:len(st.results):len(st.results)], st.args...) {
		c.values(vs)
	}
	for _, s := range st.sides {
		c.value(Value{Bits: s.of})
		c.value(ptr(s.obj, 0))
	}
	for _, o := range m.image {
		c.object(o)
	}
	for _, o := range st.heap.overlay {
		c.object(o)
	}
	for len(c.work) > 0 {
		id := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		c.object(st.object(id))
	}
	st.heap.sweep(st.owner, c.marked)
}

// collector marks the objects that can be reached.
type collector struct {
	st     *State
	marked []uint64
	work   []ObjID
}

func (c *collector) value(v Value) {
	id := v.obj()
	if id == 0 || id >= imageRegion || int(id) >= c.st.heap.n {
		return
	}
	if c.marked[id/64]>>(id%64)&1 == 0 && c.st.heap.pages[id/pageSize].objs[id%pageSize] != nil {
		c.marked[id/64] |= 1 << (id % 64)
		c.work = append(c.work, id)
	}
}

func (c *collector) values(vs []Value) {
	for i := range vs {
		c.value(vs[i])
	}
}

func (c *collector) object(o *Object) {
	if o == nil {
		return
	}
	c.values(o.cells)
	if l := o.lazy; l != nil {
		for _, p := range l.parts {
			c.value(p.ptr)
		}
		for _, w := range l.log {
			c.value(w.val)
		}
		for _, e := range l.elems {
			c.value(ptr(e.cells, 0))
		}
	}
	if o.m != nil {
		for _, e := range o.m.entries {
			if !e.dead {
				c.values(e.key)
				c.values(e.val)
			}
		}
	}
	if o.ch != nil {
		for _, b := range o.ch.buf {
			c.values(b)
		}
		for _, w := range o.ch.sendq {
			c.values(w.val)
		}
	}
}

// sweep removes the objects that are not marked. Their names are not used again.
func (h *heap) sweep(owner uint32, marked []uint64) {
	h.pages = append([]*page(nil), h.pages...)
	h.shared = false
	h.cells, h.live = 0, 0
	empty := &page{}
	for pi, p := range h.pages {
		q := page{owner: owner}
		n := 0
		for k, o := range p.objs {
			id := pi*pageSize + k
			if o != nil && marked[id/64]>>(id%64)&1 != 0 {
				q.objs[k] = o
				h.cells += len(o.cells)
				if o.m != nil {
					h.cells += o.m.cells()
				}
				n++
			}
		}
		h.live += n
		if n == 0 && pi < len(h.pages)-1 {
			h.pages[pi] = empty
		} else {
			h.pages[pi] = &q
		}
	}
}
