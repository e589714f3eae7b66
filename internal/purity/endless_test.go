package purity

import (
	"strings"
	"testing"
)

const endlessSource = `package m

type Q struct{ list []int; n, max int }

func Grow(n int) (kept [][]byte) {
	for n > 100 { // Grow
		kept = append(kept, make([]byte, 1<<20))
	}
	return kept
}
func Forever() (kept []int) {
	for { // Forever
		kept = append(kept, 1)
	}
}
func Inner(m int, s string) (kept []int) {
	for range s { // Inner
		for m != 0 {
			kept = append(kept, 1)
		}
	}
	return kept
}
func Repeat(n int) (kept [][]byte) {
	for i := 0; i < n; i++ { // Repeat
		kept = append(kept, make([]byte, 1<<20))
	}
	return kept
}
func Range(n int) (kept [][]byte) {
	for range n { // Range
		kept = append(kept, make([]byte, 1<<20))
	}
	return kept
}
func Down(n int) (kept []int) {
	for n > 0 { // Down
		kept = append(kept, n)
		n -= 2
	}
	return kept
}
func Past(n int) (kept []int) {
	for i := n; i != 0; i -= 2 { // Past
		kept = append(kept, i)
	}
	return kept
}
func (q *Q) Drain() {
	for len(q.list) > 0 { // Drain
		q.list = append(q.list[1:], 1, 2)
	}
}
func (q *Q) Fill() {
	for len(q.list) < q.max { // Fill
		q.list = append(q.list, q.n)
	}
}
func (q *Q) Flag() (kept []int) {
	for q.n > 0 { // Flag
		kept = append(kept, 1)
	}
	return kept
}
func Make(n int) []byte { return make([]byte, n) } // Make
func Fixed() []byte { return make([]byte, 1<<40) } // Fixed
func Tree(n int) []int { return append(Tree(n-1), Tree(n-1)...) } // Tree
func (q *Q) Copy() []*Q { return append(q.Copy(), q.Copy()...) } // Copy
func Read(c chan int) (kept []int) {
	for { // Read
		select {
		case v := <-c:
			kept = append(kept, v)
		default:
			return
		}
	}
}
func Scan(s []int) (n int) {
	for i := 0; ; i++ { // Scan
		n += s[i]
	}
}
func Call(next func() bool) (kept []int) {
	for next() { // Call
		kept = append(kept, 1)
	}
	return kept
}
func Outer(n int) { Grow(n) }
`

func TestEndless(t *testing.T) {
	pkg := loadSource(t, endlessSource)
	lines := strings.Split(endlessSource, "\n")
	for name, want := range map[string]struct{ endless, asked bool }{
		"Grow":    {true, false},
		"Forever": {true, false},
		"Inner":   {true, true}, // that it is endless comes first
		"Repeat":  {false, true},
		"Range":   {false, true},
		"Down":    {false, true},
		"Past":    {false, false},
		"Q.Drain": {false, false},
		"Q.Fill":  {false, true},
		"Q.Flag":  {true, false},
		"Make":    {false, true},
		"Fixed":   {false, true},
		"Tree":    {false, true},
		"Q.Copy":  {false, false},
		"Read":    {false, false},
		"Scan":    {false, false},
		"Call":    {false, false},
	} {
		short := name[strings.Index(name, ".")+1:]
		at := 0
		for i, l := range lines {
			if strings.HasSuffix(l, "// "+short) {
				at = i + 1
			}
		}
		fn := "example.com/m." + name
		if strings.Contains(name, ".") {
			fn = "example.com/m.(*Q)." + short
		}
		stack := []Frame{{Func: fn, Line: at}}
		if got := Endless(pkg, stack); got != want.endless {
			t.Errorf("Endless(%s) = %v, want %v", name, got, want.endless)
		}
		if got := Asked(pkg, stack); got != want.asked {
			t.Errorf("Asked(%s) = %v, want %v", name, got, want.asked)
		}
		if got := HasEndless(pkg.Target(name).Func); got != want.endless {
			t.Errorf("HasEndless(%s) = %v, want %v", name, got, want.endless)
		}
	}
	if !HasEndless(pkg.Target("Outer").Func) {
		t.Error("HasEndless(Outer) = false: it calls Grow")
	}
}

func TestEnds(t *testing.T) {
	const source = `package m

func Sum(n int) (s float64) {
	for i := 0; i < n; i++ {
		s += 1 / float64(i)
	}
	return s
}
func Down(n int) (s int) {
	for ; n > 0; n-- {
		s += n
	}
	return s
}
func Pairs(n uint) (s uint) {
	for ; n > 0; n -= 2 {
		s += n
	}
	return s
}
func Halves(n float64) (s float64) {
	for x := 0.0; x < n; x++ {
		s += x
	}
	return s
}
func Until(n string) (s string) {
	for ; s < n; s += "a" {
	}
	return s
}
func All(list []int) {
	for _, n := range list {
		Collatz(n)
	}
}
func Collatz(n int) {
	for n != 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
}
func Adds(list []int) (s int) {
	for _, n := range list {
		s += Turns(n)
	}
	return s
}
func Each(list []int, names map[string]int) (s int) {
	for _, n := range list {
		for range names {
			s += n
		}
	}
	return s
}
func Turns(n int) (s int) {
	for range n {
		s++
	}
	return s
}
func Double(n int) (s int) {
	for i := 0; i < n; i *= 2 {
		s++
	}
	return s
}
func Away(n int) (s int) {
	for i := 0; i < n; i-- {
		s++
	}
	return s
}
func Moves(n int) (s int) {
	for i := 0; i < n; i++ {
		n++
	}
	return n
}
func Both(n int, more func() bool) (s int) {
	for i := 0; i < n; i++ {
		for more() {
			s++
		}
	}
	return s
}
func Skips(n int) (s int) {
	for i := 0; i < n; {
		if n%2 == 0 {
			i++
		}
	}
	return n
}
func None(n int) int { return n }
`
	pkg := loadSource(t, source)
	for name, want := range map[string]bool{
		"Sum": true, "Down": true, "Pairs": false, "Halves": false, "Until": false, "All": false, "Adds": true, "Each": true, "Turns": true, "Double": false, "Away": false, "Moves": false, "Both": false, "Skips": false, "None": false,
	} {
		if got := Ends(pkg, []Frame{{Func: "example.com/m." + name, Line: 1}}); got != want {
			t.Errorf("Ends(%s) = %t, want %t", name, got, want)
		}
	}
}
