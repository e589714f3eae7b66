package sequence

import (
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// maxWitnesses bounds how many values are tried for the variables that are no longer in a heap.
const maxWitnesses = 4

// subsumer decides whether one state subsumes another. If a condition is no zone, it has to show that values
// exist for the variables that the earlier state has lost. It guesses terms for these variables, and asks the
// solver whether the guess is right for all heaps. If it is not, the solver's counterexample yields the next
// guess.
type subsumer struct {
	ts   *term.Store
	sctx *solver.Context
	asks int // how often zones were not enough
	left int // how many questions may still be asked
}

// covers reports whether every concrete state of the symbolic state c is certainly a concrete state of d,
// too. Both heaps have the same key.
func (s *subsumer) covers(d, c *condition) bool {
	if d.exact() && c.z != nil {
		if c.implies(d) {
			return true
		}
		if c.exact() {
			return false
		}
	}
	if s.left--; s.left < 0 {
		return false
	}
	s.asks++
	goal, r, ok := s.goal(d, c)
	if !ok {
		return false
	}
	path := s.sctx.NewPath()
	defer path.Release()
	for _, p := range c.all {
		s.sctx.Assume(path, p)
	}
	// Conjuncts without lost variables have to be implied directly.
	var rest []term.ID
	for _, g := range goal {
		if slices.Contains(c.all, g) {
			continue
		}
		if !mention(s.ts, []term.ID{g}, r.lost) {
			if _, no := s.sctx.Branch(path, g); no != solver.Unsat {
				return false
			}
			continue
		}
		rest = append(rest, g)
	}
	if len(rest) == 0 {
		return true
	}
	return s.witness(path, s.ts.AndAll(rest...), r)
}

// witness reports whether the path certainly implies that goal holds for some values of the lost
// leaves. The first guess is the leaves of the same name on the path itself.
func (s *subsumer) witness(path *solver.PathCond, goal term.ID, r *renamer) bool {
	p := path.Fork()
	defer func() { p.Release() }()
	guess := s.ts.Subst(goal, r.namesake)
	for range maxWitnesses {
		_, no := s.sctx.Branch(p, guess)
		if no == solver.Unsat {
			return true
		}
		if no != solver.Sat {
			return false
		}
		s.sctx.Assume(p, s.ts.Not(guess))
		m, v := s.sctx.Model(p)
		if v != solver.Sat {
			return v == solver.Unsat
		}
		// These are values of the lost leaves for this heap.
		heap := map[term.ID]term.ID{}
		for _, l := range s.ts.Support(goal) {
			if s.ts.Op(l) == term.OpArray || s.ts.Width(l) > 64 {
				return false
			}
			if !slices.Contains(r.lost, l) {
				heap[l] = s.ts.Const(s.ts.Width(l), m.Get(l))
			}
		}
		q := s.sctx.NewPath()
		here := s.ts.Subst(goal, heap)
		yes, _ := s.sctx.Branch(q, here)
		if yes != solver.Sat {
			q.Release()
			return false // there are no such values, so the state is not subsumed
		}
		s.sctx.Assume(q, here)
		values, v := s.sctx.Model(q)
		if v != solver.Sat {
			q.Release()
			return false
		}
		fixed := map[term.ID]term.ID{}
		for _, l := range r.lost {
			if s.ts.Op(l) != term.OpArray && s.ts.Width(l) <= 64 {
				fixed[l] = s.ts.Const(s.ts.Width(l), values.Get(l))
			}
		}
		q.Release()
		guess = s.ts.Subst(goal, fixed)
	}
	return false
}

// goal writes d's condition about c's heap: d's symbolic values are replaced by c's. The leaves of d that its
// heap does not determine are lost. The result ok is false if the condition cannot be written in this way.
func (s *subsumer) goal(d, c *condition) (goal []term.ID, r *renamer, ok bool) {
	r = &renamer{ts: s.ts, leaf: map[term.ID]term.ID{}, array: map[term.Array]term.Array{}, done: map[term.ID]term.ID{}, namesake: map[term.ID]term.ID{}}
	for i, a := range d.array {
		r.array[a] = c.array[i]
	}
	for i, t := range d.terms {
		if s.ts.Width(t) != s.ts.Width(c.terms[i]) {
			return nil, nil, false
		}
		if s.ts.IsLeaf(t) {
			r.leaf[t] = c.terms[i]
		}
	}
	for _, k := range d.all {
		goal = append(goal, r.term(k))
	}
	// A value that is computed from leaves equals the other heap's value.
	for i, t := range d.terms {
		if s.ts.IsLeaf(t) {
			continue
		}
		goal = append(goal, s.ts.Eq(r.term(t), c.terms[i]))
	}
	return goal, r, !r.bad
}

// renamer replaces leaves and arrays by their counterparts. Leaves and arrays without a counterpart become
// variables whose values are guessed.
type renamer struct {
	ts    *term.Store
	leaf  map[term.ID]term.ID
	array map[term.Array]term.Array
	done  map[term.ID]term.ID
	// lost are the variables to guess, namesake the leaves that they replace.
	lost     []term.ID
	namesake map[term.ID]term.ID
	bad      bool
}

// guess makes the variable that stands for a leaf without a counterpart: a new one,
// because the leaf itself may be another value in the other heap.
func (r *renamer) guess(leaf term.ID) term.ID {
	v := r.ts.Var(r.ts.Width(leaf), "?"+strconv.Itoa(r.ts.LeafNum(leaf)))
	r.lost = append(r.lost, v)
	r.namesake[v] = leaf
	return v
}

func (r *renamer) term(t term.ID) term.ID {
	if n, ok := r.done[t]; ok {
		return n
	}
	n := r.rename(t)
	r.done[t] = n
	return n
}

func (r *renamer) rename(t term.ID) term.ID {
	switch r.ts.Op(t) {
	case term.OpConst:
		return t
	case term.OpVar:
		if n, ok := r.leaf[t]; ok {
			return n
		}
		return r.guess(t)
	case term.OpElem:
		if n, ok := r.leaf[t]; ok {
			return n
		}
		if a, ok := r.array[r.ts.ArrayOf(t)]; ok {
			return r.ts.Read(a, r.ts.Const(64, r.ts.ElemIndex(t)))
		}
		return r.guess(t)
	case term.OpRead:
		a, ok := r.array[r.ts.ArrayOf(t)]
		if !ok {
			r.bad = true // all its elements would have to be guessed
			return t
		}
		return r.ts.Read(a, r.term(r.ts.Arg(t, 0)))
	}
	args := r.ts.Args(t)
	same := true
	for i, a := range args {
		n := r.term(a)
		same = same && n == a
		args[i] = n
	}
	if same {
		return t
	}
	return r.ts.Rebuild(t, args)
}
