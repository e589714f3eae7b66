package finding

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// This file grades failures of structs that a test writes field by field, and leaves so that nobody would: errors that
// say nothing of what went wrong, lists that are said not to be empty, and lists that another field says to be longer.

// ofIncomplete grades a failure that such a struct explains.
func (g *grading) ofIncomplete() *grade {
	if g.asksEmptyError() {
		return misuse(onZero, "an error is made where something has gone wrong, and this one says nothing of what")
	}
	switch g.kind {
	case "index-out-of-range", "slice-out-of-range":
	default:
		return nil
	}
	if by := g.setsOneOfTwo(); by != "" {
		return misuse(onUnset, "the test sets "+by+", which belongs together with a list or a number that it leaves")
	}
	taken, guards := purity.IndexedFields(g.rules.Pkg, g.stack), purity.GuardFields(g.rules.Pkg, g.stack)
	for i := range g.c.Seq.Len() {
		st := g.c.Seq.At(i)
		named := load.NamedOf(st.Op.Type)
		if st.Op.Kind != testcase.OpComposite && st.Op.Kind != testcase.OpZero || named == nil || named.Obj().Pkg() != g.rules.Pkg.Types {
			continue
		}
		fields, ok := named.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for k := range fields.NumFields() {
			f := fields.Field(k)
			_, isList := f.Type().Underlying().(*types.Slice)
			if !isList || !f.Exported() || !g.isUnset(st, k) || !slices.Contains(taken, f.Origin()) {
				continue
			}
			if said := g.rules.NotEmpty(named, f); said != "" {
				return misuse(onAnnounce, "the documentation says "+said)
			}
			if !slices.Contains(guards, f.Origin()) && g.setsNumber(st, fields, guards) {
				return misuse(onUnset, "the function looks at a number beside "+f.Name()+" which the test sets, to know how long that is, and the test leaves it empty")
			}
		}
	}
	return nil
}

// asksEmptyError reports whether the call asks an error value of which nothing is set what it is: Error, Unwrap and whatever
// else takes no arguments. fs.PathError, url.Error and strconv.NumError dereference the error that they wrap.
func (g *grading) asksEmptyError() bool {
	last := g.c.Seq.Last()
	if last.Op.Kind != testcase.OpMethod || last.Op.Signature().Params().Len() > 0 || g.approach.ready.Rank >= usage.Declared {
		return false
	}
	made, ok := emptyError(g.c.Seq)
	if !ok {
		return false
	}
	_, isStruct := made.Underlying().(*types.Struct)
	return isStruct // a list of errors begins empty
}

// emptyError returns the type of the object that the last statement of a sequence is about, if the object is an error that the test
// makes and of which it sets nothing.
func emptyError(seq *testcase.Sequence) (types.Type, bool) {
	last := seq.Last()
	if len(last.Args) == 0 {
		return nil, false
	}
	made := seq.At(last.Args[0].Stmt)
	for made.Op.Kind == testcase.OpAddr {
		made = seq.At(made.Args[0].Stmt)
	}
	if made.Op.Kind != testcase.OpZero && (made.Op.Kind != testcase.OpComposite || len(made.Args) > 0) {
		return nil, false
	}
	is := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return made.Op.Type, types.Implements(made.Op.Type, is) || types.Implements(types.NewPointer(made.Op.Type), is)
}

// setsOneOfTwo returns the field that the test sets of an object which a function has made, if the function that fails takes elements
// of a list in one field, looks at another to know how many there are, and the test sets the one and leaves the
// other: the bounds of an image and not its pixels. It returns "" if the test does no such thing.
func (g *grading) setsOneOfTwo() string {
	taken, guards := purity.IndexedFields(g.rules.Pkg, g.stack), purity.GuardFields(g.rules.Pkg, g.stack)
	set := func(fields []*types.Var) *types.Var {
		for i := range g.c.Seq.Len() {
			if op := g.c.Seq.At(i).Op; op.Kind == testcase.OpSetField && slices.Contains(fields, op.Var.Origin()) {
				return op.Var
			}
		}
		return nil
	}
	if len(guards) == 0 || slices.ContainsFunc(taken, func(f *types.Var) bool { return slices.Contains(guards, f) }) {
		return ""
	}
	list, number := set(taken), set(guards)
	switch {
	case list != nil && number == nil:
		return list.Name()
	case number != nil && list == nil:
		return number.Name()
	}
	return ""
}

// isUnset reports whether a literal leaves a field out, or sets it to nothing.
func (g *grading) isUnset(st testcase.Statement, field int) bool {
	ref, ok := passedFor(st, field)
	return !ok || g.isEmpty(ref)
}

// setsNumber reports whether a literal sets a number that is not zero in one of the fields.
func (g *grading) setsNumber(st testcase.Statement, fields *types.Struct, of []*types.Var) bool {
	for k := range fields.NumFields() {
		ref, ok := passedFor(st, k)
		if !ok {
			continue
		}
		if f := fields.Field(k); f.Exported() && slices.Contains(of, f.Origin()) && g.isNumber(ref) {
			return true
		}
	}
	return false
}

// isNumber reports whether a value is a number that is not zero, or a struct in which one is, like the bounds of an image.
func (g *grading) isNumber(ref testcase.Ref) bool {
	st := g.c.Seq.At(ref.Stmt)
	switch st.Op.Kind {
	case testcase.OpLiteral:
		return (st.Op.Lit.Kind == testcase.LitInt || st.Op.Lit.Kind == testcase.LitUint) && st.Op.Lit.Bits != 0
	case testcase.OpComposite:
		_, isStruct := st.Op.Type.Underlying().(*types.Struct)
		return isStruct && slices.ContainsFunc(st.Args, g.isNumber)
	}
	return false
}

// passedFor returns the value that a literal of a struct sets a field to.
func passedFor(st testcase.Statement, field int) (testcase.Ref, bool) {
	k := field
	if st.Op.Elems != nil {
		k = slices.Index(st.Op.Elems, field)
	}
	if k < 0 || k >= len(st.Args) {
		return testcase.Ref{}, false
	}
	return st.Args[k], true
}
