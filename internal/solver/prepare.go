package solver

import (
	"slices"

	"github.com/goassay/assay/internal/term"
)

// Prepare returns a Solver that simplifies whole queries before it asks the backend: it takes conjunctions
// apart, replaces leaves that equal a term, shortens variables with small bounds (narrow.go), decides
// independent parts separately, looks at residues, and tries a few assignments (guess.go). It is for single
// queries, as in a script; a Context does similar things incrementally.
//
// The core of an unsatisfiable query is the whole query, unless the query has Assumptions. These go to the
// backend as they are.
func Prepare(st *term.Store, backend Solver) Solver { return &prepared{st, backend} }

type prepared struct {
	st      *term.Store
	backend Solver
}

// maxEliminations bounds the rounds of substitution, each of which rebuilds the query, and maxRebuilt
// the number of terms rebuilt in total.
const (
	maxEliminations = 200
	maxRebuilt      = 10e6
)

func (s *prepared) Check(q *Query) Result {
	if len(q.Assumptions) > 0 {
		return s.backend.Check(q)
	}
	unsat := Result{Verdict: Unsat, Core: q.Conjuncts}
	cs, ok := s.flatten(q.Conjuncts)
	if !ok {
		return unsat
	}
	type definition struct{ leaf, is term.ID }
	var defs []definition
	for round := range maxEliminations {
		if round*s.st.Len() > maxRebuilt {
			break
		}
		leaf, is, at := s.definition(cs)
		if leaf == 0 {
			break
		}
		defs = append(defs, definition{leaf, is})
		m := map[term.ID]term.ID{leaf: is}
		next := slices.Delete(slices.Clone(cs), at, at+1)
		for i, c := range next {
			next[i] = s.st.Subst(c, m)
		}
		if cs, ok = s.flatten(next); !ok {
			return unsat
		}
	}
	if short := narrowing(s.st, cs); short != nil {
		next := slices.Clone(cs)
		for i, c := range next {
			next[i] = s.st.Subst(c, short)
		}
		if cs, ok = s.flatten(next); !ok {
			return unsat
		}
		for x, is := range short { // none of these variables occurs in the replacement of another one
			defs = append(defs, definition{x, is})
		}
	}
	model := s.st.NewModel()
	r := Result{Verdict: Sat, Model: model}
	for _, part := range s.parts(cs) {
		if byResidues(s.st, part) {
			return unsat
		}
		pr := Result{Verdict: Sat, Model: guess(s.st, part)}
		if pr.Model == nil {
			pr = s.backend.Check(&Query{Conjuncts: part, Limit: q.Limit})
		}
		r.Effort += pr.Effort
		switch pr.Verdict {
		case Unsat:
			unsat.Effort = r.Effort
			return unsat
		case Unknown: // another part may still be unsatisfiable
			r.Verdict = Unknown
			continue
		}
		for i := range s.st.Leaves() {
			if l := s.st.Leaf(i); s.st.IsLeaf(l) && pr.Model.Has(l) {
				model.SetBig(l, pr.Model.GetBig(l))
			}
		}
	}
	if r.Verdict != Sat {
		return Result{Effort: r.Effort}
	}
	for _, d := range slices.Backward(defs) { // a definition may use leaves that were replaced later
		model.SetBig(d.leaf, s.st.EvalBig(d.is, model))
	}
	return r
}

// flatten takes conjunctions apart and drops repetitions. It returns false if two conjuncts contradict each
// other directly.
func (s *prepared) flatten(in []term.ID) (out []term.ID, ok bool) {
	stack := slices.Clone(in)
	slices.Reverse(stack)
	seen := map[term.ID]bool{}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case c == term.False || seen[s.st.Not(c)]:
			return nil, false
		case c == term.True || seen[c]:
		case s.st.Op(c) == term.OpAnd:
			stack = append(stack, s.st.Arg(c, 1), s.st.Arg(c, 0))
		default:
			seen[c] = true
			out = append(out, c)
		}
	}
	return out, true
}

// definition finds a conjunct which says that a variable equals a term without the variable, or that the
// variable is true or false.
func (s *prepared) definition(cs []term.ID) (leaf, is term.ID, at int) {
	st := s.st
	for i, c := range cs {
		switch op := st.Op(c); {
		case op == term.OpVar:
			return c, term.True, i
		case op == term.OpNot && st.Op(st.Arg(c, 0)) == term.OpVar:
			return st.Arg(c, 0), term.False, i
		case op == term.OpEq:
			for _, side := range [2]int{0, 1} {
				l, t := st.Arg(c, side), st.Arg(c, 1-side)
				if st.Op(l) == term.OpVar && !slices.Contains(st.Support(t), l) {
					return l, t, i
				}
			}
		}
	}
	return 0, 0, 0
}

// parts groups conjuncts that share leaves, in the order of their first members.
func (s *prepared) parts(cs []term.ID) [][]term.ID {
	group := map[int]int{} // leaf number to part
	var parent []int
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	of := make([]int, len(cs))
	for i, c := range cs {
		of[i] = len(parent)
		parent = append(parent, len(parent))
		for _, l := range s.st.Support(c) {
			k := s.st.LeafNum(l)
			if s.st.Op(l) == term.OpElem { // the elements of an array belong together
				k = s.st.LeafNum(s.st.ArrayTerm(s.st.ArrayOf(l)))
			}
			if g, ok := group[k]; ok {
				parent[find(of[i])] = find(g)
			} else {
				group[k] = of[i]
			}
		}
	}
	var out [][]term.ID
	place := map[int]int{}
	for i, c := range cs {
		r := find(of[i])
		p, ok := place[r]
		if !ok {
			p = len(out)
			place[r] = p
			out = append(out, nil)
		}
		out[p] = append(out[p], c)
	}
	return out
}
