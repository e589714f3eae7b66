package phrase

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/testcase"
)

// Titles returns names for cases that call through helpers: the constants by which the helper names the call.
// If several cases have the same constants, the other constants are added, and if several are still the same,
// how the object was set up. The result alone says which cases have a name that no other case has.
func Titles(cases []*testcase.Case) (out map[*testcase.Case]string, alone map[*testcase.Case]bool) {
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
		if count[title] > 1 || !Drives(c) {
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

// Drives reports whether the helper that names a case calls its function.
func Drives(c *testcase.Case) bool {
	at := titleStmt(c)
	return at >= 0 && c.Seq.At(at).Op.Drives()
}

// Title returns the name that messages give a call through a helper: the constant arguments by which the helper names it. It
// returns false if there are none, or if one of them cannot be part of a name.
func Title(seq *testcase.Sequence, st testcase.Statement) (string, bool) {
	if st.Op.Via == nil || st.Op.Via.Titles == 0 {
		return "", false
	}
	title := titleOf(seq, st, titlesOf(st.Op))
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
		if st.Op.Via != nil {
			if name, ok := st.Op.Via.Names[op.Lit.Str]; ok {
				text = name
			}
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
