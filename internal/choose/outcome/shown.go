package outcome

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// Told returns the functions whose results scenarios assert, and those that they are about.
func Told(tests []*testcase.Case) map[string]bool {
	out := make(map[string]bool)
	for _, c := range tests {
		if c.Story == nil {
			continue
		}
		for i := c.TargetStmt(); i < c.Seq.Len(); i++ {
			if f := c.Seq.At(i).Op.Func; f != nil {
				out[testcase.TargetName(f)] = true
			}
		}
	}
	return out
}

// ReturnsHidden reports whether all that the last call of a test returned is a value that the test cannot write.
func ReturnsHidden(c *testcase.Case) bool {
	last := c.Seq.Len() - 1
	if c.Observed.Status != testcase.Returned || c.TargetStmt() != last || last >= len(c.Observed.Results) {
		return false
	}
	results := c.Observed.Results[last]
	return len(results) == 1 && hidesPart(results[0], c)
}

// hidesPart reports whether a part of a value is of a type that another package than the one under test keeps for itself, so
// that no test can write the value.
func hidesPart(v testcase.Value, c *testcase.Case) bool {
	if n, ok := types.Unalias(v.Type).(*types.Named); ok && v.Type != nil && n.Obj().Pkg() != nil && !n.Obj().Exported() {
		if f := c.Seq.At(c.TargetStmt()).Op.Func; f != nil && f.Pkg() != n.Obj().Pkg() {
			return true
		}
	}
	return slices.ContainsFunc(v.Elems, func(e testcase.Value) bool { return hidesPart(e, c) })
}

// MakesUnseen reports whether a test calls a function without arguments, or with zeros, and could compare only fields of the
// result that users do not see.
func MakesUnseen(c *testcase.Case) bool {
	st := c.Seq.Last()
	if st.Op.Kind != testcase.OpFunc || c.Observed.Status != testcase.Returned || c.TargetStmt() != c.Seq.Len()-1 {
		return false
	}
	for _, a := range st.Args {
		if c.Seq.At(a.Stmt).Op.Kind != testcase.OpZero {
			return false
		}
	}
	results := c.Seq.ResultTypes()[c.Seq.Len()-1]
	if len(results) != 1 {
		return false
	}
	t := results[0]
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	fields, ok := t.Underlying().(*types.Struct)
	return ok && fields.NumFields() > 0 && !slices.ContainsFunc(slices.Collect(fields.Fields()), (*types.Var).Exported)
}

// Succeeds reports whether the call of a case returned no error, where it could have.
func Succeeds(c *testcase.Case) bool {
	at := c.TargetStmt()
	if c.Observed.Status != testcase.Returned || at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 {
		return false
	}
	results := c.Observed.Results[at]
	types := c.Seq.ResultTypes()[at]
	return gosyntax.IsError(types[len(types)-1]) && results[len(results)-1].Kind == testcase.Nil
}

// AsksConstants reports whether the request that a case makes is made of constants.
func AsksConstants(c *testcase.Case) bool {
	return !slices.ContainsFunc(c.Seq.At(c.TargetStmt()).Args[1:], func(a testcase.Ref) bool {
		k := c.Seq.At(a.Stmt).Op.Kind
		return k != testcase.OpLiteral && k != testcase.OpZero
	})
}

// IsMute reports whether what answers in a case is a function that does nothing: a test does not see that it was called.
func IsMute(c *testcase.Case) bool {
	return slices.ContainsFunc(c.Seq.At(c.TargetStmt()).Args, func(a testcase.Ref) bool {
		return c.Seq.At(a.Stmt).Op.Kind == testcase.OpStubFunc
	})
}

// IsUse reports whether a case makes a call as the documentation does.
func IsUse(c *testcase.Case) bool {
	return c.Whole && slices.ContainsFunc(c.Shows, func(s string) bool { return strings.HasPrefix(s, testcase.ShowsUse) })
}

// CanFail reports whether the last result of a case's call is an error.
func CanFail(c *testcase.Case) bool {
	results := c.Seq.ResultTypes()[c.TargetStmt()]
	return len(results) > 0 && gosyntax.IsError(results[len(results)-1])
}

// Observable reports whether observers can be asked behind a test's call. The call has to be the last
// statement, and it either made an object or changed none of its arguments, because arguments are
// compared behind the last statement only.
func Observable(c *testcase.Case) bool {
	o, last := c.Observed, c.Seq.Last()
	if o == nil || o.Status != testcase.Returned || c.TargetStmt() != c.Seq.Len()-1 {
		return false
	}
	if at := c.Seq.Len() - 1; last.Op.Kind == testcase.OpFunc && (at >= len(o.Results) || len(o.Results[at]) == 0 || o.Results[at][0].Kind == testcase.Nil) {
		return false
	}
	first := 0
	if last.Op.Kind == testcase.OpMethod {
		first = 1
	}
	for k, a := range last.Args {
		switch c.Seq.ResultTypes()[a.Stmt][a.Result].Underlying().(type) {
		case *types.Slice, *types.Map:
			if k >= first && (k >= len(o.Final) || a.Stmt >= len(o.Results) || !o.Final[k].Equal(o.Results[a.Stmt][a.Result])) {
				return false
			}
		}
	}
	return true
}

// IsComparable reports whether a test can compare a result of its call with a value. An error that is nil is
// no such result.
func IsComparable(c *testcase.Case) bool {
	at := c.TargetStmt()
	if c.Observed.Status != testcase.Returned || at >= len(c.Observed.Results) {
		return true
	}
	comparable, opaque := false, false
	for i, t := range c.Seq.ResultTypes()[at] {
		switch v := c.Observed.Results[at][i]; {
		case gosyntax.IsError(t):
			comparable = comparable || v.Err != nil
		case gofile.Whole(v), v.Kind == testcase.String && !v.Cut, HasFields(t, v):
			comparable = true
		default:
			opaque = true
		}
	}
	return comparable || !opaque
}

// WithoutVain returns a case without the questions behind its call whose answers differ from run to run, because the
// test compares nothing of them.
func WithoutVain(c *testcase.Case) *testcase.Case {
	o, at := c.Observed, c.TargetStmt()
	if !o.Unstable || o.Status != testcase.Returned || len(o.Results) < c.Seq.Len() {
		return c
	}
	keep := make([]bool, c.Seq.Len())
	used := make([]bool, c.Seq.Len())
	vain := false
	for i := c.Seq.Len() - 1; i >= 0; i-- {
		st := c.Seq.At(i)
		keep[i] = i <= at || used[i] || st.Op.Kind != testcase.OpMethod || len(st.Args) != 1 || len(o.Results[i]) == 0 ||
			slices.ContainsFunc(o.Results[i], func(v testcase.Value) bool { return v.Kind != testcase.Opaque && v.Kind != testcase.Invalid })
		vain = vain || !keep[i]
		for _, a := range st.Args {
			used[a.Stmt] = used[a.Stmt] || keep[i]
		}
	}
	if !vain {
		return c
	}
	seq, ok := c.Seq.Keep(keep)
	if !ok {
		return c
	}
	d, shorter := *c, *o
	shorter.At, shorter.Results, shorter.Final = seq.Len()-1, nil, nil // the arguments of the last call may be those of one that went
	for i := range keep {
		if keep[i] {
			shorter.Results = append(shorter.Results, o.Results[i])
		}
	}
	d.Seq, d.Observed, d.Predicted = seq, &shorter, nil
	return &d
}

// CheapestFields returns few fields that together notice all the mutants. Of two that notice as many it takes the one with a value, if the
// other one is empty in the case: that Compress is false says less of a message than its question.
func CheapestFields(c *testcase.Case, by map[testcase.FieldRef][]int) map[testcase.FieldRef]bool {
	refs := make([]testcase.FieldRef, 0, len(by))
	for f := range by {
		refs = append(refs, f)
	}
	empty := func(f testcase.FieldRef) int {
		if isEmptyField(c, f) {
			return 1
		}
		return 0
	}
	slices.SortFunc(refs, func(a, b testcase.FieldRef) int {
		return slices.Compare([]int{empty(a), a.Stmt, a.Result, a.Field}, []int{empty(b), b.Stmt, b.Result, b.Field})
	})
	out := make(map[testcase.FieldRef]bool)
	noticed := make(map[int]bool)
	for _, i := range reduce.Greedily(len(refs), func(i int) int {
		n := 0
		for _, id := range by[refs[i]] {
			if !noticed[id] {
				n++
			}
		}
		if n == 0 {
			return -1 // a field that notices nothing new is not asserted
		}
		return n
	}, func(i int) {
		for _, id := range by[refs[i]] {
			noticed[id] = true
		}
	}) {
		out[refs[i]] = true
	}
	return out
}

// isEmptyField reports whether a field of what a case returned has the zero value of its type, or no elements.
func isEmptyField(c *testcase.Case, f testcase.FieldRef) bool {
	if c.Observed == nil || f.Stmt < 0 || f.Stmt >= len(c.Observed.Results) || f.Result >= len(c.Observed.Results[f.Stmt]) {
		return false
	}
	v := c.Observed.Results[f.Stmt][f.Result]
	if v.Kind == testcase.Pointer && len(v.Elems) == 1 {
		v = v.Elems[0]
	}
	if f.Field >= len(v.Elems) {
		return false
	}
	field := v.Elems[f.Field]
	return field.IsZero() || (field.Kind == testcase.Slice || field.Kind == testcase.Map) && len(field.Elems) == 0
}
