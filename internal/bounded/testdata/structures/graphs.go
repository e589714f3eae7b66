package structures

import "github.com/goassay/assay/finite"

// DisjSet is a forest of sets, each record naming its parent by its number.
type DisjSet struct {
	elements []*Record
	size     int
}

// Record is an element of a DisjSet.
type Record struct{ parent, rank int }

// RepOK reports whether the records differ, ranks grow towards the roots, and there are
// enough leaves.
func (s *DisjSet) RepOK() bool {
	if len(s.elements) != s.size || !s.different() {
		return false
	}
	roots, leaves := 0, 0
	seen := make([]bool, s.size)
	for i := 0; i < s.size; i++ {
		parent := s.elements[i].parent
		if parent < 0 || parent >= s.size {
			return false
		}
		if parent == i {
			roots++
			continue
		}
		rank := s.elements[parent].rank
		if rank <= s.elements[i].rank {
			return false
		}
		if s.elements[i].rank == rank-1 {
			seen[parent] = true
		}
	}
	for i := 0; i < s.size; i++ {
		if !seen[i] && s.elements[i].rank == 0 {
			leaves++
		}
	}
	return roots <= leaves
}

func (s *DisjSet) different() bool {
	n := s.size - 1
	for i := 0; i < n; i++ {
		for j := i + 1; j <= n; j++ {
			if s.elements[i] == s.elements[j] {
				return false
			}
		}
	}
	return true
}

func finDisjSet(n int) *finite.Finitization {
	f := finite.New(DisjSet{})
	records := f.Objects(Record{}, n)
	f.Set("size", finite.Ints(0, n))
	records.Set("parent", finite.Ints(0, n-1))
	records.Set("rank", finite.Ints(0, n-1))
	f.Set("elements", finite.Ints(0, n))
	f.Set("elements[]", records)
	return f
}

// DAG is a graph without cycles. Its nodes are given.
type DAG struct {
	nodes []*DAGNode
	size  int
}

// DAGNode is a node of a DAG.
type DAGNode struct{ children []*DAGNode }

// RepOK reports whether there is no cycle, no two edges are the same, and every node
// has one.
func (g *DAG) RepOK() bool {
	if len(g.nodes) == 0 {
		return g.size == 0
	}
	visited := map[*DAGNode]bool{}
	path := []*DAGNode{}
	linked := map[*DAGNode]bool{}
	weight := map[*DAGNode]int{}
	for _, n := range g.nodes {
		if !visited[n] {
			visited[n] = true
			if n.walk(path, visited, linked, weight) == -1 {
				return false
			}
		}
	}
	return g.size == len(linked)
}

// walk visits what is reached from n along a path and returns its weight, or -1 if
// something is wrong: a cycle, an edge that is there twice, children whose weights grow.
func (n *DAGNode) walk(path []*DAGNode, visited, linked map[*DAGNode]bool, weight map[*DAGNode]int) int {
	path = append(path, n)
	most, sum := int(^uint(0)>>1), 1
	count := len(n.children)
	for i := 0; i < count; i++ {
		child := n.children[i]
		linked[n], linked[child] = true, true
		for j := 0; j < i; j++ {
			if child == n.children[j] {
				return -1
			}
		}
		for _, p := range path {
			if p == child {
				return -1
			}
		}
		var w int
		if visited[child] {
			w = weight[child]
		} else {
			visited[child] = true
			if w = child.walk(path, visited, linked, weight); w == -1 {
				return -1
			}
		}
		if w > most {
			return -1
		}
		most = w
		sum += w
	}
	weight[n] = sum
	return sum
}

func finDAG(n int) *finite.Finitization {
	f := finite.New(DAG{})
	nodes := f.Objects(DAGNode{}, n)
	f.Set("size", finite.Ints(n, n))
	f.Set("nodes", finite.Ints(n, n))
	f.Set("nodes[]", finite.InOrder(nodes))
	nodes.Set("children", finite.Ints(0, n-1))
	nodes.Set("children[]", nodes)
	return f
}
