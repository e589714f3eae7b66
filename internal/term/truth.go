package term

// truths has the truth tables of conditions on one byte.
type truths struct {
	tabs  []leafTruth
	model *Model
}

type leafTruth struct {
	Truth
	leaf ID
}

// A Truth is a set of byte values: bit v%64 of word v/64 stands for v.
type Truth [4]uint64

// TruthTable takes a condition (a term of width 1) that depends on exactly one leaf of at most 8 bits. It
// returns the leaf, and the values within the leaf's width for which the condition holds. It computes the
// table once for each term.
func (s *Store) TruthTable(c ID) (leaf ID, t *Truth, ok bool) {
	n := s.at(c)
	if n.ext != 0 && n.op != OpVar && n.op != OpElem && n.op != OpArray { // the table is known
		t := &s.truth.tabs[n.ext-1]
		return t.leaf, &t.Truth, true
	}
	if n.sup == 0 {
		s.SupportID(c)
	}
	set := s.sup.sets[n.sup]
	if len(set) != 1 || n.width != 1 {
		return 0, nil, false
	}
	leaf = set[0]
	l := s.at(leaf)
	if l.width > 8 || l.op == OpArray {
		return 0, nil, false
	}
	if leaf == c { // the ext of a leaf has another use
		return leaf, &Truth{2}, true
	}
	s.truth.tabs = append(s.truth.tabs, leafTruth{s.tabulate(c, leaf, 1<<l.width), leaf})
	n.ext = uint32(len(s.truth.tabs))
	return leaf, &s.truth.tabs[n.ext-1].Truth, true
}

func (s *Store) tabulate(c, leaf ID, n int) (t Truth) {
	if s.truth.model == nil {
		s.truth.model = s.NewModel()
	}
	m := s.truth.model
	for v := range n {
		m.Set(leaf, uint64(v))
		t[v/64] |= s.Eval(c, m) << (v % 64)
	}
	return t
}
