package sat

import (
	"math/rand/v2"
	"testing"
)

// Random formulas are solved incrementally, with random assumptions, and the answers agree with enumeration.
// Cores are checked as well.
func TestAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 1500 {
		n := 3 + r.IntN(10)
		s := New(Config{MaxLearnt: 20, RestartUnit: 2})
		s.limit = 5
		for range n {
			s.NewVar()
		}
		var clauses [][]Lit
		for range 6 {
			for range r.IntN(3*n) + 1 {
				var c []Lit
				for range 1 + r.IntN(4) + r.IntN(2) {
					c = append(c, Lit(r.IntN(2*n)))
				}
				clauses = append(clauses, c)
				s.AddClause(c...)
			}
			var as []Lit
			for range r.IntN(6) {
				as = append(as, Lit(r.IntN(2*n)))
			}
			got := s.Solve(as, nil, 0)
			want := enumerate(n, clauses, as)
			if (got == Satisfiable) != want || got == Undecided {
				t.Fatalf("round %d: got %d, want %v", round, got, want)
			}
			if got == Satisfiable {
				for _, c := range append(clauses, units(as)...) {
					ok := false
					for _, l := range c {
						ok = ok || s.Value(l)
					}
					if !ok {
						t.Fatalf("round %d: model violates %v", round, c)
					}
				}
				continue
			}
			for _, l := range s.Core() {
				found := false
				for _, a := range as {
					found = found || a == l
				}
				if !found {
					t.Fatalf("round %d: %v in the core is no assumption of %v", round, l, as)
				}
			}
			if enumerate(n, clauses, s.Core()) {
				t.Fatalf("round %d: core %v is satisfiable", round, s.Core())
			}
		}
	}
}

func units(as []Lit) (out [][]Lit) {
	for _, a := range as {
		out = append(out, []Lit{a})
	}
	return out
}

func enumerate(n int, clauses [][]Lit, as []Lit) bool {
next:
	for x := range 1 << n {
		for _, a := range as {
			if (x>>a.Var()&1 == 1) == a.Neg() {
				continue next
			}
		}
		for _, c := range clauses {
			ok := false
			for _, l := range c {
				ok = ok || (x>>l.Var()&1 == 1) != l.Neg()
			}
			if !ok {
				continue next
			}
		}
		return true
	}
	return false
}

// pigeons asks whether n+1 pigeons fit into n holes.
func pigeons(n int) *Solver {
	s := New(Config{})
	for range (n + 1) * n {
		s.NewVar()
	}
	for p := range n + 1 {
		var c []Lit
		for h := range n {
			c = append(c, Pos(p*n+h))
		}
		s.AddClause(c...)
	}
	for h := range n {
		for p := range n + 1 {
			for q := range p {
				s.AddClause(Pos(p*n+h).Not(), Pos(q*n+h).Not())
			}
		}
	}
	return s
}

func TestPigeonholes(t *testing.T) {
	if st := pigeons(7).Solve(nil, nil, 0); st != Unsatisfiable {
		t.Errorf("got %d", st)
	}
}

func TestLimit(t *testing.T) {
	s := pigeons(12)
	if st := s.Solve(nil, nil, 20000); st != Undecided {
		t.Errorf("got %d, want undecided", st)
	}
	if e := s.Effort(); e < 20000 || e > 30000 {
		t.Errorf("spent %d", e)
	}
}

func TestLuby(t *testing.T) {
	want := []int64{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8}
	for i, w := range want {
		if got := luby(int64(i)); got != w {
			t.Errorf("luby(%d) = %d, want %d", i, got, w)
		}
	}
}

func BenchmarkPigeons8(b *testing.B) {
	for b.Loop() {
		pigeons(8).Solve(nil, nil, 0)
	}
}
