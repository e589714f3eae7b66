package emit

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// script writes one sequence as the body of a test: it decides which results are written where they are
// used and which get a variable, and writes the statements.
type script struct {
	*writer
	c     *testcase.Case
	seq   *testcase.Sequence
	types [][]types.Type
	end   int // only the statements before end are written

	scope  *gofile.Names
	vars   map[testcase.Ref]string
	uses   map[testcase.Ref]int
	keep   map[testcase.Ref]bool // results that are read after the last statement
	live   []bool
	inline []bool
	// receives says which statements take the address of a variable, or what an interface holds, only for calls on it.
	receives []bool
	// builders has the builder of each statement whose object is made by one expression.
	builders map[int]*builder
	folded   map[int]bool
	flags    map[int][]*types.Const // the flags of literals that are sets of flags
	choices  map[int]*types.Const   // the constants that literals are, where the code tells declared ones apart
	out      strings.Builder
	lines    int // statements written

	asserted int      // assertions written
	changed  []string // the assertions on values that the call changed
	rows     bool     // the sequence becomes a row of a table

	// within is the part of the value that is being asserted. Its fields are found there that mutants have
	// chosen.
	within *testcase.FieldRef

	changing bool // fields that a call has changed are being asserted

	measuring bool // only the length of text counts: variables have no names yet
}

// Lengths of the longest expressions that are written inside others.
const (
	maxInlineCall  = 40
	maxInlineValue = 72
)

// newScript prepares to write the first end statements of the case's sequence.
func newScript(w *writer, c *testcase.Case, end int, scope *gofile.Names) *script {
	s := &script{
		writer: w, c: c, seq: c.Seq, types: c.Seq.ResultTypes(), end: end, scope: scope,
		vars: map[testcase.Ref]string{}, uses: map[testcase.Ref]int{}, keep: map[testcase.Ref]bool{},
		live: make([]bool, c.Seq.Len()), inline: make([]bool, c.Seq.Len()), receives: make([]bool, c.Seq.Len()),
		builders: map[int]*builder{}, folded: map[int]bool{}, flags: map[int][]*types.Const{}, choices: map[int]*types.Const{},
	}
	s.findFlags()
	s.findChoices()
	return s
}

// findChoices notes which literals are declared constants by the place that they are given to.
func (s *script) findChoices() {
	if s.Pkg.Literals == nil || len(s.Pkg.Literals.Choices) == 0 {
		return
	}
	for i, place := range s.seq.Places() {
		op := s.seq.At(i).Op
		for _, c := range s.Pkg.Literals.Choices[place] {
			isNumber := op.Lit.Kind == testcase.LitInt || op.Lit.Kind == testcase.LitUint
			if v, exact := constant.Int64Val(c.Val()); exact && op.Kind == testcase.OpLiteral && isNumber && int64(op.Lit.Bits) == v && s.Reachable(c) {
				s.choices[i] = c
			}
		}
	}
}

// findFlags notes which literals are sets of flags for the function that they are passed to.
func (s *script) findFlags() {
	if s.Pkg.Literals == nil {
		return
	}
	for i := range s.seq.Len() {
		st := s.seq.At(i)
		if st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod {
			continue
		}
		for k, a := range st.Args {
			if flags := s.Pkg.Literals.Flags.Of(st.Op.Func, k-st.Op.FirstParam()); len(flags) > 0 && s.seq.At(a.Stmt).Op.Kind == testcase.OpLiteral {
				s.flags[a.Stmt] = flags
			}
		}
	}
}

// effect reports whether the operation changes or reads something that other statements may change, so
// that its place among them matters.
func effect(op *testcase.Operation) bool {
	switch op.Kind {
	case testcase.OpLiteral, testcase.OpZero, testcase.OpComposite, testcase.OpAddr, testcase.OpConvert, testcase.OpGlobal,
		testcase.OpStubFunc, testcase.OpStubIface, testcase.OpMakeChan, testcase.OpFuncValue, testcase.OpFuncLit, testcase.OpClosure:
		return false
	case testcase.OpFunc, testcase.OpMethod:
		return op.Via != nil || !gosyntax.MakerOf(op.Func.FullName()).Inert
	}
	return true
}

// effect is the same for a statement of this sequence. In a row, a function that changes nothing and returns one value
// may stand where its value is used.
func (s *script) effect(op *testcase.Operation) bool {
	computes := s.rows && op.Kind == testcase.OpFunc && op.Via == nil && s.readsOnly != nil && op.Signature().Results().Len() == 1 && s.readsOnly(op)
	return effect(op) && !computes
}

// printed reports whether the operation calls a method that returns its receiver as text. go vet complains if
// nothing is done with such a text.
func printed(op *testcase.Operation) bool {
	return op.Kind == testcase.OpMethod && printing(op)
}

// printing reports whether the method of an operation, which calls it or makes a function that does, returns its receiver as text.
func printing(op *testcase.Operation) bool {
	if op.Func.Name() != "String" && op.Func.Name() != "Error" {
		return false
	}
	sig := op.Signature()
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Typ[types.String])
}

// call reports whether the operation may stand alone as a statement.
func call(op *testcase.Operation) bool {
	switch op.Kind {
	case testcase.OpFunc, testcase.OpMethod, testcase.OpCallValue:
		return true
	}
	return op.Kind.Assigns()
}

// plan decides which results are written where. Each statement for which always is true is written as a
// statement of its own.
func (s *script) plan(always func(i int) bool) {
	for i := s.c.TargetStmt(); i < s.end; i++ {
		for r := range s.types[i] {
			ref := testcase.Ref{Stmt: i, Result: r}
			if s.told(ref) {
				continue // its parts are read instead
			}
			for _, made := range s.madeObjects(ref) {
				s.keep[made] = true // what comes out is compared with it
			}
		}
	}
	s.findLive(always)
	s.moveIntoUsers(always)
	s.keepShort()
}

// planRow does the same as plan for the row of a table, which has room for long values but not for variables.
func (s *script) planRow() {
	s.rows = true
	never := func(int) bool { return false }
	s.findLive(never)
	s.moveIntoUsers(never)
}

// findLive marks the statements that have an effect, and those whose results such statements use.
func (s *script) findLive(always func(int) bool) {
	for i := s.end - 1; i >= 0; i-- {
		st := s.seq.At(i)
		if s.folded[i] {
			continue // a builder takes the place of this statement
		}
		s.live[i] = s.live[i] || call(st.Op) || always(i) || i == s.end-1
		for r := range s.types[i] {
			s.live[i] = s.live[i] || s.keep[testcase.Ref{Stmt: i, Result: r}]
		}
		if !s.live[i] {
			continue
		}
		for _, a := range st.Args {
			s.live[a.Stmt] = true
			s.uses[a]++
		}
	}
}

// moveIntoUsers marks the statements that may be written inside the statement that uses them. Constants may
// always be. Other values may be if they are used once, and statements with an effect if no other effect
// comes between them and their user.
func (s *script) moveIntoUsers(always func(int) bool) {
	at := make([]int, s.end) // where the statement is evaluated
	user := make([]int, s.end)
	for i := range s.end {
		at[i], user[i] = i, -1
		if s.live[i] {
			for _, a := range s.seq.At(i).Args {
				user[a.Stmt] = i
			}
		}
	}
	nextEffect := s.end
	for i := s.end - 1; i >= 0; i-- {
		op := s.seq.At(i).Op
		if !s.live[i] {
			continue
		}
		next := nextEffect
		if s.effect(op) {
			nextEffect = i
		}
		ref := testcase.Ref{Stmt: i}
		switch {
		case s.builders[i] != nil && s.uses[ref] == 1:
			s.inline[i] = true
		case s.takesOwnAddress(i), s.calledThrough(i):
			s.inline[i], s.receives[i] = true, true // p.Get() rather than q := &p; q.Get(), or q := p.(*T); q.Get()
		case always(i) || s.keep[ref] || user[i] < 0 || s.variableOnly(i):
		case (op.Kind == testcase.OpZero || op.Kind == testcase.OpAddr) && s.receiver(i, user[i]) && !s.rows:
			// Written as var l *List; l.Len() rather than (*List)(nil).Len().
		case op.Kind == testcase.OpLiteral && (len(op.Lit.Str) <= 24 || s.uses[ref] == 1) || op.Kind == testcase.OpZero || op.Kind == testcase.OpGlobal:
			s.inline[i] = !s.breaksConstant(i, user[i])
		case op.Kind == testcase.OpConvert && gosyntax.IsAny(op.Type) && s.seq.At(s.seq.At(i).Args[0].Stmt).Op.Kind == testcase.OpLiteral:
			s.inline[i] = true // a place that takes any value takes the constant as it is
		case s.seq.At(user[i]).Op.Kind == testcase.OpClosure:
			// A closure uses the value each time that it is called.
		case s.effect(op) && op.Kind != testcase.OpField && s.receiver(i, user[i]) && !s.chained(i, user[i]):
			// Written as b := New(1); b.Enqueue(2) rather than New(1).Enqueue(2).
		case len(s.types[i]) != 1 || s.uses[ref] != 1 || statementsOnly(s.seq.At(i)):
		case !s.effect(op) || next >= at[user[i]] || next == user[i]: // in f(New()) nothing comes between
			s.inline[i] = true
		}
		if s.inline[i] {
			at[i] = at[user[i]]
		}
	}
}

// takesOwnAddress reports whether statement i takes the address of what a call returned only to call methods on it or to set its
// fields, which the variable itself allows.
func (s *script) takesOwnAddress(i int) bool {
	st := s.seq.At(i)
	if st.Op.Kind != testcase.OpAddr || s.rows || s.keep[testcase.Ref{Stmt: i}] {
		return false
	}
	of := st.Args[0]
	if k := s.seq.At(of.Stmt).Op.Kind; k != testcase.OpFunc && k != testcase.OpMethod || s.uses[of] != 1 || s.keep[of] || types.IsInterface(s.types[of.Stmt][of.Result]) {
		return false
	}
	return s.onlyReceiver(i, func(*types.Func) bool { return true }) || s.onlyVariable(i)
}

// onlyVariable reports whether statement i is the address of a struct whose fields the test sets, and all its uses are ones that a
// variable has as well: a.Style = 1; f(a) rather than p := &a; p.Style = 1; f(*p).
func (s *script) onlyVariable(i int) bool {
	sets := false
	for j := i + 1; j < s.end; j++ {
		if !s.live[j] {
			continue
		}
		u := s.seq.At(j)
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
func (s *script) calledThrough(i int) bool {
	st := s.seq.At(i)
	if st.Op.Kind != testcase.OpAssert || s.rows || s.keep[testcase.Ref{Stmt: i}] {
		return false
	}
	behind := s.typeOf(st.Args[0])
	return s.onlyReceiver(i, func(method *types.Func) bool {
		m, _, _ := types.LookupFieldOrMethod(behind, false, method.Pkg(), method.Name())
		return m != nil
	})
}

// onlyReceiver reports whether all uses of statement i are as the receiver of a method for which fits is true.
func (s *script) onlyReceiver(i int, fits func(*types.Func) bool) bool {
	used := false
	for j := i + 1; j < s.end; j++ {
		if !s.live[j] {
			continue
		}
		u := s.seq.At(j)
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
func (s *script) chained(i, user int) bool {
	st := s.seq.At(user)
	ref := testcase.Ref{Stmt: user}
	return s.uses[testcase.Ref{Stmt: i}] == 1 && len(s.types[user]) == 1 && s.uses[ref] > 0 && !s.keep[ref] && types.Identical(s.types[user][0], s.typeOf(st.Args[0]))
}

// receiver reports whether statement i makes the pointer that its user calls a method
// on.
func (s *script) receiver(i, user int) bool {
	st := s.seq.At(user)
	if st.Op.Kind != testcase.OpMethod || st.Args[0].Stmt != i || st.Op.Via != nil {
		return false
	}
	_, ok := s.types[i][0].Underlying().(*types.Pointer)
	return ok
}

// variableOnly reports whether the value of statement i needs a variable: because a user calls a
// pointer method on it, or because a user takes its address and the value is another variable's, which
// must stay as it is.
func (s *script) variableOnly(i int) bool {
	for j := i + 1; j < s.end; j++ {
		st := s.seq.At(j)
		if !s.live[j] || !slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return a.Stmt == i }) {
			continue
		}
		if s.addressed(i, j) || s.receives[j] || st.Op.Kind == testcase.OpAddr && s.seq.At(i).Op.Kind == testcase.OpGlobal {
			return true
		}
	}
	return false
}

// addressed reports whether statement user calls a pointer method on the value of statement i, which is
// possible for variables only.
func (s *script) addressed(i, user int) bool {
	st := s.seq.At(user)
	if st.Op.Kind != testcase.OpMethod || st.Args[0].Stmt != i {
		return false
	}
	_, byPointer := types.Unalias(st.Op.Func.Signature().Recv().Type()).(*types.Pointer)
	switch s.types[i][st.Args[0].Result].Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return false
	}
	return byPointer
}

// statementsOnly reports whether the operation takes more than one expression.
func statementsOnly(st testcase.Statement) bool {
	switch st.Op.Kind {
	case testcase.OpMakeChan:
		return st.Op.Closed || len(st.Args) > 0
	case testcase.OpComposite:
		return filled(st.Op)
	}
	return st.Op.Kind.Assigns()
}

// breaksConstant reports whether a constant must be a variable. As the operand of a conversion Go would
// convert the constant at compile time, which may not compile or may give another value.
func (s *script) breaksConstant(i, user int) bool {
	op, u := s.seq.At(i).Op, s.seq.At(user).Op
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

// keepShort gives variables to values that would make their users hard to read.
func (s *script) keepShort() {
	s.measuring = true
	defer func() { s.measuring = false }()
	for i := range s.end {
		op := s.seq.At(i).Op
		if !s.inline[i] || !s.live[i] || op.Kind == testcase.OpZero || op.Kind == testcase.OpGlobal {
			continue
		}
		var n int
		s.Attempt(func() { n = len(s.op(i, s.place(i)).Text) })
		if effect(op) && n > maxInlineCall || n > maxInlineValue && s.usedByCall(i) {
			s.inline[i] = false
		}
	}
}

// place returns the type that the user of statement i asks for, as far as this affects the length of
// the text.
func (s *script) place(i int) types.Type {
	if len(s.types[i]) == 0 {
		return nil
	}
	return s.types[i][0]
}

// usedByCall reports whether a call or an assignment uses statement i.
func (s *script) usedByCall(i int) bool {
	for j := i + 1; j < s.end; j++ {
		if !s.live[j] {
			continue
		}
		for _, a := range s.seq.At(j).Args {
			if a.Stmt == i {
				return call(s.seq.At(j).Op)
			}
		}
	}
	return false
}

// line writes one line of the body.
func (s *script) line(parts ...string) {
	for _, p := range parts {
		s.out.WriteString(p)
	}
	s.out.WriteString("\n")
	s.lines++
}

// blank separates the steps of a test.
func (s *script) blank() {
	if t := s.out.String(); t != "" && !strings.HasSuffix(t, "\n\n") {
		s.out.WriteString("\n")
	}
}

// observed returns the observed value of a result, the zero Value if there is none.
func (s *script) observed(r testcase.Ref) testcase.Value {
	o := s.c.Observed
	if o == nil || r.Stmt >= len(o.Results) || r.Result >= len(o.Results[r.Stmt]) {
		return testcase.Value{}
	}
	return o.Results[r.Stmt][r.Result]
}

// arrange writes statement i, which prepares the test, unless it is written where
// it is used.
func (s *script) arrange(i int) {
	if !s.live[i] || s.inline[i] {
		return
	}
	st := s.seq.At(i)
	switch st.Op.Kind {
	case testcase.OpSetField:
		t := st.Op.Var.Type()
		if !s.Selectable(st.Op.Var) {
			s.Fail("field " + st.Op.Var.Name() + " is not accessible to a test")
		}
		s.line(s.ref(st.Args[0], nil).Operand(), ".", st.Op.Var.Name(), " = ", s.ref(st.Args[1], t).Text)
		return
	case testcase.OpStore:
		t := s.typeOf(st.Args[0]).Underlying().(*types.Pointer).Elem()
		s.line("*", s.ref(st.Args[0], nil).Operand(), " = ", s.ref(st.Args[1], t).Text)
		return
	case testcase.OpSetGlobal:
		s.setGlobal(st)
		return
	case testcase.OpSetIndex:
		m := s.typeOf(st.Args[0]).Underlying().(*types.Map)
		s.line(s.ref(st.Args[0], nil).Operand(), "[", s.ref(st.Args[1], m.Key()).Text, "] = ", s.ref(st.Args[2], m.Elem()).Text)
		return
	case testcase.OpSend:
		c := s.typeOf(st.Args[0]).Underlying().(*types.Chan)
		s.line(s.ref(st.Args[0], nil).Operand(), " <- ", s.ref(st.Args[1], c.Elem()).Text)
		return
	case testcase.OpClose:
		s.line("close(", s.ref(st.Args[0], nil).Text, ")")
		return
	}
	names := s.nameResults(i)
	used := false
	for _, n := range names {
		used = used || n != "_"
	}
	if !used {
		s.bare(i, s.op(i, nil))
		return
	}
	s.declare(i, names)
	// If a constructor failed, the rest of the test would make no sense.
	for r, n := range names {
		t := s.types[i][r]
		if n != "_" && gosyntax.IsError(t) && s.uses[testcase.Ref{Stmt: i, Result: r}] == 0 {
			if s.Pkg.TestImports[requirePath] {
				s.line(s.checkText(check{"NoError", []string{n}}, true))
				continue
			}
			s.line("if ", n, " != nil {")
			s.line("t.Fatal(", n, ")")
			s.line("}")
		}
	}
}

// nameResults gives variables to the results of statement i that are used later, and to an error result
// that must be nil beside them.
func (s *script) nameResults(i int) []string {
	out := make([]string, len(s.types[i]))
	any := false
	for r := range out {
		out[r] = "_"
		ref := testcase.Ref{Stmt: i, Result: r}
		if s.uses[ref] > 0 || s.keep[ref] {
			out[r] = s.variable(ref)
			any = true
		}
	}
	if last := len(out) - 1; any && last > 0 && out[last] == "_" && gosyntax.IsError(s.types[i][last]) &&
		s.observed(testcase.Ref{Stmt: i, Result: last}).Kind == testcase.Nil {
		out[last] = "err"
		s.scope.Add("err")
	}
	return out
}

// declare writes the definition of the variables for the results of statement i.
func (s *script) declare(i int, names []string) {
	st := s.seq.At(i)
	t := s.types[i][0]
	switch st.Op.Kind {
	case testcase.OpZero:
		s.line("var ", names[0], " ", s.Type(t))
		return
	case testcase.OpConvert:
		if types.IsInterface(t) {
			s.line("var ", names[0], " ", s.Type(t), " = ", s.op(i, t).Text)
			return
		}
	case testcase.OpStubIface, testcase.OpFuncValue, testcase.OpClosure:
		s.line("var ", names[0], " ", s.Type(t), " = ", s.op(i, t).Text)
		return
	case testcase.OpMakeChan:
		s.makeChan(st, names[0], t)
		return
	case testcase.OpComposite:
		if s.largeMap(st, names[0]) {
			return
		}
	case testcase.OpAddr:
		if s.address(st, names[0]) {
			return
		}
	}
	s.line(strings.Join(names, ", "), " := ", s.op(i, nil).Text)
}

// address writes name := &x where x is a variable, and reports whether it is.
func (s *script) address(st testcase.Statement, name string) bool {
	arg := st.Args[0]
	v, ok := s.vars[arg]
	if !ok {
		return false
	}
	// The new variable is a copy, so the other variable stays as it is.
	if s.uses[arg] > 1 || s.keep[arg] {
		c := s.scope.Pick(v + "Copy")
		s.line(c, " := ", v)
		v = c
	}
	s.line(name, " := &", v)
	return true
}

// makeChan writes a channel and the sends that fill it.
func (s *script) makeChan(st testcase.Statement, name string, t types.Type) {
	c, ok := t.Underlying().(*types.Chan)
	if !ok {
		panic("bug: emit: make of a channel of type " + t.String())
	}
	s.line(name, " := ", s.makeChanText(st.Op, c))
	for _, a := range st.Args {
		s.line(name, " <- ", s.ref(a, c.Elem()).Text)
	}
	if st.Op.Closed {
		s.line("close(", name, ")")
	}
}

func (s *script) makeChanText(op *testcase.Operation, c *types.Chan) string {
	text := "make(" + s.Type(types.NewChan(types.SendRecv, c.Elem()))
	if op.N > 0 {
		text += ", " + gofile.Decimal(uint64(op.N)).Text
	}
	return text + ")"
}

// setGlobal writes an assignment to a package-level variable, and has the test undo it at its end.
func (s *script) setGlobal(st testcase.Statement) {
	s.restored(st.Op.Var)
	s.line(s.Object(st.Op.Var), " = ", s.ref(st.Args[0], st.Op.Var.Type()).Text)
}

// restored makes the test put a variable back at its end.
func (s *script) restored(v *types.Var) {
	name := s.Object(v)
	old := s.scope.Pick("old"+gofile.UpperFirst(v.Name()), "old")
	s.line(old, " := ", name)
	s.line("defer func() { ", name, " = ", old, " }()")
}

// restoreAll makes the test put back the variables that the case sets by calls, if the test can name
// and copy them, and take environment variables away for as long as it runs.
func (s *script) restoreAll(c *testcase.Case) {
	for _, v := range c.Unset {
		s.line("t.Setenv(", gofile.Quote(v.Name), `, "")`)
		if v.Exists {
			s.line(s.Std("os"), ".Unsetenv(", gofile.Quote(v.Name), ")")
		}
	}
	for _, v := range c.Restores {
		if s.Reachable(v) && !gosyntax.HasLock(v.Type()) {
			s.restored(v)
		}
	}
}

// typeOf returns the static type of a result.
func (s *script) typeOf(r testcase.Ref) types.Type { return s.types[r.Stmt][r.Result] }
