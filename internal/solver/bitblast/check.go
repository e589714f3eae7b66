package bitblast

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/sat"
	"github.com/goassay/assay/internal/term"
)

// Check decides a query.
func (b *Blaster) Check(q *solver.Query) solver.Result {
	if b.sat.Vars() > b.cfg.MaxVars {
		b.reset()
	}
	var assume []sat.Lit
	all := slices.Concat(q.Conjuncts, q.Assumptions)
	if b.tooLarge(all) {
		return solver.Result{}
	}
	for _, t := range all {
		switch l := b.encode(t)[0]; l {
		case yes:
		case no:
			return solver.Result{Verdict: solver.Unsat, Core: []term.ID{t}}
		default:
			assume = append(assume, l)
		}
	}
	limit := q.Limit
	if limit == 0 {
		limit = b.cfg.Limit
	}
	before := b.sat.Effort()
	st := b.sat.Solve(assume, b.coneOf(assume), limit)
	r := solver.Result{Effort: b.sat.Effort() - before}
	switch st {
	case sat.Satisfiable:
		r.Verdict = solver.Sat
		r.Model = b.model(all)
	case sat.Unsatisfiable:
		r.Verdict = solver.Unsat
		core := b.sat.Core()
		for _, t := range all {
			if slices.Contains(core, b.word(t)[0]) {
				r.Core = append(r.Core, t)
			}
		}
	}
	return r
}

// tooLarge reports whether encoding the terms would take more gates than Config.MaxGates: for a product of
// 10,000 bits the answer is Unknown, because the encoding would take an hour.
func (b *Blaster) tooLarge(ts []term.ID) bool {
	cost := 0
	seen := map[term.ID]bool{}
	stack := slices.Clone(ts)
	for len(stack) > 0 && cost <= b.cfg.MaxGates {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if b.word(t) != nil || seen[t] {
			continue
		}
		seen[t] = true
		w := b.st.Width(t)
		switch b.st.Op(t) {
		case term.OpMul, term.OpUDiv, term.OpURem, term.OpSDiv, term.OpSRem:
			cost += w * w
		case term.OpShl, term.OpLShr, term.OpAShr:
			cost += w * bits.Len(uint(w))
		case term.OpLookup:
			cost += w * len(b.st.TableVals(b.st.TableOf(t)))
		case term.OpFMul, term.OpFDiv, term.OpFSqrt:
			cost += 12000
		case term.OpRead, term.OpElem:
			cost += w + 64
		default:
			cost += w
		}
		for i := range b.st.NArg(t) {
			stack = append(stack, b.st.Arg(t, i))
		}
	}
	return cost > b.cfg.MaxGates
}

// coneOf returns the variables on which the literals depend.
func (b *Blaster) coneOf(ls []sat.Lit) []int32 {
	if n := b.sat.Vars(); len(b.seen) < n {
		b.seen = append(b.seen, make([]uint32, n-len(b.seen)+n/2)...)
	}
	b.gen++
	out := b.cone[:0]
	visit := func(v int32) {
		if b.seen[v] != b.gen {
			b.seen[v] = b.gen
			out = append(out, v)
		}
	}
	for _, l := range ls {
		visit(int32(l.Var()))
	}
	for i := 0; i < len(out); i++ {
		v := out[i]
		for _, u := range b.fan[b.fanAt[v]:b.fanAt[v+1]] {
			visit(u)
		}
	}
	b.cone = out
	return out
}

// model reads the values of the leaves that the conjuncts depend on.
func (b *Blaster) model(all []term.ID) *term.Model {
	m := b.st.NewModel()
	arrays := false
	for _, t := range all {
		for _, l := range b.st.Support(t) {
			if b.st.Op(l) == term.OpArray {
				arrays = true
				continue
			}
			b.setLeaf(m, l, b.word(l))
		}
	}
	if arrays {
		b.setReads(m, all)
	}
	return m
}

func (b *Blaster) setLeaf(m *term.Model, leaf term.ID, w word) {
	if len(w) > 64 {
		v := new(big.Int)
		for i, l := range w {
			if b.sat.Value(l) {
				v.SetBit(v, i, 1)
			}
		}
		m.SetBig(leaf, v)
		return
	}
	var v uint64
	for i, l := range w {
		if b.sat.Value(l) {
			v |= 1 << i
		}
	}
	m.Set(leaf, v)
}

// setReads sets elements of arrays to the values of the symbolic reads. Indexes depend only on terms made
// before them, so each index can be evaluated in the order of IDs.
func (b *Blaster) setReads(m *term.Model, all []term.ID) {
	var reads []term.ID
	seen := map[term.ID]bool{}
	stack := slices.Clone(all)
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[t] {
			continue
		}
		seen[t] = true
		if b.st.Op(t) == term.OpRead {
			reads = append(reads, t)
		}
		for i := range b.st.NArg(t) {
			stack = append(stack, b.st.Arg(t, i))
		}
	}
	slices.Sort(reads)
	for _, t := range reads {
		i := b.st.Eval(b.st.Arg(t, 0), m)
		b.setLeaf(m, b.st.Read(b.st.ArrayOf(t), b.st.Const(64, i)), b.word(t))
	}
}
