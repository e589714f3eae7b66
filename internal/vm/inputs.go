package vm

import (
	"go/types"
	"strconv"

	"github.com/goassay/assay/internal/term"
)

// Inputs are made lazily (Khurshid, Pasareanu, Visser, TACAS 2003). A pointer, map, channel, function
// or interface of an input is a number in the state's lazyTable until an instruction needs its value;
// then the state forks over the possible values. Text and slices are arrays of symbolic length whose
// elements are made when they are touched.

// maxLen bounds the length of an input's text and slices. This is no limit of the model, because a process
// cannot hold more.
const maxLen = 1 << 32

// lazyKind says how a lazy input was decided.
type lazyKind uint8

const (
	undecided lazyKind = iota
	isNil
	isValue // val
	isStub  // a scripted function or implementation of iface
	notNil  // an interface or slice that is not nil; nothing else is known yet
)

// lazyEntry is a lazily decided input.
type lazyEntry struct {
	name     string
	typ      *Type // static type of the place
	kind     lazyKind
	val      [2]Value
	iface    *Type   // the interface that the stub implements
	excluded []*Type // types that the interface's dynamic type is not
	calls    []stubCall
	length   Value // the length of a slice
}

// stubCall is a call of a stub by the code, with the results that it returned.
type stubCall struct {
	method string
	result *Type // tuple
	cells  []Value
}

// lazyTable is the state's lazy inputs; entry 0 is not used.
type lazyTable struct {
	entries []lazyEntry
	shared  bool
}

func (t *lazyTable) fork() lazyTable { t.shared = true; return *t }

func (t *lazyTable) add(e lazyEntry) uint32 {
	t.own(1)
	if len(t.entries) == 0 {
		t.entries = append(t.entries, lazyEntry{})
	}
	t.entries = append(t.entries, e)
	return uint32(len(t.entries) - 1)
}

func (t *lazyTable) own(more int) {
	if t.shared {
		t.entries = append(make([]lazyEntry, 0, len(t.entries)+more), t.entries...)
		t.shared = false
	}
}

func (t *lazyTable) at(k uint32) *lazyEntry { return &t.entries[k] }

func (t *lazyTable) edit(k uint32) *lazyEntry {
	t.own(1)
	return &t.entries[k]
}

// inputObject is an object that belongs to an input, with its initial content.
type inputObject struct {
	id      ObjID
	name    string
	elem    *Type // type of the variable, or of an array's elements
	initial []Value
	array   bool // the content of the array is lazy
	text    bool // the array belongs to a string
	length  Value
	isMap   bool
	typ     *Type      // of a map or channel
	elems   []lazyElem // for an array whose elements are objects: the elements that were used
}

func itoa(n int) string { return strconv.Itoa(n) }

// symbolic makes the cells of a fresh symbolic value of type t.
func (m *Machine) symbolic(st *State, t *Type, name string) []Value {
	out := make([]Value, t.Size)
	m.symbolicInto(st, t, name, out)
	return out
}

func (m *Machine) symbolicInto(st *State, t *Type, name string, out []Value) {
	switch t.Kind {
	case KBool, KInt, KUint, KFloat:
		out[0] = Value{Term: m.ts.Var(t.width(), name)}
		st.leaves = append(st.leaves[:len(st.leaves):len(st.leaves)], leaf{out[0].Term, t})
	case KComplex:
		out[0] = Value{Term: m.ts.Var(int(t.Bits), name+".re")}
		out[1] = Value{Term: m.ts.Var(int(t.Bits), name+".im")}
	case KString:
		if n := m.wantedLength(st, m.byteType, name); n > 0 {
			copy(out, m.short(st, t, name, n))
			return
		}
		p, n := m.symbolicArray(st, m.byteType, name, true)
		out[0], out[1] = p, n
	case KSlice:
		if n := m.wantedLength(st, t.Elem, name); n > 0 {
			copy(out, m.short(st, t, name, n))
			return
		}
		p, n := m.symbolicArray(st, t.Elem, name, false)
		p.Lazy = st.lazies.add(lazyEntry{name: name, typ: t, length: n})
		out[0], out[1], out[2] = p, n, n
	case KArray:
		for i := range t.Len {
			m.symbolicInto(st, t.Elem, name+"["+itoa(i)+"]", out[i*t.Elem.Size:(i+1)*t.Elem.Size])
		}
	case KStruct:
		if isTime(t) {
			m.symbolicTime(st, name, out)
			return
		}
		if m.opaque(t) {
			return // the zero value
		}
		for _, f := range t.Fields {
			m.symbolicInto(st, f.Type, name+"."+f.Name, out[f.Off:f.Off+f.Type.Size])
		}
	case KPointer, KMap, KChan, KInterface, KFunc:
		out[0] = Value{Lazy: st.lazies.add(lazyEntry{name: name, typ: t})}
	case KUnsafePointer:
	default:
		panic(unsupported("input of type " + t.Name))
	}
}

// opaque reports whether values of a struct type cannot be made field by field, because that might break
// invariants of its package. Such a type has unexported fields and is exported, or belongs to another
// package. The input is then the zero value.
func (m *Machine) opaque(t *Type) bool {
	n, ok := types.Unalias(t.Go).(*types.Named)
	if !ok {
		return false
	}
	if n.Obj().Pkg() == nil {
		return false
	}
	foreign := n.Obj().Pkg().Path() != m.cfg.Package
	if !foreign && (m.anyFields || !n.Obj().Exported()) {
		return false
	}
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		if !s.Field(i).Exported() {
			return true
		}
	}
	return false
}

// symbolicArray makes an array object of symbolic length.
func (m *Machine) symbolicArray(st *State, elem *Type, name string, text bool) (p, n Value) {
	length := m.ts.Var(64, name+".len")
	n = Value{Term: length}
	m.assume(st, m.ts.Ult(length, m.ts.Const(64, maxLen)))
	l := &lazyArray{}
	if elem.scalar() {
		l.width = elem.width()
		l.has = true
		l.base = m.inputArray(name, l.width)
	}
	id := st.newObject(&Object{kind: objLazy, lazy: l, elem: elem})
	o := st.mutable(id)
	st.objects = append(st.objects[:len(st.objects):len(st.objects)], inputObject{id: id, name: name, elem: elem, array: true, text: text, length: n})
	o.input = uint32(len(st.objects))
	st.leaves = append(st.leaves[:len(st.leaves):len(st.leaves)], leaf{length, nil})
	return ptr(id, 0), n
}

// inputArray is the content of the input named name, of elements of w bits; the same name and width give the
// same array on all paths, and in all machines that share a term store.
func (m *Machine) inputArray(name string, w int) term.Array { return m.ts.NewArray(name, w) }

// inputName names the input that an object came from.
func (m *Machine) inputName(st *State, id ObjID) string {
	if n := st.object(id).input; n > 0 {
		return st.objects[n-1].name
	}
	return "obj" + itoa(int(id))
}

// newInput allocates an input object with symbolic content.
//
// As in Go's runtime, all variables of size zero are one, so that pointers to two of them are equal.
func (m *Machine) newInput(st *State, t *Type, name string) ObjID {
	if t.Size == 0 {
		return zeroBase
	}
	m.limitMemory(st)
	cells := m.symbolic(st, t, name)
	elem := t
	if t.Kind == KArray {
		elem = t.Elem
	}
	id := st.newObject(&Object{cells: cells, elem: elem})
	st.objects = append(st.objects[:len(st.objects):len(st.objects)], inputObject{id: id, name: name, elem: t, initial: append([]Value(nil), cells...)})
	st.mutable(id).input = uint32(len(st.objects))
	return id
}

// option forks off a state in which a lazy input has another value.
func (m *Machine) option(st *State, k uint32, set func(*State, *lazyEntry)) {
	sib := m.fork(st)
	set(sib, sib.lazies.edit(k))
	m.push(sib)
}

// maxAlias is how many earlier inputs of the same type a pointer may be equal to.
const maxAlias = 1

// resolvePointer decides a lazy pointer: it points to a fresh object, is nil, or equals an earlier input of
// the same type.
func (m *Machine) resolvePointer(st *State, v Value, _ *Type) Value {
	m.known(v)
	if v.Lazy == 0 {
		return v
	}
	k := v.Lazy
	e := st.lazies.at(k)
	rest := func(r Value) Value { return Value{Bits: r.Bits + v.Bits, Term: v.Term} }
	switch e.kind {
	case isNil:
		return Value{}
	case isValue:
		return rest(e.val[0])
	}
	elem := e.typ.Elem
	m.option(st, k, func(_ *State, e *lazyEntry) { e.kind = isNil })
	if elem.Kind == KStruct || m.cfg.Show { // who wants to see every path wants to see that two numbers are one
		aliases := 0
		for i := len(st.objects) - 1; i >= 0 && aliases < maxAlias; i-- {
			o := st.objects[i]
			if !o.array && !o.isMap && o.elem == elem {
				aliases++
				id := o.id
				m.option(st, k, func(_ *State, e *lazyEntry) { e.kind, e.val[0] = isValue, ptr(id, 0) })
			}
		}
	}
	id := m.newInput(st, elem, "*"+e.name)
	e = st.lazies.edit(k)
	e.kind, e.val[0] = isValue, ptr(id, 0)
	return rest(e.val[0])
}

// resolveRef decides a lazy map or channel: it is nil, or a fresh object.
func (m *Machine) resolveRef(st *State, v Value, t *Type) Value {
	m.known(v)
	if v.Lazy == 0 {
		return v
	}
	k := v.Lazy
	e := st.lazies.at(k)
	switch e.kind {
	case isNil:
		return Value{}
	case isValue:
		return e.val[0]
	}
	m.option(st, k, func(_ *State, e *lazyEntry) { e.kind = isNil })
	name := e.name
	var id ObjID
	if t.Kind == KMap {
		length := m.ts.Var(64, name+".len")
		id = st.newObject(&Object{kind: objMap, m: &mapData{lazy: true, lenTerm: length}})
		st.objects = append(st.objects[:len(st.objects):len(st.objects)], inputObject{id: id, name: name, isMap: true, typ: t, length: Value{Term: length}})
		st.mutable(id).input = uint32(len(st.objects))
		st.leaves = append(st.leaves[:len(st.leaves):len(st.leaves)], leaf{length, nil})
		m.assume(st, m.ts.Ult(length, m.ts.Const(64, maxLen)))
	} else {
		// The channel is buffered and has two elements. It is closed if the code can only receive from it.
		ch := &chanData{cap: chanRoom}
		recvOnly := false
		if c, ok := t.Go.Underlying().(*types.Chan); ok && c.Dir() != types.SendOnly {
			recvOnly = c.Dir() == types.RecvOnly
			for i := range chanFill {
				ch.buf = append(ch.buf, m.symbolic(st, t.Elem, name+".item"+itoa(i)))
			}
		}
		ch.closed = recvOnly
		id = st.newObject(&Object{kind: objChan, elem: t.Elem, ch: ch})
		o := inputObject{id: id, name: name, typ: t}
		for _, b := range ch.buf {
			o.initial = append(o.initial, b...)
		}
		st.objects = append(st.objects[:len(st.objects):len(st.objects)], o)
		st.mutable(id).input = uint32(len(st.objects))
	}
	e = st.lazies.edit(k)
	e.kind, e.val[0] = isValue, ptr(id, 0)
	return e.val[0]
}

// A channel input holds chanFill elements in a buffer with room for chanRoom.
const (
	chanFill = 2
	chanRoom = 8
)

// resolveFunc decides a lazy function: it is nil, or a stub. The value of a stub stays lazy.
func (m *Machine) resolveFunc(st *State, v Value, _ *Type) Value {
	m.known(v)
	if v.Lazy == 0 {
		return v
	}
	e := st.lazies.at(v.Lazy)
	switch e.kind {
	case isNil:
		return Value{}
	case isStub:
		return v
	}
	m.option(st, v.Lazy, func(_ *State, e *lazyEntry) { e.kind = isNil })
	st.lazies.edit(v.Lazy).kind = isStub
	return v
}

// resolveSlicePtr returns the pointer of a slice. The slice may be nil or not.
func (m *Machine) resolveSlicePtr(_ *State, v Value) Value {
	m.known(v)
	v.Lazy = 0
	return v
}

// sliceIsNil decides whether a slice is nil.
func (m *Machine) sliceIsNil(st *State, v []Value) Value {
	m.known(v[0])
	k := v[0].Lazy
	if k == 0 {
		return boolean(v[0].Bits == 0)
	}
	e := st.lazies.at(k)
	switch e.kind {
	case isNil:
		return boolean(true)
	case notNil:
		return boolean(false)
	}
	empty := m.eqNum(e.length, Value{}, 64)
	if !m.decide(st, empty) {
		st.lazies.edit(k).kind = notNil
		return boolean(false)
	}
	m.option(st, k, func(_ *State, e *lazyEntry) { e.kind = notNil })
	st.lazies.edit(k).kind = isNil
	return boolean(true)
}

// equalLazy compares two pointer cells, one of which is lazy.
func (m *Machine) equalLazy(st *State, a, b Value) Value {
	res := func(v Value) Value {
		if v.Lazy == 0 {
			return v
		}
		switch t := st.lazies.at(v.Lazy).typ; t.Kind {
		case KPointer:
			return m.resolvePointer(st, v, t.Elem)
		case KMap, KChan:
			return m.resolveRef(st, v, t)
		}
		panic(unsupported("comparison of a lazy input"))
	}
	if a.Lazy == b.Lazy && a.Bits == b.Bits && a.Term == b.Term {
		return boolean(true)
	}
	a, b = res(a), res(b)
	return m.equalCells(st, a, b, 64)
}

// stubCall answers a call of a stub with fresh symbolic results.
func (m *Machine) stubCall(st *State, c callee, result *Type, give func([]Value)) {
	e := st.lazies.at(c.stub)
	if e.iface != nil && c.stubMethod == "Error" && m.isError(e.iface) {
		give(m.newString(st, stubError))
		return
	}
	n := 0
	for _, k := range e.calls {
		if k.method == c.stubMethod {
			n++
		}
	}
	if n >= m.cfg.maxStubCalls() {
		panic(pathEnd{StopBudget, "a stub that is called again and again"})
	}
	name := e.name + "." + c.stubMethod + "#" + itoa(n)
	var cells []Value
	for _, f := range result.Fields {
		cells = append(cells, m.symbolic(st, f.Type, name+"."+itoa(f.Off))...)
	}
	e = st.lazies.edit(c.stub)
	e.calls = append(e.calls[:len(e.calls):len(e.calls)], stubCall{c.stubMethod, result, cells})
	give(cells)
}

// stubError is the text of an error input.
const stubError = "boom"

func (m *Machine) isError(t *Type) bool {
	return t.iface != nil && t.iface.NumMethods() == 1 && t.iface.Method(0).Name() == "Error"
}

// lazyElem finds the object that holds element i of an input slice whose elements cannot be terms. The object
// is made when the element is first used.
func (m *Machine) lazyElem(st *State, array ObjID, i int64) ObjID {
	o := st.object(array)
	for _, e := range o.lazy.elems {
		if e.index == i {
			return e.cells
		}
	}
	name := m.inputName(st, array) + "[" + strconv.FormatInt(i, 10) + "]"
	id := m.newInput(st, o.elem, name)
	l := st.mutable(array).lazy
	l.elems = append(l.elems[:len(l.elems):len(l.elems)], lazyElem{i, id})
	if n := st.object(array).input; n > 0 {
		rec := st.objects[n-1]
		rec.elems = append(rec.elems[:len(rec.elems):len(rec.elems)], lazyElem{i, id})
		st.objects = append([]inputObject(nil), st.objects...)
		st.objects[n-1] = rec
	}
	return id
}

// loadLazyElem reads from such an element.
func (m *Machine) loadLazyElem(st *State, o *Object, p Value, t *Type, out []Value) {
	size := o.elem.Size
	e := m.lazyElem(st, p.obj(), int64(p.off()/size))
	m.load(st, ptr(e, p.off()%size), t, out)
}

// inElem returns the address of the same cell in the object of such an element, if p is an address in a slice
// with such elements. A slice of an array in the object may become text, which is read cell by cell.
func (m *Machine) inElem(st *State, p Value) Value {
	if o := st.object(p.obj()); o.kind != objLazy || !o.lazy.hasElems() {
		return p
	}
	p = m.concretePointer(st, p)
	size := st.object(p.obj()).elem.Size
	if size == 0 {
		return p
	}
	return ptr(m.lazyElem(st, p.obj(), int64(p.off()/size)), p.off()%size)
}

// storeLazyElem writes into such an element.
func (m *Machine) storeLazyElem(st *State, o *Object, p Value, val []Value) {
	size := o.elem.Size
	e := m.lazyElem(st, p.obj(), int64(p.off()/size))
	m.store(st, ptr(e, p.off()%size), o.elem, val)
}
