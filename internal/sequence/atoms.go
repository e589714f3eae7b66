package sequence

import (
	"github.com/goassay/assay/internal/term"
)

// operand is a side of a comparison in the form that a zone handles: a leaf plus a constant, or a constant
// alone.
type operand struct {
	leaf term.ID // 0 means none
	off  int64
	// width is the width of the leaf. The field beside it says whether the leaf was widened, which determines
	// its class.
	width   uint8
	widened bool
	signed  bool
}

// plain reports whether the operand is an unchanged leaf.
func (o *operand) plain() bool { return o.leaf != 0 && o.off == 0 && !o.widened }

// assume adds a conjunct of a path condition. It reports whether the zone expresses the conjunct
// exactly.
func (z *zone) assume(ts *term.Store, c term.ID) bool {
	neg := false
	if ts.Op(c) == term.OpNot {
		neg, c = true, ts.Arg(c, 0)
	}
	op := ts.Op(c)
	switch op {
	case term.OpVar, term.OpElem: // the conjunct is a boolean
		if z.ordered {
			return false
		}
		i := z.place(c, class{1, false})
		if i < 0 {
			return false
		}
		if neg {
			z.edge(i, 0, 0)
		} else {
			z.edge(0, i, -1)
		}
		return true
	case term.OpEq, term.OpSlt, term.OpUlt:
	default:
		return c == term.True && !neg
	}
	signed := op == term.OpSlt
	if op == term.OpEq {
		signed = z.signOf(ts, c)
	}
	a, ok := z.operand(ts, ts.Arg(c, 0), signed)
	if !ok {
		return false
	}
	b, ok := z.operand(ts, ts.Arg(c, 1), signed)
	if !ok {
		return false
	}
	if z.ordered && !(a.plain() && b.plain()) {
		return false
	}
	i, ok := z.side(&a)
	if !ok {
		return false
	}
	j, ok := z.side(&b)
	if !ok || i == j {
		return false
	}
	// The comparison is i + a.off ? j + b.off.
	k := b.off - a.off
	switch {
	case op == term.OpEq && neg:
		z.ne = append(z.ne, differ{i, j, k})
	case op == term.OpEq:
		z.edge(i, j, k)
		z.edge(j, i, -k)
	case neg: // i + a.off >= j + b.off
		z.edge(j, i, -k)
	default:
		z.edge(i, j, k-1)
	}
	return true
}

// signOf chooses how to read an equality: like earlier comparisons of its leaves, and otherwise as signed.
func (z *zone) signOf(ts *term.Store, eq term.ID) bool {
	for i := range 2 {
		for _, l := range ts.Support(ts.Arg(eq, i)) {
			if k := z.find(l); k >= 0 {
				return z.nodes[k].class.signed
			}
		}
	}
	return true
}

// operand takes a term apart. The result ok is false if a zone cannot handle the term.
func (z *zone) operand(ts *term.Store, t term.ID, signed bool) (o operand, ok bool) {
	w := ts.Width(t)
	if w > 64 {
		return o, false
	}
	if v, isConst := ts.IsConst(t); isConst {
		if signed {
			o.off = int64(v<<(64-w)) >> (64 - w)
		} else if o.off = int64(v); o.off < 0 {
			return o, false
		}
		return o, o.off > -huge && o.off < huge
	}
	o.signed = signed
	if ts.Op(t) == term.OpAdd {
		v, isConst := ts.IsConst(ts.Arg(t, 1))
		if !isConst {
			return o, false
		}
		o.off = int64(v<<(64-w)) >> (64 - w)
		if o.off <= -huge || o.off >= huge {
			return o, false
		}
		t = ts.Arg(t, 0)
	}
	switch ts.Op(t) {
	case term.OpSExt:
		if !signed {
			return o, false
		}
		t, o.widened = ts.Arg(t, 0), true
	case term.OpZExt:
		t, o.widened, o.signed = ts.Arg(t, 0), true, false
	}
	if !ts.IsLeaf(t) || ts.Width(t) < 2 {
		return o, false
	}
	o.leaf, o.width = t, uint8(ts.Width(t))
	// Bounds are only right if a sum does not wrap around.
	if o.off != 0 {
		i := z.place(o.leaf, class{o.width, o.signed})
		if i < 0 {
			return o, false
		}
		if !o.widened {
			c := class{o.width, o.signed}
			if o.off > 0 && z.at(i, z.bound(c, isHigh)) > -o.off || o.off < 0 && z.at(z.bound(c, isLow), i) > o.off {
				return o, false
			}
		} else if w < 64 && int(o.width)+2 > w {
			return o, false
		}
	}
	return o, true
}

// side finds the node of an operand. A constant becomes an offset from zero.
func (z *zone) side(o *operand) (int, bool) {
	if o.leaf == 0 {
		return 0, true
	}
	i := z.place(o.leaf, class{o.width, o.signed})
	return i, i >= 0
}
