package subjects

// BinarySearchTree is a set of numbers.
type BinarySearchTree struct {
	root *leafy
	size int
}

type leafy struct {
	value       int
	left, right *leafy
}

// NewBinarySearchTree returns an empty tree.
func NewBinarySearchTree() *BinarySearchTree { return &BinarySearchTree{} }

// Add inserts v if it is not there.
func (t *BinarySearchTree) Add(v int) {
	if t.root == nil {
		t.root = &leafy{value: v}
		t.size++
		return
	}
	n := t.root
	for {
		if v < n.value {
			if n.left == nil {
				n.left = &leafy{value: v}
				break
			}
			n = n.left
		} else if v > n.value {
			if n.right == nil {
				n.right = &leafy{value: v}
				break
			}
			n = n.right
		} else {
			return
		}
	}
	t.size++
}

// Remove deletes v and reports whether it was there.
func (t *BinarySearchTree) Remove(v int) bool {
	var parent *leafy
	n := t.root
	for n != nil {
		if v < n.value {
			parent, n = n, n.left
		} else if v > n.value {
			parent, n = n, n.right
		} else {
			break
		}
	}
	if n == nil {
		return false
	}
	with := without(n)
	if parent == nil {
		t.root = with
	} else if parent.left == n {
		parent.left = with
	} else {
		parent.right = with
	}
	t.size--
	return true
}

// without returns the subtree n without its root's value: with two children, that of the
// in-order predecessor takes its place.
func without(n *leafy) *leafy {
	left, right := n.left, n.right
	if left == nil {
		return right
	}
	if right == nil {
		return left
	}
	if left.right == nil {
		n.value = left.value
		n.left = left.left
		return n
	}
	for left.right.right != nil {
		left = left.right
	}
	n.value = left.right.value
	left.right = left.right.left
	return n
}
