package purity

import (
	"strings"
	"testing"
)

func TestUnlikeLists(t *testing.T) {
	const source = `package m

import "math/rand"

func Zip(a, b []int) (n int) {
	for i := range a {
		n += a[i] * b[i] // Zip
	}
	return n
}
func Far(a []int, b [][]int) int {
	size := len(a)
	for i := range size {
		for j := i + 1; j < size; j++ {
			return b[i][j] // Far
		}
	}
	return 0
}
func Any(n int, a, b []int) int {
	i := rand.Intn(len(a))
	return b[i] // Any
}
func Own(a, b []int) (n int) {
	for i := range b {
		n += b[i+1] // Own
	}
	return n
}
func Number(a []int, n int) int { return a[n] } // Number
func Through(a, b []int) int { return zip(b, a) } // Through
func zip(a, b []int) (n int) {
	for i := range a {
		n += b[i] // zip
	}
	return n
}
`
	pkg := loadSource(t, source)
	lines := map[string]int{}
	for i, l := range strings.Split(source, "\n") {
		if _, name, ok := strings.Cut(l, "// "); ok {
			lines[name] = i + 1
		}
	}
	for name, want := range map[string][2]int{"Zip": {1, 0}, "Far": {1, 0}, "Any": {2, 1}, "Own": {}, "Number": {}, "Through": {0, 1}} {
		stack := []Frame{{Func: "example.com/m." + name, Line: lines[name]}}
		if name == "Through" {
			stack = append([]Frame{{Func: "example.com/m.zip", Line: lines["zip"]}}, stack...)
		}
		short, other, ok := UnlikeLists(pkg, stack)
		if ok != (want != [2]int{}) || ok && (short != want[0] || other != want[1]) {
			t.Errorf("UnlikeLists(%s) = %d, %d, %v, want %v", name, short, other, ok, want)
		}
	}
}
