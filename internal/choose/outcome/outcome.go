// Package outcome says how the calls of cases ended, and what a test can compare of that. Package choose keeps one test for each
// way to end.
//
// Two calls ended alike for a reader if they returned errors or panicked with the same words, whatever the inputs put between
// the words ([Class]). A test asserts something if it can compare a result, or what the call changed ([AssertsNothing]).
package outcome

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// Failure says how the call of a case failed: with which error or which panic. It returns "" if the call did not fail.
func Failure(c *testcase.Case) string {
	if p := c.Observed.Panic; p != nil {
		return "panic " + p.Kind + " " + messageClass(c, p.Message)
	}
	at := c.TargetStmt()
	if at >= len(c.Observed.Results) {
		return ""
	}
	for _, v := range c.Observed.Results[at] {
		switch {
		case v.Err != nil && len(v.Err.Sentinels) > 0:
			return "error " + v.Err.Sentinels[0].Name()
		case v.Err != nil:
			return "error " + messageClass(c, v.Err.Message)
		}
	}
	return ""
}

// Class says how the call of a case ended, as coarsely as a reader would: errors by identity or
// by message, truths by value, and other results by whether they are nil.
func Class(c *testcase.Case) string { return class(c, nil) }

// ClassByOwn is Class, but of errors and panics only the words count that the package itself says. Which words a library has
// for a bad expression is for the library to test.
func ClassByOwn(c *testcase.Case, own Words) string { return class(c, own) }

func class(c *testcase.Case, own Words) string {
	o := c.Observed
	var b strings.Builder
	b.WriteString(o.Status.String())
	if o.Panic != nil {
		b.WriteString(" " + o.Panic.Kind + " " + own.of(messageClass(c, o.Panic.Message)))
	}
	target, end := c.TargetStmt(), c.Seq.Len()
	if _, shown := c.Shown(); shown {
		end = target + 1 // the observers behind the call tell of the object, and not of the call's outcome
	}
	tells := comesOf(c) // what a function that the call returned is passed tells nothing
	for i := target; i < min(end, len(o.Results)); i++ {
		if tells[i] {
			b.WriteString(resultsClass(c, i, own))
		}
	}
	return b.String()
}

// ResultsClass returns the part of the outcome's class that is of the results of a statement.
func ResultsClass(c *testcase.Case, i int) string { return resultsClass(c, i, nil) }

func resultsClass(c *testcase.Case, i int, own Words) string {
	if ReadsStatus(c, i) {
		status := c.Observed.Results[i][0].Bits
		if passes(c, status) {
			return " status passed"
		}
		return fmt.Sprint(" status ", status)
	}
	if ReadsOf(c, i) || LooksAtCalls(c, i) {
		return "" // what was written or called is an effect of the call, not its outcome
	}
	var b strings.Builder
	for k, v := range c.Observed.Results[i] {
		if v.Kind == testcase.Nil && gosyntax.IsAny(c.Seq.ResultTypes()[i][k]) && passesNoValue(c) {
			b.WriteString(" value") // what the case put in, like any other value
			continue
		}
		if t := ErrorType(v); own != nil && t != nil && load.IsNamed(t, "net/url", "Error") {
			b.WriteString(" error ") // it is around whatever becomes of a request, or says that there was no URL to send one to
			continue
		}
		if isForeign(v) {
			b.WriteString(" error " + ErrorType(v).String())
			continue
		}
		if v.Err != nil && (len(v.Err.Sentinels) == 0 || passesSentinel(c, v.Err.Sentinels)) {
			b.WriteString(" error " + own.of(messageClass(c, v.Err.Message)))
			continue
		}
		if v.Kind == testcase.Int && v.Bits == 0 && comparesTwo(c) {
			b.WriteString(" equal")
			continue
		}
		b.WriteString(" " + ValueClass(v))
	}
	return b.String()
}

// passesSentinel reports whether a case has one of these errors of other packages from a variable before its own call: a stand-in that fails
// with io.EOF is passed on as one that fails with an error of the test's.
func passesSentinel(c *testcase.Case, sentinels []*types.Var) bool {
	own := c.Seq.At(c.TargetStmt()).Op.Func
	for i := range c.TargetStmt() {
		op := c.Seq.At(i).Op
		if op.Kind == testcase.OpGlobal && slices.Contains(sentinels, op.Var) && own != nil && op.Var.Pkg() != own.Pkg() {
			return true
		}
	}
	return false
}

// comparesTwo reports whether a case's call returns a number, of two values of one type: an order or a distance, for
// which zero says that the values are equal.
func comparesTwo(c *testcase.Case) bool {
	st := c.Seq.At(c.TargetStmt())
	if !IsPlainCall(st.Op) || !Measures(st.Op.Signature()) {
		return false
	}
	all := c.Seq.ResultTypes()
	for i := range len(st.Args) - 1 {
		if a, b := st.Args[i], st.Args[i+1]; types.Identical(all[a.Stmt][a.Result], all[b.Stmt][b.Result]) {
			return true
		}
	}
	return false
}

// passesNoValue reports whether a call before a case's own is passed nil where any value may be passed.
func passesNoValue(c *testcase.Case) bool {
	for i := range c.TargetStmt() {
		st := c.Seq.At(i)
		if call := st.Op.Kind == testcase.OpFunc || st.Op.Kind == testcase.OpMethod; call && slices.ContainsFunc(st.Args, func(a testcase.Ref) bool {
			op := c.Seq.At(a.Stmt).Op
			return op.Kind == testcase.OpZero && gosyntax.IsAny(op.Type)
		}) {
			return true
		}
	}
	return false
}

// ErrorType returns the declared type of an error, or nil if it has none or the value is no error.
func ErrorType(v testcase.Value) *types.Named {
	if v.Err == nil || len(v.Elems) != 1 || v.Elems[0].Type == nil {
		return nil
	}
	return load.NamedOf(v.Elems[0].Type)
}

// isForeign reports whether an error is of a type that the standard library declares for errors of one kind, like
// *json.SyntaxError. What such errors say in each case is for the standard library to test. Which error variables of
// another package an error is tells a reader something, but of a path whether there is a file.
func isForeign(v testcase.Value) bool {
	t := ErrorType(v)
	if t == nil || t.Obj().Pkg() == nil || !t.Obj().Exported() || strings.Contains(t.Obj().Pkg().Path(), ".") {
		return false
	}
	return len(v.Err.Sentinels) == 0 || t.Obj().Pkg().Path() == "io/fs"
}

// passes reports whether a case passes a number, as a test does that sets a status.
func passes(c *testcase.Case, number uint64) bool {
	for i := range c.Seq.Len() {
		if op := c.Seq.At(i).Op; op.Kind == testcase.OpLiteral && (op.Lit.Kind == testcase.LitInt || op.Lit.Kind == testcase.LitUint) && op.Lit.Bits == number {
			return true
		}
	}
	return false
}

// ValueClass returns the class by which a reader tells values of results apart.
func ValueClass(v testcase.Value) string {
	switch {
	case v.Err != nil && len(v.Err.Sentinels) > 0:
		return v.Err.Sentinels[0].Name()
	case v.Err != nil:
		return "error"
	case v.Kind == testcase.Bool:
		return fmt.Sprint(v.Bits != 0)
	case v.Kind == testcase.Nil:
		return "nil"
	case v.Kind == testcase.Int && int64(v.Bits) < 0:
		return "negative" // an order's, or what is returned for "not found"
	}
	return "value"
}

// Asked returns the outcomes of observers that a test asks behind its call.
func Asked(c *testcase.Case, observer map[string]bool) []string {
	var out []string
	for i := c.TargetStmt() + 1; i < min(c.Seq.Len(), len(c.Observed.Results)); i++ {
		op := c.Seq.At(i).Op
		if op.Func != nil && (observer[testcase.TargetName(op.Func)] || c.Story != nil) {
			out = append(out, Element(testcase.TargetName(op.Func), testcase.Returned.String()+ResultsClass(c, i)))
		}
	}
	return out
}

// Element is an outcome of a function among what a test shows.
func Element(target, class string) string { return "outcome " + target + " " + class }

// ReturnsText reports whether the call of a case returns nothing but a text. What an object is as text is asked
// behind few other calls.
func ReturnsText(c *testcase.Case) bool {
	results := c.Seq.ResultTypes()[c.TargetStmt()]
	if len(results) != 1 {
		return false
	}
	b, ok := results[0].Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// ReturnsEmpty reports whether the first result of a case's call is nil, false, or an empty text or list.
func ReturnsEmpty(c *testcase.Case) bool { return IsEmptyResult(c, c.TargetStmt()) }

// IsEmptyResult reports whether the first result of a statement is nil, false, or an empty text or list.
func IsEmptyResult(c *testcase.Case, at int) bool {
	if at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 {
		return false
	}
	switch v := c.Observed.Results[at][0]; v.Kind {
	case testcase.Nil:
		return true
	case testcase.Bool:
		return v.Bits == 0
	case testcase.String, testcase.Slice, testcase.Map:
		return v.Len == 0 && len(v.Elems) == 0 && v.Str == ""
	}
	return false
}

// ReturnsItsInput reports whether a case's call returns a text, a number or a list that it was given. A function that does
// nothing would return the same.
func ReturnsItsInput(c *testcase.Case) bool {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 {
		return false
	}
	got := c.Observed.Results[at][0]
	if got.Kind == testcase.Bool || got.Kind == testcase.Nil || got.Err != nil {
		return false
	}
	result := c.Seq.ResultTypes()[at][0]
	isNumber := got.Kind == testcase.Int || got.Kind == testcase.Uint || got.Kind == testcase.Float
	if isNumber && slices.ContainsFunc(st.Args, func(a testcase.Ref) bool {
		return !gofile.IsBasic(c.Seq.ResultTypes()[a.Stmt][a.Result], types.IsNumeric)
	}) {
		return false // a distance of words may be one of the costs by chance
	}
	return slices.ContainsFunc(st.Args, func(a testcase.Ref) bool {
		if !types.Identical(c.Seq.ResultTypes()[a.Stmt][a.Result], result) {
			return false
		}
		if op := c.Seq.At(a.Stmt).Op; op.Kind == testcase.OpLiteral {
			return got.Str == op.Lit.Str && (got.Kind == testcase.String || got.Bits == op.Lit.Bits)
		}
		return a.Stmt < len(c.Observed.Results) && a.Result < len(c.Observed.Results[a.Stmt]) && c.Observed.Results[a.Stmt][a.Result].Equal(got)
	})
}

// HasError reports whether the call of a case returned an error.
func HasError(c *testcase.Case) bool {
	at := c.TargetStmt()
	return at < len(c.Observed.Results) && slices.ContainsFunc(c.Observed.Results[at], func(v testcase.Value) bool { return v.Err != nil })
}

// complaint matches what package fmt writes where verbs and arguments do not fit, and misprinted that and what it writes for nil, or the end
// of that in a text that was cut.
var (
	complaint  = regexp.MustCompile(`%![a-zA-Z]?\(`)
	misprinted = regexp.MustCompile(complaint.String() + `|<nil>|\bil>`)
)

// IsMisprinted reports whether a case's call returned, as a text or in an error, what package fmt writes for a verb without its
// argument, or an argument without its verb, or for nothing: nobody asks for that.
func IsMisprinted(c *testcase.Case) bool { return returnsText(c, misprinted) }

// HasComplaint reports whether a case's call returned, as a text or in an error, what package fmt writes for a verb without its argument, or an
// argument without its verb.
func HasComplaint(c *testcase.Case) bool { return returnsText(c, complaint) }

// noContext matches what package net/http says of a nil context.
var noContext = regexp.MustCompile(`net/http: nil Context`)

// LacksContext reports whether a case's call returned that it was passed no context.
func LacksContext(c *testcase.Case) bool { return returnsText(c, noContext) }

// IsOnNothing reports whether a case calls its method on a nil pointer that another call returned: what was looked up was not there. Who wants
// to know what a method does with nil writes nil.
func IsOnNothing(c *testcase.Case) bool {
	st := c.Seq.At(c.TargetStmt())
	if st.Op.Kind != testcase.OpMethod {
		return false
	}
	recv := st.Args[0]
	made := c.Seq.At(recv.Stmt).Op
	return made.IsCall() && recv.Stmt < len(c.Observed.Results) && recv.Result < len(c.Observed.Results[recv.Stmt]) && c.Observed.Results[recv.Stmt][recv.Result].Kind == testcase.Nil
}

// returnsText reports whether a case's call returned a text, or an error with a message, that has a part of some form.
func returnsText(c *testcase.Case, form *regexp.Regexp) bool {
	at := c.TargetStmt()
	return at < len(c.Observed.Results) && slices.ContainsFunc(c.Observed.Results[at], func(v testcase.Value) bool {
		return form.MatchString(v.Str) || v.Err != nil && form.MatchString(v.Err.Message)
	})
}

// IsHollow reports whether a case's call has inputs, and all of them are zero values: what such a call returns tells nothing of what it does
// with them.
func IsHollow(c *testcase.Case) bool {
	at := c.TargetStmt()
	if len(c.Seq.At(at).Args) == 0 {
		return false
	}
	for i := range at {
		switch st := c.Seq.At(i); st.Op.Kind {
		case testcase.OpZero, testcase.OpComposite, testcase.OpAddr, testcase.OpConvert:
		case testcase.OpLiteral:
			if st.Op.Lit.Bits != 0 || st.Op.Lit.Str != "" || st.Op.Lit.Imag != 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// IsOverlong reports whether a case's call returned a text that nobody reads: far longer than all that the case writes.
func IsOverlong(c *testcase.Case) bool {
	const longest, times = 800, 8 // bytes, of the texts that are passed
	passed := 0
	for i := range c.Seq.Len() {
		passed += len(c.Seq.At(i).Op.Lit.Str)
	}
	at := c.TargetStmt()
	return at < len(c.Observed.Results) && slices.ContainsFunc(c.Observed.Results[at], func(v testcase.Value) bool {
		return v.Kind == testcase.String && v.Len > longest && v.Len > times*passed
	})
}

// FillsPages reports whether a case's call returned a text that is longer than any test file should be, by itself.
func FillsPages(c *testcase.Case) bool {
	const longest = 4096 // bytes
	at := c.TargetStmt()
	return IsOverlong(c) && slices.ContainsFunc(c.Observed.Results[at], func(v testcase.Value) bool { return v.Kind == testcase.String && v.Len > longest })
}

// ReadsStatus reports whether a statement behind the case's own call reads the status of a recorder.
func ReadsStatus(c *testcase.Case, i int) bool {
	return ReadsOf(c, i) && c.Seq.At(i).Op.Kind == testcase.OpField && c.Observed.Results[i][0].Kind == testcase.Int
}

// ReadsOf reports whether a statement behind the case's own call reads a buffer, a recorder, a file, a decoded value, or a part of
// an object of the standard library that the call returned.
func ReadsOf(c *testcase.Case, i int) bool {
	st := c.Seq.At(i)
	if i <= c.TargetStmt() || len(st.Args) == 0 {
		return false
	}
	if observer.LooksAtFiles(st.Op) {
		return true
	}
	from := st.Args[0]
	t := c.Seq.ResultTypes()[from.Stmt][from.Result]
	if p, ok := t.Underlying().(*types.Pointer); ok && st.Op.Kind == testcase.OpDeref && c.Seq.At(from.Stmt).Op.Kind == testcase.OpAddr {
		return types.Identical(p.Elem(), st.Op.Type)
	}
	if _, tells := observer.Tells(c, i); tells {
		return true
	}
	return load.IsRecorder(t) || load.IsNamed(t, "net/http", "Header") || st.Op.Kind == testcase.OpMethod && len(st.Args) == 1 && load.IsBuffer(t)
}

// LooksAtCalls reports whether a statement behind the case's own call looks at the calls that a recorder
// noted.
func LooksAtCalls(c *testcase.Case, i int) bool {
	st := c.Seq.At(i)
	return i > c.TargetStmt() && st.Op.Kind == testcase.OpDeref && c.Seq.At(st.Args[0].Stmt).Op.Via != nil
}

// IsPlainCall reports whether an operation is the call of a function or a method, and not one through a helper.
func IsPlainCall(op *testcase.Operation) bool {
	return (op.Kind == testcase.OpFunc || op.Kind == testcase.OpMethod) && op.Via == nil
}

// Measures reports whether a function returns a number or a truth and nothing else, as orders and distances do.
func Measures(sig *types.Signature) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

// RanAt returns the outcome of a sequence, or nil if there was no time to run the sequence.
func RanAt(outcomes []*testcase.Outcome, i int) *testcase.Outcome {
	if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status == testcase.NotRun {
		return nil
	}
	return outcomes[i]
}
