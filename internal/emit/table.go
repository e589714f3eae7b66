package emit

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

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
	if len(t.types) == 1 && len(wantVerbs) == 1 && wantVerbs[0] == "an error" && len(gotVerbs) == 1 {
		gotVerbs[0], gotArgs = "nil", nil // it was no error
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
			out = append(out, used.PickField(t.NameFor(p.Type())))
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
		if generic && !t.Inferable(origin, op.TypeArgs, sig.Params().Len()) {
			text += t.TypeArgs(op.TypeArgs)
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
		name = t.NameFor(recv.Type())
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

// callVia does for a call through a helper what call does.
func (t *table) callVia(st testcase.Statement, params []string) (text, format string, args []string) {
	op := st.Op
	var passed []string
	switch {
	case op.Kind == testcase.OpMethod:
		on := t.rows[0].c.Seq.ResultTypes()[st.Args[0].Stmt][st.Args[0].Result]
		recv := t.rows[0].recv
		for _, r := range t.rows {
			if r.recv == recv {
				continue
			}
			name := t.fields.PickField(t.receiverField(op.Func, params))
			col := gofile.Column{Name: name, Type: t.Type(on)}
			for _, r := range t.rows {
				col.Cells = append(col.Cells, r.recv)
			}
			t.columns = append(t.columns, col)
			recv = "tt." + name
			break
		}
		if strings.HasPrefix(recv, "&") && op.Driven("", on, "", t.Std) != "" {
			recv = "(" + recv + ")"
		}
		passed = append(passed, op.Driven(recv, on, "", t.Std))
	case op.Drives():
		function := t.Object(op.Func)
		if len(op.TypeArgs) > 0 {
			function += t.TypeArgs(op.TypeArgs)
		}
		passed = append(passed, op.Driven("", nil, function, t.Std))
	}
	var shown []string
	for i, p := range params {
		cells := make([]string, len(t.rows))
		for k, r := range t.rows {
			cells[k] = r.args[i]
		}
		titled := i < op.Via.Titles || op.Via.Titles == 0
		pt := op.Via.Sig.Params().At(i).Type()
		if allEqual(cells) && plainArg(cells[0]) {
			passed = append(passed, cells[0])
			if titled && cells[0] != `""` {
				shown = append(shown, escape(strings.Trim(cells[0], `"`)))
			}
			continue
		}
		name := t.fields.PickField(p)
		t.columns = append(t.columns, gofile.Column{Name: name, Type: t.Type(pt), Cells: cells})
		passed = append(passed, "tt."+name)
		if titled {
			shown = append(shown, "%s")
			args = append(args, "tt."+name)
		}
	}
	name := t.ViaHelper(op.Via)
	if op.Via.Titles == 0 {
		return name + "(" + strings.Join(passed, ", ") + ")", name + "(" + strings.Join(shown, ", ") + ")", args
	}
	return name + "(" + strings.Join(passed, ", ") + ")", strings.Join(shown, " "), args
}
