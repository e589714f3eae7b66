package structures

import "github.com/goassay/assay/finite"

// BinaryTree is a tree of nodes without content.
type BinaryTree struct {
	root *BinaryNode
	size int
}

// BinaryNode is a node of a BinaryTree.
type BinaryNode struct{ left, right *BinaryNode }

// RepOK reports whether no node is reached twice and size is their number.
func (t *BinaryTree) RepOK() bool {
	if t.root == nil {
		return t.size == 0
	}
	visited := map[*BinaryNode]bool{t.root: true}
	work := []*BinaryNode{t.root}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		if n.left != nil {
			if visited[n.left] {
				return false
			}
			visited[n.left] = true
			work = append(work, n.left)
		}
		if n.right != nil {
			if visited[n.right] {
				return false
			}
			visited[n.right] = true
			work = append(work, n.right)
		}
	}
	return len(visited) == t.size
}

func finBinaryTree(n int) *finite.Finitization {
	f := finite.New(BinaryTree{})
	nodes := f.Objects(BinaryNode{}, n)
	f.Set("root", finite.Nil, nodes)
	f.Set("size", finite.Ints(n, n))
	f.Set("BinaryNode.left", finite.Nil, nodes)
	f.Set("BinaryNode.right", finite.Nil, nodes)
	return f
}

// SearchTree is a binary search tree.
type SearchTree struct {
	root *SearchNode
	size int
}

// SearchNode is a node of a SearchTree.
type SearchNode struct {
	left, right *SearchNode
	info        int
}

// RepOK reports whether it is a tree of size nodes in search order.
func (t *SearchTree) RepOK() bool {
	if t.root == nil {
		return t.size == 0
	}
	return t.acyclic() && t.root.count() == t.size && t.root.ordered(-1, -1)
}

func (t *SearchTree) acyclic() bool {
	visited := map[*SearchNode]bool{t.root: true}
	work := []*SearchNode{t.root}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		for _, child := range []**SearchNode{&n.left, &n.right} {
			c := *child
			if c == nil {
				continue
			}
			if visited[c] {
				return false
			}
			visited[c] = true
			work = append(work, c)
		}
	}
	return true
}

func (n *SearchNode) count() int {
	if n == nil {
		return 0
	}
	return 1 + n.left.count() + n.right.count()
}

// ordered reports whether the subtree is in order between two numbers; -1 is none.
func (n *SearchNode) ordered(above, below int) bool {
	if n.info == -1 || above != -1 && n.info <= above || below != -1 && n.info >= below {
		return false
	}
	if n.left != nil && !n.left.ordered(above, n.info) {
		return false
	}
	return n.right == nil || n.right.ordered(n.info, below)
}

func finSearchTree(n int) *finite.Finitization {
	f := finite.New(SearchTree{})
	nodes := f.Objects(SearchNode{}, n)
	f.Set("root", finite.Nil, nodes)
	f.Set("size", finite.Ints(n, n))
	f.Set("SearchNode.left", finite.Nil, nodes)
	f.Set("SearchNode.right", finite.Nil, nodes)
	f.Set("SearchNode.info", finite.Ints(0, n-1))
	return f
}

// The colours of a RedBlackTree's nodes.
const (
	red = iota
	black
)

// RedBlackTree is a red-black tree of keys and values.
type RedBlackTree struct {
	root *RedBlackNode
	size int
}

// RedBlackNode is a node of a RedBlackTree.
type RedBlackNode struct {
	key, value          int
	left, right, parent *RedBlackNode
	color               int
}

// RepOK reports whether it is a tree of size nodes, coloured and ordered as it should
// be.
func (t *RedBlackTree) RepOK() bool {
	if t.root == nil {
		return t.size == 0
	}
	if t.root.parent != nil {
		return false
	}
	visited := map[*RedBlackNode]bool{t.root: true}
	work := []*RedBlackNode{t.root}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		for _, side := range []**RedBlackNode{&n.left, &n.right} {
			c := *side
			if c == nil {
				continue
			}
			if visited[c] {
				return false
			}
			visited[c] = true
			if c.parent != n {
				return false
			}
			work = append(work, c)
		}
	}
	return len(visited) == t.size && t.colored() && t.root.ordered(-1, -1)
}

func (t *RedBlackTree) colored() bool {
	work := []*RedBlackNode{t.root}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		l, r := n.left, n.right
		if n.color == red {
			if l != nil && l.color == red {
				return false
			}
			if r != nil && r.color == red {
				return false
			}
		}
		if l != nil {
			work = append(work, l)
		}
		if r != nil {
			work = append(work, r)
		}
	}
	type step struct {
		n     *RedBlackNode
		black int
	}
	blacks := -1
	steps := []step{{t.root, 0}}
	for len(steps) > 0 {
		n, b := steps[0].n, steps[0].black
		steps = steps[1:]
		if n != nil && n.color == black {
			b++
		}
		if n != nil {
			steps = append(steps, step{n.left, b}, step{n.right, b})
		} else if blacks == -1 {
			blacks = b
		} else if blacks != b {
			return false
		}
	}
	return true
}

func (n *RedBlackNode) ordered(above, below int) bool {
	if n.key == -1 || above != -1 && n.key <= above || below != -1 && n.key >= below {
		return false
	}
	if n.left != nil && !n.left.ordered(above, n.key) {
		return false
	}
	return n.right == nil || n.right.ordered(n.key, below)
}

func finRedBlackTree(n int) *finite.Finitization {
	f := finite.New(RedBlackTree{})
	nodes := f.Objects(RedBlackNode{}, n)
	f.Set("root", finite.Nil, nodes)
	f.Set("size", finite.Ints(n, n))
	for _, field := range []string{"left", "right", "parent"} {
		nodes.Set(field, finite.Nil, nodes)
	}
	nodes.Set("color", finite.Ints(0, 1))
	nodes.Set("key", finite.Ints(-1, n-1))
	nodes.Set("value", finite.Ints(0, 0))
	return f
}
