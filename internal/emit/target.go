package emit

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/emit/statement"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// longestBody is how many bytes of a test's body a reader can be asked to look at.
const longestBody = 16 << 10

// target writes the tests of one function: tables for the cases that fit into them, straight-line tests
// for the others.
func (w *writer) target(name string, cases []*testcase.Case, namer *words.Namer) ([]function, []Unwritten) {
	cases, properties := withoutProperties(cases)
	w.called = caseNames(w.Pkg, namer, cases)
	w.phrases = phrase.New(w.Writer, w.fset, w.inputs, cases)
	var unwritten []Unwritten
	var tables [][]row
	var single []*testcase.Case
	seen := map[string]bool{}
	group := map[string]int{}
	for _, c := range cases {
		if reason := unfit(c); reason != "" {
			unwritten = append(unwritten, Unwritten{c, reason})
			continue
		}
		r, ok := row{}, false
		if c.Observed.Status == testcase.Returned {
			r, ok = w.tableRow(c)
		}
		if !ok {
			single = append(single, c)
			continue
		}
		key := w.tableKey(r)
		k := key + "\x00" + r.recv + "\x00" + strings.Join(r.args, "\x00")
		if seen[k] {
			unwritten = append(unwritten, Unwritten{c, "another case has the same arguments"})
			continue
		}
		seen[k] = true
		i, ok := group[key]
		if !ok {
			i = len(tables)
			group[key] = i
			tables = append(tables, nil)
		}
		tables[i] = append(tables[i], r)
	}

	var out []function
	tables, single = withoutCalls(tables, single)
	for _, rows := range tables {
		for _, part := range w.split(rows) {
			if body, ok := w.tableBody(part.rows); ok {
				fn := function{body: body, wide: part.rows[0].wide, suffixes: tableSuffixes(part)}
				for _, r := range part.rows {
					fn.cases = append(fn.cases, r.c)
					fn.rows = append(fn.rows, r.name)
				}
				out = append(out, fn)
				continue
			}
			for _, r := range part.rows {
				single = append(single, r.c)
			}
		}
	}
	slices.SortStableFunc(single, func(a, b *testcase.Case) int {
		return cmp.Or(cmp.Compare(a.Observed.Status, b.Observed.Status), slices.Index(cases, a)-slices.Index(cases, b))
	})
	returning, panicking, failed := w.steps(single)
	returning, silent := asserting(returning, len(out) > 0)
	unwritten = slices.Concat(unwritten, failed, silent)
	out = w.joinSteps(out, returning)
	if fn, ok := w.stepsTest(panicking, "_panics"); ok {
		out = append(out, fn)
	}
	functions, unwrittenOf := w.properties(properties)
	out, unwritten = append(out, functions...), append(unwritten, unwrittenOf...)
	for i := range out {
		out[i].name = w.testFunc(name, out[i].suffixes...)
	}
	return out, unwritten
}

// steps writes cases as statements: those that return, those that panic, and those that cannot be written.
func (w *writer) steps(cases []*testcase.Case) (returning, panicking []step, unwritten []Unwritten) {
	for _, c := range cases {
		st, reason := w.step(c)
		switch {
		case reason != "":
			unwritten = append(unwritten, Unwritten{c, reason})
		case c.Observed.Status == testcase.Panicked:
			panicking = append(panicking, st)
		default:
			returning = append(returning, st)
		}
	}
	return returning, panicking, unwritten
}

// withoutCalls moves the tables whose rows all call functions of the package to the cases that are written one by one: what
// all of them call is plainer in front of the call under test, with its arguments in the table that these become.
func withoutCalls(tables [][]row, single []*testcase.Case) ([][]row, []*testcase.Case) {
	var left [][]row
	for _, rows := range tables {
		if slices.ContainsFunc(rows, func(r row) bool { return !r.calls }) {
			left = append(left, rows)
			continue
		}
		for _, r := range rows {
			single = append(single, r.c)
		}
	}
	return left, single
}

// nothingAsserted is the reason for not writing a case of which a test could assert nothing.
const nothingAsserted = "nothing that it does can be asserted"

// asserting returns the steps that assert something, and for the other steps their cases as unwritten ones. If
// no step asserts anything, and there is no table, the first step stays: its test shows that the call ends.
func asserting(steps []step, table bool) (left []step, silent []Unwritten) {
	table = table || slices.ContainsFunc(steps, func(st step) bool { return !st.silent })
	for _, st := range steps {
		if st.silent && (table || len(left) > 0) {
			silent = append(silent, Unwritten{st.c, nothingAsserted})
			continue
		}
		left = append(left, st)
	}
	return left, silent
}

// tableSuffixes returns endings for the name of a table's test. The last ones are for functions with two tables, and for
// packages with a hand-written test of the first name.
func tableSuffixes(p part) []string {
	typ := typeSuffix(p.rows[0])
	out := []string{p.suffix, typ + p.suffix}
	if allErrors(p.rows) {
		out = append(out, typ+"_errors"+p.suffix)
	}
	return append(out, typ+"_cases"+p.suffix)
}

// allErrors reports whether the calls of all rows return an error.
func allErrors(rows []row) bool {
	return !slices.ContainsFunc(rows, func(r row) bool {
		n := len(r.results)
		return n == 0 || r.results[n-1].Err == nil
	})
}

// A step is a case written as statements: a whole test, or a subtest.
type step struct {
	c    *testcase.Case
	body string
	doc  string
	name string
	wide bool
	// passed is the source of the arguments, if it is short and says more than names of variables.
	passed string
	// silent says that the step asserts nothing except that its call ends.
	silent bool
	// suffixes are endings for the name of a test that has only this step.
	suffixes []string
}

// step writes a case as statements, or says why it cannot be written.
func (w *writer) step(c *testcase.Case) (step, string) {
	st := step{c: c}
	var s *script
	var reason string
	reason, st.wide = w.Attempt(func() {
		if c.Observed.Status == testcase.Panicked {
			st.body = w.panicking(c)
		} else {
			st.body, s = w.straight(c)
			st.passed = passedText(s.Display(c.TargetStmt()))
		}
	})
	switch {
	case reason != "":
		return st, reason
	case len(st.body) > longestBody:
		return st, fmt.Sprintf("its test would take %d KB", len(st.body)>>10)
	case s != nil && s.asserted == 0 && !w.counts(c):
		return st, nothingAsserted
	}
	st.silent = s != nil && s.asserted == 0
	st.body = w.enclosed(c, st.body)
	st.doc = w.docComment(c, s)
	if suffixes, more := w.phrases.Suffixes(c); c.Observed.Status == testcase.Panicked {
		st.suffixes = []string{"_panics"}
	} else {
		st.suffixes = slices.Concat([]string{""}, suffixes, more)
	}
	return st, ""
}

// passedText returns the arguments of a call as messages show it, or "" if they are left out or only variables.
func passedText(call string) string {
	_, list, ok := strings.Cut(call, "(")
	list, closed := strings.CutSuffix(list, ")")
	if !ok || !closed || list == "..." || len(list) > longestName || !strings.ContainsAny(list, `("0123456789`) {
		return ""
	}
	return list
}

// counts reports whether a case is worth a test although nothing is asserted: it does what the documentation does. That any other
// call ends says nothing of what it did.
func (w *writer) counts(c *testcase.Case) bool { return c.Whole || c.Documented != "" || c.Keep }

// joinSteps adds the steps to the test of the first table, as subtests behind its rows. If there is no
// table, it makes one test of them.
func (w *writer) joinSteps(tables []function, steps []step) []function {
	i := slices.IndexFunc(tables, func(f function) bool { return f.suffixes[0] == "" && !f.wide })
	if i < 0 {
		if fn, ok := w.stepsTest(steps, ""); ok {
			return append([]function{fn}, tables...)
		}
		return tables
	}
	w.nameSteps(steps, tables[i].rows)
	for _, st := range steps {
		tables[i].body += "\n" + w.subtest(st)
		tables[i].cases = append(tables[i].cases, st.c)
		tables[i].rows = append(tables[i].rows, st.name)
		tables[i].steps++
	}
	return tables
}

// stepsTest returns a test for cases that are written as statements. A single case becomes a test with a
// comment, several become subtests of one test.
func (w *writer) stepsTest(steps []step, suffix string) (function, bool) {
	switch len(steps) {
	case 0:
		return function{}, false
	case 1:
		st := steps[0]
		return function{body: st.body, doc: st.doc, wide: st.wide, suffixes: st.suffixes, cases: []*testcase.Case{st.c}, rows: []string{""}}, true
	}
	w.nameSteps(steps, nil)
	fn := function{suffixes: []string{suffix, suffix + "_cases"}}
	for i, st := range steps {
		if i > 0 {
			fn.body += "\n"
		}
		fn.body += w.subtest(st)
		fn.cases = append(fn.cases, st.c)
		fn.rows = append(fn.rows, st.name)
		fn.steps++
	}
	return fn, true
}

// subtest returns a step as a subtest.
func (w *writer) subtest(st step) string {
	skip := ""
	if st.wide {
		skip = "if " + w.Std("strconv") + ".IntSize < 64 {\nt.Skip(\"needs an int of 64 bits\")\n}\n"
	}
	return "t.Run(" + gofile.Quote(st.name) + ", func(t *" + w.Std("testing") + ".T) {\n" + skip + strings.TrimRight(st.body, "\n") + "\n})\n"
}

// unfit returns the reason why a case cannot become a test, or "" if it may.
func unfit(c *testcase.Case) string {
	o := c.Observed
	switch {
	case o == nil:
		return "it was not run"
	case o.Status == testcase.Returned && o.Violated != "":
		return "it violates " + o.Violated
	case o.Status == testcase.Returned:
		return ""
	case o.Status == testcase.Panicked && o.Panic != nil && o.Panic.Kind == "explicit" && o.At == c.Seq.Len()-1:
		return ""
	case o.Status == testcase.Panicked && o.Panic != nil:
		return "it panics: " + o.Panic.Message
	}
	reason := "it ended with status " + o.Status.String()
	if o.Message != "" {
		reason += ": " + o.Message
	}
	return reason
}

// tableKey returns a key that is equal for rows that can be in one table.
func (w *writer) tableKey(r row) string {
	st := r.c.Seq.At(r.c.TargetStmt())
	op := st.Op
	key := op.Func.FullName()
	if w.inside(r.c) {
		key += " in a bubble"
	}
	for _, o := range r.after {
		key += "," + o.method.Name()
	}
	for _, t := range op.TypeArgs {
		key += "," + t.String()
	}
	for i, cell := range r.args {
		if maker, _ := readerOf(cell); maker != "" {
			key += ",text " + strconv.Itoa(i) // such a table has a column of texts, which other readers do not fit
		}
	}
	if op.Kind == testcase.OpMethod {
		recv := st.Args[0]
		key += "@" + r.c.Seq.ResultTypes()[recv.Stmt][recv.Result].String()
	}
	return key
}

// typeSuffix returns an ending for the name of a test of one instance of a generic
// function.
func typeSuffix(r row) string {
	out := ""
	for _, t := range r.c.Seq.At(r.c.TargetStmt()).Op.TypeArgs {
		out += "_" + gofile.Identifier(gofile.ShortName(t))
	}
	return out
}

// part is the rows of one table.
type part struct {
	suffix string
	rows   []row
}

// split puts rows into different tables if they compare their errors in different ways, or if only some of
// them need an int of 64 bits.
func (w *writer) split(rows []row) []part {
	var main, errs, others []row
	sentinels := false
	for _, r := range rows {
		sentinels = sentinels || w.mode(r) == errSentinel
	}
	for _, r := range rows {
		switch m := w.mode(r); {
		case m == errNil || m == errSentinel || m == errMessage && !sentinels:
			main = append(main, r)
		case m == errMessage:
			errs = append(errs, r)
		default:
			others = append(others, r)
		}
	}
	if len(main) == 0 {
		main, errs = errs, nil
	}
	if len(main) == 0 {
		main, others = others, nil
	}
	var out []part
	for _, p := range []part{{"", main}, {"_errors", errs}, {"_fails", others}} {
		var narrow, wide []row
		for _, r := range p.rows {
			if r.wide {
				wide = append(wide, r)
			} else {
				narrow = append(narrow, r)
			}
		}
		if len(narrow) > 0 {
			out = append(out, part{p.suffix, narrow})
		}
		if len(wide) > 0 {
			out = append(out, part{p.suffix + "_64bit", wide})
		}
	}
	return out
}

// tableBody returns the body of a table-driven test, and false if the rows are too few for one or cannot be
// compared in one.
func (w *writer) tableBody(rows []row) (string, bool) {
	if len(rows) < 2 {
		return "", false
	}
	return w.tableTest(rows)
}

// testFunc returns a free name for a test of the target with one of the suffixes.
func (w *writer) testFunc(target string, suffixes ...string) string {
	base := TestName(target)
	for _, s := range suffixes {
		// A condition may contain a constant that cannot be part of an identifier: "is-1".
		if n := base + s; token.IsIdentifier(n) && !w.Names.Has(n) {
			w.Names.Add(n)
			return n
		}
	}
	for i := 2; ; i++ {
		n := fmt.Sprintf("%s_%d", base, i)
		if !w.Names.Has(n) {
			w.Names.Add(n)
			return n
		}
	}
}

// panicking returns the body of a test of a case that panics as documented.
func (w *writer) panicking(c *testcase.Case) string {
	n := c.Seq.Len()
	s := newScript(w, c, n, w.NewScope())
	s.Plan(func(int) bool { return false })
	s.RestoreAll(c)
	for i := range n - 1 {
		s.Arrange(i)
	}
	if s.Lines > 0 {
		s.Blank()
	}
	text := s.Op(n-1, nil).Text
	if op := c.Seq.Last().Op; !statement.IsCall(op) || statement.IsPrinter(op) {
		text = "_ = " + text
	}
	if statement.StatementsOnly(c.Seq.Last()) {
		s.Fail("an assignment that panics")
	}
	display := s.Display(n - 1)
	v := c.Observed.Panic.Value
	a := assertion{cond: "got == nil", verb: "nil", want: "a panic"}
	if v.Kind == testcase.Interface && len(v.Elems) == 1 {
		err := v.Err
		v = v.Elems[0]
		if v.Err == nil {
			v.Err = err
		}
	}
	message := ""
	switch sent := s.Sentinel(v); {
	case sent != nil && v.Err.Identical:
		name := s.Object(sent)
		a = assertion{cond: "got != " + name, verb: "%v", arg: "got", want: name}
	case v.Kind == testcase.String && !v.Cut && !c.Observed.Unstable:
		message = v.Str
	case v.Err != nil:
		message, _ = stableMessage(v)
	}
	if message != "" && len(message) <= 120 {
		if v.Kind == testcase.String && v.Err == nil && basicString(v) {
			a = assertion{cond: "got != " + gofile.Quote(message), verb: "%v", arg: "got", want: message}
		} else {
			a = assertion{cond: s.Std("fmt") + ".Sprint(got) != " + gofile.Quote(message), verb: "%v", arg: "got", want: message}
		}
	}
	s.Line("defer func() {")
	s.Line("if got := recover(); ", a.cond, " {")
	s.Line(strings.Replace(report(display, a), " = ", " panics with ", 1))
	s.Line("}")
	s.Line("}()")
	s.Line(text)
	return s.Out.String()
}

// basicString reports whether the value has the type string itself.
func basicString(v testcase.Value) bool {
	return v.Type == nil && (v.TypeName == "" || v.TypeName == "string") || v.Type != nil && v.Type.String() == "string"
}

// TestName returns the name of the test of a target: TestF, Test_f, TestT_M.
func TestName(target string) string {
	target = strings.ReplaceAll(target, ".", "_")
	if r, _ := utf8.DecodeRuneInString(target); !unicode.IsUpper(r) {
		return "Test_" + target
	}
	return "Test" + target
}
