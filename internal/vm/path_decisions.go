package vm

// trail holds the decisions of a path, in a list that grows at its end only. A path sees the first of them up
// to its own number. The first of several forks that grows uses the free places of the last chunk, and the
// others begin new chunks. Every branch on a symbol adds a decision, also if its outcome is implied.
// Decisions are therefore numbers without pointers, and the chunks of finished states are reused. The zero
// value is empty.
type trail struct {
	tail *trailChunk
	n    int
}

// decision is the number of a branch's site, and the way that it went.
type decision int32

func (d decision) site() int32 { return int32(d >> 1) }
func (d decision) taken() bool { return d&1 != 0 }

const trailChunkLen = 24

type trailChunk struct {
	prev  *trailChunk
	first int // how many decisions come before this chunk
	used  int32
	refs  int32 // how many trails end in the chunk, and how many chunks follow it
	items [trailChunkLen]decision
}

// share says that there is another trail like this one, a copy.
func (t *trail) share() {
	if t.tail != nil {
		t.tail.refs++
	}
}

// release gives back memory that only this trail holds.
func (t *trail) release(p *recycler) {
	for c := t.tail; c != nil; {
		if c.refs--; c.refs > 0 {
			break
		}
		prev := c.prev
		c.prev = nil
		p.chunks = append(p.chunks, c)
		c = prev
	}
	*t = trail{}
}

// push adds a decision.
func (t *trail) push(p *recycler, site int32, taken bool) {
	d := decision(site << 1)
	if taken {
		d++
	}
	c, k := t.tail, 0
	if c != nil {
		k = t.n - c.first
	}
	if c == nil || k == trailChunkLen || int(c.used) != k {
		next := p.chunk()
		next.prev, next.first, next.refs = c, t.n, 1 // the reference to t passes from c to next
		t.tail, c, k = next, next, 0
	}
	c.items[k] = d
	c.used = int32(k + 1)
	t.n++
}

func (p *recycler) chunk() *trailChunk {
	if n := len(p.chunks); n > 0 {
		c := p.chunks[n-1]
		p.chunks = p.chunks[:n-1]
		return c
	}
	return new(trailChunk)
}

// decisions returns all decisions, the oldest first.
func (t *trail) decisions() []decision {
	out := make([]decision, t.n)
	k := t.n
	for c := t.tail; c != nil; c = c.prev {
		copy(out[c.first:k], c.items[:])
		k = c.first
	}
	return out
}
