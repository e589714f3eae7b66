package vm

import (
	"unicode/utf8"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// staticString returns the cells of a constant string. Equal constants share one object.
func (m *Machine) staticString(s string) []Value {
	if s == "" {
		return []Value{{}, {}}
	}
	id, ok := m.statics[s]
	if !ok {
		id = ObjID(len(m.static)) | staticRegion
		m.static = append(m.static, &Object{kind: objBytes, str: s})
		m.statics[s] = id
	}
	return []Value{ptr(id, 0), num(len(s))}
}

// newString returns the cells of a string that was computed.
func (m *Machine) newString(st *State, s string) []Value {
	if s == "" {
		return []Value{{}, {}}
	}
	return []Value{ptr(st.newObject(&Object{kind: objBytes, str: s}), 0), num(len(s))}
}

// concreteString returns the text of a string in two cells, if all of it is known.
func (m *Machine) concreteString(st *State, p, n Value) (string, bool) {
	if n.Term != 0 || p.Term != 0 {
		return "", false
	}
	if n.Bits == 0 {
		return "", true
	}
	m.known(p)
	o := st.object(p.obj())
	off, ln := p.off(), int(n.Bits)
	switch o.kind {
	case objBytes:
		return o.str[off : off+ln], true
	case objCells:
		b := make([]byte, ln)
		for i := range b {
			c := o.cells[off+i]
			if c.Term != 0 || c.Lazy != 0 {
				return "", false
			}
			b[i] = byte(c.Bits)
		}
		return string(b), true
	case objLazy:
		b := make([]byte, ln)
		for i := range b {
			c := m.lazyRead(st, o.lazy, num(off+i))
			if c.Term != 0 {
				return "", false
			}
			b[i] = byte(c.Bits)
		}
		return string(b), true
	}
	return "", false
}

// byteAt reads byte i of a string or byte slice, whose bounds were checked.
func (m *Machine) byteAt(st *State, p, i Value) Value {
	return m.readCell(st, m.elemAddr(st, p, i, 1), 8)
}

// concat joins two strings. Bytes are shared, not copied, unless both are known.
func (m *Machine) concat(st *State, a, b []Value) []Value {
	if a[1].Term == 0 && a[1].Bits == 0 {
		return []Value{b[0], b[1]}
	}
	if b[1].Term == 0 && b[1].Bits == 0 {
		return []Value{a[0], a[1]}
	}
	if s, ok := m.concreteString(st, a[0], a[1]); ok {
		if t, ok := m.concreteString(st, b[0], b[1]); ok {
			return m.newString(st, s+t)
		}
	}
	if a[1].Term == 0 && b[1].Term == 0 {
		n := int(a[1].Bits + b[1].Bits)
		cells := make([]Value, 0, n)
		for i := range int(a[1].Bits) {
			cells = append(cells, m.byteAt(st, a[0], num(i)))
		}
		for i := range int(b[1].Bits) {
			cells = append(cells, m.byteAt(st, b[0], num(i)))
		}
		return []Value{ptr(st.newObject(&Object{cells: cells, elem: m.byteType}), 0), num(n)}
	}
	l := &lazyArray{width: 8, parts: []part{{a[0], a[1]}, {b[0], b[1]}}}
	n := m.value(m.ts.Add(m.termOf(a[1], 64), m.termOf(b[1], 64)))
	return []Value{ptr(st.newObject(&Object{kind: objLazy, lazy: l, elem: m.byteType}), 0), n}
}

// snapshot copies the bytes of a slice, so that later writes do not change them.
func (m *Machine) snapshot(st *State, p, n Value) Value {
	if n.Term == 0 && n.Bits == 0 {
		return Value{}
	}
	if p.Bits == 0 {
		return Value{} // a nil slice; its length is 0 although a term says so
	}
	o := st.object(p.obj())
	if o.kind == objBytes {
		return p
	}
	if n.Term == 0 && p.Term == 0 {
		off, ln := p.off(), int(n.Bits)
		if s, ok := m.concreteString(st, p, n); ok {
			return m.newString(st, s)[0]
		}
		cells := make([]Value, ln)
		for i := range cells {
			cells[i] = m.readCell(st, ptr(p.obj(), off+i), 8)
		}
		return ptr(st.newObject(&Object{cells: cells, elem: o.elem}), 0)
	}
	c := o.clone(st.owner)
	c.input = 0
	return Value{Bits: uint64(st.newObject(c))<<32 | uint64(uint32(p.Bits)), Term: p.Term}
}

// fixedLen decides a symbolic length by forking and returns it. It is used by operations that must walk over
// the whole value.
func (m *Machine) fixedLen(st *State, n Value) int {
	return int(m.concretize(st, n, 64))
}

// stringEq compares two strings. If neither length is known, the lengths are decided by forking, or those of inputs at least
// bounded. The bytes become one condition.
func (m *Machine) stringEq(st *State, a, b []Value) Value {
	if s, ok := m.concreteString(st, a[0], a[1]); ok {
		if t, ok := m.concreteString(st, b[0], b[1]); ok {
			return boolean(s == t)
		}
	}
	an, bn := m.termOf(a[1], 64), m.termOf(b[1], 64)
	if a[0] == b[0] && an == bn {
		return boolean(true)
	}
	same := m.ts.Eq(an, bn)
	if v, ok := m.ts.IsConst(same); ok && v == 0 {
		return boolean(false)
	}
	if a[1].Term != 0 && b[1].Term != 0 {
		if m.isLazyText(st, a) && m.isLazyText(st, b) {
			return m.lazyEq(st, a, b, same)
		}
		if !m.branch(st, same) {
			return boolean(false)
		}
		n := m.fixedLen(st, a[1])
		return m.bytesEq(st, a[0], b[0], n)
	}
	n := a[1].Bits
	if a[1].Term != 0 {
		n = b[1].Bits
	}
	eq := m.bytesEq(st, a[0], b[0], int(n))
	if _, ok := m.ts.IsConst(same); ok {
		return eq
	}
	if eq.Term == 0 {
		if eq.Bits == 0 {
			return eq
		}
		return m.value(same)
	}
	return m.value(m.ts.And(same, eq.Term))
}

// alikeBytes are the lengths up to which lazyEq compares texts by one condition, the shortest first.
var alikeBytes = [...]int{8, 64}

// mostLengths bounds the lengths of longer texts, alike up to there, that are decided by forking. If there may be more, the
// path goes on for the smallest length alone.
const mostLengths = 512

// lazyEq compares two inputs of which neither length is known, where same is the condition that the lengths are equal.
// To decide the length first would make a path for each length that there may be, of which nearly all do the same. So a path
// stands for all lengths up to a bound: texts of different lengths, texts that differ, and texts that are equal.
func (m *Machine) lazyEq(st *State, a, b []Value, same term.ID) Value {
	if m.sctx.Feasible(st.pc, m.beginAlike(st, a, b, alikeBytes[0])) == solver.Unsat {
		return boolean(false) // texts that are known to differ, as keys of one map do, need no fork
	}
	if !m.branch(st, same) {
		return boolean(false)
	}
	n := m.termOf(a[1], 64)
	for _, bound := range alikeBytes {
		if !m.branch(st, m.beginAlike(st, a, b, bound)) {
			return boolean(false)
		}
		if m.branch(st, m.ts.Ule(n, m.ts.Const(64, uint64(bound)))) {
			return boolean(true)
		}
	}
	if m.sctx.Feasible(st.pc, m.ts.Ult(m.ts.Const(64, mostLengths), n)) != solver.Unsat {
		m.sctx.Assume(st.pc, m.ts.Eq(n, m.ts.Const(64, m.smallest(st, n, 64))))
		st.picked = true
	}
	return m.bytesEq(st, a[0], b[0], m.fixedLen(st, a[1]))
}

// beginAlike returns the condition that two inputs, of which neither length is known, have the same length and the
// same first bytes, as many as count.
func (m *Machine) beginAlike(st *State, a, b []Value, count int) term.ID {
	n := m.termOf(a[1], 64)
	alike := []term.ID{m.ts.Eq(n, m.termOf(b[1], 64))}
	for i := range count {
		x, y := m.termOf(m.byteAt(st, a[0], num(i)), 8), m.termOf(m.byteAt(st, b[0], num(i)), 8)
		within := m.ts.Ult(m.ts.Const(64, uint64(i)), n)
		alike = append(alike, m.ts.Not(m.ts.And(within, m.ts.Not(m.ts.Eq(x, y)))))
	}
	return m.ts.AndAll(alike...)
}

// isLazyText reports whether a text is an input of which neither the length nor all bytes are known. Bytes behind
// the end of such a text can be named, since its bytes are variables that are made when they are read.
func (m *Machine) isLazyText(st *State, s []Value) bool {
	if s[0].Lazy != 0 || s[0].Term != 0 || s[1].Term == 0 || s[0].Bits == 0 {
		return false
	}
	o := st.object(s[0].obj())
	return o.kind == objLazy && o.lazy.parts == nil
}

// bytesEq returns the condition that the n bytes at a and at b are equal.
func (m *Machine) bytesEq(st *State, a, b Value, n int) Value {
	var conj []term.ID
	for i := range n {
		x, y := m.byteAt(st, a, num(i)), m.byteAt(st, b, num(i))
		if x.Term|y.Term == 0 {
			if x.Bits != y.Bits {
				return boolean(false)
			}
			continue
		}
		t := m.ts.Eq(m.termOf(x, 8), m.termOf(y, 8))
		if v, ok := m.ts.IsConst(t); ok {
			if v == 0 {
				return boolean(false)
			}
			continue
		}
		conj = append(conj, t)
	}
	if len(conj) == 0 {
		return boolean(true)
	}
	return m.value(m.ts.AndAll(conj...))
}

// stringLess decides a < b, byte by byte.
func (m *Machine) stringLess(st *State, a, b []Value) bool {
	if s, ok := m.concreteString(st, a[0], a[1]); ok {
		if t, ok := m.concreteString(st, b[0], b[1]); ok {
			return s < t
		}
	}
	for i := 0; ; i++ {
		endB := !m.decide(st, m.less(num(i), b[1]))
		if endB {
			return false
		}
		endA := !m.decide(st, m.less(num(i), a[1]))
		if endA {
			return true
		}
		x, y := m.byteAt(st, a[0], num(i)), m.byteAt(st, b[0], num(i))
		if m.decide(st, m.eqNum(x, y, 8)) {
			continue
		}
		return m.decide(st, m.lessW(x, y, 8))
	}
}

// decide branches on a boolean cell.
func (m *Machine) decide(st *State, v Value) bool {
	if v.Term == 0 {
		return v.Bits != 0
	}
	return m.branch(st, v.Term)
}

func (m *Machine) less(a, b Value) Value { return m.lessW(a, b, 64) }

// lessW returns a < b for unsigned cells of width w.
func (m *Machine) lessW(a, b Value, w int) Value {
	if a.Term|b.Term == 0 {
		return boolean(a.Bits < b.Bits)
	}
	return m.value(m.ts.Ult(m.termOf(a, w), m.termOf(b, w)))
}

// eqNum returns a == b for cells of width w.
func (m *Machine) eqNum(a, b Value, w int) Value {
	if a.Term|b.Term == 0 {
		return boolean(a.Bits == b.Bits)
	}
	return m.value(m.ts.Eq(m.termOf(a, w), m.termOf(b, w)))
}

// decodeRune decodes the rune at byte i of a string, as a range loop does. It returns the rune and its
// width in bytes, which is decided by forking.
func (m *Machine) decodeRune(st *State, p, n Value, i int) (Value, int) {
	b0 := m.byteAt(st, p, num(i))
	if b0.Term == 0 && b0.Bits < utf8.RuneSelf {
		return b0, 1
	}
	if s, ok := m.knownBytes(st, p, n, i, 4); ok {
		r, size := utf8.DecodeRuneInString(s)
		return Value{Bits: uint64(uint32(r))}, size
	}
	lt := func(x Value, c uint64) bool { return m.decide(st, m.lessW(x, Value{Bits: c}, 8)) }
	bad := Value{Bits: utf8.RuneError}
	if lt(b0, utf8.RuneSelf) {
		return m.value(m.ts.ZExt(m.termOf(b0, 8), 32)), 1
	}
	var need int
	lo, hi := uint64(0x80), uint64(0xBF)
	switch {
	case lt(b0, 0xC2):
		return bad, 1
	case lt(b0, 0xE0):
		need = 2
	case lt(b0, 0xF0):
		need = 3
		if m.decide(st, m.eqNum(b0, Value{Bits: 0xE0}, 8)) {
			lo = 0xA0
		} else if m.decide(st, m.eqNum(b0, Value{Bits: 0xED}, 8)) {
			hi = 0x9F
		}
	case lt(b0, 0xF5):
		need = 4
		if m.decide(st, m.eqNum(b0, Value{Bits: 0xF0}, 8)) {
			lo = 0x90
		} else if m.decide(st, m.eqNum(b0, Value{Bits: 0xF4}, 8)) {
			hi = 0x8F
		}
	default:
		return bad, 1
	}
	ts := m.ts
	r := ts.ZExt(ts.And(m.termOf(b0, 8), ts.Const(8, uint64(0xFF)>>(need+1))), 32)
	for k := 1; k < need; k++ {
		if !m.decide(st, m.less(num(i+k), n)) {
			return bad, 1
		}
		b := m.byteAt(st, p, num(i+k))
		if lt(b, lo) || !lt(b, hi+1) {
			return bad, 1
		}
		lo, hi = 0x80, 0xBF
		r = ts.Or(ts.Shl(r, ts.Const(32, 6)), ts.ZExt(ts.And(m.termOf(b, 8), ts.Const(8, 0x3F)), 32))
	}
	return m.value(r), need
}

// knownBytes returns up to max bytes from byte i on, if the bytes and the length are known.
func (m *Machine) knownBytes(st *State, p, n Value, i, max int) (string, bool) {
	if n.Term != 0 {
		return "", false
	}
	end := min(i+max, int(n.Bits))
	return m.concreteString(st, m.elemAddr(st, p, num(i), 1), num(end-i))
}

// encodeRune appends the bytes of a rune. It decides their number by forking.
func (m *Machine) encodeRune(st *State, r Value) []Value {
	if r.Term == 0 {
		var out []Value
		for _, b := range []byte(string(rune(int32(uint32(r.Bits))))) {
			out = append(out, Value{Bits: uint64(b)})
		}
		return out
	}
	ts := m.ts
	t := r.Term
	below := func(c uint64) bool { return m.branch(st, ts.Ult(t, ts.Const(32, c))) }
	byteOf := func(shift, and, or uint64) Value {
		b := ts.Extract(ts.LShr(t, ts.Const(32, shift)), 7, 0)
		return m.value(ts.Or(ts.And(b, ts.Const(8, and)), ts.Const(8, or)))
	}
	bad := []Value{{Bits: 0xEF}, {Bits: 0xBF}, {Bits: 0xBD}}
	switch {
	case below(0x80):
		return []Value{m.value(ts.Extract(t, 7, 0))}
	case below(0x800):
		return []Value{byteOf(6, 0x1F, 0xC0), byteOf(0, 0x3F, 0x80)}
	case below(0x10000):
		if !below(0xD800) && below(0xE000) {
			return bad
		}
		return []Value{byteOf(12, 0x0F, 0xE0), byteOf(6, 0x3F, 0x80), byteOf(0, 0x3F, 0x80)}
	case below(0x110000):
		return []Value{byteOf(18, 0x07, 0xF0), byteOf(12, 0x3F, 0x80), byteOf(6, 0x3F, 0x80), byteOf(0, 0x3F, 0x80)}
	}
	return bad
}

// doRange makes an iterator: an object with the position and the value that it ranges over.
func (m *Machine) doRange(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*convData)
	if d.from.Kind == KString {
		o := &Object{cells: []Value{{}, fr.regs[d.x], fr.regs[d.x+1]}}
		fr.regs[ins.D] = ptr(st.newObject(o), 0)
		return sigNext
	}
	v := m.resolveRef(st, fr.regs[d.x], d.from)
	o := &Object{cells: []Value{{}, v}}
	fr.regs[ins.D] = ptr(st.newObject(o), 0)
	return sigNext
}

// nextData is a Next.
type nextData struct {
	iter  int32
	str   bool
	tuple *Type
	of    *Type
}

// doNext advances an iterator. The results are ok, key and value.
func (m *Machine) doNext(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*nextData)
	it := fr.regs[d.iter].obj()
	o := st.object(it)
	dst := ins.D
	if !d.str {
		return m.nextEntry(st, fr, d, it, dst)
	}
	i := int(o.cells[0].Bits)
	p, n := o.cells[1], o.cells[2]
	if !m.decide(st, m.less(num(i), n)) {
		for k := range d.tuple.Size {
			fr.regs[int(dst)+k] = Value{}
		}
		return sigNext
	}
	r, size := m.decodeRune(st, p, n, i)
	st.mutable(it).cells[0] = num(i + size)
	fr.regs[dst] = boolean(true)
	at := dst + 1
	if f := d.tuple.Fields[1]; f.Type != nil {
		fr.regs[at] = num(i)
		at++
	}
	if f := d.tuple.Fields[2]; f.Type != nil {
		fr.regs[at] = r
	}
	return sigNext
}

// doIndex reads x[i] of a string or array value.
func (m *Machine) doIndex(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*indexData)
	i := m.known(fr.regs[d.i])
	if i.Term != 0 {
		i.Term = m.resize(i.Term, 64, false)
	}
	if d.t.Kind == KString {
		m.checkIndex(st, i, fr.regs[d.x+1], d.idxT)
		fr.regs[ins.D] = m.byteAt(st, fr.regs[d.x], i)
		return sigNext
	}
	m.checkIndex(st, i, num(d.t.Len), d.idxT)
	size := d.t.Elem.Size
	if i.Term != 0 {
		if !d.t.Elem.scalar() || d.t.Len > maxIte {
			i = Value{Bits: m.concretize(st, i, 64)}
		} else {
			o := &Object{cells: fr.regs[d.x : int(d.x)+d.t.Size], elem: d.t.Elem}
			if v, ok := m.loadChoice(st, o, Value{Term: i.Term}, d.t.Elem); ok {
				fr.regs[ins.D] = v
				return sigNext
			}
			i = Value{Bits: m.concretize(st, i, 64)}
		}
	}
	at := int(d.x) + int(i.Bits)*size
	copy(fr.regs[ins.D:int(ins.D)+size], fr.regs[at:at+size])
	return sigNext
}
