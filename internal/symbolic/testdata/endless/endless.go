// Package endless has loops that have no end for some inputs. What turns them is one comparison, and nothing else.
package endless

type gauge struct{ n uint8 }

func Field(g *gauge) bool {
	if g == nil {
		return false
	}
	for g.n == 3 {
	}
	return g.n < 10
}

func Number(n int) int {
	for n > 7 {
	}
	return n
}
