package vm

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// convData is a conversion.
type convData struct {
	x        int32
	from, to *Type
}

// box makes an interface value of a value of type t.
func (m *Machine) box(st *State, t *Type, v []Value) []Value {
	out := []Value{{Bits: uint64(t.ID)}, {}}
	switch t.Size {
	case 0:
	case 1:
		out[1] = v[0]
	default:
		o := st.newObject(&Object{cells: append([]Value(nil), v...)})
		out[1] = ptr(o, 0)
	}
	return out
}

// unbox returns the cells of the value in an interface of dynamic type t.
func (m *Machine) unbox(st *State, t *Type, data Value) []Value {
	switch t.Size {
	case 0:
		return nil
	case 1:
		return []Value{data}
	}
	return st.object(data.obj()).cells
}

func (m *Machine) doMakeInterface(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*convData)
	v := m.box(st, d.from, fr.regs[d.x:int(d.x)+d.from.Size])
	fr.regs[ins.D], fr.regs[ins.D+1] = v[0], v[1]
	return sigNext
}

// assertData is a type assertion.
type assertData struct {
	x        int32
	from, to *Type
	commaOk  bool
	nilCheck bool // go/ssa has inserted the assertion for the interface of a method value
}

// doTypeAssert runs x.(T).
func (m *Machine) doTypeAssert(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*assertData)
	v := [2]Value{fr.regs[d.x], fr.regs[d.x+1]}
	if v[0].Lazy != 0 {
		m.known(v[0])
		v = m.resolveFor(st, v, d.from, d.to)
	}
	ok := false
	var stub bool
	if v[0].Lazy != 0 {
		// The value is a stub, or has none of the types that the code asked for.
		stub = true
		ok = m.stubHas(st, v[0].Lazy, d.to)
	} else if v[0].Bits != 0 {
		dt := m.types.all[v[0].Bits]
		if d.to.Kind == KInterface {
			ok = m.implements(dt, d.to)
		} else {
			ok = dt == d.to
		}
	}
	n := d.to.Size
	out := fr.regs[ins.D : int(ins.D)+n]
	switch {
	case ok && d.to.Kind == KInterface:
		out[0], out[1] = v[0], v[1]
	case ok && stub:
		panic("bug: vm: a stub of a concrete type")
	case ok:
		copy(out, m.unbox(st, d.to, v[1]))
	case !d.commaOk && d.nilCheck && v[0].Bits == 0:
		return m.startPanic(st, m.nilPanic())
	case !d.commaOk:
		return m.startPanic(st, &panicRec{kind: "type-assertion", runtime: true, message: m.assertMessage(v, d), site: -1})
	default:
		clear(out)
	}
	if d.commaOk {
		fr.regs[int(ins.D)+n] = boolean(ok)
	}
	return sigNext
}

// assertMessage returns the text of a failed type assertion.
func (m *Machine) assertMessage(v [2]Value, d *assertData) string {
	from := m.typeString(d.from)
	if v[0].Bits == 0 {
		return "interface conversion: " + from + " is nil, not " + m.typeString(d.to)
	}
	dt := m.types.all[v[0].Bits]
	if d.to.Kind == KInterface {
		if name := m.missingMethod(dt, d.to); name != "" {
			return "interface conversion: " + m.typeString(dt) + " is not " + m.typeString(d.to) + ": missing method " + name
		}
	}
	is, not := m.typeString(dt), m.typeString(d.to)
	why := ""
	if is == not {
		why = " (types from different scopes)"
		if pathOf(dt.Go) != pathOf(d.to.Go) {
			why = " (types from different packages)"
		}
	}
	return "interface conversion: " + from + " is " + is + ", not " + not + why
}

// pathOf returns the import path of the package that declares a named type.
func pathOf(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

// implements reports whether a concrete type has the methods of an interface.
func (m *Machine) implements(t, iface *Type) bool { return m.missingMethod(t, iface) == "" }

// missingMethod returns the name of a method that t lacks, or "" if it lacks none.
func (m *Machine) missingMethod(t, iface *Type) string {
	key := [2]uint32{t.ID, iface.ID}
	if s, ok := m.implCache[key]; ok {
		return s
	}
	s := ""
	for i := range iface.iface.NumMethods() {
		im := iface.iface.Method(i)
		f := m.methodObj(t, im)
		if f == nil || m.types.of(f.Type()) != m.types.of(im.Type()) && !m.types.sameSignature(f, im) {
			s = im.Name()
			break
		}
	}
	m.implCache[key] = s
	return s
}

func (tt *typeTable) sameSignature(f, g *types.Func) bool {
	var a, b strings.Builder
	tt.writeSignature(&a, f.Type().(*types.Signature))
	tt.writeSignature(&b, g.Type().(*types.Signature))
	return a.String() == b.String()
}

// methodObj finds the method of t that an interface method calls.
func (m *Machine) methodObj(t *Type, im *types.Func) *types.Func {
	sel := m.selection(t, im)
	if sel == nil {
		return nil
	}
	return sel.Obj().(*types.Func)
}

func (m *Machine) selection(t *Type, im *types.Func) *types.Selection {
	ms := m.msets.MethodSet(t.Go)
	if im.Exported() {
		return ms.Lookup(nil, im.Name())
	}
	for i := range ms.Len() {
		s := ms.At(i)
		if s.Obj().Name() == im.Name() && s.Obj().Pkg() != nil && im.Pkg() != nil && s.Obj().Pkg().Path() == im.Pkg().Path() {
			return s
		}
	}
	return nil
}

// method returns the function of t's method that an interface method calls, or nil.
func (m *Machine) method(t *Type, im *types.Func) *Func {
	key := im.Name()
	if !im.Exported() && im.Pkg() != nil {
		key = im.Pkg().Path() + "." + key
	}
	if f, ok := t.methods[key]; ok {
		return f
	}
	var f *Func
	if sel := m.selection(t, im); sel != nil {
		if fn := m.methodValue(t, sel); fn != nil {
			f = m.fn(fn)
		}
	}
	if t.methods == nil {
		t.methods = map[string]*Func{}
	}
	t.methods[key] = f
	return f
}

// methodValue returns the SSA function of a method. It is a wrapper if the method is promoted.
func (m *Machine) methodValue(_ *Type, sel *types.Selection) *ssa.Function {
	return m.prog.SSA.MethodValue(sel)
}

// resolveInvoke finds the method that a call through an interface reaches.
func (m *Machine) resolveInvoke(st *State, fr *Frame, d *callData) (callee, []Value) {
	v := [2]Value{m.known(fr.regs[d.recv]), fr.regs[d.recv+1]}
	v = m.resolveIface(st, v, d.recvT)
	if v[0].Lazy != 0 {
		return callee{stub: v[0].Lazy, stubMethod: d.invoke.Name(), stubSig: d.result}, nil
	}
	if v[0].Bits == 0 {
		panic(goPanic{m.nilPanic()})
	}
	t := m.types.all[v[0].Bits]
	f := m.method(t, d.invoke)
	if f == nil {
		panic(unsupported("method " + d.invoke.Name() + " of " + t.Name))
	}
	return callee{fn: f}, append([]Value(nil), m.unbox(st, t, v[1])...)
}
