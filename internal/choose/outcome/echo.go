package outcome

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// ListsItsInput reports whether a case's call returns a list of nothing but a text that it was given.
func ListsItsInput(c *testcase.Case) bool {
	at := c.TargetStmt()
	if at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 || len(c.Observed.Results[at][0].Elems) != 1 {
		return false
	}
	only := c.Observed.Results[at][0].Elems[0]
	return only.Kind == testcase.String && slices.ContainsFunc(c.Seq.At(at).Args, func(a testcase.Ref) bool {
		op := c.Seq.At(a.Stmt).Op
		return op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitString && op.Lit.Str == only.Str
	})
}

// Echo returns what a case's call returned, as text, with gaps for the texts that the call was passed, or that are in what it was passed, for
// their lengths, and for the words that are numbers or short texts which it was passed: in a text, in bytes, and in the fields of an
// object. It returns "" if there are none of them.
func Echo(c *testcase.Case) string {
	at := c.TargetStmt()
	const gap, long = "\x00", 3 // a shorter text is part of others by chance
	apart := func(text string) string { return " " + strings.Join(strings.Fields(text), " ") + " " }
	var passed, texts []string
	pass := func(op *testcase.Operation) {
		text := op.Lit.Str
		if op.Lit.Kind != testcase.LitString {
			text = op.Lit.Text(op.Type)
		}
		if strings.TrimSpace(text) != "" {
			passed = append(passed, apart(text))
		}
	}
	for _, a := range c.Seq.At(at).Args {
		if text, ok := plainText(c, a); ok && len(text) >= long {
			texts = append(texts, text)
		}
	}
	for i := range at { // also what is in the receiver
		switch op := c.Seq.At(i).Op; {
		case op.Kind != testcase.OpLiteral:
		case op.Lit.Kind == testcase.LitString && len(op.Lit.Str) >= long:
			texts = append(texts, op.Lit.Str)
		default:
			pass(op)
		}
	}
	slices.SortStableFunc(texts, func(a, b string) int { return len(b) - len(a) }) // one may be part of another
	isLength := func(v testcase.Value) bool {
		return (v.Kind == testcase.Int || v.Kind == testcase.Uint) && slices.ContainsFunc(texts, func(t string) bool { return uint64(len(t)) == v.Bits })
	}
	var b strings.Builder
	var write func(v testcase.Value)
	write = func(v testcase.Value) {
		if held, ok := v.Bytes(); ok {
			text := string(held)
			for _, p := range texts {
				text = strings.ReplaceAll(text, p, gap)
			}
			text = apart(text)
			for _, p := range passed {
				text = strings.ReplaceAll(text, p, " "+gap+" ")
			}
			b.WriteString(text + "|")
			return
		}
		if isLength(v) {
			b.WriteString(gap + "|")
			return
		}
		fmt.Fprint(&b, v.Kind, v.Bits, v.Len, "|")
		for _, e := range v.Elems {
			write(e)
		}
	}
	for i := at; i < len(c.Observed.Results); i++ {
		for _, v := range c.Observed.Results[i] {
			write(v)
		}
	}
	if !strings.Contains(b.String(), gap) {
		return ""
	}
	return b.String()
}

// plainText returns the constant text, or list of bytes, that an argument is.
func plainText(c *testcase.Case, a testcase.Ref) (string, bool) {
	st := c.Seq.At(a.Stmt)
	switch st.Op.Kind {
	case testcase.OpLiteral:
		return st.Op.Lit.Str, st.Op.Lit.Kind == testcase.LitString
	case testcase.OpConvert:
		return plainText(c, st.Args[0])
	}
	if a.Stmt < len(c.Observed.Results) && a.Result < len(c.Observed.Results[a.Stmt]) && st.Op.Kind == testcase.OpComposite {
		held, ok := c.Observed.Results[a.Stmt][a.Result].Bytes()
		return string(held), ok
	}
	return "", false
}
