package assume

import "github.com/goassay/assay"

// SortedList returns the first and the last element of a list that is not empty and
// sorted: all others are assumed away.
func SortedList(a []int) (first, last int) {
	assay.Assume(len(a) > 0)
	for i := 0; i+1 < len(a); i++ {
		assay.Assume(a[i] <= a[i+1])
	}
	if len(a) == 0 {
		return 0, 0
	}
	return a[0], a[len(a)-1]
}

// A Size is how large a collection is.
type Size int

// The sizes, each of which starts above the number in its name.
const (
	UpTo10 Size = iota
	Over10
	Over100
	Over1000
	Over100000
)

// sizeOf returns the size of a collection with n elements.
func sizeOf(n int) Size {
	switch {
	case n > 100_000:
		return Over100000
	case n > 1000:
		return Over1000
	case n > 100:
		return Over100
	case n > 10:
		return Over10
	}
	return UpTo10
}

// BigList returns the size of a list.
func BigList(list []int) Size { return sizeOf(len(list)) }

// BigString returns the size of a string.
func BigString(s string) Size { return sizeOf(len(s)) }

// BigSet returns the size of a set.
func BigSet(set map[int]struct{}) Size { return sizeOf(len(set)) }

// BigMap returns the size of a map.
func BigMap(m map[string]int) Size { return sizeOf(len(m)) }

// TenElements returns the sum of the values of a map with exactly 10 elements, and
// -1 for any other.
func TenElements(m map[int]int) int {
	if len(m) != 10 {
		return -1
	}
	sum := 0
	for _, v := range m {
		sum += v
	}
	return sum
}

// MarkedAt500 reports whether the 500th byte of s is an x.
func MarkedAt500(s string) bool {
	return len(s) >= 500 && s[499] == 'x'
}

// Known reports whether a map of more than 1000 elements has two that are known.
func Known(m map[string]int) bool {
	return m["a"] == 1 && m["b"] == 2 && len(m) > 1000
}
