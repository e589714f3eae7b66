package subjects

// Sum adds numbers.
func Sum(xs []int32) int32 {
	s := int32(0)
	for _, x := range xs {
		s += x
	}
	return s
}

// Mean divides the sum by the number of elements.
func Mean(xs []int32) int32 {
	s := int32(0)
	for _, x := range xs {
		s += x
	}
	return s / int32(len(xs))
}

// Maximum is the largest element.
func Maximum(xs []int) int {
	m := xs[0]
	for _, x := range xs[1:] {
		if x > m {
			m = x
		}
	}
	return m
}

// Second is the second largest of at least two elements.
func Second(xs []int) int {
	if len(xs) < 2 {
		return 0
	}
	a, b := xs[0], xs[1]
	if a < b {
		a, b = b, a
	}
	for i := 2; i < len(xs); i++ {
		switch {
		case xs[i] > a:
			a, b = xs[i], a
		case xs[i] > b:
			b = xs[i]
		}
	}
	holds(b <= a)
	return b
}

// Search is binary search.
func Search(xs []int, x int) int {
	lo, hi := 0, len(xs)-1
	for lo <= hi {
		m := (lo + hi) / 2
		switch {
		case xs[m] == x:
			return m
		case xs[m] < x:
			lo = m + 1
		default:
			hi = m - 1
		}
	}
	return -1
}

// Bubble sorts.
func Bubble(xs []int) {
	for i := 0; i < len(xs); i++ {
		for j := 0; j+1 < len(xs)-i; j++ {
			if xs[j] > xs[j+1] {
				xs[j], xs[j+1] = xs[j+1], xs[j]
			}
		}
	}
}

// Insertion sorts.
func Insertion(xs []int) {
	for i := 1; i < len(xs); i++ {
		v := xs[i]
		j := i - 1
		for j >= 0 && xs[j] > v {
			xs[j+1] = xs[j]
			j--
		}
		xs[j+1] = v
	}
}

// Selection sorts.
func Selection(xs []int) {
	for i := range xs {
		least := i
		for j := i + 1; j < len(xs); j++ {
			if xs[j] < xs[least] {
				least = j
			}
		}
		xs[i], xs[least] = xs[least], xs[i]
	}
}

// Counting sorts small numbers.
func Counting(xs []int) []int {
	var counts [8]int
	for _, x := range xs {
		counts[x]++
	}
	var out []int
	for v, n := range counts {
		for range n {
			out = append(out, v)
		}
	}
	return out
}

// Turn reverses in place.
func Turn(xs []int) {
	for i, j := 0, len(xs)-1; i < j; i, j = i+1, j-1 {
		xs[i], xs[j] = xs[j], xs[i]
	}
}

// Rotate moves the first k elements to the end.
func Rotate(xs []int, k int) []int {
	if len(xs) == 0 {
		return nil
	}
	k %= len(xs)
	return append(append([]int(nil), xs[k:]...), xs[:k]...)
}

// Window is the largest sum of k elements in a row.
func Window(xs []int32, k int) int32 {
	if k <= 0 || k > len(xs) {
		return 0
	}
	s := int32(0)
	for i := 0; i < k; i++ {
		s += xs[i]
	}
	best := s
	for i := k; i < len(xs); i++ {
		s += xs[i] - xs[i-k]
		if s > best {
			best = s
		}
	}
	holds(best >= s)
	return best
}

// Kadane is the largest sum of a run.
func Kadane(xs []int32) int32 {
	best, here := int32(0), int32(0)
	for _, x := range xs {
		here += x
		if here < 0 {
			here = 0
		}
		if here > best {
			best = here
		}
	}
	holds(best >= 0)
	return best
}

// Dot is the scalar product.
func Dot(a, b []int32) int32 {
	s := int32(0)
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// Merge merges two sorted slices.
func Merge(a, b []int) []int {
	out := make([]int, 0, len(a)+len(b))
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if a[i] <= b[j] {
			out = append(out, a[i])
			i++
		} else {
			out = append(out, b[j])
			j++
		}
	}
	out = append(out, a[i:]...)
	return append(out, b[j:]...)
}

// Partition moves what is less than a pivot to the front.
func Partition(xs []int, pivot int) int {
	n := 0
	for i := range xs {
		if xs[i] < pivot {
			xs[i], xs[n] = xs[n], xs[i]
			n++
		}
	}
	return n
}

// Histogram counts values by their last digit.
func Histogram(xs []int) [10]int {
	var h [10]int
	for _, x := range xs {
		h[x%10]++
	}
	return h
}

// Remove takes out an element.
func Remove(xs []int, i int) []int {
	if i < 0 {
		return xs
	}
	return append(xs[:i:i], xs[i+1:]...)
}

// Chunk is a part of a slice.
func Chunk(xs []int, from, n int) []int {
	if from < 0 || n < 0 || from > len(xs) {
		return nil
	}
	end := from + n
	if end > len(xs) {
		end = len(xs)
	}
	return xs[from:end]
}

// Matrix looks up a cell of a table that is stored by rows.
func Matrix(cells []int, width, row, col int) int {
	if width <= 0 || row < 0 || col < 0 || col >= width {
		return 0
	}
	i := row*width + col
	if i >= len(cells) {
		return 0
	}
	return cells[i]
}

// Prefix sums up the elements before each.
func Prefix(xs []int32) []int32 {
	out := make([]int32, len(xs)+1)
	for i, x := range xs {
		out[i+1] = out[i] + x
	}
	return out
}

// Equilibrium finds where both sides have the same sum.
func Equilibrium(xs []int32) int {
	total := int32(0)
	for _, x := range xs {
		total += x
	}
	left := int32(0)
	for i, x := range xs {
		if left == total-left-x {
			return i
		}
		left += x
	}
	return -1
}

// Majority is Boyer's and Moore's vote.
func Majority(xs []byte) (byte, bool) {
	var who byte
	votes := 0
	for _, x := range xs {
		switch {
		case votes == 0:
			who, votes = x, 1
		case x == who:
			votes++
		default:
			votes--
		}
		holds(votes >= 0)
	}
	return who, votes > 0
}

// Ring is a queue in an array.
type Ring struct {
	cells   [4]int
	head, n int
}

// Put adds an element.
func (r *Ring) Put(x int) bool {
	if r.n == len(r.cells) {
		return false
	}
	r.cells[(r.head+r.n)%len(r.cells)] = x
	r.n++
	holds(r.n > 0)
	return true
}

// Get takes the oldest element out.
func (r *Ring) Get() (int, bool) {
	if r.n == 0 {
		return 0, false
	}
	x := r.cells[r.head]
	r.head = (r.head + 1) % len(r.cells)
	r.n--
	return x, true
}

// Set is a set of small numbers.
type Set struct{ words []uint64 }

// Add puts a number in.
func (s *Set) Add(n int) {
	w := n / 64
	for w >= len(s.words) {
		s.words = append(s.words, 0)
	}
	s.words[w] |= 1 << uint(n%64)
}

// Has reports whether a number is in.
func (s *Set) Has(n int) bool {
	w := n / 64
	return w < len(s.words) && s.words[w]>>uint(n%64)&1 == 1
}
