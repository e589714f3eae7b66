package finding

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// HandBuilt reports whether a case writes down the state of an object field by field, although its type has
// methods that bring objects into states, and no predicate says that the state is valid.
func HandBuilt(pkg *load.Package, c *testcase.Case) bool {
	if c.Whole {
		return false
	}
	for i := range c.Seq.Len() {
		if st := c.Seq.At(i); st.Op.Kind == testcase.OpComposite && len(st.Args) > 0 && setsHidden(pkg, st.Op) {
			return true
		}
	}
	return false
}

// Unmade reports whether a case has a literal of a type whose values users get from a function of the
// package, and nothing says that the zero value may be used. Records are written as literals by anybody.
func Unmade(rules *usage.Rules, c *testcase.Case) bool {
	return !c.Whole && approachOf(rules, c).raw && !onlyRecords(rules.Pkg, c.Seq)
}

// onlyRecords reports whether all literals of the package's own types in a sequence are records: structs that show all
// their fields to users and hold nothing but data.
func onlyRecords(pkg *load.Package, s *testcase.Sequence) bool {
	for i := range s.Len() {
		op := s.At(i).Op
		named := load.NamedOf(op.Type)
		if op.Kind != testcase.OpComposite && op.Kind != testcase.OpZero || named == nil || named.Obj().Pkg() != pkg.Types {
			continue
		}
		if !load.IsRecord(named) {
			return false
		}
	}
	return true
}

// setsHidden reports whether a composite literal sets an unexported field of an object of the package,
// if the type has no predicate that judges the object.
func setsHidden(pkg *load.Package, op *testcase.Operation) bool {
	st, ok := op.Type.Underlying().(*types.Struct)
	named := load.NamedOf(op.Type)
	if !ok || named == nil || named.Obj().Pkg() != pkg.Types || named.NumMethods() == 0 && !HasConstructor(pkg, op.Type) || pkg.IsErrorData(named) {
		return false
	}
	for i := range named.NumMethods() {
		if load.IsInvariant(named.Method(i).Name()) {
			return false
		}
	}
	sets := func(f int) bool { return hidden(pkg, op.Type) || !st.Field(f).Exported() }
	for _, f := range op.Elems {
		if sets(f) {
			return true
		}
	}
	return op.Elems == nil && st.NumFields() > 0 && sets(0)
}
