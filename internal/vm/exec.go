package vm

import (
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// exec runs an instruction that is not in the switch of run. An operation that the machine does not support
// panics with an unsupported value, which ends the path.
func (m *Machine) exec(st *State, fr *Frame, ins *Instr) (sig signal) {
	defer func() {
		if r := recover(); r != nil {
			sig = m.recovered(st, r)
		}
	}()
	switch ins.Op {
	case opSlow:
		return ins.slow(m, st, fr, ins)
	case opCall:
		return m.doCall(st, fr, ins)
	case opReturn:
		return m.doReturn(st, fr, ins)
	case opAlloc:
		fr.regs[ins.D] = ptr(m.newVariable(st, ins.data.(*Type)), 0)
		return sigNext
	case opLoad, opLoad1:
		return m.doLoad(st, fr, ins)
	case opStore, opStore1:
		return m.doStore(st, fr, ins)
	case opFieldAddr:
		return m.doFieldAddr(st, fr, ins)
	case opIndexAddrSlice, opIndexAddrArray:
		return m.doIndexAddr(st, fr, ins)
	case opIf, opIfEq, opIfNe, opIfLtS, opIfLeS, opIfLtU, opIfLeU:
		return m.doIf(st, fr, ins)
	case opShl, opShrS, opShrU:
		return m.doShift(st, fr, ins)
	case opQuoS, opQuoU, opRemS, opRemU:
		return m.doDivide(st, fr, ins)
	case opLen:
		fr.regs[ins.D] = m.known(fr.regs[ins.A])
		return sigNext
	case opNeg, opCom, opNot, opTrunc, opSext:
		fr.regs[ins.D] = m.unary(ins, fr.regs[ins.A])
		return sigNext
	default:
		return m.doArith(st, fr, ins)
	}
}

// recovered turns a Go panic into the end of the path, if it is one of ours.
func (m *Machine) recovered(st *State, r any) signal {
	switch r := r.(type) {
	case unsupported:
		m.endPath(st, StopUnsupported, string(r))
	case pathEnd:
		m.endPath(st, r.stop, r.reason)
	case turnOver:
	case goPanic:
		return m.startPanic(st, r.rec)
	default:
		panic(r)
	}
	return sigStop
}

// pathEnd as a panic value ends the path.
type pathEnd struct {
	stop   Stop
	reason string
}

// goPanic as a panic value makes the running instruction panic in the program.
type goPanic struct{ rec *panicRec }

// termOf returns the term of a cell of width w.
func (m *Machine) termOf(v Value, w int) term.ID {
	if v.Lazy == poison {
		panic(unsupported("a value that the machine could not compute"))
	}
	if v.Term != 0 {
		return v.Term
	}
	return m.ts.Const(w, v.Bits)
}

// value makes a cell from a term. The cell is concrete if the term is constant.
func (m *Machine) value(t term.ID) Value {
	if b, ok := m.ts.IsConst(t); ok {
		return Value{Bits: b}
	}
	return Value{Term: t}
}

// branch decides a condition (a term of width 1) on this path. If both sides are feasible the state forks.
// The other state starts again at the present instruction, which then decides the same way without asking,
// because the condition is implied. An instruction must therefore change nothing before its last branch.
func (m *Machine) branch(st *State, c term.ID) bool {
	if b, ok := m.ts.IsConst(c); ok {
		return b != 0
	}
	yes, no := m.sides(st, c)
	switch {
	case yes == solver.Unsat && no == solver.Unsat:
		panic(pathEnd{StopInfeasible, ""})
	case no == solver.Unsat:
		if yes == solver.Unknown {
			// It is not known whether an input takes this path, but it is the only one left.
			m.sctx.Assume(st.pc, c)
		}
		return true
	case yes == solver.Unsat:
		if no == solver.Unknown {
			m.sctx.Assume(st.pc, m.ts.Not(c))
		}
		return false
	case yes == solver.Unknown && no == solver.Unknown:
		panic(pathEnd{StopSolver, "the solver gave up on " + m.ts.String(c)})
	case yes == solver.Unknown:
		m.unknowns++
		m.sctx.Assume(st.pc, m.ts.Not(c))
		return false
	case no == solver.Unknown:
		m.unknowns++
		m.sctx.Assume(st.pc, c)
		return true
	}
	way := !m.seedRefuses(st, c)
	sib := m.fork(st)
	if !way {
		c = m.ts.Not(c)
	}
	m.sctx.Assume(sib.pc, m.ts.Not(c))
	m.sctx.Assume(st.pc, c)
	m.push(sib)
	if st.forks >= st.turn {
		panic(turnOver{})
	}
	return way
}

// turnOver as a panic value puts the state back in the middle of an instruction, which the state executes
// again later. Without this an instruction that walks over text of symbolic length would follow that one path
// for ever.
type turnOver struct{}

// fork makes a state for the other side of a decision.
func (m *Machine) fork(st *State) *State {
	if st.regardless {
		panic(pathEnd{StopAssume, ""})
	}
	sib := st.fork()
	sib.seeded = false
	st.forks++
	sib.forks++
	return sib
}

// assume adds a condition that must hold. It ends the path if the condition cannot hold.
func (m *Machine) assume(st *State, c term.ID) {
	if b, ok := m.ts.IsConst(c); ok {
		if b == 0 {
			panic(pathEnd{StopInfeasible, ""})
		}
		return
	}
	yes, _ := m.sctx.Branch(st.pc, c)
	if yes == solver.Unsat {
		panic(pathEnd{StopInfeasible, ""})
	}
	m.sctx.Assume(st.pc, c)
}

// concretize decides which number a cell of width w is, forking over the feasible ones,
// the smallest first.
func (m *Machine) concretize(st *State, v Value, w int) uint64 {
	if v.Term == 0 {
		return m.known(v).Bits
	}
	for {
		n := m.numberFor(st, v.Term, w)
		if m.branch(st, m.ts.Eq(v.Term, m.ts.Const(w, n))) {
			return n
		}
	}
}

// numberFor returns the number that a term is compared with next: on the path of the seeds the number that it
// has there, otherwise the smallest one.
func (m *Machine) numberFor(st *State, t term.ID, w int) uint64 {
	if st.seeded && m.seeds != nil {
		n := m.ts.Eval(t, m.seeds)
		if m.sctx.Feasible(st.pc, m.ts.Eq(t, m.ts.Const(w, n))) == solver.Sat {
			return n
		}
	}
	return m.smallest(st, t, w)
}

// smallest returns the smallest value that a term can have on the path, as far as the solver knows.
func (m *Machine) smallest(st *State, t term.ID, w int) uint64 {
	model, verdict := m.sctx.Model(st.pc)
	if verdict != solver.Sat {
		panic(pathEnd{StopSolver, "no model to choose a value from"})
	}
	hi := m.ts.Eval(t, model)
	atMost := func(n uint64) bool {
		c := m.ts.Ule(t, m.ts.Const(w, n))
		if b, ok := m.ts.IsConst(c); ok {
			return b != 0
		}
		yes, _ := m.sctx.Branch(st.pc, c)
		return yes == solver.Sat
	}
	lo := uint64(0)
	for step := uint64(1); lo < hi; step *= 2 {
		at := lo + step - 1
		if at >= hi {
			break
		}
		if atMost(at) {
			hi = at
			break
		}
		lo = at + 1
	}
	for lo < hi {
		mid := lo + (hi-lo)/2
		if atMost(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return hi
}

// known returns v, which must not be poison.
func (m *Machine) known(v Value) Value {
	if v.Lazy == poison {
		panic(unsupported("a value that the machine could not compute"))
	}
	return v
}

// condition returns the condition of a conditional branch.
func (m *Machine) condition(st *State, fr *Frame, ins *Instr) Value {
	if ins.Op == opIf {
		return m.known(fr.regs[ins.A])
	}
	x, y, w := fr.regs[ins.A], fr.regs[ins.D], int(ins.W)
	switch ins.Op {
	case opIfEq:
		return m.equalCells(st, x, y, w)
	case opIfNe:
		return m.not(m.equalCells(st, x, y, w))
	}
	a, b := m.termOf(x, w), m.termOf(y, w)
	switch ins.Op {
	case opIfLtS:
		return m.value(m.ts.Slt(a, b))
	case opIfLeS:
		return m.value(m.ts.Sle(a, b))
	case opIfLtU:
		return m.value(m.ts.Ult(a, b))
	}
	return m.value(m.ts.Ule(a, b))
}

// doIf decides a conditional branch whose condition is symbolic.
func (m *Machine) doIf(st *State, fr *Frame, ins *Instr) signal {
	var cond Value
	var key memoEntry
	if !key.pure(ins, fr.regs) {
		cond = m.condition(st, fr, ins)
	} else if e, ok := m.memo.find(&key); ok {
		cond = e.value()
	} else {
		cond = m.condition(st, fr, ins)
		m.memo.put(&key, cond)
	}
	if cond.Term == 0 {
		fr.pc = m.take(st, ins, cond.Bits != 0)
		return sigFrame
	}
	c := cond.Term
	yes, no := m.sides(st, c)
	if !st.regardless && yes != no && (yes == solver.Unsat || no == solver.Unsat) {
		if len(st.hard)+len(st.weighed) > 0 && !m.byAssumption {
			m.exclude(st, ins.C, c, no == solver.Unsat)
		}
		m.wish(st, ins.C, c, no == solver.Unsat)
	}
	if yes == solver.Unsat && no == solver.Unsat {
		m.endPath(st, StopInfeasible, "")
		return sigStop
	}
	if (yes == solver.Unknown) && (no == solver.Unknown) {
		m.endPath(st, StopSolver, "the solver gave up on "+m.ts.String(c))
		return sigStop
	}
	if yes == solver.Unknown || no == solver.Unknown {
		m.unknowns++
	}
	if yes == solver.Sat && no == solver.Sat {
		way, n := true, int(ins.C)<<2
		if m.seedRefuses(st, c) {
			way, c = false, m.ts.Not(c)
			n++ // the other side is the one where the condition holds
		}
		sib := m.fork(st)
		m.weigh(st, sib, ins.C, c)
		m.sctx.Assume(sib.pc, m.ts.Not(c))
		sib.decided(ins.C, !way)
		sib.fresh = m.sites[ins.C].own && m.uncovered(n)
		sib.gs[sib.cur].top.pc = m.take(sib, ins, !way)
		m.sctx.Assume(st.pc, c)
		st.decided(ins.C, way)
		fr.pc = m.take(st, ins, way)
		m.push(sib)
		return sigFrame
	}
	taken := yes == solver.Sat
	if yes == solver.Unknown || no == solver.Unknown {
		if taken {
			m.sctx.Assume(st.pc, c)
		} else {
			m.sctx.Assume(st.pc, m.ts.Not(c))
		}
	}
	st.decided(ins.C, taken)
	fr.pc = m.take(st, ins, taken)
	return sigFrame
}

// decided adds a decision to the trail, unless take does so.
func (st *State) decided(site int32, taken bool) {
	if !st.m.sites[site].asks || !st.inTarget() {
		st.trail.push(&st.m.recycler, site, taken)
	}
}

// went adds a branch, or whether a map has a key, to the way of the target's call.
func (st *State) went(n uint64) { st.way = (st.way ^ (n + 1)) * 0x9E3779B97F4A7C15 }

// inTarget reports whether the driver's last call is running, in whatever goroutine.
func (st *State) inTarget() bool {
	return !st.init && st.driver != nil && st.call == len(st.driver.Calls)-1
}

// endPath ends the path.
func (m *Machine) endPath(st *State, stop Stop, reason string) {
	if st.regardless {
		stop, reason = StopAssume, "an Assume does not hold"
	}
	st.stop, st.reason = stop, reason
}
