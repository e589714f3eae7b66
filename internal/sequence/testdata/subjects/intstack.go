package subjects

const initialCapacity = 5

// IntStack is a stack in an array that grows and shrinks.
type IntStack struct {
	store []int
	n     int
}

// NewIntStack returns an empty stack.
func NewIntStack() *IntStack { return &IntStack{store: make([]int, initialCapacity)} }

// Push puts v on top.
func (s *IntStack) Push(v int) {
	if s.n == len(s.store) {
		s.resize(2 * len(s.store))
	}
	s.store[s.n] = v
	s.n++
}

// Pop takes the top off; it panics if there is none.
func (s *IntStack) Pop() int {
	v := s.store[s.n-1]
	s.n--
	// Less than half full? Half of the initial capacity counts as none.
	c := len(s.store)
	if s.n < c/(2*initialCapacity)*initialCapacity {
		s.resize(c / 2)
	}
	return v
}

func (s *IntStack) resize(c int) {
	store := make([]int, c)
	copy(store, s.store[:s.n])
	s.store = store
}
