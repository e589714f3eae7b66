package lazy

// A map in memory is a header (number of entries, room, address of the entries) and its entries in the order
// in which they were made, each a key and a value. Structures are small, so keys are searched one by one.
const (
	mapHeader = 3
	firstRoom = 8
)

// key decides the cells of a key and returns them.
func (m *machine) key(stack []val, o, n int32) ([]val, bool) {
	k := m.operand(stack, o, n)
	for i := range k {
		if k[i].s == 0 {
			continue
		}
		if _, ok := m.concrete(k[i]); !ok {
			return nil, false
		}
	}
	m.keys = m.keys[:0]
	for i := range k {
		v := k[i]
		if v.s != 0 {
			v.b, _ = m.concrete(v)
			v.s = 0
		}
		m.keys = append(m.keys, v)
	}
	return m.keys, true
}

// find returns the address of the entry of a key, or 0 if there is none.
func (m *machine) find(p int64, l *mapLayout, k []val) int64 {
	if p == 0 {
		return 0
	}
	n, at := m.mem[p].b, m.mem[p+2].b
	stride := int64(l.key + l.elem)
	for range n {
		if m.mem[at].b == k[0].b {
			same := true
			for i := 1; i < len(k); i++ {
				same = same && m.mem[at+int64(i)].b == k[i].b
			}
			if same {
				return at
			}
		}
		at += stride
	}
	return 0
}

// mapUpdate executes m[k] = v.
func (m *machine) mapUpdate(in *instr, stack []val, get func(int32) val) bool {
	l := in.x.(*mapLayout)
	k, ok := m.key(stack, in.b, l.key)
	if !ok {
		return false
	}
	p := get(in.a).b
	if p == 0 {
		m.unsupported("a write to a nil map")
	}
	at := m.find(p, l, k)
	if at == 0 {
		n, room := m.mem[p].b, m.mem[p+1].b
		stride := int64(l.key + l.elem)
		if n == room {
			room = max(2*room, firstRoom)
			data := m.alloc(int32(room * stride))
			if n > 0 {
				copy(m.mem[data:], m.mem[m.mem[p+2].b:m.mem[p+2].b+n*stride])
			}
			m.write(p+1, val{b: room})
			m.write(p+2, val{b: data})
		}
		at = m.mem[p+2].b + n*stride
		m.write(p, val{b: n + 1})
		for i, v := range k {
			m.write(at+int64(i), v)
		}
	}
	for i := range l.elem {
		m.write(at+int64(l.key+i), get(in.c+i))
	}
	return true
}

// lookup executes m[k]. An undecided key is decided only as far as the result depends on it: all objects that
// are keys with one value are alike, and so are all objects that are no keys.
func (m *machine) lookup(in *instr, stack []val, get func(int32) val) bool {
	l := in.x.(*mapLayout)
	p := get(in.b).b
	var at int64
	if k := get(in.c); l.key == 1 && k.s != 0 {
		var ok bool
		at, ok = m.split(k, func(cell int64) int64 {
			a := m.find(p, l, []val{{b: cell}})
			if a == 0 {
				return 0
			}
			// Entries with equal decided values are one outcome. The first of them represents it.
			first := m.mem[p+2].b
			for b := first; b < a; b += int64(l.key + l.elem) {
				if m.sameElem(a, b, l) {
					return b
				}
			}
			return a
		})
		if !ok {
			return false
		}
	} else {
		k, ok := m.key(stack, in.c, l.key)
		if !ok {
			return false
		}
		at = m.find(p, l, k)
	}
	dst := stack[in.a : in.a+l.elem]
	if at == 0 {
		clear(dst)
	} else {
		copy(dst, m.mem[at+int64(l.key):at+int64(l.key+l.elem)])
	}
	if in.k == 1 {
		stack[in.a+l.elem] = truth(at != 0)
	}
	return true
}

// sameElem reports whether two entries have the same values.
func (m *machine) sameElem(a, b int64, l *mapLayout) bool {
	for i := int64(l.key); i < int64(l.key+l.elem); i++ {
		if m.mem[a+i] != m.mem[b+i] {
			return false
		}
	}
	return true
}

// mapNext executes a step of a loop over a map: whether there is an entry, its key and
// its value.
func (m *machine) mapNext(in *instr, stack []val) {
	l := in.x.(*mapLayout)
	p, i := stack[in.b].b, stack[in.b+1].b
	if p == 0 || i >= m.mem[p].b {
		stack[in.a] = val{}
		return
	}
	stride := int64(l.key + l.elem)
	at := m.mem[p+2].b + i*stride
	stack[in.a] = val{b: 1}
	copy(stack[in.a+1:int64(in.a)+1+stride], m.mem[at:at+stride])
	stack[in.b+1].b++
}
