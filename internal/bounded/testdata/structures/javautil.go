package structures

import "github.com/goassay/assay/finite"

// LinkedList is a ring of entries behind a header, as java.util's.
type LinkedList struct {
	header *LinkedEntry
	size   int
}

// LinkedEntry is an entry of a LinkedList.
type LinkedEntry struct {
	element        *Element
	next, previous *LinkedEntry
}

// RepOK reports whether it is a ring of size entries with elements behind a header
// without one.
func (l *LinkedList) RepOK() bool {
	if l.header == nil || l.header.element != nil {
		return false
	}
	n := 0
	visited := map[*LinkedEntry]bool{l.header: true}
	e := l.header
	for {
		next := e.next
		if next == nil || next.previous != e {
			return false
		}
		if next == l.header {
			return n == l.size
		}
		if visited[next] || next.element == nil {
			return false
		}
		visited[next] = true
		n++
		e = next
	}
}

func finLinkedList(n int) *finite.Finitization {
	f := finite.New(LinkedList{})
	entries := f.Objects(LinkedEntry{}, n+1)
	elements := f.Objects(Element{}, n)
	f.Set("header", finite.Nil, entries)
	f.Set("size", finite.Ints(n, n))
	entries.Set("element", finite.Nil, elements)
	entries.Set("next", finite.Nil, entries)
	entries.Set("previous", finite.Nil, entries)
	return f
}

// TreeMap is a red-black tree as java.util's: the null leaves are black, the root has no
// parent.
type TreeMap struct {
	root *TreeEntry
	size int
}

// TreeEntry is an entry of a TreeMap.
type TreeEntry struct {
	key                 int
	left, right, parent *TreeEntry
	black               bool
}

// RepOK reports whether the tree is what its comment says, with keys in order.
func (m *TreeMap) RepOK() bool {
	if m.root == nil {
		return m.size == 0
	}
	if m.root.parent != nil {
		return false
	}
	visited := map[*TreeEntry]bool{}
	return m.root.tree(visited) && len(visited) == m.size && m.root.height() >= 0 && m.root.between(-1, 1<<30)
}

// tree reports whether no entry is reached twice and parents are true.
func (e *TreeEntry) tree(visited map[*TreeEntry]bool) bool {
	visited[e] = true
	for _, side := range []**TreeEntry{&e.left, &e.right} {
		c := *side
		if c == nil {
			continue
		}
		if visited[c] || c.parent != e || !c.tree(visited) {
			return false
		}
	}
	return true
}

// height is the number of black entries on every way down, or -1 if it is not the same
// everywhere, or a red entry has a red child.
func (e *TreeEntry) height() int {
	if e == nil {
		return 0
	}
	if !e.black && (e.left != nil && !e.left.black || e.right != nil && !e.right.black) {
		return -1
	}
	h := e.left.height()
	if h < 0 || e.right.height() != h {
		return -1
	}
	if e.black {
		h++
	}
	return h
}

func (e *TreeEntry) between(above, below int) bool {
	return e == nil || e.key > above && e.key < below && e.left.between(above, e.key) && e.right.between(e.key, below)
}

func finTreeMap(n int) *finite.Finitization {
	f := finite.New(TreeMap{})
	entries := f.Objects(TreeEntry{}, n)
	f.Set("root", finite.Nil, entries)
	f.Set("size", finite.Ints(n, n))
	for _, field := range []string{"left", "right", "parent"} {
		entries.Set(field, finite.Nil, entries)
	}
	entries.Set("black", finite.Bools())
	entries.Set("key", finite.Ints(0, n-1))
	return f
}

// HashSet is a set of numbers as java.util's: a table of chains.
type HashSet struct {
	table []*HashEntry
	size  int
}

// HashEntry is an entry of a HashSet.
type HashEntry struct {
	key  int
	next *HashEntry
}

// RepOK reports whether every number is in the chain of its remainder, once.
func (s *HashSet) RepOK() bool {
	if len(s.table) == 0 {
		return false
	}
	seen := map[*HashEntry]bool{}
	for i := range s.table {
		for e := s.table[i]; e != nil; e = e.next {
			if seen[e] || e.key%len(s.table) != i {
				return false
			}
			seen[e] = true
			for f := s.table[i]; f != e; f = f.next {
				if f.key == e.key {
					return false
				}
			}
		}
	}
	return len(seen) == s.size
}

func finHashSet(n int) *finite.Finitization {
	f := finite.New(HashSet{})
	entries := f.Objects(HashEntry{}, n)
	f.Set("table", finite.Ints(3, 3))
	f.Set("table[]", finite.Nil, entries)
	f.Set("size", finite.Ints(0, n))
	entries.Set("key", finite.Ints(0, n-1))
	entries.Set("next", finite.Nil, entries)
	return f
}
