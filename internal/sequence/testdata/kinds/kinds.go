// Package kinds holds small types whose states are not only integers behind a
// constructor.
package kinds

import "cmp"

// Counter has no constructor: its zero value is ready.
type Counter struct {
	n, limit int
}

// SetLimit bounds the count.
func (c *Counter) SetLimit(n int) { c.limit = n }

// Add counts n more.
func (c *Counter) Add(n int) bool {
	if n < 0 || c.n+n > c.limit {
		return false
	}
	c.n += n
	return true
}

// Full looks at the count by value.
func (c Counter) Full() bool { return c.limit > 0 && c.n == c.limit }

// Names is a set of text in the order of insertion.
type Names struct {
	list []string
}

// NewNames returns an empty set.
func NewNames() *Names { return &Names{} }

// Insert adds a name that is not empty.
func (s *Names) Insert(name string) bool {
	if name == "" {
		return false
	}
	for _, n := range s.list {
		if n == name {
			return false
		}
	}
	s.list = append(s.list, name)
	return true
}

// Drop removes the last name.
func (s *Names) Drop() {
	if len(s.list) > 0 {
		s.list = s.list[:len(s.list)-1]
	}
}

// Set is a generic sorted set.
type Set[K cmp.Ordered] struct {
	keys []K
}

// NewSet returns an empty set.
func NewSet[K cmp.Ordered]() *Set[K] { return &Set[K]{} }

// Add inserts k.
func (s *Set[K]) Add(k K) {
	at := 0
	for at < len(s.keys) && s.keys[at] < k {
		at++
	}
	if at < len(s.keys) && s.keys[at] == k {
		return
	}
	s.keys = append(s.keys, k)
	copy(s.keys[at+1:], s.keys[at:])
	s.keys[at] = k
}

// Union adds all of t.
func (s *Set[K]) Union(t *Set[K]) {
	for _, k := range t.keys {
		s.Add(k)
	}
}

// Len counts.
func (s *Set[K]) Len() int { return len(s.keys) }

// Queue is a ring that moves along its array.
type Queue struct {
	items []int
}

// Put appends v.
func (q *Queue) Put(v int) { q.items = append(q.items, v) }

// Get takes the first out; it panics if there is none.
func (q *Queue) Get() int {
	v := q.items[0]
	q.items = q.items[1:]
	return v
}

// Bag counts by key in a map.
type Bag struct {
	count map[int]int
	total int
}

// NewBag returns an empty bag.
func NewBag() *Bag { return &Bag{count: map[int]int{}} }

// Add counts k once more.
func (b *Bag) Add(k int) {
	b.count[k]++
	b.total++
}

// Remove takes k away once.
func (b *Bag) Remove(k int) bool {
	n, ok := b.count[k]
	if !ok {
		return false
	}
	if n == 1 {
		delete(b.count, k)
	} else {
		b.count[k] = n - 1
	}
	b.total--
	return true
}

// Sorted keeps numbers in order, or should.
type Sorted struct {
	list []int
}

// RepOK reports whether the numbers are in order.
func (s *Sorted) RepOK() bool {
	for i := 1; i < len(s.list); i++ {
		if s.list[i-1] > s.list[i] {
			return false
		}
	}
	return true
}

// Insert adds v; it forgets all but the last number.
func (s *Sorted) Insert(v int) {
	if n := len(s.list); n > 1 && s.list[n-1] > v {
		s.list = append(s.list[:n-1], v, s.list[n-1])
		return
	}
	s.list = append(s.list, v)
}

// Clear removes all.
func (s *Sorted) Clear() { s.list = nil }
