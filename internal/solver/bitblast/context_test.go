package bitblast

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// On random trees of branches over bytes, 32-bit numbers, array elements and symbolic reads, every verdict
// of the layered Context is the verdict of a plain backend that is asked about the whole path, whatever was
// asked before.
func TestContextAgainstPlainBackend(t *testing.T) {
	rounds := 120
	if testing.Short() {
		rounds = 20
	}
	for round := range rounds {
		r := rand.New(rand.NewPCG(29, uint64(round)))
		st := term.NewStore()
		x := solver.NewContext(st, New(st, Config{}), solver.Config{NoRepair: round%5 == 1, NoCache: round%7 == 1, NoEqualities: round%3 == 1})
		ref := New(st, Config{})
		arr := st.NewArray("s", 8)
		idx := []term.ID{st.Var(64, "i"), st.Var(64, "j")}
		var bytes []term.ID
		for i := range 3 {
			bytes = append(bytes, st.Var(8, string(rune('a'+i))), st.Read(arr, st.Const(64, uint64(i))))
		}
		ints := []term.ID{st.Var(32, "x"), st.Var(32, "y"), st.Var(32, "z")}
		cond := func() term.ID {
			var c term.ID
			switch r.IntN(8) {
			case 0:
				c = st.Ult(idx[r.IntN(2)], st.Const(64, uint64(1+r.IntN(5))))
			case 1:
				if round%2 == 0 {
					c = st.Eq(st.Read(arr, idx[r.IntN(2)]), bytes[r.IntN(len(bytes))])
					break
				}
				fallthrough
			case 2, 3:
				c = st.Ult(bytes[r.IntN(len(bytes))], st.Const(8, r.Uint64()))
			case 4:
				c = st.Slt(ints[r.IntN(3)], ints[r.IntN(3)])
			case 5:
				c = st.Slt(st.Add(ints[r.IntN(3)], ints[r.IntN(3)]), st.Const(32, r.Uint64()))
			case 6:
				c = st.Eq(st.Add(bytes[r.IntN(len(bytes))], bytes[r.IntN(len(bytes))]), st.Const(8, r.Uint64()))
			default:
				c = st.Slt(ints[r.IntN(3)], st.Const(32, uint64(r.IntN(100))-50))
			}
			if r.IntN(2) == 0 {
				c = st.Not(c)
			}
			return c
		}
		paths := []*solver.PathCond{x.NewPath()}
		for step := range 30 {
			i := r.IntN(len(paths))
			p := paths[i]
			c := cond()
			where := fmt.Sprintf("round %d step %d: %s with %s", round, step, p, st.String(c))
			on, off := x.Branch(p, c)
			for _, side := range []struct {
				c term.ID
				v solver.Verdict
			}{{c, on}, {st.Not(c), off}} {
				if want := ref.Check(&solver.Query{Conjuncts: append(p.Conjuncts(), side.c)}).Verdict; side.v != want {
					t.Fatalf("%s: %s is %s, want %s", where, st.String(side.c), side.v, want)
				}
			}
			if on == solver.Sat && off == solver.Sat {
				q := p.Fork()
				x.Assume(q, st.Not(c))
				paths = append(paths, q)
			}
			if on == solver.Sat {
				x.Assume(p, c)
			} else {
				x.Assume(p, st.Not(c))
			}
			if r.IntN(4) == 0 {
				x.Model(paths[r.IntN(len(paths))]) // evaluates itself
			}
		}
		for _, p := range paths {
			if _, v := x.Model(p); v != solver.Sat {
				t.Fatalf("round %d: no model of %s", round, p)
			}
			p.Release()
		}
	}
}

// Conditions as geometry code has them are decided, on 64-bit floats.
func TestFloatConditions(t *testing.T) {
	st := term.NewStore()
	f := func(v float64) term.ID { return st.FFromS(st.Const(64, uint64(int64(v*16))), 64) }
	x, y := st.Var(64, "x"), st.Var(64, "y")
	for _, c := range []struct {
		name string
		cs   []term.ID
		want solver.Verdict
	}{
		{"x*x == 36", []term.ID{st.FEq(st.FMul(x, x), f(36.0/16))}, solver.Sat},
		{"x+y > 3 && x < 1", []term.ID{st.FLt(f(3), st.FAdd(x, y)), st.FLt(x, f(1))}, solver.Sat},
		{"x < y && x > y", []term.ID{st.FLt(x, y), st.FLt(y, x)}, solver.Unsat},
		{"x/y > 4 && y > 2", []term.ID{st.FLt(f(4), st.FDiv(x, y)), st.FLt(f(2), y)}, solver.Sat},
		{"sqrt(x) == 4", []term.ID{st.FEq(st.FSqrt(x), f(4))}, solver.Sat},
		{"hypotenuse < 5, x > 1", []term.ID{st.FLt(st.FSqrt(st.FAdd(st.FMul(x, x), st.FMul(y, y))), f(5)), st.FLt(f(1), x)}, solver.Sat},
		{"int(x) == 12345 && x != 12345", []term.ID{st.Eq(st.FToS(x, 64), st.Const(64, 12345)), st.Not(st.FEq(x, st.FFromS(st.Const(64, 12345), 64)))}, solver.Sat},
		{"floor(x) > x", []term.ID{st.FLt(x, st.FFloor(x))}, solver.Unsat},
		{"x != x && x < 1", []term.ID{st.Not(st.FEq(x, x)), st.FLt(x, f(1))}, solver.Unsat},
	} {
		b := newBlaster(st, Config{})
		r := b.Check(&solver.Query{Conjuncts: c.cs})
		if r.Verdict != c.want {
			t.Errorf("%s: %s, want %s", c.name, r.Verdict, c.want)
		}
		if r.Verdict == solver.Sat {
			for _, k := range c.cs {
				if !st.Holds(k, r.Model) {
					t.Errorf("%s: the model violates it", c.name)
				}
			}
		}
		t.Logf("%s: effort %d, %+v", c.name, r.Effort, b.sat.Stats())
	}
}
