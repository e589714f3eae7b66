package vm

// Finished paths are most of what the machine allocates: a path that forks a hundred times leaves a hundred
// of them, and collecting them as garbage took half of the time of an exploration. So memory that only the
// finished state can reach is reused. The owner tag shows which memory this is: a fork gives both sides new
// tags, so memory with the state's tag was made or copied after its last fork.

// recycler holds reusable memory of finished states.
type recycler struct {
	states  []*State
	pages   []*page
	chunks  []*trailChunk
	objects [maxReused + 1][]*Object // of plain cells, by their number
}

// maxReused is how many cells an object may have to be kept for reuse.
const maxReused = 16

// discard takes a finished state apart. Nothing may use it afterwards.
func (m *Machine) discard(st *State) {
	st.pc.Release()
	st.trail.release(&m.recycler)
	for _, g := range st.gs {
		for f := g.top; f != nil && f.owner == st.owner && !f.escaped; {
			parent := f.parent
			m.recycle(st, f)
			if f = parent; f == nil {
				break
			}
			if f.refs--; f.refs == 0 {
				f.owner = st.owner
			}
		}
	}
	p := &m.recycler
	for _, i := range st.mine {
		pg := st.heap.pages[i]
		for k, o := range pg.objs {
			if o != nil && o.owner == st.owner && o.kind == objCells && o.input == 0 && len(o.cells) <= maxReused {
				p.objects[len(o.cells)] = append(p.objects[len(o.cells)], o)
			}
			pg.objs[k] = nil
		}
		pg.owner = 0
		p.pages = append(p.pages, pg)
	}
	pages := st.heap.pages
	if st.heap.shared {
		pages = st.spare
	}
	*st = State{gs: st.gs[:0], spare: pages[:0], mine: st.mine[:0], ret: st.ret[:0], list: st.list[:0]}
	p.states = append(p.states, st)
}

// leaveTo returns the caller of fr as the state's own frame, although other states share it or have shared
// it. It returns the frame itself if no other frame leads to it, and otherwise a copy. Reference counts
// decide this, because another state's owner tag only says that a frame was shared once. The counts may be
// too high, but never too low.
func (m *Machine) leaveTo(st *State, fr *Frame) *Frame {
	parent := fr.parent
	if fr.escaped || parent.escaped {
		return parent.clone(st.owner)
	}
	if parent.refs == 1 {
		parent.owner = st.owner
		return parent
	}
	parent.refs--
	return parent.clone(st.owner)
}

// state returns a state to be filled in, with slices that are reused.
func (p *recycler) state() *State {
	if n := len(p.states); n > 0 {
		st := p.states[n-1]
		p.states = p.states[:n-1]
		return st
	}
	return new(State)
}

// page returns an empty page.
func (p *recycler) page(owner uint32) *page {
	if n := len(p.pages); n > 0 {
		pg := p.pages[n-1]
		p.pages = p.pages[:n-1]
		pg.owner = owner
		return pg
	}
	return &page{owner: owner}
}

// copyOf returns a copy of a page.
func (p *recycler) copyOf(pg *page, owner uint32) *page {
	q := p.page(owner)
	q.objs = pg.objs
	return q
}

// cells returns an object of n cells with undefined content.
func (p *recycler) cells(n int) *Object {
	if n <= maxReused {
		if list := p.objects[n]; len(list) > 0 {
			o := list[len(list)-1]
			p.objects[n] = list[:len(list)-1]
			return o
		}
	}
	return &Object{cells: make([]Value, n)}
}
