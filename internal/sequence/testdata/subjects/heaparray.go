package subjects

// HeapArray is a priority queue in an array, the greatest first.
type HeapArray struct {
	elems []int
	n     int
}

// NewHeapArray returns an empty queue.
func NewHeapArray() *HeapArray { return &HeapArray{elems: make([]int, initialCapacity)} }

// Insert adds v.
func (h *HeapArray) Insert(v int) {
	if h.n == len(h.elems) {
		elems := make([]int, 2*len(h.elems))
		copy(elems, h.elems)
		h.elems = elems
	}
	i := h.n
	h.n++
	for i > 0 && h.elems[(i-1)/2] < v {
		h.elems[i] = h.elems[(i-1)/2]
		i = (i - 1) / 2
	}
	h.elems[i] = v
}

// ExtractMax takes the greatest element out; ok is false if there is none.
func (h *HeapArray) ExtractMax() (v int, ok bool) {
	if h.n == 0 {
		return 0, false
	}
	v = h.elems[0]
	h.n--
	last := h.elems[h.n]
	h.elems[h.n] = 0
	if h.n == 0 {
		return v, true
	}
	i := 0
	for 2*i+1 < h.n {
		child := 2*i + 1
		if child+1 < h.n && h.elems[child+1] > h.elems[child] {
			child++
		}
		if last >= h.elems[child] {
			break
		}
		h.elems[i] = h.elems[child]
		i = child
	}
	h.elems[i] = last
	return v, true
}
