package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/term"
)

func TestPrepareAgainstEnumeration(t *testing.T) {
	for round := range 400 {
		r := rand.New(rand.NewPCG(23, uint64(round)))
		st := term.NewStore()
		var leaves []term.ID
		for i, w := range [][]int{{3, 3, 3, 1}, {2, 2, 2, 2}, {4, 4, 2}}[round%3] {
			leaves = append(leaves, st.Var(w, string(rune('p'+i))))
		}
		var cs []term.ID
		for range 1 + r.IntN(5) {
			cs = append(cs, condition(r, st, leaves))
		}
		b := brute{st}
		got, want := Prepare(st, b).Check(&Query{Conjuncts: cs}), b.Check(&Query{Conjuncts: cs})
		if got.Verdict != want.Verdict {
			t.Fatalf("round %d: got %s, want %s: %s", round, got.Verdict, want.Verdict, st.String(st.AndAll(cs...)))
		}
		for _, c := range cs {
			if got.Verdict == Sat && !st.Holds(c, got.Model) {
				t.Fatalf("round %d: the model violates %s", round, st.String(c))
			}
		}
	}
}
