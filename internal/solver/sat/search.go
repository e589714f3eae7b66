package sat

// Solve decides the clauses under the assumptions. It decides only variables of cone and of the assumptions;
// a nil cone means all. The parameter limit bounds the number of propagated literals plus a hundred for each
// conflict; 0 means no bound.
func (s *Solver) Solve(assumptions []Lit, cone []int32, limit int64) Status {
	s.core = s.core[:0]
	if s.unsat {
		return Unsatisfiable
	}
	s.enter(assumptions, cone)
	defer s.cancel(0)
	start := s.Effort()
	for turn := int64(0); ; turn++ {
		st := s.search(luby(turn)*int64(s.cfg.RestartUnit), start, limit)
		if st != Undecided {
			return st
		}
		if limit > 0 && s.Effort()-start >= limit {
			return Undecided
		}
		s.stats.Restarts++
	}
}

// Effort returns the work done so far, in the units of Solve's limit.
func (s *Solver) Effort() int64 { return s.stats.Propagations + 100*s.stats.Conflicts }

// enter fills the decision heap.
func (s *Solver) enter(assumptions []Lit, cone []int32) {
	s.assumed = append(s.assumed[:0], assumptions...)
	for _, v := range s.heap {
		s.heapPos[v] = -1
	}
	s.heap = s.heap[:0]
	s.cone++
	add := func(v int32) {
		if s.inCone[v] == s.cone {
			return
		}
		s.inCone[v] = s.cone
		if s.vals[Pos(int(v))] == unassigned {
			s.heapPos[v] = int32(len(s.heap))
			s.heap = append(s.heap, v)
		}
	}
	if cone == nil {
		for v := range s.level {
			add(int32(v))
		}
	}
	for _, v := range cone {
		add(v)
	}
	for _, l := range assumptions {
		add(int32(l.Var()))
	}
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.down(i)
	}
}

// search runs until it has a verdict, or until a number of conflicts or the limit is reached.
func (s *Solver) search(conflicts, start, limit int64) Status {
	for {
		if c := s.propagate(); c != noClause {
			s.stats.Conflicts++
			conflicts--
			if len(s.levels) == 0 {
				s.unsat = true
				return Unsatisfiable
			}
			back, lbd := s.analyze(c)
			s.cancel(back)
			s.learn(lbd)
			s.inc /= 0.95
			s.clauseIn /= 0.999
			continue
		}
		if conflicts <= 0 || limit > 0 && s.Effort()-start >= limit {
			s.cancel(0)
			return Undecided
		}
		if float64(len(s.learnts)) >= s.limit+float64(len(s.trail)) {
			s.reduce()
			s.limit = min(s.limit*1.1, float64(s.cfg.MaxLearnt))
		}
		next := ^Lit(0)
		for len(s.levels) < len(s.assumed) {
			p := s.assumed[len(s.levels)]
			if s.vals[p] == isFalse {
				s.final(p)
				return Unsatisfiable
			}
			if s.vals[p] == unassigned {
				next = p
				break
			}
			s.levels = append(s.levels, int32(len(s.trail))) // the assumption holds already, so its level is empty
		}
		if next == ^Lit(0) {
			v := s.pick()
			if v < 0 {
				s.model = append(s.model[:0], s.vals...)
				return Satisfiable
			}
			s.stats.Decisions++
			next = Pos(v)
			if s.phase[v] == isFalse {
				next ^= 1
			}
		}
		s.levels = append(s.levels, int32(len(s.trail)))
		s.assign(next, noClause)
	}
}

// learn adds the clause that analyze has left, and assigns its first literal.
func (s *Solver) learn(lbd uint32) {
	if len(s.learnt) == 1 {
		s.assign(s.learnt[0], noClause)
		return
	}
	s.stats.Learnt++
	c := s.alloc(s.learnt, true, lbd)
	s.learnts = append(s.learnts, c)
	s.attach(c)
	s.bumpClause(c)
	s.assign(s.learnt[0], c)
}

// pick returns the most active unassigned variable of the cone, or -1 if there is none.
func (s *Solver) pick() int {
	for len(s.heap) > 0 {
		v := s.pop()
		if s.vals[Pos(int(v))] == unassigned {
			return int(v)
		}
	}
	return -1
}

// luby returns the i-th member of Luby's sequence 1 1 2 1 1 2 4 ..., counted from 0.
func luby(i int64) int64 {
	size, seq := int64(1), 0
	for size < i+1 {
		seq++
		size = 2*size + 1
	}
	for size-1 != i {
		size = (size - 1) / 2
		seq--
		i %= size
	}
	return 1 << seq
}

// The heap has variables, the most active first. Of equal ones the smaller number comes first, so that a run
// does not depend on the heap's history.

func (s *Solver) before(a, b int32) bool {
	x, y := s.activity[a], s.activity[b]
	return x > y || x == y && a < b
}

func (s *Solver) push(v int32) {
	s.heapPos[v] = int32(len(s.heap))
	s.heap = append(s.heap, v)
	s.up(len(s.heap) - 1)
}

func (s *Solver) pop() int32 {
	v := s.heap[0]
	last := len(s.heap) - 1
	s.heap[0] = s.heap[last]
	s.heapPos[s.heap[0]] = 0
	s.heap = s.heap[:last]
	s.heapPos[v] = -1
	if last > 0 {
		s.down(0)
	}
	return v
}

func (s *Solver) up(i int) {
	v := s.heap[i]
	for i > 0 {
		p := (i - 1) / 2
		if !s.before(v, s.heap[p]) {
			break
		}
		s.heap[i] = s.heap[p]
		s.heapPos[s.heap[i]] = int32(i)
		i = p
	}
	s.heap[i] = v
	s.heapPos[v] = int32(i)
}

func (s *Solver) down(i int) {
	v := s.heap[i]
	for {
		c := 2*i + 1
		if c >= len(s.heap) {
			break
		}
		if c+1 < len(s.heap) && s.before(s.heap[c+1], s.heap[c]) {
			c++
		}
		if !s.before(s.heap[c], v) {
			break
		}
		s.heap[i] = s.heap[c]
		s.heapPos[s.heap[i]] = int32(i)
		i = c
	}
	s.heap[i] = v
	s.heapPos[v] = int32(i)
}

func (s *Solver) bumpVar(v int) {
	s.activity[v] += s.inc
	if s.activity[v] > 1e100 {
		for i := range s.activity {
			s.activity[i] *= 1e-100
		}
		s.inc *= 1e-100
	}
	if p := s.heapPos[v]; p >= 0 {
		s.up(int(p))
	}
}
