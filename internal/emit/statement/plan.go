package statement

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// Plan decides which results are written where. Each statement for which always is true is written as a
// statement of its own.
func (s *Script) Plan(always func(i int) bool) {
	for i := s.Case.TargetStmt(); i < s.End; i++ {
		for r := range s.Types[i] {
			ref := testcase.Ref{Stmt: i, Result: r}
			if s.IsTold(ref) {
				continue // its parts are read instead
			}
			for _, made := range s.MadeObjects(ref) {
				s.Keep[made] = true // what comes out is compared with it
			}
		}
	}
	s.findLive(always)
	s.moveIntoUsers(always)
	s.keepShort()
}

// PlanRow does the same as Plan for the row of a table, which has room for long values but not for variables.
func (s *Script) PlanRow() {
	s.rows = true
	never := func(int) bool { return false }
	s.findLive(never)
	s.moveIntoUsers(never)
}

// findLive marks the statements that have an effect, and those whose results such statements use.
func (s *Script) findLive(always func(int) bool) {
	for i := s.End - 1; i >= 0; i-- {
		st := s.Seq.At(i)
		if s.folded[i] {
			continue // a builder takes the place of this statement
		}
		s.live[i] = s.live[i] || IsCall(st.Op) || always(i) || i == s.End-1
		for r := range s.Types[i] {
			s.live[i] = s.live[i] || s.Keep[testcase.Ref{Stmt: i, Result: r}]
		}
		if !s.live[i] {
			continue
		}
		for _, a := range st.Args {
			s.live[a.Stmt] = true
			s.Uses[a]++
		}
	}
}

// moveIntoUsers marks the statements that may be written inside the statement that uses them. Constants may
// always be. Other values may be if they are used once, and statements with an effect if no other effect
// comes between them and their user.
func (s *Script) moveIntoUsers(always func(int) bool) {
	at := make([]int, s.End) // where the statement is evaluated
	user := make([]int, s.End)
	for i := range s.End {
		at[i], user[i] = i, -1
		if s.live[i] {
			for _, a := range s.Seq.At(i).Args {
				user[a.Stmt] = i
			}
		}
	}
	nextEffect := s.End
	for i := s.End - 1; i >= 0; i-- {
		op := s.Seq.At(i).Op
		if !s.live[i] {
			continue
		}
		next := nextEffect
		if s.HasEffect(op) {
			nextEffect = i
		}
		ref := testcase.Ref{Stmt: i}
		switch {
		case s.builders[i] != nil && s.Uses[ref] == 1:
			s.inline[i] = true
		case s.takesOwnAddress(i), s.calledThrough(i):
			s.inline[i], s.receives[i] = true, true // p.Get() rather than q := &p; q.Get(), or q := p.(*T); q.Get()
		case always(i) || s.Keep[ref] || user[i] < 0 || s.variableOnly(i):
		case (op.Kind == testcase.OpZero || op.Kind == testcase.OpAddr) && s.receiver(i, user[i]) && !s.rows:
			// Written as var l *List; l.Len() rather than (*List)(nil).Len().
		case op.Kind == testcase.OpLiteral && (len(op.Lit.Str) <= 24 || s.Uses[ref] == 1) || op.Kind == testcase.OpZero || op.Kind == testcase.OpGlobal:
			s.inline[i] = !s.breaksConstant(i, user[i])
		case op.Kind == testcase.OpConvert && gosyntax.IsAny(op.Type) && s.Seq.At(s.Seq.At(i).Args[0].Stmt).Op.Kind == testcase.OpLiteral:
			s.inline[i] = true // a place that takes any value takes the constant as it is
		case s.Seq.At(user[i]).Op.Kind == testcase.OpClosure:
			// A closure uses the value each time that it is called.
		case s.HasEffect(op) && op.Kind != testcase.OpField && s.receiver(i, user[i]) && !s.chained(i, user[i]):
			// Written as b := New(1); b.Enqueue(2) rather than New(1).Enqueue(2).
		case len(s.Types[i]) != 1 || s.Uses[ref] != 1 || StatementsOnly(s.Seq.At(i)):
		case !s.HasEffect(op) || next >= at[user[i]] || next == user[i]: // in f(New()) nothing comes between
			s.inline[i] = true
		}
		if s.inline[i] {
			at[i] = at[user[i]]
		}
	}
}

// Lengths of the longest expressions that are written inside others.
const (
	maxInlineCall  = 40
	maxInlineValue = 72
)

// keepShort gives variables to values that would make their users hard to read.
func (s *Script) keepShort() {
	s.measuring = true
	defer func() { s.measuring = false }()
	for i := range s.End {
		op := s.Seq.At(i).Op
		if !s.inline[i] || !s.live[i] || op.Kind == testcase.OpZero || op.Kind == testcase.OpGlobal {
			continue
		}
		var n int
		s.Attempt(func() { n = len(s.Op(i, s.place(i)).Text) })
		if HasEffect(op) && n > maxInlineCall || n > maxInlineValue && s.usedByCall(i) {
			s.inline[i] = false
		}
	}
}

// place returns the type that the user of statement i asks for, as far as this affects the length of
// the text.
func (s *Script) place(i int) types.Type {
	if len(s.Types[i]) == 0 {
		return nil
	}
	return s.Types[i][0]
}

// usedByCall reports whether a call or an assignment uses statement i.
func (s *Script) usedByCall(i int) bool {
	for j := i + 1; j < s.End; j++ {
		if !s.live[j] {
			continue
		}
		for _, a := range s.Seq.At(j).Args {
			if a.Stmt == i {
				return IsCall(s.Seq.At(j).Op)
			}
		}
	}
	return false
}

// takesOwnAddress reports whether statement i takes the address of what a call returned only to call methods on it or to set its
// fields, which the variable itself allows.
func (s *Script) takesOwnAddress(i int) bool {
	st := s.Seq.At(i)
	if st.Op.Kind != testcase.OpAddr || s.rows || s.Keep[testcase.Ref{Stmt: i}] {
		return false
	}
	of := st.Args[0]
	if k := s.Seq.At(of.Stmt).Op.Kind; k != testcase.OpFunc && k != testcase.OpMethod || s.Uses[of] != 1 || s.Keep[of] || types.IsInterface(s.Types[of.Stmt][of.Result]) {
		return false
	}
	return s.onlyReceiver(i, func(*types.Func) bool { return true }) || s.onlyVariable(i)
}

// onlyVariable reports whether statement i is the address of a struct whose fields the test sets, and all its uses are ones that a
// variable has as well: a.Style = 1; f(a) rather than p := &a; p.Style = 1; f(*p).
func (s *Script) onlyVariable(i int) bool {
	sets := false
	for j := i + 1; j < s.End; j++ {
		if !s.live[j] {
			continue
		}
		u := s.Seq.At(j)
		for k, a := range u.Args {
			switch {
			case a.Stmt != i:
			case k == 0 && u.Op.Kind == testcase.OpSetField:
				sets = true
			case k > 0 || u.Op.Kind != testcase.OpDeref && u.Op.Kind != testcase.OpField && u.Op.Kind != testcase.OpMethod || u.Op.Via != nil:
				return false
			}
		}
	}
	return sets
}

// calledThrough reports whether statement i is the value in an interface, and nothing but the receiver of methods that the
// interface has as well.
func (s *Script) calledThrough(i int) bool {
	st := s.Seq.At(i)
	if st.Op.Kind != testcase.OpAssert || s.rows || s.Keep[testcase.Ref{Stmt: i}] {
		return false
	}
	behind := s.TypeOf(st.Args[0])
	return s.onlyReceiver(i, func(method *types.Func) bool {
		m, _, _ := types.LookupFieldOrMethod(behind, false, method.Pkg(), method.Name())
		return m != nil
	})
}

// onlyReceiver reports whether all uses of statement i are as the receiver of a method for which fits is true.
func (s *Script) onlyReceiver(i int, fits func(*types.Func) bool) bool {
	used := false
	for j := i + 1; j < s.End; j++ {
		if !s.live[j] {
			continue
		}
		u := s.Seq.At(j)
		for k, a := range u.Args {
			if a.Stmt != i {
				continue
			}
			if k > 0 || u.Op.Kind != testcase.OpMethod || u.Op.Via != nil || !fits(u.Op.Func) {
				return false
			}
			used = true
		}
	}
	return used
}

// chained reports whether a method is called on nothing but what statement i makes, and what it returns takes the place of that:
// NewParams().InsCost(3) is how such calls are written.
func (s *Script) chained(i, user int) bool {
	st := s.Seq.At(user)
	ref := testcase.Ref{Stmt: user}
	return s.Uses[testcase.Ref{Stmt: i}] == 1 && len(s.Types[user]) == 1 && s.Uses[ref] > 0 && !s.Keep[ref] && types.Identical(s.Types[user][0], s.TypeOf(st.Args[0]))
}

// receiver reports whether statement i makes the pointer that its user calls a method
// on.
func (s *Script) receiver(i, user int) bool {
	st := s.Seq.At(user)
	if st.Op.Kind != testcase.OpMethod || st.Args[0].Stmt != i || st.Op.Via != nil {
		return false
	}
	_, ok := s.Types[i][0].Underlying().(*types.Pointer)
	return ok
}

// variableOnly reports whether the value of statement i needs a variable: because a user calls a
// pointer method on it, or because a user takes its address and the value is another variable's, which
// must stay as it is.
func (s *Script) variableOnly(i int) bool {
	for j := i + 1; j < s.End; j++ {
		st := s.Seq.At(j)
		if !s.live[j] || !slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return a.Stmt == i }) {
			continue
		}
		if s.IsAddressed(i, j) || s.receives[j] || st.Op.Kind == testcase.OpAddr && s.Seq.At(i).Op.Kind == testcase.OpGlobal {
			return true
		}
	}
	return false
}

// IsAddressed reports whether statement user calls a pointer method on the value of statement i, which is
// possible for variables only.
func (s *Script) IsAddressed(i, user int) bool {
	st := s.Seq.At(user)
	if st.Op.Kind != testcase.OpMethod || st.Args[0].Stmt != i {
		return false
	}
	_, byPointer := types.Unalias(st.Op.Func.Signature().Recv().Type()).(*types.Pointer)
	switch s.Types[i][st.Args[0].Result].Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return false
	}
	return byPointer
}

// breaksConstant reports whether a constant must be a variable. As the operand of a conversion Go would
// convert the constant at compile time, which may not compile or may give another value.
func (s *Script) breaksConstant(i, user int) bool {
	op, u := s.Seq.At(i).Op, s.Seq.At(user).Op
	if u.Kind != testcase.OpConvert || op.Kind != testcase.OpLiteral {
		return false
	}
	from, to := gofile.Basic(op.Type), gofile.Basic(u.Type)
	if to == nil {
		return false // []byte("x") and any(3) are fine
	}
	if from.Info()&types.IsString != 0 || from.Info()&types.IsBoolean != 0 {
		return false
	}
	v := int64(op.Lit.Bits)
	small := from.Info()&types.IsInteger != 0 && v >= 0 && v <= 127
	return !(small && to.Info()&types.IsNumeric != 0) && !types.Identical(from, to)
}
