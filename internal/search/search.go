// Package search orders the states of an exploration, for all engines that follow paths. Searchers know
// nothing about the states.
//
//  1. The engine makes a Searcher: DFS, BFS, or a Mixed one.
//  2. It pushes each state that waits, and pops the state to continue with.
//  3. Mixed prefers promising states, for example those that lead to uncovered code. As in KLEE
//     (Cadar, Dunbar, Engler, OSDI 2008), it is fair to the other states, so that no loop starves them.
//
// Searchers are deterministic: the same pushes and pops give the same order.
package search

import (
	"cmp"
	"math/rand/v2"
)

// Searcher holds the states that wait.
type Searcher[S any] interface {
	Push(S)
	// Pop removes and returns the next state. The result ok is false if there is none.
	Pop() (s S, ok bool)
	Len() int
}

// DFS is a depth-first searcher: the newest state comes first.
type DFS[S any] struct{ states []S }

// Push adds a state.
func (d *DFS[S]) Push(s S) { d.states = append(d.states, s) }

// Pop takes the newest state.
func (d *DFS[S]) Pop() (s S, ok bool) {
	n := len(d.states)
	if n == 0 {
		return s, false
	}
	s = d.states[n-1]
	var zero S
	d.states[n-1] = zero
	d.states = d.states[:n-1]
	return s, true
}

// Len returns the number of states.
func (d *DFS[S]) Len() int { return len(d.states) }

// BFS is a breadth-first searcher: the oldest state comes first.
type BFS[S any] struct {
	states []S
	head   int
}

// Push adds a state.
func (b *BFS[S]) Push(s S) { b.states = append(b.states, s) }

// Pop takes the oldest state.
func (b *BFS[S]) Pop() (s S, ok bool) {
	if b.Len() == 0 {
		return s, false
	}
	s = b.states[b.head]
	var zero S
	b.states[b.head] = zero
	b.head++
	if b.head > 64 && b.head*2 > len(b.states) {
		b.states = append(b.states[:0:0], b.states[b.head:]...)
		b.head = 0
	}
	return s, true
}

// Len returns the number of states.
func (b *BFS[S]) Len() int { return len(b.states) - b.head }

// Mixed takes promising states first. Among the other states it takes in turns the oldest one, the shallowest
// of a few random ones, and sometimes the newest. It is thus fair, prefers short paths as a random walk from
// the root does, and still goes deep. If no state has been promising for long, the remaining states only have
// to be finished. Then it mostly takes the newest state, so that few states wait at the same time. The more
// states there are, the more rarely it takes another one.
type Mixed[S any] struct {
	// Patience is after how many turns without a promising state the newest states come first; 0 means
	// 10,000.
	Patience int

	promising func(S) bool
	depth     func(S) int
	first     BFS[S]
	rest      []S
	head      int
	turn      int
	idle      int // turns since the last promising state
	// sinceFair counts the turns since a turn has last taken another state than the newest. After Patience
	// one of n turns does, if n states wait.
	sinceFair int
	rnd       *rand.Rand
}

// NewMixed returns a searcher. The function promising says whether a state is promising when it is pushed,
// and depth returns its depth.
func NewMixed[S any](seed uint64, promising func(S) bool, depth func(S) int) *Mixed[S] {
	return &Mixed[S]{promising: promising, depth: depth, rnd: rand.New(rand.NewPCG(seed, 0x5eed))}
}

// Push adds a state.
func (m *Mixed[S]) Push(s S) {
	if m.promising(s) {
		m.idle = 0
		m.first.Push(s)
		return
	}
	m.rest = append(m.rest, s)
}

// Every newestTurn-th turn takes the newest state. The constant samples is how many random states are
// compared.
const (
	newestTurn = 4
	samples    = 4
)

// Pop takes the next state.
func (m *Mixed[S]) Pop() (s S, ok bool) {
	if s, ok = m.first.Pop(); ok {
		return s, true
	}
	n := len(m.rest) - m.head
	if n == 0 {
		return s, false
	}
	m.turn++
	m.idle++
	m.sinceFair++
	var zero S
	last := len(m.rest) - 1
	newest := m.turn%newestTurn == 0
	if m.idle > cmp.Or(m.Patience, 10_000) {
		newest = m.sinceFair < n
	}
	if !newest {
		m.sinceFair = 0
	}
	switch {
	case newest:
	case m.turn%2 == 0: // the oldest
		s = m.rest[m.head]
		m.rest[m.head] = zero
		m.head++
		if m.head > 64 && m.head*2 > len(m.rest) {
			m.rest = append(m.rest[:0:0], m.rest[m.head:]...)
			m.head = 0
		}
		return s, true
	default:
		best := m.head + m.rnd.IntN(n)
		for range samples - 1 {
			if i := m.head + m.rnd.IntN(n); m.depth(m.rest[i]) < m.depth(m.rest[best]) {
				best = i
			}
		}
		m.rest[best], m.rest[last] = m.rest[last], m.rest[best]
	}
	s = m.rest[last]
	m.rest[last] = zero
	m.rest = m.rest[:last]
	return s, true
}

// Len returns the number of states.
func (m *Mixed[S]) Len() int { return m.first.Len() + len(m.rest) - m.head }
