package candidate

import (
	"fmt"
	"reflect"
	"unsafe"
)

// kind says how a value is stored.
type kind uint8

const (
	kPointer kind = iota + 1
	k8
	k16
	k32
	k64
	kString
	kInterface
	kLength // of a slice
)

func kindOf(t reflect.Type) (kind, error) {
	switch t.Kind() {
	case reflect.Pointer:
		return kPointer, nil
	case reflect.Interface:
		return kInterface, nil
	case reflect.String:
		return kString, nil
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return map[uintptr]kind{1: k8, 2: k16, 4: k32, 8: k64}[t.Size()], nil
	}
	return 0, fmt.Errorf("fields of type %s are not enumerated", t)
}

// value is a value of a domain, ready to be stored.
type value struct {
	class, index int32 // class -1 means that the value is no object
	bits         uint64
	ptr          unsafe.Pointer
	word         [2]unsafe.Pointer // of an interface
	str          string
}

// slot is a place of the candidate vector, in memory.
type slot struct {
	addr     unsafe.Pointer
	size     uintptr
	vals     []value
	cur      int32 // the index of its value in vals
	fixed    int32 // the index of the only value that it ever has, or -1
	kind     kind
	labelled bool

	// The fields for the length of a slice.
	data    unsafe.Pointer // its array
	elem    uintptr        // size of an element
	perElem int            // slots of an element
}

type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// set gives slot i its v-th value, in the memory and in its shadow.
func (s *Space) set(i int, v int32) {
	sl := &s.slots[i]
	sl.cur = v
	if i < len(s.Mirror) {
		s.Mirror[i] = uint16(v)
	}
	x := &sl.vals[v]
	twin := unsafe.Add(s.twin, uintptr(sl.addr)-uintptr(s.base))
	for _, p := range [2]unsafe.Pointer{sl.addr, twin} {
		switch sl.kind {
		case kPointer:
			*(*unsafe.Pointer)(p) = x.ptr
		case k8:
			*(*uint8)(p) = uint8(x.bits)
		case k16:
			*(*uint16)(p) = uint16(x.bits)
		case k32:
			*(*uint32)(p) = uint32(x.bits)
		case k64:
			*(*uint64)(p) = x.bits
		case kString:
			*(*string)(p) = x.str
		case kInterface:
			*(*[2]unsafe.Pointer)(p) = x.word
		case kLength:
			// The slice has no spare capacity, because an append must not write into the candidate.
			n := int(x.bits)
			*(*sliceHeader)(p) = sliceHeader{sl.data, n, n}
		}
	}
}

// changed reports whether the memory differs from the candidate.
func (s *Space) changed() bool {
	return string(unsafe.Slice((*byte)(s.base), s.size)) != string(unsafe.Slice((*byte)(s.twin), s.size))
}

// restore resets the memory to the candidate.
func (s *Space) restore() { s.mem.Elem().Set(s.shadow.Elem()) }

// Root returns the root object.
func (s *Space) Root() unsafe.Pointer { return s.root }

// Vector appends the index of each slot's value.
func (s *Space) Vector(buf []int32) []int32 {
	for i := range s.slots {
		buf = append(buf, s.slots[i].cur)
	}
	return buf
}
