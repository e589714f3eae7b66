package sat

// analyze derives a clause from the false clause c: the first clause that has one literal of the current
// level (the first unique implication point). It leaves the clause in s.learnt, with that literal first. It
// returns the level to go back to, and the number of levels in the clause.
func (s *Solver) analyze(c cref) (back int, lbd uint32) {
	s.learnt = append(s.learnt[:0], 0)
	here := int32(len(s.levels))
	open, i := 0, len(s.trail)-1
	p := ^Lit(0)
	for {
		if s.isLearnt(c) {
			s.bumpClause(c)
		}
		for _, u := range s.lits(c) {
			q := Lit(u)
			if q == p {
				continue
			}
			v := q.Var()
			if s.seen[v] != 0 || s.level[v] == 0 {
				continue
			}
			s.seen[v] = 1
			s.bumpVar(v)
			if s.level[v] >= here {
				open++
			} else {
				s.learnt = append(s.learnt, q)
			}
		}
		for s.seen[s.trail[i].Var()] == 0 {
			i--
		}
		p = s.trail[i]
		i--
		c = s.reason[p.Var()]
		s.seen[p.Var()] = 0
		if open--; open == 0 {
			break
		}
	}
	s.learnt[0] = p ^ 1
	s.minimise()
	// The literal with the highest level below the current one goes second, because it is watched.
	back = 0
	if len(s.learnt) > 1 {
		m := 1
		for k := 2; k < len(s.learnt); k++ {
			if s.level[s.learnt[k].Var()] > s.level[s.learnt[m].Var()] {
				m = k
			}
		}
		s.learnt[1], s.learnt[m] = s.learnt[m], s.learnt[1]
		back = int(s.level[s.learnt[1].Var()])
	}
	s.lbdCount++
	for _, l := range s.learnt {
		lv := s.level[l.Var()]
		for int(lv) >= len(s.lbdMark) { // empty levels of assumptions make more levels than variables
			s.lbdMark = append(s.lbdMark, 0)
		}
		if s.lbdMark[lv] != s.lbdCount {
			s.lbdMark[lv] = s.lbdCount
			lbd++
		}
	}
	return back, lbd
}

// minimise removes the literals from s.learnt that the others imply.
func (s *Solver) minimise() {
	s.cleared = append(s.cleared[:0], s.learnt...)
	var levels uint32 // a set of levels, folded into 32 bits
	for _, l := range s.learnt[1:] {
		levels |= 1 << (uint32(s.level[l.Var()]) & 31)
	}
	j := 1
	for _, l := range s.learnt[1:] {
		if s.reason[l.Var()] == noClause || !s.redundant(l, levels) {
			s.learnt[j] = l
			j++
		}
	}
	s.learnt = s.learnt[:j]
	for _, l := range s.cleared {
		s.seen[l.Var()] = 0
	}
}

// redundant reports whether l follows from literals that were seen already.
func (s *Solver) redundant(l Lit, levels uint32) bool {
	s.stack = append(s.stack[:0], l)
	top := len(s.cleared)
	for len(s.stack) > 0 {
		p := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		for _, u := range s.lits(s.reason[p.Var()]) {
			q := Lit(u)
			v := q.Var()
			if q == p^1 || s.seen[v] != 0 || s.level[v] == 0 {
				continue
			}
			if s.reason[v] == noClause || levels>>(uint32(s.level[v])&31)&1 == 0 {
				for _, c := range s.cleared[top:] {
					s.seen[c.Var()] = 0
				}
				s.cleared = s.cleared[:top]
				return false
			}
			s.seen[v] = 1
			s.stack = append(s.stack, q)
			s.cleared = append(s.cleared, q)
		}
	}
	return true
}

// final sets s.core to the assumptions that imply the negation of the assumption p, and p.
func (s *Solver) final(p Lit) {
	s.core = append(s.core[:0], p)
	if s.level[p.Var()] == 0 {
		return
	}
	s.seen[p.Var()] = 1
	for i := len(s.trail) - 1; i >= int(s.levels[0]); i-- {
		l := s.trail[i]
		v := l.Var()
		if s.seen[v] == 0 {
			continue
		}
		s.seen[v] = 0
		if r := s.reason[v]; r != noClause {
			for _, u := range s.lits(r) {
				if w := Lit(u).Var(); w != v && s.level[w] > 0 {
					s.seen[w] = 1
				}
			}
		} else if l != p { // decisions below the assumptions' levels are assumptions
			s.core = append(s.core, l)
		}
	}
	s.seen[p.Var()] = 0
}
