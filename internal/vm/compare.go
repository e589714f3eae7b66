package vm

import (
	"go/token"
	"math"
)

// binopData is a binary operation on types other than integers.
type binopData struct {
	op   token.Token
	x, y int32
	t    *Type
	yt   *Type
}

// doBinop runs a binary operation on floats, complex numbers, strings, interfaces,
// structs, arrays, functions.
func (m *Machine) doBinop(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*binopData)
	x := fr.regs[d.x : int(d.x)+d.t.Size]
	y := fr.regs[d.y : int(d.y)+d.yt.Size]
	switch d.op {
	case token.EQL:
		fr.regs[ins.D] = m.equal(st, d.t, d.yt, x, y)
		return sigNext
	case token.NEQ:
		fr.regs[ins.D] = m.not(m.equal(st, d.t, d.yt, x, y))
		return sigNext
	}
	switch d.t.Kind {
	case KString:
		switch d.op {
		case token.ADD:
			s := m.concat(st, x, y)
			fr.regs[ins.D], fr.regs[ins.D+1] = s[0], s[1]
		case token.LSS:
			fr.regs[ins.D] = boolean(m.stringLess(st, x, y))
		case token.GTR:
			fr.regs[ins.D] = boolean(m.stringLess(st, y, x))
		case token.LEQ:
			fr.regs[ins.D] = boolean(!m.stringLess(st, y, x))
		case token.GEQ:
			fr.regs[ins.D] = boolean(!m.stringLess(st, x, y))
		}
		return sigNext
	case KFloat:
		fr.regs[ins.D] = m.floatOp(d.op, x[0], y[0], d.t.Bits)
		return sigNext
	case KComplex:
		m.complexOp(d.op, d.t, x, y, fr.regs[ins.D:])
		return sigNext
	}
	panic(unsupported("operator " + d.op.String() + " on " + d.t.Name))
}

// equalCells compares two cells of width w: numbers, pointers, booleans.
func (m *Machine) equalCells(st *State, a, b Value, w int) Value {
	m.known(a)
	m.known(b)
	if a.Lazy|b.Lazy != 0 {
		return m.equalLazy(st, a, b)
	}
	if a.Term|b.Term == 0 {
		return boolean(a.Bits == b.Bits)
	}
	if indexed := func(v Value) bool { return v.Term != 0 && v.Bits>>32 != 0 }; w == 64 && (indexed(a) || indexed(b)) {
		// Addresses with a symbolic index differ if their objects differ. (Symbolic numbers have no bits, so
		// they never compare by bits.)
		if a.Bits>>32 != b.Bits>>32 {
			return boolean(false)
		}
		off := func(v Value) Value {
			t := m.ts.Const(64, uint64(v.off()))
			if v.Term != 0 {
				t = m.ts.Add(t, v.Term)
			}
			return m.value(t)
		}
		return m.eqNum(off(a), off(b), 64)
	}
	return m.eqNum(a, b, w)
}

// equal compares two values. The types t and u differ only if one is an interface.
func (m *Machine) equal(st *State, t, u *Type, x, y []Value) Value {
	if t.Kind == KInterface && u.Kind != KInterface {
		y = m.box(st, u, y)
		u = t
	} else if u.Kind == KInterface && t.Kind != KInterface {
		x = m.box(st, t, x)
		t = u
	}
	switch t.Kind {
	case KBool:
		return m.equalCells(st, x[0], y[0], 1)
	case KInt, KUint:
		return m.equalCells(st, x[0], y[0], int(t.Bits))
	case KFloat:
		return m.floatOp(token.EQL, x[0], y[0], t.Bits)
	case KComplex:
		return m.and(m.floatOp(token.EQL, x[0], y[0], t.Bits), m.floatOp(token.EQL, x[1], y[1], t.Bits))
	case KString:
		return m.stringEq(st, x, y)
	case KPointer, KUnsafePointer, KMap, KChan:
		return m.equalCells(st, x[0], y[0], 64)
	case KFunc:
		// One side is the constant nil.
		v := x[0]
		if v.Bits == 0 && v.Lazy == 0 {
			v = y[0]
		}
		v = m.resolveFunc(st, v, t)
		return boolean(v.Bits == 0 && v.Lazy == 0)
	case KSlice:
		v := x
		if v[0].Bits == 0 && v[0].Lazy == 0 {
			v = y
		}
		return m.sliceIsNil(st, v)
	case KInterface:
		return m.equalIfaces(st, t, x, y)
	case KStruct:
		r := boolean(true)
		for _, f := range t.Fields {
			if f.Name == "_" {
				continue
			}
			r = m.and(r, m.equal(st, f.Type, f.Type, x[f.Off:f.Off+f.Type.Size], y[f.Off:f.Off+f.Type.Size]))
			if r.Term == 0 && r.Bits == 0 {
				return r
			}
		}
		return r
	case KArray:
		r := boolean(true)
		n := t.Elem.Size
		for i := range t.Len {
			r = m.and(r, m.equal(st, t.Elem, t.Elem, x[i*n:(i+1)*n], y[i*n:(i+1)*n]))
			if r.Term == 0 && r.Bits == 0 {
				return r
			}
		}
		return r
	}
	panic(unsupported("comparison of " + t.Name))
}

// equalIfaces compares two interface values: dynamic types, then values.
func (m *Machine) equalIfaces(st *State, t *Type, x, y []Value) Value {
	if !isNilCell(y[0]) || y[0].Lazy != 0 {
		b := m.resolveIface(st, [2]Value{y[0], y[1]}, t)
		y = b[:]
	} else if x[0].Lazy != 0 {
		// To compare with nil it is enough to know whether the interface is nil.
		return boolean(m.ifaceIsNil(st, [2]Value{x[0], x[1]}))
	}
	if x[0].Lazy != 0 && isNilCell(y[0]) {
		return boolean(m.ifaceIsNil(st, [2]Value{x[0], x[1]}))
	}
	if y[0].Lazy != 0 && isNilCell(x[0]) {
		return boolean(m.ifaceIsNil(st, [2]Value{y[0], y[1]}))
	}
	if x[0].Lazy != 0 && x[0].Lazy != poison {
		m.maybeSame(st, [2]Value{x[0], x[1]}, [2]Value{y[0], y[1]})
	}
	a := m.resolveIface(st, [2]Value{x[0], x[1]}, t)
	x = a[:]
	if x[0].Lazy != 0 || y[0].Lazy != 0 {
		// Stubs are pointers, so they are equal if they are the same stub.
		return boolean(x[0].Lazy == y[0].Lazy && x[0].Bits == y[0].Bits)
	}
	if x[0].Bits != y[0].Bits {
		return boolean(false)
	}
	if x[0].Bits == 0 {
		return boolean(true)
	}
	dt := m.types.all[x[0].Bits]
	if !dt.comparable() {
		panic(goPanic{m.runtimeError("comparing uncomparable type " + m.typeString(dt))})
	}
	return m.equal(st, dt, dt, m.unbox(st, dt, x[1]), m.unbox(st, dt, y[1]))
}

func isNilCell(v Value) bool { return v.Bits == 0 && v.Lazy == 0 && v.Term == 0 }

func toFloat(b uint64, w uint8) float64 {
	if w == 32 {
		return float64(math.Float32frombits(uint32(b)))
	}
	return math.Float64frombits(b)
}

// floatOp computes an operation on floats.
func (m *Machine) floatOp(op token.Token, x, y Value, w uint8) Value {
	m.known(x)
	m.known(y)
	if x.Term|y.Term == 0 {
		a, b := toFloat(x.Bits, w), toFloat(y.Bits, w)
		switch op {
		case token.ADD:
			return Value{Bits: floatBits(a+b, w)}
		case token.SUB:
			return Value{Bits: floatBits(a-b, w)}
		case token.MUL:
			return Value{Bits: floatBits(a*b, w)}
		case token.QUO:
			return Value{Bits: floatBits(a/b, w)}
		case token.EQL:
			return boolean(a == b)
		case token.LSS:
			return boolean(a < b)
		case token.LEQ:
			return boolean(a <= b)
		case token.GTR:
			return boolean(a > b)
		case token.GEQ:
			return boolean(a >= b)
		}
	}
	ts := m.ts
	a, b := m.termOf(x, int(w)), m.termOf(y, int(w))
	switch op {
	case token.ADD:
		return m.value(ts.FAdd(a, b))
	case token.SUB:
		return m.value(ts.FSub(a, b))
	case token.MUL:
		return m.value(ts.FMul(a, b))
	case token.QUO:
		return m.value(ts.FDiv(a, b))
	case token.EQL:
		return m.value(ts.FEq(a, b))
	case token.LSS:
		return m.value(ts.FLt(a, b))
	case token.LEQ:
		return m.value(ts.FLe(a, b))
	case token.GTR:
		return m.value(ts.FLt(b, a))
	case token.GEQ:
		return m.value(ts.FLe(b, a))
	}
	panic(unsupported("operator " + op.String() + " on floats"))
}

// doNegFloat negates a float or complex number.
func (m *Machine) doNegFloat(_ *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*convData)
	for i := range d.from.Size {
		v := m.known(fr.regs[int(d.x)+i])
		sign := uint64(1) << (d.from.Bits - 1)
		if v.Term == 0 {
			fr.regs[int(ins.D)+i] = Value{Bits: v.Bits ^ sign}
		} else {
			fr.regs[int(ins.D)+i] = m.value(m.ts.FNeg(v.Term))
		}
	}
	return sigNext
}

// complexOp computes an operation on complex numbers with known parts.
func (m *Machine) complexOp(op token.Token, t *Type, x, y, out []Value) {
	w := t.Bits
	if op == token.ADD || op == token.SUB {
		out[0], out[1] = m.floatOp(op, x[0], y[0], w), m.floatOp(op, x[1], y[1], w)
		return
	}
	if x[0].Term|x[1].Term|y[0].Term|y[1].Term != 0 {
		panic(unsupported("complex multiplication of symbolic numbers"))
	}
	var r complex128
	if w == 32 {
		a := complex(math.Float32frombits(uint32(x[0].Bits)), math.Float32frombits(uint32(x[1].Bits)))
		b := complex(math.Float32frombits(uint32(y[0].Bits)), math.Float32frombits(uint32(y[1].Bits)))
		if op == token.MUL {
			r = complex128(a * b)
		} else {
			r = complex128(a / b)
		}
	} else {
		a := complex(math.Float64frombits(x[0].Bits), math.Float64frombits(x[1].Bits))
		b := complex(math.Float64frombits(y[0].Bits), math.Float64frombits(y[1].Bits))
		if op == token.MUL {
			r = a * b
		} else {
			r = a / b
		}
	}
	out[0], out[1] = Value{Bits: floatBits(real(r), w)}, Value{Bits: floatBits(imag(r), w)}
}
