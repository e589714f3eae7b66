package solver

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/term"
)

// brute is a backend that tries all values.
type brute struct{ st *term.Store }

func (b brute) Check(q *Query) Result {
	all := append(append([]term.ID(nil), q.Conjuncts...), q.Assumptions...)
	var leaves []term.ID
	seen := map[term.ID]bool{}
	for _, c := range all {
		for _, l := range b.st.Support(c) {
			if !seen[l] {
				seen[l] = true
				leaves = append(leaves, l)
			}
		}
	}
	bits := 0
	for _, l := range leaves {
		bits += b.st.Width(l)
	}
	m := b.st.NewModel()
next:
	for v := range uint64(1) << bits {
		for _, l := range leaves {
			w := b.st.Width(l)
			m.Set(l, v)
			v >>= w
		}
		for _, c := range all {
			if !b.st.Holds(c, m) {
				continue next
			}
		}
		return Result{Verdict: Sat, Model: m.Clone()}
	}
	return Result{Verdict: Unsat, Core: all}
}

// condition returns a random boolean over the leaves.
func condition(r *rand.Rand, st *term.Store, leaves []term.ID) term.ID {
	l := leaves[r.IntN(len(leaves))]
	w := st.Width(l)
	var rhs term.ID
	lhs := l
	switch r.IntN(8) {
	case 0:
		lhs = st.Add(l, st.Const(w, r.Uint64()))
	case 1:
		lhs = st.UDiv(l, st.Const(w, 1+r.Uint64N(4)))
	case 2:
		lhs = st.And(l, st.Const(w, r.Uint64()))
	case 3:
		o := leaves[r.IntN(len(leaves))]
		if st.Width(o) == w {
			lhs = st.Add(l, o)
		}
	}
	rhs = st.Const(w, r.Uint64())
	if r.IntN(2) == 0 {
		for range 4 {
			if o := leaves[r.IntN(len(leaves))]; st.Width(o) == w {
				rhs = o
			}
		}
	}
	var c term.ID
	switch r.IntN(4) {
	case 0:
		c = st.Eq(lhs, rhs)
	case 1:
		c = st.Ult(lhs, rhs)
	default:
		c = st.Slt(lhs, rhs)
	}
	switch r.IntN(8) {
	case 0, 1, 2:
		c = st.Not(c)
	case 3:
		c = st.Or(c, condition(r, st, leaves))
	case 4:
		c = st.And(c, condition(r, st, leaves))
	}
	return c
}

var configs = []Config{
	{},
	{NoDomains: true},
	{NoOrder: true},
	{NoIntervals: true, NoCache: true},
	{NoRepair: true, NoDomains: true, NoOrder: true},
	{NoOrder: true, NoEqualities: true},
}

// On random trees of branches over small leaves, every verdict is the one that enumeration of the whole path
// has, and every model satisfies the path.
func TestBranchesAgainstEnumeration(t *testing.T) {
	sets := [][]int{{2, 2, 3}, {4, 3, 3}, {3, 3, 3}, {9, 2}, {6, 6}, {2, 2, 2, 2, 2}, {10}, {1, 1, 3, 3}, {3, 9}}
	rounds := 600
	if testing.Short() {
		rounds = 300
	}
	for round := range rounds {
		r := rand.New(rand.NewPCG(7, uint64(round)))
		st := term.NewStore()
		b := brute{st}
		cfg := configs[round%len(configs)]
		x := NewContext(st, b, cfg)
		var leaves []term.ID
		a := st.NewArray("a", 3)
		for i, w := range sets[r.IntN(len(sets))] {
			if w == 3 && r.IntN(2) == 0 {
				leaves = append(leaves, st.Read(a, st.Const(64, uint64(i))))
			} else {
				leaves = append(leaves, st.Var(w, string(rune('p'+i))))
			}
		}
		paths := []*PathCond{x.NewPath()}
		for step := 0; step < 25 && len(paths) > 0; step++ {
			i := r.IntN(len(paths))
			p := paths[i]
			c := condition(r, st, leaves)
			where := fmt.Sprintf("round %d step %d: %s with %s", round, step, p, st.String(c))
			on, off := x.Branch(p, c)
			for _, side := range []struct {
				c term.ID
				v Verdict
			}{{c, on}, {st.Not(c), off}} {
				if want := b.Check(&Query{Conjuncts: append(p.Conjuncts(), side.c)}).Verdict; side.v != want {
					t.Fatalf("%s: %s is %s, want %s", where, st.String(side.c), side.v, want)
				}
			}
			switch {
			case on == Sat && off == Sat:
				q := p.Fork()
				if r.IntN(2) == 0 {
					x.Assume(q, st.Not(c))
					x.Assume(p, c)
				} else {
					x.Assume(p, c)
					x.Assume(q, st.Not(c))
				}
				paths = append(paths, q)
			case on == Sat:
				x.Assume(p, c)
			default:
				x.Assume(p, st.Not(c))
			}
			if r.IntN(3) == 0 {
				if _, v := x.Model(p); v != Sat {
					t.Fatalf("%s: the path has no model: %s", where, v)
				}
			}
			if r.IntN(6) == 0 {
				paths[i].Release()
				paths = append(paths[:i], paths[i+1:]...)
			}
		}
		for _, p := range paths {
			if _, v := x.Model(p); v != Sat {
				t.Fatalf("round %d: no model of %s", round, p)
			}
		}
	}
}

// tiring is a backend that gives up at random.
type tiring struct {
	brute
	r *rand.Rand
}

func (b tiring) Check(q *Query) Result {
	if b.r.IntN(3) == 0 {
		return Result{}
	}
	return b.brute.Check(q)
}

// If the backend gives up at random, paths that are called satisfiable are, and so are paths that are called
// unsatisfiable, also if a part of the path was assumed without a proof.
func TestUnknownIsNoProof(t *testing.T) {
	unknown := 0
	for round := range 300 {
		r := rand.New(rand.NewPCG(31, uint64(round)))
		st := term.NewStore()
		b := brute{st}
		x := NewContext(st, tiring{b, r}, configs[round%len(configs)])
		var leaves []term.ID
		for i, w := range [][]int{{3, 3, 3}, {9, 2}, {6, 6}}[round%3] {
			leaves = append(leaves, st.Var(w, string(rune('p'+i))))
		}
		p := x.NewPath()
		for range 12 {
			c := condition(r, st, leaves)
			if c <= term.True { // a constant condition is assumed without a question
				continue
			}
			on, off := x.Branch(p, c)
			for _, side := range []struct {
				c term.ID
				v Verdict
			}{{c, on}, {st.Not(c), off}} {
				want := b.Check(&Query{Conjuncts: append(p.Conjuncts(), side.c)}).Verdict
				if side.v == Unknown {
					unknown++
				} else if side.v != want {
					t.Fatalf("round %d: %s is %s, want %s on %s", round, st.String(side.c), side.v, want, p)
				}
			}
			if on == Unsat && off == Unsat {
				break
			}
			if on == Unsat || off != Unsat && r.IntN(2) == 0 {
				c = st.Not(c)
			}
			x.Assume(p, c)
			if m, v := x.Model(p); v == Sat {
				for _, k := range p.Conjuncts() {
					if !st.Holds(k, m) {
						t.Fatalf("round %d: the model violates %s", round, st.String(k))
					}
				}
			}
		}
	}
	if unknown < 50 {
		t.Errorf("only %d unknown", unknown)
	}
}
