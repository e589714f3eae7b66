package candidate

import (
	"cmp"
	"iter"
	"reflect"
	"slices"
	"unsafe"
)

// recorder notes the slots of a candidate that the predicate reads, in the order of the first reads.
type recorder struct {
	base  uintptr
	size  uintptr // 0 while nothing is recorded
	full  uintptr
	epoch uint32
	stamp []uint32 // for each slot: the epoch of its last read
	at    []int32  // for each byte of the memory: the slot that begins there, plus one
	in    []int32  // for each byte: the slot with the length of the array around it, plus one
	slots []slot
	list  []int32 // slots in the order of first reads

	left   int    // how many ticks the predicate may still use
	impure string // the function through which the predicate looked at something outside the candidate
}

// rec is the recorder of the running search.
var rec recorder

// hang is the panic that ends a predicate which would not end otherwise.
type hang struct{}

// Hung reports whether a panic ended a function that would not have ended otherwise.
func Hung(v any) bool {
	_, ok := v.(hang)
	return ok
}

// MaxTicks is how many loop iterations and calls a predicate may use on one candidate.
// That many nested calls must fit the stack that the harness allows.
const MaxTicks = 1 << 17

// attach makes the recorder ready for a space.
func (r *recorder) attach(s *Space) {
	*r = recorder{
		base: uintptr(s.base), full: s.size, slots: s.slots, stamp: make([]uint32, len(s.slots)),
		at: make([]int32, s.size), in: make([]int32, s.size), left: MaxTicks,
	}
	for i := range s.slots {
		sl := &s.slots[i]
		if sl.fixed < 0 {
			r.at[uintptr(sl.addr)-r.base] = int32(i) + 1
		}
		if sl.kind == kLength {
			begin := uintptr(sl.data) - r.base
			n := uintptr(0)
			for _, v := range sl.vals {
				n = max(n, uintptr(v.bits))
			}
			for b := begin; b <= begin+n*sl.elem && b < s.size; b++ {
				r.in[b] = int32(i) + 1
			}
		}
	}
}

func (r *recorder) begin() {
	r.epoch++
	r.list = r.list[:0]
	r.left = MaxTicks
	r.size = r.full
}

// end stops recording, because the code that runs from now on is not the predicate.
func (r *recorder) end() {
	r.size = 0
	r.left = MaxTicks
}

func (r *recorder) note(slot int32) {
	if r.stamp[slot] != r.epoch {
		r.stamp[slot] = r.epoch
		r.list = append(r.list, slot)
	}
}

// noteAll notes all slots in n bytes from an offset.
func (r *recorder) noteAll(off, n uintptr) {
	for o := off; o < off+n && o < r.size; o++ {
		if s := r.at[o]; s > 0 {
			r.note(s - 1)
		}
	}
}

// Read notes that the variable behind p is read, and returns p.
func Read[T any](p *T) *T {
	if off := uintptr(unsafe.Pointer(p)) - rec.base; off < rec.size {
		if s := rec.at[off]; s > 0 && rec.slots[s-1].size == unsafe.Sizeof(*p) {
			rec.note(s - 1)
		} else {
			rec.noteAll(off, unsafe.Sizeof(*p))
		}
	}
	return p
}

// Index notes that the length of s and then element i are read, and returns the element's address. The length is read
// wherever code does not end by itself without it: the index is compared with it. If it were noted only where s
// has no such element, the same predicate would read other fields in the next candidate, which has one.
func Index[S ~[]T, T any, I interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}](s S, i I) *T {
	Len(s)
	p := &s[i]
	if rec.size > 0 {
		if off := uintptr(unsafe.Pointer(p)) - rec.base; off < rec.size {
			rec.noteAll(off, max(unsafe.Sizeof(*p), 1))
		}
	}
	return p
}

// Len notes that the length of s is read, and returns s.
func Len[S ~[]T, T any](s S) S {
	if off := uintptr(unsafe.Pointer(unsafe.SliceData(s))) - rec.base; off < rec.size && rec.in[off] > 0 {
		rec.note(rec.in[off] - 1)
	}
	return s
}

// All notes that the length and all elements of s are read, and returns s.
func All[S ~[]T, T any](s S) S {
	Len(s)
	for i := range s {
		Read(&s[i])
	}
	return s
}

// Range iterates over s as a range clause does. It notes that the length is read first, and each element when
// its turn comes.
func Range[S ~[]T, T any](s S) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		Len(s)
		for i := range s {
			if !yield(i, *Read(&s[i])) {
				return
			}
		}
	}
}

// Map iterates over m in an order that is always the same, if its keys have an order. Otherwise the
// predicate's reads would depend on chance.
func Map[M ~map[K]V, K comparable, V any](m M) iter.Seq2[K, V] {
	if rec.size == 0 {
		return func(yield func(K, V) bool) {
			for k, v := range m {
				if !yield(k, v) {
					return
				}
			}
		}
	}
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortStableFunc(keys, order[K])
	return func(yield func(K, V) bool) {
		for _, k := range keys {
			if v, ok := m[k]; ok && !yield(k, v) {
				return
			}
		}
	}
}

// order compares keys: strings and numbers by value, pointers by address, which within
// the candidate is the order of the objects. Keys of other types stay in the order of the map.
func order[K comparable](a, b K) int {
	if reflect.TypeFor[K]().Kind() == reflect.String {
		return cmp.Compare(*(*string)(unsafe.Pointer(&a)), *(*string)(unsafe.Pointer(&b)))
	}
	switch unsafe.Sizeof(a) {
	case 1:
		return cmp.Compare(*(*uint8)(unsafe.Pointer(&a)), *(*uint8)(unsafe.Pointer(&b)))
	case 2:
		return cmp.Compare(*(*uint16)(unsafe.Pointer(&a)), *(*uint16)(unsafe.Pointer(&b)))
	case 4:
		return cmp.Compare(*(*uint32)(unsafe.Pointer(&a)), *(*uint32)(unsafe.Pointer(&b)))
	case 8:
		return cmp.Compare(*(*uint64)(unsafe.Pointer(&a)), *(*uint64)(unsafe.Pointer(&b)))
	}
	return 0
}

// Tick counts a loop iteration or call.
func Tick() {
	rec.left--
	if rec.left < 0 && rec.full > 0 {
		rec.left = MaxTicks // deferred calls may use ticks again
		panic(hang{})
	}
}

// Impure notes that the predicate calls f, which looks at something outside the candidate, and returns
// f.
func Impure[F any](f F, what string) F {
	if rec.size > 0 && rec.impure == "" {
		rec.impure = what
	}
	return f
}

// Escape notes that v is passed to code whose reads are not observed, so that everything that it
// reaches may be read: v's own memory, and the contents of objects and slices.
func Escape[T any](v T) T {
	if rec.size > 0 {
		rec.escape(v)
	}
	return v
}
