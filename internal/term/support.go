package term

// supports interns support sets: the sorted lists of the leaves that a term depends on. Terms share these
// sets, so a set is represented by a number. The number 1 is the empty set.
type supports struct {
	sets  [][]ID
	index map[uint64]uint32    // by hash; on a collision the next hash is tried
	union map[[2]uint32]uint32 // of two sets, the smaller number first
	buf   []ID
}

func (p *supports) start() {
	p.sets = [][]ID{nil, {}}
	p.index = map[uint64]uint32{}
	p.union = map[[2]uint32]uint32{}
}

func (p *supports) intern(set []ID) uint32 {
	if len(set) == 0 {
		return 1
	}
	h := uint64(len(set))
	for _, t := range set {
		h = (h ^ uint64(t)) * 0x9E3779B97F4A7C15
		h ^= h >> 31
	}
	for ; ; h++ {
		i, ok := p.index[h]
		if !ok {
			break
		}
		if equalIDs(p.sets[i], set) {
			return i
		}
	}
	p.sets = append(p.sets, append([]ID(nil), set...))
	p.index[h] = uint32(len(p.sets) - 1)
	return p.index[h]
}

func equalIDs(a, b []ID) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (p *supports) unite(a, b uint32) uint32 {
	switch {
	case a == b, b == 1:
		return a
	case a == 1:
		return b
	case a > b:
		a, b = b, a
	}
	if u, ok := p.union[[2]uint32{a, b}]; ok {
		return u
	}
	x, y, out := p.sets[a], p.sets[b], p.buf[:0]
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] < y[0]:
			out, x = append(out, x[0]), x[1:]
		case x[0] > y[0]:
			out, y = append(out, y[0]), y[1:]
		default:
			out, x, y = append(out, x[0]), x[1:], y[1:]
		}
	}
	out = append(append(out, x...), y...)
	p.buf = out
	u := p.intern(out)
	p.union[[2]uint32{a, b}] = u
	return u
}

// initSupport sets the support of a new node if that costs nothing. Other supports are computed on request,
// because most are never needed.
func (s *Store) initSupport(t ID, n *node) {
	switch n.op {
	case OpConst:
		n.sup = 1
	case OpVar, OpElem, OpArray:
		s.addLeaf(t, n)
		n.sup = s.sup.intern([]ID{t})
	case OpRead:
	case OpLookup:
		n.sup = s.at(ID(n.b)).sup
	default:
		u := s.at(ID(n.a)).sup
		for i := 1; i < n.op.arity(); i++ {
			v := s.at(n.arg(i)).sup
			switch {
			case u == 0 || v == 0 || u != v && u != 1 && v != 1:
				return
			case u == 1:
				u = v
			}
		}
		n.sup = u
	}
}

// SupportID returns a number that is equal for terms with equal supports. It is 1 for constants.
func (s *Store) SupportID(t ID) uint32 {
	if u := s.at(t).sup; u != 0 {
		return u
	}
	stack := []ID{t}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		n := s.at(t)
		if n.sup != 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		u, ready := uint32(1), true
		for i := range n.op.arity() {
			a := n.arg(i)
			v := s.at(a).sup
			if v == 0 {
				stack = append(stack, a)
				ready = false
			} else if ready {
				u = s.sup.unite(u, v)
			}
		}
		if !ready {
			continue
		}
		if n.op == OpRead {
			u = s.sup.unite(u, s.at(s.arrays[n.a].leaf).sup)
		}
		n.sup = u
		stack = stack[:len(stack)-1]
	}
	return s.at(t).sup
}

// Support returns the leaves that t depends on, in the order of their IDs; the caller must not change it. If
// an array is read at an index that is not constant, the result has the array's OpArray term, which stands
// for all elements.
func (s *Store) Support(t ID) []ID { return s.sup.sets[s.SupportID(t)] }

// Vars yields the leaves that t depends on; see Support.
func (s *Store) Vars(t ID, yield func(leaf ID)) {
	for _, l := range s.Support(t) {
		yield(l)
	}
}
