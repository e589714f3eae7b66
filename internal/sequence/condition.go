package sequence

import (
	"slices"

	"github.com/goassay/assay/internal/term"
)

// condition is the part of a path condition about the symbolic values in the heap. A zone expresses it
// exactly or approximately. If there is no zone, the whole path condition stands for it.
type condition struct {
	z     *zone     // nil if there is no zone
	less  bool      // the zone is weaker than the path condition
	gone  []term.ID // leaves that the zone has left out
	terms []term.ID // the heap's symbolic values, in the order of their placeholders
	array []term.Array
	says  []bound   // the bounds of the zone, after list has written them out
	other []bound   // disequalities
	all   []term.ID // the conjuncts of the whole path
}

// bound is one thing that a zone says: a - b <= c, or a - b != c.
type bound struct {
	a, b place
	c    int64
}

// place is a node of a zone, named by a placeholder.
type place struct {
	term  int // the number of the placeholder, or -1
	kind  nodeKind
	class class
}

// exact reports whether the zone is as strong as the path condition.
func (c *condition) exact() bool { return c.z != nil && !c.less }

// pathCondition is the path condition of a state, with the part of it that was there when the path began.
type pathCondition struct {
	all     []term.ID  // the conjuncts
	parent  *condition // the condition of the state that the path began in, or nil if there is none
	known   int        // how many of the conjuncts the path began with
	ordered bool       // the conjuncts compare numbers for order only
}

// condense makes the condition of a state whose heap has the given symbolic values.
func condense(ts *term.Store, p pathCondition, terms []term.ID, arrays []term.Array) *condition {
	parent, all := p.parent, p.all
	c := &condition{terms: slices.Clone(terms), array: slices.Clone(arrays), all: all}
	if len(arrays) > 0 {
		return c
	}
	for _, t := range terms {
		if !ts.IsLeaf(t) {
			return c
		}
	}
	var z *zone
	fresh := all[p.known:]
	if parent != nil && parent.exact() && !mention(ts, fresh, parent.gone) {
		z = parent.z.clone()
		c.gone = parent.gone[:len(parent.gone):len(parent.gone)]
	} else {
		z, fresh = newZone(p.ordered), all
	}
	unsaid := !z.conjoin(ts, fresh)
	before := z.nodes
	c.less = !z.project(func(leaf term.ID) bool { return slices.Contains(terms, leaf) }) || unsaid
	for _, n := range before {
		if n.kind == isLeaf && z.find(n.leaf) < 0 {
			c.gone = append(c.gone, n.leaf)
		}
	}
	c.z = z
	return c
}

// conjoin adds conjuncts. A conjunct that the zone cannot express yet is tried again after the others,
// because their bounds may show that a sum does not wrap.
func (z *zone) conjoin(ts *term.Store, conjuncts []term.ID) bool {
	for len(conjuncts) > 0 {
		var left []term.ID
		for _, c := range conjuncts {
			if !z.assume(ts, c) {
				left = append(left, c)
			}
		}
		if len(left) == len(conjuncts) {
			return false
		}
		conjuncts = left
	}
	return true
}

// mention reports whether any of the conjuncts depends on any of the leaves.
func mention(ts *term.Store, conjuncts, leaves []term.ID) bool {
	if len(leaves) == 0 {
		return false
	}
	for _, c := range conjuncts {
		for _, l := range ts.Support(c) {
			if slices.Contains(leaves, l) {
				return true
			}
		}
	}
	return false
}

// list writes out the bounds of the zone for implies. It leaves out those that follow from the ranges of
// leaves.
func (c *condition) list() {
	z := c.z
	if z == nil {
		return
	}
	for i := range z.nodes {
		for j := range z.nodes {
			w := z.at(i, j)
			if i == j || w == inf || z.natural(i, j, w) {
				continue
			}
			c.says = append(c.says, bound{c.place(i), c.place(j), w})
		}
	}
	for _, x := range z.ne {
		c.other = append(c.other, bound{c.place(x.i), c.place(x.j), x.c})
	}
}

func (c *condition) place(i int) place {
	n := c.z.nodes[i]
	if n.kind != isLeaf {
		return place{-1, n.kind, n.class}
	}
	return place{slices.Index(c.terms, n.leaf), isLeaf, n.class}
}

// node finds the node of a place in this condition, or returns -1.
func (c *condition) node(p place) int {
	for i := range c.z.nodes {
		n := &c.z.nodes[i]
		if p.term >= 0 {
			if n.kind == isLeaf && n.leaf == c.terms[p.term] {
				if n.class != p.class {
					return -1
				}
				return i
			}
		} else if n.kind == p.kind && n.class == p.class {
			return i
		}
	}
	return -1
}

// implies reports whether a condition with a zone certainly implies another condition. The other one must be
// exact, written out by list, and have the same placeholders.
func (c *condition) implies(d *condition) bool {
	for _, s := range d.says {
		i, j := c.node(s.a), c.node(s.b)
		if i < 0 || j < 0 || c.z.at(i, j) > s.c {
			return false
		}
	}
	for _, s := range d.other {
		i, j := c.node(s.a), c.node(s.b)
		if i < 0 || j < 0 || !c.z.differs(i, j, s.c) {
			return false
		}
	}
	return true
}

// differs reports whether i - j != c is certain.
func (z *zone) differs(i, j int, c int64) bool {
	if z.at(i, j) < c || z.at(j, i) < -c {
		return true
	}
	for _, x := range z.ne {
		if x == (differ{i, j, c}) || x == (differ{j, i, -c}) {
			return true
		}
	}
	return false
}
