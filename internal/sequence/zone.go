package sequence

import (
	"math"
	"slices"

	"github.com/goassay/assay/internal/term"
)

// A zone is a conjunction of bounds on differences of machine integers (x - y <= c) and of disequalities (x -
// y != c). The matrix of bounds is closed: it contains every bound that follows from others (Dill, 1989;
// Miné, 2001). In a closed matrix, leaving out a variable is exactly existential quantification over the
// integers. This holds for machine integers, too, because their least and greatest values are variables that
// are never left out. Search trees, lists and sorting need nothing else. If only order counts, leaving out a
// variable is quantification over a dense order without ends (order.go).
type zone struct {
	nodes []node
	d     []int64 // d[i*n+j] is an upper bound of node i - node j; inf means that nothing is known
	ne    []differ
	// ordered says that only order counts: the leaves are numbers that lie dense and have no ends, and a
	// bound is 0 (at most) or -1 (less).
	ordered bool
}

// node is a variable of a zone: a leaf of the path condition, or a constant.
type node struct {
	leaf  term.ID // 0 means a constant
	class class
	kind  nodeKind
}

type nodeKind uint8

const (
	isLeaf nodeKind = iota
	isZero          // the number 0
	isLow           // the least value of the class
	isHigh          // the greatest value of the class
)

// class is the kind of integer as which a leaf is compared.
type class struct {
	width  uint8
	signed bool
}

// differ is the disequality node i - node j != c.
type differ struct {
	i, j int
	c    int64
}

const (
	inf = math.MaxInt64
	// huge bounds the constants that zones handle, so that sums do not wrap.
	huge = 1 << 61
)

// low and high are the range of the class. The result ok says whether an int64 can express it.
func (c class) low() (v int64, ok bool) {
	if !c.signed {
		return 0, true
	}
	return -1 << (c.width - 1), true
}

func (c class) high() (v int64, ok bool) {
	if !c.signed {
		if c.width >= 64 {
			return 0, false
		}
		return 1<<c.width - 1, true
	}
	return 1<<(c.width-1) - 1, true
}

// newZone returns the zone without bounds.
func newZone(ordered bool) *zone {
	return &zone{nodes: []node{{kind: isZero}}, d: []int64{0}, ordered: ordered}
}

// clone copies the zone, with room for the nodes that one more call usually adds.
func (z *zone) clone() *zone {
	const room = 2
	n := len(z.nodes) + room
	return &zone{
		nodes: append(make([]node, 0, n), z.nodes...), d: append(make([]int64, 0, n*n), z.d...),
		ne: slices.Clone(z.ne), ordered: z.ordered,
	}
}

func (z *zone) at(i, j int) int64 { return z.d[i*len(z.nodes)+j] }

// find returns the node of a leaf, or -1.
func (z *zone) find(leaf term.ID) int {
	for i := range z.nodes {
		if z.nodes[i].leaf == leaf && z.nodes[i].kind == isLeaf {
			return i
		}
	}
	return -1
}

// add appends a node without bounds.
func (z *zone) add(n node) int {
	k := len(z.nodes)
	z.d = slices.Grow(z.d, 2*k+1)[:(k+1)*(k+1)]
	for i := k - 1; i >= 0; i-- { // rows move towards the end, so the last row moves first
		copy(z.d[i*(k+1):], z.d[i*k:(i+1)*k])
		z.d[i*(k+1)+k] = inf
	}
	for i := range k {
		z.d[k*(k+1)+i] = inf
	}
	z.d[k*(k+1)+k] = 0
	z.nodes = append(z.nodes, n)
	return k
}

// bound returns the node of the least or greatest value of a class.
func (z *zone) bound(c class, kind nodeKind) int {
	for i := range z.nodes {
		if z.nodes[i].kind == kind && z.nodes[i].class == c {
			return i
		}
	}
	k := z.add(node{class: c, kind: kind})
	v, ok := c.low()
	if kind == isHigh {
		v, ok = c.high()
	}
	if ok {
		z.edge(k, 0, v)
		if v != math.MinInt64 {
			z.edge(0, k, -v)
		}
	}
	return k
}

// place returns the node of a leaf of a class, and makes one if there is none. It returns -1 if the leaf is
// already there as an integer of another class.
func (z *zone) place(leaf term.ID, c class) int {
	if i := z.find(leaf); i >= 0 {
		if z.nodes[i].class != c {
			return -1
		}
		return i
	}
	if z.ordered {
		return z.add(node{leaf: leaf, class: c})
	}
	lo, hi := z.bound(c, isLow), z.bound(c, isHigh)
	i := z.add(node{leaf: leaf, class: c})
	z.edge(lo, i, 0)
	z.edge(i, hi, 0)
	return i
}

// sum adds two bounds. A sum that is too large is no bound, and one that is too small is raised.
func sum(a, b int64) int64 {
	if a == inf || b == inf {
		return inf
	}
	s := a + b
	if (s > a) != (b > 0) && b != 0 {
		if b > 0 {
			return inf
		}
		return math.MinInt64
	}
	return s
}

// sum does the same as the function sum. For numbers that are only ordered, the sum only tells whether one is
// less.
func (z *zone) sum(a, b int64) int64 {
	if s := sum(a, b); !z.ordered || s >= -1 {
		return s
	}
	return -1
}

// edge adds the bound i - j <= c and closes the matrix.
func (z *zone) edge(i, j int, c int64) {
	n := len(z.nodes)
	if c >= z.d[i*n+j] {
		return
	}
	for a := range n {
		ai := z.d[a*n+i]
		if a == i {
			ai = 0
		}
		if ai == inf {
			continue
		}
		aic := z.sum(ai, c)
		for b := range n {
			jb := z.d[j*n+b]
			if b == j {
				jb = 0
			}
			if a == b || jb == inf {
				continue
			}
			if s := z.sum(aic, jb); s < z.d[a*n+b] {
				z.d[a*n+b] = s
			}
		}
	}
}

// tighten makes bounds strict where a disequality excludes their end, and drops
// disequalities that the bounds imply.
func (z *zone) tighten() {
	for changed := true; changed; {
		changed = false
		kept := z.ne[:0]
		for _, x := range z.ne {
			up, down := z.at(x.i, x.j), z.at(x.j, x.i)
			switch {
			case up < x.c || down != inf && down < -x.c:
				continue // the bounds already exclude this difference
			case up == x.c:
				z.edge(x.i, x.j, x.c-1)
				changed = true
				continue
			case down == -x.c:
				z.edge(x.j, x.i, -x.c-1)
				changed = true
				continue
			}
			kept = append(kept, x)
		}
		z.ne = kept
	}
}

// project leaves out all leaves for which keep is false. It reports whether the result is exact. If it is
// not, the zone is weaker than the exact projection.
func (z *zone) project(keep func(term.ID) bool) (exact bool) {
	z.tighten()
	gone := make([]bool, len(z.nodes))
	n := 0
	for i, x := range z.nodes {
		if x.kind == isLeaf && !keep(x.leaf) {
			gone[i] = true
			n++
		}
	}
	if n == 0 {
		return true
	}
	exact = true
	if len(z.ne) > 0 {
		gone = z.merge(gone)
		for i := range z.nodes {
			exact = exact && (!gone[i] || z.free(i))
		}
		z.ne = slices.DeleteFunc(z.ne, func(x differ) bool { return gone[x.i] || gone[x.j] })
	}
	z.drop(gone)
	return exact
}

// merge drops each node that is to be left out and certainly equals another node. The other node takes over
// its disequalities. The result has the remaining nodes to leave out.
func (z *zone) merge(gone []bool) []bool {
	to := make([]int, len(z.nodes))
	off := make([]int64, len(z.nodes)) // node i equals to[i] + off[i]
	twin := make([]bool, len(z.nodes))
	equal := func(i, j int) bool {
		up := z.at(i, j)
		return up > -huge && up < huge && z.at(j, i) == -up
	}
	for i := range z.nodes {
		to[i] = i
		if !gone[i] {
			continue
		}
		for j := range z.nodes {
			if j != i && (!gone[j] || j < i && !twin[j]) && equal(i, j) {
				to[i], off[i], twin[i] = j, z.at(i, j), true
				break
			}
		}
	}
	for k, x := range z.ne {
		z.ne[k] = differ{to[x.i], to[x.j], x.c - off[x.i] + off[x.j]}
	}
	var left []bool
	for i, t := range twin {
		if !t {
			left = append(left, gone[i])
		}
	}
	z.drop(twin)
	z.tighten()
	return left
}

// free reports whether node i can be left out with its disequalities: it has none, or it has no bounds
// and more possible values than the disequalities exclude.
func (z *zone) free(i int) bool {
	count := 0
	for _, x := range z.ne {
		if x.i == i || x.j == i {
			count++
		}
	}
	if count == 0 {
		return true
	}
	if z.ordered {
		return z.roomy(i)
	}
	if w := z.nodes[i].class.width; w < 6 || count >= 1<<min(w-1, 30) {
		return false
	}
	above, below := z.bounded(i)
	return !above && !below
}

// roomy reports whether there are always endless values for node i, if its values lie dense. There are,
// unless some node that is at most node i equals some node that node i is at most.
func (z *zone) roomy(i int) bool {
	for l := range z.nodes {
		for u := range z.nodes {
			if l != i && u != i && z.at(l, i) == 0 && z.at(i, u) == 0 && (l == u || z.at(l, u) != -1) {
				return false
			}
		}
	}
	return true
}

// bounded reports whether anything but the range of its class bounds node i from above
// and from below.
func (z *zone) bounded(i int) (above, below bool) {
	for j := range z.nodes {
		if j == i {
			continue
		}
		up, down := z.at(i, j), z.at(j, i)
		above = above || up != inf && !z.natural(i, j, up)
		below = below || down != inf && !z.natural(j, i, down)
	}
	return above, below
}

// natural reports whether the bound i - j <= c follows from the ranges of the two nodes.
func (z *zone) natural(i, j int, c int64) bool {
	if z.nodes[i].kind != isLeaf && z.nodes[j].kind != isLeaf {
		return true // both are constants
	}
	hi, ok := z.upper(i)
	if !ok {
		return c == inf
	}
	lo, ok := z.lower(j)
	if !ok {
		return c == inf
	}
	if lo > hi { // the classes differ: i is less than j in any case
		span := uint64(lo) - uint64(hi)
		return span > math.MaxInt64 || c >= -int64(span)
	}
	span := uint64(hi) - uint64(lo)
	return span > math.MaxInt64 && c == inf || span <= math.MaxInt64 && c >= int64(span)
}

// upper returns the greatest value that the kind of node i allows.
func (z *zone) upper(i int) (int64, bool) {
	switch x := z.nodes[i]; x.kind {
	case isZero:
		return 0, true
	case isLow:
		return x.class.low()
	default:
		return x.class.high()
	}
}

func (z *zone) lower(i int) (int64, bool) {
	switch x := z.nodes[i]; x.kind {
	case isZero:
		return 0, true
	case isHigh:
		return x.class.high()
	default:
		return x.class.low()
	}
}

// drop removes nodes.
func (z *zone) drop(gone []bool) {
	n := len(z.nodes)
	index := make([]int, n)
	var left []int
	for i := range n {
		index[i] = -1
		if !gone[i] {
			index[i] = len(left)
			left = append(left, i)
		}
	}
	nodes := make([]node, 0, len(left))
	d := z.d[:0] // each place is read before it is overwritten
	for _, i := range left {
		nodes = append(nodes, z.nodes[i])
		for _, j := range left {
			d = append(d, z.d[i*n+j])
		}
	}
	for k := range z.ne {
		z.ne[k].i, z.ne[k].j = index[z.ne[k].i], index[z.ne[k].j]
	}
	z.nodes, z.d = nodes, d
}
