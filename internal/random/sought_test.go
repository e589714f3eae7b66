package random_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/random"
)

// A run about one function ends when this is covered with all that it calls, and does not look for what no case is
// wanted for. It goes on while something that the function calls is not covered, and a method stands for all methods of
// its type.
func TestSought(t *testing.T) {
	s := open(t, source(`package p

func Price(n int) int {
	if n < 0 {
		return 0
	}
	return n * 7
}

// Calls calls what is hard to cover.
func Calls(n int) int { return hidden(n) }

func hidden(n int) int {
	if n*n == 152399025 { // 12345 squared
		return 1
	}
	return 2
}

// Other is never covered.
func Other(a, b int) int {
	if a*a == -b*b-1 {
		return 1
	}
	return 2
}

type Box struct{ n int }

func (b *Box) Set(n int) {
	if n*n == 152399025 {
		n++
	}
	b.n = n
}

func (b *Box) Get() int { return b.n }
`))
	effort := func(names string) int {
		_, res := s.run(t, random.Config{Seed: 1, Ops: 200_000, Targets: func(name string) bool { return strings.Contains(names, name) }})
		return res.Ops
	}
	price := effort("Price")
	if calls := effort("Calls"); calls <= price {
		t.Errorf("%d operations for a function that calls uncovered code, %d for one without", calls, price)
	}
	if get := effort("Box.Get"); get <= price {
		t.Errorf("%d operations for a method whose object another method makes, %d for a function", get, price)
	}
	if all := effort("Price Other"); all <= price {
		t.Errorf("%d operations for two functions, %d for the one that is covered", all, price)
	}
}
