package subjects

// BinomialHeap is a priority queue of positive numbers, the least first: a list of
// binomial trees by degree (Vuillemin, 1978).
type BinomialHeap struct {
	roots *tree
	size  int
}

type tree struct {
	key                    int
	degree                 int
	parent, child, sibling *tree
}

// NewBinomialHeap returns an empty heap.
func NewBinomialHeap() *BinomialHeap { return &BinomialHeap{} }

// Insert adds v; numbers that are not positive are ignored.
func (h *BinomialHeap) Insert(v int) {
	if v <= 0 {
		return
	}
	t := &tree{key: v}
	if h.roots == nil {
		h.roots = t
		h.size = 1
		return
	}
	h.union(t)
	h.size++
}

// ExtractMin takes the least number out; it is -1 if there is none.
func (h *BinomialHeap) ExtractMin() int {
	if h.roots == nil {
		return -1
	}
	var before *tree
	t, least := h.roots, h.roots.least()
	for t.key != least.key {
		before, t = t, t.sibling
	}
	if before == nil {
		h.roots = t.sibling
	} else {
		before.sibling = t.sibling
	}
	orphans := t.child
	for o := orphans; o != nil; o = o.sibling {
		o.parent = nil
	}
	h.size--
	if orphans != nil {
		orphans = orphans.reversed(nil)
		if h.roots == nil {
			h.roots = orphans
		} else {
			h.union(orphans)
		}
	}
	return least.key
}

// Delete takes v out, if it is there: its key becomes the least, and rises to the top.
func (h *BinomialHeap) Delete(v int) {
	if h.roots == nil {
		return
	}
	t := h.roots.find(v)
	if t == nil {
		return
	}
	t.key = h.roots.least().key - 1
	for p := t.parent; p != nil; p = p.parent {
		t.key, p.key = p.key, t.key
		t = p
	}
	h.ExtractMin()
}

// union adds a list of trees by degree.
func (h *BinomialHeap) union(list *tree) {
	h.roots = merged(h.roots, list)
	var before *tree
	t := h.roots
	for next := t.sibling; next != nil; next = t.sibling {
		if t.degree != next.degree || next.sibling != nil && next.sibling.degree == t.degree {
			before, t = t, next
			continue
		}
		if t.key <= next.key {
			t.sibling = next.sibling
			t.adopt(next)
			continue
		}
		if before == nil {
			h.roots = next
		} else {
			before.sibling = next
		}
		next.adopt(t)
		t = next
	}
}

// merged zips two lists of trees by degree; of two with one degree, a's comes first.
func merged(a, b *tree) *tree {
	var first *tree
	end := &first
	for a != nil && b != nil {
		if a.degree <= b.degree {
			*end, a = a, a.sibling
		} else {
			*end, b = b, b.sibling
		}
		end = &(*end).sibling
	}
	if a == nil {
		a = b
	}
	*end = a
	return first
}

// adopt makes c the first child of t.
func (t *tree) adopt(c *tree) {
	c.parent, c.sibling = t, t.child
	t.child = c
	t.degree++
}

// least is the tree with the least root in the list that begins with t.
func (t *tree) least() *tree {
	m := t
	for ; t != nil; t = t.sibling {
		if t.key < m.key {
			m = t
		}
	}
	return m
}

// find returns the first node with a key in the trees of a list.
func (t *tree) find(key int) *tree {
	for ; t != nil; t = t.sibling {
		if t.key == key {
			return t
		}
		if t.child != nil {
			if n := t.child.find(key); n != nil {
				return n
			}
		}
	}
	return nil
}

// reversed turns a list of siblings round; tail comes behind it.
func (t *tree) reversed(tail *tree) *tree {
	first := t
	if t.sibling != nil {
		first = t.sibling.reversed(t)
	}
	t.sibling = tail
	return first
}
