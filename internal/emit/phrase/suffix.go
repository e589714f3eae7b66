package phrase

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/testcase"
)

// NameText returns arguments as the name of a row shows them: without parts that only the compiler
// needs.
func NameText(args string) string {
	if !strings.Contains(args, "`") {
		args = inLines.Replace(lineBreak.ReplaceAllString(args, "\n"))
	}
	args = strings.ReplaceAll(args, "interface{}", "any")
	args = nilCall.ReplaceAllString(args, "nil")
	switch {
	case zeroStruct.MatchString(args):
		return "zero value"
	case emptyList.MatchString(args):
		return "empty"
	}
	args = typePrefix.ReplaceAllString(args, "{")
	args = repeatCall.ReplaceAllString(args, "$2 times $1")
	args = makeCall.ReplaceAllString(args, "$1 zero elements")
	args = wideCall.ReplaceAllString(args, "$1")
	args = withCall.ReplaceAllString(args, "with $1")
	args = readCall.ReplaceAllString(args, "$1$2")
	args = strings.NewReplacer("math.Inf(1)", "+Inf", "math.Inf(-1)", "-Inf", "math.NaN()", "NaN", "math.Copysign(0, -1)", "-0", "math.", "").Replace(args)
	if i := strings.Index(args, "func("); i >= 0 {
		if strings.Contains(args[:i], "{") {
			return "" // a part of a struct whose end is not shown
		}
		args = args[:i] + "func"
	}
	return args
}

// inLines writes a composite literal of several lines on one.
var inLines = strings.NewReplacer("{\n", "{", ",\n}", "}", ",\n", ", ")

var (
	// lineBreak matches the end of a line and the indent of the next one.
	lineBreak = regexp.MustCompile(`\n\t*`)
	// typePrefix matches the type of a composite literal.
	typePrefix = regexp.MustCompile(`(?:&|\*|\[\]|\[\d+\]|map\[[\w.]+\])*[\w.]*(?:\[[\w., ]*\])?\{`)
	// readCall matches a call that reads a value from a text, which says all.
	readCall = regexp.MustCompile(`\b(?:net\.ParseIP|netip\.MustParse\w+|regexp\.MustCompile)\((?:"([^"\\]+)"|` + "`([^`]+)`" + `)\)`)
	// zeroStruct matches a struct of which nothing is set, or a pointer to one, and emptyList a list or map without elements.
	zeroStruct = regexp.MustCompile(`^&?[A-Za-z_][\w.]*\{\}$`)
	emptyList  = regexp.MustCompile(`^(?:\[\]|map\[[\w.]+\])(?:\*|\[\]|map\[[\w.]+\])*[\w.]*\{\}$`)
	// nilCall matches a list or map that is nil, with its type.
	nilCall = regexp.MustCompile(`(?:\[\]|map\[[\w.]+\])(?:\*|\[\]|map\[[\w.]+\])*[\w.]*\(nil\)`)
	// repeatCall matches a long string.
	repeatCall = regexp.MustCompile(`strings\.Repeat\(("[^"]*"), (\d+)\)`)
	// makeCall matches a long list of zeros.
	makeCall = regexp.MustCompile(`make\([^,()]*, (\d+)\)`)
	// withCall matches a call of a helper that fills an object: stackWith(1, 2).
	withCall = regexp.MustCompile(`\b[a-z]\w*With\((?:t, )?([^()]+)\)`)
	// wideCall matches a call of a helper for numbers beyond 32 bits.
	wideCall = regexp.MustCompile(`wide(?:Uint)?\(([^()]*)\)`)
)

// Suffixes returns endings for the name of a straight-line test, the best first. The result more has further
// endings for names that other tests have already: the target's arguments, and two endings together.
func (p *Phraser) Suffixes(c *testcase.Case) (out, more []string) {
	conds := p.telling(c)
	if OnNil(c) {
		out = append(out, "_onNil")
	}
	for _, cond := range slices.Backward(conds) {
		if cond.word != "" {
			out = append(out, "_when"+cond.word)
		}
	}
	if result := p.Result(c); result.word != "" {
		out = append(out, "_"+gofile.LowerFirst(result.word))
	}
	if prev := PreviousCall(c); prev != nil {
		out = append(out, "_after"+gofile.UpperFirst(prev.Func.Name()))
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
			} else if len(l.Str) <= longest && gofile.Identifier(l.Str) == l.Str {
				word = gofile.UpperFirst(l.Str)
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

// OnNil reports whether the target is called on a nil pointer.
func OnNil(c *testcase.Case) bool {
	st := c.Seq.At(c.TargetStmt())
	return st.Op.Kind == testcase.OpMethod && c.Seq.At(st.Args[0].Stmt).Op.Kind == testcase.OpZero &&
		gofile.Nilable(c.Seq.At(st.Args[0].Stmt).Op.Type)
}

// PreviousCall returns the last method called on the target's receiver before the target, or nil if there is
// none.
func PreviousCall(c *testcase.Case) *testcase.Operation {
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
