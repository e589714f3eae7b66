package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/term"
)

// The interval of a random term over leaves with random bounds contains all values that the term can have.
func TestIntervalsHold(t *testing.T) {
	decided := 0
	for round := range 1000 {
		r := rand.New(rand.NewPCG(13, uint64(round)))
		st := term.NewStore()
		x := NewContext(st, brute{st}, Config{})
		w := []int{3, 4, 5, 9}[round%4]
		a, b := st.Var(w, "a"), st.Var(w, "b")
		if w == 9 {
			b = st.ZExt(st.Var(2, "b"), 9)
		}
		p := x.NewPath()
		for _, l := range st.Support(st.Add(a, b)) {
			if lo, hi := r.Uint64()&term.Mask(st.Width(l)), r.Uint64()&term.Mask(st.Width(l)); lo <= hi {
				x.Assume(p, st.Ule(st.Const(st.Width(l), lo), l))
				x.Assume(p, st.Ule(l, st.Const(st.Width(l), hi)))
			} else if r.IntN(2) == 0 {
				x.Assume(p, st.Or(st.Ult(l, st.Const(st.Width(l), hi+1)), st.Ule(st.Const(st.Width(l), lo), l)))
			}
		}
		ts := []term.ID{a, b, st.Const(w, r.Uint64())}
		pick := func() term.ID { return ts[r.IntN(len(ts))] }
		for range 8 {
			ops := []term.Op{term.OpAdd, term.OpMul, term.OpUDiv, term.OpURem, term.OpSDiv, term.OpSRem, term.OpAnd, term.OpOr, term.OpXor, term.OpLShr, term.OpAShr}
			switch r.IntN(6) {
			case 0:
				ts = append(ts, st.Neg(pick()), st.Not(pick()))
			case 1:
				k := 1 + r.IntN(w-1)
				ts = append(ts, st.SExt(st.Extract(pick(), k, 1), w), st.ZExt(st.Extract(pick(), k, 0), w), st.SExt(st.Extract(pick(), k-1, 0), w))
			case 2:
				ts = append(ts, st.Ite(st.Slt(pick(), pick()), pick(), pick()))
			case 3:
				ts = append(ts, st.Lookup(st.NewTable(w, []uint64{3, 1, 2, 7, 5}), pick()))
			default:
				ts = append(ts, st.Binary(ops[r.IntN(len(ops))], pick(), pick()))
			}
		}
		ts = append(ts, st.Slt(pick(), pick()), st.Ult(pick(), pick()), st.Eq(pick(), pick()))
		m := st.NewModel()
		leaves := st.Support(st.Add(a, b))
	next:
		for v := range uint64(1) << min(10, 2*w) {
			for _, l := range leaves {
				m.Set(l, v)
				v >>= st.Width(l)
			}
			for _, c := range p.Conjuncts() {
				if !st.Holds(c, m) {
					continue next
				}
			}
			x.inter.cur++
			x.inter.steps = 0
			for _, id := range ts {
				got := st.Eval(id, m)
				i := x.inter.of(p, id)
				if s := signExtend(got, st.Width(id)); got < i.lo || got > i.hi || s < i.slo || s > i.shi {
					t.Fatalf("round %d: %s is %d (%d), not within %+v on %s", round, st.String(id), got, s, i, p)
				}
				if st.Width(id) == 1 && i.lo == i.hi {
					decided++
				}
			}
		}
	}
	if decided == 0 {
		t.Error("no comparison was decided")
	}
}
