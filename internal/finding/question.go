package finding

import (
	"go/types"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Question says what is suspicious about the result of a case, or "" if nothing is. A test of such a case
// asserts what the code does, and that may be a fault:
//
//   - the replacement character in a text, although all input texts are valid and have none
//     (a rune was cut in two);
//   - what package fmt writes for a verb without its argument, or the other way round, although no input has it
//     (a text of the caller's was used as a format);
//   - an empty key in a map, although no input has one (a parser took a line without a key for one);
//   - a negative duration, although no input number is negative (a sum or a product has
//     overflowed);
//   - a negative length.
func Question(c *testcase.Case) string {
	o := c.Observed
	if o == nil || o.Status != testcase.Returned || len(o.Results) == 0 {
		return ""
	}
	at := c.TargetStmt()
	if at >= len(o.Results) {
		return ""
	}
	in := inputsOf(c.Seq)
	op := c.Seq.At(at).Op
	for _, v := range o.Results[at] {
		if q := in.strange(v); q != "" {
			return q
		}
		if op.Func != nil && v.Kind == testcase.Int && int64(v.Bits) < 0 {
			switch op.Func.Name() {
			case "Len", "Length", "Size", "Cap", "Count":
				return "a length that is negative"
			}
		}
	}
	return ""
}

// inputs says which suspicious values the literals of a sequence have themselves.
type inputs struct{ replacement, emptyKey, negative, badVerb bool }

func inputsOf(seq *testcase.Sequence) inputs {
	var in inputs
	for i := range seq.Len() {
		op := seq.At(i).Op
		switch op.Kind {
		case testcase.OpLiteral:
			switch l := op.Lit; l.Kind {
			case testcase.LitString:
				in.replacement = in.replacement || !utf8.ValidString(l.Str) || strings.ContainsRune(l.Str, utf8.RuneError)
				in.emptyKey = in.emptyKey || l.Str == ""
				in.badVerb = in.badVerb || strings.Contains(l.Str, "%!")
			case testcase.LitInt:
				in.negative = in.negative || int64(l.Bits) < 0
				in.replacement = true // a number that is no valid rune becomes the replacement character as text
			case testcase.LitUint:
				in.replacement = true // bytes need not be valid text
			}
		case testcase.OpZero:
			in.emptyKey = true // the case has an empty text, or a struct with one
		case testcase.OpMethod, testcase.OpFunc, testcase.OpCallValue:
			if i < seq.Len()-1 {
				in.negative = true // the input may be negative whatever the call has returned
			}
		}
	}
	return in
}

// badVerb matches the beginning of what package fmt writes where verbs and arguments do not fit.
var badVerb = regexp.MustCompile(`%!(\w|[^\w\s%])?\(`)

// strange looks for suspicious values inside a value.
func (in inputs) strange(v testcase.Value) string {
	switch v.Kind {
	case testcase.String:
		if !in.replacement && strings.ContainsRune(v.Str, utf8.RuneError) {
			return "the replacement character U+FFFD in a text"
		}
		if !in.badVerb && badVerb.MatchString(v.Str) {
			return "a complaint of package fmt in a text: " + badVerb.FindString(v.Str) + "...)"
		}
	case testcase.Int:
		if !in.negative && int64(v.Bits) < 0 && isDuration(v.Type) {
			return "a duration that is negative"
		}
	case testcase.Map:
		for i := 0; i+1 < len(v.Elems); i += 2 {
			if k := v.Elems[i]; !in.emptyKey && k.Kind == testcase.String && k.Str == "" && k.Len == 0 {
				return "an empty key in a map"
			}
		}
	}
	for _, e := range v.Elems {
		if q := in.strange(e); q != "" {
			return q
		}
	}
	return ""
}

func isDuration(t types.Type) bool { return load.IsNamed(t, "time", "Duration") }
