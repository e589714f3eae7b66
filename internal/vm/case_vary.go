package vm

import "github.com/goassay/assay/internal/term"

// maxVaried is the greatest number that Vary gives an input.
const maxVaried = 9

// Vary changes the solution of a path so that its integers are small, different and not zero, if the
// path leaves that open. A test that puts 1 and 2 into a container notices faults that a test with 0
// and 0 cannot. The user's preferences are kept.
func (m *Machine) Vary(p *Path, s *Solution) {
	st := p.State
	var ints []leaf
	for _, l := range st.leaves {
		if l.typ != nil && (l.typ.Kind == KInt || l.typ.Kind == KUint) {
			ints = append(ints, l)
		}
	}
	must := append([]term.ID(nil), st.pc.Conjuncts()...)
	for _, c := range append(st.assumes[:len(st.assumes):len(st.assumes)], st.prefers...) {
		if m.ts.Holds(c, s.Model) {
			must = append(must, c)
		}
	}
	holds := func(mod *term.Model) bool {
		for _, c := range must {
			if !m.ts.Holds(c, mod) {
				return false
			}
		}
		return true
	}
	value := func(l leaf, mod *term.Model) uint64 { return mod.Get(l.term) & mask(l.typ.Bits) }

	// All numbers become one larger, which keeps their order.
	small, zero := true, false
	shifted := s.Model.Clone()
	for _, l := range ints {
		v := value(l, s.Model)
		small, zero = small && v < maxVaried, zero || v == 0
		shifted.Set(l.term, v+1)
	}
	if small && zero && holds(shifted) {
		s.Model = shifted
	}
	// Each for itself.
	for i, l := range ints {
		used := func(v uint64) bool {
			for k, o := range ints {
				if k != i && value(o, s.Model) == v {
					return true
				}
			}
			return false
		}
		again := false
		for _, o := range ints[:i] {
			again = again || value(o, s.Model) == value(l, s.Model)
		}
		if value(l, s.Model) != 0 && !again {
			continue
		}
		for v := uint64(1); v <= maxVaried; v++ {
			if used(v) {
				continue
			}
			other := s.Model.Clone()
			other.Set(l.term, v)
			if holds(other) {
				s.Model = other
				break
			}
		}
	}
}
