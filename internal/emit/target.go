package emit

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// longestBody is how many bytes of a test's body a reader can be asked to look at.
const longestBody = 16 << 10

// target writes the tests of one function: tables for the cases that fit one,
// straight-line tests for the others.
func (w *writer) target(name string, cases []*testcase.Case) ([]function, []Unwritten) {
	w.cases, w.shared = len(cases), map[string]int{}
	for _, c := range cases {
		for _, p := range w.conditions(c) {
			w.shared[p.clause]++
		}
	}
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
		if k := key + "\x00" + r.recv + "\x00" + strings.Join(r.args, "\x00"); seen[k] {
			unwritten = append(unwritten, Unwritten{c, "another case has the same arguments"})
			continue
		} else {
			seen[k] = true
		}
		i, ok := group[key]
		if !ok {
			i = len(tables)
			group[key] = i
			tables = append(tables, nil)
		}
		tables[i] = append(tables[i], r)
	}

	var out []function
	for _, rows := range tables {
		for _, part := range w.split(rows) {
			if body, ok := w.tableBody(part.rows); ok {
				typ := typeSuffix(part.rows[0])
				// The last is for where a test by hand has the name.
				suffixes := []string{part.suffix, typ + part.suffix, typ + "_cases" + part.suffix}
				fn := function{name: w.testFunc(name, suffixes...), body: body, wide: part.rows[0].wide}
				for _, r := range part.rows {
					fn.cases = append(fn.cases, r.c)
				}
				out = append(out, fn)
				continue
			}
			for _, r := range part.rows {
				single = append(single, r.c)
			}
		}
	}
	returning, written := 0, len(out)
	for _, c := range single {
		if c.Observed.Status == testcase.Returned {
			returning++
		}
	}
	for _, c := range single {
		fn := function{cases: []*testcase.Case{c}}
		var reason string
		var s *script
		reason, fn.wide = w.attempt(func() {
			if c.Observed.Status == testcase.Panicked {
				fn.body = w.panicking(c)
			} else {
				fn.body, s = w.straight(c)
			}
		})
		if reason == "" && len(fn.body) > longestBody {
			reason = fmt.Sprintf("its test would take %d KB", len(fn.body)>>10)
		}
		if reason != "" {
			unwritten = append(unwritten, Unwritten{c, reason})
			continue
		}
		fn.doc = w.docComment(c, s)
		suffixes, more := w.suffixes(c)
		if c.Observed.Status == testcase.Panicked {
			for i, s := range suffixes {
				suffixes[i] = "_panics" + upperFirst(strings.TrimPrefix(s, "_"))
			}
			for i, s := range more {
				more[i] = "_panics" + upperFirst(strings.TrimPrefix(s, "_"))
			}
			suffixes = append(suffixes, "_panics")
		} else if returning == 1 && written == 0 {
			suffixes = append([]string{""}, suffixes...)
		}
		fn.name = w.testFunc(name, slices.Concat(suffixes, []string{""}, more)...)
		out = append(out, fn)
	}
	return out, unwritten
}

// unfit returns why no test comes of a case, "" if one may.
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

// tableKey tells apart rows that cannot be in one table.
func (w *writer) tableKey(r row) string {
	op := r.c.Seq.Last().Op
	key := op.Func.FullName()
	for _, t := range op.TypeArgs {
		key += "," + t.String()
	}
	if op.Kind == testcase.OpMethod {
		recv := r.c.Seq.Last().Args[0]
		key += "@" + r.c.Seq.ResultTypes()[recv.Stmt][recv.Result].String()
	}
	return key
}

// typeSuffix returns an ending for the name of a test of one instance of a generic
// function.
func typeSuffix(r row) string {
	out := ""
	for _, t := range r.c.Seq.Last().Op.TypeArgs {
		out += "_" + identifier(shortName(t))
	}
	return out
}

// part is what becomes one table.
type part struct {
	suffix string
	rows   []row
}

// split divides rows that compare their errors in different ways, and those that
// need an int of 64 bits.
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

// tableBody returns the body of a table-driven test, false if the rows are too few
// for one or cannot be compared in one.
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
		// A constant in a condition may be one that no name can have: "is-1".
		if n := base + s; token.IsIdentifier(n) && !w.names.has(n) {
			w.names.add(n)
			return n
		}
	}
	for i := 2; ; i++ {
		n := fmt.Sprintf("%s_%d", base, i)
		if !w.names.has(n) {
			w.names.add(n)
			return n
		}
	}
}

// panicking returns the body of a test of a case that panics as documented.
func (w *writer) panicking(c *testcase.Case) string {
	n := c.Seq.Len()
	s := newScript(w, c, n, w.newScope())
	s.plan(func(int) bool { return false })
	s.restoreAll(c)
	for i := range n - 1 {
		s.arrange(i)
	}
	if s.lines > 0 {
		s.blank()
	}
	text := s.op(n-1, nil).text
	if op := c.Seq.Last().Op; !call(op) || printed(op) {
		text = "_ = " + text
	}
	if statementsOnly(c.Seq.Last()) {
		s.fail("an assignment that panics")
	}
	display := s.display(n - 1)
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
	switch sent := s.sentinel(v); {
	case sent != nil && v.Err.Identical:
		name := s.object(sent)
		a = assertion{cond: "got != " + name, verb: "%v", arg: "got", want: name}
	case v.Kind == testcase.String && !v.Cut && !c.Observed.Unstable:
		message = v.Str
	case v.Err != nil:
		message, _ = stableMessage(v)
	}
	if message != "" && len(message) <= 120 {
		if v.Kind == testcase.String && v.Err == nil && basicString(v) {
			a = assertion{cond: "got != " + quote(message), verb: "%v", arg: "got", want: message}
		} else {
			a = assertion{cond: s.std("fmt") + ".Sprint(got) != " + quote(message), verb: "%v", arg: "got", want: message}
		}
	}
	header := "got := " + s.helper("panicOf") + "(func() { " + text + " })"
	if strings.Contains(text, "\n") || len(header)+len(a.cond) > 110 {
		s.line(header)
		s.line("if ", a.cond, " {")
	} else {
		s.line("if ", header, "; ", a.cond, " {")
	}
	s.line(strings.Replace(report(display, a), " = ", " panics with ", 1))
	s.line("}")
	return s.out.String()
}

// basicString reports whether the value has the type string itself.
func basicString(v testcase.Value) bool {
	return v.Type == nil && (v.TypeName == "" || v.TypeName == "string") || v.Type != nil && v.Type.String() == "string"
}
