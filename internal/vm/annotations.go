package vm

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// verdictSat reports whether a verdict is a proof of satisfiability.
func verdictSat(v solver.Verdict) bool { return v == solver.Sat }

// annotation returns the machine's implementation of assay's annotations, and of functions that a directive
// makes annotations; it returns nil for other functions.
func (m *Machine) annotation(fn *ssa.Function) intrinsic {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil || fn.Signature.Recv() != nil {
		return nil
	}
	if m.pkg != nil && m.pkg.Module != "" && obj.Pkg().Path() != m.pkg.Path && !strings.HasPrefix(obj.Pkg().Path(), m.pkg.Module) && obj.Pkg().Path() != "github.com/goassay/assay" {
		return nil // directives in another module do not count
	}
	var do func(m *Machine, st *State, c *call, cond Value) signal
	switch m.notes.Of(m.prog.Fset, obj) {
	case contract.Assume:
		do = doAssume
	case contract.AssumeOrExecuteConcretely:
		do = doAssumeConcretely
	case contract.Assert, contract.Verified:
		do = doAssert
	case contract.Prefer:
		do = doPrefer
	case contract.Assumed:
		do = doAssumed
	default:
		return nil
	}
	at := 0
	i := contract.Condition(fn.Signature)
	for k := range i {
		at += m.types.of(fn.Signature.Params().At(k).Type()).Size
	}
	return func(m *Machine, st *State, c *call) ([]Value, signal) {
		if st.regardless {
			return nil, sigNext
		}
		return nil, do(m, st, c, m.known(c.args[at]))
	}
}

// doAssume executes assay.Assume: the path continues only where the condition holds.
func doAssume(m *Machine, st *State, _ *call, v Value) signal {
	if v.Term == 0 {
		if v.Bits == 0 {
			return m.refuse(st)
		}
		return sigNext
	}
	yes, _ := m.sctx.Branch(st.pc, v.Term)
	if yes == solver.Unsat {
		return m.refuse(st)
	}
	m.sctx.Assume(st.pc, v.Term)
	st.hard = append(st.hard[:len(st.hard):len(st.hard)], v.Term)
	if len(st.assumes) > 0 && !st.handed && !m.assumed(st, term.True) {
		m.handOver(st)
	}
	return sigNext
}

// refuse ends a path on which an Assume does not hold, at once or at its next decision.
func (m *Machine) refuse(st *State) signal {
	if m.cfg.Regardless && st.inTarget() && !st.handed {
		st.regardless = true
		return sigNext
	}
	m.endPath(st, StopAssume, "an Assume does not hold")
	return sigStop
}

// doAssumeConcretely executes assay.AssumeOrExecuteConcretely. The side on which the condition holds comes
// first, and the other side is handed over.
func doAssumeConcretely(m *Machine, st *State, _ *call, v Value) signal {
	switch {
	case v.Term == 0 && v.Bits == 0:
		m.handOver(st)
	case v.Term != 0:
		if !st.handed && (m.seedRefuses(st, v.Term) || !m.assumed(st, v.Term)) {
			m.handOver(st)
		}
		st.assumes = append(st.assumes[:len(st.assumes):len(st.assumes)], v.Term)
	}
	return sigNext
}

// assumed reports whether a condition may hold on a path together with the path's assumptions.
func (m *Machine) assumed(st *State, c term.ID) bool {
	q := m.withAssumptions(st)
	defer q.Release()
	if c == term.True {
		for _, a := range st.assumes {
			if m.sctx.Feasible(q, a) == solver.Unsat {
				return false
			}
		}
		return true
	}
	return m.sctx.Feasible(q, c) != solver.Unsat
}

// handOver gives up the assumptions of a path: its inputs are solved from the hard constraints alone,
// and it comes after all paths on which the assumptions hold. The path is still executed symbolically,
// so that its inputs satisfy each later Assume and other branches lead off it.
func (m *Machine) handOver(st *State) { st.handed = true }

// withAssumptions returns the path condition together with the assumptions. The caller releases it.
func (m *Machine) withAssumptions(st *State) *solver.PathCond {
	q := st.pc.Fork()
	for _, a := range st.assumes {
		m.sctx.Assume(q, a)
	}
	return q
}

// sides returns which sides of a condition are feasible on a path, as Branch does. If a side conflicts with
// an assumption, and not with the hard constraints, it is handed over (as in UTBot): it becomes a path of its
// own without the assumptions, at most maxHandOvers times for each place. The condition of the other side is
// added to the path.
func (m *Machine) sides(st *State, c term.ID) (yes, no solver.Verdict) {
	m.byAssumption = false
	if st.hasPhantom {
		if e := m.phantomIn(c); e != nil {
			m.exactly(e)
		}
	}
	yes, no = m.sctx.Branch(st.pc, c)
	if len(st.assumes) == 0 || st.handed {
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
		m.handOver(st)
	}
	return yes, no
}

// maxHandOvers is how many paths may give up their assumptions at one instruction. There is a bound because
// the user makes an assumption to keep a loop or a large structure from taking all the effort.
const maxHandOvers = 16

// concede hands over the side on which c holds. The state continues on the other side.
func (m *Machine) concede(st *State, c term.ID) {
	m.byAssumption = true
	fr := st.g().top
	at := uint64(fr.fn.ID)<<32 | uint64(uint32(fr.pc))
	if m.conceded[at]++; m.conceded[at] > maxHandOvers {
		m.givenUp++
	} else {
		sib := m.fork(st)
		m.sctx.Assume(sib.pc, c)
		m.handOver(sib)
		m.push(sib)
	}
	m.sctx.Assume(st.pc, m.ts.Not(c))
}

// doAssert executes assay.Assert. Both outcomes are followed, and a violation ends the path, unless the driver wants
// to know what else fails.
func doAssert(m *Machine, st *State, c *call, v Value) signal {
	if m.decide(st, v) {
		return sigNext
	}
	what := ""
	if ps := c.fn.ssa.Signature.Params(); ps.Len() > 1 && m.types.of(ps.At(0).Type()).Kind == KString {
		what, _ = m.concreteString(st, c.args[0], c.args[1])
	}
	if !m.broke(st, st.g().top, "assertion") {
		return sigStop
	}
	if st.driver != nil && st.driver.PastAsserts {
		st.failed = append(slices.Clip(st.failed), contract.Broken(what))
		return sigNext
	}
	m.endPath(st, StopAssert, contract.Broken(what))
	return sigStop
}

// doAssumed executes assay.Assumed. A violation is no fault, but assertions that were verified under the
// assumption are not verified there. Both outcomes are therefore followed, unless a guide keeps account of
// the assumption.
func doAssumed(m *Machine, st *State, _ *call, v Value) signal {
	if m.cfg.Guide == nil || m.cfg.Guide.Orders {
		m.decide(st, v)
	}
	return sigNext
}

// doPrefer executes assay.Prefer.
func doPrefer(_ *Machine, st *State, _ *call, v Value) signal {
	if v.Term != 0 {
		st.prefers = append(st.prefers[:len(st.prefers):len(st.prefers)], v.Term)
	}
	return sigNext
}

// Asserts reports whether a function calls assay.Assert, or a function that is annotated like it.
func Asserts(prog *load.Program, fn *ssa.Function) bool {
	notes := contract.Reader{Source: prog.Source}
	for _, b := range fn.Blocks {
		for _, ins := range b.Instrs {
			call, ok := ins.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil {
				continue
			}
			if obj, ok := call.Call.StaticCallee().Object().(*types.Func); ok && notes.Of(prog.Fset, obj) == contract.Assert {
				return true
			}
		}
	}
	return false
}
