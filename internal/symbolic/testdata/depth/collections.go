package depth

import (
	"cmp"
	"maps"
	"slices"
	"sort"
)

func SliceIndex(xs []int, i int) int {
	if i >= 0 && i < len(xs) && xs[i] == 42 && i == 3 {
		return 1
	}
	return 0
}

func SliceLong(xs []int32) int {
	if len(xs) > 300 && xs[299] == 7 {
		return 1
	}
	return 0
}

func SliceStore(xs []int, i, j int) int {
	if len(xs) < 3 || i < 0 || j < 0 || i >= len(xs) || j >= len(xs) {
		return 0
	}
	xs[i] = 1
	xs[j] = 2
	if xs[i] == 2 {
		return 1
	}
	return 2
}

func Append(xs []int, n int) int {
	ys := append(xs, n)
	if len(ys) == 3 && ys[2] == 9 && ys[0] == 4 {
		return 1
	}
	return 0
}

func AppendSlice(xs, ys []byte) int {
	zs := append(xs, ys...)
	if len(xs) > 0 && len(ys) > 1 && string(zs) == "abc" {
		return 1
	}
	return 0
}

func Copy(xs []byte, n int) int {
	buf := make([]byte, 4)
	k := copy(buf, xs)
	if k == 3 && buf[2] == 'z' {
		return 1
	}
	if n > 0 && n < len(xs) && copy(buf[1:], xs[n:]) == 2 && buf[1] == 'q' {
		return 2
	}
	return 0
}

func SliceBounds(xs []int, i, j int) int {
	if i < 0 || j < i || j > len(xs) {
		return 0
	}
	if part := xs[i:j]; len(part) == 2 && part[1] == 5 && i == 1 {
		return 1
	}
	return 0
}

func MakeSymbolic(n uint8) int {
	xs := make([]int, n)
	if len(xs) == 7 {
		return 1
	}
	return 0
}

func MapLookup(m map[string]int, k string) int {
	if v, ok := m[k]; ok && v == 3 && k == "three" {
		return 1
	}
	return 0
}

func MapLen(m map[int]bool) int {
	if len(m) == 3 && m[7] && !m[8] {
		return 1
	}
	return 0
}

func MapUpdate(m map[string]int, k string) int {
	if m == nil {
		return 0
	}
	m[k]++
	if m[k] == 5 && len(m) == 2 {
		return 1
	}
	return 0
}

func MapRange(m map[string]int) int {
	sum := 0
	for k, v := range m {
		if k != "" {
			sum += v
		}
	}
	if sum == 10 && len(m) == 2 {
		return 1
	}
	return 0
}

func MapDelete(m map[int]int, k int) int {
	n := len(m)
	delete(m, k)
	if len(m) == n-1 && k == 6 {
		return 1
	}
	return 0
}

func SortInts(xs []int) int {
	if len(xs) != 3 {
		return 0
	}
	sort.Ints(xs)
	if xs[0] == 1 && xs[1] == 2 && xs[2] == 3 {
		return 1
	}
	return 2
}

func SortSlice(xs []string) int {
	if len(xs) != 2 {
		return 0
	}
	before := xs[0]
	sort.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] })
	if xs[0] != before {
		return 1
	}
	return 2
}

func Search(xs []int) int {
	if len(xs) != 4 || !sort.IntsAreSorted(xs) {
		return 0
	}
	if i := sort.SearchInts(xs, 10); i == 2 {
		return 1
	}
	return 2
}

func Slices(xs []int, x int) int {
	switch {
	case slices.Contains(xs, 77):
		return 1
	case slices.Index(xs, x) == 2:
		return 2
	case len(xs) > 1 && slices.Max(xs) == -5:
		return 3
	case len(xs) == 3 && slices.IsSorted(xs) && xs[0] < xs[2]:
		return 4
	}
	return 0
}

func SlicesBinarySearch(xs []int) int {
	if len(xs) == 3 && slices.IsSortedFunc(xs, cmp.Compare[int]) {
		if i, ok := slices.BinarySearch(xs, 12); ok && i == 1 {
			return 1
		}
	}
	return 0
}

func SlicesReverse(xs []byte) int {
	ys := slices.Clone(xs)
	slices.Reverse(ys)
	if len(xs) == 3 && slices.Equal(xs, ys) && xs[0] != xs[1] {
		return 1
	}
	return 0
}

func Maps(m map[string]int) int {
	keys := slices.Sorted(maps.Keys(m))
	if len(keys) == 2 && keys[0] == "a" && keys[1] == "b" {
		return 1
	}
	return 0
}

func MapsClone(m map[string]int, key string) int {
	copied := maps.Clone(m)
	if v, ok := copied[key]; ok && v == 7 && len(m) == 2 {
		return 1
	}
	return 0
}

func ArrayIndex(i uint8, v int) int {
	var a [8]int
	if i < 8 {
		a[i] = v
		if a[5] == 33 {
			return 1
		}
	}
	return 0
}

type node struct {
	Val  int
	Next *node
}

func List(n *node) int {
	sum := 0
	for k := 0; n != nil && k < 4; k++ {
		sum += n.Val
		n = n.Next
		if k == 2 && n == nil && sum == 60 {
			return 1
		}
	}
	return 0
}
