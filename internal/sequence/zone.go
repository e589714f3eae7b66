package sequence

import (
	"math"
	"slices"

	"github.com/goassay/assay/internal/term"
)

// A zone is a conjunction of differences between machine integers (x - y <= c) and of
// disequalities (x - y != c), closed: what follows from the differences is in the matrix
// (Dill, 1989; Miné, 2001). Leaving a variable out of a closed matrix is exactly
// existential quantification over the integers, and it is so for machine integers too,
// because their least and greatest values take part as variables that are never left
// out. Search trees, lists and sorting ask nothing else.
type zone struct {
	nodes []node
	d     []int64 // d[i*n+j]: node i - node j is at most this; inf: nothing is known
	ne    []differ
	// endless leaves out the ends of the integers' ranges.
	endless bool
}

// node is a variable of a zone: a leaf of the path condition, or a constant.
type node struct {
	leaf  term.ID // 0: a constant
	class class
	kind  nodeKind
}

type nodeKind uint8

const (
	isLeaf nodeKind = iota
	isZero          // the number 0
	isLow           // the least value of the class
	isHigh          // the greatest
)

// class is the kind of integer that a leaf is compared as.
type class struct {
	width  uint8
	signed bool
}

// differ says that node i - node j is not c.
type differ struct {
	i, j int
	c    int64
}

const (
	inf = math.MaxInt64
	// huge bounds the constants that are followed, so that sums do not wrap.
	huge = 1 << 61
)

// low and high are the range of the class, as far as an int64 can say it; ok says so.
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

// newZone returns the zone that says nothing.
func newZone(endless bool) *zone {
	return &zone{nodes: []node{{kind: isZero}}, d: []int64{0}, endless: endless}
}

// clone copies the zone.
func (z *zone) clone() *zone {
	return &zone{nodes: slices.Clone(z.nodes), d: slices.Clone(z.d), ne: slices.Clone(z.ne), endless: z.endless}
}

func (z *zone) at(i, j int) int64 { return z.d[i*len(z.nodes)+j] }

// find returns the place of a leaf, or -1.
func (z *zone) find(leaf term.ID) int {
	for i := range z.nodes {
		if z.nodes[i].leaf == leaf && z.nodes[i].kind == isLeaf {
			return i
		}
	}
	return -1
}

// add appends a node that is related to nothing.
func (z *zone) add(n node) int {
	k := len(z.nodes)
	d := make([]int64, (k+1)*(k+1))
	for i := range k {
		copy(d[i*(k+1):], z.d[i*k:(i+1)*k])
		d[i*(k+1)+k], d[k*(k+1)+i] = inf, inf
	}
	z.d = d
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

// place returns the place of a leaf of a class, making one; -1 if the leaf is already
// there as an integer of another class.
func (z *zone) place(leaf term.ID, c class) int {
	if i := z.find(leaf); i >= 0 {
		if z.nodes[i].class != c {
			return -1
		}
		return i
	}
	lo, hi := z.bound(c, isLow), z.bound(c, isHigh)
	i := z.add(node{leaf: leaf, class: c})
	if !z.endless {
		z.edge(lo, i, 0)
		z.edge(i, hi, 0)
	}
	return i
}

// sum adds two bounds; one that is too large says nothing, and one that is too small is
// raised.
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

// edge adds i - j <= c and closes the matrix.
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
		aic := sum(ai, c)
		for b := range n {
			jb := z.d[j*n+b]
			if b == j {
				jb = 0
			}
			if a == b || jb == inf {
				continue
			}
			if s := sum(aic, jb); s < z.d[a*n+b] {
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
				continue // they differ by less, or by more
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

// project leaves out all leaves for which keep is false; it reports whether that was
// possible exactly.
func (z *zone) project(keep func(term.ID) bool) bool {
	z.tighten()
	n := len(z.nodes)
	gone := make([]bool, n)
	any := false
	for i, x := range z.nodes {
		if x.kind == isLeaf && !keep(x.leaf) {
			gone[i], any = true, true
		}
	}
	if !any {
		return true
	}
	z.equals(gone)
	for i := range n {
		if !gone[i] {
			continue
		}
		count := 0
		for _, x := range z.ne {
			if x.i == i || x.j == i {
				count++
			}
		}
		if count == 0 {
			continue
		}
		// With disequalities, exact only for a variable that nothing bounds and that has
		// more values than are excluded.
		if z.bounded(i, gone) || z.nodes[i].class.width < 6 || count >= 1<<min(z.nodes[i].class.width-1, 30) {
			return false
		}
		kept := z.ne[:0]
		for _, x := range z.ne {
			if x.i != i && x.j != i {
				kept = append(kept, x)
			}
		}
		z.ne = kept
	}
	z.drop(gone)
	return true
}

// equals moves the disequalities of variables that go to equal ones that stay.
func (z *zone) equals(gone []bool) {
	if len(z.ne) == 0 {
		return
	}
	same := func(i int) (int, int64) {
		if !gone[i] {
			return i, 0
		}
		for j := range z.nodes {
			if up := z.at(i, j); !gone[j] && j != i && up != inf && up > -huge && up < huge && z.at(j, i) == -up {
				return j, up // i == j + up
			}
		}
		// Among several that go and are equal, the first speaks for all.
		for j := range i {
			if up := z.at(i, j); up != inf && up > -huge && up < huge && z.at(j, i) == -up {
				return j, up
			}
		}
		return i, 0
	}
	for k := range z.ne {
		x := &z.ne[k]
		i, ci := same(x.i)
		j, cj := same(x.j)
		// (i + ci) - (j + cj) != c
		*x = differ{i, j, x.c - ci + cj}
	}
	z.tighten()
}

// bounded reports whether anything but the range of its class bounds node i.
func (z *zone) bounded(i int, _ []bool) bool {
	for j, x := range z.nodes {
		if j == i {
			continue
		}
		up, down := z.at(i, j), z.at(j, i)
		switch x.kind {
		case isLeaf:
			// Two leaves are never further apart than their ranges.
			if up != inf && !z.natural(i, j, up) || down != inf && !z.natural(j, i, down) {
				return true
			}
		case isHigh:
			if up < 0 {
				return true
			}
		case isLow:
			if down < 0 {
				return true
			}
		}
	}
	return false
}

// natural reports whether i - j <= c says no more than the ranges of the two.
func (z *zone) natural(i, j int, c int64) bool {
	if z.nodes[i].kind != isLeaf && z.nodes[j].kind != isLeaf {
		return true // constants
	}
	hi, ok := z.upper(i)
	if !ok {
		return c == inf
	}
	lo, ok := z.lower(j)
	if !ok {
		return c == inf
	}
	return c >= sum(hi, negate(lo))
}

// upper is the greatest value that the kind of node i allows.
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

func negate(c int64) int64 {
	if c == math.MinInt64 {
		return inf
	}
	return -c
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
	d := make([]int64, 0, len(left)*len(left))
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
