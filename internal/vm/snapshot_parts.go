package vm

import (
	"encoding/binary"
	"slices"
)

// This file writes the parts of snapshots that are more than cells: text, slices, maps, channels,
// functions and interfaces.

func (s *Snapshot) text(v []Value) {
	if v[0].Lazy != 0 {
		panic(opaque("a value that the machine could not compute"))
	}
	if str, ok := s.m.concreteString(s.st, v[0], v[1]); ok {
		s.Key = binary.AppendUvarint(append(s.Key, tagText), uint64(len(str)))
		s.Key = append(s.Key, str...)
		return
	}
	if v[0].Term != 0 {
		panic(opaque("text at a symbolic index"))
	}
	o := s.st.object(v[0].obj())
	switch {
	case o.kind == objLazy && o.lazy.has && len(o.lazy.log) == 0:
		s.Key = append(s.Key, tagTextInput)
		s.array(o.lazy.base)
		s.number(v[0].off())
		s.scalar(v[1])
	case o.kind == objCells && v[1].Term == 0:
		s.Key = append(s.Key, tagTextCells)
		s.scalar(v[1])
		for _, c := range o.cells[v[0].off() : v[0].off()+int(v[1].Bits)] {
			s.scalar(c)
		}
	default:
		panic(opaque("computed text"))
	}
}

func (s *Snapshot) slice(v []Value, t *Type) {
	base := v[0]
	s.Key = append(s.Key, tagSlice)
	if base.Lazy != 0 {
		if base.Lazy == poison {
			panic(opaque("a value that the machine could not compute"))
		}
		s.Key = append(s.Key, byte(s.st.lazies.at(base.Lazy).kind))
		base.Lazy = 0
	}
	s.scalar(v[1])
	s.scalar(v[2])
	if base.Bits == 0 {
		s.Key = append(s.Key, tagNil)
		return
	}
	s.object(base)
	size := t.Elem.Size
	if size == 0 || base.obj() >= imageRegion && s.st.heap.overlay == nil {
		return
	}
	o := s.st.object(base.obj())
	if o.kind == objLazy {
		s.inputSlice(base, o, t)
		return
	}
	if v[2].Term != 0 || o.kind != objCells {
		panic(opaque("a slice of an input"))
	}
	if !s.once(visit{base.obj(), base.off(), t, int(v[2].Bits)}) {
		return
	}
	at := base.off()
	for range v[2].Bits {
		s.cells(o.cells[at:at+size], t.Elem)
		at += size
	}
}

// inputSlice writes the content of a slice input.
func (s *Snapshot) inputSlice(base Value, o *Object, t *Type) {
	l := o.lazy
	if !l.has || len(l.parts) > 0 || len(l.log) > 16 {
		panic(opaque("a slice of an input"))
	}
	if !s.once(visit{base.obj(), 0, t, 0}) {
		return
	}
	s.array(l.base)
	s.number(base.off())
	s.number(len(l.log))
	for _, w := range l.log {
		s.scalar(w.index)
		s.scalar(w.val)
	}
}

func (s *Snapshot) mapping(v Value, t *Type) {
	if v.Lazy != 0 {
		r, ok := s.lazy(v)
		if !ok {
			return
		}
		v = r[0]
	}
	if v.Bits == 0 {
		s.Key = append(s.Key, tagNil)
		return
	}
	s.object(v)
	if v.obj() >= imageRegion && s.st.heap.overlay == nil || !s.once(visit{v.obj(), 0, t, 0}) {
		return
	}
	d := s.st.object(v.obj()).m
	if d.lazy {
		panic(opaque("a map that is an input"))
	}
	type keyed struct {
		key string
		e   mapEntry
	}
	var live []keyed
	known := true
	for _, e := range d.entries {
		if e.dead {
			continue
		}
		k, ok := s.m.concreteKey(s.st, t.Key, e.key)
		known = known && ok
		live = append(live, keyed{k, e})
	}
	if known { // the order of insertion cannot be observed
		slices.SortFunc(live, func(a, b keyed) int {
			if a.key < b.key {
				return -1
			}
			return 1
		})
	}
	s.Key = append(s.Key, tagMap)
	s.number(len(live))
	for _, k := range live {
		s.cells(k.e.key, t.Key)
		s.cells(k.e.val, t.Elem)
	}
}

func (s *Snapshot) channel(v Value, t *Type) {
	if v.Lazy != 0 {
		r, ok := s.lazy(v)
		if !ok {
			return
		}
		v = r[0]
	}
	if v.Bits == 0 {
		s.Key = append(s.Key, tagNil)
		return
	}
	s.object(v)
	if !s.once(visit{v.obj(), 0, t, 0}) {
		return
	}
	ch := s.st.object(v.obj()).ch
	if len(ch.recvq)+len(ch.sendq) > 0 {
		panic(opaque("a channel that a goroutine waits for"))
	}
	s.Key = append(s.Key, tagChan)
	s.number(ch.cap)
	s.Key = append(s.Key, byte(boolean(ch.closed).Bits))
	s.number(len(ch.buf))
	for _, b := range ch.buf {
		s.cells(b, t.Elem)
	}
}

func (s *Snapshot) function(v Value) {
	switch {
	case v.Lazy != 0:
		if r, ok := s.lazy(v); ok {
			s.function(r[0])
		}
	case v.Bits == 0:
		s.Key = append(s.Key, tagNil)
	case v.Bits&funcBit != 0:
		s.Key = binary.AppendUvarint(append(s.Key, tagFunc), v.Bits)
	default:
		s.object(v)
		if !s.once(visit{v.obj(), 0, nil, 0}) {
			return
		}
		cells := s.st.object(v.obj()).cells
		s.Key = binary.AppendUvarint(append(s.Key, tagFunc), cells[0].Bits)
		f := s.m.funcs[cells[0].Bits&^funcBit]
		at := 1
		for _, fv := range f.ssa.FreeVars {
			t := s.m.types.of(fv.Type())
			s.cells(cells[at:at+t.Size], t)
			at += t.Size
		}
		if at != len(cells) {
			panic(opaque("a bound method"))
		}
	}
}

func (s *Snapshot) iface(v []Value) {
	if v[0].Lazy != 0 {
		r, ok := s.lazy(v[0])
		if !ok {
			return
		}
		v = r[:]
	}
	if v[0].Bits == 0 {
		s.Key = append(s.Key, tagNil)
		return
	}
	t := s.m.types.all[v[0].Bits]
	s.Key = append(s.Key, tagInterface)
	s.number(int(t.ID))
	s.cells(s.m.unbox(s.st, t, v[1]), t)
}
