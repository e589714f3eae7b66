// Package outcome says how the calls of cases ended, and what a test can compare of that. Package choose keeps one test for each
// way to end.
//
// Two calls ended alike for a reader if they returned errors or panicked with the same words, whatever the inputs put between
// the words ([Class]). A test asserts something if it can compare a result, or what the call changed ([AssertsNothing]).
package outcome

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/mutate"
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

// Words are the words that a package says in its constant texts.
type Words map[string]bool

// WordsOf returns the words in the constant texts of files.
func WordsOf(files []*ast.File) Words {
	out := make(Words)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				for _, word := range lettersOf(lit.Value) {
					out[word] = true
				}
			}
			return true
		})
	}
	return out
}

// of returns the words of a class that the package says, all of them if w is nil.
func (w Words) of(class string) string {
	if w == nil {
		return class
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(class), func(word string) bool { return !w[word] }), " ")
}

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

// messageClass returns the words of a message without the parts that depend on the input: quoted text, numbers, signs,
// and values that the case itself passes. Two causes thus have two classes, and get a test each.
func messageClass(c *testcase.Case, message string) string {
	for _, results := range c.Observed.Results[:min(c.TargetStmt(), len(c.Observed.Results))] {
		for _, v := range results {
			if v.Err == nil || v.Err.Message == "" {
				continue
			}
			// An error that was passed is as good as any other. It mostly stands at the end, and what stands before
			// may have the same word: "failed to write: failed".
			if before, ok := strings.CutSuffix(message, v.Err.Message); ok {
				message = before
			} else {
				message = strings.ReplaceAll(message, v.Err.Message, "")
			}
		}
	}
	for _, text := range textsIn(c) {
		if len(text) > 1 {
			message = withoutText(message, text)
			continue
		}
		// Only as a word by itself, since one letter is part of many words.
		message = strings.TrimSpace(strings.ReplaceAll(" "+message+" ", " "+text+" ", "  "))
		message = strings.ReplaceAll(message, " "+text+":", " :")
	}
	return strings.Join(wordsBesides(c, variable.ReplaceAllString(message, "")), " ")
}

// withoutText returns a message without a text, as far as the text is no part of a longer word: "cannot" has no "no".
func withoutText(message, text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(message, text)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		last, _ := utf8.DecodeLastRuneInString(b.String())
		next, _ := utf8.DecodeRuneInString(after)
		first, _ := utf8.DecodeRuneInString(text)
		end, _ := utf8.DecodeLastRuneInString(text)
		if unicode.IsLetter(last) && unicode.IsLetter(first) || unicode.IsLetter(end) && unicode.IsLetter(next) {
			b.WriteString(text)
		}
		message = after
	}
}

// wordsBesides returns the words of a message that no text of the case has, and those that any sentence has. What is between words may
// be of the input: "@ is no identifier".
func wordsBesides(c *testcase.Case, message string) []string {
	texts := textsIn(c)
	return slices.DeleteFunc(lettersOf(message), func(word string) bool {
		const long = 3 // a word that a text has by chance is shorter
		switch strings.ToLower(word) {
		case "be", "is", "no", "not", "cannot", "must", "the", "an", "of", "to", "in", "for", "with", "and", "or":
			return false
		}
		return len(word) == 1 || slices.ContainsFunc(texts, func(text string) bool {
			// Functions that know units and names of any case often say them in lower case.
			if len(word) >= long {
				return strings.Contains(strings.ToLower(text), strings.ToLower(word))
			}
			return slices.ContainsFunc(lettersOf(text), func(part string) bool { return strings.EqualFold(part, word) })
		})
	})
}

// lettersOf returns the words of a text.
func lettersOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' })
}

// textsIn returns the constant texts of a case that are not empty, lists of bytes among them.
func textsIn(c *testcase.Case) []string {
	var out []string
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		text := st.Op.Lit.Str
		if list, ok := st.Op.Type.(*types.Slice); ok && st.Op.Kind == testcase.OpComposite && types.Identical(list.Elem(), types.Typ[types.Uint8]) {
			for _, a := range st.Args {
				text += string([]byte{byte(c.Seq.At(a.Stmt).Op.Lit.Bits)})
			}
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// variable matches the parts of messages that depend on their inputs.
var variable = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|`[^`]*`|<nil>|\\b(?:u?int(?:8|16|32|64)?|float(?:32|64)|complex(?:64|128)|bool|string)\\b|\\w*[0-9]\\w*")

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

// ReturnsNothing reports whether the call of a case returns nothing: all that its test could look
// at are fields.
func ReturnsNothing(c *testcase.Case) bool {
	at := c.TargetStmt()
	return len(c.Seq.ResultTypes()[at]) == 0
}

// AssertsNothing reports whether a test could not compare anything that its call returned or
// changed: that the call ends is no test.
func AssertsNothing(c *testcase.Case) bool { return assertsNothingTo(nil, c) }

// Unseen returns the functions of which no case has anything that a test could compare.
func Unseen(cases []*testcase.Case) map[string]bool {
	out := make(map[string]bool)
	for _, c := range cases {
		earlier, known := out[c.Target]
		out[c.Target] = AssertsNothing(c) && (earlier || !known)
	}
	return out
}

// assertsNothingTo does the same. For the users of a package, if it is not nil, that an error is nil beside an object counts for
// nothing, and neither does a struct of which the package shows no field. Another struct by itself is compared as a whole, which reads well whatever
// its fields are called.
func assertsNothingTo(users *types.Package, c *testcase.Case) bool {
	if c.Observed.Status != testcase.Returned {
		return false
	}
	if IsSilent(c) {
		return true
	}
	if changesSomething(c) {
		return false
	}
	types, own := c.Seq.ResultTypes(), comesOf(c)
	for i := c.TargetStmt(); i < min(c.Seq.Len(), len(c.Observed.Results)); i++ {
		if !own[i] {
			continue // an object that an option is applied to is made behind the call that makes the option
		}
		for k, v := range c.Observed.Results[i] {
			if ReadsOf(c, i) && v.Kind == testcase.String && v.Str == "" {
				continue // that nothing was written says nothing
			}
			if users != nil && (v.Kind == testcase.Nil && gosyntax.IsError(types[i][k]) && isObject(types[i][0]) || isSealed(users, types[i][k]) || hidesSealed(users, v)) {
				continue
			}
			if v.Err != nil || gofile.Whole(v) || HasFields(types[i][k], v) {
				return false
			}
		}
	}
	return true
}

// ReturnsZero reports whether a function without a body would pass the case's test: the call returns nothing but zero values,
// changes nothing that a test can see, and no observer is asked behind it.
func ReturnsZero(c *testcase.Case) bool {
	at := c.TargetStmt()
	if c.Observed.Status != testcase.Returned || ReturnsNothing(c) || at != c.Seq.Len()-1 || at >= len(c.Observed.Results) || changesSomething(c) {
		return false
	}
	return !slices.ContainsFunc(c.Observed.Results[at], func(v testcase.Value) bool { return v.Err != nil || !v.IsZero() })
}

// ShowsNewObject reports whether a case makes an object, and everything that is asked of the object has its zero value: that
// there is nothing in it yet. Options and other settings that the object was made with do not show.
func ShowsNewObject(c *testcase.Case) bool {
	at := c.TargetStmt()
	if c.Observed.Status != testcase.Returned || at == c.Seq.Len()-1 || len(c.Observed.Results) < c.Seq.Len() || len(c.Observed.Results[at]) == 0 || changesSomething(c) {
		return false
	}
	made := c.Observed.Results[at]
	if made[0].Kind != testcase.Pointer || slices.ContainsFunc(made[1:], func(v testcase.Value) bool { return !v.IsZero() }) {
		return false
	}
	for _, results := range c.Observed.Results[at+1 : c.Seq.Len()] {
		if slices.ContainsFunc(results, func(v testcase.Value) bool { return v.Err != nil || !v.IsZero() }) {
			return false
		}
	}
	return true
}

// MakesObject reports whether the first result of a case's call is a pointer, or an interface with a pointer in it.
func MakesObject(c *testcase.Case) bool {
	at := c.TargetStmt()
	if at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 {
		return false
	}
	v := c.Observed.Results[at][0]
	if types.IsInterface(c.Seq.ResultTypes()[at][0]) && len(v.Elems) == 1 {
		v = v.Elems[0]
	}
	return v.Kind == testcase.Pointer && v.Err == nil
}

// comesOf returns which statements tell of the case's own call: the call itself, observers, and statements that use what it
// returned.
func comesOf(c *testcase.Case) []bool {
	out := make([]bool, c.Seq.Len())
	for i := c.TargetStmt(); i < c.Seq.Len(); i++ {
		st := c.Seq.At(i)
		out[i] = i == c.TargetStmt() || st.Op.Observes() || slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return out[a.Stmt] })
	}
	return out
}

// isSealed reports whether a type is an exported struct type of a package with exported methods and no exported field. Users
// see its values by the methods.
func isSealed(pkg *types.Package, t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !named.Obj().Exported() || named.Obj().Pkg() != pkg {
		return false
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 || slices.ContainsFunc(slices.Collect(st.Fields()), (*types.Var).Exported) {
		return false
	}
	return slices.ContainsFunc(slices.Collect(named.Methods()), (*types.Func).Exported)
}

// hidesSealed reports whether a value is an interface with an object of the package whose fields are all unexported. Users know the
// object by the interface's methods alone, whether its type is exported or not.
func hidesSealed(users *types.Package, v testcase.Value) bool {
	if v.Kind != testcase.Interface || len(v.Elems) != 1 || v.Elems[0].Type == nil || v.Err != nil {
		return false
	}
	named := load.NamedOf(v.Elems[0].Type)
	if named == nil || named.Obj().Pkg() != users || named.NumMethods() == 0 && !isPointer(v.Elems[0].Type) {
		return false
	}
	st, ok := named.Underlying().(*types.Struct)
	return ok && !slices.ContainsFunc(slices.Collect(st.Fields()), (*types.Var).Exported)
}

// MakesHidden reports whether a case's call returned, first of all, an object of an unexported type of the package behind an
// interface, as a constructor does. Of an exported type the test says which one it is.
func MakesHidden(pkg *load.Package, c *testcase.Case) bool {
	at := c.TargetStmt()
	if at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 {
		return false
	}
	v := c.Observed.Results[at][0]
	return hidesSealed(pkg.Types, v) && !load.NamedOf(v.Elems[0].Type).Obj().Exported()
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// isObject reports whether a type is that of pointers, or an interface other than error.
func isObject(t types.Type) bool {
	return isPointer(t) || types.IsInterface(t) && !gosyntax.IsError(t)
}

// IsPrivate reports whether a test of an exported function could compare nothing but unexported fields, and that there is no
// error. Its reader learns where the function keeps a value, and not what the value is for.
func IsPrivate(pkg *load.Package, c *testcase.Case) bool {
	if c.Observed.Status != testcase.Returned || AssertsNothing(c) {
		return false
	}
	seen := *c
	seen.Observed, seen.Fields = mutate.Public(pkg, c, c.Observed), nil
	return assertsNothingTo(pkg.Types, &seen)
}

// HasFields reports whether a value is a struct, or a pointer to one, of which a test compares an exported
// field of a basic type: an element of a linked list leads to all others, but its own value can be asserted.
func HasFields(t types.Type, v testcase.Value) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok && len(v.Elems) == 1 {
		t, v = p.Elem(), v.Elems[0]
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || v.Kind != testcase.Struct || len(v.Elems) != st.NumFields() {
		return false
	}
	for i := range st.NumFields() {
		_, basic := st.Field(i).Type().Underlying().(*types.Basic)
		if basic && st.Field(i).Exported() && gofile.Whole(v.Elems[i]) {
			return true
		}
	}
	return false
}

// changesSomething reports whether a test can see that the case's last call changed an argument. A call may bring its
// object back to the state in which it was made, as the last car that leaves does; then only mutants tell which fields
// show the call.
func changesSomething(c *testcase.Case) bool {
	last, types := c.Seq.Last(), c.Seq.ResultTypes()
	for k := range last.Args {
		if c.ShowsAgain(k) {
			return true
		}
	}
	for k, after := range mutate.Visible(c, c.Observed).Final {
		if k >= len(last.Args) || after.Kind == testcase.Opaque || after.Kind == testcase.Invalid {
			continue
		}
		a := last.Args[k]
		var before testcase.Value
		if a.Stmt < len(c.Observed.Results) && a.Result < len(c.Observed.Results[a.Stmt]) {
			before = c.Observed.Results[a.Stmt][a.Result]
		}
		if after.Kind != testcase.Pointer || len(after.Elems) != 1 || after.Elems[0].Kind != testcase.Struct {
			if before.Kind != testcase.Invalid && !before.Equal(after) && gofile.Whole(after) && (comparedWhole(after) || load.IsRecord(types[a.Stmt][a.Result])) {
				return true
			}
			continue
		}
		was := before
		if len(was.Elems) == 1 {
			was = was.Elems[0]
		}
		for f, v := range after.Elems[0].Elems {
			if v.Kind != testcase.Opaque && (len(was.Elems) != len(after.Elems[0].Elems) || !was.Elems[f].Equal(v)) {
				return true
			}
		}
	}
	return false
}

// comparedWhole reports whether a test compares an argument that is no pointer with what it was before, whatever its type is.
// Structs in variables are not, because their fields may be the package's own. Of an array that is passed, the call has a copy, so that it is
// what the elements point to that has changed.
func comparedWhole(v testcase.Value) bool { return v.Kind != testcase.Struct }

// IsSilent reports whether the case's call, and the calls behind it, yield nothing that a test could
// compare. Such a test would only show that the call does not panic.
func IsSilent(c *testcase.Case) bool {
	if len(c.Observed.Final) > 0 && c.Seq.Last().Op.Kind == testcase.OpMethod && comparedWhole(c.Observed.Final[0]) {
		return false // it may have changed its receiver
	}
	if changesSomething(c) {
		return false // a map, list or variable that the function was given to fill
	}
	results := c.Seq.ResultTypes()
	for i := c.TargetStmt(); i < c.Seq.Len(); i++ {
		for _, t := range results[i] {
			if _, isFunc := t.Underlying().(*types.Signature); !isFunc {
				return false
			}
		}
	}
	return true
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
func ReturnsEmpty(c *testcase.Case) bool {
	at := c.TargetStmt()
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

// misprinted matches what package fmt writes where verbs and arguments do not fit.
var misprinted = regexp.MustCompile(`%![a-zA-Z]?\(`)

// IsMisprinted reports whether a case's call returned, as a text or in an error, what package fmt writes for a verb without its
// argument, or an argument without its verb: nobody asks for that.
func IsMisprinted(c *testcase.Case) bool {
	at := c.TargetStmt()
	return at < len(c.Observed.Results) && slices.ContainsFunc(c.Observed.Results[at], func(v testcase.Value) bool {
		return misprinted.MatchString(v.Str) || v.Err != nil && misprinted.MatchString(v.Err.Message)
	})
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

// ReadsStatus reports whether a statement behind the case's own call reads the status of a recorder.
func ReadsStatus(c *testcase.Case, i int) bool {
	return ReadsOf(c, i) && c.Seq.At(i).Op.Kind == testcase.OpField && c.Observed.Results[i][0].Kind == testcase.Int
}

// ReadsOf reports whether a statement behind the case's own call reads a buffer, a recorder, a decoded value, or a part of
// an object of the standard library that the call returned.
func ReadsOf(c *testcase.Case, i int) bool {
	st := c.Seq.At(i)
	if i <= c.TargetStmt() || len(st.Args) == 0 {
		return false
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
