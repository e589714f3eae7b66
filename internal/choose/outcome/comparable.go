package outcome

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/testcase"
)

// ReturnsNothing reports whether the call of a case returns nothing: all that its test could look
// at are fields.
func ReturnsNothing(c *testcase.Case) bool {
	at := c.TargetStmt()
	return len(c.Seq.ResultTypes()[at]) == 0
}

// OnlySucceeds reports whether all that a test of a function that returns nothing but an error can compare is that there is none. What the call has
// changed in objects of other packages no test compares.
func OnlySucceeds(c *testcase.Case) bool {
	at := c.TargetStmt()
	results := c.Seq.ResultTypes()
	if c.Observed.Status != testcase.Returned || at != c.Seq.Len()-1 || len(results[at]) != 1 || !gosyntax.IsError(results[at][0]) || c.CallFailed() {
		return false
	}
	st := c.Seq.At(at)
	own, seen := *c.Observed, *c
	own.Final = slices.Clone(own.Final)
	for k, a := range st.Args {
		if named := load.NamedOf(results[a.Stmt][a.Result]); k < len(own.Final) && named != nil && st.Op.Func != nil && named.Obj().Pkg() != st.Op.Func.Pkg() {
			own.Final[k] = testcase.Value{}
		}
	}
	seen.Observed = &own
	return !changesSomething(&seen)
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
			if v.Err != nil || gofile.Whole(v) || v.Kind == testcase.String && !v.Cut || HasFields(types[i][k], v) {
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
	return assertsNothingTo(pkg.Types, &seen) && !returnsLists(&seen)
}

// returnsLists reports whether a case's call returned a struct, or a pointer to one, with an exported list or map that has something in it: the
// sections of a file, beside the map in which the file finds them.
func returnsLists(c *testcase.Case) bool {
	at := c.TargetStmt()
	if at >= len(c.Observed.Results) {
		return false
	}
	for k, v := range c.Observed.Results[at] {
		t := c.Seq.ResultTypes()[at][k]
		if p, ok := t.Underlying().(*types.Pointer); ok && len(v.Elems) == 1 {
			t, v = p.Elem(), v.Elems[0]
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok || v.Kind != testcase.Struct || len(v.Elems) != st.NumFields() {
			continue
		}
		for i, e := range v.Elems {
			if st.Field(i).Exported() && (e.Kind == testcase.Slice || e.Kind == testcase.Map) && len(e.Elems) > 0 && gofile.Whole(e) {
				return true
			}
		}
	}
	return false
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
		for k, t := range results[i] {
			if _, isFunc := t.Underlying().(*types.Signature); !isFunc || returnsNil(c, i, k) {
				return false // that there is no function can be compared
			}
		}
	}
	return true
}

// returnsNil reports whether a result of a statement was observed to be nil.
func returnsNil(c *testcase.Case, stmt, result int) bool {
	o := c.Observed.Results
	return c.Observed.Status == testcase.Returned && stmt < len(o) && result < len(o[stmt]) && o[stmt][result].Kind == testcase.Nil
}
