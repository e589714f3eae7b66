package reduce

import "slices"

// Greedily returns n things in the order of their gain over the things before them. The first thing has the
// largest gain, the second one has the largest gain after the first is taken, and so on. Of equal gains the
// first is taken. It ends when only negative gains are left.
//
// Gains depend on the things that were taken, so take is called for each.
func Greedily(n int, gain func(i int) int, take func(i int)) []int {
	left := make([]int, n)
	for i := range left {
		left[i] = i
	}
	var order []int
	for len(left) > 0 {
		best, most := -1, -1
		for k, i := range left {
			if g := gain(i); g > most {
				best, most = k, g
			}
		}
		if best < 0 {
			break
		}
		take(left[best])
		order = append(order, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return order
}
