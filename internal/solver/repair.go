package solver

import (
	"math/bits"

	"github.com/goassay/assay/internal/term"
)

// This file repairs models. Before the backend is asked for a model of p ∧ c, the path's own model, which
// satisfies p and not c, is changed in one leaf so that c holds. The leaf's value is computed backwards from
// c, while everything else stays as it is. If the slice still holds, that is the answer.

// maxRepairLeaves bounds the leaves tried, and maxRepairTerms the steps spent on finding them.
const (
	maxRepairLeaves = 8
	maxRepairSteps  = 64
)

type repairer struct {
	x     *Context
	m     *term.Model
	q     []term.ID
	steps int
	tried []attempt
	found *term.Model
}

type attempt struct {
	leaf term.ID
	v    uint64
}

// repair returns a model of the conjuncts q, given a model m that violates only c, or nil if it finds none.
func (x *Context) repair(p *PathCond, c term.ID, q []term.ID, m *term.Model) *term.Model {
	e := x.edit(m)
	for _, k := range q {
		for _, l := range x.st.Support(k) {
			p.settle(&e, l)
		}
	}
	r := &x.rep
	*r = repairer{x: x, m: e.m, q: q, tried: r.tried[:0]}
	r.want(c, true)
	if r.found == nil {
		r.tried = r.tried[:0]
		r.residues()
	}
	return r.found
}

// want changes the leaf so that the boolean t has the value v.
func (r *repairer) want(t term.ID, v bool) {
	st := r.x.st
	if r.found != nil || r.steps > maxRepairSteps || st.Holds(t, r.m) == v {
		return
	}
	r.steps++
	switch st.Op(t) {
	case term.OpNot:
		r.want(st.Arg(t, 0), !v)
	case term.OpAnd:
		// To make a conjunction false, one part is enough. To make it true, all parts but one must hold already, or contain
		// the leaf.
		r.want(st.Arg(t, 0), v)
		r.want(st.Arg(t, 1), v)
	case term.OpEq, term.OpUlt, term.OpSlt:
		r.compare(t, v)
	default:
		if st.Width(t) == 1 {
			var u uint64
			if v {
				u = 1
			}
			r.solve(t, u)
		}
	}
}

// compare tries values on either side that give a comparison the value v.
func (r *repairer) compare(t term.ID, v bool) {
	st := r.x.st
	a, b := st.Arg(t, 0), st.Arg(t, 1)
	w := st.Width(a)
	if w > 64 {
		return
	}
	va, vb := st.Eval(a, r.m), st.Eval(b, r.m)
	least := uint64(1) << (w - 1)
	switch {
	case st.Op(t) == term.OpEq && v:
		r.solve(a, vb)
		r.solve(b, va)
	case st.Op(t) == term.OpEq:
		for _, d := range []uint64{vb + 1, vb - 1, 0, 1, ^vb} {
			if d&term.Mask(w) != vb {
				r.solve(a, d)
			}
		}
		for _, d := range []uint64{va + 1, va - 1, 0, 1} {
			if d&term.Mask(w) != va {
				r.solve(b, d)
			}
		}
	case v: // a < b
		lo, hi := uint64(0), term.Mask(w)
		if st.Op(t) == term.OpSlt {
			lo, hi = least, least-1
		}
		if vb != lo {
			r.solve(a, vb-1)
			r.solve(a, 0)
			r.solve(a, lo)
		}
		if va != hi {
			r.solve(b, va+1)
			r.solve(b, hi)
		}
	default: // a >= b
		hi := term.Mask(w)
		if st.Op(t) == term.OpSlt {
			hi = least - 1
		}
		r.solve(a, vb)
		r.solve(b, va)
		r.solve(a, vb+1)
		r.solve(a, hi)
		r.solve(b, 0)
	}
}

// solve changes the leaf so that the term t, of at most 64 bits, has the value v.
func (r *repairer) solve(t term.ID, v uint64) {
	st := r.x.st
	w := st.Width(t)
	v &= term.Mask(w)
	if r.found != nil || r.steps > maxRepairSteps || w > 64 || st.SupportID(t) == 1 {
		return
	}
	r.steps++
	arg := func(i int) (term.ID, uint64) {
		a := st.Arg(t, i)
		if st.Width(a) > 64 {
			return a, 0
		}
		return a, st.Eval(a, r.m)
	}
	switch st.Op(t) {
	case term.OpVar, term.OpElem:
		r.try(t, v)
	case term.OpNot:
		if w == 1 {
			r.want(st.Arg(t, 0), v == 0)
		} else {
			r.solve(st.Arg(t, 0), ^v)
		}
	case term.OpNeg:
		r.solve(st.Arg(t, 0), -v)
	case term.OpAdd:
		a, va := arg(0)
		b, vb := arg(1)
		r.solve(a, v-vb)
		r.solve(b, v-va)
	case term.OpXor:
		a, va := arg(0)
		b, vb := arg(1)
		r.solve(a, v^vb)
		r.solve(b, v^va)
	case term.OpAnd:
		if w == 1 {
			r.want(t, v == 1)
			return
		}
		a, va := arg(0)
		b, vb := arg(1)
		if v&^vb == 0 {
			r.solve(a, v|va&^vb)
		}
		if v&^va == 0 {
			r.solve(b, v|vb&^va)
		}
	case term.OpOr:
		a, va := arg(0)
		b, vb := arg(1)
		if vb&^v == 0 {
			r.solve(a, v&^vb)
		}
		if va&^v == 0 {
			r.solve(b, v&^va)
		}
	case term.OpMul:
		a, va := arg(0)
		b, vb := arg(1)
		if u, ok := divideMod(v, vb, w); ok {
			r.solve(a, u)
		}
		if u, ok := divideMod(v, va, w); ok {
			r.solve(b, u)
		}
	case term.OpUDiv:
		a, _ := arg(0)
		_, vb := arg(1)
		if vb != 0 && (vb == 1 || v <= term.Mask(w)/vb) {
			r.solve(a, v*vb)
		}
	case term.OpURem:
		a, va := arg(0)
		_, vb := arg(1)
		if v < vb {
			r.solve(a, va-va%vb+v)
			r.solve(a, v)
		}
	case term.OpSDiv, term.OpSRem:
		a, _ := arg(0)
		_, vb := arg(1)
		if st.Op(t) == term.OpSDiv {
			r.solve(a, v*vb)
		} else {
			r.solve(a, v)
		}
	case term.OpZExt:
		a := st.Arg(t, 0)
		if v <= term.Mask(st.Width(a)) {
			r.solve(a, v)
		}
	case term.OpSExt:
		r.solve(st.Arg(t, 0), v)
	case term.OpExtract:
		a, va := arg(0)
		if st.Width(a) <= 64 {
			_, lo := st.Bounds(t)
			r.solve(a, va&^(term.Mask(w)<<lo)|v<<lo)
		}
	case term.OpConcat:
		a, va := arg(0)
		b, vb := arg(1)
		wb := st.Width(b)
		if v&term.Mask(wb) == vb {
			r.solve(a, v>>wb)
		}
		if v>>wb == va {
			r.solve(b, v)
		}
	case term.OpIte:
		i := 2
		if st.Holds(st.Arg(t, 0), r.m) {
			i = 1
		}
		r.solve(st.Arg(t, i), v)
		if o := st.Arg(t, 3-i); st.Width(o) <= 64 && st.Eval(o, r.m) == v {
			r.want(st.Arg(t, 0), i == 2)
		}
	case term.OpLookup:
		for i, e := range st.TableVals(st.TableOf(t)) {
			if e == v {
				r.solve(st.Arg(t, 0), uint64(i))
				break
			}
		}
	case term.OpRead:
		// The element that is read under the present model.
		i := st.Arg(t, 0)
		r.try(st.Read(st.ArrayOf(t), st.Const(64, st.Eval(i, r.m))), v)
	case term.OpEq, term.OpUlt, term.OpSlt:
		r.want(t, v == 1)
	}
}

// divideMod solves x·b = v modulo 2^w.
func divideMod(v, b uint64, w int) (uint64, bool) {
	if b == 0 {
		return 0, false
	}
	k := bits.TrailingZeros64(b)
	if v&term.Mask(k) != 0 || k >= w {
		return 0, false
	}
	o := b >> k
	inv := o
	for range 5 {
		inv *= 2 - o*inv
	}
	return v >> k * inv & term.Mask(w-k), true
}

// try evaluates the slice after the leaf is changed.
func (r *repairer) try(leaf term.ID, v uint64) {
	st := r.x.st
	v &= term.Mask(st.Width(leaf))
	if len(r.tried) >= maxRepairLeaves || r.m.Get(leaf) == v {
		return
	}
	for _, a := range r.tried {
		if a == (attempt{leaf, v}) {
			return
		}
	}
	r.tried = append(r.tried, attempt{leaf, v})
	m := r.m.Clone()
	m.Set(leaf, v)
	for _, c := range r.q {
		if !st.Holds(c, m) {
			return
		}
	}
	r.found = m
}
