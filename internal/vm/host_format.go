package vm

import (
	"strings"
)

// How much is known of the arguments of fmt; see vmKnown.
const (
	formatSymbolic = iota // something is symbolic
	formatPlain           // all are known, of basic types and without methods
	formatKnown           // all are known
)

// maxKnown is how many cells of arguments are looked at. Arguments with more count as symbolic.
const maxKnown = 1 << 14

// vmKnown is vmKnown(format, args): how much is known of a format and its arguments. Plain values are
// formatted by the host. Other known values are formatted by fmt from its source, so that methods, %T and %#v
// work; for other arguments see vmFormat.
func vmKnown(m *Machine, st *State, c *call) ([]Value, signal) {
	format, ok := m.concreteString(st, c.args[0], c.args[1])
	n := c.args[3]
	if !ok || n.Term != 0 {
		return []Value{num(formatSymbolic)}, sigNext
	}
	result := formatPlain
	if strings.ContainsAny(format, "T#p*[") {
		result = formatKnown
	}
	k := &knower{m: m, st: st, left: maxKnown, address: strings.Contains(format, "p")}
	for i := range int(n.Bits) {
		var v [2]Value
		m.load(st, m.elemAddr(st, m.resolveSlicePtr(st, c.args[2]), num(i), 2), m.anyType(), v[:])
		v = m.resolveIface(st, v, m.anyType())
		if !k.known(m.anyType(), v[:], 0) {
			return []Value{num(formatSymbolic)}, sigNext
		}
		if _, ok := m.hostValue(st, v); !ok || v[0].Bits != 0 && m.hasText(m.types.all[v[0].Bits]) {
			result = formatKnown
		}
	}
	if k.address {
		return []Value{num(formatSymbolic)}, sigNext
	}
	return []Value{num(result)}, sigNext
}

// printsAddress reports whether vmFormat(format, args) would show an address. Such a text differs between
// processes.
func (m *Machine) printsAddress(st *State, c *call) bool {
	format, ok := m.concreteString(st, c.args[0], c.args[1])
	if !ok || c.args[3].Term != 0 {
		return false
	}
	k := &knower{m: m, st: st, left: maxKnown, address: strings.Contains(format, "p")}
	for i := range int(c.args[3].Bits) {
		var v [2]Value
		m.load(st, m.elemAddr(st, m.resolveSlicePtr(st, c.args[2]), num(i), 2), m.anyType(), v[:])
		k.known(m.anyType(), v[:], 0)
	}
	return k.address
}

// knower looks for symbols in the values that fmt would print.
type knower struct {
	m       *Machine
	st      *State
	left    int
	address bool // an address would be printed
}

// known reports whether everything that fmt prints of a value of type t is known. The parameter depth says
// how deep the value is inside of another one.
func (k *knower) known(t *Type, v []Value, depth int) bool {
	m, st := k.m, k.st
	if k.left -= len(v); k.left < 0 || depth > 1000 {
		return false
	}
	switch t.Kind {
	case KStruct:
		for _, f := range t.Fields {
			if !k.known(f.Type, v[f.Off:f.Off+f.Type.Size], depth+1) {
				return false
			}
		}
		return true
	case KArray:
		n := t.Elem.Size
		for i := range t.Len {
			if !k.known(t.Elem, v[i*n:(i+1)*n], depth+1) {
				return false
			}
		}
		return true
	case KString:
		_, ok := m.concreteString(st, v[0], v[1])
		return ok
	case KInterface:
		if v[0].Lazy != 0 {
			return false
		}
		if v[0].Bits == 0 {
			return true
		}
		dt := m.types.all[v[0].Bits]
		if v[1].Lazy != 0 {
			return false
		}
		return k.known(dt, m.unbox(st, dt, v[1]), depth+min(depth, 1))
	case KSlice:
		if v[0].Lazy != 0 || v[0].Term != 0 || v[1].Term != 0 {
			return false
		}
		if v[1].Bits > maxKnown {
			return false
		}
		elem := make([]Value, t.Elem.Size)
		for i := range int(v[1].Bits) {
			if len(elem) > 0 {
				m.load(st, m.elemAddr(st, v[0], num(i), len(elem)), t.Elem, elem)
			}
			if !k.known(t.Elem, elem, depth+1) {
				return false
			}
		}
		return true
	case KMap:
		if v[0].Lazy != 0 || v[0].Bits != 0 && st.object(v[0].obj()).m.lazy {
			return false
		}
		if v[0].Bits == 0 {
			return true
		}
		for _, e := range st.object(v[0].obj()).m.entries {
			if !e.dead && !(k.known(t.Key, e.key, depth+1) && k.known(t.Elem, e.val, depth+1)) {
				return false
			}
		}
		return true
	case KPointer:
		if v[0].Lazy != 0 || v[0].Term != 0 {
			return false
		}
		if v[0].Bits == 0 {
			return true
		}
		if depth == 0 {
			switch t.Elem.Kind {
			case KStruct, KSlice, KArray, KMap:
				elem := make([]Value, t.Elem.Size)
				if len(elem) > 0 {
					m.load(st, v[0], t.Elem, elem)
				}
				return k.known(t.Elem, elem, 1)
			}
		}
		if !m.hasText(t) {
			k.address = true
		}
		return true
	case KChan, KFunc, KUnsafePointer:
		k.address = k.address || v[0].Bits != 0
	}
	for _, c := range v {
		if c.Term != 0 || c.Lazy != 0 {
			return false
		}
	}
	return true
}

// hasText reports whether fmt would call a method of a value of type t.
func (m *Machine) hasText(t *Type) bool {
	ms := m.msets.MethodSet(t.Go)
	for _, name := range []string{"Error", "String", "Format", "GoString"} {
		if ms.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}
