package sat

import (
	"math"
	"slices"
)

// A clause lies in the arena as a header of three words and its literals:
//
//	size<<1 | learnt
//	the number of decision levels it joins; the top bit is set if it is dead
//	its activity, as a float32
const headerLen = 3

const deadBit = 1 << 31

func (s *Solver) alloc(lits []Lit, learnt bool, lbd uint32) cref {
	c := cref(len(s.arena))
	h := uint32(len(lits)) << 1
	if learnt {
		h |= 1
	}
	s.arena = append(s.arena, h, lbd, 0)
	for _, l := range lits {
		s.arena = append(s.arena, uint32(l))
	}
	return c
}

// lits returns the literals of c, which may be reordered in place.
func (s *Solver) lits(c cref) []uint32 {
	n := s.arena[c] >> 1
	return s.arena[c+headerLen : c+headerLen+cref(n)]
}

func (s *Solver) isLearnt(c cref) bool { return s.arena[c]&1 != 0 }

func (s *Solver) attach(c cref) {
	l := s.lits(c)
	a, b := Lit(l[0]), Lit(l[1])
	bin := len(l) == 2
	s.watches[a^1] = append(s.watches[a^1], watcher{c, b, bin})
	s.watches[b^1] = append(s.watches[b^1], watcher{c, a, bin})
}

func (s *Solver) bumpClause(c cref) {
	a := float64(math.Float32frombits(s.arena[c+2])) + s.clauseIn
	s.arena[c+2] = math.Float32bits(float32(a))
	if a > 1e20 {
		for _, c := range s.learnts {
			s.arena[c+2] = math.Float32bits(math.Float32frombits(s.arena[c+2]) * 1e-20)
		}
		s.clauseIn *= 1e-20
	}
}

// locked reports whether c is the reason of an assignment.
func (s *Solver) locked(c cref) bool {
	for _, u := range s.lits(c)[:2] {
		if l := Lit(u); s.vals[l] == isTrue && s.reason[l.Var()] == c {
			return true
		}
	}
	return false
}

// reduce drops the worse half of the learnt clauses: those with literals of many decision levels, and
// inactive ones first among these. Clauses with two levels are kept.
func (s *Solver) reduce() {
	slices.SortFunc(s.learnts, func(a, b cref) int {
		la, lb := s.arena[a+1], s.arena[b+1]
		switch {
		case la != lb && (la <= 2 || lb <= 2):
			return int(la) - int(lb)
		case s.arena[a+2] != s.arena[b+2]: // positive floats compare as their bits do
			if s.arena[a+2] > s.arena[b+2] {
				return -1
			}
			return 1
		case la != lb:
			return int(la) - int(lb)
		}
		return int(a) - int(b)
	})
	keep := s.learnts[:0]
	half := len(s.learnts) / 2
	for i, c := range s.learnts {
		if i < half || s.arena[c+1] <= 2 && i < half+half/2 || s.locked(c) {
			keep = append(keep, c)
			continue
		}
		s.arena[c+1] |= deadBit
		s.wasted += headerLen + int(s.arena[c]>>1)
	}
	s.learnts = keep
	for l, ws := range s.watches {
		j := 0
		for _, w := range ws {
			if s.arena[w.c+1]&deadBit == 0 {
				ws[j] = w
				j++
			}
		}
		s.watches[l] = ws[:j]
	}
	if s.wasted > len(s.arena)/3 {
		s.compact()
	}
}

// compact moves the living clauses together.
func (s *Solver) compact() {
	old := s.arena
	s.arena = make([]uint32, 1, len(old)-s.wasted+len(old)/8)
	s.wasted = 0
	// The second word of a moved clause leads to its new place.
	for c := cref(1); int(c) < len(old); {
		n := headerLen + cref(old[c]>>1)
		if old[c+1]&deadBit == 0 {
			to := uint32(len(s.arena))
			s.arena = append(s.arena, old[c:c+n]...)
			old[c+1] = to
		}
		c += n
	}
	for i, c := range s.learnts {
		s.learnts[i] = cref(old[c+1])
	}
	for _, ws := range s.watches {
		for i := range ws {
			ws[i].c = cref(old[ws[i].c+1])
		}
	}
	for _, l := range s.trail {
		if r := s.reason[l.Var()]; r != noClause {
			s.reason[l.Var()] = cref(old[r+1])
		}
	}
}
