package vm

import (
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// verdictSat reports whether a verdict is a proof of satisfiability.
func verdictSat(v solver.Verdict) bool { return v == solver.Sat }

// doAssume is assay.Assume: the path goes on only where the condition holds.
func doAssume(m *Machine, st *State, c *call) ([]Value, signal) {
	v := m.known(c.args[0])
	if v.Term == 0 {
		if v.Bits == 0 {
			m.end(st, StopAssume, "an Assume does not hold")
			return nil, sigStop
		}
		return nil, sigNext
	}
	yes, _ := m.sctx.Branch(st.pc, v.Term)
	if yes == solver.Unsat {
		m.end(st, StopAssume, "an Assume does not hold")
		return nil, sigStop
	}
	m.sctx.Assume(st.pc, v.Term)
	return nil, sigNext
}

// doAssumeConcretely is assay.AssumeOrExecuteConcretely: the side on which the
// condition holds goes on symbolically, the other leaves for native execution.
func doAssumeConcretely(m *Machine, st *State, c *call) ([]Value, signal) {
	v := m.known(c.args[0])
	if v.Term == 0 {
		if v.Bits == 0 {
			m.end(st, StopConcrete, "an AssumeOrExecuteConcretely does not hold")
			return nil, sigStop
		}
		return nil, sigNext
	}
	q := m.withAssumptions(st)
	yes, _ := m.sctx.Branch(q, v.Term)
	q.Release()
	if yes == solver.Unsat {
		m.end(st, StopConcrete, "an AssumeOrExecuteConcretely cannot hold")
		return nil, sigStop
	}
	st.assumes = append(st.assumes[:len(st.assumes):len(st.assumes)], v.Term)
	return nil, sigNext
}

// withAssumptions is the path condition together with what was assumed; the caller
// releases it.
func (m *Machine) withAssumptions(st *State) *solver.PathCond {
	q := st.pc.Fork()
	for _, a := range st.assumes {
		m.sctx.Assume(q, a)
	}
	return q
}

// sides says which sides of a condition are feasible on a path, as Branch does. A side
// that conflicts with an assumption, and not with the hard constraints, leaves symbolic
// execution (seed 000): its inputs are solved without the assumption and it is executed
// natively, once for each place.
func (m *Machine) sides(st *State, c term.ID) (yes, no solver.Verdict) {
	yes, no = m.sctx.Branch(st.pc, c)
	if len(st.assumes) == 0 {
		return yes, no
	}
	q := m.withAssumptions(st)
	ay, an := m.sctx.Branch(q, c)
	q.Release()
	leaves := func(hard, soft solver.Verdict) bool { return hard == solver.Sat && soft == solver.Unsat }
	switch {
	case leaves(yes, ay) && no == solver.Sat && an != solver.Unsat:
		m.concede(st, c)
		return solver.Unsat, no
	case leaves(no, an) && yes == solver.Sat && ay != solver.Unsat:
		m.concede(st, m.ts.Not(c))
		return yes, solver.Unsat
	case leaves(yes, ay) || leaves(no, an):
		panic(pathEnd{StopConcrete, "an assumption conflicts with the path"})
	}
	return yes, no
}

// concede hands the side on which c holds over to native execution.
func (m *Machine) concede(st *State, c term.ID) {
	fr := st.g().top
	at := uint64(fr.fn.ID)<<32 | uint64(uint32(fr.pc))
	if m.conceded[at] {
		return
	}
	m.conceded[at] = true
	sib := m.fork(st)
	m.sctx.Assume(sib.pc, c)
	m.end(sib, StopConcrete, "an assumption conflicts with the path")
	m.push(sib)
}

// doAssert is assay.Assert: both outcomes are followed, and a violation ends the path.
func doAssert(m *Machine, st *State, c *call) ([]Value, signal) {
	if m.decide(st, m.known(c.args[0])) {
		return nil, sigNext
	}
	m.end(st, StopAssert, "assert")
	return nil, sigStop
}

// doPrefer is assay.Prefer.
func doPrefer(_ *Machine, st *State, c *call) ([]Value, signal) {
	if v := c.args[0]; v.Term != 0 {
		st.prefers = append(st.prefers[:len(st.prefers):len(st.prefers)], v.Term)
	}
	return nil, sigNext
}
