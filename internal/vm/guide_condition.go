package vm

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/term"
)

// CondKind says how an assumption's condition is evaluated.
type CondKind uint8

// The kinds of conditions.
const (
	CondUnknown    CondKind = iota // the assumption counts as violated
	CondHolds                      // the assumption holds in the machine's execution
	CondNoOverflow                 // the arithmetic of the instruction does not overflow
	CondSameValue                  // the conversion of the instruction keeps the value
	CondNotNil                     // X is not nil
	CondKeeps                      // each address of Cells holds its value
	CondTrue                       // X is true
	CondPromised                   // the assumptions behind Callee's contract held when it returned
)

// GuideCond is the condition of an assumption.
type GuideCond struct {
	Kind  CondKind
	X     ssa.Value
	Cells [][2]ssa.Value // addresses and values

	Callee *ssa.Function
}

// condition makes the evaluation of an assumption's condition at an instruction.
func (c *compiler) condition(ins ssa.Instruction, g GuideCond) func(m *Machine, st *State, fr *Frame) Value {
	switch g.Kind {
	case CondHolds:
		return func(*Machine, *State, *Frame) Value { return boolean(true) }
	case CondTrue:
		r := c.reg(g.X)
		return func(m *Machine, _ *State, fr *Frame) Value { return m.known(fr.regs[r]) }
	case CondNotNil:
		return c.notNil(g.X)
	case CondNoOverflow:
		return c.noOverflow(ins)
	case CondSameValue:
		return c.sameValue(ins.(*ssa.Convert))
	case CondKeeps:
		return c.keeps(g.Cells)
	case CondPromised:
		return func(_ *Machine, st *State, _ *Frame) Value {
			if st.promise.by != g.Callee {
				return boolean(false)
			}
			return st.promise.held
		}
	}
	return func(*Machine, *State, *Frame) Value { return boolean(false) }
}

func (c *compiler) notNil(x ssa.Value) func(m *Machine, st *State, fr *Frame) Value {
	r, t := c.reg(x), c.typ(x)
	return func(m *Machine, st *State, fr *Frame) Value {
		v := fr.regs[r : int(r)+t.Size]
		return m.not(m.equal(st, t, t, v, make([]Value, t.Size)))
	}
}

// keeps compares the contents of memory with expected values. It never forks: contents that it cannot compare
// count as different.
func (c *compiler) keeps(cells [][2]ssa.Value) func(m *Machine, st *State, fr *Frame) Value {
	type pair struct {
		addr, val int32
		t         *Type
	}
	var pairs []pair
	for _, cell := range cells {
		if cell[1] == nil {
			return func(*Machine, *State, *Frame) Value { return boolean(false) }
		}
		pairs = append(pairs, pair{c.reg(cell[0]), c.reg(cell[1]), c.typ(cell[1])})
	}
	return func(m *Machine, st *State, fr *Frame) Value {
		out := boolean(true)
		for _, p := range pairs {
			a := fr.regs[p.addr]
			if a.Lazy != 0 || a.Term != 0 || a.obj() == 0 {
				return boolean(false)
			}
			o := st.object(a.obj())
			if o.kind != objCells || a.off()+p.t.Size > len(o.cells) {
				return boolean(false)
			}
			for i := range p.t.Size {
				x, y := o.cells[a.off()+i], fr.regs[int(p.val)+i]
				switch {
				case x == y:
				case x.Lazy|y.Lazy != 0:
					return boolean(false)
				case x.Term|y.Term == 0:
					return boolean(false)
				case p.t.Kind == KInt || p.t.Kind == KUint || p.t.Kind == KBool:
					out = m.and(out, m.eqNum(x, y, max(int(p.t.Bits), 1)))
				default:
					return boolean(false)
				}
			}
		}
		return out
	}
}

// noOverflow returns the condition that an operation's result is the mathematical one.
func (c *compiler) noOverflow(ins ssa.Instruction) func(m *Machine, st *State, fr *Frame) Value {
	var o token.Token
	var x, y int32
	var t *Type
	switch v := ins.(type) {
	case *ssa.BinOp:
		o, x, y, t = v.Op, c.reg(v.X), c.reg(v.Y), c.typ(v.X)
	case *ssa.UnOp:
		o, x, y, t = token.ILLEGAL, c.reg(v.X), c.reg(v.X), c.typ(v.X)
	}
	w, signed := int(t.Bits), t.signed()
	return func(m *Machine, _ *State, fr *Frame) Value {
		a, b := m.known(fr.regs[x]), m.known(fr.regs[y])
		ts := m.ts
		least, most := uint64(1)<<(w-1), uint64(1)<<(w-1)-1 // the bounds of the signed type
		ta, tb := m.termOf(a, w), m.termOf(b, w)
		if o == token.ADD && a.Term == 0 {
			a, b, ta, tb = b, a, tb, ta
		}
		k := sext(b.Bits, uint8(w))
		switch o {
		case token.ILLEGAL:
			if !signed {
				return m.value(ts.Eq(ta, ts.Const(w, 0)))
			}
			return m.value(ts.Ne(ta, ts.Const(w, least)))
		case token.ADD:
			switch {
			case !signed:
				return m.value(ts.Ule(ta, ts.Not(tb)))
			case b.Term == 0 && k >= 0:
				return m.value(ts.Sle(ta, ts.Const(w, (most-uint64(k))&mask(uint8(w)))))
			case b.Term == 0:
				return m.value(ts.Sle(ts.Const(w, (least-uint64(k))&mask(uint8(w))), ta))
			}
			s := ts.Add(ta, tb)
			return m.value(ts.Sle(ts.Const(w, 0), ts.And(ts.Xor(ta, s), ts.Xor(tb, s))))
		case token.SUB:
			switch {
			case !signed:
				return m.value(ts.Ule(tb, ta))
			case b.Term == 0 && k >= 0:
				return m.value(ts.Sle(ts.Const(w, (least+uint64(k))&mask(uint8(w))), ta))
			case b.Term == 0:
				return m.value(ts.Sle(ta, ts.Const(w, (most+uint64(k))&mask(uint8(w)))))
			}
			s := ts.Sub(ta, tb)
			return m.value(ts.Sle(ts.Const(w, 0), ts.And(ts.Xor(ta, tb), ts.Xor(ta, s))))
		case token.MUL:
			wide := ts.ZExt
			if signed {
				wide = ts.SExt
			}
			if 2*w > 64 && (a.Term != 0 || b.Term != 0) {
				return m.wideProduct(a, b, ta, tb, w, signed)
			}
			if 2*w > 64 {
				return boolean(productFits(a.Bits, b.Bits, w, signed))
			}
			p := ts.Mul(wide(ta, 2*w), wide(tb, 2*w))
			return m.value(ts.Eq(p, wide(ts.Extract(p, w-1, 0), 2*w)))
		}
		return boolean(false)
	}
}

// wideProduct returns the condition that a product of large integers does not overflow. If one factor is
// known the other one has a range. Otherwise nothing is known.
func (m *Machine) wideProduct(a, b Value, ta, tb term.ID, w int, signed bool) Value {
	if a.Term == 0 {
		a, b, ta = b, a, tb
	}
	if b.Term != 0 {
		return boolean(false)
	}
	ts := m.ts
	k := sext(b.Bits, uint8(w))
	switch {
	case b.Bits == 0:
		return boolean(true)
	case !signed:
		return m.value(ts.Ule(ta, ts.Const(w, mask(uint8(w))/b.Bits)))
	case k == -1:
		return m.value(ts.Ne(ta, ts.Const(w, uint64(1)<<(w-1))))
	}
	least, most := sext(uint64(1)<<(w-1), uint8(w)), sext(uint64(1)<<(w-1)-1, uint8(w))
	lo, hi := least/k, most/k
	if k < 0 {
		lo, hi = hi, lo
	}
	in := func(v int64) term.ID { return ts.Const(w, uint64(v)&mask(uint8(w))) }
	return m.value(ts.And(ts.Sle(in(lo), ta), ts.Sle(ta, in(hi))))
}

// productFits reports whether the product of two concrete integers fits.
func productFits(a, b uint64, w int, signed bool) bool {
	if !signed {
		return a == 0 || a*b/a == b && a*b <= mask(uint8(w))
	}
	x, y := sext(a, uint8(w)), sext(b, uint8(w))
	p := x * y
	if x != 0 && (p/x != y || x == -1 && y == -1<<63) {
		return false
	}
	return sext(uint64(p), uint8(w)) == p
}

// sameValue returns the condition that a conversion between integer types keeps the number.
func (c *compiler) sameValue(v *ssa.Convert) func(m *Machine, st *State, fr *Frame) Value {
	from, to, r := c.typ(v.X), c.typ(v), c.reg(v.X)
	return func(m *Machine, _ *State, fr *Frame) Value {
		w := int(from.Bits)
		x := m.termOf(m.known(fr.regs[r]), w)
		ts := m.ts
		if !from.signed() {
			most := mask(to.Bits)
			if to.signed() {
				most >>= 1
			}
			return m.value(ts.Ule(x, ts.Const(w, min(most, mask(from.Bits)))))
		}
		out := boolean(true)
		if !to.signed() {
			out = m.value(ts.Sle(ts.Const(w, 0), x))
		}
		bits := to.Bits
		if !to.signed() {
			bits++ // as a signed range
		}
		if bits >= from.Bits {
			return out
		}
		lo, hi := uint64(1)<<(bits-1), uint64(1)<<(bits-1)-1
		in := m.and(m.value(ts.Sle(ts.Const(w, uint64(sext(lo, bits))&mask(from.Bits)), x)), m.value(ts.Sle(x, ts.Const(w, hi))))
		return m.and(out, in)
	}
}
