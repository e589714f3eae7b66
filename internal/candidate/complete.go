package candidate

// unread appends the slots that are reached from the root and not in the list: of a
// valid candidate all their values make valid candidates.
func (s *Space) unread(list []int32) []int32 {
	seen := make([]bool, 0, 64)
	mark := func(i int) bool {
		for i >= len(seen) {
			seen = append(seen, false)
		}
		was := seen[i]
		seen[i] = true
		return was
	}
	base := make([]int, len(s.first)+1)
	for c := range s.first {
		base[c+1] = base[c] + len(s.first[c])
	}
	epoch := rec.epoch
	stamp := rec.stamp
	var visit func(class, obj int)
	slot := func(i int32) {
		if stamp[i] != epoch {
			stamp[i] = epoch
			list = append(list, i)
		}
		if v := &s.slots[i].vals[s.slots[i].cur]; v.class >= 0 {
			visit(int(v.class), int(v.index))
		}
	}
	visit = func(class, obj int) {
		if mark(base[class] + obj) {
			return
		}
		for _, i := range s.own[class][obj] {
			slot(i)
			if sl := &s.slots[i]; sl.kind == kLength {
				n := int(sl.vals[sl.cur].bits) * sl.perElem
				for e := range n {
					slot(i + 1 + int32(e))
				}
			}
		}
	}
	visit(0, 0)
	return list
}
