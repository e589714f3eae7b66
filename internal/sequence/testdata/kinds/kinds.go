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

// Pile merges with another pile of the type.
type Pile struct {
	list []int
}

// Push puts v on top.
func (p *Pile) Push(v int) { p.list = append(p.list, v) }

// Pour moves all of q onto p. Two of q's in the wrong order are a case of their own, which
// only a q that two calls have filled shows.
func (p *Pile) Pour(q *Pile) bool {
	if p == q {
		return false
	}
	sorted := true
	for i, v := range q.list {
		if i > 0 && q.list[i-1] > v {
			sorted = false
		}
	}
	p.list = append(p.list, q.list...)
	q.list = nil
	return sorted
}

// Span is a value with a constructor that may fail.
type Span struct {
	lo, hi int
}

// NewSpan returns the numbers from lo to hi.
func NewSpan(lo, hi int) (Span, bool) { return Span{lo, hi}, lo < hi }

// Grow extends it.
func (s *Span) Grow() {
	if s.hi < 1000 {
		s.hi++
	}
}

// Meets reports whether two have numbers in common.
func (s Span) Meets(t Span) bool { return s.lo < t.hi && t.lo < s.hi }

// Item has a size.
type Item interface{ Size() int }

// Box is an item of any size.
type Box struct{ N int }

// Size is the box's.
func (b Box) Size() int { return b.N }

// Coin is an item.
type Coin struct{}

// Size is that of a coin.
func (Coin) Size() int { return 1 }

// Shelf holds items.
type Shelf struct {
	items []Item
	room  int
}

// NewShelf returns an empty shelf.
func NewShelf() *Shelf { return &Shelf{room: 5} }

// Put adds an item that fits.
func (s *Shelf) Put(i Item) bool {
	if i == nil || i.Size() < 0 || i.Size() > s.room {
		return false
	}
	s.items = append(s.items, i)
	s.room -= i.Size()
	return true
}

// Last is the item that was put there last.
func (s *Shelf) Last() Item {
	if len(s.items) == 0 {
		return nil
	}
	return s.items[len(s.items)-1]
}

// Log collects numbers, several at a time.
type Log struct {
	all []int
}

// Append adds numbers.
func (l *Log) Append(vs []int) int {
	if len(vs) > 1 && vs[0] == vs[1] {
		vs = vs[1:]
	}
	l.all = append(l.all, vs...)
	return len(l.all)
}

// Has reports whether v is there.
func (l *Log) Has(v int) bool {
	for _, w := range l.all {
		if v == w {
			return true
		}
	}
	return false
}

// Cache is keyed by text.
type Cache struct {
	m map[string]int
}

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{m: map[string]int{}} }

// Set keeps v under the key and reports whether there was one.
func (c *Cache) Set(key string, v int) bool {
	_, ok := c.m[key]
	c.m[key] = v
	return ok
}

// Get returns what is kept under the key.
func (c *Cache) Get(key string) (int, bool) {
	v, ok := c.m[key]
	return v, ok
}

// Clock has a state for each tick: nothing ends its exploration but a budget.
type Clock struct{ ticks int }

// Tick counts.
func (c *Clock) Tick() struct{} {
	c.ticks++
	return struct{}{}
}

// Pair holds the least and the greatest of what it was given.
type Pair struct {
	n, lo, hi int
}

// Give takes v.
func (p *Pair) Give(v int) {
	switch {
	case p.n == 0:
		p.lo, p.hi = v, v
	case v < p.lo:
		p.lo = v
	case v > p.hi:
		p.hi = v
	}
	p.n++
}

// Forget starts to count anew, with what it holds.
func (p *Pair) Forget() { p.n = 2 }

// Least looks for a number that nothing but the type's own least value is below: three
// different ones that are not above it do not fit.
func (p *Pair) Least() bool {
	if p.n == 2 && p.lo < p.hi && p.hi == -1<<63+1 {
		return true
	}
	return false
}
