package term

import (
	"math/big"
	"slices"
)

// A Model assigns values to leaves. A leaf without a value reads as 0. The value of a symbolic read is that
// of the element at the index's value, so reads at equal indexes agree.
type Model struct {
	st      *Store
	vals    []uint64 // by leaf number
	has     []uint64 // bit set by leaf number
	wide    map[ID]*big.Int
	version uint32 // changes with every Set, for the evaluator's memory
}

// NewModel returns an empty model.
func (s *Store) NewModel() *Model { return &Model{st: s} }

// Clone returns a copy.
func (m *Model) Clone() *Model {
	c := &Model{st: m.st, vals: slices.Clone(m.vals), has: slices.Clone(m.has)}
	if m.wide != nil {
		c.wide = make(map[ID]*big.Int, len(m.wide))
		for k, v := range m.wide {
			c.wide[k] = v
		}
	}
	return c
}

// Size returns how many words of memory m takes, approximately.
func (m *Model) Size() int { return len(m.vals) + len(m.has) + 8*len(m.wide) + 8 }

// Get returns the value of a leaf of at most 64 bits, or 0 if it has none.
func (m *Model) Get(leaf ID) uint64 {
	i := m.st.LeafNum(leaf)
	if i >= len(m.vals) {
		return 0
	}
	return m.vals[i]
}

// Has reports whether the leaf was given a value.
func (m *Model) Has(leaf ID) bool {
	i := m.st.LeafNum(leaf)
	return i < len(m.vals) && m.has[i/64]>>(i%64)&1 != 0
}

// Set gives a leaf of at most 64 bits a value.
func (m *Model) Set(leaf ID, v uint64) {
	n := m.st.at(leaf)
	if n.width > 64 {
		m.SetBig(leaf, new(big.Int).SetUint64(v))
		return
	}
	i := m.st.LeafNum(leaf)
	m.reserve(i)
	m.vals[i] = v & Mask(int(n.width))
	m.has[i/64] |= 1 << (i % 64)
	m.version++
}

func (m *Model) reserve(i int) {
	if i >= len(m.vals) {
		n := max(i+1, min(2*len(m.vals), m.st.Leaves()))
		m.vals = append(m.vals, make([]uint64, n-len(m.vals))...)
		m.has = append(m.has, make([]uint64, (n+63)/64-len(m.has))...)
	}
}

// GetBig returns the value of a leaf of any width.
func (m *Model) GetBig(leaf ID) *big.Int {
	if m.st.Width(leaf) <= 64 {
		return new(big.Int).SetUint64(m.Get(leaf))
	}
	if v := m.wide[leaf]; v != nil {
		return v
	}
	return new(big.Int)
}

// SetBig gives a leaf of any width a value.
func (m *Model) SetBig(leaf ID, v *big.Int) {
	w := m.st.Width(leaf)
	v = truncBig(v, w)
	if w <= 64 {
		m.Set(leaf, v.Uint64())
		return
	}
	if m.wide == nil {
		m.wide = map[ID]*big.Int{}
	}
	m.wide[leaf] = new(big.Int).Set(v)
	i := m.st.LeafNum(leaf)
	m.reserve(i)
	m.has[i/64] |= 1 << (i % 64)
	m.version++
}
