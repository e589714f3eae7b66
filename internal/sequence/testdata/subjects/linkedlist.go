package subjects

// LinkedList is a circular, doubly linked list with a header.
type LinkedList struct {
	header *link
	size   int
}

type link struct {
	value      int
	next, prev *link
}

// NewLinkedList returns an empty list.
func NewLinkedList() *LinkedList {
	h := &link{}
	h.next, h.prev = h, h
	return &LinkedList{header: h}
}

// Add appends v.
func (l *LinkedList) Add(v int) {
	e := &link{value: v, next: l.header, prev: l.header.prev}
	e.prev.next, e.next.prev = e, e
	l.size++
}

// Remove deletes the first v and reports whether there was one.
func (l *LinkedList) Remove(v int) bool {
	for e := l.header.next; e != l.header; e = e.next {
		if e.value == v {
			l.unlink(e)
			return true
		}
	}
	return false
}

// RemoveLast deletes and returns the last element; it panics if the list is empty.
func (l *LinkedList) RemoveLast() int {
	e := l.header.prev
	if e == l.header {
		panic("RemoveLast of an empty list")
	}
	l.unlink(e)
	return e.value
}

func (l *LinkedList) unlink(e *link) {
	e.prev.next, e.next.prev = e.next, e.prev
	l.size--
}
