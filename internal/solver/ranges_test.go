package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/term"
)

// A condition that always holds allows every value, and the solver knows this: the values of a sign
// extension come in two parts that touch.
func TestRanges_signExtension(t *testing.T) {
	for _, from := range []int{9, 12} {
		st := term.NewStore()
		x := NewContext(st, brute{st}, Config{Validate: true})
		p := x.NewPath()
		v := st.Var(from, "v")
		wide := st.SExt(v, 32)
		half := uint64(1) << (from - 1)
		c := st.Ult(st.Add(wide, st.Const(32, half)), st.Const(32, 2*half)) // lut[int(v)+half]
		if onTrue, onFalse := x.Branch(p, c); onTrue != Sat || onFalse != Unsat {
			t.Errorf("%d bits: %v and %v, want that it always holds", from, onTrue, onFalse)
		}
	}
}

// Random conditions on one wide leaf are decided as trying all values decides them.
func TestRanges_random(t *testing.T) {
	for round := range 3000 {
		r := rand.New(rand.NewPCG(29, uint64(round)))
		st := term.NewStore()
		x := NewContext(st, brute{st}, Config{Validate: true})
		p := x.NewPath()
		v := st.Var(9, "v")
		for range 4 {
			e := v
			for range 1 + r.IntN(3) {
				switch w := st.Width(e); r.IntN(6) {
				case 0:
					e = st.Add(e, st.Const(w, r.Uint64()&term.Mask(w)))
				case 1:
					e = st.Neg(e)
				case 2:
					e = st.Not(e)
				case 3:
					e = st.SExt(e, w+1+r.IntN(8))
				case 4:
					e = st.ZExt(e, w+1+r.IntN(8))
				case 5:
					if w > 2 {
						e = st.Extract(e, w-1, 1+r.IntN(w-1))
					}
				}
			}
			w := st.Width(e)
			k := st.Const(w, r.Uint64()&term.Mask(w))
			c := []term.ID{st.Ult(e, k), st.Slt(e, k), st.Eq(e, k), st.Ult(k, e)}[r.IntN(4)]
			if r.IntN(3) == 0 {
				c = st.And(c, st.Not(st.Eq(v, st.Const(9, r.Uint64()&term.Mask(9)))))
			}
			onTrue, onFalse := x.Branch(p, c) // which validates
			switch {
			case onTrue == Sat && (onFalse != Sat || r.IntN(2) == 0):
				x.Assume(p, c)
			case onFalse == Sat:
				x.Assume(p, st.Not(c))
			}
		}
	}
}
