package emit

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
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
