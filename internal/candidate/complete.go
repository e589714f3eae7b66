package candidate

import "unsafe"

// unread appends the slots that are reached from the root and not in the list. If a candidate is valid, it
// stays valid with any values in these slots.
func (s *Space) unread(list []int32) []int32 {
	s.visit(func(i int32) {
		if rec.stamp[i] != rec.epoch {
			rec.stamp[i] = rec.epoch
			list = append(list, i)
		}
	})
	return list
}

// altered appends the slots that are reached from the root, not in the list, and have something else in memory than the candidate.
func (s *Space) altered(list []int32) []int32 {
	s.visit(func(i int32) {
		sl := &s.slots[i]
		twin := unsafe.Add(s.twin, uintptr(sl.addr)-uintptr(s.base))
		if rec.stamp[i] != rec.epoch && string(unsafe.Slice((*byte)(sl.addr), sl.size)) != string(unsafe.Slice((*byte)(twin), sl.size)) {
			rec.stamp[i] = rec.epoch
			list = append(list, i)
		}
	})
	return list
}

// visit calls f for each slot that is reached from the root, in the order of the walk.
func (s *Space) visit(f func(i int32)) {
	clear(s.reached)
	s.object(0, 0, f)
}

func (s *Space) object(class, obj int, f func(i int32)) {
	if n := s.bases[class] + obj; s.reached[n] {
		return
	} else {
		s.reached[n] = true
	}
	for _, i := range s.own[class][obj] {
		s.visitSlot(i, f)
		if sl := &s.slots[i]; sl.kind == kLength {
			for e := range int32(sl.vals[sl.cur].bits) * int32(sl.perElem) {
				s.visitSlot(i+1+e, f)
			}
		}
	}
}

func (s *Space) visitSlot(i int32, f func(i int32)) {
	if s.slots[i].fixed < 0 {
		f(i)
	}
	if v := &s.slots[i].vals[s.slots[i].cur]; v.class >= 0 {
		s.object(int(v.class), int(v.index), f)
	}
}

// Reached returns how many objects are reached from the root.
func (s *Space) Reached() int {
	s.visit(func(int32) {})
	n := 0
	for _, r := range s.reached {
		if r {
			n++
		}
	}
	return n
}
