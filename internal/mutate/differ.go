package mutate

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// Noticed says how an outcome differs from the outcome without a mutant, as far as the test of the case sees
// it, or "" if the test sees no difference. If observers are asked behind the call, the test asserts their
// results, and not the object that the call returned or its arguments.
func Noticed(c *testcase.Case, base, got *testcase.Outcome) string {
	subject, shown := c.Shown()
	if !shown || base.Status != testcase.Returned || got.Status != testcase.Returned {
		return Differ(base, got, SeenBy(c))
	}
	seen := SeenBy(c)
	b, g := *base, *got
	b.Final, g.Final = nil, nil
	if target := c.TargetStmt(); subject == (testcase.Ref{Stmt: target}) {
		b.Results, g.Results = withoutFirst(base.Results, target), withoutFirst(got.Results, target)
	}
	return Differ(&b, &g, seen)
}

// withoutFirst returns the results of a statement without the first one.
func withoutFirst(results [][]testcase.Value, stmt int) [][]testcase.Value {
	out := slices.Clone(results)
	if stmt < len(out) && len(out[stmt]) > 0 {
		out[stmt] = out[stmt][1:]
	}
	return out
}

// Differ says how an outcome differs from the outcome without a mutant, or "" if it does not. It compares the
// results of the statements for which seen holds. Values that are Opaque in base are not compared.
func Differ(base, got *testcase.Outcome, seen func(stmt int) bool) string {
	if got.Status != base.Status {
		return ending(got)
	}
	switch {
	case got.At != base.At:
		return "panic"
	case got.Violated != base.Violated:
		return "assertion"
	case base.Panic != nil && (got.Panic == nil || got.Panic.Kind != base.Panic.Kind || !looksSame(base.Panic.Value, got.Panic.Value)):
		return "panic"
	}
	for i, vs := range base.Results {
		if !seen(i) {
			continue
		}
		if i >= len(got.Results) || !sameAll(vs, got.Results[i]) {
			return "result"
		}
	}
	if base.Status == testcase.Returned && !sameAll(base.Final, got.Final) {
		return "argument"
	}
	return ""
}

// Fields returns the fields by which an outcome differs from the outcome without a mutant, and whether it
// also differs in something else: in a result that is no struct, or in how it ended.
func Fields(base, got *testcase.Outcome, seen func(stmt int) bool) (fields []testcase.FieldRef, other bool) {
	if got.Status != base.Status || base.Status != testcase.Returned || got.Violated != base.Violated {
		return nil, true
	}
	compare := func(stmt int, base, got []testcase.Value) {
		if len(base) != len(got) {
			other = true
			return
		}
		for i := range base {
			if looksSame(base[i], got[i]) {
				continue
			}
			b, g := structOf(base[i]), structOf(got[i])
			if b == nil || g == nil || len(b.Elems) != len(g.Elems) {
				other = true
				continue
			}
			for f := range b.Elems {
				if !looksSame(b.Elems[f], g.Elems[f]) {
					fields = append(fields, testcase.FieldRef{Stmt: stmt, Result: i, Field: f})
				}
			}
		}
	}
	for i := range base.Results {
		if seen(i) && i < len(got.Results) {
			compare(i, base.Results[i], got.Results[i])
		}
	}
	compare(-1, base.Final, got.Final)
	return fields, other
}

// structOf returns the struct that a value is or points to, or nil if there is none.
func structOf(v testcase.Value) *testcase.Value {
	if v.Kind == testcase.Pointer && len(v.Elems) == 1 {
		v = v.Elems[0]
	}
	if v.Kind != testcase.Struct {
		return nil
	}
	return &v
}

// Visible returns the outcome of a case, with everything about results and arguments Opaque that tests do not assert. Of a result that
// cannot be written as a whole, since there is a function in it, say, a test compares the fields and the length alone.
// For an object behind a pointer a test compares fields of basic types, of lists, maps and structs of these, errors and
// times. Of the receiver of a method it compares those that [testcase.ShowsReceiver] names.
func Visible(c *testcase.Case, o *testcase.Outcome) *testcase.Outcome {
	last := c.Seq.Last()
	if o.Status != testcase.Returned {
		return o
	}
	out := *o
	results := c.Seq.ResultTypes()
	out.Results = slices.Clone(o.Results)
	for i := range min(len(out.Results), len(results)) {
		out.Results[i] = slices.Clone(out.Results[i])
		for k := range min(len(out.Results[i]), len(results[i])) {
			out.Results[i][k] = assertedPart(results[i][k], out.Results[i][k])
		}
	}
	if len(o.Final) == 0 {
		return &out
	}
	out.Final = slices.Clone(o.Final)
	for k, a := range last.Args {
		if k >= len(out.Final) {
			break
		}
		if _, basic := results[a.Stmt][a.Result].Underlying().(*types.Basic); basic {
			out.Final[k] = testcase.Value{Kind: testcase.Opaque} // no call changes a number or a text that it was passed
			continue
		}
		if out.Final[k].Kind == testcase.Interface || testcase.ReadsText(c.Seq.At(a.Stmt).Op) {
			out.Final[k] = testcase.Value{Kind: testcase.Opaque} // how far a reader was read is not what a test is about
			continue
		}
		shows := func(*types.Var) bool { return true }
		if k == 0 && last.Op.Kind == testcase.OpMethod {
			if c.TargetStmt() != c.Seq.Len()-1 && len(results[c.Seq.Len()-1]) > 0 {
				out.Final[k] = testcase.Value{Kind: testcase.Opaque} // an observer's receiver
				continue
			}
			shows = testcase.ShowsReceiver(last.Op)
		}
		out.Final[k] = plainFields(results[a.Stmt][a.Result], out.Final[k], shows)
	}
	return &out
}

// assertedPart returns a result with those parts Opaque that a test does not compare.
func assertedPart(t types.Type, v testcase.Value) testcase.Value {
	if v.Err != nil || gofile.Sorts(v) || gofile.Whole(v) {
		return v
	}
	v.Shuffled = false // no test puts the elements in order
	opaque := func(elems []testcase.Value) []testcase.Value {
		out := make([]testcase.Value, len(elems))
		for i := range out {
			out[i] = testcase.Value{Kind: testcase.Opaque}
		}
		return out
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if v.Kind == testcase.String && !v.Cut {
			first, last := gofile.Ends(v.Str)
			v.Str = first + last
		}
	case *types.Pointer:
		if st, ok := u.Elem().Underlying().(*types.Struct); ok && len(v.Elems) == 1 && len(v.Elems[0].Elems) == st.NumFields() {
			return plainFields(t, v, func(f *types.Var) bool { return true })
		}
		v.Elems = opaque(v.Elems)
	case *types.Struct:
		if len(v.Elems) != u.NumFields() {
			return v
		}
		v.Elems = slices.Clone(v.Elems)
		for f := range v.Elems {
			if !IsPlain(u.Field(f).Type()) && !gofile.Whole(v.Elems[f]) {
				v.Elems[f] = testcase.Value{Kind: testcase.Opaque}
			}
		}
	case *types.Slice, *types.Array, *types.Map, *types.Interface:
		v.Elems = opaque(v.Elems)
	}
	return v
}

// Public returns the outcome of a case of an exported function with those unexported fields Opaque of the objects that the call
// returned or was passed which no exported method returns: what users of the package see. Other outcomes it returns as they are, since whoever tests an
// unexported function looks at what is unexported.
func Public(pkg *load.Package, c *testcase.Case, o *testcase.Outcome) *testcase.Outcome {
	target := c.TargetStmt()
	if f := c.Seq.At(target).Op.Func; f == nil || !f.Exported() || o.Status != testcase.Returned {
		return o
	}
	out := *o
	types := c.Seq.ResultTypes()
	out.Results, out.Final = slices.Clone(o.Results), slices.Clone(o.Final)
	for i := target; i < min(len(out.Results), len(types)); i++ {
		out.Results[i] = slices.Clone(out.Results[i])
		for k := range min(len(out.Results[i]), len(types[i])) {
			out.Results[i][k] = publicPart(pkg, types[i][k], out.Results[i][k])
		}
	}
	for k, a := range c.Seq.Last().Args {
		if k < len(out.Final) {
			out.Final[k] = publicPart(pkg, types[a.Stmt][a.Result], out.Final[k])
		}
	}
	return &out
}

// publicPart returns a struct, or a pointer to one, with the fields Opaque that users do not see. Other values it returns as they are.
func publicPart(pkg *load.Package, t types.Type, v testcase.Value) testcase.Value {
	if p, ok := t.Underlying().(*types.Pointer); ok && v.Kind == testcase.Pointer && len(v.Elems) == 1 {
		v.Elems = []testcase.Value{publicPart(pkg, p.Elem(), v.Elems[0])}
		return v
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || v.Kind != testcase.Struct || len(v.Elems) != st.NumFields() {
		return v
	}
	v.Elems = slices.Clone(v.Elems)
	for f := range v.Elems {
		if !st.Field(f).Exported() && pkg.Accessor(t, st.Field(f)) == nil {
			v.Elems[f] = testcase.Value{Kind: testcase.Opaque}
		}
	}
	return v
}

// plainFields returns the value of a pointer to a struct, with those of the struct's fields Opaque that are not
// plain or that tests do not show.
func plainFields(t types.Type, v testcase.Value, shows func(*types.Var) bool) testcase.Value {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok || v.Kind != testcase.Pointer || len(v.Elems) != 1 {
		return v
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || len(v.Elems[0].Elems) != st.NumFields() {
		return v
	}
	object := v.Elems[0]
	object.Elems = slices.Clone(object.Elems)
	for f := range object.Elems {
		if t := st.Field(f).Type(); !IsPlain(t) && !testcase.IsChangedWhole(st.Field(f)) || gosyntax.HasLock(t) || !shows(st.Field(f)) {
			object.Elems[f] = testcase.Value{Kind: testcase.Opaque}
		}
	}
	v.Elems = []testcase.Value{object}
	return v
}

// IsPlain reports whether tests compare values of a type as a field: values of a basic type, lists and maps of
// such values, errors and times.
func IsPlain(t types.Type) bool {
	if gosyntax.IsError(t) || load.IsNamed(t, "time", "Time") {
		return true
	}
	basic := func(t types.Type) bool { _, ok := t.Underlying().(*types.Basic); return ok }
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return basic(u.Elem())
	case *types.Map:
		return basic(u.Key()) && basic(u.Elem())
	}
	return basic(t)
}

// SeenBy reports the statements of a case whose results a test asserts: the call of its target and the calls
// behind it. The earlier calls only bring the objects into their state, and a type assertion only leads to the object that is asked.
func SeenBy(c *testcase.Case) func(stmt int) bool {
	target, inside := c.TargetStmt(), c.ShownInside()
	return func(i int) bool { return i >= target && !(inside && i == target+1) }
}

// ending returns a name for how an outcome ended, if the outcome without a mutant ended otherwise.
func ending(o *testcase.Outcome) string {
	switch {
	case o.Panic != nil && o.Panic.Message == native.TestFailed:
		return "test"
	case o.Panic != nil && strings.Contains(o.Panic.Message, outOfFuel), o.Status == testcase.Hung || o.Status == testcase.Deadlock:
		return "hang"
	case o.Status == testcase.Panicked:
		return "panic"
	case o.Status == testcase.Returned:
		return "no panic"
	}
	return "crash"
}

func sameAll(base, got []testcase.Value) bool {
	if len(base) != len(got) {
		return false
	}
	for i := range base {
		if !looksSame(base[i], got[i]) {
			return false
		}
	}
	return true
}

// looksSame reports whether two values look the same. A value that is Opaque in base looks like
// anything.
func looksSame(base, got testcase.Value) bool {
	if base.Kind == testcase.Opaque || base.Kind == testcase.Invalid {
		return true
	}
	if (base.Err == nil) != (got.Err == nil) {
		return false
	}
	if base.Err != nil && base.Err.Compared() && base.Err.Message != got.Err.Message {
		return false
	}
	if base.Err != nil && !base.Err.Unstable && base.Err.Own != "" && !strings.Contains(got.Err.Message, base.Err.Own) {
		return false
	}
	if len(base.Elems) == 0 {
		return base.Equal(got)
	}
	if base.Shuffled { // the test puts the elements in order
		sorted, ok := got.Ascending()
		return ok && base.Equal(sorted)
	}
	if base.Kind != got.Kind || base.Len != got.Len || base.Again != got.Again {
		return false
	}
	return sameAll(base.Elems, got.Elems)
}
