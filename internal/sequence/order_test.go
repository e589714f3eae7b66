package sequence

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
)

// arrangements lists the orders that the first k variables have in a set of models: for each pair, which
// variable is less.
func arrangements(set map[int]bool, k int) map[int]bool {
	out := map[int]bool{}
	for n := range set {
		order := 0
		for i := range k {
			for j := range k {
				order <<= 1
				if n>>(3*i)&7 < n>>(3*j)&7 {
					order |= 1
				}
			}
		}
		out[order] = true
	}
	return out
}

// If only the order counts, a condition covers another one only if it allows every order of the remaining
// values that the other one allows, which enumeration shows. If both conditions are exact, it always covers
// the other one then.
func TestOrderIsProof(t *testing.T) {
	rounds := 600
	if testing.Short() {
		rounds = 200
	}
	r := rand.New(rand.NewPCG(5, 6))
	yes, exact := 0, 0
	for round := range rounds {
		ts := term.NewStore()
		sub := &subsumer{ts: ts, sctx: solver.NewContext(ts, bitblast.New(ts, bitblast.Config{}), solver.Config{}), left: 100}
		vars := []term.ID{ts.Var(3, "a"), ts.Var(3, "b"), ts.Var(3, "c"), ts.Var(3, "d")}
		const kept = 3
		var conds [2]*condition
		var sets [2]map[int]bool
		for i := range conds {
			var all []term.ID
			for all == nil || len(models(ts, all, vars)) == 0 {
				all = nil
				for range 1 + r.IntN(5) {
					a, b := vars[r.IntN(4)], vars[r.IntN(4)]
					c := ts.Slt(a, b)
					if r.IntN(3) == 0 {
						c = ts.Eq(a, b)
					}
					if r.IntN(2) == 0 {
						c = ts.Not(c)
					}
					if c > term.True {
						all = append(all, c)
					}
				}
			}
			conds[i] = condense(ts, pathCondition{all: all, ordered: true}, vars[:kept], nil)
			conds[i].list()
			// Signed numbers of three bits, mapped to unsigned numbers in the same order.
			sets[i] = map[int]bool{}
			for n := range models(ts, all, vars) {
				sets[i][n^0b100100100100] = true
			}
			sets[i] = arrangements(sets[i], kept)
		}
		got, want := sub.covers(conds[0], conds[1]), subset(sets[1], sets[0])
		both := conds[0].exact() && conds[1].exact()
		if got && !want || both && got != want {
			t.Fatalf("round %d: %s covers %s: %v, want %v", round, ts.String(ts.AndAll(conds[0].all...)), ts.String(ts.AndAll(conds[1].all...)), got, want)
		}
		if want {
			yes++
		}
		if both {
			exact++
		}
	}
	t.Logf("%d rounds: %d exact, %d covered", rounds, exact, yes)
	if exact < rounds/2 || yes < rounds/10 {
		t.Errorf("%d of %d exact, %d covered", exact, rounds, yes)
	}
}

// An exploration that compares states by order alone covers the same as one that compares them exactly, with
// as many calls. Conditions about anything but order are noticed, whatever the solver answers.
func TestOrderAlone(t *testing.T) {
	prog, pkg := subjects(t)
	for name, ordered := range map[string]bool{
		"UBStack": true, "IntStack": true, "BinarySearchTree": true, "BinomialHeap": false, "LinkedList": true, "TreeMap": true, "HeapArray": true,
	} {
		by, exact := explore(t, prog, pkg, name, Config{Depth: 7}), explore(t, prog, pkg, name, Config{Depth: 7, Exact: true})
		if by.Ordered != ordered || exact.Ordered {
			t.Errorf("%s: ordered: %v, want %v; exact: %v", name, by.Ordered, ordered, exact.Ordered)
		}
		for n := range exact.Iterations {
			if a, b := by.Iterations[n], exact.Iterations[n]; a.Covered != b.Covered || a.States > b.States {
				t.Errorf("%s: %d states cover %d after %d calls, exactly %d cover %d", name, a.States, a.Covered, n, b.States, b.Covered)
			}
		}
	}

	prog, pkg = loadDir(t, "testdata/kinds")
	least := false
	res, err := Run(context.Background(), Subject{prog, pkg, pkg.Types.Scope().Lookup("Pair").Type()}, Config{Depth: 5}, func(c *testcase.Case) bool {
		least = least || c.Target == "Pair.Least" && c.Predicted.Results[c.Predicted.At][0].Bits == 1
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if res.Ordered || !least {
		t.Errorf("ordered: %v, reached: %v", res.Ordered, least)
	}
}
