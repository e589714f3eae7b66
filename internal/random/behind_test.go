package random_test

import (
	"testing"

	"github.com/goassay/assay/internal/random"
)

// What a function wraps and returns as an interface is called, although other functions return the same interface with other
// things behind it.
func TestWrapped(t *testing.T) {
	s := open(t, source(`package p

type Delay interface{ Next() (int, bool) }

type Func func() (int, bool)

func (f Func) Next() (int, bool) { return f() }

func Constant(n int) Delay { return Func(func() (int, bool) { return n, true }) }

func AtMost(max int, d Delay) Delay {
	calls := 0
	return Func(func() (int, bool) {
		calls++
		if calls > max {
			return 0, false
		}
		n, ok := d.Next()
		if !ok {
			return -1, false
		}
		return n, true
	})
}

func Capped(limit int, d Delay) Delay {
	return Func(func() (int, bool) {
		n, ok := d.Next()
		if n > limit {
			n = limit
		}
		return n, ok
	})
}
`))
	cases, res := s.run(t, random.Config{Seed: 1, Ops: 20_000})
	if missing := s.uncovered(res.Covered); missing != "" {
		t.Errorf("not covered: %s\n%s", missing, text(cases))
	}
}
