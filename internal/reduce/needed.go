package reduce

import "slices"

// Needed chooses among tests by the things that they show, given as numbers, and by their sizes. It first
// keeps each test that shows something which no smaller test shows. Then it drops the tests among these that
// the others make superfluous. Tests whose things are nil are always kept.
func Needed(sizes []int, shows [][]int) []bool {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[a] - sizes[b] })
	keep := make([]bool, len(sizes))
	seen := map[int]int{} // how many kept tests show each thing
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
