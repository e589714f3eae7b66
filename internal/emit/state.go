package emit

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// An observation is a call of an observer on the object that the tested call made or changed. It stands
// behind the tested call and shows its effect.
type observation struct {
	stmt    int
	method  *types.Func
	via     *testcase.Helper // the helper that lists elements, or nil for a method
	args    []int            // which arguments of the tested call it takes, the first is 0; -1 for another constant
	results []types.Type
	values  []testcase.Value
}

// observations returns the calls of observers behind the case's own call, and the object that they ask. It
// returns false if anything else comes behind the call, or if a result of an observer cannot be written.
func observations(c *testcase.Case, target int) (out []observation, subject testcase.Ref, ok bool) {
	if target == c.Seq.Len()-1 {
		return nil, testcase.Ref{Stmt: -1}, true
	}
	subject, ok = c.Shown()
	if !ok || c.Observed == nil || len(c.Observed.Results) < c.Seq.Len() {
		return nil, subject, false
	}
	results, first := c.Seq.ResultTypes(), target+1
	if c.ShownInside() {
		first++
	}
	for i := first; i < c.Seq.Len(); i++ {
		values := c.Observed.Results[i]
		if observer.ReadsBytes(c.Seq.At(i).Op) {
			return nil, subject, false // a row has no name for the bytes
		}
		if len(results[i]) == 0 || len(values) != len(results[i]) || slices.ContainsFunc(values, func(v testcase.Value) bool { return !gofile.Whole(v) }) {
			return nil, subject, false
		}
		o := observation{stmt: i, method: c.Seq.At(i).Op.Func, via: c.Seq.At(i).Op.Via, results: results[i], values: values}
		for _, a := range c.Seq.At(i).Args[1:] {
			o.args = append(o.args, slices.Index(c.Seq.At(target).Args[1:], a))
		}
		out = append(out, o)
	}
	return out, subject, true
}

// shownBy reports whether observers behind a statement show the object that the statement returned. If so,
// the test asserts of the result itself only that it is not nil.
func (s *script) shownBy(i int) bool {
	if i != s.Case.TargetStmt() {
		return false
	}
	obs, subject, ok := observations(s.Case, i)
	return ok && len(obs) > 0 && subject.Stmt == i
}

// afterColumns adds the columns for the observers' results after the call, and returns the statements that
// check them. The parameter object is the text of the observed object; display and shown describe the call in
// messages.
func (t *table) afterColumns(object, display string, shown []string) (string, bool) {
	var b strings.Builder
	for k, o := range t.rows[0].after {
		c, ok := t.observerColumns(k, o)
		if !ok {
			return "", false
		}
		passed, shownArgs, values := t.passedTo(o)
		callText, method := object+"."+o.method.Name()+"("+passed+")", o.method.Name()
		if o.via != nil {
			method = t.ViaHelper(o.via)
			callText, shownArgs = method+"("+object+")", strings.TrimPrefix(object, "tt.")
			if o.via.OfTest {
				callText = method + "(t, " + object + ")"
			}
		}
		if t.testify() {
			b.WriteString(c.testify(callText) + "\n")
			continue
		}
		sep := ", want "
		if len(c.vars) > 1 {
			sep = "; want "
		}
		at := "after " + display + ": "
		if t.rows[0].object && o.via == nil {
			at = display + "."
		}
		message := at + escape(method) + "(" + shownArgs + ") = " + strings.Join(c.verbs, ", ") + sep + strings.Join(c.wants, ", ")
		args := slices.Concat([]string{gofile.Quote(message)}, shown, values, c.vars, c.wantArgs)
		b.WriteString("if " + strings.Join(c.vars, ", ") + " := " + callText + "; " + strings.Join(c.conds, " || ") + " {\n")
		b.WriteString("t.Errorf(" + strings.Join(args, ", ") + ")\n}\n")
	}
	return b.String(), true
}

// observed has the parts of the statement that checks the results of one observer.
type observed struct {
	vars            []string // the variables of the results
	conds, checks   []string // for each result the condition that it is wrong, and the same as a check of testify
	verbs           []string // the verbs that format the results
	wants, wantArgs []string // the expected values in the message, and the arguments for the verbs among them
}

// testify returns the statement with the checks of testify, given the text of the observer's call.
func (c observed) testify(call string) string {
	if len(c.vars) == 1 {
		if text, ok := equalOrCond(c.checks[0], c.vars[0], call); ok {
			return text
		}
	}
	return "{\n" + strings.Join(c.vars, ", ") + " := " + call + "\n" + strings.Join(c.checks, "\n") + "\n}"
}

// observerColumns adds the columns for the results of the k-th observer. It returns false if some row's result
// cannot be checked.
func (t *table) observerColumns(k int, o observation) (c observed, ok bool) {
	scope := gofile.NewNames(t.NewScope())
	scope.Add("tt")
	if t.rows[0].object {
		scope.Add("got") // the object
	}
	for r, rt := range o.results {
		if gosyntax.IsError(rt) { // the error of the call that finishes the object
			if slices.ContainsFunc(t.rows, func(row row) bool { return row.after[k].values[r].Kind != testcase.Nil }) {
				return c, false
			}
			v := scope.Pick("err")
			c.vars, c.conds, c.verbs, c.wants = append(c.vars, v), append(c.conds, v+" != nil"), append(c.verbs, "%v"), append(c.wants, "nil")
			c.checks = append(c.checks, t.checkText(check{"NoError", []string{v}}, false))
			continue
		}
		v := scope.Pick("got")
		field := "want"
		if o.via == nil || len(t.types) > 0 || len(t.rows[0].after) > 1 {
			field += gofile.UpperFirst(cmp.Or(strings.TrimPrefix(strings.TrimPrefix(o.method.Name(), "Is"), "Get"), o.method.Name()))
		}
		switch {
		case r == 0:
		case gofile.IsBasic(rt, types.IsBoolean) && len(o.results) == 2:
			v = scope.Pick("ok")
			field += "OK"
		default:
			field += strconv.Itoa(r + 1)
		}
		cells, how := t.observedCells(k, r, rt)
		want, inline := cells[0], allEqual(cells) && plainArg(cells[0])
		if !inline {
			field = t.fields.PickField(field)
			t.columns = append(t.columns, gofile.Column{Name: field, Type: t.Type(rt), Cells: cells})
			want = "tt." + field
		}
		cond, ok := t.Differs(v, want, rt, how)
		if !ok {
			return c, false
		}
		if cond == v+" != "+want && strings.HasSuffix(want, "}") {
			cond = v + " != (" + want + ")" // a composite literal would end the header of the if
		}
		switch {
		case inline && gofile.IsBasic(rt, types.IsBoolean) && want == "true":
			cond = "!" + v
		case inline && gofile.IsBasic(rt, types.IsBoolean):
			cond = v
		case inline && want == "nil":
			cond = v + " != nil" // package reflect knows no nil without a type
		}
		c.vars, c.conds, c.verbs = append(c.vars, v), append(c.conds, cond), append(c.verbs, gofile.CellVerb(rt, cells))
		chk := equalCheck(v, want, rt, how)
		if inline && want == "nil" {
			chk = check{"Nil", []string{v}}
		}
		if chk.name == "" {
			chk = assertion{cond: cond}.checked()
		}
		c.checks = append(c.checks, t.checkText(chk, false))
		if inline {
			c.wants = append(c.wants, escape(want))
		} else {
			c.wants, c.wantArgs = append(c.wants, gofile.CellVerb(rt, cells)), append(c.wantArgs, want)
		}
	}
	return c, true
}

// observedCells returns the texts of result r of the k-th observer by row, and what their comparison has to
// allow for.
func (t *table) observedCells(k, r int, rt types.Type) (cells []string, c gofile.Comparison) {
	seenNil, seenEmpty := false, false
	for _, row := range t.rows {
		val := row.after[k].values[r]
		c = c.Need(val)
		seenNil = seenNil || val.Kind == testcase.Nil
		seenEmpty = seenEmpty || (val.Kind == testcase.Slice || val.Kind == testcase.Map) && len(val.Elems) == 0
		cells = append(cells, t.Value(val, rt, rt).Text)
	}
	c.NilCounts = seenNil && seenEmpty
	return cells, c
}

// passedTo returns the arguments of an observer's call: their text, their form in a message, and the
// values that the message formats.
func (t *table) passedTo(o observation) (passed, shown string, values []string) {
	var texts, formats []string
	for _, i := range o.args {
		texts, formats = append(texts, t.passed[i]), append(formats, t.shown[i])
		if strings.HasPrefix(t.passed[i], "tt.") && strings.Contains(t.shown[i], "%") {
			values = append(values, t.passed[i])
		}
	}
	return strings.Join(texts, ", "), strings.Join(formats, ", "), values
}

// equalOrCond replaces the variable of a call's only result in the text of a check by the call.
func equalOrCond(check, name, call string) (string, bool) {
	i := strings.LastIndex(check, ", "+name+")")
	if i < 0 || len(check)+len(call) > 110 {
		return "", false
	}
	return check[:i] + ", " + call + ")", true
}

// What follows writes what tests assert of the parts of an object of the standard library that the tested call returned: of a
// request its URL, its header and what reading its body gives.

// toldBehind reports whether such statements read a result of statement i.
func (s *script) toldBehind(i int) bool {
	for r := range s.Types[i] {
		if s.IsTold(testcase.Ref{Stmt: i, Result: r}) {
			return true
		}
	}
	return false
}

// partsAside returns the assertions of a result whose parts are read: that it is there, and the fields that notice
// something which no part does.
func (s *script) partsAside(got string, t types.Type, v testcase.Value, ref testcase.Ref) []assertion {
	var read []string
	for i := ref.Stmt + 1; i < s.End; i++ {
		if st := s.Seq.At(i); st.Op.Kind == testcase.OpField && st.Args[0] == ref {
			read = append(read, st.Op.Var.Name())
		}
	}
	var out []assertion
	if p, ok := t.Underlying().(*types.Pointer); ok {
		out = []assertion{{cond: got + " == nil", want: "non-nil", verb: "nil", fatal: true, check: check{"NotNil", []string{got}}}}
		if len(v.Elems) == 1 {
			t, v = p.Elem(), v.Elems[0]
		}
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || v.Kind != testcase.Struct || len(v.Elems) != st.NumFields() {
		return out
	}
	all := s.Case.Fields == nil && !observer.HasRow(t) // of a struct whose fields are read, the other fields are its own
	return append(out, s.assertFields(got, t, v, func(i int) bool {
		chosen := s.Case.Fields[testcase.FieldRef{Stmt: ref.Stmt, Result: ref.Result, Field: i}]
		return (all || chosen) && !slices.Contains(read, st.Field(i).Name())
	})...)
}

// tell writes the assertion of a part, if statement i reads one, and reports whether it does.
func (s *script) tell(i int) bool {
	from, tells := observer.Tells(s.Case, i)
	if !tells {
		return false
	}
	e, of := s.Op(i, nil), s.pathTo(i, from)
	display := s.Display(from)
	if len(s.Types[i]) == 1 {
		as := s.asserts(e.Text, s.Types[i][0], s.Observed(testcase.Ref{Stmt: i}))
		for k := range as {
			as[k].what = strings.TrimSpace(of + " " + as[k].what)
		}
		s.writeAsserts(display, as, len(as))
		return true
	}
	if observer.Receives(s.Seq.At(i).Op) {
		s.tellReceived(i, e.Text, display)
		return true
	}
	name := "content"
	if of != "" {
		name = gofile.LowerFirst(gofile.Identifier(of))
	}
	name = s.Scope.Pick(name, "content")
	s.Scope.Add("err")
	s.Line(name, ", err := ", e.Text)
	as := s.asserts("err", s.Types[i][1], s.Observed(testcase.Ref{Stmt: i, Result: 1}))
	for k := range as {
		as[k].fatal = true
	}
	s.writeAsserts("reading "+display, as, 2)
	s.writeAsserts(display, s.content(name, of, s.Types[i][0], s.Observed(testcase.Ref{Stmt: i})), 2)
	return true
}

// tellReceived writes what statement i receives from a channel: the value, and whether the channel is open. What a closed channel
// gives is no value.
func (s *script) tellReceived(i int, call, display string) {
	value, open := s.Observed(testcase.Ref{Stmt: i}), s.Observed(testcase.Ref{Stmt: i, Result: 1})
	isOpen := open.Bits != 0
	name, was := "_", s.Scope.Pick("open")
	var as []assertion
	if isOpen && hasValues(s.Types[i][0]) {
		name = s.Scope.Pick("got", "received")
		as = s.asserts(name, s.Types[i][0], value)
	}
	if len(as) == 0 {
		name = "_"
	}
	s.Line(name, ", ", was, " := ", call)
	as = append(s.asserts(was, s.Types[i][1], open), as...)
	as[0].what = was
	s.writeAsserts("received from "+display, as, len(as))
}

// hasValues reports whether a type has more than one value.
func hasValues(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	return !ok || st.NumFields() > 0
}

// content returns the assertions of what was read, which is compared as a text if it is one.
func (s *script) content(name, of string, t types.Type, v testcase.Value) []assertion {
	text, _ := v.Bytes()
	if !isBytes(t) || v.Len > len(v.Elems) || !utf8.Valid(text) {
		as := s.asserts(name, t, v)
		for k := range as {
			as[k].what = of
		}
		return as
	}
	const short = 40
	read, want := "string("+name+")", gofile.Quote(string(text))
	a := assertion{cond: read + " != " + want, what: of, verb: "%q", arg: name, want: describe(want), check: equalCheck(read, want, types.Typ[types.String], gofile.Comparison{})}
	if len(want) > short {
		v := s.Scope.Pick("want"+gofile.UpperFirst(name), "want")
		a = assertion{before: v + " := " + want, cond: read + " != " + v, what: of, verb: "%q", arg: name, wantArg: v, check: equalCheck(read, v, types.Typ[types.String], gofile.Comparison{})}
	}
	return []assertion{a}
}

func isBytes(t types.Type) bool {
	list, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(list.Elem(), types.Typ[types.Byte])
}

// pathTo returns what messages call the part that statement i reads of what statement from returned: the fields and methods
// that lead there, but for a String at the end, which says what the message prints.
func (s *script) pathTo(i, from int) string {
	var names []string
	for ; i > from; i = s.Seq.At(i).Args[0].Stmt {
		switch op := s.Seq.At(i).Op; {
		case op.Kind == testcase.OpField:
			names = append(names, op.Var.Name())
		case op.Kind == testcase.OpMethod && op.Func.Name() != "String":
			names = append(names, op.Func.Name())
		}
	}
	slices.Reverse(names)
	return strings.Join(names, ".")
}
