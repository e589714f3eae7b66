package check

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/vm"
)

// start returns the state at the function's entry.
func (a *analysis) start() *state {
	s := a.newState()
	if recv := a.fn.Signature.Recv(); recv != nil && len(a.fn.Params) > 0 {
		if _, ok := recv.Type().Underlying().(*types.Pointer); ok {
			a.presume(s, place{kind: Receiver}, a.fn.Params[0], "the receiver is not nil")
		}
	}
	for i, p := range a.fn.Params {
		if i == 0 && a.fn.Signature.Recv() != nil {
			continue
		}
		switch p.Type().Underlying().(type) {
		case *types.Interface, *types.Signature:
			a.presume(s, place{kind: NonNilArgs, n: i + 1}, p, p.Name()+" is not nil")
		}
	}
	a.contracts(s)
	return s
}

// presume assumes that a parameter is not nil.
func (a *analysis) presume(s *state, p place, v *ssa.Parameter, text string) {
	if a.assume(p, Condition{Kind: vm.CondNotNil, X: v}, func() string { return text }) {
		s.setFact(a.symbol(v), nonNil)
	}
}

// step takes a state through an instruction.
func (a *analysis) step(s *state, ins ssa.Instruction) {
	a.literals(ins)
	switch v := ins.(type) {
	case *ssa.BinOp:
		a.binary(s, v)
	case *ssa.UnOp:
		a.unary(s, v)
	case *ssa.Convert:
		a.convert(s, v)
	case *ssa.ChangeType:
		a.rename(s, v, v.X)
	case *ssa.ChangeInterface:
		a.rename(s, v, v.X)
	case *ssa.MakeInterface:
		s.types[a.symbol(v)] = v.X.Type()
		s.facts[a.symbol(v)] = nonNil
	case *ssa.Store:
		a.dereference(s, v, v.Addr)
		a.store(s, v)
	case *ssa.FieldAddr:
		a.dereference(s, v, v.X)
	case *ssa.IndexAddr:
		if _, ok := v.X.Type().Underlying().(*types.Pointer); ok {
			a.dereference(s, v, v.X)
		}
		a.index(s, v, v.X, v.Index)
	case *ssa.Index:
		a.index(s, v, v.X, v.Index)
	case *ssa.Lookup:
		if _, ok := v.X.Type().Underlying().(*types.Map); !ok {
			a.index(s, v, v.X, v.Index)
		}
	case *ssa.Slice:
		a.slice(s, v)
	case *ssa.SliceToArrayPointer:
		n, _ := arrayLength(v.Type())
		if l, ok := a.lengthOf(s, v.X); ok {
			a.check(s, v, Conversion, func(s *state) bool { return s.intervalOf(l).lo >= n }, func(s *state) { s.addUpperOf(operand{k: n, is: true}, l, 0) })
			if n > 0 {
				s.facts[a.symbol(v)] = nonNil
			}
		}
	case *ssa.MapUpdate:
		a.checkNotNil(s, v, NilMapWrite, v.Map)
		a.changeMap(s, v, v.Map, mapChange{more: 1, least: 1})
	case *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeClosure, *ssa.Alloc:
		a.make(s, v)
	case *ssa.MakeSlice:
		a.makeSlice(s, v)
	case *ssa.TypeAssert:
		a.typeAssert(s, v)
	case *ssa.Send:
		a.check(s, v, ClosedChannel, func(s *state) bool { return openChannel(v.Chan, v) }, nil)
		a.wait(s, v)
	case *ssa.Panic:
		a.check(s, v, ExplicitPanic, func(*state) bool { return false }, nil)
		s.bottom = true
	case *ssa.Extract:
		a.extract(s, v)
	case *ssa.Call:
		a.call(s, v)
	case *ssa.Defer:
		a.deferred(s, v)
	case *ssa.Go:
		a.started(s, v)
	case *ssa.RunDefers:
		a.forget(s, &effects{unknown: true, classes: map[class]bool{}}, v, "a deferred call")
	case *ssa.Select:
		for _, st := range v.States {
			if st.Dir == types.SendOnly {
				a.check(s, v, ClosedChannel, func(*state) bool { return openChannel(st.Chan, v) }, nil)
			}
		}
		a.wait(s, v)
	case *ssa.Return:
		a.ensures(s, v)
	}
}

// check records whether an assertion holds in every state that is possible here. It continues with the states
// in which the assertion holds.
func (a *analysis) check(s *state, ins ssa.Instruction, kind Kind, holds func(*state) bool, after func(*state)) {
	if a.rec != nil && !isPlanted(a.fn, ins.Pos()) {
		a.rec.assertion(ins, kind, holds(s))
	}
	if after != nil && !s.bottom {
		after(s)
		if s.bottom && a.rec != nil && a.rec.mute == 0 {
			a.rec.fails[assertionKey{ins: ins, kind: kind}] = true
		}
	}
}

// checkNotNil records the assertion that a value is not nil.
func (a *analysis) checkNotNil(s *state, ins ssa.Instruction, kind Kind, v ssa.Value) {
	a.check(s, ins, kind, func(s *state) bool { return s.factOf(v) == nonNil }, func(s *state) { a.suppose(s, v, nonNil) })
}

// suppose records that a value is nil, or that it is not nil.
func (a *analysis) suppose(s *state, v ssa.Value, f fact) {
	if known := s.factOf(v); known != 0 {
		if known != f {
			s.bottom = true
		}
		return
	}
	s.setFact(a.symbol(v), f)
}

// dereference checks that an address is not nil.
func (a *analysis) dereference(s *state, ins ssa.Instruction, addr ssa.Value) {
	switch v := addr.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr:
		return // this address is never nil
	case *ssa.FreeVar:
		if capturesVariable(v) {
			return
		}
	}
	a.checkNotNil(s, ins, NilDereference, addr)
}

// index checks an index against a length.
func (a *analysis) index(s *state, ins ssa.Instruction, x, i ssa.Value) {
	n, ok := a.lengthOf(s, x)
	k, ok2 := a.operand(i)
	if !ok || !ok2 {
		a.check(s, ins, Index, func(*state) bool { return false }, nil)
		return
	}
	if k.is && n.is && k.k >= 0 && k.k < n.k {
		return // the compiler has checked the index
	}
	a.check(s, ins, Index, func(s *state) bool {
		return s.intervalOf(k).lo >= 0 && s.diffOf(k, n) <= -1
	}, func(s *state) {
		s.addUpperOf(operand{is: true}, k, 0)
		s.addUpperOf(k, n, -1)
	})
}

// slice checks and computes x[low:high:max].
func (a *analysis) slice(s *state, v *ssa.Slice) {
	if _, ok := v.X.Type().Underlying().(*types.Pointer); ok {
		a.dereference(s, v, v.X)
	}
	a.makeArray(s, v)
	length, ok := a.lengthOf(s, v.X)
	limit, ok2 := a.capacityOf(s, v.X)
	if !ok || !ok2 {
		return
	}
	if !length.is && !limit.is {
		s.addUpperOf(length, limit, 0)
	}
	zero := operand{is: true}
	low, high, top := zero, length, limit
	known := true
	part := func(v ssa.Value, o *operand) {
		if v != nil {
			x, ok := a.operand(v)
			*o, known = x, known && ok
		}
	}
	part(v.Low, &low)
	part(v.High, &high)
	part(v.Max, &top)
	if !known {
		a.check(s, v, Slice, func(*state) bool { return false }, nil)
		return
	}
	if v.Low != nil || v.High != nil || v.Max != nil {
		a.check(s, v, Slice, func(s *state) bool {
			return (v.Low == nil || s.intervalOf(low).lo >= 0) && (v.Low == nil && s.intervalOf(high).lo >= 0 || s.diffOf(low, high) <= 0) &&
				(v.High == nil && v.Max == nil || s.diffOf(high, top) <= 0 || v.Max == nil && s.diffOf(high, length) <= 0) &&
				(v.Max == nil || s.diffOf(top, limit) <= 0)
		}, func(s *state) {
			s.addUpperOf(zero, low, 0)
			s.addUpperOf(low, high, 0)
			s.addUpperOf(high, top, 0)
			s.addUpperOf(top, limit, 0)
		})
	}
	if s.bottom {
		return
	}
	x := a.symbol(v)
	if !isString(v.Type()) {
		if _, ok := v.X.Type().Underlying().(*types.Pointer); ok || s.factOf(v.X) == nonNil {
			s.facts[x] = nonNil
		}
		s.atMost(operand{n: x.length()}, operand{n: x.size()}, 0)
		s.difference(x.size(), top, low)
	}
	s.difference(x.length(), high, low)
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// atMost does the same as addUpperOf for values that this instruction computes.
func (s *state) atMost(x, y operand, c int64) {
	if !s.bottom {
		s.addUpperOf(x, y, c)
	}
}

// difference records z == x - y. The difference is known not to be negative.
func (s *state) difference(z number, x, y operand) {
	if s.bottom {
		return
	}
	zo := operand{n: z}
	if y.is {
		s.atMost(zo, x, -y.k)
		s.atMost(x, zo, y.k)
		return
	}
	iy := s.intervalOf(y)
	if iy.lo != noLower {
		s.atMost(zo, x, -iy.lo)
	}
	if iy.hi != noUpper {
		s.atMost(x, zo, iy.hi)
	}
	if d := s.diffOf(x, y); d != noUpper {
		s.restrict(z, interval{noLower, d})
	}
	if d := s.diffOf(y, x); d != noUpper && d != noLower {
		s.restrict(z, interval{-d, noUpper})
	}
}

// wait handles an operation on channels: other goroutines may run before the operation is over.
func (a *analysis) wait(s *state, at ssa.Instruction) {
	a.forget(s, &effects{waits: true}, at, a.fn.Name())
}

func (a *analysis) make(s *state, ins ssa.Instruction) {
	v := ins.(ssa.Value)
	x := a.symbol(v)
	s.facts[x] = nonNil
	switch v := ins.(type) {
	case *ssa.MakeMap:
		if l, ok := a.lengthPlace(s, v); ok {
			s.memory[l] = content{sym: a.zeroSymbol(s, a.places[l].typ)}
		}
	case *ssa.MakeChan:
		a.makeChan(s, v)
	case *ssa.Alloc:
		// New memory is zero.
		if l, _, ok := a.locate(s, v); ok {
			s.memory[l] = content{sym: a.zeroSymbol(s, elemType(v.Type()))}
		} else if t := elemType(v.Type()); t != nil {
			for _, m := range a.sortedMemory(s) {
				if a.places[m].base == x {
					delete(s.memory, m) // the contents belong to the variable of an earlier iteration
				}
			}
		}
	}
}

// zeroSymbol returns a symbol for the zero value of a type.
func (a *analysis) zeroSymbol(s *state, t types.Type) symbol {
	c, ok := a.zeros[t]
	if !ok {
		c = ssa.NewConst(nil, t)
		if b, basic := t.Underlying().(*types.Basic); basic {
			switch {
			case b.Info()&types.IsInteger != 0:
				c = ssa.NewConst(constant.MakeInt64(0), t)
			case b.Info()&types.IsString != 0:
				c = ssa.NewConst(constant.MakeString(""), t)
			case b.Info()&types.IsBoolean != 0:
				c = ssa.NewConst(constant.MakeBool(false), t)
			}
		}
		a.zeros[t] = c
	}
	a.constantSymbol(s, c)
	x := a.symbol(c)
	if f := s.factOf(c); f != 0 {
		s.facts[x] = f
	}
	return x
}

func (a *analysis) typeAssert(s *state, v *ssa.TypeAssert) {
	if v.CommaOk {
		return
	}
	a.check(s, v, TypeAssertion, func(s *state) bool {
		t, ok := a.dynamicType(s, v.X)
		return ok && satisfies(t, v.AssertedType)
	}, func(s *state) {
		if _, ok := v.AssertedType.Underlying().(*types.Interface); !ok {
			s.types[s.root(a.symbol(v.X))] = v.AssertedType
		}
		if s.factOf(v.X) == 0 {
			s.setFact(a.symbol(v.X), nonNil)
		}
	})
	if _, ok := v.AssertedType.Underlying().(*types.Interface); ok && !s.bottom {
		s.facts[a.symbol(v)] = nonNil
	}
}

func satisfies(t, want types.Type) bool {
	if i, ok := want.Underlying().(*types.Interface); ok {
		return types.Implements(t, i)
	}
	return types.Identical(t, want)
}

// dynamicType returns the dynamic type of an interface value, if it is known.
func (a *analysis) dynamicType(s *state, v ssa.Value) (types.Type, bool) {
	if mi, ok := v.(*ssa.MakeInterface); ok {
		return mi.X.Type(), true
	}
	if _, ok := v.Type().Underlying().(*types.Interface); !ok {
		return nil, false
	}
	t, ok := s.types[s.root(a.symbol(v))]
	return t, ok
}

// rename records that v has the same properties as x, a value of another type.
func (a *analysis) rename(s *state, v, x ssa.Value) {
	y, z := a.symbol(v), s.root(a.symbol(x))
	if c, ok := x.(*ssa.Const); ok {
		a.constantSymbol(s, c)
		if f := s.factOf(c); f != 0 {
			s.facts[z] = f
		}
	}
	if y != z {
		a.copyOf(s, y, z, v.Type())
	}
	if f := s.factOf(x); f != 0 {
		s.facts[z] = f
	}
}

func (a *analysis) extract(s *state, v *ssa.Extract) {
	x := a.symbol(v)
	switch t := v.Tuple.(type) {
	case *ssa.Next:
		if t.IsString && v.Index == 1 {
			s.restrict(x.value(), interval{0, noUpper})
			// go/ssa extracts the index only in the block where the iterator has returned an element.
			if n, ok := a.lengthOf(s, t.Iter.(*ssa.Range).X); ok && v.Block() != t.Block() {
				s.atMost(operand{n: x.value()}, n, -1)
			}
		}
		if t.IsString && v.Index == 2 {
			s.restrict(x.value(), interval{0, 0x10FFFF})
		}
	case *ssa.Select:
		if v.Index == 0 {
			s.restrict(x.value(), interval{-1, int64(len(t.States) - 1)})
		}
	case *ssa.Call:
		a.result(s, v, &t.Call, v.Index)
	}
}

// unary computes an operation on one operand.
func (a *analysis) unary(s *state, v *ssa.UnOp) {
	switch v.Op {
	case token.MUL:
		a.dereference(s, v, v.X)
		if !s.bottom {
			a.load(s, v)
		}
	case token.SUB:
		a.negate(s, v)
	case token.NOT:
		switch a.decide(s, v.X) {
		case isTrue:
			s.facts[a.symbol(v)] = isFalse
		case isFalse:
			s.facts[a.symbol(v)] = isTrue
		}
	case token.ARROW:
		a.wait(s, v)
	}
}
