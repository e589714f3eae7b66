package term

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// An Array is contents of unknown length: a function from 64-bit indexes to elements. Queries contain only
// the elements that were read.
type Array uint32

// A Table is an array of constants.
type Table uint32

type array struct {
	name string
	elem int
	leaf ID // the OpArray term
	sym  bool
}

type table struct {
	elem int
	lz   int // the leading zeros that every element has
	vals []uint64
}

// NewArray returns the array with this name and element width. It makes the array if it is new.
func (s *Store) NewArray(name string, elemWidth int) Array {
	checkWidth(elemWidth)
	k := varKey{name, uint32(elemWidth) | 1<<31}
	if t, ok := s.byName[k]; ok {
		return Array(s.at(t).a)
	}
	a := uint32(len(s.arrays))
	s.arrays = append(s.arrays, array{name: name, elem: elemWidth})
	t := s.intern(OpArray, uint32(elemWidth), a, 0, 0)
	s.arrays[a].leaf = t
	s.byName[k] = t
	return Array(a)
}

// Read returns the element of a at idx, which has 64 bits. At a constant index it is a leaf. At any other
// index it is a term, and the solver ensures that it equals the other reads of a at the same index.
func (s *Store) Read(a Array, idx ID) ID {
	if a == 0 || int(a) >= len(s.arrays) {
		panic("bug: read of no array")
	}
	if w := s.Width(idx); w != 64 {
		panic(fmt.Sprintf("bug: index of width %d", w))
	}
	w := uint32(s.arrays[a].elem)
	if s.at(idx).op == OpConst {
		return s.intern(OpElem, w, uint32(a), uint32(idx), 0)
	}
	s.arrays[a].sym = true
	return s.intern(OpRead, w, uint32(a), uint32(idx), 0)
}

// Symbolic reports whether a was ever read at an index that is not constant.
func (s *Store) Symbolic(a Array) bool { return s.arrays[a].sym }

// ArrayOf returns the array that an OpRead, OpElem or OpArray term belongs to.
func (s *Store) ArrayOf(t ID) Array {
	n := s.at(t)
	if n.op != OpRead && n.op != OpElem && n.op != OpArray {
		panic("bug: ArrayOf " + n.op.String())
	}
	return Array(n.a)
}

// ElemIndex returns the index of an OpElem term.
func (s *Store) ElemIndex(t ID) uint64 {
	n := s.at(t)
	if n.op != OpElem {
		panic("bug: ElemIndex of " + n.op.String())
	}
	v, _ := s.IsConst(ID(n.b))
	return v
}

// ArrayName returns the name of a.
func (s *Store) ArrayName(a Array) string { return s.arrays[a].name }

// ArrayTerm returns the term that stands for the whole array a in support sets.
func (s *Store) ArrayTerm(a Array) ID { return s.arrays[a].leaf }

// elemAt returns the leaf a[i] if it was made, and 0 otherwise.
func (s *Store) elemAt(a uint32, i uint64) ID {
	idx := s.find(OpConst, 64, 0, uint32(i), uint32(i>>32))
	if idx == 0 {
		return 0
	}
	return s.find(OpElem, uint32(s.arrays[a].elem), a, uint32(idx), 0)
}

// NewTable returns the table of these values, each truncated to elemWidth, at most 64.
// Equal tables are one.
func (s *Store) NewTable(elemWidth int, vals []uint64) Table {
	checkWidth(elemWidth)
	if elemWidth > 64 {
		panic("bug: table of elements above 64 bits")
	}
	key := make([]byte, 0, 8*len(vals)+8)
	key = binary.LittleEndian.AppendUint64(key, uint64(elemWidth))
	var all uint64
	own := make([]uint64, len(vals))
	for i, v := range vals {
		v &= Mask(elemWidth)
		own[i] = v
		all |= v
		key = binary.LittleEndian.AppendUint64(key, v)
	}
	if t, ok := s.tabKey[string(key)]; ok {
		return t
	}
	t := Table(len(s.tables))
	s.tables = append(s.tables, table{elem: elemWidth, lz: elemWidth - bits.Len64(all), vals: own})
	s.tabKey[string(key)] = t
	return t
}

// Lookup returns the element of t at idx. The index is unsigned and may have any width. Beyond the table the
// element is 0.
func (s *Store) Lookup(t Table, idx ID) ID {
	if t == 0 || int(t) >= len(s.tables) {
		panic("bug: lookup in no table")
	}
	n := s.at(idx)
	switch n.op {
	case OpConst:
		v := s.big(idx)
		if !v.IsUint64() {
			return s.zero(s.tables[t].elem)
		}
		return s.Const(s.tables[t].elem, s.tables[t].at(v.Uint64()))
	case OpZExt: // (lookup t (zext i)) => (lookup t i)
		return s.Lookup(t, ID(n.a))
	case OpIte: // (lookup t (ite c k1 k2)) => (ite c t[k1] t[k2])
		if s.at(ID(n.b)).op == OpConst && s.at(ID(n.c)).op == OpConst {
			return s.Ite(ID(n.a), s.Lookup(t, ID(n.b)), s.Lookup(t, ID(n.c)))
		}
	}
	return s.intern(OpLookup, uint32(s.tables[t].elem), uint32(t), uint32(idx), 0)
}

func (t *table) at(i uint64) uint64 {
	if i < uint64(len(t.vals)) {
		return t.vals[i]
	}
	return 0
}

// TableOf returns the table of an OpLookup term.
func (s *Store) TableOf(t ID) Table {
	n := s.at(t)
	if n.op != OpLookup {
		panic("bug: TableOf " + n.op.String())
	}
	return Table(n.a)
}

// TableVals returns the values of t, which the caller must not change.
func (s *Store) TableVals(t Table) []uint64 { return s.tables[t].vals }

// lookupIs rewrites lookup = k as a choice of indexes if only a few elements are k, and returns 0 otherwise.
func (s *Store) lookupIs(n *node, k ID) ID {
	v, _ := s.IsConst(k)
	if v == 0 { // indexes beyond the table would match, too
		return 0
	}
	idx := ID(n.b)
	w := s.Width(idx)
	r, found := False, 0
	for i, e := range s.tables[n.a].vals {
		if e != v || bitLen(uint64(i)) > w {
			continue
		}
		if found++; found > 4 {
			return 0
		}
		r = s.Or(r, s.Eq(idx, s.Const(w, uint64(i))))
	}
	return r
}
