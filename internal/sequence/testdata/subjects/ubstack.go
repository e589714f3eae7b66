package subjects

// UBStack is a bounded stack without duplicates: pushing what is there already moves it
// to the top.
type UBStack struct {
	elems [5]int
	n     int
}

// NewUBStack returns an empty stack.
func NewUBStack() *UBStack { return &UBStack{} }

// Push puts k on top. A full stack stays as it is.
func (s *UBStack) Push(k int) {
	at := 0
	for at < s.n && s.elems[at] != k {
		at++
	}
	if at < s.n {
		for ; at < s.n-1; at++ {
			s.elems[at] = s.elems[at+1]
		}
		s.elems[s.n-1] = k
		return
	}
	if s.n < len(s.elems) {
		s.elems[s.n] = k
		s.n++
	}
}

// Pop takes the top off. It does not look whether there is one.
func (s *UBStack) Pop() { s.n-- }
