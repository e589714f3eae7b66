package reduce

import "slices"

// Greedily returns n things by what each adds to those before it: first the one that gains
// most, then the one that gains most once that is taken, and so on. Of several that gain as
// much the first is taken. It ends when no gain is left that is not negative.
//
// Gains depend on what was taken, so take is told of each.
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
