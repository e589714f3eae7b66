// Package sat is a conflict-driven clause-learning satisfiability solver for the queries of symbolic
// execution: many small queries over one growing set of clauses. Package bitblast is its user.
//
//  1. AddClause adds clauses (clause.go). They stay for all queries.
//  2. Solve (search.go) decides the clauses under assumptions. It picks the most active variable of the
//     query's cone and assigns it.
//  3. propagate (sat.go) assigns the literals that follow, by two watched literals with blockers.
//  4. If a clause becomes false, analyze (analyze.go) learns a new clause from the conflict, and the
//     search goes back.
//  5. The model is read by Value, or the failed assumptions by Core.
//
// The structure is MiniSat's (Eén and Sörensson, "An Extensible SAT-solver", 2003): saved phases, clause
// minimisation, assumptions with a final conflict. Clauses are ranked by the number of decision levels of
// their literals (Audemard and Simon, 2009), and restarts follow Luby's sequence. The cone is an addition: a
// query names the variables that matter to it, only these are decided, and the search ends when they are
// assigned without a conflict. That is correct if the clauses beyond the cone define their variables as
// functions of others, which holds for gates.
//
// Invariants: the watches of a clause are its first two literals; between calls the trail has only level 0.
// The literal that a reason implied is its first one, except in clauses of two literals.
//
// Not supported: preprocessing, proofs, more than 2^30 variables.
package sat

import "slices"

// A Lit is a literal: twice the number of a variable, which counts from 0, plus one if the variable is
// negated.
type Lit uint32

// Pos returns the literal of a variable.
func Pos(v int) Lit { return Lit(v << 1) }

// Not returns the opposite literal.
func (l Lit) Not() Lit { return l ^ 1 }

// Var returns the literal's variable.
func (l Lit) Var() int { return int(l >> 1) }

// Neg reports whether l is negated.
func (l Lit) Neg() bool { return l&1 != 0 }

// Status is the outcome of Solve.
type Status uint8

// Undecided, the zero value, means that the limit was reached.
const (
	Undecided Status = iota
	Satisfiable
	Unsatisfiable
)

// Config tunes a Solver. The zero value is the default.
type Config struct {
	// MaxLearnt bounds the learnt clauses that are kept; 0 is 4000.
	MaxLearnt int
	// RestartUnit is the number of conflicts that Luby's sequence counts in; 0 is 64.
	RestartUnit int
}

// Stats counts work since New.
type Stats struct {
	Conflicts, Decisions, Propagations, Restarts, Learnt int64
}

// A literal's value.
const (
	unassigned uint8 = iota
	isTrue
	isFalse
)

type cref uint32 // the offset of a clause in the arena

const noClause cref = 0

// watcher is an entry in the list of a literal. If the literal becomes false, the clause may become unit.
type watcher struct {
	c       cref
	blocker Lit // if true, there is nothing to do; in a clause of two it is the other literal
	binary  bool
}

// Solver holds clauses and learns from every query.
type Solver struct {
	cfg   Config
	stats Stats

	arena   []uint32 // the clauses, see clause.go
	wasted  int
	learnts []cref
	limit   float64 // how many learnt clauses are kept until the next reduction

	watches  [][]watcher // by literal
	vals     []uint8     // by literal
	level    []int32     // by variable, like the following fields
	reason   []cref
	phase    []uint8 // the last value, isTrue or isFalse
	activity []float64
	inc      float64
	seen     []uint8
	inCone   []uint32 // equal to cone if the variable may be decided
	cone     uint32
	heap     []int32
	heapPos  []int32

	trail    []Lit
	levels   []int32 // the length of the trail where each level began
	qhead    int
	unsat    bool // unsatisfiable without assumptions
	core     []Lit
	model    []uint8
	assumed  []Lit
	stack    []Lit
	cleared  []Lit
	learnt   []Lit
	lbdMark  []uint32
	lbdCount uint32
	clauseIn float64 // the activity increment of clauses
}

// New returns an empty solver.
func New(cfg Config) *Solver {
	if cfg.MaxLearnt == 0 {
		cfg.MaxLearnt = 4000
	}
	if cfg.RestartUnit == 0 {
		cfg.RestartUnit = 64
	}
	return &Solver{cfg: cfg, arena: make([]uint32, 1), inc: 1, clauseIn: 1, limit: 500}
}

// Stats returns the counts since New.
func (s *Solver) Stats() Stats { return s.stats }

// Vars returns the number of variables.
func (s *Solver) Vars() int { return len(s.level) }

// NewVar returns a new variable.
func (s *Solver) NewVar() int {
	v := len(s.level)
	s.watches = append(s.watches, nil, nil)
	s.vals = append(s.vals, unassigned, unassigned)
	s.level = append(s.level, 0)
	s.reason = append(s.reason, noClause)
	s.phase = append(s.phase, isFalse)
	s.activity = append(s.activity, 0)
	s.seen = append(s.seen, 0)
	s.inCone = append(s.inCone, 0)
	s.heapPos = append(s.heapPos, -1)
	s.lbdMark = append(s.lbdMark, 0)
	return v
}

// SetPhase sets the value that a decision on v tries first, until the search has assigned v.
func (s *Solver) SetPhase(v int, on bool) {
	s.phase[v] = isFalse
	if on {
		s.phase[v] = isTrue
	}
}

// AddClause adds the disjunction of lits. It does not keep the slice. It may only be called between queries.
func (s *Solver) AddClause(lits ...Lit) {
	if s.unsat {
		return
	}
	s.stack = append(s.stack[:0], lits...)
	slices.Sort(s.stack)
	c := s.stack[:0]
	var prev Lit = ^Lit(0)
	for _, l := range s.stack {
		switch {
		case s.vals[l] == isTrue, l == prev^1 && prev != ^Lit(0):
			return // the clause holds in any case
		case s.vals[l] == isFalse, l == prev:
			continue
		}
		prev = l
		c = append(c, l)
	}
	switch len(c) {
	case 0:
		s.unsat = true
	case 1:
		s.assign(c[0], noClause)
		if s.propagate() != noClause {
			s.unsat = true
		}
	default:
		s.attach(s.alloc(c, false, 0))
	}
}

// Value returns the value of l in the model of the last satisfiable Solve. Variables outside of its cone may
// be unassigned. Their literals read as false, negated or not.
func (s *Solver) Value(l Lit) bool { return int(l) < len(s.model) && s.model[l] == isTrue }

// Fixed returns whether l is true or false regardless of assumptions.
func (s *Solver) Fixed(l Lit) (val, known bool) {
	if s.vals[l] == unassigned {
		return false, false
	}
	return s.vals[l] == isTrue, true
}

// Core returns assumptions of the last unsatisfiable Solve that cannot hold together. The caller must not
// keep the slice.
func (s *Solver) Core() []Lit { return s.core }

func (s *Solver) assign(l Lit, why cref) {
	s.vals[l], s.vals[l^1] = isTrue, isFalse
	v := l >> 1
	s.level[v] = int32(len(s.levels))
	s.reason[v] = why
	s.trail = append(s.trail, l)
}

// propagate assigns all implied literals and returns a clause that became false, or noClause.
func (s *Solver) propagate() cref {
	vals := s.vals
	for s.qhead < len(s.trail) {
		p := s.trail[s.qhead] // p is true: look at the clauses that watch its negation
		s.qhead++
		s.stats.Propagations++
		ws := s.watches[p]
		j := 0
	next:
		for i := 0; i < len(ws); i++ {
			w := ws[i]
			bv := vals[w.blocker]
			if bv == isTrue {
				ws[j] = w
				j++
				continue
			}
			if w.binary {
				ws[j] = w
				j++
				if bv == isFalse {
					j += copy(ws[j:], ws[i+1:])
					s.watches[p] = ws[:j]
					s.qhead = len(s.trail)
					return w.c
				}
				s.assign(w.blocker, w.c)
				continue
			}
			lits := s.lits(w.c)
			if Lit(lits[0]) == p^1 {
				lits[0], lits[1] = lits[1], lits[0]
			}
			first := Lit(lits[0])
			if first != w.blocker && vals[first] == isTrue {
				ws[j] = watcher{w.c, first, false}
				j++
				continue
			}
			for k := 2; k < len(lits); k++ {
				if l := Lit(lits[k]); vals[l] != isFalse {
					lits[1], lits[k] = lits[k], lits[1]
					s.watches[l^1] = append(s.watches[l^1], watcher{w.c, first, false})
					continue next
				}
			}
			ws[j] = watcher{w.c, first, false}
			j++
			if vals[first] == isFalse {
				j += copy(ws[j:], ws[i+1:])
				s.watches[p] = ws[:j]
				s.qhead = len(s.trail)
				return w.c
			}
			s.assign(first, w.c)
		}
		s.watches[p] = ws[:j]
	}
	return noClause
}

// cancel takes back the assignments of the levels above l.
func (s *Solver) cancel(l int) {
	if len(s.levels) <= l {
		return
	}
	to := int(s.levels[l])
	for i := len(s.trail) - 1; i >= to; i-- {
		p := s.trail[i]
		v := p.Var()
		s.vals[p], s.vals[p^1] = unassigned, unassigned
		s.phase[v] = isTrue + uint8(p&1)
		if s.inCone[v] == s.cone && s.heapPos[v] < 0 {
			s.push(int32(v))
		}
	}
	s.trail = s.trail[:to]
	s.levels = s.levels[:l]
	s.qhead = to
}
