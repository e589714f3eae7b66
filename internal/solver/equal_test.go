package solver

import (
	"slices"
	"testing"

	"github.com/goassay/assay/internal/term"
)

// The backend gets a query with one variable for each group of equal ones, and the answer is about the
// original query.
func TestEqualities(t *testing.T) {
	st := term.NewStore()
	a, b, c, d := st.Var(2, "a"), st.Var(2, "b"), st.Var(2, "c"), st.Var(2, "d")
	ab, bc := st.Eq(a, b), st.Eq(b, c)
	below := st.Ult(st.Mul(a, d), c)
	tests := []struct {
		name string
		in   []term.ID
		want Verdict
	}{
		{"chain", []term.ID{ab, bc, below}, Sat},
		{"chain closed by the sum", []term.ID{ab, bc, below, st.Ne(st.Add(a, b), st.Add(c, b))}, Unsat},
		{"refuted by the rest", []term.ID{ab, bc, st.Ult(st.Mul(a, d), st.Mul(c, d)), st.Ult(d, c)}, Unsat},
		{"refuted by the backend", []term.ID{ab, bc, st.Ult(a, d), st.Ult(d, c)}, Unsat},
		{"none", []term.ID{below}, Sat},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked []term.ID
			x := NewContext(st, spy{brute{st}, &asked}, Config{})
			slices.Sort(tt.in)
			r := x.askBackend(tt.in) // this backend accepts a model only if the model satisfies the query
			if r.Verdict != tt.want {
				t.Fatalf("%v, want %v", r.Verdict, tt.want)
			}
			if slices.Contains(tt.in, ab) && slices.ContainsFunc(asked, func(q term.ID) bool {
				s := st.Support(q)
				return slices.Contains(s, b) || slices.Contains(s, c)
			}) {
				t.Errorf("the backend was asked about variables that equal another: %v", asked)
			}
			for _, k := range r.Core {
				if !slices.Contains(tt.in, k) {
					t.Errorf("the core has %s, which is not in the query", st.String(k))
				}
			}
			if r.Verdict == Unsat && len(r.Core) > 0 && (brute{st}).Check(&Query{Conjuncts: r.Core}).Verdict != Unsat {
				t.Errorf("the core is satisfiable")
			}
		})
	}
}

// spy keeps the queries that it is asked.
type spy struct {
	Solver
	asked *[]term.ID
}

func (s spy) Check(q *Query) Result {
	*s.asked = append(*s.asked, q.Conjuncts...)
	return s.Solver.Check(q)
}
