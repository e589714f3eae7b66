package load

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// The compiler reads fields and elements of operands behind the calls beside them.
func TestAsCompiled(t *testing.T) {
	prog := mustLoad(t, `-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

type List struct{ items []int }

func (l *List) fill() int { l.items = []int{1}; return 1 }

func Returned(l *List) ([]int, int) { return l.items, l.fill() }

func Passed(l *List) int { return sum(l.items, l.fill(), l.fill()) }

func Before(l *List) ([]int, int) {
	x := l.items
	return x, l.fill()
}

func Used(l *List) (int, int) { return len(l.items), l.fill() }

func Several(l *List) int { return count(l.items, l.fill()) }

func count(list ...any) int { return len(list) }

func Boxed(l *List) (any, int) { return l.items, l.fill() }

type node struct{ next *node }

func (n *node) Next() *node { return n.next }

func Loop(l *List, first *node) int {
	total := 0
	for n := first; n != nil; n = n.Next() {
		x := l.items[0]
		l.fill()
		total += x
	}
	return total
}

func Inner() func(*List) ([]int, int) {
	return func(l *List) ([]int, int) { return l.items, l.fill() }
}

func sum(list []int, n, m int) int { return len(list) + n + m }

var total int

func set(n *int) int { *n = 1; return 7 }

func Local() (int, int) {
	n := 0
	return n, set(&n)
}

func Copied() (int, int) {
	n := 0
	m := n
	return m, set(&n)
}

func Global() (int, int) { return total, set(&total) }

func Argument() int {
	n := 0
	return sum(nil, n, set(&n))
}

func Captured() (int, int) {
	n := 0
	return n, func() int { n++; return n }()
}
`)
	for name, want := range map[string]string{
		"Returned": "call load return",
		"Passed":   "call call load call return",
		"Before":   "load call return",
		"Used":     "load call call return", // lengths are taken in their turn
		"Boxed":    "call load return",
		"Several":  "call load call return",
		"Loop":     "load load call call return", // the step of a loop has no operands in its body
		"Inner$1":  "call load return",
		"Local":    "call load return",
		"Copied":   "load call return",
		"Global":   "call load return",
		"Argument": "call load call return",
		"Captured": "call load return",
	} {
		fn := prog.Packages[0].SSA.Func(strings.TrimSuffix(name, "$1"))
		if strings.HasSuffix(name, "$1") {
			fn = fn.AnonFuncs[0]
		}
		var got []string
		for _, b := range fn.Blocks {
			for _, ins := range b.Instrs {
				switch ins.(type) {
				case *ssa.Call:
					got = append(got, "call")
				case *ssa.UnOp:
					got = append(got, "load")
				case *ssa.Return:
					got = append(got, "return")
				}
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", name, s, want)
		}
	}
}
