package outcome

import (
	"encoding/json"
	"go/types"
	"maps"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file compares what two tests of a function showed when they ran, which mostly are a test and the same test with
// other values.

// SameResults reports whether the calls of two tests of a function returned the same although they
// passed different values. Then the tests do not show that the function looks at the values.
func SameResults(a, b *testcase.Case) bool {
	return equalResults(a, b, func(x, y testcase.Value) bool {
		return x.Err == nil && y.Err == nil && x.Equal(y)
	}) && len(a.Observed.Results[a.TargetStmt()]) > 0
}

// ResultsAlike reports whether the calls of two tests returned the same. All errors count as one.
func ResultsAlike(a, b *testcase.Case) bool {
	return equalResults(a, b, func(x, y testcase.Value) bool {
		return x.Err == nil && y.Err == nil && x.Equal(y) || x.Err != nil && y.Err != nil
	})
}

// EveryResultAlike reports whether all calls of two tests from their own on returned the same.
func EveryResultAlike(a, b *testcase.Case) bool {
	after := func(c *testcase.Case) [][]testcase.Value {
		return c.Observed.Results[min(c.TargetStmt(), len(c.Observed.Results)):]
	}
	return slices.EqualFunc(after(a), after(b), func(x, y []testcase.Value) bool { return slices.EqualFunc(x, y, testcase.Value.Equal) })
}

// equalResults reports whether what the calls of two tests returned is the same, result by result.
func equalResults(a, b *testcase.Case, equal func(x, y testcase.Value) bool) bool {
	at, bt := a.TargetStmt(), b.TargetStmt()
	return at < len(a.Observed.Results) && bt < len(b.Observed.Results) && slices.EqualFunc(a.Observed.Results[at], b.Observed.Results[bt], equal)
}

// AnswersMore reports whether the call of a proposal returns values where that of the old test returned nil as a
// value of any type, and otherwise ends in the same way. What a container holds is then seen.
func AnswersMore(old, proposed *testcase.Case) bool {
	a, b := old.TargetStmt(), proposed.TargetStmt()
	if old.Observed.Status != testcase.Returned || proposed.Observed.Status != testcase.Returned || a >= len(old.Observed.Results) || b >= len(proposed.Observed.Results) {
		return false
	}
	was, is, ts := old.Observed.Results[a], proposed.Observed.Results[b], old.Seq.ResultTypes()[a]
	if len(was) != len(is) || len(was) > len(ts) {
		return false
	}
	more := false
	for k, v := range was {
		if iface, ok := ts[k].Underlying().(*types.Interface); ok && iface.Empty() && v.Kind == testcase.Nil && is[k].Kind != testcase.Nil {
			more = true
		} else if ValueClass(v) != ValueClass(is[k]) {
			return false
		}
	}
	return more
}

// Zeros counts the zeros among the results of a test's call, and what is zero, null or empty in a result that is a document in JSON.
func Zeros(c *testcase.Case) int {
	n := 0
	var count func(v testcase.Value)
	count = func(v testcase.Value) {
		switch v.Kind {
		case testcase.Int, testcase.Uint, testcase.Float:
			if v.Bits == 0 {
				n++
			}
		}
		for _, e := range v.Elems {
			count(e)
		}
	}
	if at := c.TargetStmt(); at < len(c.Observed.Results) {
		for _, v := range c.Observed.Results[at] {
			if document, ok := documentOf(v); ok {
				n += zerosIn(document)
				continue
			}
			count(v)
		}
	}
	return n
}

// ReturnsDocument reports whether the first result of a test's call is an object or a list in JSON.
func ReturnsDocument(c *testcase.Case) bool {
	at := c.TargetStmt()
	if at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 {
		return false
	}
	_, ok := documentOf(c.Observed.Results[at][0])
	return ok
}

// documentOf returns what a text or a list of bytes says that is an object or a list in JSON.
func documentOf(v testcase.Value) (document any, ok bool) {
	b, ok := v.Bytes()
	if !ok || v.Cut || len(b) < 2 || b[0] != '{' && b[0] != '[' || json.Unmarshal(b, &document) != nil {
		return nil, false
	}
	return document, true
}

// zerosIn counts what is zero, null or empty in a document.
func zerosIn(document any) int {
	switch document {
	case nil, "", 0.0:
		return 1
	}
	var parts []any
	switch v := document.(type) {
	case []any:
		parts = v
	case map[string]any:
		parts = slices.Collect(maps.Values(v))
	default:
		return 0
	}
	if len(parts) == 0 {
		return 1
	}
	n := 0
	for _, part := range parts {
		n += zerosIn(part)
	}
	return n
}

// IsVacuous reports whether a case's own call is passed nothing, zero values, and lists and structs of such, and returns
// nothing else: a function that hands on what it gets would pass the test as well.
func IsVacuous(c *testcase.Case) bool {
	at := c.TargetStmt()
	if c.Observed.Status != testcase.Returned || at >= len(c.Observed.Results) || changesSomething(c) {
		return false
	}
	var empty func(v testcase.Value) bool
	empty = func(v testcase.Value) bool {
		switch v.Kind {
		case testcase.Slice, testcase.Array, testcase.Map, testcase.Struct:
			return !v.Cut && !slices.ContainsFunc(v.Elems, func(e testcase.Value) bool { return !empty(e) })
		}
		return v.IsZero()
	}
	var passesNothing func(i int) bool
	passesNothing = func(i int) bool {
		st := c.Seq.At(i)
		switch st.Op.Kind {
		case testcase.OpZero:
			return true
		case testcase.OpLiteral:
			return st.Op.Lit.Bits == 0 && st.Op.Lit.Imag == 0 && st.Op.Lit.Str == ""
		case testcase.OpComposite, testcase.OpAddr, testcase.OpConvert:
			return !slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return !passesNothing(a.Stmt) })
		}
		return false
	}
	return !slices.ContainsFunc(c.Observed.Results[at], func(v testcase.Value) bool { return !empty(v) }) &&
		!slices.ContainsFunc(c.Seq.At(at).Args, func(a testcase.Ref) bool { return !passesNothing(a.Stmt) })
}

// FillsInVain reports whether a proposal sets more fields of structs than a test, and its calls return and leave the same. A reader would
// take each of these fields for a reason of the test.
func FillsInVain(c, proposed *testcase.Case) bool {
	return proposed.Observed != nil && fieldsSet(proposed) > fieldsSet(c) && EveryResultAlike(c, proposed) && LeavesAlike(c, proposed)
}

// fieldsSet counts the fields that the structs of a case set.
func fieldsSet(c *testcase.Case) int {
	n := 0
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if st.Op.Kind != testcase.OpComposite {
			continue
		}
		if _, ok := st.Op.Type.Underlying().(*types.Struct); !ok {
			continue
		}
		for _, a := range st.Args {
			if c.Seq.At(a.Stmt).Op.Kind != testcase.OpZero {
				n++
			}
		}
	}
	return n
}

// ChangesArgument reports whether the call of a case left another value in something that it was passed than it was passed, its
// receiver among them: with other values in what methods take, tests of a list with two ends noticed less.
func ChangesArgument(c *testcase.Case) bool {
	for k := range c.Seq.Last().Args {
		if was, is, ok := beforeAndAfter(c, k); ok && !is.Equal(was) {
			return true
		}
	}
	return false
}

// beforeAndAfter returns the values of an argument of a case's call, which ends the case, before the call and after it.
func beforeAndAfter(c *testcase.Case, k int) (was, is testcase.Value, ok bool) {
	if c.Observed == nil || c.Observed.Status != testcase.Returned || c.TargetStmt() != c.Seq.Len()-1 || k >= len(c.Observed.Final) || k >= len(c.Seq.Last().Args) {
		return was, is, false
	}
	a := c.Seq.Last().Args[k]
	if a.Stmt >= len(c.Observed.Results) || a.Result >= len(c.Observed.Results[a.Stmt]) {
		return was, is, false
	}
	was, is = c.Observed.Results[a.Stmt][a.Result], c.Observed.Final[k]
	return was, is, is.Kind != testcase.Invalid && is.Kind != testcase.Opaque
}

// LeavesAlike reports whether the calls of two tests leave the same in those arguments that were the same before: what is
// appended to a list shows in the list.
func LeavesAlike(a, b *testcase.Case) bool {
	for k := range a.Seq.Last().Args {
		wasA, isA, ok := beforeAndAfter(a, k)
		wasB, isB, also := beforeAndAfter(b, k)
		if ok && also && wasA.Equal(wasB) && !isA.Equal(isB) {
			return false
		}
	}
	return true
}

// LeavesSame reports whether two tests of a function that returns nothing ask the same behind their calls, and get the same
// answers: Clear leaves nothing of a full object, and nothing of an empty one.
func LeavesSame(c, d *testcase.Case) bool {
	at, from := c.TargetStmt()+1, d.TargetStmt()+1
	if c.Seq.Len()-at != d.Seq.Len()-from || len(c.Observed.Results) < c.Seq.Len() || len(d.Observed.Results) < d.Seq.Len() {
		return false
	}
	for i := range c.Seq.Len() - at {
		if c.Seq.At(at+i).Op.Func != d.Seq.At(from+i).Op.Func {
			return false
		}
		same := func(x, y testcase.Value) bool { return x.Equal(y) }
		if !slices.EqualFunc(c.Observed.Results[at+i], d.Observed.Results[from+i], same) {
			return false
		}
	}
	return slices.EqualFunc(c.Observed.Final, d.Observed.Final, testcase.Value.Equal)
}

// AllDiffer reports whether the calls of all of these cases returned something else.
func AllDiffer(cases []*testcase.Case) bool {
	for i, c := range cases {
		if slices.ContainsFunc(cases[:i], func(d *testcase.Case) bool { return SameResults(c, d) }) {
			return false
		}
	}
	return true
}

// FailedBefore counts the calls of the package's functions, before the case's own, that return an error. The
// other results of such a call are not meant to be used.
func FailedBefore(pkg *load.Package, c *testcase.Case) int {
	n := 0
	for i := range min(c.TargetStmt(), len(c.Observed.Results)) {
		op, got := c.Seq.At(i).Op, c.Observed.Results[i]
		if len(got) == 1 && isPassed(c, i) {
			continue // it makes the error that another call is passed
		}
		if op.Func != nil && op.Func.Pkg() != nil && op.Func.Pkg().Path() == pkg.Path && len(got) > 0 && got[len(got)-1].Err != nil {
			n++
		}
	}
	return n
}

// isPassed reports whether a call takes the result of a statement.
func isPassed(c *testcase.Case, stmt int) bool {
	for i := stmt + 1; i < c.Seq.Len(); i++ {
		if slices.ContainsFunc(c.Seq.At(i).Args, func(a testcase.Ref) bool { return a.Stmt == stmt }) {
			return true
		}
	}
	return false
}
