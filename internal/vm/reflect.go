package vm

import (
	"go/types"
	"strings"
)

// reflectIntrinsics are the functions that packages reflect and reflectlite have from the runtime, and
// the few of their own functions that look at the representation of interfaces or make types. If a case
// has no comment here, see the comment at the function's declaration in reflect.
func reflectIntrinsics(name string) (intrinsic, bool) {
	pkg, rest, _ := cutName(name)
	switch pkg {
	case "reflect", "internal/reflectlite", "internal/abi", reflectModelPath:
	default:
		return nil, false
	}
	in, ok := reflectTable(rest)
	return in, ok
}

// cutName cuts the full name of a function into its package's path and the rest.
func cutName(name string) (pkg, rest string, ok bool) {
	start := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[start:], '.')
	if dot < 0 {
		return "", name, false
	}
	pkg = strings.TrimLeft(name[:start+dot], "(*")
	open := name[:len(name[:start+dot])-len(pkg)]
	return pkg, open + name[start+dot+1:], true
}

func reflectTable(rest string) (intrinsic, bool) {
	switch rest {
	case "TypeOf":
		return nil, false
	case "NoEscape":
		return func(_ *Machine, _ *State, c *call) ([]Value, signal) { return c.args[:1], sigNext }, true
	case "escapes":
		return noop, true
	case "add", "addChecked":
		return addAddress, true
	case "rtypeOf", "vmTypeOf":
		return typeOfValue, true
	case "unpackEface":
		return unpackEface, true
	case "(Value).pointer":
		return valuePointer, true
	case "packEface":
		return packEface, true
	case "packIfaceValueIntoEmptyIface":
		return packIface, true
	case "ifaceE2I":
		return ifaceE2I, true
	case "implements":
		return reflectImplements, true
	case "unsafe_New":
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			return []Value{ptr(m.newVariable(st, m.typeOf(c.args[0])), 0)}, sigNext
		}, true
	case "unsafe_NewArray":
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			n := m.concretize(st, c.args[1], 64)
			return []Value{m.newArray(st, m.typeOf(c.args[0]), n)}, sigNext
		}, true
	case "typedmemmove":
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			m.moveTyped(st, m.typeOf(c.args[0]), c.args[1], c.args[2])
			return nil, sigNext
		}, true
	case "typedmemclr":
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			t := m.typeOf(c.args[0])
			m.store(st, c.args[1], t, make([]Value, t.Size))
			return nil, sigNext
		}, true
	case "typedarrayclear":
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			t := m.typeOf(c.args[0])
			for i := range m.concretize(st, c.args[2], 64) {
				m.store(st, m.elemAddr(st, c.args[1], Value{Bits: i}, t.Size), t, make([]Value, t.Size))
			}
			return nil, sigNext
		}, true
	case "typedslicecopy":
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			return []Value{m.doCopy(st, c.args[1:4], c.args[4:7], m.typeOf(c.args[0]))}, sigNext
		}, true
	case "growslice":
		return reflectGrow, true
	case "verifyNotInHeapPtr":
		return constantResult(1), true
	case "unsafeslice":
		return noop, true
	case "resolveNameOff":
		return func(m *Machine, _ *State, c *call) ([]Value, signal) {
			n := int(int32(c.args[1].Bits))
			if n == 0 {
				return []Value{{}}, sigNext
			}
			return []Value{ptr(m.descs.bytes[n], 0)}, sigNext
		}, true
	case "resolveTypeOff":
		return func(m *Machine, _ *State, c *call) ([]Value, signal) {
			return []Value{m.descriptor(m.types.all[int32(c.args[1].Bits)])}, sigNext
		}, true
	case "resolveTextOff":
		return func(m *Machine, _ *State, c *call) ([]Value, signal) {
			x := m.descs.method[int32(c.args[1].Bits)]
			return []Value{m.methodCode(x.t, x.sel)}, sigNext
		}, true
	case "getStaticuint64s":
		return smallNumbers, true
	case "chanlen", "chancap", "chanclose", "makechan", "chansend0", "chanrecv", "vmSelect":
		return reflectChan(rest), true
	case "makemap", "maplen", "mapclear", "mapaccess", "mapaccess_faststr", "mapassign0", "mapassign_faststr0", "mapdelete", "mapdelete_faststr",
		"mapIterStart", "mapIterNext":
		return reflectMap(rest), true
	case "(*rtype).ptrTo", "SliceOf", "ArrayOf", "ChanOf", "MapOf", "FuncOf", "StructOf":
		return makeType(rest), true
	case "vmField":
		return fieldAddress, true
	case "vmElem":
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			return []Value{m.elemAddr(st, c.args[0], c.args[1], m.typeOf(c.args[2]).Size)}, sigNext
		}, true
	case "vmMethod":
		return reflectMethod, true
	case "vmCall":
		return reflectCall, true
	case "vmMakeFunc":
		return makeFunc, true
	}
	return nil, false
}

// addAddress adds a number of cells to an address.
func addAddress(m *Machine, _ *State, c *call) ([]Value, signal) {
	p, n := m.known(c.args[0]), m.known(c.args[1])
	if n.Term != 0 {
		panic(unsupported("an address computed from a symbol (unsafe)"))
	}
	return []Value{{Bits: p.Bits + n.Bits, Term: p.Term, Lazy: p.Lazy}}, sigNext
}

func (m *Machine) anyType() *Type { return m.types.of(types.Universe.Lookup("any").Type()) }

// iface resolves the interface in two cells of an intrinsic's arguments.
func (m *Machine) iface(st *State, v []Value) [2]Value {
	r := m.resolveIface(st, [2]Value{m.known(v[0]), v[1]}, m.anyType())
	if r[0].Lazy != 0 {
		panic(unsupported("reflection on a value of unknown type"))
	}
	return r
}

// typeOfValue returns the descriptor of an interface's dynamic type.
func typeOfValue(m *Machine, st *State, c *call) ([]Value, signal) {
	v := m.iface(st, c.args)
	if v[0].Bits == 0 {
		return []Value{{}}, sigNext
	}
	return []Value{m.descriptor(m.types.all[v[0].Bits])}, sigNext
}

// The flags of reflect.Value.
const (
	rflagKind  = 1<<5 - 1
	rflagIndir = 1 << 7
	rflagAddr  = 1 << 8
)

// unpackEface makes the reflect.Value of the value in an interface. Its address is that of the interface's
// box, because nothing writes to the box.
func unpackEface(m *Machine, st *State, c *call) ([]Value, signal) {
	v := m.iface(st, c.args)
	if v[0].Bits == 0 {
		return make([]Value, 3), sigNext
	}
	t := m.types.all[v[0].Bits]
	flag := uint64(reflectKind(t))
	p := v[1]
	if !m.direct(t) {
		flag |= rflagIndir
		switch t.Size {
		case 0:
			p = ptr(zeroBase, 0)
		case 1:
			p = ptr(st.newObject(&Object{cells: []Value{v[1]}, elem: t}), 0)
		}
	}
	return []Value{m.descriptor(t), p, {Bits: flag}}, sigNext
}

// valuePointer returns the address that a reflect.Value is or holds. If an input may leave a map or channel
// nil, it is decided here.
func valuePointer(m *Machine, st *State, c *call) ([]Value, signal) {
	t, p := m.described(c.args[0]), []Value{c.args[1]}
	if t == nil || t.Size != 1 || !m.direct(t) {
		return nil, m.panicString(st, "can't call pointer on a non-pointer Value")
	}
	if c.args[2].Bits&rflagIndir != 0 {
		m.load(st, m.pointer(st, c.args[1], t), t, p)
	}
	if t.Kind == KMap || t.Kind == KChan {
		p[0] = m.resolveRef(st, p[0], t)
	}
	return p, sigNext
}

// packEface makes an interface from a reflect.Value.
func packEface(m *Machine, st *State, c *call) ([]Value, signal) {
	t := m.typeOf(c.args[0])
	cells := []Value{c.args[1]}
	if c.args[2].Bits&rflagIndir != 0 {
		cells = make([]Value, t.Size)
		if t.Size > 0 {
			m.load(st, c.args[1], t, cells)
		}
	}
	return m.box(st, t, cells), sigNext
}

// packIface makes an empty interface from a reflect.Value that is an interface.
func packIface(m *Machine, st *State, c *call) ([]Value, signal) {
	out := make([]Value, 2)
	m.load(st, c.args[1], m.anyType(), out)
	return out, sigNext
}

// typeAssert executes reflect.TypeAssert for values that are not method values.
func typeAssert(m *Machine, st *State, c *call) ([]Value, signal) {
	to, flag := c.result.Fields[0].Type, c.args[2].Bits
	if flag&^(rflagKind|rflagIndir|rflagAddr) != 0 || flag == 0 {
		panic(unsupported("reflect.TypeAssert of a value that is invalid, not exported, or a method"))
	}
	t := m.typeOf(c.args[0])
	var v []Value
	if t.Kind == KInterface {
		v = make([]Value, 2)
		m.load(st, c.args[1], t, v)
	} else {
		v, _ = packEface(m, st, c)
	}
	x := m.iface(st, v)
	out := make([]Value, c.result.Size)
	if x[0].Bits == 0 {
		return out, sigNext
	}
	dt := m.types.all[x[0].Bits]
	switch {
	case to.Kind == KInterface && m.implements(dt, to):
		copy(out, x[:])
	case dt == to:
		copy(out, m.unbox(st, dt, x[1]))
	default:
		return out, sigNext
	}
	out[to.Size] = boolean(true)
	return out, sigNext
}

// ifaceE2I stores an interface value as a value of another interface type.
func ifaceE2I(m *Machine, st *State, c *call) ([]Value, signal) {
	t, v := m.typeOf(c.args[0]), m.iface(st, c.args[1:3])
	if v[0].Bits == 0 || !m.implements(m.types.all[v[0].Bits], t) {
		return nil, m.startPanic(st, &panicRec{kind: "type-assertion", runtime: true, site: -1,
			message: m.assertMessage(v, &assertData{from: m.anyType(), to: t})})
	}
	m.store(st, c.args[3], t, v[:])
	return nil, sigNext
}

// reflectImplements reports whether a type has the methods of an interface.
func reflectImplements(m *Machine, _ *State, c *call) ([]Value, signal) {
	iface, t := m.described(c.args[0]), m.described(c.args[1])
	if t == nil {
		panic(goPanic{m.nilPanic()}) // reflect reads the descriptor of a nil type
	}
	if iface == nil || iface.Kind != KInterface {
		return []Value{{}}, sigNext
	}
	return []Value{boolean(types.Implements(t.Go, iface.iface) || t.Kind != KInterface && m.implements(t, iface))}, sigNext
}

// newArray allocates n elements of a type.
func (m *Machine) newArray(st *State, t *Type, n uint64) Value {
	m.limitMemory(st)
	if n*uint64(max(t.Size, 1)) > maxAlloc {
		panic(pathEnd{StopMemory, "a slice larger than the machine allocates"})
	}
	return ptr(st.newCells(int(n)*t.Size, t), 0)
}

func (m *Machine) moveTyped(st *State, t *Type, dst, src Value) {
	if t.Size == 0 {
		return
	}
	cells := make([]Value, t.Size)
	m.load(st, src, t, cells)
	m.store(st, dst, t, cells)
}

// reflectGrow makes room for n more elements in a slice.
func reflectGrow(m *Machine, st *State, c *call) ([]Value, signal) {
	t := m.typeOf(c.args[0])
	n, c0, add := m.fixedLen(st, c.args[2]), m.fixedLen(st, c.args[3]), int(m.concretize(st, c.args[4], 64))
	capacity := growCap(c0, n+add, m.goSize(t))
	p := m.newArray(st, t, uint64(capacity))
	for i := range c0 {
		m.moveTyped(st, t, m.elemAddr(st, p, num(i), t.Size), m.elemAddr(st, c.args[1], num(i), t.Size))
	}
	return []Value{p, num(n), num(capacity)}, sigNext
}

// smallNumbers returns the address of the runtime's table of the numbers 0 to 255.
func smallNumbers(m *Machine, _ *State, _ *call) ([]Value, signal) {
	if m.descs.small == 0 {
		cells := make([]Value, 256)
		for i := range cells {
			cells[i] = num(i)
		}
		m.static = append(m.static, &Object{cells: cells, elem: m.types.of(types.Typ[types.Uint64])})
		m.descs.small = ObjID(len(m.static)-1) | staticRegion
	}
	return []Value{ptr(m.descs.small, 0)}, sigNext
}

// fieldAddress returns the address of a field of the struct at p: vmField(t, p, i).
func fieldAddress(m *Machine, _ *State, c *call) ([]Value, signal) {
	t := m.typeOf(c.args[0])
	p := c.args[1]
	p.Bits += uint64(t.Fields[c.args[2].Bits].Off)
	return []Value{p}, sigNext
}
