package unverified

func At(xs []int, i int) int {
	return xs[i] // want `index-out-of-range: not verified that 0 <= i < len\(xs\)`
}

func Middle(xs []int, lo, hi int) int {
	if lo < 0 || hi > len(xs) || lo >= hi {
		return 0
	}
	return xs[(lo+hi)/2] // want `verified only under overflow@[0-9]+:[0-9]+ that`
}
