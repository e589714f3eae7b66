package check

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/vm"
)

// call takes a state through a call.
func (a *analysis) call(s *state, v *ssa.Call) {
	c := &v.Call
	if b, ok := c.Value.(*ssa.Builtin); ok {
		a.builtin(s, v, b.Name())
		return
	}
	callee := c.StaticCallee()
	if callee != nil {
		switch a.p.annotation(callee) {
		case contract.Assert, contract.Verified:
			a.asserted(s, v, callee)
			return
		case contract.Assume:
			if cond := condition(c, callee); cond != nil {
				a.refine(s, cond, true)
			}
			return
		case contract.Assumed:
			a.assumed(s, v, callee)
			return
		case contract.Prefer, contract.AssumeOrExecuteConcretely:
			return
		}
	}
	a.callable(s, v, c)
	if s.bottom {
		return
	}
	if callee != nil {
		a.requires(s, v, callee)
	}
	if s.bottom {
		return
	}
	remembered := callee != nil && a.remember(s, v, callee)
	a.effect(s, v, c)
	if callee != nil && neverReturns(callee) {
		s.bottom = true
		return
	}
	if c.Signature().Results().Len() == 1 {
		a.result(s, v, c, 0)
	}
	if callee != nil {
		a.promised(s, v, callee, remembered)
	}
}

// condition returns the argument of an annotation's call that is its condition.
func condition(c *ssa.CallCommon, callee *ssa.Function) ssa.Value {
	i := contract.Condition(callee.Signature)
	if i < 0 || i >= len(c.Args) {
		return nil
	}
	return c.Args[i]
}

// asserted checks an assay.Assert or assay.Verified.
func (a *analysis) asserted(s *state, v *ssa.Call, callee *ssa.Function) {
	cond := condition(&v.Call, callee)
	if cond == nil {
		return
	}
	after := func(s *state) { a.refine(s, cond, true) }
	if a.helps != nil && !a.helps[v] {
		after = nil
	}
	a.check(s, v, Assert, func(s *state) bool { return a.decide(s, cond) == isTrue }, after)
}

// assumed takes the condition of an assay.Assumed for granted.
func (a *analysis) assumed(s *state, v *ssa.Call, callee *ssa.Function) {
	cond := condition(&v.Call, callee)
	if cond == nil {
		return
	}
	if a.assume(place{ins: v, kind: Declared}, Condition{Kind: vm.CondTrue, X: cond}, func() string { return cmp.Or(a.p.conditionText(v), describe(cond)) }) {
		a.refine(s, cond, true)
	}
}

// callable checks that the called function value is not nil.
func (a *analysis) callable(s *state, ins ssa.Instruction, c *ssa.CallCommon) {
	if c.IsInvoke() || c.StaticCallee() == nil {
		a.checkNotNil(s, ins, NilDereference, c.Value)
	}
}

// effect forgets facts about memory that a call may change.
func (a *analysis) effect(s *state, at ssa.Instruction, c *ssa.CallCommon) {
	callee := c.StaticCallee()
	if callee == nil {
		a.forget(s, &effects{unknown: true, classes: map[class]bool{}}, at, describe(c.Value))
		return
	}
	a.forget(s, a.p.effects.of(callee), at, callee.Name())
}

// deferred takes a state through a defer statement. The deferred call comes later.
func (a *analysis) deferred(s *state, v *ssa.Defer) {
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "close" {
			a.check(s, v, ClosedChannel, func(*state) bool { return false }, nil)
		}
		return
	}
	if v.Call.IsInvoke() {
		a.callable(s, v, &v.Call)
	}
}

func (a *analysis) started(s *state, v *ssa.Go) {
	if _, ok := v.Call.Value.(*ssa.Builtin); ok {
		return
	}
	a.callable(s, v, &v.Call)
	if s.bottom {
		return
	}
	m := effects{unknown: true, classes: map[class]bool{}}
	if callee := v.Call.StaticCallee(); callee != nil {
		m = *a.p.effects.of(callee)
	}
	m.waits = false // only the new goroutine waits
	a.forget(s, &m, v, describeCall(&v.Call, 3))
}

// literals records that an instruction meets the assertions of the function literals that it uses, for
// literals with assertions that are not verified. A literal that captures nothing is an ordinary operand of
// the instruction.
func (a *analysis) literals(ins ssa.Instruction) {
	if a.rec == nil {
		return
	}
	var room [8]*ssa.Value
	for _, v := range ins.Operands(room[:0]) {
		if v == nil {
			continue
		}
		if fn, ok := (*v).(*ssa.Function); ok && fn.Parent() == a.fn && !a.p.harmless(fn) {
			a.rec.assertion(ins, Anonymous, false)
		}
	}
}

// neverReturns reports whether a function of the standard library ends the process or
// the goroutine.
func neverReturns(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return false
	}
	switch obj.FullName() {
	case "os.Exit", "runtime.Goexit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln":
		return true
	}
	return false
}

// builtin takes a state through a call of a builtin function.
func (a *analysis) builtin(s *state, v *ssa.Call, name string) {
	args := v.Call.Args
	x := a.symbol(v)
	zo := operand{n: x.value()}
	same := func(o operand, ok bool) {
		if ok {
			s.atMost(zo, o, 0)
			s.atMost(o, zo, 0)
			s.restrict(x.value(), interval{0, noUpper})
		}
	}
	switch name {
	case "len":
		if isMap(args[0].Type()) {
			a.mapLen(s, v, args[0])
			return
		}
		if isChan(args[0].Type()) {
			// Another goroutine may change the length of the channel before the next instruction.
			if n, ok := a.capacityOf(s, args[0]); ok {
				s.atMost(zo, n, 0)
			}
		}
		same(a.lengthOf(s, args[0]))
		if !s.bottom {
			s.restrict(x.value(), interval{0, noUpper})
		}
	case "cap":
		same(a.capacityOf(s, args[0]))
		if n, ok := a.lengthOf(s, args[0]); ok {
			s.atMost(n, zo, 0)
		}
		if !s.bottom {
			s.restrict(x.value(), interval{0, noUpper})
		}
	case "copy":
		s.restrict(x.value(), interval{0, noUpper})
		for _, arg := range args {
			if n, ok := a.lengthOf(s, arg); ok {
				s.atMost(zo, n, 0)
			}
		}
		a.elements(s, args[0])
	case "append":
		a.appended(s, v, args)
		a.elements(s, args[0])
	case "clear":
		if isMap(args[0].Type()) {
			a.changeMap(s, v, args[0], mapChange{empties: true})
			return
		}
		a.elements(s, args[0])
	case "delete":
		a.changeMap(s, v, args[0], mapChange{fewer: 1})
	case "min", "max":
		a.extreme(s, x, args, name == "min")
	case "close":
		a.check(s, v, ClosedChannel, func(*state) bool { return openChannel(args[0], v) }, func(s *state) { a.suppose(s, args[0], nonNil) })
	case "ssa:wrapnilchk":
		a.rename(s, v, args[0])
		a.checkNotNil(s, v, NilDereference, args[0])
	}
}

// elements forgets facts that a builtin may change by writing the elements of a slice.
func (a *analysis) elements(s *state, slice ssa.Value) {
	m := &effects{classes: map[class]bool{}}
	m.builtin("clear", []ssa.Value{slice})
	a.forget(s, m, nil, "")
}

// appended computes append(x, y...), whose length is the sum of both lengths.
func (a *analysis) appended(s *state, v *ssa.Call, args []ssa.Value) {
	x := a.symbol(v)
	n, ok := a.lengthOf(s, args[0])
	if !ok || len(args) < 2 {
		return
	}
	m, ok := a.lengthOf(s, args[1])
	if !ok {
		return
	}
	zo := operand{n: x.length()}
	s.atMost(zo, operand{n: x.size()}, 0)
	in, im := s.intervalOf(n), s.intervalOf(m)
	e := sum(in, im, integer{64, true})
	if a.elemSize(v.Type()) == 0 && e.above {
		// Elements of size zero take no memory, so lengths can be so large that their sum overflows.
		a.check(s, v, NegativeLength, func(*state) bool { return false }, nil)
	}
	if !e.above {
		s.restrict(x.length(), e.interval)
	} else {
		s.restrict(x.length(), interval{e.lo, noUpper})
	}
	each := func(n operand, im interval) {
		if n.is {
			return
		}
		s.atMost(n, zo, -im.lo)
		if im.hi != noUpper {
			s.atMost(zo, n, im.hi)
		}
	}
	each(n, im)
	each(m, in)
	if !s.bottom && (s.interval(x.length()).lo > 0 || s.factOf(args[0]) == nonNil) {
		s.facts[x] = nonNil
	}
}

func (a *analysis) extreme(s *state, x symbol, args []ssa.Value, least bool) {
	if a.ints[x].bits == 0 {
		return
	}
	out := interval{noUpper, noUpper}
	if !least {
		out = interval{noLower, noLower}
	}
	for _, arg := range args {
		o, ok := a.operand(arg)
		if !ok {
			return
		}
		i := s.intervalOf(o)
		if least {
			out = interval{min(out.lo, i.lo), min(out.hi, i.hi)}
			s.atMost(operand{n: x.value()}, o, 0)
		} else {
			out = interval{max(out.lo, i.lo), max(out.hi, i.hi)}
			s.atMost(o, operand{n: x.value()}, 0)
		}
	}
	if !s.bottom {
		s.restrict(x.value(), out)
	}
}

// openChannel reports whether a channel is certainly not closed: the function makes it, and nothing but the
// function's own sends and receives uses it.
func openChannel(ch ssa.Value, at ssa.Instruction) bool {
	mk, ok := ch.(*ssa.MakeChan)
	if !ok {
		return false
	}
	for _, r := range *mk.Referrers() {
		switch r := r.(type) {
		case *ssa.Send:
			if r.X == ch {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Call:
			b, ok := r.Call.Value.(*ssa.Builtin)
			if !ok {
				return false
			}
			if b.Name() == "close" && mayPrecede(r, at) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// mayPrecede reports whether an instruction may be executed before another one.
func mayPrecede(x, y ssa.Instruction) bool {
	if x.Block() != y.Block() {
		return purity.LeadsTo(x.Block(), y.Block())
	}
	return inLoop(x.Block()) || slices.Index(x.Block().Instrs, x) < slices.Index(y.Block().Instrs, y)
}

func inLoop(b *ssa.BasicBlock) bool {
	for _, s := range b.Succs {
		if purity.LeadsTo(s, b) {
			return true
		}
	}
	return false
}
