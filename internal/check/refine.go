package check

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/gosyntax"
)

// refine narrows a state to the executions in which a condition has the given value.
func (a *analysis) refine(s *state, cond ssa.Value, value bool) {
	if s.bottom {
		return
	}
	want := isFalse
	if value {
		want = isTrue
	}
	if f := s.factOf(cond); f != 0 {
		if f != want {
			s.bottom = true
		}
		return
	}
	s.facts[s.root(a.symbol(cond))] = want
	a.implied(s, cond, value)
}

// implied narrows a state by the truth of a condition, according to the instruction that computed the
// condition.
func (a *analysis) implied(s *state, cond ssa.Value, value bool) {
	want := isFalse
	if value {
		want = isTrue
	}
	switch v := cond.(type) {
	case *ssa.UnOp:
		switch v.Op {
		case token.NOT:
			a.refine(s, v.X, !value)
		case token.MUL:
			// A loaded boolean equals the boolean that was stored.
			if r := s.root(a.symbol(v)); r != a.symbol(v) && a.values[r] != nil {
				a.implied(s, a.values[r], value)
			}
		}
	case *ssa.BinOp:
		a.compare(s, v, value)
	case *ssa.Extract:
		if t, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 1 && value {
			if _, iface := t.AssertedType.Underlying().(*types.Interface); !iface {
				s.types[s.root(a.symbol(t.X))] = t.AssertedType
			}
			a.suppose(s, t.X, nonNil)
		}
	case *ssa.Call:
		a.inlined(s, v, value)
	case *ssa.Phi:
		// If a phi of constants and one other value has the wanted truth, it may follow that the other value
		// has this truth. This is wrong if that value comes from an earlier iteration, because its operands
		// have other values now.
		var other ssa.Value
		for i, e := range v.Edges {
			f := fact(0)
			if c, ok := e.(*ssa.Const); ok {
				f = s.factOf(c)
			}
			switch {
			case f == want:
				return
			case f != 0:
			case other != nil && other != e, v.Block().Dominates(v.Block().Preds[i]):
				return
			default:
				other = e
			}
		}
		if other == nil {
			s.bottom = true
		} else if other != v {
			a.refine(s, other, value)
		}
	}
}

// compare narrows a state by a comparison.
func (a *analysis) compare(s *state, v *ssa.BinOp, value bool) {
	op := v.Op
	if !value {
		var comparison bool
		if op, comparison = gosyntax.Negated(op); !comparison {
			return
		}
	}
	if isReference(v.X.Type()) {
		a.compareNil(s, v, op)
		return
	}
	if isBoolean(v.X.Type()) {
		for _, p := range [2][2]ssa.Value{{v.X, v.Y}, {v.Y, v.X}} {
			if f := s.factOf(p[1]); f != 0 {
				a.refine(s, p[0], (f == isTrue) == (op == token.EQL))
				return
			}
		}
		return
	}
	if isString(v.X.Type()) && op == token.EQL {
		if x, ok := a.lengthOf(s, v.X); ok {
			if y, ok := a.lengthOf(s, v.Y); ok {
				s.addUpperOf(x, y, 0)
				s.addUpperOf(y, x, 0)
			}
		}
		return
	}
	if isString(v.X.Type()) && op == token.NEQ {
		for _, p := range [2][2]ssa.Value{{v.X, v.Y}, {v.Y, v.X}} {
			if x, ok := a.lengthOf(s, p[0]); ok && x.is && x.k == 0 {
				if y, ok := a.lengthOf(s, p[1]); ok {
					s.addUpperOf(operand{k: 1, is: true}, y, 0)
				}
			}
		}
		return
	}
	x, ok := a.operand(v.X)
	y, ok2 := a.operand(v.Y)
	if !ok || !ok2 {
		return
	}
	switch op {
	case token.LSS:
		s.addUpperOf(x, y, -1)
	case token.LEQ:
		s.addUpperOf(x, y, 0)
	case token.GTR:
		s.addUpperOf(y, x, -1)
	case token.GEQ:
		s.addUpperOf(y, x, 0)
	case token.EQL:
		s.addUpperOf(x, y, 0)
		if !s.bottom {
			s.addUpperOf(y, x, 0)
		}
	case token.NEQ:
		a.unequal(s, x, y)
	}
}

// unequal narrows a state to the executions in which two numbers differ. A bound that would make them equal
// becomes strict.
func (a *analysis) unequal(s *state, x, y operand) {
	if k, ok := s.intervalOf(y).constant(); ok && k == 0 && !x.is {
		a.excludeZero(s, x)
	}
	if k, ok := s.intervalOf(x).constant(); ok && k == 0 && !y.is && !s.bottom {
		a.excludeZero(s, y)
	}
	if s.bottom {
		return
	}
	low, high := s.diffOf(x, y) <= 0, s.diffOf(y, x) <= 0
	if low && high {
		s.bottom = true
		return
	}
	if low {
		s.addUpperOf(x, y, -1)
	}
	if high && !s.bottom {
		s.addUpperOf(y, x, -1)
	}
}

func (a *analysis) compareNil(s *state, v *ssa.BinOp, op token.Token) {
	if op != token.EQL && op != token.NEQ {
		return
	}
	x, y := v.X, v.Y
	if s.factOf(y) != isNil {
		x, y = y, x
	}
	switch {
	case s.factOf(y) == isNil:
		if op == token.EQL {
			a.suppose(s, x, isNil)
			if hasLength(x.Type()) && !s.bottom {
				if n, ok := a.lengthOf(s, x); ok {
					s.addUpperOf(n, operand{is: true}, 0)
				}
			}
		} else {
			a.suppose(s, x, nonNil)
		}
	case op == token.EQL && s.factOf(y) == nonNil:
		a.suppose(s, x, nonNil)
	case op == token.EQL && s.factOf(x) == nonNil:
		a.suppose(s, y, nonNil)
	case op == token.NEQ && s.root(a.symbol(x)) == s.root(a.symbol(y)) && !isInterface(x.Type()):
		s.bottom = true
	}
}

func isInterface(t types.Type) bool {
	_, ok := t.Underlying().(*types.Interface)
	return ok
}

// decide says whether a condition is certainly true or certainly false.
func (a *analysis) decide(s *state, cond ssa.Value) fact {
	if f := s.factOf(cond); f != 0 {
		return f
	}
	no := s.clone()
	a.refine(no, cond, false)
	if no.bottom {
		return isTrue
	}
	yes := s.clone()
	a.refine(yes, cond, true)
	if yes.bottom {
		return isFalse
	}
	return 0
}
