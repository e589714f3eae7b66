// Package searchtree shows symbolic method sequences: the shortest sequences of
// Insert and Remove that reach every branch, where a concrete search would have to
// try every order of every number.
package searchtree

// Tree is a set of numbers as an unbalanced binary search tree. The zero value is
// empty and ready for use; a nil *Tree is empty and takes nothing.
type Tree struct {
	root *node
	size int
}

type node struct {
	value       int
	left, right *node
}

// New returns an empty tree.
func New() *Tree { return &Tree{} }

// Size returns how many numbers are in the tree.
func (t *Tree) Size() int {
	if t == nil {
		return 0
	}
	return t.size
}

// Contains reports whether x is in the tree.
func (t *Tree) Contains(x int) bool {
	if t == nil {
		return false
	}
	n := t.root
	for n != nil {
		switch {
		case x < n.value:
			n = n.left
		case x > n.value:
			n = n.right
		default:
			return true
		}
	}
	return false
}

// Insert puts x into the tree and reports whether it was not there before.
func (t *Tree) Insert(x int) bool {
	if t == nil {
		return false
	}
	at := &t.root
	for *at != nil {
		switch n := *at; {
		case x < n.value:
			at = &n.left
		case x > n.value:
			at = &n.right
		default:
			return false
		}
	}
	*at = &node{value: x}
	t.size++
	return true
}

// Remove takes x out of the tree and reports whether it was there.
func (t *Tree) Remove(x int) bool {
	if t == nil {
		return false
	}
	at := &t.root
	for *at != nil && (*at).value != x {
		if x < (*at).value {
			at = &(*at).left
		} else {
			at = &(*at).right
		}
	}
	n := *at
	if n == nil {
		return false
	}
	switch {
	case n.left == nil:
		*at = n.right
	case n.right == nil:
		*at = n.left
	default:
		// The next larger number takes its place.
		next := &n.right
		for (*next).left != nil {
			next = &(*next).left
		}
		m := *next
		*next = m.right
		m.left, m.right = n.left, n.right
		*at = m
	}
	t.size--
	return true
}

// Values returns the numbers in ascending order.
func (t *Tree) Values() []int {
	if t == nil {
		return nil
	}
	var out []int
	var walk func(n *node)
	walk = func(n *node) {
		if n == nil {
			return
		}
		walk(n.left)
		out = append(out, n.value)
		walk(n.right)
	}
	walk(t.root)
	return out
}
