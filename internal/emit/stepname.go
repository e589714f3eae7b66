package emit

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/inverse"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
	"github.com/goassay/assay/internal/words"
)

// caseNames returns the names of a function's cases for tables, subtests and comments. Cases that
// return and cases that panic are named separately, because they are in different tests.
func caseNames(pkg *load.Package, namer *words.Namer, cases []*testcase.Case) map[*testcase.Case]words.Name {
	out := make(map[*testcase.Case]words.Name)
	if namer == nil {
		return out
	}
	byStatus := make(map[testcase.Status][]*testcase.Case)
	for _, c := range cases {
		// If the choice of tests failed, all cases are written, and the namer knows nothing about them.
		if c.Observed != nil && namer.Knows(c) {
			byStatus[c.Observed.Status] = append(byStatus[c.Observed.Status], c)
		}
	}
	for status := range byStatus {
		of := byStatus[status]
		nils := 0
		for i, n := range namer.Names(of) {
			out[of[i]] = n
			if phrase.OnNil(of[i]) {
				nils++
			}
		}
		nameByOptions(pkg, of, out)
		nameByCount(of, out)
		nameByRead(of, out)
		nameDocumented(pkg, of, out)
		for _, c := range of {
			if n := out[c]; nils == 1 && phrase.OnNil(c) {
				n.Text, n.Decides = "nil receiver", true // a nil receiver gets this name whatever else holds for the case
				out[c] = n
			}
		}
		byTitle, alone := phrase.Titles(of)
		for c, title := range byTitle {
			if n := out[c]; !alone[c] && n.Text != "" && !numbered(n.Text) {
				if !phrase.Drives(c) {
					continue // the name speaks of an input that a helper made, which is only one of several inputs
				}
				title += ", " + n.Text
			}
			out[c] = words.Name{Text: title, Proved: alone[c], Decides: true}
		}
	}
	return out
}

// nameByOptions names the calls that succeed of a function which takes options by the options: "WithRetries(7)", or "no options".
// Calls that pass the same options keep their names, and so do those of which the options are too long for a name.
func nameByOptions(pkg *load.Package, cases []*testcase.Case, names map[*testcase.Case]words.Name) {
	passed, count := make(map[*testcase.Case]string), make(map[string]int)
	for _, c := range cases {
		if text := optionsOf(pkg, c); text != "" {
			passed[c] = text
			count[text]++
		}
	}
	for c, text := range passed {
		if n := names[c]; count[text] == 1 && len(count) > 1 && len(text) <= longestName {
			n.Text, n.Proved, n.Decides = text, true, true
			names[c] = n
		}
	}
}

// nameByCount names the calls that go through a cursor, and end well, by how many elements there are: "two results". Of calls that
// would have one name each has its own behind it, and one has none.
func nameByCount(cases []*testcase.Case, names map[*testcase.Case]words.Name) {
	counted, count := make(map[*testcase.Case]string), make(map[string]int)
	for _, c := range cases {
		at := c.TargetStmt()
		op := c.Seq.At(at).Op
		if !op.Loops() || observer.IsRead(op.Func) || at >= len(c.Observed.Results) || slices.ContainsFunc(c.Observed.Results[at], func(v testcase.Value) bool { return v.Err != nil }) || len(c.Observed.Results[at]) == 0 {
			continue
		}
		text := words.Counted(len(c.Observed.Results[at][0].Elems), strings.ToLower(strings.TrimPrefix(op.Via.Name, "all")))
		counted[c] = text
		count[text]++
	}
	taken := make(map[string]bool)
	for _, c := range cases {
		text, ok := counted[c]
		if !ok {
			continue
		}
		n := names[c]
		own := n.Text
		if numbered(own) {
			own = n.Else
		}
		if count[text] > 1 && own != "" && !strings.Contains(own, " of type ") {
			text += ", " + own
		}
		if !taken[text] {
			taken[text] = true
			names[c] = words.Name{Text: text, Proved: true, Decides: true}
		}
	}
}

// nameByRead names the calls that read an object to its end, and succeed, by what there is to read.
func nameByRead(cases []*testcase.Case, names map[*testcase.Case]words.Name) {
	taken := make(map[string]bool)
	for _, c := range cases {
		at := c.TargetStmt()
		op := c.Seq.At(at).Op
		if !op.Loops() || !observer.IsRead(op.Func) || at >= len(c.Observed.Results) || len(c.Observed.Results[at]) != 2 || c.Observed.Results[at][1].Kind != testcase.Nil {
			continue
		}
		text := "nothing to read"
		if v := c.Observed.Results[at][0]; v.Str != "" {
			if text = "reads " + strconv.Quote(v.Str); len(text) > longestName || v.Cut {
				text = "reads " + words.Counted(max(v.Len, len(v.Str)), "bytes")
			}
		}
		if !taken[text] {
			taken[text] = true
			names[c] = words.Name{Text: text, Proved: true, Decides: true}
		}
	}
}

// optionsOf returns the options that the call of a case passes, "no options" if it passes none, and "" if its function takes none
// or fails.
func optionsOf(pkg *load.Package, c *testcase.Case) string {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	sig := st.Op.Signature()
	if sig == nil || st.Op.Func == nil || st.Op.Via != nil || !sig.Variadic() || at >= len(c.Observed.Results) {
		return ""
	}
	list, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	if !ok || !usage.IsOption(pkg, list.Elem()) || slices.ContainsFunc(c.Observed.Results[at], func(v testcase.Value) bool { return v.Err != nil }) {
		return ""
	}
	fixed := st.Op.FirstParam() + sig.Params().Len() - 1
	if len(st.Args) < fixed {
		return ""
	}
	options := st.Args[fixed:]
	if st.Op.Spread {
		options = c.Seq.At(options[0].Stmt).Args // of the list
	}
	var texts []string
	for _, a := range options {
		texts = append(texts, c.Seq.Expression(a, pkg.Types))
	}
	if len(texts) == 0 {
		return "no options"
	}
	return phrase.NameText(strings.Join(texts, ", "))
}

// nameDocumented names cases after the place in the documentation that they come from. If one place has
// several cases, the input is added, or else what other cases are called by. Cases of one input are called after the fields that
// the documentation sets.
func nameDocumented(pkg *load.Package, cases []*testcase.Case, names map[*testcase.Case]words.Name) {
	count, ofInput := make(map[string]int), make(map[string]int)
	for _, c := range cases {
		count[c.Documented]++
		ofInput[c.Documented+documentedInput(c)]++
	}
	for _, c := range cases {
		if c.Documented == "" {
			continue
		}
		n := names[c]
		text := c.Documented
		if count[c.Documented] > 1 {
			input := documentedInput(c)
			if set := settings(pkg, c); set != "" && (input == "" || ofInput[c.Documented+input] > 1) {
				text += ": " + set
			} else if input != "" {
				text += ": " + input
			} else if n.Text != "" && !numbered(n.Text) {
				text += ": " + n.Text
			}
		}
		n.Text, n.Decides = text, true
		names[c] = n
	}
}

// settings returns the fields that a case sets before its call, with their values: "Heteronym, Style Tone2". It is "" if a case
// sets none, or if they are too long for a name.
func settings(pkg *load.Package, c *testcase.Case) string {
	var out []string
	for i := range c.TargetStmt() {
		st := c.Seq.At(i)
		if st.Op.Kind != testcase.OpSetField {
			continue
		}
		op := c.Seq.At(st.Args[1].Stmt).Op
		if op.Kind != testcase.OpLiteral {
			return ""
		}
		text := op.Lit.Text(op.Type)
		if pkg.Literals != nil {
			for _, k := range pkg.Literals.Choices[st.Op.Var.Origin()] {
				if v, exact := constant.Int64Val(k.Val()); exact && v == int64(op.Lit.Bits) {
					text = k.Name()
				}
			}
		}
		switch text {
		case "true":
			out = append(out, st.Op.Var.Name())
		case "false":
			out = append(out, "no "+st.Op.Var.Name())
		default:
			out = append(out, st.Op.Var.Name()+" "+text)
		}
	}
	text := strings.Join(out, ", ")
	if len(text) > longestName {
		return ""
	}
	return text
}

// documentedInput returns the first constant that the call of a case takes, "" if it takes none or a long one.
func documentedInput(c *testcase.Case) string {
	for _, a := range c.Seq.At(c.TargetStmt()).Args {
		if op := c.Seq.At(a.Stmt).Op; op.Kind == testcase.OpLiteral {
			text := op.Lit.Text(op.Type)
			if s, err := strconv.Unquote(text); err == nil && s != "" && strconv.Quote(s) == `"`+s+`"` {
				text = s
			}
			if r := rune(op.Lit.Bits); types.TypeString(op.Type, nil) == "rune" && unicode.IsPrint(r) {
				text = strconv.QuoteRune(r)
			}
			if len(text) <= longestName-10 {
				return text
			}
		}
	}
	return ""
}

// nameRows gives each row a name that differs from the others'.
func (w *writer) nameRows(rows []row) {
	taken := map[string]bool{}
	names, sources := make([]string, len(rows)), make([]string, len(rows))
	returning := make(map[string]int)
	for _, r := range rows {
		returning[w.called[r.c].Returns]++
	}
	for i, r := range rows {
		name := w.called[r.c].Text
		args := differing(rows, i)
		if r.recv != "" {
			args = append([]string{r.recv}, args...)
		}
		sources[i] = strings.Join(args, ", ")
		// That it fails is a name of the only row that does; where others fail, too, the input says more.
		failsAlone := func(isNamed func(k int) bool) bool {
			return phrase.FailsAlone(len(rows), i, func(k int) *testcase.Case { return rows[k].c }, isNamed)
		}
		if numbered(name) && failsAlone(func(int) bool { return false }) {
			name = "error"
		}
		if numbered(name) {
			// The row has neither a short phrase nor a short value, but the source of its arguments may be
			// short.
			if list := phrase.NameText(sources[i]); list != "" && len(list) <= longestName && !strings.Contains(list, "\n") {
				name = list
				if own := ownArgument(rows, i); len(args) > 1 && len(own) >= shortOfAll {
					name = own
				}
			}
		}
		if returns := w.called[r.c].Returns; numbered(name) && returns != "" && returning[returns] == 1 {
			name = returns // what several rows return is a name of none
		}
		if numbered(name) && failsAlone(func(k int) bool { return !numbered(w.called[rows[k].c].Text) }) {
			name = "error"
		}
		if numbered(name) {
			name = cmp.Or(standIn(args), ownArgument(rows, i), beginning(r.args), ownBeginning(rows, i), w.called[r.c].Else, name)
		}
		names[i] = unusedName(phrase.WithoutWrapping(name), taken)
	}
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = longText(r.c)
	}
	for i, name := range phrase.ByLines(phrase.ByLongTexts(phrase.ByFields(names, sources, longestName), texts, longestName), longestName) {
		rows[i].name = name
	}
	nameByTexts(rows)
}

// nameless takes the column of names away if the texts that the rows pass tell them apart, and returns the expression that
// each row is called by: `tt.s` or `tt.pattern+", "+tt.text`. A reader looks for the input, and a name beside it says in
// more words what it looks like. It returns "" if the rows need names. Rows of the documentation keep them, where most are.
func (t *table) nameless(inputs []gofile.Column) string {
	if via := t.rows[0].c.Seq.At(t.rows[0].c.TargetStmt()).Op.Via; via != nil || t.documents() {
		return "" // what is done through a helper has a name for that: GET /
	}
	by, names := t.CalledBy(inputs)
	for i, name := range names {
		t.rows[i].name = name
	}
	return by
}

// byResults does the same with the texts that the rows return, where these say what the inputs are (see prints).
func (t *table) byResults(inputs []gofile.Column) string {
	wants := t.columns[1+len(inputs):]
	if via := t.rows[0].c.Seq.At(t.rows[0].c.TargetStmt()).Op.Via; via != nil || t.documents() || !t.prints() || len(wants) != 1 || !t.short(inputs) {
		return ""
	}
	by, names := t.CalledBy(wants)
	if slices.ContainsFunc(names, isLayout) {
		return ""
	}
	for i, name := range names {
		t.rows[i].name = name
	}
	return by
}

// documents reports whether most rows are calls of the documentation, which have names that say so.
func (t *table) documents() bool {
	documented := 0
	for _, r := range t.rows {
		if r.c.Documented != "" {
			documented++
		}
	}
	return 2*documented > len(t.rows)
}

// isLayout reports whether a text is too much for a name: it has several lines, or is long.
func isLayout(text string) bool {
	const longest = 40
	return len(text) > longest || strings.Contains(text, "\n")
}

// numbered calls the rows by the numbers that they pass, unless each row has a name that says what is special about its numbers.
// It takes the column of names away and returns the expression that each row is called by, or gives the rows names made of
// constants and returns "".
func (t *table) numbered(inputs []gofile.Column) string {
	vague := slices.ContainsFunc(t.rows, func(r row) bool { return !t.called[r.c].Decides && !phrase.IsTelling(r.name) })
	if via := t.rows[0].c.Seq.At(t.rows[0].c.TargetStmt()).Op.Via; !vague || via != nil || t.documents() {
		return ""
	}
	by, names := t.CalledByNumbers(inputs)
	if by == "" {
		names = gofile.NamedBy(inputs)
	}
	for i, name := range names {
		t.rows[i].name = name
		t.columns[0].Cells[i] = gofile.Quote(name)
	}
	return by
}

// prints reports whether the rows say what objects, moments and durations are as texts, so that the text is as good as a name.
// Of numbers a name says which one it is: the largest, or one below zero.
func (t *table) prints() bool {
	st := t.rows[0].c.Seq.At(t.rows[0].c.TargetStmt())
	if len(t.types) != 1 || gosyntax.IsError(t.types[0]) {
		return false
	}
	results := t.rows[0].c.Seq.ResultTypes()
	return !slices.ContainsFunc(st.Args, func(a testcase.Ref) bool {
		b, isBasic := results[a.Stmt][a.Result].Underlying().(*types.Basic)
		return isBasic && !load.IsNamed(results[a.Stmt][a.Result], "time", "Duration") && b.Info()&types.IsString == 0
	})
}

// short reports whether a reader sees the inputs of each row at once.
func (t *table) short(inputs []gofile.Column) bool {
	const longest = 160
	for i := range t.rows {
		n := 0
		for _, c := range inputs {
			n += len(c.Cells[i])
		}
		if n > longest {
			return false
		}
	}
	return true
}

// spelledBy returns the column of texts that the names of the rows spell, "" if there is none. Such a table needs no
// names: each row is called by its text.
func (t *table) spelledBy(nameField string) string {
	for _, c := range t.columns {
		if c.Name == nameField || c.Type != "string" {
			continue
		}
		texts := make([]string, len(t.rows))
		for i, cell := range c.Cells {
			text, err := strconv.Unquote(cell)
			if err != nil || text == "" || text != t.rows[i].name && strconv.Quote(text) != t.rows[i].name {
				texts = nil
				break
			}
			texts[i] = text
		}
		if texts == nil {
			continue
		}
		for i, text := range texts {
			t.rows[i].name = text
		}
		return "tt." + c.Name
	}
	return ""
}

// looped reports whether the rows of a table are no subtests, and takes their names away if so: where the names of many only write
// an input, or say something that decides nothing, and the message of a failure shows a short call, a reader is better off with the
// inputs alone, as in the tests of Go's own library. The parameter shown has the variables in the message.
func (t *table) looped(inputs []gofile.Column, shown []string) bool {
	const longestInputs = 120
	via := t.rows[0].c.Seq.At(t.rows[0].c.TargetStmt()).Op.Via
	if via != nil || t.testify() || t.rows[0].object || t.inside(t.rows[0].c) || t.documents() {
		return false
	}
	for _, c := range inputs {
		if slices.ContainsFunc(c.Cells, func(cell string) bool { return cell != c.Cells[0] }) && (!slices.Contains(shown, "tt."+c.Name) || !isReadIn(c)) {
			return false
		}
	}
	saying := 0
	for i, r := range t.rows {
		n := 0
		for _, c := range inputs {
			n += len(c.Cells[i])
		}
		if n > longestInputs || t.named != nil && t.named(r.c) {
			return false
		}
		if t.called[r.c].Decides {
			saying++
		}
	}
	if 3*saying > 2*len(t.rows) {
		return false
	}
	for i := range t.rows {
		t.rows[i].name = ""
	}
	return true
}

// isReadIn reports whether a message tells the values of a column apart: pointers and functions print as addresses.
func isReadIn(c gofile.Column) bool {
	address := func(text string) bool {
		return slices.ContainsFunc([]string{"*", "&", "func(", "chan "}, func(begin string) bool { return strings.HasPrefix(text, begin) })
	}
	return !address(c.Type) && !slices.ContainsFunc(c.Cells, func(cell string) bool { return address(cell) || strings.Contains(cell, "func(") })
}

// longText returns the text that a case is about, if it is too long for a name: the only long one among its constants. It
// returns "" if there are none or several.
func longText(c *testcase.Case) string {
	found := ""
	for i := range c.TargetStmt() {
		if op := c.Seq.At(i).Op; op.Kind == testcase.OpLiteral && len(op.Lit.Str) > longestName && op.Lit.Str != found {
			if found != "" {
				return ""
			}
			found = op.Lit.Str
		}
	}
	return found
}

// nameByTexts calls rows by the one text that is in the source of each row's receiver, if names of some rows are told apart by
// nothing but a number, and these texts differ.
func nameByTexts(rows []row) {
	if !slices.ContainsFunc(rows, func(r row) bool { return numberAtEnd.MatchString(r.name) }) {
		return
	}
	var texts []string
	seen := make(map[string]bool)
	for _, r := range rows {
		text := phrase.OnlyText(r.recv)
		as := gosyntax.SubtestName(text)
		if text == "" || len(text) > longestName || strings.Contains(text, "\n") || seen[as] {
			return
		}
		seen[as] = true
		texts = append(texts, text)
	}
	for i, text := range texts {
		rows[i].name = text
	}
}

// numberAtEnd matches names that end in a number.
var numberAtEnd = regexp.MustCompile(` [0-9]+$`)

// differing returns the arguments of a row without those that are the same in all rows; all of them if none differs.
func differing(rows []row, i int) []string {
	var out []string
	for k, arg := range rows[i].args {
		if slices.ContainsFunc(rows, func(r row) bool { return k >= len(r.args) || r.args[k] != arg }) {
			out = append(out, arg)
		}
	}
	if out == nil {
		return rows[i].args
	}
	return out
}

// ownArgument returns an argument of a row, as names show it, that no other row has and that is short enough for a name; ""
// if there is none. One that other rows also pass would not tell the rows apart.
func ownArgument(rows []row, i int) string {
	for k, arg := range rows[i].args {
		text := phrase.NameText(arg)
		if text == "" || text == "nil" || len(text) > longestName || strings.ContainsAny(text, "\n") {
			continue
		}
		shared := func(r row) bool { return k < len(r.args) && r.args[k] == arg }
		if !slices.ContainsFunc(rows[:i], shared) && !slices.ContainsFunc(rows[i+1:], shared) {
			return text
		}
	}
	return ""
}

// someWithout reports whether some of the steps prepare their object by no method, so that others differ from them by this.
func someWithout(steps []step) bool {
	return slices.ContainsFunc(steps, func(s step) bool { return behindCalls(s.c, nil) == "" })
}

// behindCalls says by which calls a case differs, for want of anything better: "after Take", "after FromCSVString and
// WillReturnRows". It names the last of the calls that prepare the case, and as many before it as make the name new, at most
// three. It returns "" if no call prepares the case, or if three are not enough. What functions of other packages make, and what makes the
// object that is asked, prepares nothing.
func behindCalls(c *testcase.Case, taken map[string]bool) string {
	const most = 3
	var calls []string
	target := c.Seq.At(c.TargetStmt())
	for i := c.TargetStmt() - 1; i >= 0 && len(calls) < most; i-- {
		op := c.Seq.At(i).Op
		if op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod || op.Via != nil {
			continue
		}
		if own := target.Op.Func; op.Kind == testcase.OpFunc && own != nil && (op.Func.Pkg() != own.Pkg() && op.Func.Signature().Results().Len() > 0 || target.Op.Kind == testcase.OpMethod && len(target.Args) > 0 && target.Args[0].Stmt == i) {
			continue
		}
		calls = slices.Insert(calls, 0, op.Func.Name())
		text := "after " + strings.Join(calls, ", ")
		if n := len(calls); n > 1 {
			text = "after " + strings.Join(calls[:n-1], ", ") + " and " + calls[n-1]
		}
		if op.Kind == testcase.OpMethod && !taken[text] && len(text) <= longestName {
			return text
		}
	}
	return ""
}

// fromCalls says by which functions of the package the inputs of a case are made, for want of anything better: "from Parse", "from New and
// Join". It returns "" if none are, if more than two are, or if the name is taken.
func fromCalls(c *testcase.Case, taken map[string]bool) string {
	const most = 2
	own := c.Seq.At(c.TargetStmt()).Op.Func
	var calls []string
	for i := range c.TargetStmt() {
		op := c.Seq.At(i).Op
		if op.Kind == testcase.OpFunc && op.Via == nil && own != nil && op.Func.Pkg() == own.Pkg() && !slices.Contains(calls, op.Func.Name()) {
			calls = append(calls, op.Func.Name())
		}
	}
	name := "from " + strings.Join(calls, " and ")
	if len(calls) == 0 || len(calls) > most || len(name) > longestName || taken[name] {
		return ""
	}
	return name
}

// appliedError says how the error begins that a function has returned which the case's own call had returned: "unexpected ID". It returns "" if there
// is none, or if the name is taken.
func appliedError(c *testcase.Case, taken map[string]bool) string {
	last := c.Seq.Len() - 1
	if c.Observed == nil || c.Seq.At(last).Op.Kind != testcase.OpCallValue || last >= len(c.Observed.Results) || len(c.Observed.Results[last]) == 0 {
		return ""
	}
	results := c.Observed.Results[last]
	message, ok := stableMessage(results[len(results)-1])
	if !ok {
		return ""
	}
	if i := strings.IndexAny(message, "\"`':\n"); i > 0 {
		message = strings.TrimSpace(message[:i])
	}
	if len(message) > longestName || !strings.Contains(message, " ") || taken[message] {
		return ""
	}
	return message
}

// ownBeginning returns the beginning of the first argument of a row that begins as the same argument of no other row does, as names
// show it, or "".
func ownBeginning(rows []row, i int) string {
	for k, arg := range rows[i].args {
		text := phrase.NameText(arg)
		if len(text) <= longestName || strings.ContainsAny(text, "\n") || !utf8.ValidString(text[:longestName-3]) {
			continue
		}
		cut := text[:longestName-3]
		shared := func(r row) bool { return k < len(r.args) && strings.HasPrefix(phrase.NameText(r.args[k]), cut) }
		if !slices.ContainsFunc(rows[:i], shared) && !slices.ContainsFunc(rows[i+1:], shared) {
			return cut + "..."
		}
	}
	return ""
}

// beginning returns the beginning of the first text among the arguments that is too long for a name, or "" if
// there is none.
func beginning(args []string) string {
	for _, a := range args {
		text, err := strconv.Unquote(a)
		if err != nil || len(text) <= longestName/2 {
			continue
		}
		if cut, _, _ := strings.Cut(text, "\n"); len(cut) > longestName/4 {
			return phrase.NameText(strings.ToValidUTF8(cut[:min(len(cut), longestName/2)], "") + "...")
		}
	}
	return ""
}

// longestName is how long the name of a row may be. shortOfAll is how long an argument that no other row has must be to stand for
// all of them.
const (
	longestName = 48
	shortOfAll  = 10
)

// standIn returns the name of the interface for which the only argument of a row stands in, "" for other arguments.
func standIn(args []string) string {
	if len(args) != 1 {
		return ""
	}
	rest, ok := strings.CutPrefix(args[0], "stub")
	name, _, isLiteral := strings.Cut(rest, "{")
	if name = strings.TrimRight(name, "0123456789"); !ok || !isLiteral || !token.IsIdentifier(name) || gofile.UpperFirst(name) != name {
		return "" // a type of the package, such as stubborn
	}
	return name
}

// numbered reports whether a name is just a number.
func numbered(name string) bool { return name == "" || strings.HasPrefix(name, "case ") }

// roundTrip is what a test is called that reads what the package itself has written.
const roundTrip = "round trip"

// readsWritten reports whether a case's call ends well and is passed what the function has made that it undoes.
func readsWritten(c *testcase.Case) bool {
	target := c.Seq.At(c.TargetStmt())
	if target.Op.Func == nil || target.Op.Via != nil || target.Op.Func.Signature().Results().Len() == 0 || c.Observed == nil || c.Observed.Status != testcase.Returned || c.CallFailed() {
		return false
	}
	for _, a := range target.Args {
		made := c.Seq.At(a.Stmt)
		for made.Op.Kind == testcase.OpConvert && len(made.Args) == 1 {
			made = c.Seq.At(made.Args[0].Stmt)
		}
		if f := made.Op.Func; f != nil && made.Op.Via == nil && f.Signature().Results().Len() > 0 && f.Pkg() == target.Op.Func.Pkg() && !types.Identical(target.Op.Func.Signature().Results().At(0).Type(), f.Signature().Results().At(0).Type()) && inverse.Returns(target.Op.Func, f) {
			return true
		}
	}
	return false
}

// nameSteps gives each step a name that differs from the names of the other steps and of the rows of
// its test.
func (w *writer) nameSteps(steps []step, rows []string) {
	taken := map[string]bool{}
	for _, n := range rows {
		taken[n] = true
	}
	names, sources := slices.Clone(rows), make([]string, len(rows))
	for i := range steps {
		name := w.called[steps[i].c].Text
		if numbered(name) && !taken["error"] && phrase.FailsAlone(len(steps), i, func(k int) *testcase.Case { return steps[k].c }, func(k int) bool { return !numbered(w.called[steps[k].c].Text) }) {
			name = "error"
		}
		if numbered(name) && !taken["success"] && phrase.SucceedsAlone(len(steps), i, func(k int) *testcase.Case { return steps[k].c }) {
			name = "success"
		}
		if (name == "success" || numbered(name) || strings.HasPrefix(name, "from ")) && !taken[roundTrip] && readsWritten(steps[i].c) {
			name = roundTrip
		}
		if numbered(name) && strings.Contains(steps[i].passed, "(") {
			name = phrase.NameText(steps[i].passed) // an option, for example
		}
		if numbered(name) {
			name = cmp.Or(behindCalls(steps[i].c, taken), name)
		}
		if returns := w.called[steps[i].c].Returns; numbered(name) && returns != "" && !taken[returns] {
			name = returns
		}
		if passed := phrase.NameText(steps[i].passed); numbered(name) && passed != "" && !taken[phrase.WithoutWrapping(passed)] {
			name = passed
		}
		if after := behindCalls(steps[i].c, taken); after != "" && strings.HasPrefix(name, `"`) && someWithout(steps) {
			name = after // that it is not the object's first call says more than what is passed
		}
		if numbered(name) {
			name = cmp.Or(appliedError(steps[i].c, taken), fromCalls(steps[i].c, taken), w.called[steps[i].c].Else, name)
		}
		names, sources = append(names, unusedName(phrase.WithoutWrapping(name), taken)), append(sources, steps[i].passed)
	}
	texts := make([]string, len(names)) // the rows of the test have their names
	for i := range steps {
		texts[len(rows)+i] = longText(steps[i].c)
	}
	names = phrase.ByLongTexts(phrase.ByFields(names, sources, longestName), texts, longestName)
	for i, name := range phrase.ByLines(names, longestName)[len(rows):] {
		steps[i].name = name
	}
}

// unusedName returns the name, with a number if it is taken, and takes it.
func unusedName(name string, taken map[string]bool) string {
	name = cmp.Or(name, "case")
	n := name
	for k := 2; taken[n]; k++ {
		n = name + " " + strconv.Itoa(k)
	}
	taken[n] = true
	return n
}
