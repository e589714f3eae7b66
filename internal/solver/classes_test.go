package solver

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/term"
)

// For random hard, soft and assumption constraints over small leaves the verdict is the one that enumeration
// has, the kept constraints are the lexicographically greatest set, and the model satisfies all kept
// constraints.
func TestSolveAgainstEnumeration(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 100
	}
	for round := range rounds {
		r := rand.New(rand.NewPCG(11, uint64(round)))
		st := term.NewStore()
		b := brute{st}
		x := NewContext(st, b, configs[round%len(configs)])
		var leaves []term.ID
		for i, w := range [][]int{{3, 3, 2}, {4, 4}, {9}, {2, 2, 2, 2}, {6, 3}}[round%5] {
			leaves = append(leaves, st.Var(w, string(rune('p'+i))))
		}
		some := func(n int) (out []term.ID) {
			for range r.IntN(n) {
				out = append(out, condition(r, st, leaves))
			}
			return out
		}
		p := x.NewPath()
		hard, assumptions, soft := some(4), some(4), some(7)
		for _, c := range hard {
			x.Assume(p, c) // the path is feasible or not, and Solve finds that out
		}
		a := x.Solve(p, soft, assumptions)
		if want := b.Check(&Query{Conjuncts: hard}).Verdict; a.Verdict != want {
			t.Fatalf("round %d: got %s, want %s for %s", round, a.Verdict, want, p)
		}
		if a.Verdict != Sat {
			continue
		}
		kept := slices.Clone(hard)
		for _, class := range []struct {
			ts   []term.ID
			kept []bool
		}{{assumptions, a.KeptAssumptions}, {soft, a.KeptSoft}} {
			for i, c := range class.ts {
				fits := b.Check(&Query{Conjuncts: append(slices.Clone(kept), c)}).Verdict == Sat
				if fits != class.kept[i] {
					t.Fatalf("round %d: kept %v, want %v: %s", round, class.kept[i], fits, st.String(c))
				}
				if fits {
					kept = append(kept, c)
				}
			}
		}
		for _, c := range kept {
			if !st.Holds(c, a.Model) {
				t.Errorf("round %d: the model violates %s", round, st.String(c))
			}
		}
	}
}
