package vm

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// doUnsafeCast converts an unsafe.Pointer to *T. An object is cells, not bytes, so T must have the
// layout of the object: the same widths in the same order. Any other cast, like one of an integer to an
// array of bytes, ends the path.
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
	if !st.exists(v.obj()) {
		panic(unsupported("an address that is none (unsafe)"))
	}
	o := st.object(v.obj())
	switch o.kind {
	case objBytes:
		m.checkBytes(t, 8)
		return
	case objLazy:
		if !o.lazy.hasElems() {
			m.checkBytes(t, o.lazy.width)
		}
		return
	case objCells:
	default:
		return
	}
	// The box of an interface and the cells of a closure have no type. The object for the descriptor of a
	// type has the type that it describes.
	if o.elem == nil || o.elem.Size == 0 || o.elem == t || v.obj()&staticRegion != 0 {
		return
	}
	if a, b := elementWidth(o.elem), elementWidth(t); a != b && (isHeader(o.elem) || isHeader(t)) {
		panic(unsupported(fmt.Sprintf("a cast of %s to *%s (unsafe)", o.elem, t)))
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

// isHeader reports whether a type is a slice or a string, or a struct whose first field is one. A struct of
// numbers may stand for these (reflect.SliceHeader).
func isHeader(t *Type) bool {
	for t.Kind == KStruct && len(t.Fields) > 0 {
		t = t.Fields[0].Type
	}
	return t.Kind == KSlice || t.Kind == KString
}

// elementWidth is the width in bits of the elements of a slice or a string, or 0 if they are not numbers. A
// header that is a struct of numbers does not tell the width, and counts as a header of bytes.
func elementWidth(t *Type) int {
	for t.Kind == KStruct && len(t.Fields) > 0 {
		t = t.Fields[0].Type
	}
	switch {
	case t.Kind != KSlice:
		return 8
	case t.Elem.scalar():
		return t.Elem.width()
	}
	return 0
}

// checkBytes checks that a type is made of scalars of one width.
func (m *Machine) checkBytes(t *Type, width int) {
	for i := range min(t.Size, 256) {
		if w := cellWidth(t, i); w != width && w != 0 {
			panic(unsupported(fmt.Sprintf("a cast of %d-bit elements to *%s (unsafe)", width, t)))
		}
	}
}

// cellWidth returns the width in bits of cell i of a type: 64 for addresses, 1 for a bool, and 0 for the type
// part of an interface.
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

// addBytes adds a number of bytes to an address. A number of bytes corresponds to a number of cells only if
// all elements of an array have one size, like those of a byte slice.
func (m *Machine) addBytes(st *State, p, n Value) Value {
	if p.Lazy != 0 || p.Term != 0 || n.Term != 0 || p.Bits>>32 == 0 {
		panic(unsupported("unsafe.Add"))
	}
	o := st.object(p.obj())
	size, cells := 1, 1
	if o.kind == objCells {
		if o.elem == nil || o.elem.Size == 0 {
			panic(unsupported("unsafe.Add"))
		}
		size, cells = int(m.prog.Sizes.Sizeof(o.elem.Go)), o.elem.Size
	}
	if k := int64(n.Bits); k%int64(size) == 0 {
		return Value{Bits: p.Bits + uint64(k/int64(size)*int64(cells))}
	}
	panic(unsupported("unsafe.Add"))
}

// offsetOf executes unsafe.Offsetof for a field, in bytes, if a type parameter is involved: go/ssa then has
// the selection as loads that it does not execute.
func (m *Machine) offsetOf(v ssa.Value) int {
	field := func(t types.Type, i int) int {
		s := t.Underlying().(*types.Struct)
		vars := make([]*types.Var, s.NumFields())
		for k := range vars {
			vars[k] = s.Field(k)
		}
		return int(m.prog.Sizes.Offsetsof(vars)[i])
	}
	switch v := v.(type) {
	case *ssa.Field:
		return field(v.X.Type(), v.Field)
	case *ssa.UnOp:
		f, ok := v.X.(*ssa.FieldAddr)
		if ok {
			if _, promoted := f.X.(*ssa.FieldAddr); promoted {
				panic(unsupported("builtin Offsetof of a promoted field"))
			}
			return field(f.X.Type().Underlying().(*types.Pointer).Elem(), f.Field)
		}
	}
	panic(unsupported("builtin Offsetof"))
}

// exists reports whether there is an object with a name. A program may have made up the number.
func (st *State) exists(id ObjID) bool {
	switch {
	case id&staticRegion != 0:
		return int(id&^staticRegion) < len(st.m.static)
	case id&imageRegion != 0:
		return int(id&^imageRegion) < len(st.m.image) && id != imageRegion
	}
	return id > 0 && int(id) < st.heap.n
}

// unsafeLength checks the length given to unsafe.Slice or unsafe.String.
func (m *Machine) unsafeLength(st *State, what string, p Value, elem *Type, n Value) Value {
	limit := Value{Bits: uint64(1) << 48 / uint64(m.goSize(elem))}
	if !m.decide(st, m.less(n, limit)) {
		panic(goPanic{m.runtimeError(what + ": len out of range")})
	}
	if n.Term == 0 && p.Bits != 0 && n.Bits*uint64(m.goSize(elem)) > -p.Bits {
		panic(goPanic{m.runtimeError(what + ": len out of range")})
	}
	if p.Lazy == 0 && p.Term == 0 && p.Bits == 0 && !m.decide(st, m.eqNum(n, Value{}, 64)) {
		panic(goPanic{m.runtimeError(what + ": ptr is nil and len is not zero")})
	}
	return n
}

// addressNumber reports whether a program computes with an address in a way that needs to know where things
// are in memory: order and alignment. (Package reflect only needs some order of two addresses.)
func addressNumber(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if b, ok := r.(*ssa.BinOp); ok {
			switch b.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.REM, token.AND, token.SHR, token.QUO:
				return true
			}
		}
	}
	return false
}

func doAddressNumber(*Machine, *State, *Frame, *Instr) signal {
	panic(unsupported("the number of an address (unsafe)"))
}

// doNumberAddress converts a number to an address. An address with an offset that is a symbol is a number of which
// the machine does not know into which object it leads.
func doNumberAddress(_ *Machine, _ *State, fr *Frame, ins *Instr) signal {
	v := fr.regs[ins.data.(*convData).x]
	if v.Term != 0 {
		panic(unsupported("an address computed from a symbol (unsafe)"))
	}
	fr.regs[ins.D] = v
	return sigNext
}
