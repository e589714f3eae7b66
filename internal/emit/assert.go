package emit

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// An assertion is one thing that a test checks.
type assertion struct {
	before string // a statement that defines want, or ""
	cond   string // the condition under which the test must fail
	// The message consists of a name for the checked value (what, or "" for the call's result), the value got
	// (arg, formatted by verb), and the value wanted.
	what, verb, arg, want, wantArg string
	fatal                          bool  // the statements behind make no sense if the assertion fails
	function                       bool  // the value is a function
	check                          check // the same assertion for testify, if testify has something better than the condition
}

// simple reports whether the assertion may be joined with others in one condition.
func (a assertion) simple() bool { return a.before == "" && a.wantArg == "" && !a.fatal }

// verbFor is verb for a value whose wanted text is known: an integer with a String method is printed as the number
// that is wanted, not as the text that its method makes of it. A duration is printed as a duration on both sides.
func verbFor(t types.Type, want string) string {
	if v := gofile.Verb(t); load.IsNamed(t, "time", "Duration") || v != "%v" || !gofile.IsBasic(t, types.IsInteger) || want == "" || want[0] < '0' || want[0] > '9' {
		return v
	}
	if strings.HasPrefix(want, "0x") {
		return "%#x"
	}
	return "%d"
}

// asserts returns the assertions that got, of static type t, equals the observed value. It returns none if
// the value was not observed.
func (s *script) asserts(got string, t types.Type, v testcase.Value) []assertion {
	if gosyntax.IsError(t) {
		return s.assertError(got, v)
	}
	switch v.Kind {
	case testcase.Invalid:
		return nil
	case testcase.Opaque:
		if gofile.Nilable(t) && (s.Case.Observed == nil || !s.Case.Observed.Unstable) {
			if _, iface := t.Underlying().(*types.Interface); !iface {
				_, function := t.Underlying().(*types.Signature)
				return []assertion{{cond: got + " == nil", what: "", want: "non-nil", verb: "nil", function: function, check: check{"NotNil", []string{got}}}}
			}
		}
		return nil
	case testcase.Nil:
		if _, fn := t.Underlying().(*types.Signature); fn {
			return []assertion{{cond: got + " != nil", verb: "non-nil", want: "nil", check: check{"Nil", []string{got}}}}
		}
		return []assertion{{cond: got + " != nil", verb: "%v", arg: got, want: "nil", check: check{"Nil", []string{got}}}}
	case testcase.Bool:
		a := assertion{cond: "!" + got, verb: "false", want: "true", check: check{"True", []string{got}}}
		if v.Bits == 0 {
			a = assertion{cond: got, verb: "true", want: "false", check: check{"False", []string{got}}}
		}
		return []assertion{a}
	}
	if a, ok := s.assertWhole(got, t, v); ok {
		return a
	}
	return s.assertParts(got, t, v)
}

// numbered returns the call of a helper that makes a value of an interface out of a number, if the script calls that helper and
// this is a value of that helper's type: an element that a container gives back. The harness declares the type under a longer
// name with the same end. Otherwise numbered returns "".
func (s *script) numbered(t types.Type, v testcase.Value) string {
	if v.Kind != testcase.Interface || len(v.Elems) != 1 || v.Elems[0].Type != nil || v.Elems[0].Kind != testcase.Int {
		return ""
	}
	for i := range s.Seq.Len() {
		if h := s.Seq.At(i).Op.Via; h != nil && h.Number != "" && strings.HasSuffix(v.Elems[0].TypeName, "_"+h.Number) && types.Identical(h.Sig.Results().At(0).Type(), t) {
			return s.ViaHelper(h) + "(" + strconv.FormatInt(int64(v.Elems[0].Bits), 10) + ")"
		}
	}
	return ""
}

// assertWhole compares got with the whole value.
func (s *script) assertWhole(got string, t types.Type, v testcase.Value) ([]assertion, bool) {
	if !gofile.Whole(v) {
		return nil, false
	}
	if made := s.numbered(t, v); made != "" {
		return []assertion{{cond: got + " != " + made, verb: "%v", arg: got, want: made, check: equalCheck(got, made, t, gofile.Comparison{})}}, true
	}
	if s.w.floats.Inexact(s.Case.Target) {
		v = gofile.Rounded(v)
	}
	var e gofile.Expr
	if reason, _ := s.Attempt(func() { e = s.Value(v, t, t) }); reason != "" {
		return nil, false
	}
	const readable = 640
	if len(e.Text) > readable && v.Kind != testcase.String {
		return nil, false
	}
	c := gofile.Comparison{Tolerance: s.w.floats.Inexact(s.Case.Target)}.Need(v)
	if c.Special && v.Kind == testcase.Float && !s.w.floats.Inexact(s.Case.Target) {
		// A single NaN reads better without a helper.
		if f := gofile.FloatOf(v.Bits, t); f != f {
			return []assertion{{cond: "!" + s.Std("math") + ".IsNaN(" + gofile.AsFloat64(got, t) + ")", verb: "%v", arg: got, want: "NaN"}}, true
		}
	}
	if n := len(v.Elems); n == 0 && (v.Kind == testcase.Slice || v.Kind == testcase.Map) {
		return []assertion{{cond: got + " == nil || len(" + got + ") != 0", verb: gofile.Verb(t), arg: got, want: "empty, not nil", check: equalCheck(got, s.Value(v, t, nil).Text, t, c)}}, true
	}
	// A value compared with an interface must have its dynamic type by itself.
	var ctx types.Type = t
	if types.IsInterface(t) {
		if len(v.Elems) != 1 || v.Elems[0].Type == nil {
			return nil, false
		}
		if gofile.PlainlyComparable(v.Elems[0].Type) && !c.Special {
			e = s.Value(v, t, t)
			return []assertion{{cond: got + " != " + parenthesised(e), verb: "%v", arg: got, want: describe(e.Text), check: equalCheck(got, e.Text, t, c)}}, true
		}
	}
	e = s.Value(v, t, ctx)
	if gofile.Basic(t) == nil && v.Kind != testcase.Pointer && (types.IsInterface(t) || e.Composite == "") {
		// A nil or a conversion keeps its type in DeepEqual only if it has one.
		e = s.Value(v, t, nil)
	}
	text := e.Text
	if len(text) <= 40 && !strings.Contains(text, "\n") && !multiField(t, c) {
		if cond, ok := s.Differs(got, text, t, c); ok {
			// A composite literal would end the header of an if.
			if cond == got+" != "+text {
				cond = got + " != " + parenthesised(e)
			}
			return []assertion{{cond: cond, verb: verbFor(t, text), arg: got, want: inMessage(t, v, e.Text), check: equalCheck(got, s.Value(v, t, nil).Text, t, c)}}, true
		}
		return nil, false
	}
	want := s.wantName(got)
	cond, ok := s.Differs(got, want, t, c)
	if !ok {
		return nil, false
	}
	def := want + " := " + s.Value(v, t, nil).Text
	return []assertion{{before: def, cond: cond, verb: gofile.Verb(t), arg: got, wantArg: want, check: equalCheck(got, want, t, c)}}, true
}

// wantName returns a variable for the expected value of got.
func (s *script) wantName(got string) string {
	if got == "got" {
		return s.Scope.Pick("want")
	}
	name := got
	if i := strings.LastIndexAny(name, ".*"); i >= 0 {
		name = name[i+1:]
	}
	return s.Scope.Pick("want"+gofile.UpperFirst(gofile.Identifier(name)), "want")
}

// multiField reports whether values of type t are compared field by field, which
// names the expected value more than once.
func multiField(t types.Type, c gofile.Comparison) bool {
	_, isStruct := t.Underlying().(*types.Struct)
	return (c.Special || c.Tolerance) && (isStruct && gofile.HasFloats(t, nil) || gofile.IsBasic(t, types.IsComplex))
}

// parenthesised returns the expression as an operand of == in the header of an if,
// where a composite literal needs parentheses.
func parenthesised(e gofile.Expr) string {
	if e.Composite != "" {
		return "(" + e.Text + ")"
	}
	if strings.Contains(e.Text, " * ") && !strings.ContainsAny(e.Text, "({\n") {
		return e.Text // got != 10*time.Second
	}
	if e.Prec == gofile.Binary {
		return "(" + e.Text + ")"
	}
	return e.Text
}

// describe returns the text of an expected value for the message.
func describe(text string) string { return gofile.OneLine(text, 60) }

// inMessage returns the text of an expected value as its message prints the value got: a duration as its method writes
// it, another value as it is written in the source.
func inMessage(t types.Type, v testcase.Value, text string) string {
	if load.IsNamed(t, "time", "Duration") && v.Kind == testcase.Int {
		return time.Duration(int64(v.Bits)).String()
	}
	return describe(text)
}

// assertSorted puts a list in order whose elements come in an order of chance, and compares it then.
func (s *script) assertSorted(got string, t types.Type, v testcase.Value) ([]assertion, bool) {
	if !gofile.Sorts(v) || !token.IsIdentifier(got) {
		return nil, false
	}
	v.Shuffled = false
	var text string
	if reason, _ := s.Attempt(func() { text = s.Value(v, t, nil).Text }); reason != "" {
		return nil, false
	}
	want := s.wantName(got)
	cond, ok := s.Differs(got, want, t, gofile.Comparison{})
	if !ok {
		return nil, false
	}
	sort := s.Std("sort") + ".Slice(" + got + ", func(i, j int) bool { return " + got + "[i] < " + got + "[j] })"
	if s.Since("go1.21") {
		sort = s.Std("slices") + ".Sort(" + got + ")"
	}
	return []assertion{{
		before: sort + "\n" + want + " := " + text, cond: cond, verb: gofile.Verb(t), arg: got, wantArg: want,
		check: equalCheck(got, want, t, gofile.Comparison{}),
	}}, true
}

// assertParts compares the known parts of a value that cannot be compared as a whole.
func (s *script) assertParts(got string, t types.Type, v testcase.Value) []assertion {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Basic:
		b, ok := u.(*types.Basic)
		if ok && b.Info()&types.IsString == 0 || v.Again {
			return nil
		}
		if ok && !v.Cut {
			return s.assertEnds(got, t, v.Str)
		}
		if a, ok := s.assertSorted(got, t, v); ok {
			return a
		}
		n := v.Len
		if n == 0 && len(v.Elems) > 0 {
			n = len(v.Elems)
			if v.Kind == testcase.Map {
				n /= 2
			}
		}
		return []assertion{{cond: "len(" + got + ") != " + strconv.Itoa(n), what: "len", verb: "%d", arg: "len(" + got + ")", want: strconv.Itoa(n), check: check{"Len", []string{got, strconv.Itoa(n)}}}}
	case *types.Pointer:
		out := []assertion{{cond: got + " == nil", verb: "nil", want: "non-nil", fatal: true, check: check{"NotNil", []string{got}}}}
		if len(v.Elems) == 1 && v.Elems[0].Kind == testcase.Struct {
			fields := s.assertFields(got, u.Elem(), v.Elems[0], nil)
			out[0].fatal = len(fields) > 0
			return append(out, fields...)
		}
		out[0].fatal = false
		return out
	case *types.Interface:
		return []assertion{{cond: got + " == nil", verb: "nil", want: "non-nil", check: check{"NotNil", []string{got}}}}
	case *types.Struct:
		return s.assertFields(got, t, v, nil)
	}
	return nil
}

// assertEnds compares the length of a text that nobody would read as a whole, and how it begins and ends.
func (s *script) assertEnds(got string, t types.Type, text string) []assertion {
	first, last := gofile.Ends(text)
	subject, n := got, strconv.Itoa(len(text))
	if types.Unalias(t) != types.Typ[types.String] {
		subject = "string(" + got + ")"
	}
	ends := func(function, part, how string) assertion {
		call := s.w.Std("strings") + "." + function + "(" + subject + ", " + gofile.Quote(part) + ")"
		return assertion{cond: "!" + call, verb: "%q", arg: got, want: "a text that " + how + " " + gofile.Quote(part), check: check{"True", []string{call}}}
	}
	return []assertion{
		ends("HasPrefix", first, "begins with"), ends("HasSuffix", last, "ends with"),
		{cond: "len(" + got + ") != " + n, what: "len", verb: "%d", arg: "len(" + got + ")", want: n, check: check{"Len", []string{got, n}}},
	}
}

// fewFields is how many exported fields of a struct are all compared: fewer would leave a reader asking
// for the others.
const fewFields = 6

// assertFields compares the fields of a struct that are plain data; if pick is given, only those for
// which pick is true. Of a struct with few exported fields all of these are compared. Of another one the
// fields are compared that notice something, if mutants have shown which; if no field notices anything,
// one field is enough. Of a struct without exported fields those are compared that users read by methods, if there are
// any among the fields to be compared.
func (s *script) assertFields(got string, t types.Type, v testcase.Value, pick func(i int) bool) []assertion {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || len(v.Elems) != st.NumFields() {
		return nil
	}
	exported := func(i int) bool { return st.Field(i).Exported() }
	// Go might not take the address of another expression, so no method is called on it.
	byMethod := func(f *types.Var) bool { return token.IsIdentifier(got) && s.reads(t, f) != "" }
	asserted := func(i int) bool {
		f, e := st.Field(i), v.Elems[i]
		return s.Selectable(f) && f.Name() != "_" && (!s.w.isAtomic(f) || byMethod(f)) && !gosyntax.HasLock(f.Type()) && gofile.Whole(e) && s.fieldWorth(f, e)
	}
	read := func(i int) bool {
		chosen := s.Case.Fields == nil || s.within == nil
		if !chosen {
			of := *s.within
			of.Field = i
			chosen = s.Case.Fields[of]
		}
		return chosen && asserted(i) && s.reads(t, st.Field(i)) != ""
	}
	if pick == nil && !anyField(st, exported) && anyField(st, read) {
		readable := make(map[int]bool)
		for i := range st.NumFields() {
			readable[i] = read(i)
		}
		pick, s.within = func(i int) bool { return readable[i] }, nil // what users see
	}
	most := fewFields
	if s.Case.Fields != nil && s.within != nil {
		most = 1
		of := *s.within
		s.within = nil // fields of fields are not told apart
		telling := func(i int) bool {
			of.Field = i
			return s.Case.Fields[of]
		}
		worth := func(i int) bool { return telling(i) && s.fieldWorth(st.Field(i), v.Elems[i]) }
		switch {
		case pick == nil && s.exportedFields(st, v) > 0:
			most = fewFields
			pick = exported
		case anyField(st, worth):
			pick, most = s.tellingFirst(st, v, telling), fewFields
		}
	}
	var out []assertion
	for i, e := range v.Elems {
		f := st.Field(i)
		if !asserted(i) || pick != nil && !pick(i) || len(out) == most {
			continue
		}
		if inner := s.promoted(got, t, f, e); inner != nil {
			out = append(out, inner...)
			continue
		}
		name := f.Name()
		if byMethod(f) {
			name = s.reads(t, f)
		}
		for _, a := range s.asserts(got+"."+name, f.Type(), e) {
			a.what = name
			out = append(out, a)
		}
	}
	return out
}

// promoted compares the parts of an embedded struct that users do not see as a whole, by the names and methods that the struct around it
// has from it: m.Type() for m.base.typ. It returns nil if that does not say all that is not zero there.
func (s *script) promoted(got string, t types.Type, f *types.Var, v testcase.Value) []assertion {
	st, ok := f.Type().Underlying().(*types.Struct)
	if !ok || !f.Embedded() || f.Exported() || !token.IsIdentifier(got) || len(v.Elems) != st.NumFields() {
		return nil
	}
	has := func(name string, of types.Object) bool {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, s.Pkg.Types, name)
		return obj == of
	}
	var out []assertion
	for i, e := range v.Elems {
		part := st.Field(i)
		if e.IsZero() {
			continue
		}
		name := part.Name()
		switch call := s.reads(f.Type(), part); {
		case call != "" && has(strings.TrimSuffix(call, "()"), s.Pkg.Accessor(f.Type(), part)):
			name = call
		case !part.Exported() || !has(name, part) || !s.fieldWorth(part, e):
			return nil
		}
		for _, a := range s.asserts(got+"."+name, part.Type(), e) {
			a.what = name
			out = append(out, a)
		}
	}
	return out
}

// reads returns the call by which users of the package read an unexported field of a struct that an exported function made or
// changed, "" if they cannot.
func (s *script) reads(t types.Type, f *types.Var) string {
	if fn := s.Seq.At(s.Case.TargetStmt()).Op.Func; fn == nil || !fn.Exported() {
		return ""
	}
	m := s.Pkg.Accessor(t, f)
	if m == nil || m == s.Seq.At(s.Case.TargetStmt()).Op.Func.Origin() {
		return ""
	}
	return m.Name() + "()"
}

// isAtomic reports whether the package hands the address of a field to package sync/atomic. Another goroutine may change the
// field while a test reads it.
func (w *writer) isAtomic(f *types.Var) bool {
	if w.atomics == nil {
		w.atomics = atomicFields(w.Pkg)
	}
	return w.atomics[f.Origin()]
}

// atomicFields returns the fields of which the package takes the address in a call of package sync/atomic.
func atomicFields(pkg *load.Package) map[*types.Var]bool {
	out := make(map[*types.Var]bool)
	if pkg.Info == nil {
		return out
	}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel := gosyntax.AtomicField(pkg.Info, call); sel != nil {
				if v, ok := pkg.Info.Uses[sel.Sel].(*types.Var); ok {
					out[v.Origin()] = true
				}
			}
			return true
		})
	}
	return out
}

// anyField reports whether there is a field for whose number is holds.
func anyField(st *types.Struct, is func(i int) bool) bool {
	for i := range st.NumFields() {
		if is(i) {
			return true
		}
	}
	return false
}

// assertExported compares the exported fields of an object whose observers are asserted, too, if there are few.
func (s *script) assertExported(got string, t types.Type, v testcase.Value) []assertion {
	if p, ok := t.Underlying().(*types.Pointer); ok && v.Kind == testcase.Pointer && len(v.Elems) == 1 {
		t, v = p.Elem(), v.Elems[0]
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || v.Kind != testcase.Struct || len(v.Elems) != st.NumFields() || s.exportedFields(st, v) == 0 {
		return nil
	}
	s.within = nil
	return s.assertFields(got, t, v, func(i int) bool { return st.Field(i).Exported() })
}

// tellingFirst returns which fields are compared where those that notice something are known: these, and of those that hold more than them as many
// as there is room for.
func (s *script) tellingFirst(st *types.Struct, v testcase.Value, telling func(int) bool) func(int) bool {
	picked := make(map[int]bool)
	for _, isMore := range []bool{false, true} {
		for i := range v.Elems {
			if len(picked) < fewFields && (!isMore && telling(i) || isMore && s.holdsMore(st.Field(i), v.Elems[i])) {
				picked[i] = true
			}
		}
	}
	return func(i int) bool { return picked[i] }
}

// holdsMore reports whether an exported field holds other objects, or a list of them: that a parsed document has its one section is what the
// call was for, although the section's name alone notices the mutants.
func (s *script) holdsMore(f *types.Var, v testcase.Value) bool {
	if !f.Exported() || v.Kind == testcase.Interface {
		return false
	}
	switch f.Type().Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		return len(v.Elems) > 0 && s.fieldWorth(f, v)
	}
	return false
}

// exportedFields returns how many exported fields a struct has that read well in a test, 0 if there are more
// than a few or others beside them.
func (s *script) exportedFields(st *types.Struct, v testcase.Value) int {
	n := 0
	for i, e := range v.Elems {
		f := st.Field(i)
		if !f.Exported() {
			continue
		}
		if n == fewFields || !gofile.Whole(e) || !s.fieldWorth(f, e) {
			return 0
		}
		n++
	}
	return n
}

// fieldWorth reports whether a field is plain data that reads well in a test: a basic type, an error, a time, or a
// short list or map of basic types. A field that a call has changed may also be a short struct or array of basic types,
// a pointer to one, or a list or map of such: nothing else may show the change. So may an exported field that holds objects, if all of them
// can be written.
func (s *script) fieldWorth(f *types.Var, v testcase.Value) bool {
	const longest, longestChanged, longestHeld = 40, 120, 200
	t := f.Type()
	if gosyntax.IsError(t) {
		return v.Kind == testcase.Nil || v.Err != nil
	}
	if load.IsNamed(t, "time", "Time") {
		return gofile.Whole(v)
	}
	most, isPlain := longest, false
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		isPlain = gofile.Basic(u.Elem()) != nil
	case *types.Map:
		isPlain = gofile.Basic(u.Elem()) != nil && gofile.Basic(u.Key()) != nil
	}
	switch {
	case isPlain:
	case s.changing && testcase.IsChangedWhole(f):
		most = longestChanged
	case !s.changing && f.Exported() && len(v.Elems) > 0 && gofile.Whole(v) && holdsStructs(t):
		most = longestHeld
	default:
		return false
	}
	n := 0
	reason, _ := s.Attempt(func() { n = len(s.Value(v, t, t).Text) })
	return reason == "" && n <= most
}

// holdsStructs reports whether a type is a list or map of structs, or of pointers to these, or a pointer to a struct.
func holdsStructs(t types.Type) bool {
	isStruct := func(t types.Type) bool {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		_, ok := t.Underlying().(*types.Struct)
		return ok && !gosyntax.HasLock(t)
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return isStruct(u.Elem())
	case *types.Map:
		return isStruct(u.Elem())
	case *types.Pointer:
		return isStruct(u)
	}
	return false
}

// assertError compares an error: with nil, with a sentinel, or by its message.
func (s *script) assertError(got string, v testcase.Value) []assertion {
	switch v.Kind {
	case testcase.Invalid, testcase.Opaque:
		if v.Err == nil {
			return nil
		}
	case testcase.Nil:
		return []assertion{{cond: got + " != nil", what: "error", verb: "%v", arg: got, want: "nil", fatal: true, check: check{"NoError", []string{got}}}}
	}
	if sent := s.Sentinel(v); sent != nil {
		name := s.Object(sent)
		return []assertion{{cond: s.IsNot(got, name), what: "error", verb: "%v", arg: got, want: name, check: s.w.errorIs(got, name)}}
	}
	if m, ok := stableMessage(v); ok {
		text := s.Literal(testcase.Literal{Kind: testcase.LitString, Str: m}, types.Typ[types.String], types.Typ[types.String])
		if a := (assertion{what: "error", verb: "%v", arg: got}); describe(m) == m {
			a.cond, a.want, a.check = got+" == nil || "+got+".Error() != "+text.Text, m, check{"EqualError", []string{got, text.Text}}
			return []assertion{a}
		} else {
			a.wantArg = s.Scope.Pick("wantErr", "want")
			a.before = a.wantArg + " := " + text.Text
			a.cond, a.check = got+" == nil || "+got+".Error() != "+a.wantArg, check{"EqualError", []string{got, a.wantArg}}
			return []assertion{a}
		}
	}
	if own := ownWords(v); own != "" {
		a := assertion{what: "error", verb: "%v", arg: got, wantArg: s.Scope.Pick("wantErr", "want")}
		a.before = a.wantArg + " := " + gofile.Quote(own)
		a.cond, a.check = s.w.notSaying(got, a.wantArg), check{"ErrorContains", []string{got, a.wantArg}}
		return []assertion{a}
	}
	return []assertion{{cond: got + " == nil", what: "error", verb: "nil", want: "an error", check: check{"Error", []string{got}}}}
}

// notSaying returns the condition that an error is nil or does not contain a text.
func (w *writer) notSaying(err, text string) string {
	return err + " == nil || !" + w.Std("strings") + ".Contains(" + err + ".Error(), " + text + ")"
}

// ownWords returns what the package itself says in the message of an error that is another package's, or "".
func ownWords(v testcase.Value) string {
	if v.Err == nil || v.Err.Unstable {
		return ""
	}
	return v.Err.Own
}

// stableMessage returns the message of an error, and false if a test may not compare it: what a *json.UnmarshalTypeError says is
// up to the package that declares the type, and may change with it.
func stableMessage(v testcase.Value) (string, bool) {
	if v.Err == nil || !v.Err.Compared() {
		return "", false
	}
	return v.Err.Message, true
}

// report returns the statement that fails the test with the message of the
// assertions on one call.
func report(display string, as ...assertion) string {
	var args []string
	var got, want []string
	for _, a := range as {
		g := a.verb
		if a.arg != "" {
			args = append(args, a.arg)
		} else {
			g = escape(g)
		}
		got = append(got, g)
		if a.wantArg != "" {
			want = append(want, a.verb)
		} else {
			want = append(want, escape(a.want))
		}
	}
	for _, a := range as {
		if a.wantArg != "" {
			args = append(args, a.wantArg)
		}
	}
	subject := escape(display)
	if len(as) == 1 && as[0].what != "" {
		subject += " " + as[0].what
	}
	sep := ", want "
	if len(as) > 1 {
		sep = "; want "
	}
	format := subject + " = " + strings.Join(got, ", ") + sep + strings.Join(want, ", ")
	fn := "Error"
	if slices.ContainsFunc(as, func(a assertion) bool { return a.fatal }) {
		fn = "Fatal"
	}
	if len(args) == 0 && !strings.Contains(format, "%") {
		return "t." + fn + "(" + gofile.Quote(format) + ")"
	}
	return "t." + fn + "f(" + strings.Join(append([]string{gofile.Quote(format)}, args...), ", ") + ")"
}

// escape protects text from being read as a format string.
func escape(s string) string { return strings.ReplaceAll(s, "%", "%%") }
