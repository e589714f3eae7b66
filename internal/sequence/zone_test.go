package sequence

import (
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/term"
)

// randomCondition makes a few conjuncts over variables of 3 bits that can hold together.
func randomCondition(r *rand.Rand, ts *term.Store, vars []term.ID, signed, odd bool) []term.ID {
	const w = 3
	operand := func() term.ID {
		switch k := r.IntN(10); {
		case k == 0:
			return ts.Const(w, r.Uint64())
		case k == 1:
			return ts.Add(vars[r.IntN(len(vars))], ts.Const(w, r.Uint64()))
		}
		return vars[r.IntN(len(vars))]
	}
	for {
		var out []term.ID
		for range 1 + r.IntN(5) {
			a, b := operand(), operand()
			var c term.ID
			switch {
			case r.IntN(3) == 0:
				c = ts.Eq(a, b)
			case signed:
				c = ts.Slt(a, b)
			default:
				c = ts.Ult(a, b)
			}
			if r.IntN(2) == 0 {
				c = ts.Not(c)
			}
			if odd && r.IntN(6) == 0 {
				c = ts.Not(ts.And(c, ts.Eq(operand(), operand())))
			}
			if c > term.True {
				out = append(out, c)
			}
		}
		if len(models(ts, out, vars)) > 0 {
			return out
		}
	}
}

// models lists the assignments of 3-bit variables that satisfy conjuncts, as numbers in
// base 8.
func models(ts *term.Store, conjuncts []term.ID, vars []term.ID) map[int]bool {
	out := map[int]bool{}
	m := ts.NewModel()
	for n := range 1 << (3 * len(vars)) {
		for i, v := range vars {
			m.Set(v, uint64(n>>(3*i)&7))
		}
		ok := true
		for _, c := range conjuncts {
			if !ts.Holds(c, m) {
				ok = false
				break
			}
		}
		if ok {
			out[n] = true
		}
	}
	return out
}

// projected keeps the values of the first k variables.
func projected(set map[int]bool, k int) map[int]bool {
	out := map[int]bool{}
	for n := range set {
		out[n&(1<<(3*k)-1)] = true
	}
	return out
}

// subset reports whether all elements of a are in b.
func subset(a, b map[int]bool) bool {
	for n := range a {
		if !b[n] {
			return false
		}
	}
	return true
}

// A condition covers another one only if enumeration of all values shows that it does. If both conditions
// are exact, it always covers the other one then.
func TestCoversIsProof(t *testing.T) {
	rounds := 600
	if testing.Short() {
		rounds = 200
	}
	r := rand.New(rand.NewPCG(1, 2))
	yes, missed, exact := 0, 0, 0
	for round := range rounds {
		ts := term.NewStore()
		sctx := solver.NewContext(ts, bitblast.New(ts, bitblast.Config{}), solver.Config{})
		sub := &subsumer{ts: ts, sctx: sctx, left: 100}
		vars := []term.ID{ts.Var(3, "a"), ts.Var(3, "b"), ts.Var(3, "c"), ts.Var(3, "d")}
		const kept = 2
		signed, odd := round%2 == 0, round%3 == 0
		var conds [2]*condition
		var sets [2]map[int]bool
		for i := range conds {
			all := randomCondition(r, ts, vars, signed, odd)
			conds[i] = condense(ts, pathCondition{all: all}, vars[:kept], nil)
			conds[i].list()
			sets[i] = projected(models(ts, all, vars), kept)
		}
		got := sub.covers(conds[0], conds[1])
		want := subset(sets[1], sets[0])
		if got && !want {
			t.Fatalf("round %d: %v covers %v, says it", round, ts.String(ts.AndAll(conds[0].all...)), ts.String(ts.AndAll(conds[1].all...)))
		}
		if want {
			yes++
			if !got {
				missed++
			}
		}
		if conds[0].exact() && conds[1].exact() {
			exact++
		}
	}
	t.Logf("%d rounds: %d exact, %d covered, of which %d were not seen", rounds, exact, yes, missed)
	if exact < rounds/10 || missed > yes/10 {
		t.Errorf("%d of %d exact, %d of %d missed", exact, rounds, missed, yes)
	}
}

// A condition that is derived step by step from its parent's says the same as one that is computed at once.
func TestCondenseInSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		ts := term.NewStore()
		vars := []term.ID{ts.Var(3, "a"), ts.Var(3, "b"), ts.Var(3, "c")}
		all := randomCondition(r, ts, vars, true, false)
		k := r.IntN(len(all) + 1)
		parent := condense(ts, pathCondition{all: all[:k]}, vars, nil)
		steps := condense(ts, pathCondition{all: all, parent: parent, known: k}, vars[:2], nil)
		once := condense(ts, pathCondition{all: all}, vars[:2], nil)
		if !steps.exact() || !once.exact() {
			continue
		}
		steps.list()
		once.list()
		if !steps.implies(once) || !once.implies(steps) {
			t.Fatalf("%s in steps, %s at once", steps, once)
		}
	}
}
