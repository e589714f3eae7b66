package emit

import (
	"cmp"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A row is a case in the form of a table's row.
type row struct {
	c       *testcase.Case
	name    string
	recv    string   // expression of the receiver, "" for functions
	args    []string // expressions of the arguments; the arguments of a variadic parameter are one expression
	keys    []sortKey
	results []testcase.Value
	after   []observation // the observers' results after the call
	object  bool          // the observers ask the first result, which is not compared itself
	fluent  bool          // the first result is the receiver
	wide    bool
	calls   bool // a cell calls a function of the package
}

// failing returns 1 for a row whose call returns an error, and 0 for others.
func (r row) failing() int {
	if slices.ContainsFunc(r.results, func(v testcase.Value) bool { return v.Err != nil }) {
		return 1
	}
	return 0
}

// A sortKey is the key by which rows are sorted for one argument.
type sortKey struct {
	number   float64
	isNumber bool
	text     string
}

// compare orders arguments: small numbers and short texts first, so that empty texts, zero and nil come
// before other values.
func (k sortKey) compare(l sortKey) int {
	if k.isNumber && l.isNumber {
		return cmp.Or(cmp.Compare(math.Abs(k.number), math.Abs(l.number)), -cmp.Compare(k.number, l.number))
	}
	switch {
	case k.isNumber:
		return -1
	case l.isNumber:
		return 1
	}
	return cmp.Or(cmp.Compare(len(k.text), len(l.text)), cmp.Compare(k.text, l.text))
}

// sortKey returns the sort key of an argument.
func (s *script) sortKey(r testcase.Ref, text string) sortKey {
	op := s.seq.At(r.Stmt).Op
	k := sortKey{text: text}
	if op.Kind == testcase.OpLiteral {
		switch op.Lit.Kind {
		case testcase.LitInt:
			k.number, k.isNumber = float64(int64(op.Lit.Bits)), true
		case testcase.LitUint:
			k.number, k.isNumber = float64(op.Lit.Bits), true
		case testcase.LitFloat:
			k.number = gofile.FloatOf(op.Lit.Bits, op.Type)
			k.isNumber = k.number == k.number
		}
	}
	return k
}

// errMode is how rows with a non-nil error compare it.
type errMode uint8

const (
	errNil      errMode = iota // there is no error
	errSentinel                // errors.Is
	errMessage                 // the message
	errAny                     // err != nil
)

// tableRow returns the case as a row. It returns false if the case does not fit into a row, because it
// has statements before the call, changes its arguments, or returns a value that cannot be written as
// data.
func (w *writer) tableRow(c *testcase.Case) (row, bool) {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	o := c.Observed
	if c.Closes != nil || c.Unset != nil {
		return row{}, false // the objects of a row have no names
	}
	if st.Op.Func == nil || testcase.TargetName(st.Op.Func) != c.Target || o == nil || at >= len(o.Results) {
		return row{}, false
	}
	if len(c.Restores) > 0 {
		return row{}, false // a row has no place for putting variables back
	}
	after, subject, ok := observations(c, at)
	if !ok {
		return row{}, false
	}
	if (st.Op.Via != nil || c.ShownInside()) && len(after) > 0 {
		return row{}, false // observers ask an object that has no name in a row
	}
	if slices.ContainsFunc(after, func(o observation) bool { return slices.Contains(o.args, -1) }) {
		return row{}, false // a row has no column for what only an observer takes
	}
	r := row{c: c, results: o.Results[at], after: after, object: len(after) > 0 && subject.Stmt == at}
	var reason string
	reason, r.wide = w.Attempt(func() { ok = w.fillRow(&r, at) })
	if reason != "" || !ok {
		return row{}, false
	}
	return r, len(r.results)+len(r.after) > 0 && len(r.args)+len(r.recv) > 0
}

// fillRow writes the parts of a row: the receiver, the arguments and the expected values.
func (w *writer) fillRow(r *row, at int) bool {
	s := newScript(w, r.c, at+1, w.NewScope())
	st := r.c.Seq.At(at)
	for _, a := range st.Args {
		if s.countUses(a.Stmt, at) == 1 {
			s.foldObject(a, at)
		}
	}
	s.planRow()
	r.fluent = !r.object && len(s.types[at]) > 0 && s.isReceiver(testcase.Ref{Stmt: at})
	for i := range at {
		op := r.c.Seq.At(i).Op
		foreign := op.Kind == testcase.OpFunc && op.Func.Pkg() != nil && op.Func.Pkg().Path() != w.Pkg.Path
		foreign = foreign || st.Op.Via != nil // a helper's arguments are written in the call of the helper
		if s.live[i] && (!s.inline[i] || s.effect(op) && !foreign && s.builders[i] == nil) {
			return false
		}
		r.calls = r.calls || s.live[i] && op.Kind == testcase.OpFunc && !foreign && s.builders[i] == nil && effect(op)
	}
	if w.inside(r.c) && s.callsBefore(at) {
		return false // what the table calls is made outside of the row's bubble, and nothing there waits for a channel of it
	}
	if len(r.after) == 0 && len(s.mutated()) > 0 || !s.rowArgs(r, st) {
		return false
	}
	for i, t := range s.types[at] {
		if i >= len(r.results) || !(i == 0 && r.object) && !s.rowResult(r.results[i], t) {
			return false
		}
	}
	for _, o := range r.after {
		for i, t := range o.results {
			if !s.rowResult(o.values[i], t) {
				return false
			}
		}
	}
	return true
}

// callsBefore reports whether a statement before a call, that is not left out, calls a function of the package.
func (s *script) callsBefore(at int) bool {
	for i := range at {
		if fn := s.seq.At(i).Op.Func; s.live[i] && fn != nil && fn.Pkg() == s.Pkg.Types {
			return true
		}
	}
	return false
}

// rowArgs writes the receiver and arguments of the row's call.
func (s *script) rowArgs(r *row, st testcase.Statement) bool {
	const longest = 400
	sig := st.Op.Signature()
	refs := st.Args
	if st.Op.Kind == testcase.OpMethod {
		t := s.typeOf(refs[0])
		r.recv = s.ref(refs[0], t).Text
		r.keys = append(r.keys, s.sortKey(refs[0], r.recv))
		if gosyntax.HasLock(t) || !s.Nameable(t) {
			return false
		}
		refs = refs[1:]
	}
	var variadic []gofile.Expr
	for k, ref := range refs {
		e := s.ref(ref, paramType(sig, sig, true, k, st.Op.Spread))
		r.keys = append(r.keys, s.sortKey(ref, e.Text))
		if strings.Contains(e.Text, "func(") && strings.Contains(e.Text, "\n") {
			return false
		}
		if sig.Variadic() && k >= sig.Params().Len()-1 && !st.Op.Spread {
			variadic = append(variadic, e)
			continue
		}
		r.args = append(r.args, e.Text)
	}
	if sig.Variadic() && !st.Op.Spread {
		t := sig.Params().At(sig.Params().Len() - 1).Type()
		text := "nil"
		if len(variadic) > 0 {
			index := make([]int, len(variadic))
			for i := range index {
				index[i] = i
			}
			text = s.ListLiteral(t, t.(*types.Slice).Elem(), len(variadic), index, variadic).Text
		}
		r.args = append(r.args, text)
	}
	total := len(r.recv)
	for i := range sig.Params().Len() {
		total += len(r.args[i])
		if t := sig.Params().At(i).Type(); gosyntax.HasLock(t) || !s.Nameable(t) {
			return false
		}
	}
	return total <= longest && len(r.recv) <= longestReceiver
}

// longestReceiver is how long the expression of a receiver may be in a row.
const longestReceiver = 90

// rowResult reports whether a result can be in a row: it is data that can be
// written and compared.
func (s *script) rowResult(v testcase.Value, t types.Type) bool {
	if gosyntax.IsError(t) {
		return v.Kind == testcase.Nil || v.Err != nil
	}
	if !gofile.Whole(v) || gosyntax.HasLock(t) || !s.Nameable(t) {
		return false
	}
	if _, fn := t.Underlying().(*types.Signature); fn {
		return false
	}
	var text string
	reason, wide := s.Attempt(func() { text = s.Value(v, t, t).Text })
	s.Wide = s.Wide || wide
	return reason == "" && len(text) <= 400
}

// mode returns how the row's error is compared.
func (w *writer) mode(r row) errMode {
	ts := r.c.Seq.ResultTypes()[r.c.TargetStmt()]
	for i, t := range ts {
		if !gosyntax.IsError(t) || r.results[i].Kind == testcase.Nil {
			continue
		}
		if w.Sentinel(r.results[i]) != nil {
			return errSentinel
		}
		if _, ok := stableMessage(r.results[i]); ok {
			return errMessage
		}
		return errAny
	}
	return errNil
}

// table is a table-driven test being put together.
type table struct {
	*writer
	rows    []row
	types   []types.Type // of the results
	fields  *gofile.Names
	columns []gofile.Column
	// passed are the arguments of the call; shown are the same arguments in a message.
	passed, shown []string
	// receiver is the variable of the receiver if all rows have the same, which made is the source of.
	receiver, made string
	object         string // what the method is called on
}

// tableTest returns the body of a table-driven test of rows that call one function
// with one set of type arguments, and whether it could be written.
func (w *writer) tableTest(rows []row) (string, bool) {
	// What works comes before what fails, and simple inputs before others.
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(a.failing()-b.failing(), slices.CompareFunc(a.keys, b.keys, sortKey.compare))
	})
	w.nameRows(rows)
	at := rows[0].c.TargetStmt()
	st := rows[0].c.Seq.At(at)
	t := &table{writer: w, rows: rows, types: rows[0].c.Seq.ResultTypes()[at], fields: gofile.NewNames(nil)}
	var out string
	ok := true
	reason, _ := w.Attempt(func() { out, ok = t.write(st) })
	return out, ok && reason == ""
}

// write returns the body of the test.
func (t *table) write(st testcase.Statement) (string, bool) {
	sig := st.Op.Signature()
	params := t.paramNames(sig)
	nameField := "name"
	for _, alt := range []string{"name", "desc", "title", "label"} {
		if !slices.Contains(params, alt) {
			nameField = alt
			break
		}
	}
	t.fields.Add(nameField)
	names := gofile.Column{Name: nameField, Type: "string"}
	for _, r := range t.rows {
		names.Cells = append(names.Cells, gofile.Quote(r.name))
	}
	t.columns = append(t.columns, names)

	callText, format, args := t.call(st, sig, params)
	t.object, _, _ = strings.Cut(callText, "."+st.Op.Func.Name()+"(")
	inputs := t.columns[1:]
	got, conds, gotVerbs, wantVerbs, gotArgs, wantArgs, ok := t.wants(st)
	if !ok {
		return "", false
	}
	object := "got"
	if !t.rows[0].object {
		object = t.object
	}
	after, ok := t.afterColumns(object, format, args)
	if !ok {
		return "", false
	}
	sep := ", want "
	if len(t.types) > 1 {
		sep = "; want "
	}
	calledBy := "tt." + nameField
	if by := cmp.Or(t.nameless(inputs), t.spelledBy(nameField)); by != "" {
		t.columns, calledBy = t.columns[1:], by
	} else if len(after) == 0 && t.looped(inputs, args) {
		t.columns, calledBy = t.columns[1:], ""
	} else if by := cmp.Or(t.byResults(inputs), t.numbered(inputs)); by != "" {
		t.columns, calledBy = t.columns[1:], by
	}
	message := format + " = " + strings.Join(gotVerbs, ", ") + sep + strings.Join(wantVerbs, ", ")
	fails := "t.Errorf("
	if t.rows[0].object {
		fails = "t.Fatalf(" // the object must not be nil, or there is nothing to observe
	}
	report := fails + strings.Join(append([]string{gofile.Quote(message)}, slices.Concat(args, gotArgs, wantArgs)...), ", ") + ")"

	var b strings.Builder
	b.WriteString(gofile.Table("tests", t.columns))
	if calledBy == "" {
		b.WriteString("for _, tt := range tests {\n" + t.receiverLine() + t.rowCall(got, callText, conds, report) + "}\n")
		return b.String(), true
	}
	b.WriteString("for _, tt := range tests {\nt.Run(" + calledBy + ", func(t *" + t.Std("testing") + ".T) {\n")
	end := ""
	if t.inside(t.rows[0].c) {
		var begin string
		begin, end = t.bubble()
		b.WriteString(begin)
	}
	b.WriteString(t.receiverLine())
	b.WriteString(t.rowCall(got, callText, conds, report))
	b.WriteString(after + end + "})\n}\n")
	return b.String(), true
}

// receiverLine returns the statement that makes the receiver which all rows have, "" if each has its own.
func (t *table) receiverLine() string {
	if t.receiver == "" {
		return ""
	}
	return t.receiver + " := " + t.made + "\n\n"
}

// rowCall returns the statements that call the function and check its results.
func (t *table) rowCall(got, callText string, conds []assertion, report string) string {
	header := got + " := " + callText
	var texts []string
	for _, a := range conds {
		if a.cond != "" || a.check.name != "" {
			texts = append(texts, a.cond)
		}
	}
	switch {
	case len(t.types) == 0:
		return callText + "\n"
	case len(texts) == 0:
		return header + "\n"
	case t.testify():
		return t.rowChecks(got, callText, conds)
	}
	cond := strings.Join(texts, " || ")
	if len(t.types) == 1 && len(header)+len(cond) <= 90 {
		header = "if " + header + "; " + cond + " {\n"
	} else {
		header += "\nif " + cond + " {\n"
	}
	return header + report + "\n}\n"
}

// paramNames returns the table's field names for the parameters.
func (t *table) paramNames(sig *types.Signature) []string {
	used := gofile.NewNames(nil)
	var out []string
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		switch {
		case p.Name() == "t" && load.NamedOf(p.Type()) != nil:
			out = append(out, used.PickField(gofile.LowerFirst(load.NamedOf(p.Type()).Obj().Name()))) // the name t is taken by the test
		case p.Name() != "" && p.Name() != "_":
			out = append(out, used.PickField(p.Name()))
		case sig.Params().Len() == 1:
			out = append(out, used.PickField(t.nameFor(p.Type())))
		default:
			out = append(out, used.PickField("arg"))
		}
	}
	return out
}

// call adds the columns of the receiver and the arguments. It returns the call, and how messages show the
// call.
func (t *table) call(st testcase.Statement, sig *types.Signature, params []string) (text, format string, args []string) {
	op := st.Op
	fn := op.Func.Name()
	format = escape(fn)
	generic := false
	if op.Via != nil {
		return t.callVia(st, params)
	}
	switch {
	case op.Kind == testcase.OpMethod && t.sameReceiver(op.Func):
		text = t.receiver + "." + fn
	case op.Kind == testcase.OpMethod:
		name := t.fields.PickField(t.receiverField(op.Func, params))
		col := gofile.Column{Name: name, Type: t.Type(t.rows[0].c.Seq.ResultTypes()[st.Args[0].Stmt][st.Args[0].Result])}
		for _, r := range t.rows {
			col.Cells = append(col.Cells, r.recv)
		}
		t.columns = append(t.columns, col)
		text = "tt." + name + "." + fn
		if !t.showsPoorly(st, 0) {
			format = "(" + gofile.Verb(t.rows[0].c.Seq.ResultTypes()[st.Args[0].Stmt][st.Args[0].Result]) + ")." + format
			args = append(args, "tt."+name)
		}
	default:
		text = t.Object(op.Func)
		origin := op.Func.Type().(*types.Signature)
		generic = len(op.TypeArgs) > 0
		if generic && !t.inferable(origin, op.TypeArgs, sig.Params().Len()) {
			text += t.typeArgs(op.TypeArgs)
			generic = false
		}
	}
	var passed, shown []string
	for i, p := range params {
		cells := make([]string, len(t.rows))
		for k, r := range t.rows {
			cells[k] = r.args[i]
		}
		pt := sig.Params().At(i).Type()
		spread := ""
		if sig.Variadic() && i == len(params)-1 {
			spread = "..."
		}
		if same := allEqual(cells); same && len(params) > 1 && spread == "" && !generic && plainArg(cells[0]) {
			passed = append(passed, cells[0])
			shown = append(shown, escape(cells[0]))
			continue
		}
		if maker, texts := readers(cells, pt); maker != "" && spread == "" {
			of, fn, _ := strings.Cut(maker, ".")
			maker = t.Std(of) + "." + fn // the import is needed although no cell has it
			name := t.fields.PickField("text")
			t.columns = append(t.columns, gofile.Column{Name: name, Type: "string", Cells: texts})
			passed, shown, args = append(passed, maker+"(tt."+name+")"), append(shown, "%q"), append(args, "tt."+name)
			continue
		}
		name := t.fields.PickField(p)
		t.columns = append(t.columns, gofile.Column{Name: name, Type: t.Type(pt), Cells: cells})
		passed = append(passed, "tt."+name+spread)
		if gofile.Showable(pt) {
			shown = append(shown, gofile.CellVerb(pt, cells)+spread)
			args = append(args, "tt."+name)
		} else {
			shown = append(shown, name)
		}
	}
	t.passed, t.shown = passed, shown
	return text + "(" + strings.Join(passed, ", ") + ")", format + "(" + strings.Join(shown, ", ") + ")", args
}

// readers returns the function that makes a reader of a text in all of these cells, and the texts, or "" if not all are made
// so by one function. A table has the texts then, which say more than readers do. Where any reader may be passed, one
// function makes all.
func readers(cells []string, t types.Type) (maker string, texts []string) {
	for _, cell := range cells {
		by, text := readerOf(cell)
		switch {
		case by == "":
			return "", nil
		case maker == "" || by == maker:
			maker = by
		case types.IsInterface(t):
			maker = "strings.NewReader"
		default:
			return "", nil
		}
		texts = append(texts, text)
	}
	return maker, texts
}

// readerOf returns the function that makes a reader of a constant text in a cell, and the text as it is written, or "".
func readerOf(cell string) (maker, text string) {
	for _, m := range []string{"strings.NewReader", "bytes.NewBufferString"} {
		arg, ok := strings.CutPrefix(cell, m+"(")
		arg, closed := strings.CutSuffix(arg, ")")
		if _, err := strconv.Unquote(arg); ok && closed && err == nil {
			return m, arg
		}
	}
	return "", ""
}

// sameReceiver reports whether the receivers of all rows have the same source. Each row then makes one in a variable, and
// the table has no column for it. Numbers and texts are left in the table, where they need no type.
func (t *table) sameReceiver(f *types.Func) bool {
	made := t.rows[0].recv
	if len(t.rows) < 2 || !strings.ContainsAny(made, "{(") || strings.HasPrefix(made, "(") || strings.HasPrefix(made, `"`) {
		return false
	}
	for _, r := range t.rows[1:] {
		if r.recv != made {
			return false
		}
	}
	scope := gofile.NewNames(t.NewScope())
	for _, taken := range []string{"t", "tt", "tests", "more", "got", "err"} {
		scope.Add(taken)
	}
	t.receiver, t.made = scope.Pick(t.receiverField(f, nil)), made
	return true
}

// showsPoorly reports whether the receiver's value says little in a message.
func (t *table) showsPoorly(st testcase.Statement, k int) bool {
	ts := t.rows[0].c.Seq.ResultTypes()
	_, isPointer := ts[st.Args[k].Stmt][st.Args[k].Result].Underlying().(*types.Pointer)
	return isPointer
}

// receiverField returns the name of the field for the receiver.
func (t *table) receiverField(f *types.Func, params []string) string {
	recv := f.Type().(*types.Signature).Recv()
	name := recv.Name()
	if name == "" || name == "_" || name == "t" {
		name = t.nameFor(recv.Type())
	}
	if slices.Contains(params, name) {
		return "recv"
	}
	return name
}

// plainArg reports whether an argument that is the same in all rows reads well in
// the call itself.
func plainArg(text string) bool {
	const longest, longestZero = 20, 30
	if zero, ok := strings.CutSuffix(text, "{}"); ok && !strings.ContainsAny(zero, "{}\n&[]") {
		return len(text) <= longestZero // a zero struct
	}
	return len(text) <= longest && !strings.ContainsAny(text, "{}\n&")
}

func allEqual(cells []string) bool {
	for _, c := range cells[1:] {
		if c != cells[0] {
			return false
		}
	}
	return len(cells) > 1
}
