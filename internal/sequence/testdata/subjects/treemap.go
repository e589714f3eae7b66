package subjects

// TreeMap is a set of numbers as a red-black tree (Cormen, Leiserson, Rivest).
type TreeMap struct {
	root *entry
	size int
}

type entry struct {
	key                 int
	left, right, parent *entry
	black               bool
}

// NewTreeMap returns an empty tree.
func NewTreeMap() *TreeMap { return &TreeMap{} }

// Put inserts key if it is not there.
func (t *TreeMap) Put(key int) {
	if t.root == nil {
		t.root = &entry{key: key, black: true}
		t.size++
		return
	}
	e := t.root
	for {
		if key < e.key {
			if e.left == nil {
				e.left = &entry{key: key, parent: e, black: true}
				t.inserted(e.left)
				break
			}
			e = e.left
		} else if key > e.key {
			if e.right == nil {
				e.right = &entry{key: key, parent: e, black: true}
				t.inserted(e.right)
				break
			}
			e = e.right
		} else {
			return
		}
	}
	t.size++
}

// Remove deletes key and reports whether it was there.
func (t *TreeMap) Remove(key int) bool {
	e := t.root
	for e != nil {
		if key < e.key {
			e = e.left
		} else if key > e.key {
			e = e.right
		} else {
			break
		}
	}
	if e == nil {
		return false
	}
	t.size--
	if e.left != nil && e.right != nil {
		t.swap(e.successor(), e)
	}
	child := e.left
	if child == nil {
		child = e.right
	}
	switch {
	case child != nil:
		child.parent = e.parent
		t.replace(e, child)
		e.left, e.right, e.parent = nil, nil, nil
		if e.black {
			t.deleted(child)
		}
	case e.parent == nil:
		t.root = nil
	default:
		if e.black {
			t.deleted(e)
		}
		if e.parent != nil {
			if e == e.parent.left {
				e.parent.left = nil
			} else if e == e.parent.right {
				e.parent.right = nil
			}
			e.parent = nil
		}
	}
	return true
}

// replace puts c where e is under e's parent.
func (t *TreeMap) replace(e, c *entry) {
	if e.parent == nil {
		t.root = c
	} else if e == e.parent.left {
		e.parent.left = c
	} else {
		e.parent.right = c
	}
}

// successor is the next greater entry of one that has a right child.
func (e *entry) successor() *entry {
	s := e.right
	for s.left != nil {
		s = s.left
	}
	return s
}

// swap exchanges the positions and colours of x and y; y may be above x.
func (t *TreeMap) swap(x, y *entry) {
	px, lx, rx := x.parent, x.left, x.right
	py, ly, ry := y.parent, y.left, y.right
	xLeft := px != nil && x == px.left
	yLeft := py != nil && y == py.left
	if x == py {
		x.parent = y
		if yLeft {
			y.left, y.right = x, rx
		} else {
			y.left, y.right = lx, x
		}
	} else {
		x.parent = py
		if py != nil {
			if yLeft {
				py.left = x
			} else {
				py.right = x
			}
		}
		y.left, y.right = lx, rx
	}
	if y == px {
		y.parent = x
		if xLeft {
			x.left, x.right = y, ry
		} else {
			x.left, x.right = ly, y
		}
	} else {
		y.parent = px
		if px != nil {
			if xLeft {
				px.left = y
			} else {
				px.right = y
			}
		}
		x.left, x.right = ly, ry
	}
	for _, e := range [...]*entry{x, y} {
		if e.left != nil {
			e.left.parent = e
		}
		if e.right != nil {
			e.right.parent = e
		}
	}
	x.black, y.black = y.black, x.black
	if t.root == x {
		t.root = y
	} else if t.root == y {
		t.root = x
	}
}

// Parts of the tree that may be missing: those are black and have no relatives.

func isBlack(e *entry) bool { return e == nil || e.black }

func parentOf(e *entry) *entry {
	if e == nil {
		return nil
	}
	return e.parent
}

func leftOf(e *entry) *entry {
	if e == nil {
		return nil
	}
	return e.left
}

func rightOf(e *entry) *entry {
	if e == nil {
		return nil
	}
	return e.right
}

func paint(e *entry, black bool) {
	if e != nil {
		e.black = black
	}
}

func (t *TreeMap) rotateLeft(e *entry) {
	r := e.right
	e.right = r.left
	if r.left != nil {
		r.left.parent = e
	}
	r.parent = e.parent
	t.replace(e, r)
	r.left = e
	e.parent = r
}

func (t *TreeMap) rotateRight(e *entry) {
	l := e.left
	e.left = l.right
	if l.right != nil {
		l.right.parent = e
	}
	l.parent = e.parent
	t.replace(e, l)
	l.right = e
	e.parent = l
}

// inserted restores the colours after an insertion.
func (t *TreeMap) inserted(x *entry) {
	x.black = false
	for x != nil && x != t.root && !x.parent.black {
		if parentOf(x) == leftOf(parentOf(parentOf(x))) {
			y := rightOf(parentOf(parentOf(x)))
			if !isBlack(y) {
				paint(parentOf(x), true)
				paint(y, true)
				paint(parentOf(parentOf(x)), false)
				x = parentOf(parentOf(x))
				continue
			}
			if x == rightOf(parentOf(x)) {
				x = parentOf(x)
				t.rotateLeft(x)
			}
			paint(parentOf(x), true)
			paint(parentOf(parentOf(x)), false)
			if parentOf(parentOf(x)) != nil {
				t.rotateRight(parentOf(parentOf(x)))
			}
		} else {
			y := leftOf(parentOf(parentOf(x)))
			if !isBlack(y) {
				paint(parentOf(x), true)
				paint(y, true)
				paint(parentOf(parentOf(x)), false)
				x = parentOf(parentOf(x))
				continue
			}
			if x == leftOf(parentOf(x)) {
				x = parentOf(x)
				t.rotateRight(x)
			}
			paint(parentOf(x), true)
			paint(parentOf(parentOf(x)), false)
			if parentOf(parentOf(x)) != nil {
				t.rotateLeft(parentOf(parentOf(x)))
			}
		}
	}
	t.root.black = true
}

// deleted restores the colours after a deletion.
func (t *TreeMap) deleted(x *entry) {
	for x != t.root && isBlack(x) {
		if x == leftOf(parentOf(x)) {
			s := rightOf(parentOf(x))
			if !isBlack(s) {
				paint(s, true)
				paint(parentOf(x), false)
				t.rotateLeft(parentOf(x))
				s = rightOf(parentOf(x))
			}
			if isBlack(leftOf(s)) && isBlack(rightOf(s)) {
				paint(s, false)
				x = parentOf(x)
				continue
			}
			if isBlack(rightOf(s)) {
				paint(leftOf(s), true)
				paint(s, false)
				t.rotateRight(s)
				s = rightOf(parentOf(x))
			}
			paint(s, isBlack(parentOf(x)))
			paint(parentOf(x), true)
			paint(rightOf(s), true)
			t.rotateLeft(parentOf(x))
			x = t.root
		} else {
			s := leftOf(parentOf(x))
			if !isBlack(s) {
				paint(s, true)
				paint(parentOf(x), false)
				t.rotateRight(parentOf(x))
				s = leftOf(parentOf(x))
			}
			if isBlack(rightOf(s)) && isBlack(leftOf(s)) {
				paint(s, false)
				x = parentOf(x)
				continue
			}
			if isBlack(leftOf(s)) {
				paint(rightOf(s), true)
				paint(s, false)
				t.rotateLeft(s)
				s = leftOf(parentOf(x))
			}
			paint(s, isBlack(parentOf(x)))
			paint(parentOf(x), true)
			paint(leftOf(s), true)
			t.rotateRight(parentOf(x))
			x = t.root
		}
	}
	paint(x, true)
}
