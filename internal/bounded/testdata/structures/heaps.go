package structures

import "github.com/goassay/assay/finite"

// HeapArray is a heap in an array; -1 is no element.
type HeapArray struct {
	size  int
	array []int
}

// RepOK reports whether the first size numbers are a heap and the others none.
func (h *HeapArray) RepOK() bool {
	if h.array == nil || h.size < 0 || h.size > len(h.array) {
		return false
	}
	for i := 0; i < h.size; i++ {
		x := h.array[i]
		if x == -1 {
			return false
		}
		if i > 0 && x > h.array[(i-1)/2] {
			return false
		}
	}
	for i := h.size; i < len(h.array); i++ {
		if h.array[i] != -1 {
			return false
		}
	}
	return true
}

func finHeapArray(n int) *finite.Finitization {
	f := finite.New(HeapArray{})
	f.Set("size", finite.Ints(0, n))
	f.Set("array", finite.Ints(0, n))
	f.Set("array[]", finite.Ints(-1, n))
	return f
}

// BinomialHeap is a list of binomial trees.
type BinomialHeap struct {
	nodes *BinomialNode
	size  int
}

// BinomialNode is a node of a BinomialHeap.
type BinomialNode struct {
	key, degree            int
	parent, sibling, child *BinomialNode
}

// RepOK reports whether the trees are binomial, of degrees as the size has bits, and
// heaps.
func (h *BinomialHeap) RepOK() bool {
	if h.size == 0 {
		return h.nodes == nil
	}
	if h.nodes == nil {
		return false
	}
	visited := map[*BinomialNode]bool{}
	for n := h.nodes; n != nil; n = n.sibling {
		if visited[n] {
			return false
		}
		visited[n] = true
		if !n.tree(visited, nil) {
			return false
		}
	}
	if len(visited) != h.size || !h.degrees() {
		return false
	}
	for n := h.nodes; n != nil; n = n.sibling {
		if !n.heap() {
			return false
		}
	}
	return true
}

func (n *BinomialNode) tree(visited map[*BinomialNode]bool, parent *BinomialNode) bool {
	if n.parent != parent {
		return false
	}
	for c := n.child; c != nil; c = c.sibling {
		if visited[c] {
			return false
		}
		visited[c] = true
		if !c.tree(visited, n) {
			return false
		}
	}
	return true
}

func (h *BinomialHeap) degrees() bool {
	bits, right := h.size, 0
	for n := h.nodes; n != nil; n = n.sibling {
		if bits == 0 {
			return false
		}
		for bits&1 == 0 {
			right++
			bits /= 2
		}
		if n.degree != right || !n.binomial(right) {
			return false
		}
		right++
		bits /= 2
	}
	return bits == 0
}

func (n *BinomialNode) binomial(degree int) bool {
	for c := n.child; c != nil; c = c.sibling {
		degree--
		if c.degree != degree || !c.binomial(degree) {
			return false
		}
	}
	return degree == 0
}

func (n *BinomialNode) heap() bool {
	for c := n.child; c != nil; c = c.sibling {
		if !(n.key <= c.key) || !c.heap() {
			return false
		}
	}
	return true
}

func finBinomialHeap(n int) *finite.Finitization {
	f := finite.New(BinomialHeap{})
	nodes := f.Objects(BinomialNode{}, n)
	f.Set("size", finite.Ints(0, n))
	f.Set("nodes", finite.Nil, nodes)
	for _, field := range []string{"parent", "sibling", "child"} {
		nodes.Set(field, finite.Nil, nodes)
	}
	nodes.Set("key", finite.Ints(1, n))
	nodes.Set("degree", finite.Ints(0, n))
	return f
}

// FibonacciHeap is a ring of trees of rings.
type FibonacciHeap struct {
	nodes, min *FibonacciNode
	size       int
}

// FibonacciNode is a node of a FibonacciHeap.
type FibonacciNode struct {
	key, degree                int
	parent, child, left, right *FibonacciNode
}

// RepOK reports whether the rings are closed, the degrees and the size are true, and it
// is a heap.
func (h *FibonacciHeap) RepOK() bool {
	if h.nodes == nil || h.min == nil {
		return h.nodes == nil && h.min == nil && h.size == 0
	}
	visited := map[*FibonacciNode]bool{}
	if !h.nodes.structural(visited, nil) || !h.nodes.contains(h.min) {
		return false
	}
	if len(visited) != h.size || !h.nodes.degrees() {
		return false
	}
	for n := h.nodes; ; {
		if !n.heap() {
			return false
		}
		if n = n.right; n == h.nodes {
			break
		}
	}
	return h.lowest() == h.min.key
}

// lowest is the least key of the roots.
func (h *FibonacciHeap) lowest() int {
	key := h.nodes.key
	for n := h.nodes; ; {
		if n.key < key {
			key = n.key
		}
		if n = n.right; n == h.nodes {
			return key
		}
	}
}

func (n *FibonacciNode) structural(visited map[*FibonacciNode]bool, parent *FibonacciNode) bool {
	for e := n; ; {
		if e.parent != parent || visited[e] {
			return false
		}
		visited[e] = true
		if e.child != nil && !e.child.structural(visited, e) {
			return false
		}
		if e.right == nil || e.right.left != e {
			return false
		}
		if e = e.right; e == n {
			return true
		}
	}
}

func (n *FibonacciNode) contains(x *FibonacciNode) bool {
	for e := n; ; {
		if e == x {
			return true
		}
		if e = e.right; e == n {
			return false
		}
	}
}

func (n *FibonacciNode) children() int {
	if n.child == nil {
		return 0
	}
	count := 1
	for e := n.child.right; e != n.child; e = e.right {
		count++
	}
	return count
}

func (n *FibonacciNode) degrees() bool {
	for e := n; ; {
		if e.children() != e.degree || e.child != nil && !e.child.degrees() {
			return false
		}
		if e = e.right; e == n {
			return true
		}
	}
}

func (n *FibonacciNode) heap() bool {
	key := n.key
	if n.child == nil {
		return true
	}
	for e := n.child; ; {
		if e.key < key || !e.heap() {
			return false
		}
		if e = e.right; e == n.child {
			return true
		}
	}
}

func finFibonacciHeap(n int) *finite.Finitization {
	f := finite.New(FibonacciHeap{})
	nodes := f.Objects(FibonacciNode{}, n)
	f.Set("size", finite.Ints(0, n))
	f.Set("nodes", finite.Nil, nodes)
	f.Set("min", finite.Nil, nodes)
	for _, field := range []string{"parent", "right", "left", "child"} {
		nodes.Set(field, finite.Nil, nodes)
	}
	nodes.Set("key", finite.Ints(0, n-1))
	nodes.Set("degree", finite.Ints(0, n-1))
	return f
}
