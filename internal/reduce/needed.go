package reduce

import "slices"

// Needed chooses among tests by what they show, given as numbers, and by their sizes: the
// smallest that show something which no smaller one shows, and of these none that the
// others make superfluous. Tests that show nothing to be compared, nil, stay.
func Needed(sizes []int, shows [][]int) []bool {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[a] - sizes[b] })
	keep := make([]bool, len(sizes))
	seen := map[int]int{} // how many of those kept show it
	for _, i := range order {
		keep[i] = shows[i] == nil || slices.ContainsFunc(shows[i], func(e int) bool { return seen[e] == 0 })
		if keep[i] {
			for _, e := range shows[i] {
				seen[e]++
			}
		}
	}
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		if !keep[i] || shows[i] == nil || slices.ContainsFunc(shows[i], func(e int) bool { return seen[e] == 1 }) {
			continue
		}
		keep[i] = false
		for _, e := range shows[i] {
			seen[e]--
		}
	}
	return keep
}
