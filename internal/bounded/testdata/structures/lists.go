package structures

import "github.com/goassay/assay/finite"

// Element is what lists contain.
type Element struct{ name string }

// SinglyLinkedList is a list behind a header without an element.
type SinglyLinkedList struct {
	header *SingleEntry
	size   int
}

// SingleEntry is an entry of a SinglyLinkedList.
type SingleEntry struct {
	element *Element
	next    *SingleEntry
}

// RepOK reports whether the list ends, all but the header have elements, and size is
// their number.
func (l *SinglyLinkedList) RepOK() bool {
	if l.header == nil || l.header.element != nil {
		return false
	}
	visited := map[*SingleEntry]bool{l.header: true}
	for e := l.header; ; {
		next := e.next
		if next == nil {
			break
		}
		if next.element == nil || visited[next] {
			return false
		}
		visited[next] = true
		e = next
	}
	return len(visited)-1 == l.size
}

func finSinglyLinkedList(n int) *finite.Finitization {
	f := finite.New(SinglyLinkedList{})
	entries := f.Objects(SingleEntry{}, n+1)
	elements := f.Objects(Element{}, n+1)
	f.Set("header", finite.Nil, entries)
	f.Set("size", finite.Ints(n, n))
	f.Set("SingleEntry.element", finite.Nil, elements)
	f.Set("SingleEntry.next", finite.Nil, entries)
	return f
}

// DoublyLinkedList is a ring whose header has an element, unless it is empty.
type DoublyLinkedList struct {
	header *DoubleEntry
	size   int
}

// DoubleEntry is an entry of a DoublyLinkedList.
type DoubleEntry struct {
	element        *Element
	next, previous *DoubleEntry
}

// RepOK reports whether it is a ring of size entries.
func (l *DoublyLinkedList) RepOK() bool {
	if l.header == nil {
		return false
	}
	if l.header.element == nil {
		return l.size == 0 && l.header.next == l.header && l.header.previous == l.header
	}
	n := ring(l.header, func(e *DoubleEntry) *DoubleEntry { return e.next }, func(e *DoubleEntry) *DoubleEntry { return e.previous })
	return n >= 0 && n == l.size
}

// ring follows the entries of a ring and returns how many there are, the header included,
// or -1 if it is no ring.
func ring[E comparable](header E, next, previous func(E) E) int {
	var none E
	visited := map[E]bool{header: true}
	e := header
	for {
		after := next(e)
		if after == none || previous(after) != e {
			return -1
		}
		e = after
		if visited[after] {
			break
		}
		visited[after] = true
	}
	if e != header {
		return -1
	}
	return len(visited)
}

func finDoublyLinkedList(n int) *finite.Finitization {
	f := finite.New(DoublyLinkedList{})
	entries := f.Objects(DoubleEntry{}, n+1)
	elements := f.Objects(Element{}, n+1)
	f.Set("header", finite.Nil, entries)
	f.Set("size", finite.Ints(n, n))
	f.Set("DoubleEntry.element", finite.Nil, elements)
	f.Set("DoubleEntry.next", finite.Nil, entries)
	f.Set("DoubleEntry.previous", finite.Nil, entries)
	return f
}

// SortedList is a ring of numbers in order behind a header without one.
type SortedList struct {
	header *SortedEntry
	size   int
}

// SortedEntry is an entry of a SortedList. Its element is nil or an int.
type SortedEntry struct {
	element        any
	next, previous *SortedEntry
}

// RepOK reports whether it is a ring of size numbers in order.
func (l *SortedList) RepOK() bool {
	if l.header == nil || l.header.element != nil {
		return false
	}
	n := ring(l.header, func(e *SortedEntry) *SortedEntry { return e.next }, func(e *SortedEntry) *SortedEntry { return e.previous })
	if n < 0 || n-1 != l.size {
		return false
	}
	if l.header.next != l.header {
		if _, ok := l.header.next.element.(int); !ok {
			return false
		}
	}
	for e := l.header.next; e.next != l.header; e = e.next {
		after, ok := e.next.element.(int)
		if !ok || e.element.(int) > after {
			return false
		}
	}
	return true
}

func finSortedList(n int) *finite.Finitization {
	f := finite.New(SortedList{})
	entries := f.Objects(SortedEntry{}, n+1)
	f.Set("header", finite.Nil, entries)
	f.Set("size", finite.Ints(n, n))
	f.Set("SortedEntry.element", finite.Nil, finite.Ints(1, n))
	f.Set("SortedEntry.next", finite.Nil, entries)
	f.Set("SortedEntry.previous", finite.Nil, entries)
	return f
}
