package vm

import (
	"go/types"
	"strings"
)

// modelIntrinsics are the functions that the models declare without a body.
func modelIntrinsics(name string) (intrinsic, bool) {
	rest, ok := strings.CutPrefix(name, modelPath+".")
	if !ok {
		return nil, false
	}
	switch rest {
	case "vmFormat":
		return vmFormat, true
	case "vmPrint":
		return vmPrint, true
	case "vmVerbs":
		return vmVerbs, true
	case "vmSide":
		return vmSide, true
	case "vmComparable":
		return vmComparable, true
	case "vmSemacquire":
		return semAcquire, true
	case "vmSemrelease":
		return semRelease, true
	case "vmDeepEqual":
		return vmDeepEqual, true
	case "vmApproximate":
		return approximate(0), true
	case "vmFunc":
		return vmFunc, true
	case "vmSleepUntil":
		return sleepUntil, true
	case "vmSameType":
		return func(m *Machine, st *State, c *call) ([]Value, signal) {
			return []Value{boolean(m.iface(st, c.args[:2])[0] == m.iface(st, c.args[2:4])[0])}, sigNext
		}, true
	case "vmAssign":
		return vmAssign, true
	case "vmKnown":
		return vmKnown, true
	case "vmSwap":
		return vmSwap, true
	case "vmIsSlice":
		return vmIsSlice, true
	case "vmCallers":
		return vmCallers, true
	case "vmFrame":
		return vmFrame, true
	}
	return nil, false
}

func (m *Machine) uint32Type() *Type { return m.types.of(types.Typ[types.Uint32]) }

// vmSide returns the address of the side map of an object. The maps that initialisers make are in the image like
// the objects that these make, and all states share them.
func vmSide(m *Machine, st *State, c *call) ([]Value, signal) {
	p := m.pointer(st, c.args[1], nil)
	for _, list := range [][]side{st.sides, m.imageSides} {
		for _, s := range list {
			if s.of == p.Bits {
				return []Value{ptr(s.obj, 0)}, sigNext
			}
		}
	}
	id := st.newCells(1, nil)
	if st.init {
		m.imageSides = append(m.imageSides, side{p.Bits, id})
	} else {
		st.sides = append(st.sides[:len(st.sides):len(st.sides)], side{p.Bits, id})
	}
	return []Value{ptr(id, 0)}, sigNext
}

// side is a map that a model keeps for an object.
type side struct {
	of  uint64
	obj ObjID
}

func vmComparable(m *Machine, st *State, c *call) ([]Value, signal) {
	v := m.resolveIface(st, [2]Value{c.args[0], c.args[1]}, m.errorType())
	if v[0].Lazy != 0 || v[0].Bits == 0 {
		return []Value{{Bits: 1}}, sigNext
	}
	return []Value{boolean(m.types.all[v[0].Bits].comparable())}, sigNext
}

func (m *Machine) errorType() *Type { return m.types.of(types.Universe.Lookup("error").Type()) }

// vmAssign executes the step of errors.As for one error: *target = err, if that is allowed.
func vmAssign(m *Machine, st *State, c *call) ([]Value, signal) {
	err := m.resolveIface(st, [2]Value{c.args[0], c.args[1]}, m.errorType())
	target := [2]Value{c.args[2], c.args[3]}
	if target[0].Lazy != 0 || err[0].Lazy != 0 {
		return []Value{{}}, sigNext
	}
	pt := m.types.all[target[0].Bits]
	if pt.Kind != KPointer || target[1].Bits == 0 {
		panic(goPanic{&panicRec{kind: "explicit", message: "errors: target must be a non-nil pointer", site: -1,
			value: [2]Value{}}})
	}
	dt := m.types.all[err[0].Bits]
	switch {
	case pt.Elem == dt:
		m.store(st, target[1], dt, m.unbox(st, dt, err[1]))
	case pt.Elem.Kind == KInterface && m.implements(dt, pt.Elem):
		m.store(st, target[1], pt.Elem, err[:])
	default:
		return []Value{{}}, sigNext
	}
	return []Value{{Bits: 1}}, sigNext
}

// vmIsSlice ends the path if the value in an interface is no slice.
func vmIsSlice(m *Machine, st *State, c *call) ([]Value, signal) {
	if v := m.iface(st, c.args); v[0].Bits == 0 || m.types.all[v[0].Bits].Kind != KSlice {
		panic(unsupported("a Swapper of what is no slice"))
	}
	return nil, sigNext
}

// vmSwap swaps elements of the slice in an interface. The failures of Swapper depend on the element's type
// and on the length, so they are left to native execution.
func vmSwap(m *Machine, st *State, c *call) ([]Value, signal) {
	v := m.iface(st, c.args)
	t := m.types.all[v[0].Bits]
	s := m.unbox(st, t, v[1])
	i, j := m.concretize(st, c.args[2], 64), m.concretize(st, c.args[3], 64)
	if n := s[1]; n.Term == 0 && (i >= n.Bits || j >= n.Bits) {
		panic(unsupported("an index out of range in a Swapper"))
	}
	size := t.Elem.Size
	a, b := make([]Value, size), make([]Value, size)
	pa, pb := m.elemAddr(st, m.resolveSlicePtr(st, s[0]), num(int(i)), size), m.elemAddr(st, m.resolveSlicePtr(st, s[0]), num(int(j)), size)
	m.load(st, pa, t.Elem, a)
	m.load(st, pb, t.Elem, b)
	m.store(st, pa, t.Elem, b)
	m.store(st, pb, t.Elem, a)
	return nil, sigNext
}

// mapsClone copies a map. Of an input all entries are looked at before, as in a loop over the map: what a later lookup found in the
// copy alone would be missing from the input.
func mapsClone(m *Machine, st *State, c *call) ([]Value, signal) {
	t := m.types.all[c.args[0].Bits]
	ref := m.resolveRef(st, c.args[1], t)
	if ref.Bits == 0 {
		return []Value{c.args[0], {}}, sigNext
	}
	for i := 0; st.object(ref.obj()).m.lazy && i >= 0; {
		if i = m.entryFrom(st, t, ref.obj(), i); i >= 0 {
			i++
		}
	}
	o := st.object(ref.obj()).clone(st.owner)
	o.m.lazy = false
	return []Value{c.args[0], ptr(st.newObject(o), 0)}, sigNext
}

// vmDeepEqual is vmDeepEqual(x, y) (equal, ok): reflect.DeepEqual as one condition. The result ok is false
// for values with maps, functions, interfaces, channels or cycles.
func vmDeepEqual(m *Machine, st *State, c *call) ([]Value, signal) {
	x, y := m.iface(st, c.args[:2]), m.iface(st, c.args[2:4])
	if x[0].Bits != y[0].Bits {
		return []Value{{}, {Bits: 1}}, sigNext
	}
	if x[0].Bits == 0 {
		return []Value{{Bits: 1}, {Bits: 1}}, sigNext
	}
	t := m.types.all[x[0].Bits]
	if !deepPlain(t, map[*Type]bool{}) {
		return make([]Value, 2), sigNext
	}
	return []Value{m.deepEqual(st, t, m.unbox(st, t, x[1]), m.unbox(st, t, y[1]), 0), {Bits: 1}}, sigNext
}

func (m *Machine) deepEqual(st *State, t *Type, x, y []Value, depth int) Value {
	if depth > 100 {
		panic(unsupported("reflect.DeepEqual of a deep value"))
	}
	switch t.Kind {
	case KSlice:
		a, b := m.sliceIsNil(st, x), m.sliceIsNil(st, y)
		if a.Bits != b.Bits || !m.decide(st, m.eqNum(x[1], y[1], 64)) {
			return boolean(false)
		}
		n := m.fixedLen(st, x[1])
		r := boolean(true)
		size := t.Elem.Size
		u, v := make([]Value, size), make([]Value, size)
		for i := range n {
			m.load(st, m.elemAddr(st, m.resolveSlicePtr(st, x[0]), num(i), size), t.Elem, u)
			m.load(st, m.elemAddr(st, m.resolveSlicePtr(st, y[0]), num(i), size), t.Elem, v)
			r = m.and(r, m.deepEqual(st, t.Elem, u, v, depth+1))
		}
		return r
	case KStruct:
		r := boolean(true)
		for _, f := range t.Fields {
			r = m.and(r, m.deepEqual(st, f.Type, x[f.Off:f.Off+f.Type.Size], y[f.Off:f.Off+f.Type.Size], depth+1))
		}
		return r
	case KPointer:
		if m.decide(st, m.equalCells(st, x[0], y[0], 64)) {
			return boolean(true)
		}
		p, q := m.resolvePointer(st, x[0], t.Elem), m.resolvePointer(st, y[0], t.Elem)
		if p.Bits == 0 || q.Bits == 0 {
			return boolean(false)
		}
		u, v := make([]Value, t.Elem.Size), make([]Value, t.Elem.Size)
		m.load(st, p, t.Elem, u)
		m.load(st, q, t.Elem, v)
		return m.deepEqual(st, t.Elem, u, v, depth+1)
	}
	return m.equal(st, t, t, x, y)
}

// deepPlain reports whether reflect.DeepEqual of two values of a type is a condition over
// their parts.
func deepPlain(t *Type, seen map[*Type]bool) bool {
	if seen[t] {
		return false // values may be cyclic
	}
	seen[t] = true
	defer delete(seen, t)
	switch t.Kind {
	case KMap, KFunc, KInterface, KChan:
		return false
	case KPointer, KSlice, KArray:
		return deepPlain(t.Elem, seen)
	case KStruct:
		for _, f := range t.Fields {
			if !deepPlain(f.Type, seen) {
				return false
			}
		}
	}
	return true
}
