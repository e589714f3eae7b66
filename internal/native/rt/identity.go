package assayrt

import (
	"reflect"
	"unsafe"
)

// object is an object's identity. An address alone does not identify an object: a struct and its first field
// have the same address, and slices of one array differ in length. The pointer keeps the object alive, so
// that no other object gets its address while the case runs.
type object struct {
	p   unsafe.Pointer
	typ reflect.Type
	n   int
}

// identities numbers objects from 1 on in the order in which they are met. It has a hash table of its
// own, because most groups have a handful of objects, and a new map for each would cost more than the
// rest of a hash.
type identities struct {
	slots []identity // the number of slots is a power of two
	n     int
	group int // the current group; an object is written once in each group
}

// identity is an object's number, 0 in a free slot.
type identity struct {
	object
	id    int
	group int // the group in which the object occurred last
}

// The sizes of the table: the first one, and the largest one that is kept for the next case.
const (
	firstSlots = 16
	keptSlots  = 1 << 10
)

// reset forgets all objects, so that they can be collected.
func (t *identities) reset() {
	t.group++
	if t.n == 0 {
		return
	}
	if len(t.slots) > keptSlots {
		t.slots = nil
	}
	clear(t.slots)
	t.n = 0
}

// meet returns an object's number, and whether the group has it already.
func (t *identities) meet(o object) (id int, again bool) {
	if 4*t.n >= 3*len(t.slots) {
		t.grow()
	}
	s := t.find(o)
	if s.id == 0 {
		t.n++
		s.object, s.id = o, t.n
	} else {
		again = s.group == t.group
	}
	s.group = t.group
	return s.id, again
}

// find returns the slot of an object, or the free slot in which the object belongs.
func (t *identities) find(o object) *identity {
	mask := uintptr(len(t.slots) - 1)
	// Objects are aligned, so the lowest bits of an address have no information.
	i := (uintptr(o.p)>>3 ^ uintptr(o.p)>>11 ^ uintptr(o.n)) & mask
	for t.slots[i].id != 0 && t.slots[i].object != o {
		i = (i + 1) & mask
	}
	return &t.slots[i]
}

func (t *identities) grow() {
	old := t.slots
	t.slots = make([]identity, max(firstSlots, 2*len(old)))
	for _, s := range old {
		if s.id != 0 {
			*t.find(s.object) = s
		}
	}
}
