package vm

import "fmt"

// doUnsafeCast converts an unsafe.Pointer to *T. An object is cells, not bytes, so T must
// have the layout of what is there: the same widths in the same order. Anything else,
// like an integer seen as an array of bytes, ends the path by name.
func (m *Machine) doUnsafeCast(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*convData)
	v := fr.regs[d.x]
	m.checkCast(st, v, d.to.Elem)
	fr.regs[ins.D] = v
	return sigNext
}

func (m *Machine) checkCast(st *State, v Value, t *Type) {
	if v.Lazy != 0 || v.Bits>>32 == 0 || v.obj() == zeroBase || v.Bits&funcBit != 0 {
		return
	}
	o := st.object(v.obj())
	switch o.kind {
	case objBytes:
		m.checkBytes(t, 8)
		return
	case objLazy:
		if o.lazy.width != 0 {
			m.checkBytes(t, o.lazy.width)
		}
		return
	case objCells:
	default:
		return
	}
	// The box of an interface and the cells of a closure have no type; the descriptor of a
	// type has that of what it describes.
	if o.elem == nil || o.elem.Size == 0 || o.elem == t || v.obj()&staticRegion != 0 {
		return
	}
	if v.Term != 0 {
		if o.elem.Size == 1 {
			m.checkBytes(t, cellWidth(o.elem, 0))
			return
		}
		panic(unsupported("a cast of an address with a symbolic index (unsafe)"))
	}
	n := min(t.Size, len(o.cells)-v.off(), 256)
	for i := range n {
		a, b := cellWidth(o.elem, (v.off()+i)%o.elem.Size), cellWidth(t, i)
		if a != b && a != 0 && b != 0 {
			panic(unsupported(fmt.Sprintf("a cast of %s to *%s (unsafe)", o.elem, t)))
		}
	}
}

// checkBytes checks that a type is made of scalars of one width.
func (m *Machine) checkBytes(t *Type, width int) {
	for i := range min(t.Size, 256) {
		if w := cellWidth(t, i); w != width && w != 0 {
			panic(unsupported(fmt.Sprintf("a cast of %d-bit elements to *%s (unsafe)", width, t)))
		}
	}
}

// cellWidth is the width in bits of what cell i of a type holds, 64 for all that is an
// address, 1 for a bool, and 0 for the type part of an interface.
func cellWidth(t *Type, i int) int {
	for {
		switch t.Kind {
		case KArray:
			i %= t.Elem.Size
			t = t.Elem
			continue
		case KStruct:
			for _, f := range t.Fields {
				if i < f.Off+f.Type.Size {
					i -= f.Off
					t = f.Type
					break
				}
			}
			continue
		case KBool:
			return 1
		case KInt, KUint, KFloat, KComplex:
			return int(t.Bits)
		case KInterface:
			return 0
		}
		return 64
	}
}
