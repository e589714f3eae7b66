package vm

import (
	"encoding/binary"

	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
)

// mapData is the content of a map: entries in the order of insertion. For an input with symbolic content
// these are the entries that the path has looked at, and lazyLen says how many more there are.
type mapData struct {
	entries []mapEntry
	live    int            // entries that are not deleted
	index   map[string]int // the entry of each concrete key; built when the map is large enough
	// The fields for an input:
	lazy     bool
	lenTerm  term.ID   // the number of entries that the input had
	initial  int       // entries of the input that are known so far
	absent   [][]Value // keys that are known not to be in the input
	symbolic bool      // a key is symbolic, so the index alone does not find all keys
}

// mapEntry is an entry. The field from says that the entry was in the input, with value orig.
type mapEntry struct {
	key, val []Value
	dead     bool
	from     bool
	orig     []Value
}

// entryCells is the number of cells of an entry besides its key and value.
const entryCells = 8

// cells returns how many cells the entries take.
func (d *mapData) cells() int {
	n := 0
	for _, e := range d.entries {
		n += len(e.key) + len(e.val) + entryCells
	}
	return n
}

func (d *mapData) clone() *mapData {
	c := *d
	c.entries = append([]mapEntry(nil), d.entries...)
	c.index = nil
	c.absent = d.absent[:len(d.absent):len(d.absent)]
	return &c
}

// mapData3 is an instruction that looks up or updates an entry.
type mapData3 struct {
	m, key, val int32
	t           *Type
	commaOk     bool
}

func (m *Machine) doMakeMap(st *State, fr *Frame, ins *Instr) signal {
	m.limitMemory(st)
	fr.regs[ins.D] = ptr(st.newObject(&Object{kind: objMap, m: &mapData{}}), 0)
	return sigNext
}

// concreteKey encodes a key whose cells are all known, so that equal keys have equal encodings. The result ok
// is false for other keys, and for NaN, which equals nothing.
func (m *Machine) concreteKey(st *State, t *Type, key []Value) (string, bool) {
	var b []byte
	ok := m.appendKey(st, t, key, &b)
	return string(b), ok
}

func (m *Machine) appendKey(st *State, t *Type, key []Value, b *[]byte) bool {
	switch t.Kind {
	case KString:
		s, ok := m.concreteString(st, key[0], key[1])
		if !ok {
			return false
		}
		*b = binary.AppendUvarint(*b, uint64(len(s)))
		*b = append(*b, s...)
		return true
	case KFloat, KComplex:
		for _, c := range key {
			if c.Term != 0 || c.Lazy != 0 {
				return false
			}
			f := toFloat(c.Bits, t.Bits)
			if f != f {
				return false
			}
			if f == 0 {
				c.Bits = 0
			}
			*b = binary.LittleEndian.AppendUint64(*b, c.Bits)
		}
		return true
	case KInterface:
		if key[0].Lazy != 0 || key[1].Lazy != 0 || key[1].Term != 0 {
			return false
		}
		*b = binary.LittleEndian.AppendUint32(*b, uint32(key[0].Bits))
		if key[0].Bits == 0 {
			return true
		}
		dt := m.types.all[key[0].Bits]
		if !dt.comparable() {
			panic(goPanic{m.runtimeError("hash of unhashable type " + m.typeString(dt))})
		}
		return m.appendKey(st, dt, m.unbox(st, dt, key[1]), b)
	case KStruct:
		for _, f := range t.Fields {
			if !m.appendKey(st, f.Type, key[f.Off:f.Off+f.Type.Size], b) {
				return false
			}
		}
		return true
	case KArray:
		n := t.Elem.Size
		for i := range t.Len {
			if !m.appendKey(st, t.Elem, key[i*n:(i+1)*n], b) {
				return false
			}
		}
		return true
	}
	c := key[0]
	if c.Term != 0 || c.Lazy != 0 {
		return false
	}
	*b = binary.LittleEndian.AppendUint64(*b, c.Bits)
	return true
}

// find returns the index of the entry with a key, or -1. For symbolic keys it decides by forking whether they
// are equal, and begins with the newest entry.
func (m *Machine) find(st *State, t *Type, d *mapData, key []Value) int {
	k, concrete := m.concreteKey(st, t.Key, key)
	if concrete && !d.symbolic {
		if d.index == nil && len(d.entries) > 0 {
			d.index = make(map[string]int, len(d.entries))
			for i, e := range d.entries {
				if e.dead {
					continue
				}
				if ek, ok := m.concreteKey(st, t.Key, e.key); ok {
					d.index[ek] = i
				}
			}
		}
		if i, ok := d.index[k]; ok {
			return i
		}
		return -1
	}
	for i := range d.entries {
		if d.entries[i].dead {
			continue
		}
		if m.decide(st, m.equal(st, t.Key, t.Key, key, d.entries[i].key)) {
			return i
		}
	}
	return -1
}

// lookupInput finds out whether a key that is not among the known entries is in a symbolic input. It forks
// over the two answers, and notes the answer.
func (m *Machine) lookupInput(st *State, t *Type, id ObjID, key []Value) int {
	d := st.object(id).m
	if !d.lazy {
		return -1
	}
	for _, a := range d.absent {
		if m.decide(st, m.equal(st, t.Key, t.Key, key, a)) {
			return -1
		}
	}
	// A deleted entry of the input was there at first.
	for i := range d.entries {
		if d.entries[i].dead && d.entries[i].from {
			if m.decide(st, m.equal(st, t.Key, t.Key, key, d.entries[i].key)) {
				return -1
			}
		}
	}
	// Each lookup of another key has a variable for its answer. Afterwards the answer is in the entries
	// or in absent, so an instruction that is executed again does not ask again. The variable is named
	// by the map's input and the number of its known keys.
	has := m.ts.Var(1, m.inputName(st, id)+".has"+itoa(d.initial+len(d.absent)))
	if !m.branch(st, has) {
		st.mutable(id).m.absent = append(d.absent[:len(d.absent):len(d.absent)], append([]Value(nil), key...))
		return -1
	}
	m.assume(st, m.ts.Ult(m.ts.Const(64, uint64(d.initial)), d.lenTerm))
	return m.addInputEntry(st, t, id, key)
}

// addInputEntry adds an entry with a key and a fresh value to the known entries of a
// symbolic input.
func (m *Machine) addInputEntry(st *State, t *Type, id ObjID, key []Value) int {
	d := st.mutable(id).m
	val := m.symbolic(st, t.Elem, m.inputName(st, id)+"["+itoa(d.initial)+"]")
	d = st.mutable(id).m
	e := mapEntry{key: append([]Value(nil), key...), val: val, from: true, orig: append([]Value(nil), val...)}
	d.entries = append(d.entries, e)
	d.live++
	d.initial++
	d.index = nil
	if _, ok := m.concreteKey(st, t.Key, key); !ok {
		d.symbolic = true
	}
	return len(d.entries) - 1
}

// mapGet looks up a key. The value is nil if the key is absent.
func (m *Machine) mapGet(st *State, t *Type, ref Value, key []Value) []Value {
	ref = m.resolveRef(st, ref, t)
	if ref.Bits == 0 {
		m.concreteKey(st, t.Key, key) // a key that cannot be hashed still panics
		return nil
	}
	id := ref.obj()
	i := m.find(st, t, st.object(id).m, key)
	if i < 0 {
		i = m.lookupInput(st, t, id, key)
	}
	if i < 0 {
		return nil
	}
	return st.object(id).m.entries[i].val
}

func (m *Machine) doMapLookup(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*mapData3)
	n := d.t.Elem.Size
	v := m.mapGet(st, d.t, fr.regs[d.m], fr.regs[d.key:int(d.key)+d.t.Key.Size])
	out := fr.regs[ins.D : int(ins.D)+n]
	if v != nil || (n == 0 && v != nil) {
		copy(out, v)
	} else {
		clear(out)
	}
	if d.commaOk {
		fr.regs[int(ins.D)+n] = boolean(v != nil)
	}
	if m.cfg.Show && st.inTarget() {
		st.went(boolean(v != nil).Bits)
	}
	return sigNext
}

func (m *Machine) doMapUpdate(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*mapData3)
	m.mapSet(st, d.t, fr.regs[d.m], fr.regs[d.key:int(d.key)+d.t.Key.Size], fr.regs[d.val:int(d.val)+d.t.Elem.Size])
	return sigNext
}

// mapSet sets an entry.
func (m *Machine) mapSet(st *State, t *Type, ref Value, key, val []Value) {
	ref = m.resolveRef(st, ref, t)
	if ref.Bits == 0 {
		panic(goPanic{&panicRec{kind: "nil-map-write", runtime: true, message: "assignment to entry in nil map", site: -1}})
	}
	id := ref.obj()
	i := m.find(st, t, st.object(id).m, key)
	if i < 0 {
		i = m.lookupInput(st, t, id, key)
	}
	m.limitMemory(st)
	d := st.mutable(id).m
	if i >= 0 {
		d.entries[i].val = append(make([]Value, 0, len(val)), val...) // the value must not be nil, even if it has no cells
		return
	}
	d.entries = append(d.entries, mapEntry{key: append([]Value(nil), key...), val: append(make([]Value, 0, len(val)), val...)})
	d.live++
	st.heap.cells += len(key) + len(val) + entryCells
	if k, ok := m.concreteKey(st, t.Key, key); !ok {
		d.symbolic = true
	} else if d.index != nil {
		d.index[k] = len(d.entries) - 1
	}
}

// mapDelete removes an entry.
func (m *Machine) mapDelete(st *State, t *Type, ref Value, key []Value) {
	ref = m.resolveRef(st, ref, t)
	if ref.Bits == 0 {
		return
	}
	id := ref.obj()
	i := m.find(st, t, st.object(id).m, key)
	if i < 0 {
		i = m.lookupInput(st, t, id, key)
	}
	if i < 0 {
		return
	}
	d := st.mutable(id).m
	d.entries[i].dead = true
	d.live--
	d.index = nil
}

// mapClear removes all entries.
func (m *Machine) mapClear(st *State, t *Type, ref Value) {
	ref = m.resolveRef(st, ref, t)
	if ref.Bits == 0 {
		return
	}
	if st.object(ref.obj()).m.lazy {
		panic(unsupported("clear of a symbolic map"))
	}
	d := st.mutable(ref.obj()).m
	*d = mapData{}
}

// mapLen returns the length of a map.
func (m *Machine) mapLen(st *State, t *Type, ref Value) Value {
	ref = m.resolveRef(st, ref, t)
	if ref.Bits == 0 {
		return Value{}
	}
	d := st.object(ref.obj()).m
	if !d.lazy {
		return num(d.live)
	}
	return m.value(m.ts.Add(d.lenTerm, m.ts.Const(64, uint64(int64(d.live-d.initial)))))
}

// mostFreeKeys is how many entries of an input are there with keys that a path may choose before a loop comes to entries whose
// keys are given. The keys of a map differ from each other, so that with every key the solver has one more condition for each
// key before.
const mostFreeKeys = 6

// fillerKey returns the key of a type that stands for the i-th entry of a map in which only the number of entries matters, as
// in the maps that become tests. It returns false if the type has no such key.
func (m *Machine) fillerKey(t *Type, i int) ([]Value, bool) {
	key := make([]Value, t.Size)
	switch t.Kind {
	case KStruct:
		k := distinctive(t)
		if k < 0 {
			return nil, false
		}
		f := t.Fields[k]
		part, ok := m.fillerKey(f.Type, i)
		if ok {
			copy(key[f.Off:], part)
		}
		return key, ok
	case KArray:
		if t.Len == 0 {
			return nil, false
		}
		part, ok := m.fillerKey(t.Elem, i)
		copy(key, part)
		return key, ok
	}
	lit, ok := testcase.FillKey(t.Go, i)
	switch {
	case !ok:
		return nil, false
	case lit.Kind == testcase.LitString:
		return m.staticString(lit.Str), true
	}
	return []Value{{Bits: lit.Bits}}, true
}

// entryFrom returns the number of the first entry from i on, or -1: The known entries come first. A symbolic
// input then has further entries as long as its length allows.
func (m *Machine) entryFrom(st *State, t *Type, id ObjID, i int) int {
	d := st.object(id).m
	for i < len(d.entries) && d.entries[i].dead {
		i++
	}
	if i >= len(d.entries) {
		if !d.lazy || !m.branch(st, m.ts.Ult(m.ts.Const(64, uint64(d.initial)), d.lenTerm)) {
			return -1
		}
		key, plain := []Value(nil), false
		if d.initial >= mostFreeKeys {
			key, plain = m.fillerKey(t.Key, d.initial)
		}
		if !plain {
			key = m.symbolic(st, t.Key, m.inputName(st, id)+".key"+itoa(d.initial))
		}
		st.approx = st.approx || plain
		d = st.object(id).m
		var others [][]Value
		for k := range d.entries {
			others = append(others, d.entries[k].key)
		}
		others = append(others, d.absent...)
		for _, other := range others {
			c := m.differs(st, t.Key, key, other, len(others) == 1)
			m.assume(st, m.termOf(c, 1))
		}
		i = m.addInputEntry(st, t, id, key)
		d = st.object(id).m
	}
	if d.live > 1 {
		st.approx = true // the order in Go may be another one
	}
	return i
}

// differingBytes is within how many bytes two keys of an input map differ, if both are texts of the same length that is not known.
const differingBytes = 3

// differs returns the condition that a key which a loop over an input comes to is not another key of the input. Texts may
// not be compared by stringEq: it decides the lengths of both by forking, one after the other, and a loop over a map has
// so many pairs of keys that the paths would never end. The condition is then that the lengths or the first bytes differ.
// The path leaves out the maps in which two keys begin alike, so it counts as an approximation. For the first two keys
// it is decided as well whether both have one byte, because code that sorts the keys has short paths then.
func (m *Machine) differs(st *State, t *Type, x, y []Value, first bool) Value {
	switch {
	case t.Kind == KStruct:
		same := boolean(true)
		for _, f := range t.Fields {
			if f.Name != "_" {
				d := m.differs(st, f.Type, x[f.Off:f.Off+f.Type.Size], y[f.Off:f.Off+f.Type.Size], first)
				same = m.and(same, m.not(d))
			}
		}
		return m.not(same)
	case t.Kind != KString, !m.isLazyText(st, x), !m.isLazyText(st, y):
		return m.not(m.equal(st, t, t, x, y))
	case x[0] == y[0] && x[1] == y[1]:
		return boolean(false)
	}
	if n := m.termOf(x[1], 64); first {
		if !m.branch(st, m.ts.Eq(n, m.termOf(y[1], 64))) {
			return boolean(true)
		}
		if m.branch(st, m.ts.Eq(n, m.ts.Const(64, 1))) {
			return m.not(m.bytesEq(st, x[0], y[0], 1))
		}
	}
	st.approx = true
	return m.not(m.value(m.beginAlike(st, x, y, differingBytes)))
}

// nextEntry advances an iterator over a map.
func (m *Machine) nextEntry(st *State, fr *Frame, nd *nextData, it ObjID, dst int32) signal {
	o := st.object(it)
	i := int(o.cells[0].Bits)
	ref := o.cells[1]
	if ref.Bits != 0 {
		i = m.entryFrom(st, nd.of, ref.obj(), i)
	}
	if ref.Bits == 0 || i < 0 {
		clear(fr.regs[dst : int(dst)+nd.tuple.Size])
		return sigNext
	}
	d := st.object(ref.obj()).m
	st.mutable(it).cells[0] = num(i + 1)
	e := d.entries[i]
	fr.regs[dst] = boolean(true)
	at := int(dst) + 1
	if f := nd.tuple.Fields[1]; f.Type != nil {
		copy(fr.regs[at:], e.key)
		at += f.Type.Size
	}
	if f := nd.tuple.Fields[2]; f.Type != nil {
		copy(fr.regs[at:], e.val)
	}
	return sigNext
}
