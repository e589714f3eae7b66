package vm

import "go/types"

// This file has reflection on maps and channels.

// reflectMap makes the functions on maps.
func reflectMap(name string) intrinsic {
	return func(m *Machine, st *State, c *call) ([]Value, signal) {
		a := c.args
		load := func(t *Type, p Value) []Value {
			v := make([]Value, t.Size)
			if t.Size > 0 {
				m.load(st, p, t, v)
			}
			return v
		}
		switch name {
		case "maplen":
			if a[0].Lazy != 0 {
				panic(unsupported("reflection on a map that may be nil"))
			}
			return []Value{m.mapLen(st, nil, a[0])}, sigNext
		case "makemap":
			m.limitMemory(st)
			return []Value{ptr(st.newObject(&Object{kind: objMap, m: &mapData{}}), 0)}, sigNext
		case "mapIterStart":
			return nil, m.reflectIter(st, m.typeOf(a[0]), a[1], a[2], true)
		case "mapIterNext":
			return nil, m.reflectIter(st, nil, Value{}, a[0], false)
		}
		t := m.typeOf(a[0])
		switch name {
		case "mapclear":
			m.mapClear(st, t, a[1])
			return nil, sigNext
		case "mapdelete":
			m.mapDelete(st, t, a[1], load(t.Key, a[2]))
			return nil, sigNext
		case "mapdelete_faststr":
			m.mapDelete(st, t, a[1], a[2:4])
			return nil, sigNext
		case "mapassign0":
			m.mapSet(st, t, a[1], load(t.Key, a[2]), load(t.Elem, a[3]))
			return nil, sigNext
		case "mapassign_faststr0":
			m.mapSet(st, t, a[1], a[2:4], load(t.Elem, a[4]))
			return nil, sigNext
		}
		key := a[2:]
		if name == "mapaccess" {
			key = load(t.Key, a[2])
		}
		v := m.mapGet(st, t, a[1], key[:t.Key.Size])
		if v == nil {
			return []Value{{}}, sigNext
		}
		return []Value{m.boxed(st, t.Elem, v)}, sigNext
	}
}

// boxed returns the address of a new variable that holds v.
func (m *Machine) boxed(st *State, t *Type, v []Value) Value {
	p := ptr(m.newVariable(st, t), 0)
	if t.Size > 0 {
		m.store(st, p, t, v)
	}
	return p
}

// reflectIter starts or advances the iterator at it, a maps.Iter of package internal/runtime/maps, whose
// fields key, elem and typ are as in a real process. The field entryIdx has the number of the next entry.
func (m *Machine) reflectIter(st *State, t *Type, ref, it Value, start bool) signal {
	lay := m.sourceType("internal/runtime/maps", "Iter")
	field := func(name string) Value {
		p := it
		p.Bits += uint64(lay.field(name).Off)
		return p
	}
	one := func(name string) Value {
		var v [1]Value
		f := lay.field(name)
		m.load(st, field(name), f.Type, v[:])
		return v[0]
	}
	set := func(name string, v Value) { m.store(st, field(name), lay.field(name).Type, []Value{v}) }
	if start {
		set("typ", m.descriptor(t))
		set("m", m.resolveRef(st, ref, t))
	} else {
		t, ref = m.typeOf(one("typ")), one("m")
	}
	i := -1
	if ref.Bits != 0 {
		i = m.entryFrom(st, t, ref.obj(), int(one("entryIdx").Bits))
	}
	if i < 0 {
		set("key", Value{})
		set("elem", Value{})
		return sigNext
	}
	e := st.object(ref.obj()).m.entries[i]
	set("key", m.boxed(st, t.Key, e.key))
	set("elem", m.boxed(st, t.Elem, e.val))
	set("entryIdx", num(i+1))
	return sigNext
}

// reflectChan makes the functions on channels. A channel's object knows its element
// type.
func reflectChan(name string) intrinsic {
	return func(m *Machine, st *State, c *call) ([]Value, signal) {
		a := c.args
		if name == "makechan" {
			t := m.typeOf(a[0])
			n := m.concretize(st, a[1], 64)
			return []Value{ptr(st.newObject(&Object{kind: objChan, elem: t.Elem, ch: &chanData{cap: int(n)}}), 0)}, sigNext
		}
		id := m.known(a[0]).obj()
		if a[0].Lazy != 0 {
			panic(unsupported("reflection on a channel that may be nil"))
		}
		if id == 0 {
			switch name {
			case "chanlen", "chancap":
				return []Value{{}}, sigNext
			}
			panic(unsupported("reflection on a nil channel"))
		}
		o := st.object(id)
		switch name {
		case "chanlen":
			return []Value{num(len(o.ch.buf))}, sigNext
		case "chancap":
			return []Value{num(o.ch.cap)}, sigNext
		}
		t := o.elem
		if t == nil {
			panic(unsupported("reflection on a channel of unknown type"))
		}
		switch name {
		case "chanclose":
			m.closeChan(st, a[0], m.types.of(types.NewChan(types.SendRecv, t.Go)))
			return nil, sigNext
		case "chansend0":
			return m.reflectSend(st, id, t, a[1], a[2].Bits != 0)
		}
		return m.reflectRecv(st, id, t, a[2], a[1].Bits != 0)
	}
}

func (m *Machine) reflectSend(st *State, id ObjID, t *Type, p Value, nonblocking bool) ([]Value, signal) {
	if w := st.woken(); w != nil {
		if w.closed {
			panic(goPanic{&panicRec{kind: "closed-channel", runtime: true, message: "send on closed channel", site: -1}})
		}
		return []Value{{Bits: 1}}, sigNext
	}
	val := make([]Value, t.Size)
	if t.Size > 0 {
		m.load(st, p, t, val)
	}
	if m.trySend(st, id, val) {
		return []Value{{Bits: 1}}, sigNext
	}
	if nonblocking {
		return []Value{{}}, sigNext
	}
	sig := st.block()
	ch := st.mutable(id).ch
	ch.sendq = st.enqueue(ch.sendq, waiter{g: st.cur, seq: st.g().seq, val: val})
	return nil, sig
}

func (m *Machine) reflectRecv(st *State, id ObjID, t *Type, p Value, nonblocking bool) ([]Value, signal) {
	give := func(val []Value, ok bool) ([]Value, signal) {
		if val == nil {
			val = make([]Value, t.Size)
		}
		m.store(st, p, t, val)
		return []Value{{Bits: 1}, boolean(ok)}, sigNext
	}
	if w := st.woken(); w != nil {
		return give(w.val, w.ok)
	}
	if val, ok, done := m.tryRecv(st, id, t.Size); done {
		return give(val, ok)
	}
	if nonblocking {
		return make([]Value, 2), sigNext
	}
	sig := st.block()
	ch := st.mutable(id).ch
	ch.recvq = st.enqueue(ch.recvq, waiter{g: st.cur, seq: st.g().seq})
	return nil, sig
}
