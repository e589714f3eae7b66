package subjects

// Node is a cell of a list.
type Node struct {
	Value int32
	Next  *Node
}

// Length counts cells, up to a limit.
func (n *Node) Length() int {
	k := 0
	for c := n; c != nil && k < 5; c = c.Next {
		k++
	}
	return k
}

// Last is the value of the last cell.
func (n *Node) Last() int32 {
	k := 0
	for n.Next != nil && k < 4 {
		n = n.Next
		k++
	}
	return n.Value
}

// Total adds the values of up to three cells.
func (n *Node) Total() int32 {
	t := int32(0)
	for i := 0; n != nil && i < 3; i++ {
		t += n.Value
		n = n.Next
	}
	return t
}

// Swap exchanges the values of two cells.
func Swap(a, b *Node) {
	x := a.Value
	a.Value, b.Value = b.Value, x
	holds(b.Value == x)
}

// Bump changes one cell and says what the other one held.
func Bump(a, b *Node) int32 {
	if a == nil || b == nil {
		return 0
	}
	old := b.Value
	a.Value = 7
	holds(b.Value == old)
	if old > 100 {
		return old - 100
	}
	return old
}

// Max3 compares three values by pointers.
func Max3(a, b, c *int32) int32 {
	m := *a
	if *b > m {
		m = *b
	}
	if *c > m {
		m = *c
	}
	return m
}

// Counter counts up to a limit.
type Counter struct {
	N     int16
	Limit int16
}

// Step counts one more.
func (c *Counter) Step() bool {
	if c.N >= c.Limit {
		return false
	}
	c.N++
	holds(c.N <= c.Limit)
	return true
}

// Skip counts several.
func (c *Counter) Skip(n int16) int16 {
	if n < 0 {
		return c.N
	}
	old := c.N
	c.N += n
	holds(c.N >= old)
	if c.N > c.Limit {
		c.N = c.Limit
	}
	return c.N
}

// Stack is a stack with a limit.
type Stack struct {
	Items []int32
}

// Push adds an element.
func (s *Stack) Push(x int32) { s.Items = append(s.Items, x) }

// Pop takes the newest element off.
func (s *Stack) Pop() int32 {
	n := len(s.Items)
	x := s.Items[n-1]
	s.Items = s.Items[:n-1]
	return x
}

// Peek is the newest element.
func (s *Stack) Peek() (int32, bool) {
	if len(s.Items) == 0 {
		return 0, false
	}
	return s.Items[len(s.Items)-1], true
}

// Shape has an area.
type Shape interface{ Size() int32 }

// Square is a shape.
type Square struct{ Side int32 }

// Size is the area.
func (q Square) Size() int32 { return q.Side * q.Side }

// Largest compares shapes.
func Largest(a, b Shape) int32 {
	x, y := a.Size(), b.Size()
	if x > y {
		return x
	}
	return y
}

// AsSquare is the side of what must be a square.
func AsSquare(s Shape) int32 { return s.(Square).Side }

// SideOf is the side of what may be a square.
func SideOf(s Shape) int32 {
	if q, ok := s.(Square); ok {
		return q.Side
	}
	return -1
}

// Inventory counts things by name.
type Inventory map[string]int32

// Add puts some in.
func (v Inventory) Add(name string, n int32) int32 {
	if n <= 0 {
		return v[name]
	}
	old := v[name]
	v[name] = old + n
	holds(old+n > old)
	return old + n
}

// Take takes some out.
func (v Inventory) Take(name string, n int32) bool {
	have, ok := v[name]
	if !ok || n < 0 || have < n {
		return false
	}
	left := have - n
	holds(left <= have)
	v[name] = left
	return true
}

// Order is a small state machine.
type Order struct {
	State  int
	Amount int32
	Paid   int32
}

// Pay adds a payment and moves the order on.
func (o *Order) Pay(amount int32) bool {
	switch o.State {
	case 0:
		return false
	case 1, 2:
		if amount <= 0 {
			return false
		}
		before := o.Paid
		o.Paid += amount
		if o.Paid >= o.Amount {
			o.State = 3
		} else {
			o.State = 2
		}
		holds(o.Paid > before)
		return true
	}
	holds(o.State != 1)
	return false
}

// Elevator moves between floors.
type Elevator struct{ Floor, Target int32 }

// Move goes one floor.
func (e *Elevator) Move() int32 {
	switch {
	case e.Floor < e.Target:
		e.Floor++
		holds(e.Floor <= e.Target)
	case e.Floor > e.Target:
		e.Floor--
		holds(e.Floor >= e.Target)
	}
	return e.Target - e.Floor
}

// Meter adds readings of an odometer that may wrap.
type Meter struct {
	Total int32
	Last  uint8
}

// Read takes a reading.
func (m *Meter) Read(v uint8) int32 {
	d := int32(v) - int32(m.Last)
	if d < 0 {
		d += 256
	}
	holds(d >= 0 && d < 256)
	m.Last = v
	old := m.Total
	m.Total += d
	holds(m.Total >= old)
	return m.Total
}

// Grid is a field of cells.
type Grid struct {
	W, H  int
	Cells []byte
}

// At is the cell at a place.
func (g *Grid) At(x, y int) byte {
	if x < 0 || y < 0 || x >= g.W || y >= g.H {
		return 0
	}
	return g.Cells[y*g.W+x]
}

// Neighbours counts live cells around a place in a row.
func (g *Grid) Neighbours(i int) int {
	n := 0
	for d := -1; d <= 1; d++ {
		if j := i + d; d != 0 && j >= 0 && j < len(g.Cells) && g.Cells[j] != 0 {
			n++
		}
	}
	return n
}
