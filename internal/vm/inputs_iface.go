package vm

import "go/types"

// ifaceIsNil decides whether an interface is nil.
func (m *Machine) ifaceIsNil(st *State, v [2]Value) bool {
	m.known(v[0])
	if v[0].Lazy == 0 {
		return v[0].Bits == 0
	}
	e := st.lazies.at(v[0].Lazy)
	switch e.kind {
	case isNil:
		return true
	case isValue:
		return e.val[0].Bits == 0
	case isStub, notNil:
		return false
	}
	m.option(st, v[0].Lazy, func(_ *State, e *lazyEntry) { e.kind = notNil })
	st.lazies.edit(v[0].Lazy).kind = isNil
	return true
}

// resolveIface decides a lazy interface when its method is called or its value is needed. It is nil, an
// implementation in reach, or a stub. The value of a stub stays lazy.
func (m *Machine) resolveIface(st *State, v [2]Value, t *Type) [2]Value {
	m.known(v[0])
	k := v[0].Lazy
	if k == 0 {
		return v
	}
	e := st.lazies.at(k)
	switch e.kind {
	case isNil:
		return [2]Value{}
	case isValue:
		return e.val
	case isStub:
		return v
	case undecided:
		m.option(st, k, func(_ *State, e *lazyEntry) { e.kind = isNil })
	}
	if e.typ.iface.NumMethods() == 0 {
		// An interface that takes any value gets a number, or text.
		str := m.types.of(types.Typ[types.String])
		num := m.types.of(types.Typ[types.Int])
		if m.allowed(e, str) {
			if !m.allowed(e, num) {
				return m.decideIface(st, k, str)
			}
			m.option(st, k, func(s *State, _ *lazyEntry) { m.decideIface(s, k, str) })
		}
		if m.allowed(e, num) {
			return m.decideIface(st, k, num)
		}
		panic(unsupported("an interface of an unusual dynamic type"))
	}
	n := 0
	if !m.isError(e.typ) {
		for _, it := range m.implementations(e.typ) {
			if n >= m.cfg.maxImplementations() || !m.allowed(e, it) {
				continue
			}
			n++
			m.option(st, k, func(s *State, _ *lazyEntry) { m.decideIface(s, k, it) })
		}
	}
	if !m.standsIn(e.typ) {
		panic(unsupported("a stand-in for an interface with methods that only another package can declare"))
	}
	e = st.lazies.edit(k)
	e.kind = isStub
	if e.iface == nil {
		e.iface = e.typ
	}
	return v
}

// standsIn reports whether a test of the package can declare a type with the methods of an interface. Nobody can
// for reflect.Type, whose methods that are not exported return what no stand-in has.
func (m *Machine) standsIn(t *Type) bool {
	for im := range t.iface.Methods() {
		if !im.Exported() && m.pkg != nil && im.Pkg() != m.pkg.Types {
			return false
		}
	}
	return true
}

func (m *Machine) allowed(e *lazyEntry, t *Type) bool {
	for _, x := range e.excluded {
		if x == t || x.Kind == KInterface && m.implements(t, x) {
			return false
		}
	}
	return true
}

// decideIface makes a lazy interface hold a fresh value of type t.
func (m *Machine) decideIface(st *State, k uint32, t *Type) [2]Value {
	name := st.lazies.at(k).name + ".(" + t.Name + ")"
	var cells []Value
	if t.Kind == KPointer {
		// An interface that holds a nil pointer is no useful input of a test. Where all paths are shown it has paths of its own (see resolveFor).
		id := m.newInput(st, t.Elem, name)
		cells = []Value{ptr(id, 0)}
	} else {
		cells = m.symbolic(st, t, name)
	}
	b := m.box(st, t, cells)
	e := st.lazies.edit(k)
	e.kind, e.val = isValue, [2]Value{b[0], b[1]}
	return e.val
}

// resolveFor decides a lazy interface before a type assertion: it holds a value of the asserted type, or has
// none of the types that the code asked for.
func (m *Machine) resolveFor(st *State, v [2]Value, from, to *Type) [2]Value {
	k := v[0].Lazy
	e := st.lazies.at(k)
	switch e.kind {
	case isNil:
		return [2]Value{}
	case isValue:
		return e.val
	case isStub:
		return v
	}
	for _, x := range e.excluded {
		if x == to || x.Kind == KInterface && to.Kind != KInterface && m.implements(to, x) {
			return v
		}
	}
	possible := true
	if to.Kind != KInterface && e.typ.iface.NumMethods() > 0 {
		possible = m.implements(to, e.typ)
	}
	if to.Kind == KInterface && e.typ.iface.NumMethods() > 0 && !types.Implements(to.Go, e.typ.iface) && !types.Implements(e.typ.Go, to.iface) {
		possible = false
	}
	exclude := func(e *lazyEntry) {
		e.excluded = append(e.excluded[:len(e.excluded):len(e.excluded)], to)
	}
	if !possible {
		exclude(st.lazies.edit(k))
		return v
	}
	// An error that is not nil stays an error: another value would not do what an error's own type promises.
	always := to.Kind == KInterface && e.typ.iface.NumMethods() > 0 && types.Implements(e.typ.Go, to.iface)
	switch {
	case !always:
		m.option(st, k, func(_ *State, e *lazyEntry) { exclude(e) })
	case e.kind == undecided:
		m.option(st, k, func(_ *State, e *lazyEntry) { e.kind = isNil })
	}
	if to.Kind != KInterface {
		if to.Kind == KPointer && m.cfg.Show {
			m.option(st, k, func(s *State, _ *lazyEntry) {
				b := m.box(s, to, []Value{{}})
				made := s.lazies.edit(k) // looked up once more, because making the box changes the state
				made.kind, made.val = isValue, [2]Value{b[0], b[1]}
			})
		}
		return m.decideIface(st, k, to)
	}
	e = st.lazies.edit(k)
	e.kind, e.iface = isStub, to
	if types.Implements(e.typ.Go, to.iface) {
		e.iface = e.typ
	}
	return v
}

// stubHas reports whether a lazy interface certainly has the type asked for.
func (m *Machine) stubHas(st *State, k uint32, to *Type) bool {
	e := st.lazies.at(k)
	if e.kind != isStub || to.Kind != KInterface {
		return false
	}
	return types.Implements(e.iface.Go, to.iface)
}

// implementations returns the types in reach that implement an interface, in the order in which package load
// names them.
func (m *Machine) implementations(t *Type) []*Type {
	if l, ok := m.implLists[t]; ok {
		return l
	}
	var out []*Type
	for _, g := range m.prog.Implementations(t.iface, m.pkg) {
		it := m.types.of(g)
		if m.constructible(it) {
			out = append(out, it)
		}
	}
	m.implLists[t] = out
	return out
}

// constructible reports whether an input of type t can be written field by field.
func (m *Machine) constructible(t *Type) bool {
	if t.Kind == KPointer {
		t = t.Elem
	}
	if t.Kind == KStruct {
		return !m.opaque(t)
	}
	return t.scalar() || t.Kind == KString
}

// maybeSame lets a lazy interface be equal to the value that it is compared with: an error input may be the
// sentinel that the code looks for.
func (m *Machine) maybeSame(st *State, v, other [2]Value) {
	e := st.lazies.at(v[0].Lazy)
	if e.kind != undecided && e.kind != notNil || other[0].Lazy != 0 || other[0].Bits == 0 {
		return
	}
	if m.sentinel(st, other) == nil {
		return
	}
	m.option(st, v[0].Lazy, func(_ *State, e *lazyEntry) { e.kind, e.val = isValue, other })
}

// sentinel finds the package-level variable that holds an interface value, if this value is a pointer. It
// returns nil if there is none.
func (m *Machine) sentinel(st *State, v [2]Value) *types.Var {
	t := m.types.all[v[0].Bits]
	if t == nil || t.Kind != KPointer || v[1].Bits == 0 {
		return nil
	}
	var found *globalVar
	for _, g := range m.byObj {
		if g.v == nil || g.typ.Kind != KInterface || g.obj == zeroBase {
			continue
		}
		if c := m.image[g.obj&^imageRegion].cells; c[0].Bits == v[0].Bits && c[1].Bits == v[1].Bits {
			if found == nil || g.obj < found.obj {
				found = g
			}
		}
	}
	if found == nil {
		return nil
	}
	return found.v
}
