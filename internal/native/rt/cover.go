package assayrt

import (
	"encoding/binary"
	"sync/atomic"
)

// Hit counts a block in a build with the race detector.
func Hit(counters []uint32, i int) { atomic.StoreUint32(&counters[i], 1) }

// coverage collects the counters of a case into bit sets and numbers the different sets, because most cases
// cover the same blocks as earlier ones.
type coverage struct {
	bytes []byte
	words []uint32
	bits  []uint64
	key   []byte
	seen  map[string]int
	saved []byte // counters set aside while harness code calls methods of the package
}

func newCoverage(r *Registry) *coverage {
	n := max(len(r.Cover), len(r.Cover32))
	return &coverage{
		bytes: r.Cover,
		words: r.Cover32,
		bits:  make([]uint64, (n+63)/64),
		key:   make([]byte, (n+63)/64*8),
		saved: make([]byte, len(r.Cover)),
		seen:  map[string]int{},
	}
}

// clear resets the counters.
func (c *coverage) clear() {
	clear(c.bytes)
	for i := range c.words {
		atomic.StoreUint32(&c.words[i], 0)
	}
}

// pause saves the counters; resume restores them.
func (c *coverage) pause()  { copy(c.saved, c.bytes) }
func (c *coverage) resume() { copy(c.bytes, c.saved) }

// send writes the set of blocks that ran: its number, followed by its words if the number is new.
func (c *coverage) send(w *Writer) {
	clear(c.bits)
	n := len(c.bytes)
	i := 0
	// The counters are 0 or 1, so one multiplication collects eight of them.
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(c.bytes[i:]); x != 0 {
			c.bits[i>>6] |= (x * 0x0102040810204080 >> 56) << (i & 63)
		}
	}
	for ; i < n; i++ {
		c.bits[i>>6] |= uint64(c.bytes[i]) << (i & 63)
	}
	for i := range c.words {
		c.bits[i>>6] |= uint64(atomic.LoadUint32(&c.words[i])) << (i & 63)
	}
	for i, x := range c.bits {
		binary.LittleEndian.PutUint64(c.key[i*8:], x)
	}
	id, ok := c.seen[string(c.key)]
	if !ok {
		id = len(c.seen)
		c.seen[string(c.key)] = id
	}
	w.Num(id)
	w.Bool(!ok)
	if !ok {
		w.Num(len(c.bits))
		for _, x := range c.bits {
			w.Bits(x)
		}
	}
}
