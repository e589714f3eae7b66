package bitblast

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/sat"
	"github.com/goassay/assay/internal/term"
)

// values returns the literals that say that word a has value v.
func values(a word, v uint64) []sat.Lit {
	out := make([]sat.Lit, len(a))
	for i, l := range a {
		out[i] = l
		if v>>i&1 == 0 {
			out[i] = l.Not()
		}
	}
	return out
}

// checkFunction compares the encoding of t with its evaluation for the given values of the leaves: the
// encoding must allow the right value and no other.
func checkFunction(t *testing.T, b *Blaster, wrongs map[uint64]sat.Lit, id term.ID, leaves []term.ID, vals []uint64) {
	t.Helper()
	m := b.st.NewModel()
	w := b.encode(id)
	var assume []sat.Lit
	for i, l := range leaves {
		m.Set(l, vals[i])
		assume = append(assume, values(b.encode(l), vals[i])...)
	}
	want := b.st.Eval(id, m)
	right := values(w, want)
	all := append(assume[:len(assume):len(assume)], w...)
	if st := b.sat.Solve(append(assume[:len(assume):len(assume)], right...), b.coneOf(all), 0); st != sat.Satisfiable {
		t.Fatalf("%s at %v: %d is not possible", b.st.String(id), vals, want)
	}
	wrong, ok := wrongs[want]
	if !ok {
		wrong = b.andN(right)
		wrongs[want] = wrong
	}
	if st := b.sat.Solve(append(assume, wrong.Not()), b.coneOf(append(all, wrong)), 0); st != sat.Unsatisfiable {
		t.Fatalf("%s at %v: not only %d is possible", b.st.String(id), vals, want)
	}
}

var binaries = []term.Op{
	term.OpAnd, term.OpOr, term.OpXor, term.OpAdd, term.OpMul, term.OpUDiv, term.OpURem, term.OpSDiv, term.OpSRem,
	term.OpShl, term.OpLShr, term.OpAShr, term.OpEq, term.OpUlt, term.OpSlt,
}

// The encoding of each operator, at widths 1 to 4, is right on all operands: on two variables, and on a
// variable with every constant on either side.
func TestEncodingsExhaustively(t *testing.T) {
	for w := 1; w <= 4; w++ {
		st := term.NewStore()
		x, y := st.Var(w, "x"), st.Var(w, "y")
		leaves := []term.ID{x, y}
		var terms []term.ID
		for _, op := range binaries {
			terms = append(terms, st.Binary(op, x, y))
			for k := range uint64(1) << w {
				terms = append(terms, st.Binary(op, x, st.Const(w, k)), st.Binary(op, st.Const(w, k), y))
			}
		}
		terms = append(terms, st.Sub(x, y), st.Neg(x), st.Not(x), st.Ite(st.Ult(x, y), x, st.Add(x, y)), st.ZExt(x, w+3), st.SExt(x, w+3), st.Concat(x, y))
		for lo := range w {
			for hi := lo; hi < w; hi++ {
				terms = append(terms, st.Extract(st.Mul(x, y), hi, lo))
			}
		}
		tab := st.NewTable(5, []uint64{7, 3, 31, 0, 9, 9, 1, 2, 30, 5, 6})
		terms = append(terms, st.Lookup(tab, x), st.Lookup(tab, st.Add(x, y)))
		for _, id := range terms {
			if _, ok := st.IsConst(id); ok {
				continue
			}
			b, wrongs := newBlaster(st, Config{}), map[uint64]sat.Lit{}
			for vx := range uint64(1) << w {
				for vy := range uint64(1) << w {
					checkFunction(t, b, wrongs, id, leaves, []uint64{vx, vy})
				}
			}
		}
	}
}

// The encodings are right on random operands at machine widths, each in a new instance, and quotients also
// with interesting constants.
func TestEncodingsWide(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, w := range []int{8, 13, 32, 64} {
		for _, op := range binaries {
			st := term.NewStore()
			x, y := st.Var(w, "x"), st.Var(w, "y")
			k := r.Uint64() >> r.IntN(w)
			ids := []term.ID{st.Binary(op, x, y), st.Binary(op, x, st.Const(w, k|1)), st.Binary(op, x, st.Const(w, 10))}
			for _, id := range ids {
				b, wrongs := newBlaster(st, Config{}), map[uint64]sat.Lit{}
				for range 3 {
					vx, vy := r.Uint64()&term.Mask(w), (r.Uint64()>>r.IntN(64))&term.Mask(w)
					checkFunction(t, b, wrongs, id, []term.ID{x, y}, []uint64{vx, vy})
				}
			}
		}
	}
}

func TestReads(t *testing.T) {
	st := term.NewStore()
	b := newBlaster(st, Config{})
	a := st.NewArray("a", 8)
	i, j := st.Var(64, "i"), st.Var(64, "j")
	ri, rj := st.Read(a, i), st.Read(a, j)
	k3 := st.Read(a, st.Const(64, 3))
	five := st.Const(8, 5)
	check := func(want solver.Verdict, cs ...term.ID) {
		t.Helper()
		r := b.Check(&solver.Query{Conjuncts: cs})
		if r.Verdict != want {
			t.Fatalf("got %s, want %s", r.Verdict, want)
		}
		if want == solver.Sat {
			for _, c := range cs {
				if !st.Holds(c, r.Model) {
					t.Errorf("model violates %s", st.String(c))
				}
			}
		}
	}
	check(solver.Unsat, st.Eq(i, j), st.Ne(ri, rj))
	check(solver.Sat, st.Ne(i, j), st.Ne(ri, rj))
	check(solver.Unsat, st.Eq(i, st.Const(64, 3)), st.Eq(ri, five), st.Ne(k3, five))
	check(solver.Sat, st.Ult(i, st.Const(64, 4)), st.Eq(ri, five), st.Ne(k3, five))
	// A read at a read.
	rr := st.Read(a, st.ZExt(ri, 64))
	check(solver.Sat, st.Eq(rr, st.Const(8, 9)), st.Eq(ri, five))
	check(solver.Unsat, st.Eq(rr, st.Const(8, 9)), st.Eq(ri, st.Const(8, 3)), st.Eq(k3, five))
}

func TestCore(t *testing.T) {
	st := term.NewStore()
	b := newBlaster(st, Config{})
	x, y, z := st.Var(8, "x"), st.Var(8, "y"), st.Var(8, "z")
	c1, c2, c3, c4 := st.Ult(x, y), st.Ult(y, z), st.Ult(z, x), st.Eq(z, st.Const(8, 7))
	r := b.Check(&solver.Query{Conjuncts: []term.ID{c4, c1}, Assumptions: []term.ID{c2, c3}})
	if r.Verdict != solver.Unsat || len(r.Core) < 3 {
		t.Errorf("got %s with core %v, want the three that form a cycle", r.Verdict, r.Core)
	}
	if r := b.Check(&solver.Query{Conjuncts: []term.ID{c4, c1}, Assumptions: []term.ID{c2}}); r.Verdict != solver.Sat {
		t.Errorf("got %s, want sat", r.Verdict)
	}
}

func TestLimitIsUnknown(t *testing.T) {
	st := term.NewStore()
	b := newBlaster(st, Config{})
	x, y := st.Var(64, "x"), st.Var(64, "y")
	big := st.Const(64, 1)
	q := &solver.Query{Limit: 1000, Conjuncts: []term.ID{
		st.Eq(st.Mul(x, y), st.Const(64, 0xFFFFFFFFFFFFFFC5)), st.Ult(big, x), st.Ult(big, y),
		st.Eq(st.Extract(x, 63, 32), st.Const(32, 0)), st.Eq(st.Extract(y, 63, 32), st.Const(32, 0)),
	}}
	if r := b.Check(q); r.Verdict != solver.Unknown {
		t.Errorf("got %s", r.Verdict)
	}
}

// A small instance that is thrown away again and again has the same answers.
func TestReset(t *testing.T) {
	st := term.NewStore()
	b := newBlaster(st, Config{MaxVars: 30})
	x := st.Var(8, "x")
	for i := range uint64(40) {
		c := st.Eq(st.Mul(x, st.Add(x, st.Const(8, 2*i+1))), st.Const(8, 1))
		r := b.Check(&solver.Query{Conjuncts: []term.ID{c}})
		want := solver.Unsat
		for v := range uint64(256) {
			m := st.NewModel()
			m.Set(x, v)
			if st.Holds(c, m) {
				want = solver.Sat
			}
		}
		if r.Verdict != want {
			t.Errorf("%d: got %s, want %s", i, r.Verdict, want)
		}
	}
}

func BenchmarkFactor16Bits(b *testing.B) {
	for b.Loop() {
		st := term.NewStore()
		x, y := st.ZExt(st.Var(16, "x"), 32), st.ZExt(st.Var(16, "y"), 32)
		q := &solver.Query{Conjuncts: []term.ID{st.Eq(st.Mul(x, y), st.Const(32, 65521*32749))}}
		if r := newBlaster(st, Config{}).Check(q); r.Verdict != solver.Sat {
			b.Fatal(fmt.Sprint(r.Verdict))
		}
	}
}
