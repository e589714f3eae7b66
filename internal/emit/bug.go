package emit

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/emit/statement"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// bugConstraint is the build constraint of tests that reproduce findings.
func bugConstraint() constraint.Expr { return &constraint.TagExpr{Tag: testfile.BugTag} }

// bugTests writes the failing tests of a file's findings.
func (g *generator) bugTests(r *rendering, f *sourceFile) {
	w := r.w
	for _, fd := range f.findings {
		c := fd.Case
		if c == nil || c.Observed == nil || c.Seq.Len() == 0 {
			panic("bug: emit: a finding without an observed case: " + fd.Message)
		}
		if fd.NoTest != "" {
			r.unwritten = append(r.unwritten, Unwritten{c, fd.NoTest})
			continue
		}
		fn := function{}
		var reason string
		reason, fn.wide = w.Attempt(func() { fn.doc, fn.body = w.bug(fd) })
		if reason != "" {
			r.unwritten = append(r.unwritten, Unwritten{c, reason})
			continue
		}
		for i := 1; ; i++ {
			if n := fmt.Sprintf("%s_bug%d", TestName(fd.Func), i); !w.Names.Has(n) {
				fn.name = n
				w.Names.Add(n)
				break
			}
		}
		r.functions = append(r.functions, fn)
		r.tests = append(r.tests, Test{Name: fn.name, Func: fd.Func, Bug: fd})
	}
}

// bug returns the comment and the body of the test that reproduces a finding.
func (w *writer) bug(fd *testcase.Finding) (doc, body string) {
	c := fd.Case.UpToBreaking()
	again := *fd
	again.Case, fd = c, &again
	o := c.Observed
	last := c.Seq.Len() - 1
	if o.Status != testcase.Returned && o.At >= 0 && o.At <= last {
		last = o.At
	}
	s := newScript(w, c, last+1, w.NewScope())
	if o.Status == testcase.Returned && c.Seq.At(last).Op.Kind == testcase.OpCheck {
		s.Plan(func(i int) bool { return i == last })
		for i := range last {
			s.Arrange(i)
		}
		s.Line("if err := ", s.Op(last, nil).Text, "; err != nil {")
		s.Line("t.Error(err)")
		s.Line("}")
		return w.where(fd.Func+" "+gofile.OneLine(fd.Message, 160), fd, fd.Pos), w.enclosed(c, s.Out.String())
	}
	if o.Status == testcase.Returned {
		if listed, ok := asList(c, last); ok { // a condition speaks of all further arguments as of one list
			again := *fd
			again.Case, last = listed, last+1
			fd, c, s = &again, listed, newScript(w, listed, last+1, w.NewScope())
		}
		p := s.promise(fd)
		body = s.violation(fd, p, last)
		return w.promiseComment(s, fd, p, last), w.enclosed(c, body)
	}
	s.Plan(func(int) bool { return false })
	waits := o.Status == testcase.Hung || o.Status == testcase.Deadlock || fd.Kind == "hang" || fd.Kind == "deadlock"
	grows := o.Status == testcase.Died && o.Message == testcase.OutOfMemory
	for i := range last {
		s.Arrange(i)
	}
	if o.Status == testcase.Panicked && !waits {
		// The arguments get their names only now, although the deferred function stands in front of these
		// arguments.
		arranged := s.Out.String()
		s.Out.Reset()
		s.recovers(last, fd.WantsError)
		s.Out.WriteString(arranged)
	}
	switch {
	case waits:
		s.watch(last, patience(o.Status))
	case grows:
		s.watchMemory(last)
	case statement.StatementsOnly(c.Seq.At(last)):
		s.Arrange(last)
	case fd.WantsError:
		s.wantsError(last)
	default:
		s.Bare(last, s.Op(last, nil))
	}
	body = s.Out.String()
	if !waits && !grows { // a bubble would not let the time pass after which such a test gives up
		body = w.enclosed(c, body)
	}
	return w.bugComment(s, fd, last), body
}

// asList returns a case that passes the further arguments of a call of a variadic function as a list, and false if the call has
// none. The list is a statement in front of the call.
func asList(c *testcase.Case, call int) (*testcase.Case, bool) {
	st := c.Seq.At(call)
	sig := st.Op.Signature()
	if sig == nil || !sig.Variadic() || st.Op.Spread || st.Op.Via != nil {
		return nil, false
	}
	fixed := sig.Params().Len() - 1
	if st.Op.Kind == testcase.OpMethod {
		fixed++
	}
	stmts := c.Seq.Prefix(call).AppendTo(nil)
	further := st.Args[fixed:]
	stmts = append(stmts, testcase.Statement{
		Op: &testcase.Operation{Kind: testcase.OpComposite, Type: sig.Params().At(sig.Params().Len() - 1).Type(), N: len(further)}, Args: further,
	})
	op := *st.Op
	op.Spread = true
	stmts = append(stmts, testcase.Statement{Op: &op, Args: append(slices.Clone(st.Args[:fixed]), testcase.Ref{Stmt: call})})
	d, o := *c, *c.Observed
	d.Seq, d.Observed = testcase.NewSequence(stmts...), &o
	o.At, o.Final = call+1, nil
	if len(o.Results) > call {
		o.Results = slices.Insert(slices.Clone(o.Results), call, []testcase.Value{{}})
	}
	return &d, true
}

// patience returns for how many seconds a test waits for a call to return. A call that waits for a lock or a
// channel takes no time once the code is mended; one that computes may be on a slow machine.
func patience(ended testcase.Status) string {
	if ended == testcase.Deadlock {
		return "2"
	}
	return "5"
}

// watch writes the last statement so that the test fails if it does not return within so many seconds.
func (s *script) watch(i int, seconds string) {
	display := s.Display(i)
	done := s.spawn(i)
	s.Line("select {")
	s.Line("case <-", done, ":")
	s.Line("case <-", s.Std("time"), ".After(", seconds, " * ", s.Std("time"), ".Second):")
	s.Line("t.Fatal(", gofile.Quote(display+" does not return"), ")")
	s.Line("}")
}

// spawn writes the last statement in a goroutine, and returns the name of the channel that is closed when it has returned.
func (s *script) spawn(i int) (done string) {
	done = s.Scope.Pick("done")
	s.Blank()
	s.Line(done, " := make(chan struct{})")
	s.Line("go func() {")
	s.Line("defer close(", done, ")")
	s.Bare(i, s.Op(i, nil))
	s.Line("}()")
	return done
}

// watchMemory writes the last statement so that the test ends the process if the call takes a gigabyte. Nothing else ends the call,
// and a machine without memory is no place to read what failed.
func (s *script) watchMemory(i int) {
	done, m := s.spawn(i), s.Scope.Pick("m")
	s.Line("for {")
	s.Line("select {")
	s.Line("case <-", done, ":")
	s.Line("return")
	s.Line("case <-", s.Std("time"), ".After(10 * ", s.Std("time"), ".Millisecond):")
	s.Line("}")
	s.Line("var ", m, " ", s.Std("runtime"), ".MemStats")
	s.Line("if ", s.Std("runtime"), ".ReadMemStats(&", m, "); ", m, ".HeapSys > 1<<30 {")
	s.Line("panic(", gofile.Quote(s.Display(i)+" takes more than 1 GB of memory"), ") // nothing else ends the call")
	s.Line("}")
	s.Line("}")
}

// recovers writes a deferred function that turns the panic of the last statement into a failure with
// the expected behaviour. A version of the code that returns passes the test, unless the test wants an error.
func (s *script) recovers(last int, wantsError bool) {
	want := "it to return"
	if wantsError {
		want = "an error"
	} else if f := s.Seq.At(last).Op.Func; f != nil {
		if res := f.Signature().Results(); res.Len() > 0 && gosyntax.IsError(res.At(res.Len()-1).Type()) {
			want = "a result or an error"
		}
	}
	r := s.Scope.Pick("r")
	s.Line("defer func() {")
	s.Line("if ", r, " := recover(); ", r, " != nil {")
	s.Line("t.Errorf(", gofile.Quote(escape(s.Display(last))+" panics: %v; want "+want), ", ", r, ")")
	s.Line("}")
	s.Line("}()")
}

// wantsError writes the last statement so that the test fails if the call returns no error.
func (s *script) wantsError(last int) {
	names := make([]string, len(s.Types[last]))
	for i := range names {
		names[i] = "_"
	}
	err := s.Scope.Pick("err")
	names[len(names)-1] = err
	s.Line("if ", strings.Join(names, ", "), " := ", s.Op(last, nil).Text, "; ", err, " == nil {")
	s.Line("t.Error(", gofile.Quote(s.Display(last)+" returns no error for what is cut off"), ")")
	s.Line("}")
}

// bugComment returns a comment with the cause of a finding and the behaviour that is expected instead.
func (w *writer) bugComment(s *script, fd *testcase.Finding, last int) string {
	o := fd.Case.Observed
	what := s.received(last) + s.Display(last)
	switch {
	case o.Status == testcase.Hung:
		what += " does not return" // the finding has a stack, but only of the place where the call was stopped
	case o.Status == testcase.Deadlock:
		what += " waits forever"
	case o.Panic != nil:
		what += " panics: " + strings.TrimPrefix(gofile.OneLine(o.Panic.Message, 160), "runtime error: ")
	default:
		what += ": " + gofile.OneLine(fd.Message, 160)
	}
	return w.where(what, fd, fd.Pos)
}

// received returns the receiver of a call and a dot if the test writes it into the call, as in Pointer{"-1"}.Eval, and ""
// otherwise: the reader needs it as much as an argument.
func (s *script) received(last int) string {
	st := s.Seq.At(last)
	if st.Op.Kind != testcase.OpMethod || s.IsBeside(last) {
		return ""
	}
	recv := s.Ref(st.Args[0], nil).Text
	if token.IsIdentifier(recv) || len(recv) > 40 || strings.ContainsAny(recv, "\n") {
		return ""
	}
	return recv + "."
}

// promiseComment returns a comment that says which promise was broken, and where.
func (w *writer) promiseComment(s *script, fd *testcase.Finding, p promise, last int) string {
	what := s.Display(last)
	switch {
	case p.cond != nil:
		what += " breaks " + p.text
	case p.object != "":
		what += " breaks the invariant " + p.object
	default:
		what += ": " + gofile.OneLine(fd.Message, 160)
	}
	if p.pos.IsValid() {
		return w.where(what, fd, p.pos)
	}
	return w.where(what, fd, fd.Pos)
}

// where returns the comment of a finding. The comment says the cause (what happens, in which function,
// because of which value), and what is expected according to the function's own documentation and the
// evidence. It gives no line numbers, because the next change of the file would make them wrong.
func (w *writer) where(what string, fd *testcase.Finding, pos token.Position) string {
	o, in := fd.Case.Observed, ""
	if o.Panic != nil && len(o.Panic.Stack) > 0 {
		in = raisedIn(w.Pkg.Path, o.Panic.Stack)
		if !pos.IsValid() {
			pos = o.Panic.Stack[0].Pos
		}
	} else if f := phrase.TargetFunc(fd.Case); f != nil {
		in = f.FullName()
		if r := f.Type().(*types.Signature).Recv(); r != nil {
			in = "(" + gofile.ShortName(r.Type()) + ")." + f.Name()
		}
	}
	out := "Cause: " + strings.TrimSuffix(what, ".")
	if in != "" {
		out += ",\nin " + localFunc(in)
		if pos.IsValid() {
			out += " (" + filepath.Base(pos.Filename) + ")"
		}
		if o.Panic != nil {
			out += calledBelow(w.Pkg.Path, o.Panic.Stack)
		}
	}
	out += rootText(fd) + "."
	if expected := w.expectation(fd); expected != "" {
		out += "\nExpected: " + expected
	}
	if fd.Evidence != "" {
		out += "\n" + judgement[fd.Severity] + " " + wrap(strings.TrimSuffix(fd.Evidence, "."), 80) + "."
	}
	return out
}

// judgement begins the sentence with a finding's evidence.
var judgement = map[testcase.Severity]string{
	testcase.Error: "It is a defect since", testcase.Warning: "It may be a defect:", testcase.Note: "It may be a defect:", testcase.Misuse: "Misuse:",
}

// raisedIn returns the innermost function of the package on the stack of a panic, whose file and line readers
// are shown, or the innermost one of all if none is of the package.
func raisedIn(pkg string, stack []testcase.Frame) string {
	for _, f := range stack {
		if strings.HasPrefix(f.Func, pkg+".") {
			return f.Func
		}
	}
	return stack[0].Func
}

// calledBelow says which function of another package that function has called, if the panic comes from there.
func calledBelow(pkg string, stack []testcase.Frame) string {
	for i, f := range stack {
		if strings.HasPrefix(f.Func, pkg+".") {
			if i == 0 {
				return ""
			}
			called := stack[i-1].Func
			return ", which calls " + called[strings.LastIndexByte(called, '/')+1:]
		}
	}
	return ""
}

// rootText says which value makes the code panic, if that is known.
func rootText(fd *testcase.Finding) string {
	switch {
	case fd.Root == "":
		return ""
	case fd.Kind == "nil-dereference", fd.Kind == "nil-map-write":
		return ":\n" + fd.Root + " is nil"
	case fd.Kind == "division-by-zero":
		return ":\n" + fd.Root + " is 0"
	}
	return ":\nnothing looks at " + fd.Root + " before"
}

// expectation returns the first sentence of the documentation of the function that a finding is about, as a
// quotation, or "" if there is no documentation.
func (w *writer) expectation(fd *testcase.Finding) string {
	f := phrase.TargetFunc(fd.Case)
	if f == nil {
		return ""
	}
	decl := w.Pkg.Func(f)
	if decl == nil {
		return ""
	}
	synopsis := new(doc.Package).Synopsis(decl.Doc.Text())
	if synopsis == "" {
		return ""
	}
	return wrap("“"+strings.TrimSuffix(gofile.OneLine(synopsis, 200), ".")+".”", 80)
}

// wrap breaks text into lines of about so many characters.
func wrap(text string, width int) string {
	var b strings.Builder
	n := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case n+1+len(word) > width:
			b.WriteByte('\n')
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len(word)
	}
	return b.String()
}

// localFunc returns the runtime's name of a function without its package.
func localFunc(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	if strings.HasPrefix(name, "(") {
		return name
	}
	if _, rest, ok := strings.Cut(name, "."); ok {
		return rest
	}
	return name
}

// violation writes a case that returned although it broke a promise, and the check that fails because of it.
func (s *script) violation(fd *testcase.Finding, promise promise, last int) string {
	st := s.Seq.At(last)
	for _, a := range st.Args {
		if k := s.TypeOf(a); promise.uses || gofile.Nilable(k) {
			if op := s.Seq.At(a.Stmt).Op; op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
				s.Keep[a] = true
			}
		}
	}
	if b := s.Case.Broken; b != nil && promise.object != "" {
		s.Keep[b.Object] = true // the call may have reached it without taking it
	}
	if promise.result {
		for r := range s.Types[last] {
			s.Keep[testcase.Ref{Stmt: last, Result: r}] = true
		}
	}
	s.Plan(func(i int) bool { return i == last })
	for i := range last {
		s.Arrange(i)
	}
	if promise.object != "" {
		return s.brokenInvariant(fd, last, promise.object)
	}
	if promise.inside {
		s.Bare(last, s.Op(last, nil))
		return s.Out.String()
	}
	if promise.cond != nil {
		if text, ok := s.brokenCondition(last, promise); ok {
			return text
		}
	}
	if promise.asserted {
		s.Bare(last, s.Op(last, nil))
		return s.Out.String()
	}
	return s.brokenResult(fd, last)
}

// complain writes the failure message for a condition that does not hold after a call. If the condition
// compares values that can be read a second time, the message shows both.
func (s *script) complain(call, text, cond string) {
	e, err := parser.ParseExpr(cond)
	if b, ok := e.(*ast.BinaryExpr); err == nil && ok && repeatable(b.X) && repeatable(b.Y) {
		if _, comparison := gosyntax.Negated(b.Op); comparison {
			x, y := strings.TrimSpace(cond[:b.OpPos-1]), strings.TrimSpace(cond[int(b.OpPos)-1+len(b.Op.String()):])
			subject, relation := "after "+call+": "+x, b.Op.String()+" "
			if x == "got" {
				subject = call // the call's result
			}
			if b.Op == token.EQL {
				relation = ""
			}
			s.Line("t.Errorf(", gofile.Quote(escape(subject)+" = %v, want "+relation+"%v"), ", ", x, ", ", y, ")")
			return
		}
	}
	s.Line("t.Error(", gofile.Quote(call+" breaks "+text), ")")
}

// repeatable reports whether an expression may be evaluated a second time for a message, because it calls
// nothing but len and cap.
func repeatable(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id, builtin := n.Fun.(*ast.Ident)
			ok = ok && builtin && (id.Name == "len" || id.Name == "cap")
		case *ast.FuncLit:
			ok = false
		}
		return ok
	})
	return ok
}

// brokenInvariant checks an invariant method of the objects that the last statement
// used or made.
func (s *script) brokenInvariant(fd *testcase.Finding, last int, method string) string {
	st := s.Seq.At(last)
	var refs []testcase.Ref
	for r := range s.Types[last] {
		refs = append(refs, testcase.Ref{Stmt: last, Result: r})
	}
	refs = append(st.Args[:len(st.Args):len(st.Args)], refs...)
	var steps []testcase.Step
	if b := s.Case.Broken; b != nil {
		refs, steps = []testcase.Ref{b.Object}, b.Path
	}
	for _, ref := range refs {
		of := s.TypeOf(ref)
		if n := len(steps); n > 0 {
			of = steps[n-1].Type
		}
		obj, _, _ := types.LookupFieldOrMethod(of, true, s.Pkg.Types, method)
		m, ok := obj.(*types.Func)
		if !ok || !s.Selectable(m) {
			continue
		}
		display, q := s.Display(last), &questioned{}
		if ref.Stmt == last {
			s.resultToAsk(ref, q)
		} else {
			s.Bare(last, s.Op(last, nil))
		}
		s.Blank()
		q.text = s.Ref(ref, nil).Operand()
		s.lead(q, s.TypeOf(ref), steps, m)
		if gosyntax.IsError(m.Type().(*types.Signature).Results().At(0).Type()) {
			if len(q.conds) > 0 || q.init != "" {
				q.open(s)
			}
			s.Line("if err := ", q.text, ".", method, "(); err != nil {")
			s.Line("t.Errorf(", gofile.Quote("after "+escape(display)+": %v"), ", err)")
		} else {
			q.conds = append(q.conds, "!"+q.text+"."+method+"()")
			q.open(s)
			s.Line("t.Error(", gofile.Quote(method+"() = false after "+display), ")")
			q.opened--
		}
		for range q.opened + 1 {
			s.Line("}")
		}
		return s.Out.String()
	}
	return s.brokenResult(fd, last)
}

// questioned is an object that a test asks whether it is valid: mended code may have no such object, and then the test
// does not ask.
type questioned struct {
	text   string
	init   string   // the statement that finds the object, or ""
	conds  []string // the conditions under which there is one
	opened int      // the if statements that have been written
}

// open writes an if statement with what has to hold so far.
func (q *questioned) open(s *script) {
	init := q.init
	if init != "" {
		init += "; "
	}
	s.Line("if ", init, strings.Join(q.conds, " && "), " {")
	q.init, q.conds, q.opened = "", nil, q.opened+1
}

// found makes a statement find the object, which is there if ok is true.
func (q *questioned) found(s *script, value string) {
	if len(q.conds) > 0 || q.init != "" {
		q.open(s)
	}
	v, ok := s.Scope.Pick("part"), s.Scope.Pick("ok")
	q.text, q.init, q.conds = v, v+", "+ok+" := "+value, []string{ok}
}

// lead follows the steps that lead from an object of a type to the part that is asked by a method.
func (s *script) lead(q *questioned, of types.Type, steps []testcase.Step, method *types.Func) {
	for _, step := range steps {
		switch container := of.Underlying().(type) {
		case *types.Slice:
			q.conds = append(q.conds, "len("+q.text+") > "+step.Index)
			q.text += "[" + step.Index + "]"
		case *types.Array:
			q.text += "[" + step.Index + "]"
		case *types.Map:
			if _, pointer := container.Elem().Underlying().(*types.Pointer); pointer {
				q.text += "[" + step.Index + "]"
				q.conds = append(q.conds, q.text+" != nil")
				break
			}
			q.found(s, q.text+"["+step.Index+"]")
		default:
			switch {
			case step.Held:
				q.found(s, q.text+".("+s.Type(step.Type)+")")
			case s.Selectable(step.Field):
				q.text += "." + step.Field.Name()
			default:
				obj, _, _ := types.LookupFieldOrMethod(of, true, s.Pkg.Types, method.Name())
				if obj != method {
					s.Fail("the part that is broken cannot be named in a test")
				}
				return // the object itself has the method of the field that it embeds
			}
		}
		of = step.Type
	}
}

// resultToAsk writes the last statement with a name for the result that is asked whether it is valid. Mended code may say
// by another result that there is none.
func (s *script) resultToAsk(ref testcase.Ref, q *questioned) {
	s.Keep[ref] = true
	last := testcase.Ref{Stmt: ref.Stmt, Result: len(s.Types[ref.Stmt]) - 1}
	said := s.Observed(last).Kind == testcase.Bool && s.Observed(last).Bits != 0 // true tells users that there is a result
	s.Keep[last] = s.Keep[last] || said
	names := s.NameResults(ref.Stmt)
	s.Line(strings.Join(names, ", "), " := ", s.Op(ref.Stmt, nil).Text)
	if said {
		q.conds = append(q.conds, names[last.Result])
	} else if last != ref && names[last.Result] != "_" {
		q.conds = append(q.conds, names[last.Result]+" == nil")
	} else if _, pointer := types.Unalias(s.TypeOf(ref)).(*types.Pointer); pointer && len(names) > 1 {
		q.conds = append(q.conds, names[ref.Result]+" != nil")
	}
}

// brokenResult checks that the call still returns the result that broke the promise. The test fails as
// long as it does.
func (s *script) brokenResult(fd *testcase.Finding, last int) string {
	display := s.Display(last)
	e := s.Op(last, nil)
	message := gofile.Quote(display + ": " + gofile.OneLine(fd.Message, 160))
	for r, t := range s.Types[last] {
		v := s.Observed(testcase.Ref{Stmt: last, Result: r})
		if !gofile.Whole(v) || gosyntax.IsError(t) && v.Kind != testcase.Nil {
			continue
		}
		names := make([]string, len(s.Types[last]))
		for k := range names {
			names[k] = "_"
		}
		names[r] = s.Scope.Pick("got")
		var want string
		if reason, _ := s.Attempt(func() { want = parenthesised(s.Value(v, t, t)) }); reason != "" {
			continue
		}
		cond, ok := s.Equals(names[r], want, t, gofile.Comparison{}.Need(v))
		switch {
		case v.Kind == testcase.Nil:
			cond = names[r] + " == nil"
		case v.Kind == testcase.Bool && v.Bits != 0:
			cond = names[r]
		case v.Kind == testcase.Bool:
			cond = "!" + names[r]
		case !ok:
			continue
		}
		s.Line(strings.Join(names, ", "), " := ", e.Text)
		s.Line("if ", cond, " {")
		s.Line("t.Error(", message, ")")
		s.Line("}")
		return s.Out.String()
	}
	s.Bare(last, e)
	// If no result shows that the promise was broken, a changed argument may.
	var conds bytes.Buffer
	for _, k := range s.mutated() {
		ref := s.Seq.At(last).Args[k]
		name, ok := s.Vars[ref]
		p, isPointer := s.TypeOf(ref).Underlying().(*types.Pointer)
		before, after := s.Observed(ref), s.Case.Observed.Final[k]
		if !ok || !isPointer || len(before.Elems) != 1 || len(after.Elems) != 1 {
			continue
		}
		was, is := before.Elems[0], after.Elems[0]
		st, isStruct := p.Elem().Underlying().(*types.Struct)
		if !isStruct || len(was.Elems) != len(is.Elems) {
			continue
		}
		for i, v := range is.Elems {
			f := st.Field(i)
			if gofile.Basic(f.Type()) == nil || v.Equal(was.Elems[i]) || !s.Selectable(f) || !gofile.Whole(v) {
				continue
			}
			if conds.Len() > 0 {
				conds.WriteString(" && ")
			}
			conds.WriteString(name + "." + f.Name() + " == " + s.Value(v, f.Type(), f.Type()).Text)
		}
	}
	if conds.Len() > 0 {
		s.Blank()
		s.Line("if ", conds.String(), " {")
		s.Line("t.Error(", message, ")")
		s.Line("}")
	}
	return s.Out.String()
}
