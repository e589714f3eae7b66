package solver

import (
	"math/rand/v2"

	"github.com/goassay/assay/internal/term"
)

// This file guesses models. Two different polynomials differ nearly everywhere, and many other conditions
// hold nearly everywhere, too. A few evaluations cost less than the encoding of one product.

// guesses is how many assignments are tried: simple ones first, then random ones.
const guesses = 8

// guess tries a few assignments of the conjuncts' leaves. It returns nil if none satisfies the conjuncts.
func guess(st *term.Store, conjuncts []term.ID) *term.Model {
	var leaves []term.ID
	seen := map[term.ID]bool{}
	for _, c := range conjuncts {
		for _, l := range st.Support(c) {
			if !st.IsLeaf(l) || st.Width(l) > 64 {
				return nil
			}
			if !seen[l] {
				seen[l] = true
				leaves = append(leaves, l)
			}
		}
	}
	r := rand.New(rand.NewPCG(uint64(len(leaves)), uint64(len(conjuncts))))
	m := st.NewModel()
next:
	for i := range guesses {
		for k, l := range leaves {
			v := r.Uint64()
			switch i {
			case 0:
				v = 0
			case 1:
				v = uint64(k) + 1
			case 2:
				v = ^uint64(k)
			}
			m.Set(l, v)
		}
		for _, c := range conjuncts {
			if !st.Holds(c, m) {
				continue next
			}
		}
		return m
	}
	return nil
}
