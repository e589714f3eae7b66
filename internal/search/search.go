// Package search orders the states of an exploration, for all engines that follow paths. Searchers know
// nothing about the states, except what two functions tell a Mixed one: whether a state is promising, and how
// deep it is.
//
//  1. The engine makes a Searcher: DFS, BFS, or a Mixed one.
//  2. It pushes each state that waits, and pops the state to continue with.
//  3. Mixed takes promising states first, for example those that lead to uncovered code. Among the others
//     it is fair, as in KLEE (Cadar, Dunbar, Engler, OSDI 2008), so that no loop starves them.
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

// queue holds states in the order in which they came.
type queue[S any] struct {
	states []S
	head   int // the states before it were taken
}

func (q *queue[S]) push(s S) { q.states = append(q.states, s) }

func (q *queue[S]) len() int { return len(q.states) - q.head }

// takeOldest removes and returns the state that came first.
func (q *queue[S]) takeOldest() S {
	s := q.states[q.head]
	var zero S
	q.states[q.head] = zero // so that the state can be collected
	q.head++
	if q.head > 64 && q.head*2 > len(q.states) {
		q.states = append(q.states[:0:0], q.states[q.head:]...) // a copy, so that the memory of what was taken is freed
		q.head = 0
	}
	return s
}

// takeNewest removes and returns the state that came last.
func (q *queue[S]) takeNewest() S {
	last := len(q.states) - 1
	s := q.states[last]
	var zero S
	q.states[last] = zero
	q.states = q.states[:last]
	return s
}

// at returns the i-th oldest state without removing it.
func (q *queue[S]) at(i int) S { return q.states[q.head+i] }

// ref returns where the i-th oldest state is.
func (q *queue[S]) ref(i int) *S { return &q.states[q.head+i] }

// takeAt removes and returns the state that at returns. The newest state moves to its place, because moving
// all states behind it would take long. So the order is only nearly the one in which the states came.
func (q *queue[S]) takeAt(i int) S {
	last := len(q.states) - 1
	q.states[q.head+i], q.states[last] = q.states[last], q.states[q.head+i]
	return q.takeNewest()
}

// DFS is a depth-first searcher: the newest state comes first.
type DFS[S any] struct{ states queue[S] }

// Push adds a state.
func (d *DFS[S]) Push(s S) { d.states.push(s) }

// Pop takes the newest state.
func (d *DFS[S]) Pop() (s S, ok bool) {
	if d.Len() == 0 {
		return s, false
	}
	return d.states.takeNewest(), true
}

// Len returns the number of states.
func (d *DFS[S]) Len() int { return d.states.len() }

// BFS is a breadth-first searcher: the oldest state comes first.
type BFS[S any] struct{ states queue[S] }

// Push adds a state.
func (b *BFS[S]) Push(s S) { b.states.push(s) }

// Pop takes the oldest state.
func (b *BFS[S]) Pop() (s S, ok bool) {
	if b.Len() == 0 {
		return s, false
	}
	return b.states.takeOldest(), true
}

// Len returns the number of states.
func (b *BFS[S]) Len() int { return b.states.len() }

// Mixed takes promising states first, in the order in which they were pushed. When none waits, one turn in four
// takes the newest state, one the oldest, one the shallowest of a few random ones, and one the state that is nearest to what it is
// looked for (or another shallow one, if no Distance says which that is). Mixed is thus fair, prefers short paths as a random walk
// from the root does, and still goes deep.
//
// If no state has been promising for long, the remaining states only have to be finished. Then Mixed mostly
// takes the newest state, so that few states wait at the same time. A state other than the newest has a turn as
// soon as each waiting state could have had one, and at the latest after mostNewest turns. These turns alternate
// between a shallow state and the oldest.
//
// Newest and oldest are only nearly so: when a random state is taken, the newest one moves to its place.
type Mixed[S any] struct {
	// Patience is the number of turns without a promising state after which Pop mostly takes the newest
	// state; 0 means 10,000.
	Patience int
	// Distance says how far a state is from what the search is for, and Epoch returns another number when distances may have changed.
	// They are optional; there is none without the other.
	Distance, Epoch func(S) int

	promising func(S) bool
	depth     func(S) int
	first     BFS[S]           // the promising states
	rest      queue[placed[S]] // the other states
	turn      int              // turns in which no promising state waited
	idle      int              // such turns since the last promising state came

	// What follows is for the nearest states (see nearest).
	epoch    int       // for which the distances hold
	measured int       // the turn in which all distances were computed
	vain     [near]int // by distance: turns of such states since the last promising state came

	// What follows counts for turns behind Patience alone (see newestIsDue).
	newestInARow int  // how many turns in a row have taken the newest state
	waitedAtFair int  // how many states waited when a state other than the newest last had its turn
	oldestIsNext bool // whether the next such turn is the oldest state's

	rnd *rand.Rand
}

// placed is a state with its distance when that was last computed.
type placed[S any] struct {
	state    S
	distance int
}

// NewMixed returns a searcher. The function promising says whether a state is promising when it is pushed,
// and depth returns its depth.
func NewMixed[S any](seed uint64, promising func(S) bool, depth func(S) int) *Mixed[S] {
	return &Mixed[S]{promising: promising, depth: depth, rnd: rand.New(rand.NewPCG(seed, 0x5eed))}
}

// Push adds a state.
func (m *Mixed[S]) Push(s S) {
	if m.promising(s) {
		m.idle, m.vain = 0, [near]int{}
		m.first.Push(s)
		return
	}
	m.rest.push(placed[S]{s, m.distance(s)})
}

// distance returns a state's distance, or 0 if nobody says which it is.
func (m *Mixed[S]) distance(s S) int {
	if m.Distance == nil {
		return 0
	}
	return m.Distance(s)
}

// Pop takes the next state.
func (m *Mixed[S]) Pop() (s S, ok bool) {
	if s, ok = m.first.Pop(); ok {
		return s, true
	}
	if m.rest.len() == 0 {
		return s, false
	}
	m.turn++
	m.idle++
	if m.newestIsDue() {
		m.newestInARow++
		return m.rest.takeNewest().state, true
	}
	m.newestInARow = 0
	m.waitedAtFair = m.rest.len()
	oldest := m.turn%2 == 0
	if m.impatient() { // the number of the turn does not alternate here: between two such turns any number may lie
		oldest, m.oldestIsNext = m.oldestIsNext, !m.oldestIsNext
	}
	if oldest {
		return m.rest.takeOldest().state, true
	}
	if m.Distance != nil && m.turn%newestTurn == 1 {
		if i, ok := m.nearest(); ok {
			return m.rest.takeAt(i).state, true
		}
	}
	return m.rest.takeAt(m.shallow()).state, true
}

// measureTurns is the least number of turns between two computations of all distances.
const measureTurns = 32

// What a state is near to may be out of its reach. So each vainTurns turns of states at one distance, without a promising state, count
// as if these states were one step farther away, up to the distance near.
const (
	vainTurns = 4
	near      = 64
)

// nearest returns the place of the state that is nearest to what is looked for, of several the newest: it has gone farther. The result
// ok is false if no state is near.
func (m *Mixed[S]) nearest() (best int, ok bool) {
	if now := m.Epoch(m.rest.at(0).state); now != m.epoch && m.turn-m.measured >= measureTurns {
		m.epoch, m.measured = now, m.turn
		for i := range m.rest.len() {
			p := m.rest.ref(i)
			p.distance = m.Distance(p.state)
		}
	}
	least := near
	for i := range m.rest.len() {
		d := m.rest.ref(i).distance
		if d >= near {
			continue
		}
		if d += m.vain[d] / vainTurns; d <= least {
			best, least, ok = i, d, true
		}
	}
	if ok {
		m.vain[m.rest.ref(best).distance]++
	}
	return best, ok
}

// newestTurn: while Patience lasts, every newestTurn-th turn takes the newest state. The other even turns take the
// oldest state, and the odd turns a shallow one.
const newestTurn = 4

// impatient reports whether no state has been promising for long.
func (m *Mixed[S]) impatient() bool { return m.idle > cmp.Or(m.Patience, 10_000) }

// newestIsDue reports whether this turn takes the newest state.
func (m *Mixed[S]) newestIsDue() bool {
	if !m.impatient() {
		return m.turn%newestTurn == 0
	}
	// The states that wait now are no bound for the turns of the newest one: where each state makes two others, one more
	// waits after each turn, and the bound would never be reached. What waited at the last turn of another state is
	// one, but in such a tree it doubles from one of these turns to the next, so there is a fixed bound as well.
	return m.newestInARow+1 < min(m.waitedAtFair, m.rest.len(), mostNewest)
}

// mostNewest is one more than the largest number of turns in a row that take the newest state behind Patience.
const mostNewest = 256

// samples is how many random states are compared.
const samples = 4

// shallow returns the place of the shallowest of a few random states.
func (m *Mixed[S]) shallow() int {
	n := m.rest.len()
	best := m.rnd.IntN(n)
	for range samples - 1 {
		if i := m.rnd.IntN(n); m.depth(m.rest.at(i).state) < m.depth(m.rest.at(best).state) {
			best = i
		}
	}
	return best
}

// Len returns the number of states.
func (m *Mixed[S]) Len() int { return m.first.Len() + m.rest.len() }
