package subjects

// What holds of the subjects after each call. These are functions, not methods RepOK: the
// exploration's figures are those of the subjects alone.

func okUBStack(s *UBStack) bool {
	if s.n > len(s.elems) {
		return false
	}
	for i := 0; i < s.n; i++ {
		for j := 0; j < i; j++ {
			if s.elems[i] == s.elems[j] {
				return false
			}
		}
	}
	return true
}

func okIntStack(s *IntStack) bool {
	return s.n >= 0 && s.n <= len(s.store) && (len(s.store) == initialCapacity || s.n >= len(s.store)/2-1)
}

func okBinarySearchTree(t *BinarySearchTree) bool {
	size, ok := t.root.between(nil, nil)
	return ok && size == t.size
}

// between counts the nodes of a subtree, whose values are above lo and below hi.
func (n *leafy) between(lo, hi *int) (size int, ok bool) {
	if n == nil {
		return 0, true
	}
	if lo != nil && n.value <= *lo || hi != nil && n.value >= *hi {
		return 0, false
	}
	l, okl := n.left.between(lo, &n.value)
	r, okr := n.right.between(&n.value, hi)
	return l + r + 1, okl && okr
}

func okBinomialHeap(h *BinomialHeap) bool {
	size, degree := 0, -1
	for t := h.roots; t != nil; t = t.sibling {
		n, ok := t.binomial(nil)
		if !ok || t.degree <= degree {
			return false
		}
		size, degree = size+n, t.degree
	}
	return size == h.size
}

// binomial counts the nodes of a tree: children by falling degree, none below its parent.
func (t *tree) binomial(parent *tree) (size int, ok bool) {
	if t.parent != parent || parent != nil && t.key < parent.key || t.degree < 0 {
		return 0, false
	}
	size = 1
	degree := t.degree
	for c := t.child; c != nil; c = c.sibling {
		degree--
		n, ok := c.binomial(t)
		if !ok || c.degree != degree {
			return 0, false
		}
		size += n
	}
	return size, degree == 0
}

func okLinkedList(l *LinkedList) bool {
	n := 0
	for e := l.header; ; e = e.next {
		if e.next == nil || e.next.prev != e || n > l.size {
			return false
		}
		if e.next == l.header {
			return n == l.size
		}
		n++
	}
}

func okTreeMap(t *TreeMap) bool {
	if t.root == nil {
		return t.size == 0
	}
	size, _, ok := t.root.redBlack(nil, nil, nil)
	return ok && t.root.black && size == t.size
}

// redBlack counts the entries of a subtree and the black ones on each way down.
func (e *entry) redBlack(parent *entry, lo, hi *int) (size, height int, ok bool) {
	if e == nil {
		return 0, 0, true
	}
	if e.parent != parent || lo != nil && e.key <= *lo || hi != nil && e.key >= *hi || !e.black && !isBlack(parent) {
		return 0, 0, false
	}
	l, hl, okl := e.left.redBlack(e, lo, &e.key)
	r, hr, okr := e.right.redBlack(e, &e.key, hi)
	if e.black {
		height = 1
	}
	return l + r + 1, hl + height, okl && okr && hl == hr
}

func okHeapArray(h *HeapArray) bool {
	if h.n < 0 || h.n > len(h.elems) {
		return false
	}
	for i := 1; i < h.n; i++ {
		if h.elems[(i-1)/2] < h.elems[i] {
			return false
		}
	}
	return true
}
