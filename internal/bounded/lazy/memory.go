package lazy

// decide returns the value of a cell. If the value is undecided, ok is false, and m.alts has the
// alternatives.
func (m *machine) decide(x val) (b int64, ok bool) {
	if x.s != 0 {
		return m.concrete(x)
	}
	return x.b, true
}

// follow does the same as decide for a pointer that must not be nil.
func (m *machine) follow(x val) (p int64, ok bool) {
	p, ok = m.decide(x)
	if ok && p <= 0 {
		m.unsupported("a nil pointer is followed")
	}
	return p, ok
}

// alloc returns the address of n zero cells.
func (m *machine) alloc(n int32) int64 {
	a := len(m.mem)
	if a+int(n) > cap(m.mem) {
		grown := make([]val, a, 2*(a+int(n)))
		copy(grown, m.mem)
		m.mem = grown
	}
	m.mem = m.mem[:a+int(n)]
	clear(m.mem[a:])
	return int64(a)
}

// write writes a cell, and records the old value for backtracking.
func (m *machine) write(at int64, v val) {
	if at < m.fixed {
		if at <= 0 {
			m.unsupported("a nil pointer is followed")
		}
		m.unsupported("it writes to the structure")
	}
	if at < m.barrier {
		old := m.mem[at]
		m.trail = append(m.trail, undo{undoCell, at, uint64(old.b), old.s})
	}
	m.mem[at] = v
}

// indexAddr executes an opIndexAddr.
func (m *machine) indexAddr(in *instr, stack []val, get func(int32) val) bool {
	i, ok := m.decide(get(in.c))
	if !ok {
		return false
	}
	p := get(in.b).b // the array of a slice is known
	within := false
	if in.k >= 0 {
		if p, ok = m.decide(get(in.b)); !ok {
			return false
		}
		within = p > 0 && i < in.k
	} else if within, ok = m.compare(gt, get(in.b+1), val{b: i}); !ok {
		return false
	}
	if !within || i < 0 {
		m.unsupported("an index is out of range")
	}
	stack[in.a] = val{b: p + i*int64(in.n)}
	return true
}

// room returns the array and the capacity of a slice of n elements of size cells that has room for k more: it
// makes a new array if the present one at p is too short.
func (m *machine) room(p, n, c, k, size int64) (array, capacity int64) {
	if n+k <= c {
		return p, c
	}
	c = max(n+k, 2*c, 4)
	a := m.alloc(int32(c * size))
	copy(m.mem[a:], m.mem[p:p+n*size])
	return a, c
}
