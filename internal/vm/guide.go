package vm

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/solver"
)

// A Guide is a verifier's knowledge about functions. It leads the exploration (Christakis, Müller, Wüstholz,
// ICSE 2016). It consists of assumptions, whose conditions are evaluated where they were made, of assertions
// with the conditions under which they were verified, and of conditions under which the following code is
// worth executing.
//
// Identifiers of assumptions are local to an activation. Whether the assumptions behind a function's contract
// held is passed to its caller when the function returns (StepPromise). Steps that guide (Assume, TryFirst)
// and assertions that are met count in the outermost activation of the unit only, because the verifier is
// modular and judges callees separately.
type Guide struct {
	// Unit is the function that is guided.
	Unit *ssa.Function
	// Funcs are the functions with assertions, the unit among them.
	Funcs map[*ssa.Function]*GuidedFunc
	// Trust makes the machine believe the verifier: a violation of an assertion whose premise holds is no
	// path.
	Trust bool
	// Orders says that the guide only orders the search by TryFirst. Assertions and assumptions then
	// mean the same as without a guide.
	Orders bool
	// Interrupts is how many states a TryFirst may put off. Further states continue.
	Interrupts int
}

// GuidedFunc is the verifier's knowledge about one function.
type GuidedFunc struct {
	IDs int // how many identifiers there are
	// Contract says that a contract limits the inputs for which the function is verified. For a call
	// that breaks the contract nothing counts as verified.
	Contract bool
	Steps    map[ssa.Instruction][]GuideStep
	// Asserted are the assertions of an instruction, by kind of panic ("" for those of annotations),
	// and their premises.
	Asserted map[ssa.Instruction][]GuidedAssertion
}

// GuidedAssertion is an assertion of an instruction.
type GuidedAssertion struct {
	Index   int
	Kind    string // as testcase.Panic.Kind
	Premise Cubes
}

// StepKind is the kind of a step.
type StepKind uint8

// The kinds of steps.
const (
	StepAssumed  StepKind = iota // ID := ID && Cond
	StepMet                      // an assertion is met: note whether its Premise holds
	StepAssume                   // end the path if Premise holds, because the rest is verified
	StepTryFirst                 // put the state off if Premise does not hold
	StepPromise                  // the function returns: note whether the Premise of its contract holds
)

// GuideStep is something to do before an instruction, or after it.
type GuideStep struct {
	Kind      StepKind
	After     bool
	ID        int
	Cond      GuideCond
	Assertion int
	Premise   Cubes
}

// Cubes is a disjunction of conjunctions of identifiers: i stands for identifier i-1, and -i for its
// negation. Without any conjunction it is false, and with an empty one it is true.
type Cubes [][]int

// guided is the part of a guide that a compiled function needs.
type guided struct {
	f    *GuidedFunc
	base int32 // register of the first identifier
	unit bool
}

// guideStart emits the initialisation of a function's identifiers.
func (c *compiler) guideStart() {
	g := c.m.cfg.Guide
	if g == nil {
		return
	}
	f := g.Funcs[c.fn]
	if f == nil {
		return
	}
	c.f.guide = &guided{f: f, base: c.temp(f.IDs), unit: c.fn == g.Unit}
	n := int32(f.IDs)
	base := c.f.guide.base
	c.slow(func(_ *Machine, st *State, fr *Frame, _ *Instr) signal {
		for i := range n {
			fr.regs[base+i] = boolean(true)
		}
		st.promise = promise{}
		return sigNext
	}, 0, nil)
}

// guideSteps emits the steps before or after an instruction.
func (c *compiler) guideSteps(ins ssa.Instruction, after bool) {
	g := c.f.guide
	if g == nil {
		return
	}
	for _, s := range g.f.Steps[ins] {
		if s.After != after {
			continue
		}
		switch s.Kind {
		case StepAssumed:
			eval := c.condition(ins, s.Cond)
			r := g.base + int32(s.ID)
			c.slow(func(m *Machine, st *State, fr *Frame, _ *Instr) signal {
				if v := fr.regs[r]; v.Term != 0 || v.Bits != 0 {
					fr.regs[r] = m.and(v, eval(m, st, fr))
				}
				return sigNext
			}, 0, nil)
		case StepPromise:
			fn := c.fn
			c.slow(func(m *Machine, st *State, fr *Frame, _ *Instr) signal {
				st.promise = promise{fn, m.cubes(fr, g, s.Premise)}
				return sigNext
			}, 0, nil)
		case StepMet:
			if g.unit {
				c.slow((*Machine).doMet, 0, &stepData{g, s})
			}
		case StepAssume:
			if g.unit {
				c.slow((*Machine).doGuideAssume, 0, &stepData{g, s})
			}
		case StepTryFirst:
			if g.unit {
				c.slow((*Machine).doTryFirst, 0, &stepData{g, s})
			}
		}
	}
}

// promise says whether the assumptions behind a function's contract held when the function returned.
type promise struct {
	by   *ssa.Function // nil if no guided function has returned since one was entered
	held Value
}

// stepData is a step as an instruction has it.
type stepData struct {
	g *guided
	s GuideStep
}

// outermost reports whether a frame is the activation of the unit by the driver's last call.
func (st *State) outermost(fr *Frame) bool {
	if st.init || st.cur != 0 || st.call != len(st.driver.Calls)-1 || fr.viaDefer {
		return false
	}
	if fr.parent == nil {
		return true
	}
	c := &st.driver.Calls[st.call]
	return c.Checked != nil && fr.parent.parent == nil && fr.parent.fn.ssa == c.Checked
}

// cubes evaluates a condition over identifiers.
func (m *Machine) cubes(fr *Frame, g *guided, cs Cubes) Value {
	out := boolean(false)
	for _, cube := range cs {
		v := boolean(true)
		for _, lit := range cube {
			if lit > 0 {
				v = m.and(v, fr.regs[g.base+int32(lit-1)])
			} else {
				v = m.and(v, m.not(fr.regs[g.base+int32(-lit-1)]))
			}
		}
		out = m.not(m.and(m.not(out), m.not(v)))
	}
	return out
}

// metNode is an assertion that a path met, with its premise at that moment.
type metNode struct {
	prev      *metNode
	assertion int
	premise   Value
	trail     trail // the decisions before
}

// doMet notes that the path meets an assertion.
func (m *Machine) doMet(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*stepData)
	if !st.outermost(fr) {
		return sigNext
	}
	v := m.cubes(fr, d.g, d.s.Premise)
	if v.Term == 0 && v.Bits != 0 {
		return sigNext
	}
	// In a loop the same assertions are met repeatedly.
	for n, k := st.met, 0; n != nil && k < maxMetSearch; n, k = n.prev, k+1 {
		if n.assertion == d.s.Assertion && n.premise == v {
			return sigNext
		}
	}
	st.met = &metNode{st.met, d.s.Assertion, v, st.trail}
	st.trail.share()
	return sigNext
}

// maxMetSearch is how many entries doMet looks back for the same assertion.
const maxMetSearch = 64

// doGuideAssume ends the path if everything that follows is verified.
func (m *Machine) doGuideAssume(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*stepData)
	if !st.outermost(fr) {
		return sigNext
	}
	v := m.not(m.cubes(fr, d.g, d.s.Premise))
	if v.Term != 0 {
		if yes, _ := m.sctx.Branch(st.pc, v.Term); yes != solver.Unsat {
			m.sctx.Assume(st.pc, v.Term)
			return sigNext
		}
	} else if v.Bits != 0 {
		return sigNext
	}
	m.endPath(st, StopPruned, "what follows is verified")
	return sigStop
}

// doTryFirst puts a state off if its inputs do not satisfy a condition.
func (m *Machine) doTryFirst(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*stepData)
	if !st.outermost(fr) || st.tried == ins || m.interrupts >= m.cfg.Guide.Interrupts {
		st.tried = nil
		return sigNext
	}
	v := m.cubes(fr, d.g, d.s.Premise)
	if v.Term != 0 {
		yes, no := m.sctx.Branch(st.pc, v.Term)
		switch {
		case yes == solver.Sat && no == solver.Sat:
			sib := m.fork(st)
			m.sctx.Assume(sib.pc, m.ts.Not(v.Term))
			m.sctx.Assume(st.pc, v.Term)
			sib.deferred, sib.tried = true, ins
			m.interrupts++
			m.push(sib)
			return sigNext
		case yes != solver.Unsat:
			return sigNext
		}
	} else if v.Bits != 0 {
		return sigNext
	}
	m.interrupts++
	st.deferred, st.tried = true, ins
	panic(turnOver{})
}

// Deferred reports whether a state was put off when it was pushed, so that a searcher takes all others
// first. It then resets that.
func (st *State) Deferred() bool {
	d := st.deferred
	st.deferred = false
	return d
}

// violation is an assertion that a path broke.
type violation struct {
	fn      *ssa.Function
	index   int
	premise Value
}

// broke notes which assertion of a guided function an instruction broke, by the kind of the panic. It reports
// whether the path continues. It does not if a trusted verifier says that the assertion cannot be broken.
func (m *Machine) broke(st *State, fr *Frame, kind string) bool {
	if m.cfg.Guide == nil || m.cfg.Guide.Orders || fr == nil || st.init {
		return true
	}
	g := fr.fn.guide
	if g == nil || int(fr.pc) >= len(fr.fn.sites) || fr.fn.sites[fr.pc] < 0 {
		return true
	}
	if len(st.failed) > 0 && kind != "assertion" {
		return true // the execution would have ended at the assertion that failed
	}
	for _, a := range g.f.Asserted[m.sites[fr.fn.sites[fr.pc]].ins] {
		if a.Kind != kind {
			continue
		}
		p := m.cubes(fr, g, a.Premise)
		if g.f.Contract && !(g.unit && st.outermost(fr)) {
			p = boolean(false)
		}
		st.violated = &violation{fr.fn.ssa, a.Index, p}
		if m.broken == nil {
			m.broken = map[BrokenAssertion]bool{}
		}
		m.broken[BrokenAssertion{fr.fn.ssa, a.Index}] = true
		if !m.cfg.Guide.Trust || p.Term == 0 && p.Bits == 0 {
			return true
		}
		if p.Term != 0 {
			not := m.ts.Not(p.Term)
			if yes, _ := m.sctx.Branch(st.pc, not); yes != solver.Unsat {
				m.sctx.Assume(st.pc, not)
				return true
			}
		}
		m.endPath(st, StopVerified, "the verifier excludes it")
		return false
	}
	if kind != "other" {
		m.unlisted = append(m.unlisted, fmt.Sprintf("%s: %s at %s", fr.fn.Name, kind, m.prog.Fset.Position(fr.fn.pos[fr.pc])))
	}
	return true
}

// Unlisted are the panics at instructions of guided functions for which the verifier has no assertion,
// and which therefore cannot be verified.
func (m *Machine) Unlisted() []string { return m.unlisted }

// Violation is the assertion of a guided function that a path broke: the function and the assertion's index.
// The result canHold says that the assertion's premise may hold although the assertion is broken, which
// proves the verifier wrong.
func (m *Machine) Violation(p *Path) (fn *ssa.Function, index int, canHold, ok bool) {
	v := p.State.violated
	if v == nil {
		return nil, 0, false, false
	}
	canHold = v.premise.Bits != 0
	if v.premise.Term != 0 {
		canHold = m.sctx.Feasible(p.State.pc, v.premise.Term) == solver.Sat
	}
	return v.fn, v.index, canHold, true
}

// BrokenAssertion is an assertion of a guided function, by its index, that some path broke.
type BrokenAssertion struct {
	Func  *ssa.Function
	Index int
}

// TakeBroken returns the assertions that paths broke since the last call, whether the path ended there,
// recovered from the panic, or ended later for another reason.
func (m *Machine) TakeBroken() map[BrokenAssertion]bool {
	out := m.broken
	m.broken = nil
	return out
}

// Functions are functions of the program.
type Functions []*ssa.Function

// Entered lists the functions that paths went through, except those of initialisers and the machine's
// own.
func (m *Machine) Entered() Functions {
	var out Functions
	for _, f := range m.funcs {
		if f.entered && f.ssa != nil {
			out = append(out, f.ssa)
		}
	}
	return out
}

// Met lists the assertions of the unit that a path met while their premises did not
// hold, under a solution, each once, the last first. Prefix identifies the decisions
// before the last one: paths that differ only behind it have the same.
func (m *Machine) Met(p *Path, s *Solution) (out []int, prefix uint64) {
	seen := map[int]bool{}
	for n := p.State.met; n != nil; n = n.prev {
		v := n.premise
		holds := v.Bits != 0
		if v.Term != 0 {
			holds = m.ts.Eval(v.Term, s.Model) != 0
		}
		if !holds && len(out) == 0 {
			prefix = uint64(n.assertion) + 1
			for _, d := range n.trail.decisions() {
				prefix = prefix*0x100000001b3 ^ uint64(d)
			}
		}
		if !holds && !seen[n.assertion] {
			seen[n.assertion] = true
			out = append(out, n.assertion)
		}
	}
	return out, prefix
}

// MetAny reports whether a path met an assertion whose premise may not hold.
func (p *Path) MetAny() bool { return p.State.met != nil }

// Partial reports whether a path stands for more executions than it followed, because one of several values,
// or one of several orders of goroutines, was picked.
func (p *Path) Partial() bool { return p.State.picked || p.State.approx }

// Failed lists the clauses and assertions that a path went past although they fail, as Reason names them.
func (p *Path) Failed() []string { return p.State.failed }

// Unknowns counts the decisions of which one side was given up because the solver did not answer.
func (m *Machine) Unknowns() int { return m.unknowns }
