package vm

import (
	"unicode/utf8"
)

// doConvert runs a conversion that changes the representation.
func (m *Machine) doConvert(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*convData)
	x := fr.regs[d.x : int(d.x)+d.from.Size]
	out := fr.regs[ins.D : int(ins.D)+d.to.Size]
	from, to := d.from, d.to
	isInt := func(t *Type) bool { return t.Kind == KInt || t.Kind == KUint }
	switch {
	case isInt(from) && to.Kind == KFloat:
		out[0] = m.intToFloat(x[0], from, to)
	case from.Kind == KFloat && isInt(to):
		out[0] = m.floatToInt(x[0], from, to)
	case from.Kind == KFloat && to.Kind == KFloat:
		out[0] = m.floatToFloat(x[0], from, to)
	case from.Kind == KComplex && to.Kind == KComplex:
		for i := range 2 {
			if x[i].Term != 0 {
				panic(unsupported("conversion of a symbolic complex number"))
			}
			out[i] = Value{Bits: floatBits(toFloat(x[i].Bits, from.Bits), to.Bits)}
		}
	case isInt(from) && to.Kind == KString:
		m.runeToString(st, x[0], from, out)
	case from.Kind == KString && to.Kind == KSlice:
		m.stringToSlice(st, x, to, out)
	case from.Kind == KSlice && to.Kind == KString:
		m.sliceToString(st, x, from, out)
	case from.Kind == KSlice && to.Kind == KArray:
		n := num(to.Len)
		if !m.decide(st, m.not(m.less(x[1], n))) {
			panic(goPanic{m.runtimeError(conversionMessage(x[1], n))})
		}
		if to.Size > 0 {
			m.load(st, m.resolveSlicePtr(st, x[0]), to, out)
		}
	case from.Size == to.Size:
		copy(out, x)
	default:
		panic(unsupported("conversion from " + from.Name + " to " + to.Name))
	}
	return sigNext
}

func (m *Machine) intToFloat(x Value, from, to *Type) Value {
	m.known(x)
	w := to.Bits
	if x.Term != 0 {
		if from.signed() {
			return m.value(m.ts.FFromS(x.Term, int(w)))
		}
		return m.value(m.ts.FFromU(x.Term, int(w)))
	}
	if w == 32 {
		// The value is rounded once, as Go does; through float64 it could be rounded twice.
		var f float32
		if from.signed() {
			f = float32(sext(x.Bits, from.Bits))
		} else {
			f = float32(x.Bits)
		}
		return Value{Bits: floatBits(float64(f), 32)}
	}
	if from.signed() {
		return Value{Bits: floatBits(float64(sext(x.Bits, from.Bits)), 64)}
	}
	return Value{Bits: floatBits(float64(x.Bits), 64)}
}

func (m *Machine) floatToInt(x Value, from, to *Type) Value {
	m.known(x)
	if x.Term != 0 {
		if to.signed() {
			return m.value(m.ts.FToS(x.Term, int(to.Bits)))
		}
		return m.value(m.ts.FToU(x.Term, int(to.Bits)))
	}
	f := toFloat(x.Bits, from.Bits)
	var b uint64
	switch {
	case to.signed() && to.Bits == 64:
		b = uint64(int64(f))
	case to.signed() && to.Bits == 32:
		b = uint64(int32(f))
	case to.signed() && to.Bits == 16:
		b = uint64(int16(f))
	case to.signed():
		b = uint64(int8(f))
	case to.Bits == 64:
		b = uint64(f)
	case to.Bits == 32:
		b = uint64(uint32(f))
	case to.Bits == 16:
		b = uint64(uint16(f))
	default:
		b = uint64(uint8(f))
	}
	return Value{Bits: b & mask(to.Bits)}
}

func (m *Machine) floatToFloat(x Value, from, to *Type) Value {
	m.known(x)
	if x.Term != 0 {
		if from.Bits == to.Bits {
			return x
		}
		return m.value(m.ts.FConv(x.Term, int(to.Bits)))
	}
	return Value{Bits: floatBits(toFloat(x.Bits, from.Bits), to.Bits)}
}

// runeToString runs string(r) of an integer.
func (m *Machine) runeToString(st *State, x Value, from *Type, out []Value) {
	m.known(x)
	if x.Term == 0 {
		r := rune(utf8.RuneError)
		if v := sext(x.Bits, max(from.Bits, 1)); from.signed() && v >= 0 && v <= utf8.MaxRune {
			r = rune(v)
		} else if !from.signed() && x.Bits <= utf8.MaxRune {
			r = rune(x.Bits)
		}
		copy(out, m.newString(st, string(r)))
		return
	}
	t := m.wide(x, from)
	big := m.ts.Ult(m.ts.Const(64, utf8.MaxRune), t)
	r := m.value(m.ts.Ite(big, m.ts.Const(32, utf8.RuneError), m.ts.Extract(t, 31, 0)))
	cells := m.encodeRune(st, r)
	out[0] = ptr(st.newObject(&Object{cells: cells, elem: m.byteType}), 0)
	out[1] = num(len(cells))
}

// stringToSlice runs []byte(s) and []rune(s).
func (m *Machine) stringToSlice(st *State, x []Value, to *Type, out []Value) {
	m.limitMemory(st)
	if to.Elem.Bits == 8 {
		n := m.fixedLen(st, x[1])
		c := n
		if n > 32 {
			c = roundSize(n, 1)
		} else {
			c = 32
		}
		if n > maxAlloc {
			panic(pathEnd{StopMemory, "a slice larger than the machine allocates"})
		}
		cells := make([]Value, c)
		for i := range n {
			cells[i] = m.byteAt(st, x[0], num(i))
		}
		out[0] = ptr(st.newObject(&Object{cells: cells, elem: to.Elem}), 0)
		out[1], out[2] = num(n), num(n)
		return
	}
	var cells []Value
	for i := 0; m.decide(st, m.less(num(i), x[1])); {
		r, size := m.decodeRune(st, x[0], x[1], i)
		cells = append(cells, r)
		i += size
	}
	n := len(cells)
	if n == 0 {
		cells = make([]Value, 1)
	}
	out[0] = ptr(st.newObject(&Object{cells: cells, elem: to.Elem}), 0)
	out[1], out[2] = num(n), num(n)
}

// sliceToString runs string(b) of bytes and runes.
func (m *Machine) sliceToString(st *State, x []Value, from *Type, out []Value) {
	p := m.resolveSlicePtr(st, x[0])
	if from.Elem.Bits == 8 {
		out[0], out[1] = m.snapshot(st, p, x[1]), x[1]
		return
	}
	n := m.fixedLen(st, x[1])
	var cells []Value
	var r [1]Value
	for i := range n {
		m.load(st, m.elemAddr(st, p, num(i), 1), from.Elem, r[:])
		if v := r[0]; v.Term == 0 && v.Bits > utf8.MaxRune {
			r[0] = Value{Bits: utf8.RuneError}
		}
		cells = append(cells, m.encodeRune(st, r[0])...)
	}
	if len(cells) == 0 {
		out[0], out[1] = Value{}, Value{}
		return
	}
	out[0] = ptr(st.newObject(&Object{cells: cells, elem: m.byteType}), 0)
	out[1] = num(len(cells))
}
