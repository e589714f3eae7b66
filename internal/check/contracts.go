package check

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
)

// A contract is code: a function run that assumes the requirements of fn, remembers old values, calls
// fn, and asserts what fn ensures (package contract). The analysis of fn begins with the part of run
// before the call, and at each return continues with the part behind it. A call of fn from another
// function is checked against the requirements, and behind the call the caller takes for granted that
// fn keeps its promises (promised.go).

// contracts executes the part of a contract before the call of the function under analysis.
func (a *analysis) contracts(s *state) {
	run := a.p.wrapper(a.fn)
	if run == nil {
		return
	}
	for i, p := range run.Params {
		a.rename(s, p, a.fn.Params[i])
	}
	a.before(s, run, a.fn)
}

// before steps through run up to its call of fn, if the call is in the first block. What the old values of clauses need, an index
// that is in range, say, the call does not have: where such a value cannot be had, the clause says nothing, and the function
// is called all the same. If the analysis is for the function itself, it has no old values therefore (see Program.once).
func (a *analysis) before(s *state, run, fn *ssa.Function) {
	required := false // the requirements are assumed, and old values follow
	for _, ins := range run.Blocks[0].Instrs {
		if s.bottom || callOf(ins, fn) || required && a.noOlds {
			return
		}
		if step := func() { a.step(s, ins) }; !required {
			a.silently(step)
		} else if !a.harmlessly(step) {
			a.oldsMayFail = true
		}
		if c, ok := ins.(*ssa.Call); ok {
			callee := c.Call.StaticCallee()
			required = required || callee != nil && a.p.annotation(callee) == contract.Assume
		}
	}
}

// silently runs f without recording the assertions that f meets, because they are not the function's own.
func (a *analysis) silently(f func()) {
	if a.rec == nil {
		f()
		return
	}
	a.rec.mute++
	f()
	a.rec.mute--
}

// harmlessly runs f silently and reports whether all assertions on the way hold.
func (a *analysis) harmlessly(f func()) bool {
	rec := a.rec
	if rec == nil {
		a.rec = newRecorder()
	}
	failed := false
	outer := a.rec.failed
	a.rec.failed = &failed
	a.silently(f)
	a.rec.failed = outer
	if outer != nil && failed {
		*outer = true
	}
	a.rec = rec
	return !failed
}

// callOf reports whether an instruction is the call of fn.
func callOf(ins ssa.Instruction, fn *ssa.Function) bool {
	c, ok := ins.(*ssa.Call)
	return ok && c.Call.StaticCallee() == fn
}

// ensures executes, at a return, the part of a contract behind the call.
func (a *analysis) ensures(s *state, ret *ssa.Return) {
	run := a.p.wrapper(a.fn)
	if run == nil || ret.Parent() != a.fn {
		return
	}
	a.behind(s.clone(), returned{run: run, fn: a.fn, results: ret.Results, clause: func(t *state, c *ssa.Call, what string) {
		if a.rec == nil {
			return
		}
		word, _, _ := strings.Cut(what, " ")
		k := assertionKey{ins: c, kind: Kind(word)}
		cond := condition(&c.Call, c.Call.StaticCallee())
		a.rec.add(k, a.decide(t, cond) == isTrue)
		a.rec.clauses[k] = what
	}})
}

// returned is a call in a contract's function, and what to do with the states behind the call.
type returned struct {
	run, fn *ssa.Function // the contract's function, and the function that it calls
	results []ssa.Value   // the results of the call
	clause  func(s *state, c *ssa.Call, text string)
	end     func(*state) // nil does nothing
}

// behind steps through the part of r.run behind its call of r.fn. It passes to r.clause each clause that is
// asserted, with the state there, and to r.end the states at the end. If the call is not in the first block,
// run has no clauses here.
func (a *analysis) behind(s *state, r returned) {
	first := r.run.Blocks[0]
	at := 0
	for at < len(first.Instrs) && !callOf(first.Instrs[at], r.fn) {
		at++
	}
	if at == len(first.Instrs) {
		return
	}
	c := first.Instrs[at].(*ssa.Call)
	if len(r.results) == 1 {
		a.rename(s, c, r.results[0])
	}
	for _, user := range *c.Referrers() {
		if e, ok := user.(*ssa.Extract); ok && e.Index < len(r.results) {
			a.rename(s, e, r.results[e.Index])
		}
	}
	do := func(st *state, ins ssa.Instruction) bool {
		if ins.Block() == first && indexOf(ins) <= at {
			return true
		}
		if e, ok := ins.(*ssa.Extract); ok && e.Tuple == ssa.Value(c) {
			return true
		}
		if _, ok := ins.(*ssa.RunDefers); ok {
			return true // what is deferred is for calls without old values, which are not these
		}
		if _, ok := ins.(*ssa.Return); ok {
			if r.end != nil {
				r.end(st)
			}
			return true
		}
		if c, ok := ins.(*ssa.Call); ok {
			if callee := c.Call.StaticCallee(); callee != nil && a.p.annotation(callee) == contract.Assert && len(c.Call.Args) == 2 {
				r.clause(st, c, stringConst(c.Call.Args[0]))
			}
		}
		return false
	}
	a.silently(func() { a.walk(r.run, s, do) })
}

func indexOf(ins ssa.Instruction) int {
	for i, x := range ins.Block().Instrs {
		if x == ins {
			return i
		}
	}
	return -1
}

// maxWalked is how many states a walk keeps apart at one block.
const maxWalked = 16

// walk takes a state through the blocks of a loop-free function other than the one under analysis. It
// follows each path by itself, because conditions with && and || are phis of the branches that they
// make. If do handles an instruction, the instruction is not executed.
func (a *analysis) walk(fn *ssa.Function, entry *state, do func(*state, ssa.Instruction) bool) {
	states := map[*ssa.BasicBlock][]*state{fn.Blocks[0]: {entry}}
	for _, b := range ReversePostorder(fn) {
		if b == fn.Recover {
			continue
		}
		for _, st := range states[b] {
			for _, ins := range b.Instrs {
				if !st.bottom && !do(st, ins) && !st.bottom {
					a.step(st, ins)
				}
			}
			for k, succ := range b.Succs {
				if st.bottom {
					break
				}
				out := st.clone()
				if br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && b.Succs[0] != b.Succs[1] {
					a.refine(out, br.Cond, k == 0)
				}
				if out.bottom {
					continue
				}
				out = a.cross(out, b, succ, k)
				if n := len(states[succ]); n >= maxWalked {
					states[succ][n-1] = states[succ][n-1].join(out)
				} else {
					states[succ] = append(states[succ], out)
				}
			}
		}
	}
}

// requires checks the callee's requirements at a call. The state behind the call does not assume that they
// hold, because an execution that breaks a requirement goes on.
func (a *analysis) requires(s *state, v *ssa.Call, callee *ssa.Function) {
	run := a.p.wrapper(callee)
	if run == nil || a.rec == nil || a.rec.mute > 0 {
		return
	}
	t := a.bind(s, run, v.Call.Args)
	for _, ins := range run.Blocks[0].Instrs {
		c, ok := ins.(*ssa.Call)
		if !ok || c.Call.StaticCallee() == callee || c.Call.StaticCallee() == nil {
			return
		}
		if a.p.annotation(c.Call.StaticCallee()) == contract.Assume {
			k := assertionKey{ins: v, kind: Requires}
			a.rec.add(k, a.decide(t, c.Call.Args[0]) == isTrue)
			a.rec.clauses[k] = "what " + callee.Name() + " requires"
			return
		}
		a.silently(func() { a.step(t, ins) })
	}
}

// bind returns a state in which the parameters of a contract's function equal the arguments. Nothing is known
// there of its other values, because facts about these may come from another call.
func (a *analysis) bind(s *state, run *ssa.Function, args []ssa.Value) *state {
	out := a.newState()
	ours := func(x symbol) bool {
		v := a.values[x]
		return v == nil || v.Parent() != run
	}
	s.project(out, ours)
	var moves []move
	for _, l := range a.sortedMemory(s) {
		c := s.memory[l]
		switch {
		case !ours(a.places[l].base):
		case ours(s.root(c.symbol())):
			out.memory[l] = content{sym: s.root(c.symbol())}
		default:
			// Content that an earlier walk through run has read stays known under another symbol.
			j := a.joinSymbol(run.Blocks[0], l)
			moves = append(moves, move{dst: j, from: s.root(c.symbol())})
			out.memory[l] = content{sym: j}
		}
	}
	a.assign(s, out, moves, ours)
	for i, p := range run.Params {
		if i < len(args) {
			a.rename(out, p, args[i])
		}
	}
	return out
}

// inlined refines a state by the result of a call of a contract's own function. It walks through the
// function, which is small and has no loops.
func (a *analysis) inlined(s *state, c *ssa.Call, value bool) {
	fn := c.Call.StaticCallee()
	if fn == nil || !contract.Ours(fn.Name()) || contract.Runs(fn.String()) || len(fn.Blocks) == 0 || fn == a.fn {
		return
	}
	var result *state
	returns := a.harmlessly(func() {
		result = a.outcome(s, fn, c.Call.Args, value)
	})
	switch {
	case !value && fn.Recover != nil && !returns:
		// A panic may make the result false in any state.
	case result == nil:
		s.bottom = true
	default:
		*s = *result
	}
}

// outcome returns the state behind a function of a contract in which its result is value, or nil if its
// result never is.
func (a *analysis) outcome(s *state, fn *ssa.Function, args []ssa.Value, value bool) (result *state) {
	a.walk(fn, a.bind(s, fn, args), func(st *state, ins ssa.Instruction) bool {
		switch ins := ins.(type) {
		case *ssa.RunDefers, *ssa.Defer:
			return true // the deferred call only recovers
		case *ssa.Return:
			if _, named := ins.Results[0].(*ssa.UnOp); named {
				// The named result is set here; a recovered panic makes it false.
				a.step(st, ins)
			}
			a.refine(st, ins.Results[0], value)
			if !st.bottom {
				result = result.join(st)
			}
			return true
		}
		return false
	})
	return result
}
