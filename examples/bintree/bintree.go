// Package bintree shows bounded-exhaustive testing from a predicate: all trees for
// which RepOK holds, up to a size and up to isomorphism, are inputs of Remove, and
// its contract says what must hold before and after.
package bintree

// Tree is a binary tree of nodes without values. A nil *Tree is empty.
type Tree struct {
	root *Node
	size int
}

// Node is a node of one tree.
type Node struct {
	left, right *Node
}

// New returns an empty tree.
func New() *Tree { return &Tree{} }

// RepOK reports whether the nodes form a tree, none reached twice, and size is their
// number.
func (t *Tree) RepOK() bool {
	if t == nil {
		return true
	}
	if t.root == nil {
		return t.size == 0
	}
	visited := map[*Node]bool{t.root: true}
	work := []*Node{t.root}
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

// Size returns the number of nodes.
func (t *Tree) Size() int {
	if t == nil {
		return 0
	}
	return t.size
}

// Has reports whether n is a node of the tree.
func (t *Tree) Has(n *Node) bool {
	return n != nil && t.link(n) != nil
}

// link returns where the tree refers to n: its root, or a child of another node. It
// returns nil if it does not.
func (t *Tree) link(n *Node) **Node {
	if t == nil {
		return nil
	}
	visited := map[*Node]bool{}
	work := []**Node{&t.root}
	for len(work) > 0 {
		at := work[0]
		work = work[1:]
		if *at == n {
			return at
		}
		if *at != nil && !visited[*at] {
			visited[*at] = true
			work = append(work, &(*at).left, &(*at).right)
		}
	}
	return nil
}

// Add puts a new node at the first free place, level by level from the left, and
// returns it. On a nil tree it returns nil.
func (t *Tree) Add() *Node {
	at := t.link(nil)
	if at == nil {
		return nil
	}
	*at = &Node{}
	t.size++
	return *at
}

// Remove takes n out of the tree; all other nodes stay.
//
//assay:requires t.Has(n)
//assay:ensures !t.Has(n)
//assay:ensures t.Size() == old(t.Size())-1
func (t *Tree) Remove(n *Node) {
	if n == nil {
		return
	}
	at := t.link(n)
	if at == nil {
		return
	}
	switch {
	case n.left == nil:
		*at = n.right
	case n.right == nil:
		*at = n.left
	default:
		// The right subtree goes below the rightmost node of the left one.
		last := n.left
		for last.right != nil {
			last = last.right
		}
		last.right = n.right
		*at = n.left
	}
	n.left, n.right = nil, nil
	t.size--
}
