package lazy

// slice executes a slice expression.
func (m *machine) slice(in *instr, stack []val, get func(int32) val) bool {
	s := in.x.(*sliceArgs)
	p, ok := m.decide(get(in.b))
	if !ok {
		return false
	}
	length, capacity := s.array, s.array
	if s.array < 0 {
		if length, ok = m.decide(get(in.b + 1)); !ok {
			return false
		}
		if capacity, ok = m.decide(get(in.b + 2)); !ok {
			return false
		}
	}
	low, high, most := int64(0), length, capacity
	for _, x := range []struct {
		o  int32
		to *int64
	}{{s.low, &low}, {s.high, &high}, {s.max, &most}} {
		if x.o >= 0 {
			if *x.to, ok = m.decide(get(x.o)); !ok {
				return false
			}
		}
	}
	if low < 0 || high < low || most < high || most > capacity {
		m.unsupported("a slice's bounds are out of range")
	}
	stack[in.a], stack[in.a+1], stack[in.a+2] = val{b: p + low*int64(s.elem)}, val{b: high - low}, val{b: most - low}
	return true
}

// sliceFrom executes an opSliceFrom of a slice whose length is undecided.
func (m *machine) sliceFrom(in *instr, stack []val, get func(int32) val) bool {
	n, ok := m.decide(get(in.b + 1))
	if !ok {
		return false
	}
	c, ok := m.decide(get(in.b + 2))
	if !ok {
		return false
	}
	if n < in.k {
		m.unsupported("a slice's bounds are out of range")
	}
	stack[in.a], stack[in.a+1], stack[in.a+2] = val{b: get(in.b).b + in.k*int64(in.n)}, val{b: n - in.k}, val{b: c - in.k}
	return true
}

// append executes an append of slices.
func (m *machine) append(in *instr, stack []val, get func(int32) val) bool {
	var n [3]int64 // the length and capacity of the first slice, and the length of the second
	for i, o := range [...]int32{in.b + 1, in.b + 2, in.c + 1} {
		var ok bool
		if n[i], ok = m.decide(get(o)); !ok {
			return false
		}
	}
	size := int64(in.n)
	q := get(in.c).b
	p, c := m.room(get(in.b).b, n[0], n[1], n[2], size)
	for i := range n[2] * size {
		m.write(p+n[0]*size+i, m.mem[q+i])
	}
	stack[in.a], stack[in.a+1], stack[in.a+2] = val{b: p}, val{b: n[0] + n[2]}, val{b: c}
	return true
}
