package vm

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// builtinData is a call of a builtin.
type builtinData struct {
	name   string
	args   []int32 // the first register of each argument
	offset int     // the result of Offsetof
	argT   []*Type
	result *Type
}

// builtin emits a call of a builtin function.
func (c *compiler) builtin(v *ssa.Call, b *ssa.Builtin, _ *callData) {
	if name := b.Name(); name == "len" || name == "cap" {
		if k := c.typ(v.Call.Args[0]).Kind; k == KSlice || k == KString {
			at := int32(1)
			if name == "cap" {
				at = 2
			}
			c.emit(Instr{Op: opLen, D: c.reg(v), A: c.reg(v.Call.Args[0]) + at})
			return
		}
	}
	d := &builtinData{name: b.Name(), result: c.typ(v)}
	for _, a := range v.Call.Args {
		d.args = append(d.args, c.reg(a))
		d.argT = append(d.argT, c.typ(a))
	}
	if d.name == "Offsetof" {
		d.offset = c.m.offsetOf(v.Call.Args[0])
	}
	i := c.slow((*Machine).doBuiltin, c.reg(v), d)
	c.site(i, v)
}

func (m *Machine) doBuiltin(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*builtinData)
	arg := func(i int) []Value { return fr.regs[d.args[i] : int(d.args[i])+d.argT[i].Size] }
	out := fr.regs[ins.D:]
	switch d.name {
	case "recover":
		m.doRecover(st, fr, ins.D)
		return sigNext
	case "ssa:deferstack":
		fr.escaped = true
		out[0] = Value{Bits: uint64(fr.serial)}
		return sigNext
	case "ssa:wrapnilchk":
		p := m.known(arg(0)[0])
		if p.Lazy != 0 {
			p = m.resolvePointer(st, p, d.argT[0].Elem)
		}
		if p.Bits>>32 == 0 {
			typ, _ := m.concreteString(st, arg(1)[0], arg(1)[1])
			method, _ := m.concreteString(st, arg(2)[0], arg(2)[1])
			short := typ[strings.LastIndexByte(typ, '.')+1:]
			if n, ok := types.Unalias(d.argT[0].Elem.Go).(*types.Named); ok && n.Obj().Pkg() != nil {
				typ = reflectPath(n.Obj().Pkg()) + "." + short
			}
			return m.startPanic(st, &panicRec{kind: "nil-dereference", runtime: true, site: -1,
				message: "value method " + typ + "." + method + " called using nil *" + short + " pointer"})
		}
		out[0] = p
		return sigNext
	case "Offsetof":
		out[0] = num(d.offset)
		return sigNext
	}
	res := m.runBuiltin(st, d.name, d.argT, arg, d.result)
	copy(out, res)
	return sigNext
}

// runBuiltin runs a builtin that needs no frame.
func (m *Machine) runBuiltin(st *State, name string, argT []*Type, arg func(int) []Value, result *Type) []Value {
	switch name {
	case "len":
		return []Value{m.length(st, argT[0], arg(0))}
	case "cap":
		switch t := argT[0]; t.Kind {
		case KSlice:
			return []Value{arg(0)[2]}
		case KArray:
			return []Value{num(t.Len)}
		case KPointer:
			return []Value{num(t.Elem.Len)}
		case KChan:
			id := m.chanRef(st, arg(0)[0], t)
			if id == 0 {
				return []Value{{}}
			}
			return []Value{num(st.object(id).ch.cap)}
		}
	case "append":
		x, y := arg(0), arg(1)
		if argT[1].Kind == KString {
			y = []Value{y[0], y[1], y[1]}
		}
		return m.doAppend(st, x, y, argT[0].Elem)
	case "copy":
		return []Value{m.doCopy(st, arg(0), arg(1), argT[0].Elem)}
	case "delete":
		m.mapDelete(st, argT[0], arg(0)[0], arg(1))
		return nil
	case "close":
		m.closeChan(st, arg(0)[0], argT[0])
		return nil
	case "clear":
		m.doClear(st, argT[0], arg(0))
		return nil
	case "min", "max":
		return m.minMax(st, name, argT, arg, result)
	case "real":
		return []Value{arg(0)[0]}
	case "imag":
		return []Value{arg(0)[1]}
	case "complex":
		return []Value{arg(0)[0], arg(1)[0]}
	case "print", "println":
		m.print(st, name, argT, arg)
		return nil
	case "Sizeof":
		return []Value{num(int(m.prog.Sizes.Sizeof(argT[0].Go)))}
	case "Alignof":
		return []Value{num(int(m.prog.Sizes.Alignof(argT[0].Go)))}
	case "Add": // unsafe.Add
		p, n := arg(0)[0], m.wideValue(arg(1)[0], argT[1])
		if n.Term == 0 && n.Bits == 0 {
			return []Value{p}
		}
		return []Value{m.addBytes(st, p, n)}
	case "String": // unsafe.String
		n := m.unsafeLength(st, "unsafe.String", arg(0)[0], argT[0].Elem, m.wideValue(arg(1)[0], argT[1]))
		return []Value{arg(0)[0], n}
	case "StringData", "SliceData":
		if argT[0].Kind == KSlice {
			return []Value{m.resolveSlicePtr(st, arg(0)[0])}
		}
		if m.branch(st, m.ts.Eq(m.termOf(m.known(arg(0)[1]), 64), m.ts.Const(64, 0))) {
			return []Value{{Lazy: poison}} // nil or not: the language leaves it open
		}
		return []Value{arg(0)[0]}
	case "Slice": // unsafe.Slice
		n := m.unsafeLength(st, "unsafe.Slice", arg(0)[0], argT[0].Elem, m.wideValue(arg(1)[0], argT[1]))
		return []Value{arg(0)[0], n, n}
	}
	panic(unsupported("builtin " + name))
}

// length returns len(x).
func (m *Machine) length(st *State, t *Type, x []Value) Value {
	switch t.Kind {
	case KString, KSlice:
		return m.known(x[1])
	case KArray:
		return num(t.Len)
	case KPointer:
		return num(t.Elem.Len)
	case KMap:
		return m.mapLen(st, t, x[0])
	case KChan:
		id := m.chanRef(st, x[0], t)
		if id == 0 {
			return Value{}
		}
		return num(len(st.object(id).ch.buf))
	}
	panic(unsupported("len of " + t.Name))
}

// doClear runs clear(x).
func (m *Machine) doClear(st *State, t *Type, x []Value) {
	if t.Kind == KMap {
		m.mapClear(st, t, x[0])
		return
	}
	n := m.fixedLen(st, x[1])
	p := m.resolveSlicePtr(st, x[0])
	zero := make([]Value, t.Elem.Size)
	for i := range n {
		m.store(st, m.elemAddr(st, p, num(i), t.Elem.Size), t.Elem, zero)
	}
}

// minMax runs the builtins min and max.
func (m *Machine) minMax(st *State, name string, argT []*Type, arg func(int) []Value, t *Type) []Value {
	best := arg(0)
	for i := 1; i < len(argT); i++ {
		x := arg(i)
		var less Value
		switch t.Kind {
		case KInt, KUint:
			a, b := best, x
			if name == "min" {
				a, b = x, best
			}
			less = m.intLess(t, a[0], b[0])
			if less.Term != 0 {
				w := int(t.Bits)
				best = []Value{m.value(m.ts.Ite(less.Term, m.termOf(x[0], w), m.termOf(best[0], w)))}
				continue
			}
		case KFloat:
			best = []Value{m.floatMinMax(st, name, best[0], x[0], t.Bits)}
			continue
		case KString:
			a, b := best, x
			if name == "min" {
				a, b = x, best
			}
			less = boolean(m.stringLess(st, a, b))
		}
		if less.Bits != 0 {
			best = x
		}
	}
	return best
}

func (m *Machine) intLess(t *Type, a, b Value) Value {
	if a.Term|b.Term == 0 {
		if t.signed() {
			return boolean(sext(a.Bits, t.Bits) < sext(b.Bits, t.Bits))
		}
		return boolean(a.Bits < b.Bits)
	}
	x, y := m.termOf(a, int(t.Bits)), m.termOf(b, int(t.Bits))
	if t.signed() {
		return m.value(m.ts.Slt(x, y))
	}
	return m.value(m.ts.Ult(x, y))
}

// floatMinMax computes min or max of floats. The result is NaN if an operand is, and -0 < +0.
func (m *Machine) floatMinMax(st *State, name string, a, b Value, w uint8) Value {
	if a.Term|b.Term == 0 {
		x, y := toFloat(a.Bits, w), toFloat(b.Bits, w)
		if name == "min" {
			return Value{Bits: floatBits(min(x, y), w)}
		}
		return Value{Bits: floatBits(max(x, y), w)}
	}
	isNaN := func(v Value) bool { return !m.decide(st, m.floatOp(token.EQL, v, v, w)) }
	if isNaN(a) {
		return a
	}
	if isNaN(b) {
		return b
	}
	if name == "max" {
		if m.decide(st, m.floatOp(token.LSS, a, b, w)) {
			return b
		}
		return a
	}
	if m.decide(st, m.floatOp(token.LSS, b, a, w)) {
		return b
	}
	return a
}

// deferredBuiltin runs a builtin that was deferred.
func (m *Machine) deferredBuiltin(st *State, fr *Frame, d *deferRec) {
	if d.call.builtin == "recover" {
		// The deferring function counts as the caller, but not while it panics itself.
		if fr.mode != framePanics {
			m.recoverFor(st, fr)
		}
		return
	}
	if d.call.builtin == "panic" {
		v := m.resolveIface(st, [2]Value{d.args[0], d.args[1]}, d.data.argT[0])
		panic(goPanic{&panicRec{value: v, kind: "explicit", site: -1}})
	}
	at := 0
	offs := make([]int, len(d.data.argT))
	for i, t := range d.data.argT {
		offs[i] = at
		at += t.Size
	}
	arg := func(i int) []Value { return d.args[offs[i] : offs[i]+d.data.argT[i].Size] }
	m.runBuiltin(st, d.call.builtin, d.data.argT, arg, nil)
}
