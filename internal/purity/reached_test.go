package purity

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestReached(t *testing.T) {
	pkg := loadSource(t, `package p

import (
	"sort"
	"strings"
)

type Shape interface{ Area() int }
type Square struct{ side int }
func (s Square) Area() int { return times(s.side, s.side) }
func (s Square) Side() int { return s.side }
type Circle struct{}
func (Circle) Area() int { return 3 }

type byLen []string
func (b byLen) Len() int { return length(b) }
func (b byLen) Less(i, j int) bool { return i < j }
func (b byLen) Swap(i, j int) {}
func length(b []string) int { return len(b) }

func times(a, b int) int { return a * b }
func Direct(x int) int { return times(x, 2) }
func Alone(x int) int { return x }
func Sum(s Shape) int { return s.Area() }
func Sort(list []string) { sort.Sort(byLen(list)) }
func Closure(x int) int { f := func() int { return times(x, x) }; return f() }
func Value() []func(int) int { return []func(int) int{Alone} }
func Given(f func() int) int { return f() }
func Lines(s string) int {
	n := 0
	for l := range strings.SplitSeq(s, "/") {
		n += times(len(l), 1)
	}
	return n
}
func Recursive(n int) int { if n == 0 { return 0 }; return Recursive(n-1) }
`)
	for _, tt := range []struct{ name, want string }{
		{"Direct", "Direct times"},
		{"Alone", "Alone"},
		{"Sum", "Circle.Area Square.Area Sum times"},
		{"Sort", "Sort byLen.Len byLen.Less byLen.Swap length"},
		{"Closure", "Closure times"},
		{"Value", "Alone Value"},
		{"Given", ""}, // the function that is passed may call any function
		{"Lines", "Lines times"},
		{"Recursive", "Recursive"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(slices.Sorted(maps.Keys(Reached(pkg, pkg.Target(tt.name).Func))), " ")
			if got != tt.want {
				t.Errorf("Reached(%s) = %q, want %q", tt.name, got, tt.want)
			}
		})
	}
}
