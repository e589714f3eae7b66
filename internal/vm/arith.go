package vm

import "github.com/goassay/assay/internal/term"

// not negates a boolean cell.
func (m *Machine) not(v Value) Value {
	if v.Term == 0 {
		return Value{Bits: v.Bits ^ 1}
	}
	return m.value(m.ts.Not(v.Term))
}

// and returns the conjunction of two boolean cells.
func (m *Machine) and(a, b Value) Value {
	switch {
	case a.Term == 0:
		if a.Bits == 0 {
			return a
		}
		return b
	case b.Term == 0:
		if b.Bits == 0 {
			return b
		}
		return a
	}
	return m.value(m.ts.And(a.Term, b.Term))
}

// doArith runs an integer operation with a symbolic operand.
func (m *Machine) doArith(st *State, fr *Frame, ins *Instr) signal {
	w := int(ins.W)
	x, y := fr.regs[ins.A], fr.regs[ins.B]
	if ins.Op == opEq || ins.Op == opNe {
		v := m.equalCells(st, x, y, w)
		if ins.Op == opNe {
			v = m.not(v)
		}
		fr.regs[ins.D] = v
		return sigNext
	}
	a, b := m.termOf(x, w), m.termOf(y, w)
	ts := m.ts
	var t term.ID
	switch ins.Op {
	case opAdd:
		t = ts.Add(a, b)
	case opSub:
		t = ts.Sub(a, b)
	case opMul:
		t = ts.Mul(a, b)
	case opAnd:
		t = ts.And(a, b)
	case opOr:
		t = ts.Or(a, b)
	case opXor:
		t = ts.Xor(a, b)
	case opAndNot:
		t = ts.And(a, ts.Not(b))
	case opLtU:
		t = ts.Ult(a, b)
	case opLeU:
		t = ts.Ule(a, b)
	case opLtS:
		t = ts.Slt(a, b)
	case opLeS:
		t = ts.Sle(a, b)
	default:
		panic("bug: vm: no slow way for an operation")
	}
	fr.regs[ins.D] = m.value(t)
	return sigNext
}

// unary runs a unary integer operation.
func (m *Machine) unary(ins *Instr, x Value) Value {
	m.known(x)
	if x.Term == 0 {
		switch ins.Op {
		case opNeg:
			return Value{Bits: -x.Bits & ins.Imm}
		case opCom:
			return Value{Bits: ^x.Bits & ins.Imm}
		}
		panic("bug: vm: a concrete operand on the slow way")
	}
	switch ins.Op {
	case opNeg:
		return m.value(m.ts.Neg(x.Term))
	case opCom, opNot:
		return m.value(m.ts.Not(x.Term))
	case opTrunc:
		return m.value(m.resize(x.Term, int(ins.W), false))
	case opSext:
		return m.value(m.resize(x.Term, int(ins.W), true))
	}
	panic("bug: vm: unknown unary operation")
}

// resize changes a term's width.
func (m *Machine) resize(t term.ID, w int, signed bool) term.ID {
	have := m.ts.Width(t)
	switch {
	case have > w:
		return m.ts.Extract(t, w-1, 0)
	case have < w && signed:
		return m.ts.SExt(t, w)
	case have < w:
		return m.ts.ZExt(t, w)
	}
	return t
}

// wide returns a cell as a 64-bit term. The type says how it is extended.
func (m *Machine) wide(v Value, t *Type) term.ID {
	if v.Term == 0 {
		m.known(v)
		if t.signed() {
			return m.ts.Const(64, uint64(sext(v.Bits, t.Bits)))
		}
		return m.ts.Const(64, v.Bits)
	}
	return m.resize(v.Term, 64, t.signed())
}

// wideValue does the same as wide and returns a cell.
func (m *Machine) wideValue(v Value, t *Type) Value {
	if v.Term == 0 {
		m.known(v)
		if t.signed() {
			return Value{Bits: uint64(sext(v.Bits, t.Bits))}
		}
		return v
	}
	return m.value(m.resize(v.Term, 64, t.signed()))
}

// doShift runs a shift. In Go counts are unbounded, and negative ones panic.
func (m *Machine) doShift(st *State, fr *Frame, ins *Instr) signal {
	w, cw := int(ins.W), uint8(ins.C)
	x, n := m.known(fr.regs[ins.A]), m.known(fr.regs[ins.B])
	ts := m.ts
	if ins.Aux == 1 { // the count is signed
		if n.Term == 0 {
			if sext(n.Bits, cw) < 0 {
				return m.runtimePanic(st, "negative shift amount")
			}
		} else if m.branch(st, ts.Slt(n.Term, ts.Const(int(cw), 0))) {
			return m.runtimePanic(st, "negative shift amount")
		}
	}
	if n.Term == 0 && x.Term == 0 {
		v := uint64(0)
		if ins.Op == opShrS && sext(x.Bits, ins.W) < 0 {
			v = mask(ins.W)
		}
		if n.Bits < 64 {
			switch ins.Op {
			case opShl:
				v = x.Bits << n.Bits & mask(ins.W)
			case opShrU:
				v = x.Bits >> n.Bits
			case opShrS:
				v = uint64(sext(x.Bits, ins.W)>>n.Bits) & mask(ins.W)
			}
		}
		fr.regs[ins.D] = Value{Bits: v}
		return sigNext
	}
	// The count gets the operand's width. A larger count has the same effect as the width.
	var count term.ID
	if n.Term == 0 {
		c := n.Bits
		if c > uint64(w) {
			c = uint64(w)
		}
		count = ts.Const(w, min(c, mask(ins.W)))
		if c > mask(ins.W) {
			panic("bug: vm: a shift count that does not fit")
		}
	} else {
		nt := n.Term
		if int(cw) <= w {
			count = m.resize(nt, w, false)
		} else {
			big := ts.Ult(ts.Const(int(cw), uint64(w)), nt)
			count = ts.Ite(big, ts.Const(w, uint64(w)), ts.Extract(nt, w-1, 0))
		}
	}
	a := m.termOf(x, w)
	var t term.ID
	switch ins.Op {
	case opShl:
		t = ts.Shl(a, count)
	case opShrU:
		t = ts.LShr(a, count)
	default:
		t = ts.AShr(a, count)
	}
	fr.regs[ins.D] = m.value(t)
	return sigNext
}

// doDivide runs a division or remainder, which panics if the divisor is zero.
func (m *Machine) doDivide(st *State, fr *Frame, ins *Instr) signal {
	w := int(ins.W)
	x, y := m.known(fr.regs[ins.A]), m.known(fr.regs[ins.B])
	ts := m.ts
	if y.Term == 0 {
		if y.Bits == 0 {
			return m.runtimePanic(st, "integer divide by zero")
		}
	} else if m.branch(st, ts.Eq(y.Term, ts.Const(w, 0))) {
		return m.runtimePanic(st, "integer divide by zero")
	}
	if x.Term|y.Term == 0 {
		var v uint64
		switch ins.Op {
		case opQuoU:
			v = x.Bits / y.Bits
		case opRemU:
			v = x.Bits % y.Bits
		case opQuoS:
			a, b := sext(x.Bits, ins.W), sext(y.Bits, ins.W)
			if b == -1 {
				v = uint64(-a)
			} else {
				v = uint64(a / b)
			}
		case opRemS:
			a, b := sext(x.Bits, ins.W), sext(y.Bits, ins.W)
			if b != -1 {
				v = uint64(a % b)
			}
		}
		fr.regs[ins.D] = Value{Bits: v & mask(ins.W)}
		return sigNext
	}
	a, b := m.termOf(x, w), m.termOf(y, w)
	var t term.ID
	switch ins.Op {
	case opQuoU:
		t = ts.UDiv(a, b)
	case opRemU:
		t = ts.URem(a, b)
	case opQuoS:
		t = ts.SDiv(a, b)
	case opRemS:
		t = ts.SRem(a, b)
	}
	fr.regs[ins.D] = m.value(t)
	return sigNext
}
