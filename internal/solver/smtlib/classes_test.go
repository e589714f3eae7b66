package smtlib

import (
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/term"
)

// The classes are kinds of queries that path conditions bring. Each class has conjunctions over random
// constants, about half of them satisfiable. The benchmarks below compare the embedded solver with z3 -in on
// all of them; -v prints the time by class.

type class struct {
	name string
	gen  func(r *rand.Rand, st *term.Store) []term.ID
}

var classes = []class{
	{"mul64", func(r *rand.Rand, st *term.Store) []term.ID { // x*y = k, where k has small factors
		x, y := st.ZExt(st.Var(12, "x"), 64), st.ZExt(st.Var(12, "y"), 64)
		k := (2 + r.Uint64N(4000)) * (2 + r.Uint64N(4000))
		if r.IntN(2) == 0 {
			k = 4099 * (2 + r.Uint64N(900)) // a prime factor too large
		}
		return []term.ID{st.Eq(st.Mul(x, y), st.Const(64, k))}
	}},
	{"linear", func(r *rand.Rand, st *term.Store) []term.ID {
		var cs []term.ID
		vs := []term.ID{st.Var(32, "x"), st.Var(32, "y"), st.Var(32, "z")}
		for range 3 + r.IntN(3) {
			sum := st.Const(32, 0)
			for _, v := range vs {
				sum = st.Add(sum, st.Mul(st.Const(32, uint64(r.IntN(9))-4), v))
			}
			cs = append(cs, st.Slt(sum, st.Const(32, uint64(r.IntN(2000))-1000)))
		}
		for _, v := range vs {
			cs = append(cs, st.Slt(st.Const(32, ^uint64(5000)), v), st.Slt(v, st.Const(32, 5000)))
		}
		return cs
	}},
	{"divconst", func(r *rand.Rand, st *term.Store) []term.ID {
		x := st.Var(64, "x")
		d := 3 + r.Uint64N(1000)
		m := 2 + r.Uint64N(d-2)
		cs := []term.ID{st.Eq(st.URem(x, st.Const(64, d)), st.Const(64, m)), st.Ult(st.Const(64, 1e6), st.UDiv(x, st.Const(64, 7)))}
		if r.IntN(2) == 0 {
			cs = append(cs, st.Eq(st.URem(x, st.Const(64, 2*d)), st.Const(64, m+1)))
		}
		return cs
	}},
	{"divvar", func(r *rand.Rand, st *term.Store) []term.ID {
		x, y := st.Var(32, "x"), st.Var(32, "y")
		q := st.UDiv(x, y)
		cs := []term.ID{st.Eq(q, st.Const(32, r.Uint64N(1000))), st.Ult(st.Const(32, 10), y)}
		if r.IntN(2) == 0 {
			cs = append(cs, st.Ult(x, q))
		} else {
			cs = append(cs, st.Eq(st.URem(x, y), st.Const(32, r.Uint64N(100))))
		}
		return cs
	}},
	{"fnv", func(r *rand.Rand, st *term.Store) []term.ID {
		h := st.Const(32, 2166136261)
		var cs []term.ID
		for i := range 3 {
			b := st.Var(8, string(rune('a'+i)))
			cs = append(cs, st.Ult(st.Const(8, 31), b), st.Ult(b, st.Const(8, 127)))
			h = st.Mul(st.Xor(h, st.ZExt(b, 32)), st.Const(32, 16777619))
		}
		return append(cs, st.Eq(st.And(h, st.Const(32, 0xFFF)), st.Const(32, r.Uint64N(4096))))
	}},
	{"ring", func(r *rand.Rand, st *term.Store) []term.ID { // laws that cannot be proved bit by bit
		w := []int{8, 16, 32, 64}[r.IntN(4)]
		x, y, z := st.Var(w, "x"), st.Var(w, "y"), st.Var(w, "z")
		switch r.IntN(4) {
		case 0:
			return []term.ID{st.Ne(st.Mul(x, y), st.Mul(y, x))}
		case 1:
			return []term.ID{st.Ne(st.Mul(x, st.Add(y, z)), st.Add(st.Mul(x, y), st.Mul(x, z)))}
		case 2:
			return []term.ID{st.Ne(st.Mul(st.Mul(x, y), z), st.Mul(x, st.Mul(y, z)))}
		}
		return []term.ID{st.Ne(st.Mul(x, y), st.Mul(x, z)), st.Eq(st.Add(y, st.Const(w, 1)), z)}
	}},
	{"parser", func(r *rand.Rand, st *term.Store) []term.ID { // digits that make a number
		n := st.Const(64, 0)
		var cs []term.ID
		for i := range 8 {
			b := st.Var(8, string(rune('a'+i)))
			cs = append(cs, st.Ule(st.Const(8, '0'), b), st.Ule(b, st.Const(8, '9')))
			n = st.Add(st.Mul(n, st.Const(64, 10)), st.ZExt(st.Sub(b, st.Const(8, '0')), 64))
		}
		k := r.Uint64N(2e8)
		return append(cs, st.Eq(n, st.Const(64, k)))
	}},
	{"bits", func(r *rand.Rand, st *term.Store) []term.ID { // population count and masks
		x := st.Var(32, "x")
		n := st.Const(32, 0)
		for i := range 32 {
			n = st.Add(n, st.ZExt(st.Extract(x, i, i), 32))
		}
		k := r.Uint64N(33)
		return []term.ID{st.Eq(n, st.Const(32, k)), st.Eq(st.And(x, st.Neg(x)), st.Const(32, 1<<r.IntN(32)))}
	}},
	{"shift", func(r *rand.Rand, st *term.Store) []term.ID {
		x, y := st.Var(64, "x"), st.Var(64, "y")
		cs := []term.ID{st.Eq(st.LShr(st.Shl(x, y), y), x), st.Ult(y, st.Const(64, 64)), st.Ult(st.Const(64, uint64(r.IntN(64))), y)}
		if r.IntN(2) == 0 {
			return append(cs, st.Slt(x, st.Const(64, 0)))
		}
		return append(cs, st.Ult(st.Const(64, r.Uint64()>>r.IntN(64)), x))
	}},
	{"table", func(r *rand.Rand, st *term.Store) []term.ID { // a chain of lookups in a permutation
		vals := make([]uint64, 256)
		for i, v := range r.Perm(256) {
			vals[i] = uint64(v)
		}
		t := st.NewTable(8, vals)
		x, y := st.Var(8, "x"), st.Var(8, "y")
		a := st.Lookup(t, st.Xor(x, st.Lookup(t, y)))
		return []term.ID{st.Eq(a, st.Const(8, r.Uint64())), st.Ult(x, st.Const(8, r.Uint64N(20))), st.Ult(y, st.Const(8, r.Uint64N(20)))}
	}},
}

const perClass = 10

// runClasses decides all queries. Each query has a store of its own, as a script has.
func runClasses(b *testing.B, solve func(st *term.Store, q *solver.Query) solver.Result) {
	for b.Loop() {
		unknown := 0
		for i, c := range classes {
			for k := range perClass {
				r := rand.New(rand.NewPCG(uint64(i), uint64(k)))
				st := term.NewStore()
				q := &solver.Query{Conjuncts: c.gen(r, st)}
				if solve(st, q).Verdict == solver.Unknown {
					unknown++
				}
			}
		}
		b.ReportMetric(float64(unknown), "unknown")
	}
}

func BenchmarkClassesEmbedded(b *testing.B) {
	runClasses(b, embeddedCheck)
}

// One process of Z3 gets all queries, by push and pop. Its queries are our terms after simplification.
func BenchmarkClassesZ3(b *testing.B) {
	p := z3(b, term.NewStore(), 5000)
	runClasses(b, func(st *term.Store, q *solver.Query) solver.Result {
		p.st = st
		return p.Check(q)
	})
}

// BenchmarkClass measures each class by itself, for both solvers.
func BenchmarkClass(b *testing.B) {
	for i, c := range classes {
		one := func(b *testing.B, solve func(st *term.Store, q *solver.Query) solver.Result) {
			for b.Loop() {
				unknown := 0
				for k := range perClass {
					r := rand.New(rand.NewPCG(uint64(i), uint64(k)))
					st := term.NewStore()
					if solve(st, &solver.Query{Conjuncts: c.gen(r, st)}).Verdict == solver.Unknown {
						unknown++
					}
				}
				b.ReportMetric(float64(unknown), "unknown")
			}
		}
		b.Run(c.name+"/embedded", func(b *testing.B) { one(b, embeddedCheck) })
		b.Run(c.name+"/z3", func(b *testing.B) {
			p := z3(b, term.NewStore(), 5000)
			one(b, func(st *term.Store, q *solver.Query) solver.Result { p.st = st; return p.Check(q) })
		})
	}
}

func embeddedCheck(st *term.Store, q *solver.Query) solver.Result {
	return solver.Prepare(st, bitblast.New(st, bitblast.Config{})).Check(q)
}
