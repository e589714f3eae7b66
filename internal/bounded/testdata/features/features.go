// Package features has predicates that use the language in all ways that structures are
// read: what the native search and the lazy machine find must be the same.
package features

import (
	"fmt"
	"slices"
	"sort"

	"github.com/goassay/assay/internal/bounded/testdata/features/helper"
)

type base struct{ id int }

func (b *base) even() bool { return b.id%2 == 0 }

type ext struct {
	weight int
	deep   base
}

func (e ext) heavy() bool { return e.weight > e.deep.id }

// Embedded has embedded structs, by value and by pointer, and an array.
type Embedded struct {
	base
	*ext
	board [2]int
	flag  bool
}

func (e *Embedded) RepOK() bool {
	if !e.even() {
		return false
	}
	if e.ext == nil {
		return !e.flag
	}
	for _, b := range e.board {
		if b > e.weight {
			return false
		}
	}
	return e.heavy() == e.flag && e.deep.id != e.board[0]
}

// Items has a slice of structs.
type Items struct {
	list []item
	last *item
}

type item struct {
	key  int
	next *item
	tag  string
}

func (x Items) RepOK() bool {
	for i, it := range x.list {
		if it.key != i || it.tag == "b" {
			return false
		}
	}
	if len(x.list) > 0 {
		first := x.list[0]
		p := &x.list[len(x.list)-1]
		if first.next != p.next {
			return false
		}
	}
	switch {
	case x.last == nil:
		return len(x.list) == 0
	case x.last.next == x.last:
		return x.last.tag < "b"
	}
	return false
}

// List is generic; its predicate is a closure that calls itself.
type List[T comparable] struct {
	head *cell[T]
	n    int
}

type cell[T comparable] struct {
	value T
	next  *cell[T]
}

func (l *List[T]) Len() int { return l.n }

func (l *List[T]) RepOK() bool {
	seen := map[*cell[T]]bool{}
	var walk func(c *cell[T]) int
	walk = func(c *cell[T]) int {
		if c == nil {
			return 0
		}
		if seen[c] {
			return -100
		}
		seen[c] = true
		return 1 + walk(c.next)
	}
	return walk(l.head) == l.Len()
}

type shape interface{ corners() int }

type circle struct{ radius int }

func (c *circle) corners() int { return c.radius - c.radius }

type square struct {
	side  int
	inner shape
}

func (s *square) corners() int {
	if s.inner == nil {
		return 4
	}
	return 4 + s.inner.corners()
}

// Drawing has interfaces as fields.
type Drawing struct {
	top    shape
	number any
}

func (d *Drawing) RepOK() bool {
	n, ok := d.number.(int)
	switch s := d.top.(type) {
	case nil:
		return !ok
	case *circle:
		return ok && s.radius < n
	case *square:
		if s.inner == s {
			return false
		}
		if in, ok := s.inner.(*square); ok && in.inner != nil {
			return false
		}
		return ok && n < s.corners() && d.top.corners() > s.side
	}
	return false
}

// Helped calls another package of the module.
type Helped struct {
	chain *helper.Chain
	ranks []uint8
}

func (h *Helped) RepOK() bool {
	return h.chain != nil && h.chain.Ends() && len(h.ranks) == h.chain.Rank && helper.Ascending(h.ranks)
}

// Library calls the standard library.
type Library struct {
	list []int
	node *cell[int]
}

func (l *Library) RepOK() bool {
	if !sort.IntsAreSorted(l.list) || l.node == nil {
		return false
	}
	return slices.Contains(l.list, l.node.value) && l.node.next != l.node
}

// Printed gives the structure to fmt.
type Printed struct {
	a, b int
	next *circle
}

func (p *Printed) RepOK() bool { return fmt.Sprint(p.next, p.a) == "<nil> 1" || p.b == 2 }

// Graph is read by pointers to fields, copies of structs, parts of slices, and loops
// over maps.
type Graph struct {
	nodes []*vertex
	root  vertex
}

type vertex struct {
	out  [2]*vertex
	mark uint8
}

func (g *Graph) RepOK() bool {
	degree := map[*vertex]int{}
	copied := g.root
	if copied.mark != 0 {
		return false
	}
	rest := g.nodes
	for len(rest) > 0 {
		v := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if v == nil {
			return false
		}
		if _, ok := degree[v]; ok {
			return false
		}
		degree[v] = 0
	}
	for _, p := range []**vertex{&g.root.out[0], &g.root.out[1]} {
		if *p != nil {
			degree[*p]++
		}
	}
	sum := 0
	for v, d := range degree {
		if d > 1 || v.out[0] == v {
			return false
		}
		sum += d
	}
	all := append([]*vertex(nil), g.nodes...)
outer:
	for i, v := range all {
		for j := i; j >= 0; j-- {
			if all[j].mark > v.mark {
				continue outer
			}
			if all[j] == v.out[1] {
				break outer
			}
		}
		sum++
	}
	return sum == len(degree)
}

// Ruled has its predicate in a directive.
//
//assay:invariant r.low <= r.high && (r.next == nil || r.next.low > r.high)
type Ruled struct {
	low, high int
	next      *Ruled
}

func (r *Ruled) Len() int { return r.high - r.low }

// Chain is a list whose methods have receivers without a pointer.
type Chain struct {
	head *link
	n    int
}

type link struct{ next *link }

func (c Chain) Len() int { return c.n }
