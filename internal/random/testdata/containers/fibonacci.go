// Package heaps is a subject of the engine's measurements: the Fibonacci heap of the
// Randoop paper's evaluation, written from its description (Fredman and Tarjan, 1987).
package heaps

// FibonacciHeap is a priority queue of numbers, the least first.
type FibonacciHeap struct {
	min  *Node
	size int
}

// Node is an element of a heap.
type Node struct {
	key           int
	degree        int
	marked        bool
	parent, child *Node
	prev, next    *Node
}

// NewFibonacciHeap returns an empty heap.
func NewFibonacciHeap() *FibonacciHeap { return &FibonacciHeap{} }

// Len returns the number of elements.
func (h *FibonacciHeap) Len() int { return h.size }

// Min returns the least number, false if the heap is empty.
func (h *FibonacciHeap) Min() (int, bool) {
	if h.min == nil {
		return 0, false
	}
	return h.min.key, true
}

// Insert adds a number.
func (h *FibonacciHeap) Insert(key int) *Node {
	n := &Node{key: key}
	n.prev, n.next = n, n
	h.addRoot(n)
	h.size++
	return n
}

// addRoot puts a ring of one node among the roots.
func (h *FibonacciHeap) addRoot(n *Node) {
	n.parent = nil
	if h.min == nil {
		n.prev, n.next = n, n
		h.min = n
		return
	}
	n.prev, n.next = h.min, h.min.next
	n.next.prev = n
	h.min.next = n
	if n.key < h.min.key {
		h.min = n
	}
}

// Merge takes all elements of another heap, which is empty then.
func (h *FibonacciHeap) Merge(other *FibonacciHeap) {
	if other == nil || other == h || other.min == nil {
		return
	}
	if h.min == nil {
		h.min = other.min
	} else {
		a, b := h.min.next, other.min.prev
		h.min.next, other.min.prev = other.min, h.min
		a.prev, b.next = b, a
		if other.min.key < h.min.key {
			h.min = other.min
		}
	}
	h.size += other.size
	other.min, other.size = nil, 0
}

// RemoveMin takes the least number out, false if the heap is empty.
func (h *FibonacciHeap) RemoveMin() (int, bool) {
	z := h.min
	if z == nil {
		return 0, false
	}
	for c := z.child; z.degree > 0; z.degree-- {
		next := c.next
		h.addRoot(c)
		c = next
	}
	z.child = nil
	z.prev.next, z.next.prev = z.next, z.prev
	h.size--
	if z.next == z {
		h.min = nil
		return z.key, true
	}
	h.min = z.next
	h.consolidate()
	return z.key, true
}

// consolidate links roots until all have different degrees.
func (h *FibonacciHeap) consolidate() {
	var roots []*Node
	for n := h.min; ; {
		roots = append(roots, n)
		if n = n.next; n == h.min {
			break
		}
	}
	var byDegree [64]*Node
	for _, x := range roots {
		for byDegree[x.degree] != nil {
			y := byDegree[x.degree]
			byDegree[x.degree] = nil
			if y.key < x.key {
				x, y = y, x
			}
			x.adopt(y)
		}
		byDegree[x.degree] = x
	}
	h.min = nil
	for _, x := range byDegree {
		if x != nil {
			h.addRoot(x)
		}
	}
}

// adopt makes y a child of x.
func (x *Node) adopt(y *Node) {
	y.parent = x
	y.marked = false
	if x.child == nil {
		y.prev, y.next = y, y
		x.child = y
	} else {
		y.prev, y.next = x.child, x.child.next
		y.next.prev = y
		x.child.next = y
	}
	x.degree++
}

// Decrease gives an element of the heap a smaller number, and reports whether it was
// one.
func (h *FibonacciHeap) Decrease(n *Node, key int) bool {
	if n == nil || h.min == nil || key > n.key {
		return false
	}
	n.key = key
	if p := n.parent; p != nil && n.key < p.key {
		h.cut(n, p)
		h.cascade(p)
	}
	if n.key < h.min.key {
		h.min = n
	}
	return true
}

// cut moves a child to the roots.
func (h *FibonacciHeap) cut(n, p *Node) {
	p.degree--
	if p.child == n {
		p.child = n.next
	}
	if p.degree == 0 {
		p.child = nil
	}
	n.prev.next, n.next.prev = n.next, n.prev
	n.marked = false
	h.addRoot(n)
}

// cascade cuts what has lost a second child.
func (h *FibonacciHeap) cascade(n *Node) {
	for p := n.parent; p != nil; n, p = p, p.parent {
		if !n.marked {
			n.marked = true
			return
		}
		h.cut(n, p)
	}
}
