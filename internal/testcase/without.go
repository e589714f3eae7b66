package testcase

import "go/types"

// Without says about which calls a check is asked that compares an object with one to which an element was not given.
type Without struct {
	// Put is the method that gives an element to an object. The call that is asked about takes the same element out.
	Put *types.Func
	// Between are the methods that may be called after that call of Put. What other methods do to the element is not known: they
	// may freeze the object, or take back what was done.
	Between []*types.Func
}

// AskWithout returns the sequence that asks a check about the sequence's last call, a call of a method with an element that an earlier call
// has put into the receiver. The object is made twice: as the sequence makes it, and without that earlier call. So the check can see
// that the element was not there otherwise, as it might be in a list with equal elements. AskWithout returns nil if the check
// is not about the call.
func (s *Sequence) AskWithout(c *Check) *Sequence {
	last, n := s.Last(), s.Len()-1
	if last.Op.Kind != OpMethod || !sameMethod(last.Op.Func, c.Object) || len(last.Args) != 2 {
		return nil
	}
	all := s.ResultTypes()
	object, element := last.Args[0], last.Args[1]
	if !types.Identical(all[object.Stmt][object.Result], c.Params[0]) || !types.Identical(all[element.Stmt][element.Result], c.Params[2]) {
		return nil
	}
	put := s.onlyPut(c.Without, object, element)
	if put < 0 {
		return nil
	}
	keep := make([]bool, n)
	for i := range keep {
		keep[i] = i != put
	}
	made := s.Prefix(n)
	other, ok := made.Keep(keep)
	if !ok {
		return nil // what the call returned is used
	}
	at := other.Len()
	stmts := made.AppendTo(other.AppendTo(nil))
	args := []Ref{object, {object.Stmt + at, object.Result}, {element.Stmt + at, element.Result}}
	return NewSequence(append(stmts, Statement{Op: &Operation{Kind: OpCheck, Check: c}, Args: args})...)
}

// onlyPut returns the number of the only statement that puts an element into an object, or -1 if there are none or several, or if other
// methods than those that may be were called on the object since.
func (s *Sequence) onlyPut(w *Without, object, element Ref) int {
	put := -1
	for i := range s.Len() - 1 {
		st := s.At(i)
		if put >= 0 && !s.leavesElement(i, w, object) {
			return -1
		}
		if st.Op.Kind != OpMethod || !sameMethod(st.Op.Func, w.Put) || len(st.Args) < 2 || st.Args[0] != object || !s.sameValue(st.Args[1], element) {
			continue
		}
		if put >= 0 {
			return -1
		}
		put = i
	}
	return put
}

// leavesElement reports whether a statement does not use an object, or calls a method that may be called between the putting of an element
// and the call that takes it out.
func (s *Sequence) leavesElement(i int, w *Without, object Ref) bool {
	st := s.At(i)
	for k, a := range st.Args {
		if a != object {
			continue
		}
		ok := false
		for _, f := range w.Between {
			ok = ok || k == 0 && st.Op.Kind == OpMethod && sameMethod(st.Op.Func, f)
		}
		if !ok {
			return false
		}
	}
	return true
}

// sameMethod reports whether two methods are the same, also as methods of instances of a generic type.
func sameMethod(f *types.Func, o types.Object) bool {
	g, ok := o.(*types.Func)
	return ok && f != nil && f.Origin() == g.Origin()
}

// sameValue reports whether two results are one value, or the same constant.
func (s *Sequence) sameValue(a, b Ref) bool {
	if a == b {
		return true
	}
	if !s.IsConstant(a) || !s.IsConstant(b) {
		return false
	}
	x, y := s.At(a.Stmt), s.At(b.Stmt)
	if x.Op.Kind == OpConvert && y.Op.Kind == OpConvert && types.Identical(x.Op.Type, y.Op.Type) {
		x, y = s.At(x.Args[0].Stmt), s.At(y.Args[0].Stmt)
	}
	return x.Op.Kind == OpLiteral && y.Op.Kind == OpLiteral && types.Identical(x.Op.Type, y.Op.Type) && x.Op.Lit == y.Op.Lit
}

// isMadeWithout reports whether the objects of a check with Without, in the sequence's last statement, are made as AskWithout makes them.
func (s *Sequence) isMadeWithout() bool {
	last := s.Last()
	size := s.Len() / 2 // of the statements that make the second object
	from := s.Len() - 1 - size
	if from < 0 || len(last.Args) != 3 || last.Args[1].Stmt < from || last.Args[2].Stmt < from {
		return false
	}
	stmts := make([]Statement, 0, size+1)
	for i := from; i < s.Len()-1; i++ {
		st := s.At(i)
		args := make([]Ref, len(st.Args))
		for k, a := range st.Args {
			if a.Stmt < from {
				return false
			}
			args[k] = Ref{a.Stmt - from, a.Result}
		}
		stmts = append(stmts, Statement{st.Op, args})
	}
	f, _ := last.Op.Check.Object.(*types.Func)
	call := Statement{&Operation{Kind: OpMethod, Func: f}, []Ref{{last.Args[1].Stmt - from, last.Args[1].Result}, {last.Args[2].Stmt - from, last.Args[2].Result}}}
	asked := NewSequence(append(stmts, call)...).AskWithout(last.Op.Check)
	return asked != nil && asked.Dump() == s.Dump()
}
