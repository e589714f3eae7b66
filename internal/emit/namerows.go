package emit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// nameText returns arguments as the name of a row shows them: without what only the
// compiler needs.
func nameText(args string) string {
	args = typePrefix.ReplaceAllString(args, "{")
	args = repeatCall.ReplaceAllString(args, "$2 times $1")
	args = makeCall.ReplaceAllString(args, "$1 zero elements")
	args = wideCall.ReplaceAllString(args, "$1")
	args = strings.NewReplacer("math.Inf(1)", "+Inf", "math.Inf(-1)", "-Inf", "math.NaN()", "NaN", "math.Copysign(0, -1)", "-0", "math.", "").Replace(args)
	if i := strings.Index(args, "func("); i >= 0 {
		args = args[:i] + "func"
	}
	return args
}

var (
	// typePrefix matches the type of a composite literal.
	typePrefix = regexp.MustCompile(`(?:&|\*|\[\]|\[\d+\]|map\[\w+\])*[\w.]*(?:\[[\w., ]*\])?\{`)
	// repeatCall matches a long string.
	repeatCall = regexp.MustCompile(`strings\.Repeat\(("[^"]*"), (\d+)\)`)
	// makeCall matches a long list of zeros.
	makeCall = regexp.MustCompile(`make\([^,()]*, (\d+)\)`)
	// wideCall matches a call of a helper for numbers beyond 32 bits.
	wideCall = regexp.MustCompile(`wide(?:Uint)?\(([^()]*)\)`)
)

// suffixes returns endings for the name of a straight-line test of a case, the
// best first; and more for where other tests have these names: what the target is called
// with, and two endings together.
func (w *writer) suffixes(c *testcase.Case) (out, more []string) {
	conds := w.telling(c)
	if onNil(c) {
		out = append(out, "_onNil")
	}
	for _, p := range slices.Backward(conds) {
		if p.word != "" {
			out = append(out, "_when"+p.word)
		}
	}
	if p := w.resultPhrase(c); p.word != "" {
		out = append(out, "_"+lowerFirst(p.word))
	}
	if prev := previousCall(c); prev != nil {
		out = append(out, "_after"+upperFirst(prev.Func.Name()))
	}
	with := argsSuffix(c)
	if with != "" {
		more = append(more, with)
	}
	for i, s := range out {
		for _, t := range out[i+1:] {
			more = append(more, s+t)
		}
		if with != "" {
			more = append(more, s+with)
		}
	}
	return out, more
}

// argsSuffix names the constants that the target is called with, if there are one or two
// that can be in a name.
func argsSuffix(c *testcase.Case) string {
	st := c.Seq.At(c.TargetStmt())
	args := st.Args
	if st.Op.Kind == testcase.OpMethod || st.Op.Kind == testcase.OpCallValue {
		args = args[1:]
	}
	var words []string
	for _, a := range args {
		op := c.Seq.At(a.Stmt).Op
		if op.Kind != testcase.OpLiteral {
			continue
		}
		const longest = 20
		word := ""
		switch l := op.Lit; l.Kind {
		case testcase.LitBool:
			word = "False"
			if l.Bits != 0 {
				word = "True"
			}
		case testcase.LitInt:
			if i := int64(l.Bits); i < 0 {
				word = "Minus" + strings.TrimPrefix(strconv.FormatInt(i, 10), "-")
			} else {
				word = strconv.FormatInt(i, 10)
			}
		case testcase.LitUint:
			word = strconv.FormatUint(l.Bits, 10)
		case testcase.LitString:
			if l.Str == "" {
				word = "Empty"
			} else if len(l.Str) <= longest && identifier(l.Str) == l.Str {
				word = upperFirst(l.Str)
			}
		}
		if word == "" || len(word) > longest {
			return ""
		}
		words = append(words, word)
	}
	if len(words) == 0 || len(words) > 2 {
		return ""
	}
	return "_of" + strings.Join(words, "And")
}

// onNil reports whether the target is called on a nil pointer.
func onNil(c *testcase.Case) bool {
	st := c.Seq.At(c.TargetStmt())
	return st.Op.Kind == testcase.OpMethod && c.Seq.At(st.Args[0].Stmt).Op.Kind == testcase.OpZero &&
		nilable(c.Seq.At(st.Args[0].Stmt).Op.Type)
}

// previousCall returns the last method called on the target's receiver before the target, nil if
// there is none.
func previousCall(c *testcase.Case) *testcase.Operation {
	target := c.Seq.At(c.TargetStmt())
	if target.Op.Kind != testcase.OpMethod {
		return nil
	}
	for i := c.TargetStmt() - 1; i >= 0; i-- {
		if st := c.Seq.At(i); st.Op.Kind == testcase.OpMethod && st.Args[0] == target.Args[0] {
			return st.Op
		}
	}
	return nil
}

// docComment returns a sentence that says what a straight-line test tests, "" if
// there is nothing to say beyond its name. s is what wrote the test, nil if it asserts
// a panic.
func (w *writer) docComment(c *testcase.Case, s *script) string {
	f := w.targetFunc(c)
	if f == nil {
		return ""
	}
	result := w.resultPhrase(c).text
	if c.Observed != nil && c.Observed.Status == testcase.Panicked {
		result = "panics"
	}
	switch {
	case s == nil:
	case s.asserted == 0:
		result = "does not panic"
	case result == "" && len(s.changed) == 1:
		result = "sets " + s.changed[0]
	case result == "" && len(s.changed) > 1:
		last := len(s.changed) - 1
		result = "sets " + strings.Join(s.changed[:last], ", ") + " and " + s.changed[last]
	case result == "" && s.shownBy(c.TargetStmt()):
		return "" // what the observers of a new object show, the test itself says best
	case result == "":
		result = w.statePhrase(c)
	}
	var when []string
	if n := w.called[c]; n.Clause != "" && (w.cases > 1 || c.Observed.Status == testcase.Panicked) {
		when = append(when, n.Clause)
	}
	if result == "" && len(when) > 0 {
		result = objectPhrase(c)
	}
	asserts := s != nil && s.asserted > 0
	if asserts && len(when) == 0 && !onNil(c) && previousCall(c) == nil {
		return "" // nothing but its arguments sets it apart, and they are in the test
	}
	out := f.Name()
	if result != "" {
		out += " " + result
	}
	switch prev := previousCall(c); {
	case onNil(c):
		out += " on a nil " + shortName(c.Seq.At(c.Seq.At(c.TargetStmt()).Args[0].Stmt).Op.Type)
	case len(when) > 0:
		out += " when " + strings.Join(when, " and ")
	case prev != nil:
		out += " after " + prev.Func.Name()
	case result == "":
		return ""
	}
	return out + "."
}
