package solver

import (
	"math/bits"

	"github.com/goassay/assay/internal/term"
)

// If a conjunct bounds a variable by a small number, the variable's leading bits are zero. For the backend
// that is only one more clause. This file writes the variable as a short one extended with zeros, so that
// products and quotients of it become short, too.

// narrowing returns, for each variable that conjuncts bound from above, a short variable extended to its
// width, or nil if there is none.
func narrowing(st *term.Store, conjuncts []term.ID) map[term.ID]term.ID {
	width := map[term.ID]int{} // the width of the greatest value
	for _, c := range conjuncts {
		x, max, ok := upperBound(st, c)
		if !ok {
			continue
		}
		k := bits.Len64(max)
		if w, ok := width[x]; !ok || k < w {
			width[x] = k
		}
	}
	var out map[term.ID]term.ID
	for x, k := range width {
		w := st.Width(x)
		if k = (k + 3) / 4 * 4; k == 0 || k > w*3/4 { // only a few widths are used, so that few variables are made
			continue
		}
		if out == nil {
			out = map[term.ID]term.ID{}
		}
		// No name in the user's code contains a zero byte.
		out[x] = st.ZExt(st.Var(k, st.Name(x)+"\x00narrow"), w)
	}
	return out
}

// upperBound recognises a conjunct that says x <= max, for a variable x of 9 to 64 bits.
func upperBound(st *term.Store, c term.ID) (x term.ID, max uint64, ok bool) {
	strict := true
	lo, hi := 0, 1
	if st.Op(c) == term.OpNot { // x <= k is written as not k < x
		c, strict = st.Arg(c, 0), false
		lo, hi = 1, 0
	}
	if st.Op(c) != term.OpUlt {
		return 0, 0, false
	}
	x = st.Arg(c, lo)
	k, isConst := st.IsConst(st.Arg(c, hi))
	if !isConst || st.Op(x) != term.OpVar || st.Width(x) <= 8 || st.Width(x) > 64 {
		return 0, 0, false
	}
	if strict {
		if k == 0 {
			return 0, 0, false
		}
		k--
	}
	return x, k, true
}
