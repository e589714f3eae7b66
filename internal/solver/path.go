package solver

import "github.com/goassay/assay/internal/term"

// A PathCond is the path condition of one state: conjuncts in the order in which they were assumed. Forks
// share their common part. A PathCond belongs to its Context.
//
// Besides the conjuncts it holds their content in forms that are fast to query: for each leaf the set of
// values that its own conjuncts allow (domain.go), and the order between leaves (order.go). A leaf that
// occurs in no other kind of conjunct is completely described by these forms and is called free. The model
// has the values of the leaves that are not free; a free leaf gets a value when it is needed
// (materialise.go).
type PathCond struct {
	x    *Context
	tail *chunk // the newest conjuncts
	n    int    // the number of conjuncts
	sig  uint64 // a hash of the sequence of conjuncts
	// model is shared and never changes; nil means that all leaves are zero. If stale is set, the model may
	// be wrong.
	model *term.Model
	stale bool
	tired bool // the backend has given up on the whole path once
	dead  bool // a false condition was assumed
	pages []*page
	ord   *order
}

const chunkLen = 14

// chunk is a piece of a list of conjuncts that grows at its end only. A path sees the first of them up to its
// own count. The first of several forks that grows uses the free places. The other forks begin new chunks.
type chunk struct {
	prev  *chunk
	prevN int32 // how many of prev's conjuncts come before this chunk
	used  int32
	refs  int32
	first int32 // how many conjuncts come before this chunk
	items [chunkLen]term.ID
}

// NewPath returns the empty path condition.
func (x *Context) NewPath() *PathCond { return x.newPath() }

func (x *Context) newPath() *PathCond {
	if n := len(x.freePaths); n > 0 {
		p := x.freePaths[n-1]
		x.freePaths = x.freePaths[:n-1]
		return p
	}
	return &PathCond{x: x}
}

// Fork returns a path condition that is the same now and changes independently from now on.
func (p *PathCond) Fork() *PathCond {
	q := p.x.newPath()
	pages := append(q.pages[:0], p.pages...)
	*q = *p
	q.pages = pages
	if p.tail != nil {
		p.tail.refs++
	}
	for _, g := range pages {
		if g != nil {
			g.refs++
		}
	}
	if p.ord != nil {
		p.ord.refs++
	}
	return q
}

// Release gives back memory that only this path holds. The path must not be used again.
func (p *PathCond) Release() {
	x := p.x
	for c := p.tail; c != nil; {
		if c.refs--; c.refs > 0 {
			break
		}
		prev := c.prev
		*c = chunk{}
		x.freeChunks = append(x.freeChunks, c)
		c = prev
	}
	for i, g := range p.pages {
		if g != nil {
			x.dropPage(g)
			p.pages[i] = nil
		}
	}
	if p.ord != nil {
		x.dropOrder(p.ord)
	}
	*p = PathCond{x: x, pages: p.pages[:0]}
	x.freePaths = append(x.freePaths, p)
}

// Len returns the number of conjuncts.
func (p *PathCond) Len() int { return p.n }

// Conjuncts returns the conjuncts in the order they were assumed.
func (p *PathCond) Conjuncts() []term.ID {
	out := make([]term.ID, p.n)
	p.each(func(i int, c term.ID) bool { out[i] = c; return true })
	return out
}

// String shows the conjuncts for people.
func (p *PathCond) String() string { return p.x.st.String(p.x.st.AndAll(p.Conjuncts()...)) }

// each calls f with the conjuncts and their positions, the newest first, until f returns false.
func (p *PathCond) each(f func(i int, c term.ID) bool) {
	i := p.n
	c := p.tail
	if c == nil {
		return
	}
	k := p.n - int(c.first)
	for {
		for k--; k >= 0; k-- {
			i--
			if !f(i, c.items[k]) {
				return
			}
		}
		k = int(c.prevN)
		if c = c.prev; c == nil {
			return
		}
	}
}

// push adds a conjunct to the list.
func (p *PathCond) push(c term.ID) {
	t := p.tail
	k := 0
	if t != nil {
		k = p.n - int(t.first)
	}
	if t == nil || k == chunkLen || int(t.used) != k {
		n := p.x.newChunk()
		n.prev, n.prevN, n.first, n.refs = t, int32(k), int32(p.n), 1 // the reference to t passes from p to n
		p.tail, t, k = n, n, 0
	}
	t.items[k] = c
	t.used = int32(k + 1)
	p.n++
	p.sig = (p.sig ^ uint64(c)) * 0x9E3779B97F4A7C15
	p.sig ^= p.sig >> 29
}

func (x *Context) newChunk() *chunk {
	if n := len(x.freeChunks); n > 0 {
		c := x.freeChunks[n-1]
		x.freeChunks = x.freeChunks[:n-1]
		return c
	}
	return new(chunk)
}
