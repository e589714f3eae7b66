package statement

import (
	"go/constant"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// Script writes one sequence as the body of a test: it decides which results are written where they are
// used and which get a variable, and writes the statements. The fields that are exported may be read at any time, and what the test
// keeps is said in Keep before Plan.
type Script struct {
	*File
	Case  *testcase.Case
	Seq   *testcase.Sequence
	Types [][]types.Type // of the results of each statement
	End   int            // only the statements before End are written

	Scope *gofile.Names
	Vars  map[testcase.Ref]string // the variables of results
	Uses  map[testcase.Ref]int    // how often statements that are written use a result
	Keep  map[testcase.Ref]bool   // results that are read after the last statement
	Out   strings.Builder         // the statements that are written so far
	Lines int                     // how many there are

	live   []bool
	inline []bool
	// receives says which statements take the address of a variable, or what an interface holds, only for calls on it.
	receives []bool
	// builders has the builder of each statement whose object is made by one expression.
	builders  map[int]*builder
	folded    map[int]bool
	flags     map[int][]*types.Const // the flags of literals that are sets of flags
	choices   map[int]*types.Const   // the constants that literals are, where the code tells declared ones apart
	rows      bool                   // the sequence becomes a row of a table
	measuring bool                   // only the length of text counts: variables have no names yet
}

// New prepares to write the first end statements of a case's sequence in a file.
func New(w *File, c *testcase.Case, end int, scope *gofile.Names) *Script {
	s := &Script{
		File: w, Case: c, Seq: c.Seq, Types: c.Seq.ResultTypes(), End: end, Scope: scope,
		Vars: map[testcase.Ref]string{}, Uses: map[testcase.Ref]int{}, Keep: map[testcase.Ref]bool{},
		live: make([]bool, c.Seq.Len()), inline: make([]bool, c.Seq.Len()), receives: make([]bool, c.Seq.Len()),
		builders: map[int]*builder{}, folded: map[int]bool{}, flags: map[int][]*types.Const{}, choices: map[int]*types.Const{},
	}
	s.findFlags()
	s.findChoices()
	return s
}

// IsLive reports whether a statement is written, by itself or where its result is used.
func (s *Script) IsLive(i int) bool { return s.live[i] }

// IsInline reports whether a statement is written where its result is used.
func (s *Script) IsInline(i int) bool { return s.inline[i] }

// IsBuilt reports whether a statement makes an object by one expression in which later calls are folded.
func (s *Script) IsBuilt(i int) bool { return s.builders[i] != nil }

// findChoices notes which literals are declared constants by the place that they are given to.
func (s *Script) findChoices() {
	if s.Pkg.Literals == nil || len(s.Pkg.Literals.Choices) == 0 {
		return
	}
	for i, place := range s.Seq.Places() {
		op := s.Seq.At(i).Op
		for _, c := range s.Pkg.Literals.Choices[place] {
			isNumber := op.Lit.Kind == testcase.LitInt || op.Lit.Kind == testcase.LitUint
			if v, exact := constant.Int64Val(c.Val()); exact && op.Kind == testcase.OpLiteral && isNumber && int64(op.Lit.Bits) == v && s.Reachable(c) {
				s.choices[i] = c
			}
		}
	}
}

// findFlags notes which literals are sets of flags for the function that they are passed to.
func (s *Script) findFlags() {
	if s.Pkg.Literals == nil {
		return
	}
	for i := range s.Seq.Len() {
		st := s.Seq.At(i)
		if st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod {
			continue
		}
		for k, a := range st.Args {
			if flags := s.Pkg.Literals.Flags.Of(st.Op.Func, k-st.Op.FirstParam()); len(flags) > 0 && s.Seq.At(a.Stmt).Op.Kind == testcase.OpLiteral {
				s.flags[a.Stmt] = flags
			}
		}
	}
}

// HasEffect reports whether the operation changes or reads something that other statements may change, so
// that its place among them matters.
func HasEffect(op *testcase.Operation) bool {
	switch op.Kind {
	case testcase.OpLiteral, testcase.OpZero, testcase.OpComposite, testcase.OpAddr, testcase.OpConvert, testcase.OpGlobal,
		testcase.OpStubFunc, testcase.OpStubIface, testcase.OpMakeChan, testcase.OpFuncValue, testcase.OpFuncLit, testcase.OpClosure:
		return false
	case testcase.OpFunc, testcase.OpMethod:
		return op.Via != nil || !gosyntax.MakerOf(op.Func.FullName()).Inert
	}
	return true
}

// HasEffect is the same for a statement of this sequence. In a row, a function that changes nothing and returns one value
// may stand where its value is used.
func (s *Script) HasEffect(op *testcase.Operation) bool {
	computes := s.rows && op.Kind == testcase.OpFunc && op.Via == nil && s.ReadsOnly != nil && op.Signature().Results().Len() == 1 && s.ReadsOnly(op)
	return HasEffect(op) && !computes
}

// IsPrinter reports whether the operation calls a method that returns its receiver as text. go vet complains if
// nothing is done with such a text.
func IsPrinter(op *testcase.Operation) bool {
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

// IsCall reports whether the operation may stand alone as a statement.
func IsCall(op *testcase.Operation) bool {
	switch op.Kind {
	case testcase.OpFunc, testcase.OpMethod, testcase.OpCallValue:
		return true
	}
	return op.Kind.Assigns()
}

// StatementsOnly reports whether the operation takes more than one expression.
func StatementsOnly(st testcase.Statement) bool {
	switch st.Op.Kind {
	case testcase.OpMakeChan:
		return st.Op.Closed || len(st.Args) > 0
	case testcase.OpComposite:
		return filled(st.Op)
	}
	return st.Op.Kind.Assigns()
}

// Line writes one line of the body.
func (s *Script) Line(parts ...string) {
	for _, p := range parts {
		s.Out.WriteString(p)
	}
	s.Out.WriteString("\n")
	s.Lines++
}

// Blank separates the steps of a test.
func (s *Script) Blank() {
	if t := s.Out.String(); t != "" && !strings.HasSuffix(t, "\n\n") {
		s.Out.WriteString("\n")
	}
}

// Observed returns the observed value of a result, the zero Value if there is none.
func (s *Script) Observed(r testcase.Ref) testcase.Value {
	o := s.Case.Observed
	if o == nil || r.Stmt >= len(o.Results) || r.Result >= len(o.Results[r.Stmt]) {
		return testcase.Value{}
	}
	return o.Results[r.Stmt][r.Result]
}

// Arrange writes statement i, which prepares the test, unless it is written where
// it is used.
func (s *Script) Arrange(i int) {
	if !s.live[i] || s.inline[i] {
		return
	}
	st := s.Seq.At(i)
	switch st.Op.Kind {
	case testcase.OpSetField:
		t := st.Op.Var.Type()
		if !s.Selectable(st.Op.Var) {
			s.Fail("field " + st.Op.Var.Name() + " is not accessible to a test")
		}
		s.Line(s.Ref(st.Args[0], nil).Operand(), ".", st.Op.Var.Name(), " = ", s.Ref(st.Args[1], t).Text)
		return
	case testcase.OpStore:
		t := s.TypeOf(st.Args[0]).Underlying().(*types.Pointer).Elem()
		s.Line("*", s.Ref(st.Args[0], nil).Operand(), " = ", s.Ref(st.Args[1], t).Text)
		return
	case testcase.OpSetGlobal:
		s.setGlobal(st)
		return
	case testcase.OpSetIndex:
		m := s.TypeOf(st.Args[0]).Underlying().(*types.Map)
		s.Line(s.Ref(st.Args[0], nil).Operand(), "[", s.Ref(st.Args[1], m.Key()).Text, "] = ", s.Ref(st.Args[2], m.Elem()).Text)
		return
	case testcase.OpSend:
		c := s.TypeOf(st.Args[0]).Underlying().(*types.Chan)
		s.Line(s.Ref(st.Args[0], nil).Operand(), " <- ", s.Ref(st.Args[1], c.Elem()).Text)
		return
	case testcase.OpClose:
		s.Line("close(", s.Ref(st.Args[0], nil).Text, ")")
		return
	}
	names := s.NameResults(i)
	used := false
	for _, n := range names {
		used = used || n != "_"
	}
	if !used {
		s.Bare(i, s.Op(i, nil))
		return
	}
	s.declare(i, names)
	// If a constructor failed, the rest of the test would make no sense.
	for r, n := range names {
		t := s.Types[i][r]
		if n != "_" && gosyntax.IsError(t) && s.Uses[testcase.Ref{Stmt: i, Result: r}] == 0 {
			if s.Pkg.TestImports[RequirePath] {
				s.Line(s.Imports.Name(RequirePath, "require"), ".NoError(t, ", n, ")")
				continue
			}
			s.Line("if ", n, " != nil {")
			s.Line("t.Fatal(", n, ")")
			s.Line("}")
		}
	}
}

// NameResults gives variables to the results of statement i that are used later, and to an error result
// that must be nil beside them.
func (s *Script) NameResults(i int) []string {
	out := make([]string, len(s.Types[i]))
	any := false
	for r := range out {
		out[r] = "_"
		ref := testcase.Ref{Stmt: i, Result: r}
		if s.Uses[ref] > 0 || s.Keep[ref] {
			out[r] = s.Variable(ref)
			any = true
		}
	}
	if last := len(out) - 1; any && last > 0 && out[last] == "_" && gosyntax.IsError(s.Types[i][last]) &&
		s.Observed(testcase.Ref{Stmt: i, Result: last}).Kind == testcase.Nil {
		out[last] = "err"
		s.Scope.Add("err")
	}
	return out
}

// declare writes the definition of the variables for the results of statement i.
func (s *Script) declare(i int, names []string) {
	st := s.Seq.At(i)
	t := s.Types[i][0]
	switch st.Op.Kind {
	case testcase.OpZero:
		s.Line("var ", names[0], " ", s.Type(t))
		return
	case testcase.OpConvert:
		if types.IsInterface(t) {
			s.Line("var ", names[0], " ", s.Type(t), " = ", s.Op(i, t).Text)
			return
		}
	case testcase.OpStubIface, testcase.OpFuncValue, testcase.OpClosure:
		s.Line("var ", names[0], " ", s.Type(t), " = ", s.Op(i, t).Text)
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
	s.Line(strings.Join(names, ", "), " := ", s.Op(i, nil).Text)
}

// address writes name := &x where x is a variable, and reports whether it is.
func (s *Script) address(st testcase.Statement, name string) bool {
	arg := st.Args[0]
	v, ok := s.Vars[arg]
	if !ok {
		return false
	}
	// The new variable is a copy, so the other variable stays as it is.
	if s.Uses[arg] > 1 || s.Keep[arg] {
		c := s.Scope.Pick(v + "Copy")
		s.Line(c, " := ", v)
		v = c
	}
	s.Line(name, " := &", v)
	return true
}

// makeChan writes a channel and the sends that fill it.
func (s *Script) makeChan(st testcase.Statement, name string, t types.Type) {
	c, ok := t.Underlying().(*types.Chan)
	if !ok {
		panic("bug: emit: make of a channel of type " + t.String())
	}
	s.Line(name, " := ", s.makeChanText(st.Op, c))
	for _, a := range st.Args {
		s.Line(name, " <- ", s.Ref(a, c.Elem()).Text)
	}
	if st.Op.Closed {
		s.Line("close(", name, ")")
	}
}

func (s *Script) makeChanText(op *testcase.Operation, c *types.Chan) string {
	text := "make(" + s.Type(types.NewChan(types.SendRecv, c.Elem()))
	if op.N > 0 {
		text += ", " + gofile.Decimal(uint64(op.N)).Text
	}
	return text + ")"
}

// setGlobal writes an assignment to a package-level variable, and has the test undo it at its end.
func (s *Script) setGlobal(st testcase.Statement) {
	s.restored(st.Op.Var)
	s.Line(s.Object(st.Op.Var), " = ", s.Ref(st.Args[0], st.Op.Var.Type()).Text)
}

// restored makes the test put a variable back at its end.
func (s *Script) restored(v *types.Var) {
	name := s.Object(v)
	old := s.Scope.Pick("old"+gofile.UpperFirst(v.Name()), "old")
	s.Line(old, " := ", name)
	s.Line("defer func() { ", name, " = ", old, " }()")
}

// RestoreAll makes the test put back the variables that the case sets by calls, if the test can name
// and copy them, and take environment variables away for as long as it runs.
func (s *Script) RestoreAll(c *testcase.Case) {
	for _, v := range c.Unset {
		if setsVariable(c.Seq, v.Name) {
			continue // the case gives it a value of its own
		}
		s.Line("t.Setenv(", gofile.Quote(v.Name), `, "")`)
		if v.Exists {
			s.Line(s.Std("os"), ".Unsetenv(", gofile.Quote(v.Name), ")")
		}
	}
	for _, v := range c.Restores {
		if s.Reachable(v) && !gosyntax.HasLock(v.Type()) {
			s.restored(v)
		}
	}
}

// setsVariable reports whether a sequence sets a variable of the environment.
func setsVariable(seq *testcase.Sequence, name string) bool {
	for i := range seq.Len() {
		st := seq.At(i)
		if st.Op.Via != nil && st.Op.Via.Method == "Setenv" && len(st.Args) > 0 && seq.At(st.Args[0].Stmt).Op.Lit.Str == name {
			return true
		}
	}
	return false
}

// TypeOf returns the static type of a result.
func (s *Script) TypeOf(r testcase.Ref) types.Type { return s.Types[r.Stmt][r.Result] }

// Bare writes an expression without assertions.
func (s *Script) Bare(i int, e gofile.Expr) {
	op := s.Seq.At(i).Op
	// go vet and staticcheck complain if the result of another package's function is dropped. A helper is the test's own.
	foreign := op.Kind == testcase.OpFunc && op.Via == nil && op.Func.Pkg() != s.Pkg.Types && len(s.Types[i]) > 0
	switch {
	case foreign:
		s.Line(strings.Repeat("_, ", len(s.Types[i])-1), "_ = ", e.Text)
	case IsCall(op) && !IsPrinter(op):
		s.Line(e.Text)
		if s.Bubbles.Settles(s.Seq, i) {
			s.Line(s.Std("testing/synctest"), ".Wait()")
		}
	default:
		s.Line("_ = ", e.Text)
	}
}
