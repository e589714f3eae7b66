package solver

import (
	"slices"

	"github.com/goassay/assay/internal/term"
)

// key returns a key by which conjuncts are grouped by their leaves. All elements of an array that is read at
// symbolic indexes have one key.
func (x *Context) key(leaf term.ID) int {
	st := x.st
	if st.Op(leaf) == term.OpElem && st.Symbolic(st.ArrayOf(leaf)) {
		leaf = st.ArrayTerm(st.ArrayOf(leaf))
	}
	return st.LeafNum(leaf)
}

// slice returns the conjuncts of p that share leaves with c, directly or through others, in the order
// of their IDs and without repetitions. The result is valid until the next call.
func (x *Context) slice(p *PathCond, c term.ID) []term.ID {
	if n := x.st.Leaves(); len(x.mark) < n {
		x.mark = append(x.mark, make([]uint32, n-len(x.mark)+n/2)...)
	}
	x.markGen++
	x.markLeaves(c)
	rest := x.todo[:0]
	p.each(func(_ int, k term.ID) bool {
		rest = append(rest, k)
		return true
	})
	x.todo = rest
	out := x.sliced[:0]
	for grown := true; grown; {
		grown = false
		keep := rest[:0]
		for _, k := range rest {
			if !x.touches(k) {
				keep = append(keep, k)
				continue
			}
			out = append(out, k)
			if x.markLeaves(k) {
				grown = true
			}
		}
		rest = keep
	}
	slices.Sort(out)
	out = slices.Compact(out)
	x.sliced = out
	return out
}

func (x *Context) markLeaves(c term.ID) (grown bool) {
	for _, l := range x.st.Support(c) {
		if k := x.key(l); x.mark[k] != x.markGen {
			x.mark[k] = x.markGen
			grown = true
		}
	}
	return grown
}

func (x *Context) touches(c term.ID) bool {
	for _, l := range x.st.Support(c) {
		if x.mark[x.key(l)] == x.markGen {
			return true
		}
	}
	return false
}
