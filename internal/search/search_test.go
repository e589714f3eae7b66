package search

import (
	"math/bits"
	"slices"
	"testing"
)

func depth(x int) int { return x }

func drain(s Searcher[int]) []int {
	var out []int
	for {
		x, ok := s.Pop()
		if !ok {
			return out
		}
		out = append(out, x)
	}
}

func TestOrder(t *testing.T) {
	tests := []struct {
		name string
		s    Searcher[int]
		want []int
	}{
		{"depth first", &DFS[int]{}, []int{4, 3, 2, 1}},
		{"breadth first", &BFS[int]{}, []int{1, 2, 3, 4}},
		{"promising first, oldest of them first", NewMixed(1, func(x int) bool { return x < 4 }, depth), []int{1, 2, 3, 4}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for i := 1; i <= 4; i++ {
				tt.s.Push(i)
			}
			if got := drain(tt.s); !slices.Equal(got, tt.want) {
				t.Errorf("order %v, want %v", got, tt.want)
			}
			if tt.s.Len() != 0 {
				t.Errorf("Len() = %d after the last", tt.s.Len())
			}
		})
	}
}

// With every searcher each state comes once, and the same pushes have the same order.
func TestMixedIsCompleteAndDeterministic(t *testing.T) {
	run := func() []int {
		m := NewMixed(7, func(x int) bool { return x%10 == 0 }, depth)
		var out []int
		for i := range 1000 {
			m.Push(i)
			if i%3 == 0 {
				x, _ := m.Pop()
				out = append(out, x)
			}
		}
		return append(out, drain(m)...)
	}
	a, b := run(), run()
	if !slices.Equal(a, b) {
		t.Error("two runs differ")
	}
	slices.Sort(a)
	for i, x := range a {
		if x != i {
			t.Fatalf("state %d came as %d", i, x)
		}
	}
}

// If no state is promising, few states wait at a time, and the oldest one still gets its turn.
func TestMixedGetsThrough(t *testing.T) {
	const depth = 16
	m := NewMixed(1, func(int) bool { return false }, func(s int) int { return bits.Len(uint(s)) })
	m.Push(1) // the root of a binary tree; node n has the children 2n and 2n+1
	leaves, most := 0, 0
	for {
		s, ok := m.Pop()
		if !ok {
			break
		}
		if bits.Len(uint(s)) > depth {
			leaves++
			continue
		}
		m.Push(2 * s)
		m.Push(2*s + 1)
		most = max(most, m.Len())
	}
	if leaves != 1<<depth {
		t.Errorf("%d leaves, want %d", leaves, 1<<depth)
	}
	if most > 12_000 {
		t.Errorf("%d states waited at a time", most)
	}

	// A chain without end beside one state that waits.
	m = NewMixed(1, func(int) bool { return false }, func(int) int { return 0 })
	m.Push(-1)
	for i := range 30_000 {
		m.Push(i)
		if s, _ := m.Pop(); s == -1 {
			return
		}
	}
	t.Error("the oldest state never got its turn")
}

// In a tree that grows with each turn every state that waited before it still gets its turn.
func TestMixedStarvesNone(t *testing.T) {
	m := NewMixed(1, func(int) bool { return false }, func(int) int { return 0 })
	m.Patience = 1
	const old = 50
	for i := range old {
		m.Push(i)
	}
	waiting := old
	for i := range 100_000 {
		m.Push(old + i)
		m.Push(old + i)
		if s, _ := m.Pop(); s < old {
			waiting--
		}
	}
	if waiting > 0 {
		t.Errorf("%d of %d states never got their turn", waiting, old)
	}
}

// A loop that forks at each turn does not starve a state that waited before it.
func TestMixedStarvesNoState(t *testing.T) {
	m := NewMixed(1, func(int) bool { return false }, func(s int) int { return s })
	m.Patience = 100
	for i := range 200 {
		m.Push(i) // one chain, until patience is used up
		m.Pop()
	}
	m.Push(-1)
	for i := range 10_000 {
		m.Push(i)
		m.Push(i)
		if s, _ := m.Pop(); s == -1 {
			return
		}
	}
	t.Error("the oldest state never got its turn")
}

// A state that is near to what is looked for comes early, although hundreds wait that are farther away, and one after which nothing
// came of the others at its distance gives way to these.
func TestMixedNearest(t *testing.T) {
	far := func(x int) int { return x }
	m := NewMixed(1, func(int) bool { return false }, func(int) int { return 0 })
	m.Distance, m.Epoch = far, func(int) int { return 0 }
	for i := range 400 {
		m.Push(30 + i%20)
	}
	m.Push(3)
	for turn := 1; ; turn++ {
		s, _ := m.Pop()
		if s == 3 {
			break
		}
		m.Push(s)
		if turn > 2 {
			t.Fatal("the nearest state waits for more than two turns")
		}
	}
	for range 5 * 40 * 4 {
		m.Push(0) // states right in front of something that is out of reach, without end
		s, _ := m.Pop()
		if s == 40 {
			return
		}
	}
	t.Error("a state at distance 40 never got a turn beside those at distance 0")
}

// Distances are computed anew when they may have changed.
func TestMixedDistancesChange(t *testing.T) {
	epoch := 0
	m := NewMixed(1, func(int) bool { return false }, func(int) int { return 0 })
	m.Distance = func(x int) int {
		if epoch == 1 {
			return 50 - x
		}
		return x
	}
	m.Epoch = func(int) int { return epoch }
	for range 20 {
		for i := 1; i < 50; i++ {
			m.Push(i)
		}
	}
	nearest := func() int { // what the next turn of a nearest state takes
		for m.turn%newestTurn != 0 {
			m.Pop()
		}
		s, _ := m.Pop()
		return s
	}
	if s := nearest(); s != 1 {
		t.Errorf("the nearest state is %d, want 1", s)
	}
	epoch = 1
	for range measureTurns {
		m.Pop()
	}
	if s := nearest(); s != 49 {
		t.Errorf("the nearest state is %d, want 49", s)
	}
}
