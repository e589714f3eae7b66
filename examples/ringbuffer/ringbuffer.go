// Package ringbuffer shows tests made of method sequences, and what is left of many
// failing ones: whatever is enqueued before, it is Enqueue(-1) that panics.
package ringbuffer

import "errors"

// MaxCapacity is the most elements that a buffer can hold.
const MaxCapacity = 1 << 16

// The errors of a buffer.
var (
	ErrFull  = errors.New("ringbuffer: full")
	ErrEmpty = errors.New("ringbuffer: empty")
)

// missing is the value that stands for a reading that was not taken.
const missing = -1

// RingBuffer is a queue of readings with a fixed capacity. A nil *RingBuffer is one
// without capacity.
type RingBuffer struct {
	buf   []float64
	head  int // index of the oldest element
	n     int
	stats *stats
}

// stats counts what a buffer has seen.
type stats struct {
	missing int
}

// New returns an empty buffer for the given number of elements. It panics if
// capacity is negative or above MaxCapacity.
func New(capacity int) *RingBuffer {
	if capacity < 0 || capacity > MaxCapacity {
		panic("ringbuffer: capacity out of range")
	}
	return &RingBuffer{buf: make([]float64, capacity)}
}

// Len returns the number of elements.
func (b *RingBuffer) Len() int {
	if b == nil {
		return 0
	}
	return b.n
}

// IsEmpty reports whether there is nothing to dequeue.
func (b *RingBuffer) IsEmpty() bool { return b.Len() == 0 }

// IsFull reports whether there is no room for another element.
func (b *RingBuffer) IsFull() bool { return b == nil || b.n == len(b.buf) }

// Enqueue appends x. It returns ErrFull if there is no room.
func (b *RingBuffer) Enqueue(x float64) error {
	if b == nil {
		return ErrFull
	}
	if x == missing {
		b.stats.missing++ // the defect: New makes no stats
	}
	if b.IsFull() {
		return ErrFull
	}
	b.buf[(b.head+b.n)%len(b.buf)] = x
	b.n++
	return nil
}

// Dequeue removes and returns the oldest element. It returns ErrEmpty if there is
// none.
func (b *RingBuffer) Dequeue() (float64, error) {
	if b.IsEmpty() {
		return 0, ErrEmpty
	}
	x := b.buf[b.head]
	b.head = (b.head + 1) % len(b.buf)
	b.n--
	return x, nil
}

// Peek returns the oldest element without removing it, and whether there is one.
func (b *RingBuffer) Peek() (x float64, ok bool) {
	if b.IsEmpty() {
		return 0, false
	}
	return b.buf[b.head], true
}
