package guide

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/vm"
)

// Mode says how verification results guide an exploration. The modes are the configurations of the paper.
type Mode int

// The modes.
const (
	Unguided  Mode = iota // UV: assertions are only observed
	Annotated             // PV: in addition, verified assertions count as verified
	May                   // in addition, executions that must be verified are pruned
	Must                  // instead, they are put behind executions that must lead to unverified assertions
	Both
)

// ModeNames returns the names of the modes, in their order.
func ModeNames() []string { return []string{"none", "annotated", "may", "must", "both"} }

// ParseMode finds a mode by its name.
func ParseMode(name string) (Mode, bool) {
	i := slices.Index(ModeNames(), name)
	return Mode(i), i >= 0
}

// Instrument is a condition that guides at a point of a function: "assume !C" or
// "tryfirst C".
type Instrument struct {
	At       ssa.Instruction // the instruction before which, and before whose annotations, the condition is evaluated
	TryFirst bool
	// Cond is the condition. For an "assume" it is the negated condition C, under which everything behind is
	// verified.
	Cond Formula
}

// Formula is a disjunction of conjunctions of identifiers: i+1 for the i-th
// assumption, -(i+1) for its negation.
type Formula [][]int

func (c cubes) export() Formula {
	out := Formula{}
	for _, x := range c {
		lits := []int{}
		for i := range maxIDs {
			if x.pos>>i&1 != 0 {
				lits = append(lits, i+1)
			}
			if x.neg>>i&1 != 0 {
				lits = append(lits, -(i + 1))
			}
		}
		out = append(out, lits)
	}
	return out
}

// Instruments infers where to guide a function, and how. The parameter after is the premise of the function's
// contract, which is checked when the function has returned.
func Instruments(f *check.Function, mode Mode, after check.Premise) []Instrument {
	if mode < May || len(f.Fn.Blocks) == 0 {
		return nil
	}
	p := boolean(f)
	for _, as := range f.Assertions {
		if as.Kind == check.Anonymous && !as.Premise.Verified() {
			after = check.Premise{} // it is not known when the literal runs
		}
	}
	exit := cubesOf(after)
	ver := p.infer(verified(exit))
	some, all := p.infer(mustAssert(!after.Verified())), p.infer(mustAll(always()))
	if !after.Verified() {
		all = p.infer(mustAll(exit.not()))
	}
	updated := p.updated()
	// Before any identifier has been updated, all are true.
	must := func(b, i int) cubes {
		c := some[b][i].and(all[b][i])
		for id := range min(len(f.Assumptions), maxIDs) {
			if !updated[b][i][id] {
				c = c.with(id, true)
			}
		}
		return c
	}
	var out []Instrument
	for _, b := range p.fn.Blocks {
		if ver[b.Index] == nil {
			continue
		}
		for i, ins := range b.Instrs {
			if _, ok := ins.(*ssa.Phi); ok {
				continue
			}
			// The conditions at the previous points of this block.
			var beforeVer, beforeMust []cubes
			if i == 0 || isPhi(b.Instrs[i-1]) {
				for _, pred := range b.Preds {
					if ver[pred.Index] != nil {
						// The point before the branch itself.
						k := len(pred.Instrs) - 1
						beforeVer = append(beforeVer, ver[pred.Index][k])
						beforeMust = append(beforeMust, must(pred.Index, k))
					}
				}
			} else {
				beforeVer = append(beforeVer, ver[b.Index][i-1])
				beforeMust = append(beforeMust, must(b.Index, i-1))
			}
			entry := b.Index == 0 && i == 0
			v, m := ver[b.Index][i], must(b.Index, i)
			if (mode == Must || mode == Both) && !m.isTrue() && !m.isFalse() && (entry || countEqual(beforeMust, m) < len(beforeMust)) {
				may := v.not()
				for id := range min(len(f.Assumptions), maxIDs) {
					if !updated[b.Index][i][id] {
						may = may.with(id, true)
					}
				}
				if mode == Must || !m.equal(may) {
					out = append(out, Instrument{At: ins, TryFirst: true, Cond: m.export()})
				}
			}
			if mode == May || mode == Both {
				if v.isFalse() || !entry && countEqual(beforeVer, v) == len(beforeVer) {
					continue
				}
				if _, ends := ins.(*ssa.Return); ends && v.isTrue() {
					continue // behind the "assume false" at the end nothing is executed
				}
				out = append(out, Instrument{At: ins, Cond: v.export()})
			}
		}
	}
	return out
}

func countEqual(list []cubes, c cubes) int {
	n := 0
	for _, d := range list {
		if d.equal(c) {
			n++
		}
	}
	return n
}

func isPhi(ins ssa.Instruction) bool {
	_, ok := ins.(*ssa.Phi)
	return ok
}

// updated returns, for each block and instruction, which identifiers an execution may have updated
// before that point. All other identifiers are true there.
func (p *program) updated() [][][]bool {
	n := len(p.fn.Blocks)
	entry := make([][]bool, n)
	for i := range entry {
		entry[i] = make([]bool, maxIDs)
	}
	step := func(cur []bool, ins ssa.Instruction) []bool {
		for _, e := range p.events[ins] {
			if e.update {
				cur = slices.Clone(cur)
				cur[e.id] = true
			}
		}
		return cur
	}
	order := check.ReversePostorder(p.fn)
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			cur := entry[b.Index]
			for _, ins := range b.Instrs {
				cur = step(cur, ins)
			}
			for _, s := range b.Succs {
				for id, u := range cur {
					if u && !entry[s.Index][id] {
						entry[s.Index][id] = true
						changed = true
					}
				}
			}
		}
	}
	out := make([][][]bool, n)
	for _, b := range p.fn.Blocks {
		cur := entry[b.Index]
		for _, ins := range b.Instrs {
			out[b.Index] = append(out[b.Index], cur)
			cur = step(cur, ins)
		}
	}
	return out
}

// For writes the results for a unit, and for other functions of its package, in the form that the machine
// takes. The parameter interrupts is how many states "tryfirst" may put off.
func For(unit *check.Function, others []*check.Function, mode Mode, after check.Premise, interrupts int) *vm.Guide {
	g := &vm.Guide{Unit: unit.Fn, Funcs: map[*ssa.Function]*vm.GuidedFunc{}, Trust: mode >= Annotated, Interrupts: interrupts}
	for _, f := range others {
		if f.Fn != unit.Fn && len(f.Fn.Blocks) > 0 {
			g.Funcs[f.Fn] = guided(f, nil)
		}
	}
	if len(unit.Fn.Blocks) > 0 {
		g.Funcs[unit.Fn] = guided(unit, Instruments(unit, mode, after))
	}
	return g
}

// Order returns a guide of a unit that orders a search and does nothing else. It returns nil if there is
// nothing to put first.
func Order(unit *check.Function, interrupts int) *vm.Guide {
	first := Instruments(unit, Must, unit.Contract)
	if len(first) == 0 {
		return nil
	}
	f := guided(unit, first)
	return &vm.Guide{Unit: unit.Fn, Funcs: map[*ssa.Function]*vm.GuidedFunc{unit.Fn: f}, Orders: true, Interrupts: interrupts}
}

// guided returns the machine's directions for a function: where to evaluate assumptions, where
// assertions are met, and the given instruments.
func guided(f *check.Function, guides []Instrument) *vm.GuidedFunc {
	out := &vm.GuidedFunc{IDs: len(f.Assumptions), Contract: f.Contracted, Steps: map[ssa.Instruction][]vm.GuideStep{}, Asserted: map[ssa.Instruction][]vm.GuidedAssertion{}}
	for _, g := range guides {
		if g.TryFirst {
			out.Steps[g.At] = append(out.Steps[g.At], vm.GuideStep{Kind: vm.StepTryFirst, Premise: vm.Cubes(g.Cond)})
		}
	}
	for _, g := range guides {
		if !g.TryFirst {
			out.Steps[g.At] = append(out.Steps[g.At], vm.GuideStep{Kind: vm.StepAssume, Premise: vm.Cubes(g.Cond)})
		}
	}
	first := f.Fn.Blocks[0].Instrs[0]
	for i, as := range f.Assumptions {
		at := as.Instr
		if at == nil {
			at = first
		}
		out.Steps[at] = append(out.Steps[at], vm.GuideStep{Kind: vm.StepAssumed, ID: i, Cond: machineCondition(as.Cond), After: as.Cond.After})
	}
	if f.Contracted {
		for _, b := range f.Fn.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != f.Fn.Recover {
				out.Steps[ret] = append(out.Steps[ret], vm.GuideStep{Kind: vm.StepPromise, Premise: machinePremise(f.Contract)})
			}
		}
	}
	for i, as := range f.Assertions {
		premise := machinePremise(as.Premise)
		if as.Clause == "" {
			out.Asserted[as.Instr] = append(out.Asserted[as.Instr], vm.GuidedAssertion{Index: i, Kind: string(as.Kind), Premise: premise})
		}
		if as.Kind == check.Ensures || as.Kind == check.Invariant {
			// The contract is checked behind the function, so every return meets it.
			for _, b := range f.Fn.Blocks {
				if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !as.Premise.Verified() {
					out.Steps[ret] = append(out.Steps[ret], vm.GuideStep{Kind: vm.StepMet, Assertion: i, Premise: premise})
				}
			}
			continue
		}
		if !as.Premise.Verified() {
			out.Steps[as.Instr] = append(out.Steps[as.Instr], vm.GuideStep{Kind: vm.StepMet, Assertion: i, Premise: premise})
		}
	}
	return out
}

func machinePremise(p check.Premise) vm.Cubes {
	out := vm.Cubes{}
	for _, conj := range p {
		lits := []int{}
		for _, id := range conj {
			lits = append(lits, id+1)
		}
		out = append(out, lits)
	}
	return out
}

func machineCondition(c check.Condition) vm.GuideCond {
	out := vm.GuideCond{Kind: c.Kind, X: c.X, Callee: c.Callee}
	for _, cell := range c.Cells {
		out.Cells = append(out.Cells, [2]ssa.Value{cell.Addr, cell.Value})
	}
	return out
}
