package vm

import "github.com/goassay/assay/internal/solver"

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
	st.assumes = append(st.assumes[:len(st.assumes):len(st.assumes)], v.Term)
	return nil, sigNext
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
