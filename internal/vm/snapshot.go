package vm

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/goassay/assay/internal/term"
)

// Snapshot is the canonical form of the heap that can be reached from a value (Iosif, ASE 2002; Xie,
// Marinov, Schulte, Notkin, TACAS 2005): objects are numbered in the order in which a depth-first walk
// by fields meets them, so heaps that differ only in addresses have equal keys. Symbolic values are
// placeholders, numbered in the same way. The next Take reuses its buffers.
type Snapshot struct {
	// Key is equal for isomorphic heaps.
	Key []byte
	// Terms are the symbolic scalars for which the placeholders stand.
	Terms []term.ID
	// Arrays are the contents of text and slice inputs in the heap.
	Arrays []term.Array
	// Opaque is the reason why the heap cannot be compared, or "". If it is set, the key differs from every
	// other key.
	Opaque string

	m       *Machine
	st      *State
	objs    []numbered
	lazies  []uint32
	visited map[visit]bool
}

// numbered is an object with the cell at which it was met first. Addresses count from that cell, so a queue
// that has moved along its array looks like one that has not.
type numbered struct {
	id   ObjID
	base int
}

// visit is a place that was written.
type visit struct {
	obj ObjID
	off int
	typ *Type
	n   int
}

// Tags in keys.
const (
	tagNil byte = iota
	tagNumber
	tagTerm
	tagPointer
	tagGlobal
	tagLazy
	tagText
	tagTextInput
	tagTextCells
	tagSlice
	tagMap
	tagChan
	tagInterface
	tagFunc
	tagAgain
	tagHandles
	tagOpaque
)

// opaque is the panic value for values that a snapshot cannot write.
type opaque string

// Take makes the snapshot of the value that the driver's argument a would have in the state's next
// call.
func (s *Snapshot) Take(m *Machine, st *State, a DriverArg) {
	if s.visited == nil {
		s.visited = map[visit]bool{}
	}
	s.Key, s.Terms, s.Arrays, s.Opaque = s.Key[:0], s.Terms[:0], s.Arrays[:0], ""
	s.m, s.st, s.objs, s.lazies = m, st, s.objs[:0], s.lazies[:0]
	clear(s.visited)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case opaque:
			s.hide(string(r))
		case unsupported:
			s.hide(string(r))
		default:
			panic(r)
		}
	}()
	t := m.types.of(a.Type)
	s.cells(m.argument(st, a, 0), t)
	if st.heap.overlay != nil {
		s.globals()
	}
}

// Handles finds which of the objects that args point to can still be arguments. These are the parts of the
// heap, and in addition the last other object for which lone is true. It adds them to the snapshot and
// returns their args, in the order of their numbers.
func (s *Snapshot) Handles(args []DriverArg, lone func(DriverArg) bool) (out []DriverArg) {
	if s.Opaque != "" || len(args) == 0 {
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			o, ok := r.(opaque)
			if !ok {
				panic(r)
			}
			s.hide(string(o))
		}
	}()
	type handle struct {
		obj, off int
		arg      DriverArg
	}
	var found []handle
	var other *DriverArg
	for _, a := range args {
		v := s.m.argument(s.st, a, 0)[0]
		if v.Bits == 0 || v.Lazy != 0 || v.Term != 0 || v.obj() >= imageRegion {
			continue
		}
		i := slices.IndexFunc(s.objs, func(n numbered) bool { return n.id == v.obj() })
		switch {
		case i < 0:
			if lone(a) {
				other = &a
			}
		default:
			h := handle{i, v.off() - s.objs[i].base, a}
			if !slices.ContainsFunc(found, func(g handle) bool { return g.obj == h.obj && g.off == h.off }) {
				found = append(found, h)
			}
		}
	}
	slices.SortFunc(found, func(a, b handle) int { return cmp.Or(cmp.Compare(a.obj, b.obj), cmp.Compare(a.off, b.off)) })
	s.Key = append(s.Key, tagHandles)
	s.number(len(found))
	for _, h := range found {
		s.number(h.obj)
		s.number(h.off)
		out = append(out, h.arg)
	}
	if other != nil {
		s.cells(s.m.argument(s.st, *other, 0), s.m.types.of(other.Type))
		out = append(out, *other)
	}
	return out
}

// hide makes the key unique, so that it equals no other.
func (s *Snapshot) hide(why string) {
	s.Opaque = why
	s.Key = binary.AppendUvarint(append(s.Key, tagOpaque), uint64(s.st.id))
}

// globals writes the package's variables if the path has changed any of them.
func (s *Snapshot) globals() {
	var names []string
	for name, g := range s.m.globals {
		if g.v != nil && g.v.Pkg() != nil && g.v.Pkg().Path() == s.m.cfg.Package {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		g := s.m.globals[name]
		o := s.st.object(g.obj)
		if o.kind == objPoison || g.v.Name() == "init$guard" {
			continue
		}
		s.cells(o.cells, g.typ)
	}
}

func (s *Snapshot) number(n int) { s.Key = binary.AppendVarint(s.Key, int64(n)) }

// cells writes a value of type t.
func (s *Snapshot) cells(v []Value, t *Type) {
	switch t.Kind {
	case KString:
		s.text(v)
	case KSlice:
		s.slice(v, t)
	case KArray:
		n := t.Elem.Size
		for i := range t.Len {
			s.cells(v[i*n:(i+1)*n], t.Elem)
		}
	case KStruct:
		for _, f := range t.Fields {
			s.cells(v[f.Off:f.Off+f.Type.Size], f.Type)
		}
	case KPointer:
		s.pointer(v[0], t.Elem)
	case KMap:
		s.mapping(v[0], t)
	case KChan:
		s.channel(v[0], t)
	case KFunc:
		s.function(v[0])
	case KInterface:
		s.iface(v)
	default:
		for _, c := range v {
			s.scalar(c)
		}
	}
}

// TooLarge is Snapshot.Opaque of a heap that is larger than can be compared.
const TooLarge = "a heap too large to compare"

// maxKey is how many bytes a key may have.
const maxKey = 1 << 15

// scalar writes a number or a placeholder.
func (s *Snapshot) scalar(c Value) {
	switch {
	case len(s.Key) > maxKey:
		panic(opaque(TooLarge))
	case c.Lazy != 0:
		panic(opaque("a value that the machine could not compute"))
	case c.Term == 0:
		s.Key = binary.AppendUvarint(append(s.Key, tagNumber), c.Bits)
	default:
		i := slices.Index(s.Terms, c.Term)
		if i < 0 {
			i = len(s.Terms)
			s.Terms = append(s.Terms, c.Term)
		}
		s.Key = append(s.Key, tagTerm)
		s.number(i)
	}
}

// array writes the placeholder of an input's content.
func (s *Snapshot) array(a term.Array) {
	i := slices.Index(s.Arrays, a)
	if i < 0 {
		i = len(s.Arrays)
		s.Arrays = append(s.Arrays, a)
	}
	s.number(i)
}

// lazy resolves a lazily decided cell. The result ok is false if the cell stands for nil or is undecided, and
// lazy then writes this.
func (s *Snapshot) lazy(v Value) (r [2]Value, ok bool) {
	if v.Lazy == poison {
		panic(opaque("a value that the machine could not compute"))
	}
	e := s.st.lazies.at(v.Lazy)
	switch e.kind {
	case isNil:
		s.Key = append(s.Key, tagNil)
		return r, false
	case isValue:
		r = e.val
		r[0].Bits += v.Bits
		return r, true
	}
	if v.Bits != 0 || v.Term != 0 {
		panic(opaque("a part of something undecided"))
	}
	i := slices.Index(s.lazies, v.Lazy)
	if i < 0 {
		i = len(s.lazies)
		s.lazies = append(s.lazies, v.Lazy)
	}
	s.Key = append(s.Key, tagLazy, byte(e.kind))
	s.number(i)
	s.number(int(e.typ.ID))
	s.number(len(e.calls)) // the number matters because a stub answers only so often
	s.number(len(e.excluded))
	for _, t := range e.excluded {
		s.number(int(t.ID))
	}
	return r, false
}

// object writes in which object an address is, and at which place.
func (s *Snapshot) object(v Value) {
	if v.Term != 0 {
		panic(opaque("an address with a symbolic index"))
	}
	id := v.obj()
	if id >= imageRegion {
		s.Key = binary.AppendUvarint(append(s.Key, tagGlobal), v.Bits)
		return
	}
	i := slices.IndexFunc(s.objs, func(n numbered) bool { return n.id == id })
	if i < 0 {
		i = len(s.objs)
		s.objs = append(s.objs, numbered{id, v.off()})
	}
	s.Key = append(s.Key, tagPointer)
	s.number(i)
	s.number(v.off() - s.objs[i].base)
}

// once reports whether a place is met for the first time in the walk.
func (s *Snapshot) once(v visit) bool {
	if s.visited[v] {
		s.Key = append(s.Key, tagAgain)
		return false
	}
	s.visited[v] = true
	return true
}

func (s *Snapshot) pointer(v Value, elem *Type) {
	if v.Lazy != 0 {
		r, ok := s.lazy(v)
		if !ok {
			return
		}
		r[0].Term = v.Term
		v = r[0]
	}
	if v.Bits == 0 {
		s.Key = append(s.Key, tagNil)
		return
	}
	s.object(v)
	if elem.Size == 0 || v.obj() >= imageRegion && s.st.heap.overlay == nil || !s.once(visit{v.obj(), v.off(), elem, 0}) {
		return
	}
	o := s.st.object(v.obj())
	if o.kind != objCells || v.off()+elem.Size > len(o.cells) {
		panic(opaque("a pointer into an input"))
	}
	s.cells(o.cells[v.off():v.off()+elem.Size], elem)
}
