package emit

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/testcase"
)

// viaFunc is a helper that came with an operation, and the names of its declarations in this file.
type viaFunc struct {
	name   string
	helper *testcase.Helper
	others map[string]string
}

// viaHelper returns the name in this file of the function of a helper.
func (w *writer) viaHelper(h *testcase.Helper) string {
	for _, f := range w.viaFuncs {
		if f.helper.Name == h.Name && f.helper.Text == h.Text {
			return f.name
		}
	}
	f := &viaFunc{name: w.Names.Pick(h.Name), helper: h, others: make(map[string]string)}
	w.viaFuncs = append(w.viaFuncs, f)
	w.viaText(f) // viaText also names the helper's other declarations
	return f.name
}

// viaText returns the declarations of a helper.
func (w *writer) viaText(f *viaFunc) string {
	text := f.helper.Source(f.name, w.imported, func(name string) string {
		if f.others[name] == "" {
			f.others[name] = w.Names.Pick(name)
		}
		return f.others[name]
	})
	return gofile.Comment(f.name+" "+f.helper.Doc) + text
}

// imported returns the name by which a helper's text refers to a package, "" for the test's own
// package.
func (w *writer) imported(path string) string {
	if path != w.Pkg.Path {
		return w.Std(path)
	}
	if !w.External {
		return ""
	}
	return w.Imports.Name(path, w.Pkg.Name)
}

// driven returns the first argument of a call through a helper: the function under test.
func (s *script) driven(st testcase.Statement) gofile.Expr {
	recv, function := "", ""
	if st.Op.Kind == testcase.OpMethod {
		if !s.Selectable(st.Op.Func) {
			s.Fail("method " + st.Op.Func.Name() + " is not accessible to a test")
		}
		e := s.ref(st.Args[0], nil)
		recv = e.Operand()
		if text := st.Op.Driven("", s.typeOf(st.Args[0]), "", s.Std); text == "" {
			return e
		}
		return gofile.Primary(st.Op.Driven(recv, s.typeOf(st.Args[0]), "", s.Std))
	}
	function = s.Object(st.Op.Func) + s.optionalTypeArgs(st.Op)
	return gofile.Primary(st.Op.Driven("", nil, function, s.Std))
}

// optionalTypeArgs returns the type arguments of an operation's function, or "" if the function has none.
func (s *script) optionalTypeArgs(op *testcase.Operation) string {
	if len(op.TypeArgs) == 0 || op.Kind == testcase.OpMethod {
		return ""
	}
	return s.typeArgs(op.TypeArgs)
}

// titled returns the name that messages give a call through a helper: the constant arguments by which
// the helper names it.
func (s *script) titled(st testcase.Statement) (string, bool) {
	if st.Op.Via == nil || st.Op.Via.Titles == 0 {
		return "", false
	}
	title := titleOf(s.seq, st, titlesOf(st.Op))
	return title, title != ""
}

// titleOf returns the first n constants passed in a call through a helper, or "" if one of them cannot be
// part of a name.
func titleOf(seq *testcase.Sequence, st testcase.Statement, n int) string {
	args := st.Args
	if st.Op.Kind == testcase.OpMethod {
		args = args[1:]
	}
	var words []string
	for _, a := range args[:min(len(args), n)] {
		op := seq.At(a.Stmt).Op
		text := spokenHeader(op.Lit.Str)
		if st.Op.Via != nil && st.Op.Via.Names[op.Lit.Str] != "" {
			text = st.Op.Via.Names[op.Lit.Str]
		}
		if (op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero) || strings.ContainsFunc(text, isNoPartOfNames) {
			return ""
		}
		if text != "" {
			words = append(words, text)
		}
	}
	return strings.Join(words, " ")
}

func isNoPartOfNames(r rune) bool { return r < ' ' || r > '~' }

// spokenHeader returns lines of a header as part of a name. Credentials become the name of the user, several
// lines become a list, and other texts stay as they are.
func spokenHeader(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !strings.Contains(line, ": ") {
			return text
		}
		if code, ok := strings.CutPrefix(line, "Authorization: Basic "); ok {
			who, err := base64.StdEncoding.DecodeString(code)
			if err == nil && strings.Contains(string(who), ":") && !strings.ContainsFunc(string(who), isNoPartOfNames) {
				lines[i] = "as " + string(who)
			}
		}
	}
	return strings.Join(lines, ", ")
}

// titles returns names for cases that call through helpers: the constants by which the helper names the call.
// If several cases have the same constants, the other constants are added, and if several are still the same,
// how the object was set up. The result alone says which cases have a name that no other case has.
func titles(cases []*testcase.Case) (out map[*testcase.Case]string, alone map[*testcase.Case]bool) {
	out, alone = make(map[*testcase.Case]string), make(map[*testcase.Case]bool)
	count := make(map[string]int)
	for _, c := range cases {
		if at := titleStmt(c); at >= 0 {
			title := titleOf(c.Seq, c.Seq.At(at), titlesOf(c.Seq.At(at).Op)) + answered(c, at)
			out[c] = title
			count[title]++
		}
	}
	same := func() map[string]int {
		n := make(map[string]int)
		for _, title := range out {
			n[title]++
		}
		return n
	}
	for c, title := range out {
		if count[title] > 1 || !drives(c) {
			at := titleStmt(c)
			out[c] = gofile.OneLine(titleOf(c.Seq, c.Seq.At(at), allArguments)+answered(c, at), longestTitle)
		}
	}
	longer := same()
	for c, title := range out {
		if by := setUp(c); longer[title] > 1 && by != "" {
			out[c] = gofile.OneLine(title+", "+by, longestTitle)
		}
	}
	longer = same()
	for c, title := range out {
		if title == "" {
			delete(out, c)
		}
		alone[c] = longer[title] == 1
	}
	return out, alone
}

// answered says in words with which status a request was answered, behind a comma, if it is not one that means success.
func answered(c *testcase.Case, at int) string {
	op := c.Seq.At(at).Op
	if !op.Drives() || c.Observed == nil || at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 || op.Via.Sig.Results().At(0).Name() != "code" {
		return ""
	}
	switch code := int(c.Observed.Results[at][0].Bits); {
	case code < http.StatusMultipleChoices:
		return ""
	case code < http.StatusBadRequest && code != http.StatusNotModified:
		return ", redirected"
	case http.StatusText(code) == "":
		return ", answered with " + strconv.Itoa(code)
	default:
		return ", " + strings.ToLower(http.StatusText(code))
	}
}

// allArguments is more than the number of arguments of any helper; longestTitle bounds the length of a title.
const (
	allArguments = 10
	longestTitle = 60
)

// setUp says how the object of a case's call through a helper was set up last: the method and its constant
// texts, or "" if no method was called.
func setUp(c *testcase.Case) string {
	at := titleStmt(c)
	st := c.Seq.At(at)
	if st.Op.Kind != testcase.OpMethod {
		return ""
	}
	for i := at - 1; i >= 0; i-- {
		call := c.Seq.At(i)
		if call.Op.Kind != testcase.OpMethod || call.Op.Via != nil || call.Args[0] != st.Args[0] {
			continue
		}
		out := call.Op.Func.Name()
		for _, a := range call.Args[1:] {
			if op := c.Seq.At(a.Stmt).Op; op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitString && op.Lit.Str != "" {
				out += " " + op.Lit.Str
			}
		}
		return out
	}
	return ""
}

// titlesOf returns how many of the first arguments of a call name a case. The helper says how many; of a
// request they are the method and the URL.
func titlesOf(op *testcase.Operation) int {
	switch {
	case op.Via != nil:
		return op.Via.Titles
	case op.Kind == testcase.OpFunc && op.Func.FullName() == "net/http/httptest.NewRequest":
		return 2
	}
	return 0
}

// titleStmt returns the last statement of a case that calls through a helper which names its calls, or -1 if
// there is none.
func titleStmt(c *testcase.Case) int {
	for i := c.Seq.Len() - 1; i >= 0; i-- {
		if titlesOf(c.Seq.At(i).Op) > 0 {
			return i
		}
	}
	return -1
}

// drives reports whether the helper that names a case calls its function.
func drives(c *testcase.Case) bool {
	at := titleStmt(c)
	return at >= 0 && c.Seq.At(at).Op.Drives()
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
			function += t.typeArgs(op.TypeArgs)
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
	name := t.viaHelper(op.Via)
	if op.Via.Titles == 0 {
		return name + "(" + strings.Join(passed, ", ") + ")", name + "(" + strings.Join(shown, ", ") + ")", args
	}
	return name + "(" + strings.Join(passed, ", ") + ")", strings.Join(shown, " "), args
}
