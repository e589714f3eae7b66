package guide

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/vm"
)

// This file infers conditions. It works on a boolean program: the function with identifiers as its only
// variables, in which everything else is nondeterministic (Christakis, Müller, Wüstholz, ICSE 2016,
// "Condition inference"):
//
//	wp(assert verified A, R)  =  A && R
//	wp(a := a && *, R)        =  R && R[a := false]
//	may                       =  !wp(..., true)
//	mustAssert(assert ..., R) =  true
//	mustAll(assert A, R)      =  !A && R
//	must                      =  mustAssert(..., false) && mustAll(..., true)
//
// The identifiers' initialisation, a := true, is at the function's entry, so nothing is inferred before it.
// Fully verified assertions are no part of the boolean program.

// transformer defines how a condition is computed backwards.
type transformer struct {
	exit   cubes // the condition behind a return
	panics cubes // the condition behind a panic
	assert func(a, r cubes) cubes
}

// event is a statement of the boolean program. It stands before an instruction or, if after is set, behind
// the instruction.
type event struct {
	after   bool
	update  bool // an update of identifier id, and otherwise an assertion
	id      int
	index   int // the index of the assertion
	premise cubes
}

// program is the boolean program of a function: its events, by block and instruction.
type program struct {
	fn     *ssa.Function
	events map[ssa.Instruction][]event
}

// boolean returns the boolean program of a function.
func boolean(f *check.Function) *program {
	p := &program{fn: f.Fn, events: map[ssa.Instruction][]event{}}
	first := f.Fn.Blocks[0].Instrs[0]
	for i, as := range f.Assumptions {
		if i >= maxIDs {
			break
		}
		if as.Cond.Kind == vm.CondHolds {
			continue // the assumption holds always: a := a && true changes nothing
		}
		e := event{update: true, id: i, after: as.Cond.After}
		at := as.Instr
		if at == nil {
			at = first
		}
		p.events[at] = append(p.events[at], e)
	}
	for i, as := range f.Assertions {
		if as.Premise.Verified() {
			continue
		}
		p.events[as.Instr] = append(p.events[as.Instr], event{index: i, premise: cubesOf(as.Premise)})
	}
	return p
}

// at lists the events before or after an instruction, in their order. An assumption that is made at an
// instruction comes before the assertion there, because the instruction's own check may rely on it.
func (p *program) at(ins ssa.Instruction, after bool) []event {
	var out []event
	for _, e := range p.events[ins] {
		if e.after == after {
			out = append(out, e)
		}
	}
	return out
}

// infer computes the condition at each point: before[b][i] is the condition before the i-th instruction of
// block b and its events, and before[b][len] is the condition at the end of the block.
func (p *program) infer(t transformer) [][]cubes {
	n := len(p.fn.Blocks)
	entry := make([]cubes, n)
	for i := range entry {
		entry[i] = always() // iteration from above leads to the greatest fixed point
	}
	end := func(b *ssa.BasicBlock) cubes {
		if len(b.Succs) == 0 {
			if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
				return t.exit
			}
			if p.fn.Recover != nil {
				return t.panics.and(entry[p.fn.Recover.Index])
			}
			return t.panics
		}
		r := entry[b.Succs[0].Index]
		for _, s := range b.Succs[1:] {
			r = r.and(entry[s.Index])
		}
		return r
	}
	order := check.ReversePostorder(p.fn)
	slices.Reverse(order)
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			r := end(b)
			for i := len(b.Instrs) - 1; i >= 0; i-- {
				r = p.back(t, b.Instrs[i], r)
			}
			if !r.equal(entry[b.Index]) {
				entry[b.Index] = r
				changed = true
			}
		}
	}
	out := make([][]cubes, n)
	for _, b := range order {
		list := make([]cubes, len(b.Instrs)+1)
		r := end(b)
		list[len(b.Instrs)] = r
		for i := len(b.Instrs) - 1; i >= 0; i-- {
			r = p.back(t, b.Instrs[i], r)
			list[i] = r
		}
		out[b.Index] = list
	}
	return out
}

// back takes a condition backwards over an instruction.
func (p *program) back(t transformer, ins ssa.Instruction, r cubes) cubes {
	for _, after := range []bool{true, false} {
		list := p.at(ins, after)
		for i := len(list) - 1; i >= 0; i-- {
			e := list[i]
			if e.update {
				r = r.and(r.with(e.id, false))
			} else {
				r = t.assert(e.premise, r)
			}
		}
	}
	return r
}

// verified returns the transformer of the condition under which everything that follows is verified. The
// parameter exit is this condition behind the function, where its contract is checked.
func verified(exit cubes) transformer {
	return transformer{exit, always(), func(a, r cubes) cubes { return a.and(r) }}
}

// mustAssert returns the transformer of the condition under which every execution meets an assertion that is
// not fully verified. The parameter exit says whether such an assertion follows the function.
func mustAssert(exit bool) transformer {
	r := cubes{}
	if exit {
		r = always()
	}
	return transformer{r, cubes{}, func(cubes, cubes) cubes { return always() }}
}

// mustAll returns the transformer of the condition under which all assertions that follow are unverified.
func mustAll(exit cubes) transformer {
	return transformer{exit, always(), func(a, r cubes) cubes { return a.not().and(r) }}
}
