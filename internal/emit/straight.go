package emit

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/statement"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// script writes one case as the body of a test: its statements, and assertions on what they come to.
type script struct {
	*statement.Script
	w *writer

	asserted int      // assertions written
	changed  []string // the assertions on values that the call changed

	// within is the part of the value that is being asserted. Its fields are found there that mutants have
	// chosen.
	within *testcase.FieldRef

	changing bool // fields that a call has changed are being asserted
}

// newScript prepares to write the first end statements of the case's sequence.
func newScript(w *writer, c *testcase.Case, end int, scope *gofile.Names) *script {
	return &script{Script: statement.New(w.File, c, end, scope), w: w}
}

// A function is one test function as text, without its name and comment.
type function struct {
	name  string
	doc   string
	body  string
	wide  bool // the test is skipped where int has 32 bits
	cases []*testcase.Case
	rows  []string // the names of the cases' subtests, or "" if the test has one case only
	steps int      // how many of the cases are subtests of their own, not rows of a table
	// suffixes are endings for its name, the best first.
	suffixes []string
}

// straight returns the body of a straight-line test of a case that returned: arrange, act, assert.
func (w *writer) straight(c *testcase.Case) (body string, s *script) {
	body, s = w.written(c, true)
	if len(s.changed) == 0 && slices.ContainsFunc(s.mutated(), func(k int) bool {
		return c.Seq.At(c.Seq.Last().Args[k].Stmt).Op.Kind == testcase.OpAssert
	}) {
		// Nothing is said of the fields of what an interface holds, so that its methods can be called through the interface.
		return w.written(c, false)
	}
	return body, s
}

// written returns the body of a straight-line test. What the last call changes has variables, or only what is asserted.
func (w *writer) written(c *testcase.Case, keepMutated bool) (body string, s *script) {
	n := c.Seq.Len()
	s = newScript(w, c, n, w.NewScope())
	target := c.TargetStmt()
	if c.Story != nil {
		target = c.Story.Begins
	}
	acts := s.acts(target)
	if keepMutated {
		s.keepMutated()
	}
	for _, closing := range c.Closes {
		s.Keep[closing.Object] = true
	}
	s.Plan(func(i int) bool { return acts[i] })
	s.RestoreAll(c)
	acted := false
	for i := range n {
		switch {
		case !acts[i]:
			s.Arrange(i)
		default:
			if !acted && s.Lines > 0 && c.Story == nil {
				s.Blank()
			}
			if s.Case.Story != nil && slices.Contains(s.Case.Story.Parts, i) {
				s.Blank()
			}
			acted = acted || i >= target
			s.act(i)
		}
		s.closeAtEnd(c, i)
	}
	s.assertMutated()
	return s.Out.String(), s
}

// closeAtEnd makes the test close the objects that statement i has made, if the case says so.
func (s *script) closeAtEnd(c *testcase.Case, i int) {
	for _, closing := range c.Closes {
		if closing.Object.Stmt != i {
			continue
		}
		args := ""
		if closing.Method.Signature().Params().Len() > 0 {
			args = s.Std("context") + ".Background()"
		}
		s.Line("defer ", s.Variable(closing.Object), ".", closing.Method.Name(), "(", args, ")")
	}
}

// acts marks the statements whose results are asserted: the call of the target and the calls behind it.
func (s *script) acts(target int) []bool {
	used := map[int]bool{}
	for i := range s.End {
		for _, a := range s.Seq.At(i).Args {
			used[a.Stmt] = true
		}
	}
	out := make([]bool, s.End)
	for i := range s.End {
		st := s.Seq.At(i)
		if st.Op.Kind == testcase.OpLiteral || st.Op.Kind == testcase.OpZero {
			continue
		}
		if i == target && s.Case.ShownInside() && len(s.Types[i]) == 1 {
			continue // written as c.With("a").(*Counter), which says by itself that it is not nil
		}
		if used[i] && (isFunc(s.Types[i]) || s.Seq.Last().Op.Drives()) {
			continue // a later statement that calls the function, or the helper that drives it, shows that it is not nil
		}
		if used[i] && i > target && leads(s.Types[i]) {
			continue // the values that are read through the pointer or map are asserted
		}
		if foreign := st.Op.Func != nil && st.Op.Func.Pkg() != s.Pkg.Types; used[i] && i > target && st.Op.Kind == testcase.OpFunc && (foreign || s.Case.Story == nil) && !s.follows(i, target) {
			continue // errors.New("failed"), or ParseID("a"), makes an argument for a later call, and tells nothing of the target
		}
		later := i >= target && (statement.IsCall(st.Op) && !statement.StatementsOnly(st) || !used[i])
		out[i] = i == s.End-1 && !statement.StatementsOnly(st) || later && !statement.StatementsOnly(st)
	}
	return out
}

// follows reports whether statement i uses what statement from returned, directly or by way of other statements.
func (s *script) follows(i, from int) bool {
	return slices.ContainsFunc(s.Seq.At(i).Args, func(a testcase.Ref) bool {
		return a.Stmt == from || a.Stmt > from && s.follows(a.Stmt, from)
	})
}

// leads reports whether a statement's only result is a pointer or a map. Later statements look at other
// values through such a result.
func leads(results []types.Type) bool {
	if len(results) != 1 {
		return false
	}
	switch results[0].Underlying().(type) {
	case *types.Pointer, *types.Map:
		return true
	}
	return false
}

// isFunc reports whether a statement's only result is a function.
func isFunc(results []types.Type) bool {
	if len(results) != 1 {
		return false
	}
	_, ok := results[0].Underlying().(*types.Signature)
	return ok
}

// act writes statement i with assertions on its results.
func (s *script) act(i int) {
	if s.tell(i) {
		return
	}
	if s.heldBy(i) {
		return
	}
	n := len(s.Types[i])
	// If possible, names are declared inside the if statement that uses them.
	inner := gofile.NewNames(s.Scope)
	hadErr := s.Scope.Has("err")
	names, results, usedLater := s.nameAndAssert(i, inner)
	named, count := 0, 0
	for r := range n {
		if names[r] != "_" {
			named++
		}
		count += len(results[r])
	}
	callExpr := s.Op(i, nil)
	display := s.Display(i)
	if named == 0 {
		s.Bare(i, callExpr)
		return
	}
	switch {
	case usedLater:
	case s.w.testify() && s.oneCheck(names, results, callExpr):
		return
	case !s.w.testify() && s.oneIf(names, results, callExpr, display):
		return
	}
	// The test needs the names behind this statement, too.
	assign := " = "
	for _, nm := range names {
		if nm != "_" && (nm != "err" || !hadErr) {
			assign = " := "
		}
	}
	for name := range inner.Taken {
		s.Scope.Add(name)
	}
	s.Line(strings.Join(names, ", "), assign, callExpr.Text)
	if s.toldBehind(i) {
		count++ // as behind a failed assertion of nil there is nothing to read
	}
	// The error is asserted first, because the other results may make no sense if there is an error.
	for r := n - 1; r >= 0; r-- {
		if gosyntax.IsError(s.Types[i][r]) {
			if s.shownBy(i) {
				count++ // the object must not be nil, or there is nothing to observe
			}
			s.writeAsserts(display, results[r], count)
		}
	}
	for r := range n {
		if !gosyntax.IsError(s.Types[i][r]) {
			what := ""
			if n > 1 {
				what = resultName(names[r], r)
			}
			for k := range results[r] {
				if results[r][k].what == "" {
					results[r][k].what = what
				}
			}
			s.writeAsserts(display, results[r], count)
		}
	}
}

// resultName is what a message calls one of several results: by the name of its variable, unless that is none but a number, and not at all the
// first one, which has the call's own name.
func resultName(variable string, r int) string {
	if number := strings.TrimPrefix(variable, "got"); number == variable || strings.Trim(number, "0123456789") != "" {
		return variable
	}
	ordinals := []string{"", "second result", "third result", "fourth result"}
	return ordinals[min(r, len(ordinals)-1)]
}

// heldBy asserts what a pointer of the test points to, such as the requests that a helper noted, and reports whether statement i reads
// that: *requests needs no name of its own.
func (s *script) heldBy(i int) bool {
	if s.Seq.At(i).Op.Kind != testcase.OpDeref || s.Uses[testcase.Ref{Stmt: i}] > 0 || s.Keep[testcase.Ref{Stmt: i}] || i <= s.Case.TargetStmt() {
		return false
	}
	held := s.Op(i, nil).Text
	name := strings.TrimPrefix(held, "*")
	if name == held || !token.IsIdentifier(name) {
		return false
	}
	list := s.asserts(held, s.Types[i][0], s.Observed(testcase.Ref{Stmt: i}))
	s.asserted += len(list)
	s.writeAsserts(name, list, len(list))
	return true
}

// nameAndAssert returns a name for each result of statement i, "_" for a result without assertion, and
// the assertions. A result that is used later gets a variable of the test; the other names are declared
// in inner.
func (s *script) nameAndAssert(i int, inner *gofile.Names) (names []string, results [][]assertion, usedLater bool) {
	n := len(s.Types[i])
	names, results = make([]string, n), make([][]assertion, n)
	outerScope := s.Scope
	for r, t := range s.Types[i] {
		ref := testcase.Ref{Stmt: i, Result: r}
		names[r] = "_"
		later := s.Uses[ref] > 0 || s.Keep[ref]
		usedLater = usedLater || later
		if later {
			names[r] = s.Variable(ref)
		}
		if !later {
			names[r] = s.resultName(i, r, inner)
		}
		s.Scope = inner
		s.within = &testcase.FieldRef{Stmt: i, Result: r}
		switch {
		case i < len(s.Case.Observed.Results) && testcase.MeansNothing(s.Seq.At(i).Op, s.Case.Observed.Results[i], t, s.Observed(ref)):
		case s.IsTold(ref):
			results[r] = s.partsAside(names[r], t, s.Observed(ref), ref)
		case len(s.knownObjects(ref)) > 0:
			results[r] = []assertion{s.same(names[r], t, s.knownObjects(ref))}
		case s.returnsReceiver(ref) != "":
			recv := s.returnsReceiver(ref)
			results[r] = []assertion{{cond: names[r] + " != " + recv, verb: "%v", arg: names[r], want: recv, check: check{"Same", []string{recv, names[r]}}}}
		case r > 0 || !s.shownBy(i):
			results[r] = s.asserts(names[r], t, s.Observed(ref))
		default:
			results[r] = s.assertExported(names[r], t, s.Observed(ref))
		}
		s.within = nil
		s.Scope = outerScope
		if len(results[r]) == 0 && !later {
			names[r] = "_"
		}
	}
	return names, results, usedLater
}

// resultName returns a variable for result r of statement i, which only the
// assertions use.
func (s *script) resultName(i, r int, scope *gofile.Names) string {
	t := s.Types[i][r]
	if gosyntax.IsError(t) && !s.Names.Has("err") {
		// The name err may hide an earlier err in the header of an if, or be assigned again.
		scope.Add("err")
		return "err"
	}
	if len(s.Types[i]) > 1 {
		if op := s.Seq.At(i).Op; op.Func != nil {
			if n := op.Declared().Results().At(r).Name(); gofile.Usable(n) {
				return s.fresh(scope, n)
			}
		}
		if gofile.IsBasic(t, types.IsBoolean) {
			return s.fresh(scope, "ok")
		}
		if word := typeWord(s.Types[i], r); r > 0 && word != "" {
			return s.fresh(scope, "got"+word)
		}
	}
	return s.fresh(scope, "got")
}

// fresh picks a name in a scope inside of the test's.
func (s *script) fresh(scope *gofile.Names, name string) string { return scope.Pick(name) }

// oneIf writes the call and its assertions as one if statement, and reports whether it did: it does not if
// the statement would read badly.
func (s *script) oneIf(names []string, results [][]assertion, callExpr gofile.Expr, display string) bool {
	const longest = 100
	var all []assertion
	for _, as := range results {
		all = append(all, as...)
	}
	if len(all) == 0 || callExpr.Composite != "" || strings.Contains(callExpr.Text, "\n") || braceOutside(callExpr.Text) {
		return false
	}
	s.asserted += len(all)
	if len(all) == 1 && all[0].before == "" {
		a := all[0]
		if len(names) == 1 {
			a.fatal = false
			if a.what == "error" {
				a.what = "" // the message becomes "Enqueue(3) = ..."
			}
		}
		header := strings.Join(names, ", ") + " := " + callExpr.Text + "; " + a.cond
		// Written as if !Contains(3) rather than if got := Contains(3); !got.
		if len(names) == 1 && a.arg == "" {
			switch {
			case a.cond == "!"+names[0]:
				header = "!" + callExpr.Operand()
			case a.cond == names[0]:
				header = callExpr.Text
			case a.cond == names[0]+" == nil":
				header = callExpr.Operand() + " == nil"
			}
		}
		if len(header) > longest {
			return false
		}
		s.Line("if ", header, " {")
		s.Line(report(display, a))
		s.Line("}")
		return true
	}
	var conds []string
	for _, as := range results {
		if len(as) > 1 {
			return false
		}
		for _, a := range as {
			noError := a.what == "error" && a.want == "nil"
			if noError && s.Case.Story != nil {
				a.fatal = false // what follows asks the object something else
			} else if noError {
				return false
			}
			if !a.simple() || strings.Contains(a.cond, "||") {
				return false
			}
			conds = append(conds, a.cond)
		}
	}
	header := strings.Join(names, ", ") + " := " + callExpr.Text + "; " + strings.Join(conds, " || ")
	if len(header) > longest {
		return false
	}
	for i := range all {
		all[i].what = ""
		all[i].fatal = all[i].fatal && s.Case.Story == nil
		all[i].restore()
	}
	s.Line("if ", header, " {")
	s.Line(report(display, all...))
	s.Line("}")
	return true
}

// restore adds the value got to a message that left it out because the condition says it. If the call has
// several results, the condition alone does not.
func (a *assertion) restore() {
	switch {
	case a.arg != "":
	case a.verb == "true":
		a.verb, a.arg = "%t", a.cond
	case a.verb == "false":
		a.verb, a.arg = "%t", strings.TrimPrefix(a.cond, "!")
	case a.verb == "nil":
		a.verb, a.arg = "%v", strings.TrimSuffix(a.cond, " == nil")
		if a.function {
			a.verb = "%p" // go vet takes a function for any other verb to be one that somebody forgot to call
		}
	}
}

// braceOutside reports whether the text has a brace outside of parentheses and
// quotes: the header of an if would end there.
func braceOutside(text string) bool {
	depth := 0
	var quoted byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted != 0:
			if c == '\\' && quoted != '`' {
				i++
			} else if c == quoted {
				quoted = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quoted = c
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == '{' && depth == 0:
			return true
		}
	}
	return false
}

// writeAsserts writes assertions as statements.
func (s *script) writeAsserts(display string, as []assertion, count int) {
	s.asserted += len(as)
	if s.w.testify() {
		s.checks(as, count)
		return
	}
	for _, a := range as {
		if a.fatal && count == 1 {
			a.fatal = false
		}
		if a.before != "" {
			s.Line(a.before)
		}
		s.Line("if ", a.cond, " {")
		s.Line(report(display, a))
		s.Line("}")
	}
}
