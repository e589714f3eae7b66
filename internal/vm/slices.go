package vm

import (
	"fmt"
	"strings"
)

// sliceData is a slice expression.
type sliceData struct {
	x              int32
	t              *Type
	lo, hi, max    int32 // registers, or -1
	loT, hiT, maxT *Type
	made           bool // the expression is a make with a constant capacity
}

// doSlice runs x[lo:hi:max] of a string, slice or pointer to array.
func (m *Machine) doSlice(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*sliceData)
	x := fr.regs[d.x:]
	get := func(r int32, t *Type, def Value) Value {
		if r < 0 {
			return def
		}
		return m.wideValue(fr.regs[r], t)
	}
	size := 1
	var p, length, capacity Value
	switch d.t.Kind {
	case KString:
		p, length, capacity = x[0], x[1], x[1]
	case KSlice:
		p, length, capacity = m.resolveSlicePtr(st, x[0]), x[1], x[2]
		size = d.t.Elem.Size
	default:
		p = m.inElem(st, m.pointer(st, x[0], d.t.Elem))
		length, capacity = num(d.t.Elem.Len), num(d.t.Elem.Len)
		size = d.t.Elem.Elem.Size
	}
	lo, hi := get(d.lo, d.loT, Value{}), get(d.hi, d.hiT, length)
	max := get(d.max, d.maxT, capacity)
	if d.made && !m.decide(st, m.not(m.less(max, hi))) {
		what := "len"
		if m.decide(st, m.less(hi, Value{Bits: 1 << 48})) {
			what = "cap"
		}
		panic(goPanic{m.runtimeError("makeslice: " + what + " out of range")})
	}
	// The bounds must satisfy max <= cap, hi <= max and lo <= hi as unsigned numbers.
	signed := func(t *Type) bool { return t == nil || t.signed() }
	limit := "capacity"
	if d.t.Kind != KSlice {
		limit = "length"
	}
	if d.max >= 0 {
		m.checkSlice(st, max, capacity, "[::%x]", limit, signed(d.maxT))
		m.checkSlice(st, hi, max, "[:%x:%y]", "", signed(d.hiT))
		m.checkSlice(st, lo, hi, "[%x:%y:]", "", signed(d.loT))
	} else {
		m.checkSlice(st, hi, max, "[:%x]", limit, signed(d.hiT))
		m.checkSlice(st, lo, hi, "[%x:%y]", "", signed(d.loT))
	}
	newLen := m.sub(hi, lo)
	newCap := m.sub(max, lo)
	base := p
	if !(newCap.Term == 0 && newCap.Bits == 0) {
		base = m.elemAddr(st, p, lo, size)
	}
	if d.t.Kind == KSlice {
		base.Lazy = x[0].Lazy // a part of a nil slice is nil as well
	}
	fr.regs[ins.D], fr.regs[ins.D+1] = base, newLen
	if d.t.Kind != KString {
		fr.regs[ins.D+2] = newCap
	}
	return sigNext
}

// checkSlice panics unless a <= b.
func (m *Machine) checkSlice(st *State, a, b Value, form, limit string, signed bool) {
	if a.Term|b.Term == 0 {
		if a.Bits <= b.Bits {
			return
		}
	} else if m.branch(st, m.ts.Ule(m.termOf(a, 64), m.termOf(b, 64))) {
		return
	}
	panic(goPanic{m.runtimeError(boundsMessage("slice bounds out of range "+form, limit, signed, a, b))})
}

// boundsMessage returns the runtime's text for a failed bounds check of x against y, as far as the numbers
// are known. If x is negative the text does not mention y.
func boundsMessage(form, limit string, signed bool, x, y Value) string {
	text := func(v Value, signed bool) string {
		switch {
		case v.Term != 0:
			return "?"
		case signed:
			return fmt.Sprint(int64(v.Bits))
		}
		return fmt.Sprint(v.Bits)
	}
	if signed && x.Term == 0 && int64(x.Bits) < 0 {
		form, limit = strings.Replace(form, "%y", "", 1), ""
	}
	if limit != "" {
		form += " with " + limit + " %y"
	}
	form = strings.Replace(form, "%x", text(x, signed), 1)
	return strings.Replace(form, "%y", text(y, true), 1)
}

// conversionMessage returns the runtime's text for a slice that is too short for an array.
func conversionMessage(n, want Value) string {
	return boundsMessage("cannot convert slice with length %x to array or pointer to array with length %y", "", true, n, want)
}

func (m *Machine) sub(a, b Value) Value {
	if a.Term|b.Term == 0 {
		return Value{Bits: a.Bits - b.Bits}
	}
	return m.value(m.ts.Sub(m.termOf(a, 64), m.termOf(b, 64)))
}

func (m *Machine) add(a, b Value) Value {
	if a.Term|b.Term == 0 {
		return Value{Bits: a.Bits + b.Bits}
	}
	return m.value(m.ts.Add(m.termOf(a, 64), m.termOf(b, 64)))
}

// makeSliceData is a MakeSlice.
type makeSliceData struct {
	t          *Type
	len, cap   int32
	lenT, capT *Type
}

// maxSlice is the largest number of cells that make allocates for a symbolic length.
const maxSlice = 1 << 16

// maxAlloc is the largest number of cells that the machine allocates for one array.
const maxAlloc = 1 << 22

func (m *Machine) doMakeSlice(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*makeSliceData)
	n, c := m.wideValue(fr.regs[d.len], d.lenT), m.wideValue(fr.regs[d.cap], d.capT)
	limit := m.mostElements(d.t.Elem)
	inRange := func(v Value, max Value) bool { return m.decide(st, m.not(m.less(max, v))) }
	if !inRange(n, limit) {
		panic(goPanic{m.runtimeError("makeslice: len out of range")})
	}
	if !inRange(c, limit) || !inRange(n, c) {
		panic(goPanic{m.runtimeError("makeslice: cap out of range")})
	}
	m.limitMemory(st)
	if c.Term == 0 {
		if c.Bits*uint64(d.t.Elem.Size) > maxAlloc {
			panic(pathEnd{StopMemory, "a slice larger than the machine allocates"})
		}
		fr.regs[ins.D] = ptr(st.newCells(int(c.Bits)*d.t.Elem.Size, d.t.Elem), 0)
	} else {
		// A symbolic length is decided here, because an array whose every offset is a term costs the
		// solver more than the paths for the lengths.
		k := m.concretize(st, c, 64)
		if k*uint64(d.t.Elem.Size) > maxSlice {
			panic(pathEnd{StopMemory, "a slice larger than the machine allocates"})
		}
		c = Value{Bits: k}
		fr.regs[ins.D] = ptr(st.newCells(int(k)*d.t.Elem.Size, d.t.Elem), 0)
	}
	if n.Term != 0 {
		n = Value{Bits: m.concretize(st, n, 64)}
	}
	fr.regs[ins.D+1], fr.regs[ins.D+2] = n, c
	return sigNext
}

// mostElements returns how many elements make accepts: as many as fit into the address space, and any number of
// elements without a size.
func (m *Machine) mostElements(t *Type) Value {
	if t.Size == 0 {
		return Value{Bits: 1<<63 - 1}
	}
	return Value{Bits: 1 << 48 / uint64(m.goSize(t))}
}

// goSize returns a type's size in bytes in a real process, at least 1.
func (m *Machine) goSize(t *Type) int {
	if t.bytes == 0 {
		t.bytes = max(1, int(m.prog.Sizes.Sizeof(t.Go)))
	}
	return t.bytes
}

// doSliceToArray converts a slice to an array pointer.
func (m *Machine) doSliceToArray(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*convData)
	n := num(d.to.Elem.Len)
	if !m.decide(st, m.not(m.less(fr.regs[d.x+1], n))) {
		panic(goPanic{m.runtimeError(conversionMessage(fr.regs[d.x+1], n))})
	}
	fr.regs[ins.D] = m.resolveSlicePtr(st, fr.regs[d.x])
	return sigNext
}

// doAppend runs append(x, y...).
func (m *Machine) doAppend(st *State, x, y []Value, elem *Type) []Value {
	xp := m.resolveSlicePtr(st, x[0])
	yp := m.resolveSlicePtr(st, y[0])
	add := y[1]
	if add.Term == 0 && add.Bits == 0 {
		return []Value{x[0], x[1], x[2]} // nil if x is nil, which may be undecided
	}
	newLen := m.add(x[1], add)
	fits := m.decide(st, m.not(m.less(x[2], newLen)))
	if newLen.Term == 0 && x[1].Term == 0 && add.Term == 0 && xp.Term == 0 {
		return m.appendKnown(st, xp, yp, x, int(add.Bits), fits, elem)
	}
	// To append element by element, the lengths must be known.
	n := m.fixedLen(st, x[1])
	k := m.fixedLen(st, add)
	if k == 0 {
		return []Value{x[0], num(n), x[2]}
	}
	x = []Value{xp, num(n), x[2]}
	if x[2].Term != 0 {
		x[2] = num(m.fixedLen(st, x[2]))
	}
	fits = n+k <= int(x[2].Bits)
	return m.appendKnown(st, m.concretePointer(st, xp), yp, x, k, fits, elem)
}

// appendKnown appends k elements to a slice of known length.
func (m *Machine) appendKnown(st *State, xp, yp Value, x []Value, k int, fits bool, elem *Type) []Value {
	n, size := int(x[1].Bits), elem.Size
	if n+k < 0 {
		panic(goPanic{m.runtimeError("growslice: len out of range")})
	}
	if size == 0 {
		c := x[2]
		if !fits {
			c = num(n + k)
		}
		if xp.Bits == 0 {
			xp = ptr(st.newCells(0, elem), 0)
		}
		return []Value{xp, num(n + k), c}
	}
	if k*size > maxAlloc {
		panic(pathEnd{StopMemory, "a slice larger than the machine allocates"})
	}
	add := make([]Value, k*size)
	for i := range k {
		m.load(st, m.elemAddr(st, yp, num(i), size), elem, add[i*size:(i+1)*size])
	}
	if fits {
		for i := range k {
			m.store(st, m.elemAddr(st, xp, num(n+i), size), elem, add[i*size:(i+1)*size])
		}
		return []Value{xp, num(n + k), x[2]}
	}
	capacity := growCap(int(x[2].Bits), n+k, m.goSize(elem))
	if capacity*max(1, size) > maxAlloc {
		panic(pathEnd{StopMemory, "a slice larger than the machine allocates"})
	}
	m.limitMemory(st)
	cells := make([]Value, capacity*size)
	for i := range n {
		m.load(st, m.elemAddr(st, xp, num(i), size), elem, cells[i*size:(i+1)*size])
	}
	copy(cells[n*size:], add)
	p := ptr(st.newObject(&Object{cells: cells, elem: elem}), 0)
	return []Value{p, num(n + k), num(capacity)}
}

// growCap returns the capacity that the runtime's append gives an array, before the rounding to size classes
// (roundSize).
func growCap(old, need, size int) int {
	c := old
	double := c + c
	if need > double {
		return roundSize(need, size)
	}
	const threshold = 256
	if old < threshold {
		return roundSize(double, size)
	}
	for c < need {
		c += (c + 3*threshold) >> 2
	}
	return roundSize(c, size)
}

var sizeClasses = [...]int{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864, 5120, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768}

// roundSize rounds n elements of size bytes up to the size that the allocator would give.
func roundSize(n, size int) int {
	b := n * size
	if b > 32768 {
		const pg = 8192
		return (b + pg - 1) / pg * pg / size
	}
	for _, c := range sizeClasses {
		if c >= b {
			return c / size
		}
	}
	return n
}

// doCopy runs copy(dst, src) and returns the number of elements.
func (m *Machine) doCopy(st *State, dst, src []Value, elem *Type) Value {
	dp, sp := m.resolveSlicePtr(st, dst[0]), m.resolveSlicePtr(st, src[0])
	n := src[1]
	if m.decide(st, m.less(dst[1], src[1])) {
		n = dst[1]
	}
	if n.Term != 0 {
		n = num(m.fixedLen(st, n))
	}
	k, size := int(n.Bits), elem.Size
	if k*size > maxAlloc {
		panic(pathEnd{StopMemory, "a copy larger than the machine makes"})
	}
	if k == 0 || size == 0 {
		return n
	}
	buf := make([]Value, k*size)
	for i := range k {
		m.load(st, m.elemAddr(st, sp, num(i), size), elem, buf[i*size:(i+1)*size])
	}
	for i := range k {
		m.store(st, m.elemAddr(st, dp, num(i), size), elem, buf[i*size:(i+1)*size])
	}
	return n
}
