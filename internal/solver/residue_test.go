package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/term"
)

// never is a backend that knows no answer. If a query is decided all the same, a layer has decided it.
type never struct{}

func (never) Check(*Query) Result { return Result{} }

// The layers alone decide the conditions of Fizz buzz on 64 bits, and find the numbers.
func TestResiduesDecideFizzBuzz(t *testing.T) {
	st := term.NewStore()
	x := NewContext(st, never{}, Config{})
	n := st.Var(64, "n")
	zero := st.Const(64, 0)
	div := func(k uint64) term.ID { return st.Eq(st.SRem(n, st.Const(64, k)), zero) }
	for _, c := range []struct {
		path []term.ID
		c    term.ID
		on   Verdict
	}{
		{[]term.ID{div(3), div(5)}, div(15), Sat},
		{[]term.ID{div(3), div(5)}, st.Not(div(15)), Unsat},
		{[]term.ID{div(15)}, st.Not(div(5)), Unsat},
		{[]term.ID{st.Not(div(15)), div(3)}, div(5), Unsat},
		{[]term.ID{st.Not(div(15)), div(3)}, div(7), Sat},
		{[]term.ID{div(6)}, st.Eq(st.Extract(n, 0, 0), st.Const(1, 1)), Unsat},
	} {
		p := x.NewPath()
		for _, k := range c.path {
			if v := x.Feasible(p, k); v != Sat {
				t.Fatalf("%s is %s on %s", st.String(k), v, p)
			}
			x.Assume(p, k)
		}
		if v := x.Feasible(p, c.c); v != c.on {
			t.Errorf("%s is %s on %s, want %s", st.String(c.c), v, p, c.on)
		}
	}
}

// Enumeration confirms that no value satisfies conditions which the residues refute.
func TestResiduesAgainstEnumeration(t *testing.T) {
	refuted := 0
	for round := range 1000 {
		r := rand.New(rand.NewPCG(19, uint64(round)))
		st := term.NewStore()
		n := st.Var(7, "n")
		var cs []term.ID
		for range 2 + r.IntN(3) {
			k := st.Const(7, 1+r.Uint64N(14))
			rem := st.URem(n, k)
			if r.IntN(2) == 0 {
				rem = st.SRem(n, k)
			}
			c := st.Eq(rem, st.Const(7, r.Uint64N(7)-3))
			if r.IntN(3) == 0 {
				c = st.Eq(rem, st.Const(7, 0))
			}
			if r.IntN(5) == 0 {
				c = st.Eq(st.Extract(n, 1, 0), st.Const(2, r.Uint64()))
			}
			if r.IntN(2) == 0 {
				c = st.Not(c)
			}
			cs = append(cs, c)
		}
		if byResidues(st, cs) {
			refuted++
			if v := (brute{st}).Check(&Query{Conjuncts: cs}).Verdict; v != Unsat {
				t.Fatalf("round %d: refuted, but %s: %s", round, v, st.String(st.AndAll(cs...)))
			}
		}
	}
	if refuted < 30 {
		t.Errorf("only %d refuted", refuted)
	}
}
