package finding

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// HandBuilt reports whether a case writes down the state of an object field by field, although its type has
// methods that bring objects into states, and no predicate says that the state is valid, or writes down the syntax of Go code node
// by node.
func HandBuilt(pkg *load.Package, c *testcase.Case) bool {
	if c.Whole {
		return false
	}
	for i := range c.Seq.Len() {
		if st := c.Seq.At(i); st.Op.Kind == testcase.OpComposite && (len(st.Args) > 0 && setsHidden(pkg, st.Op) || load.IsSyntax(st.Op.Type) && pkg.Path != "go/ast") {
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

// ofUnmade grades the failures of calls that get the zero value of a struct of another module whose fields only its own package
// sets: a type or a value that stands for none there, as what a call returns that found nothing.
func (g *grading) ofUnmade() *grade {
	if n := unmade(g.rules.Pkg, g.c); n != nil {
		return misuse(onZero, "a "+n.Obj().Pkg().Name()+"."+n.Obj().Name()+" that its package has not made")
	}
	return nil
}

// unmade returns the type of such a value, nil if a case passes none.
func unmade(pkg *load.Package, c *testcase.Case) *types.Named {
	results := c.Seq.ResultTypes()
	for i := range c.Seq.Len() {
		for _, a := range c.Seq.At(i).Args {
			n := load.NamedOf(results[a.Stmt][a.Result])
			if n == nil || !isClosed(pkg, n) {
				continue
			}
			zero := c.Seq.At(a.Stmt).Op.Kind == testcase.OpZero
			if o := c.Observed.Results; a.Stmt < len(o) && a.Result < len(o[a.Stmt]) {
				zero = zero || isAllZero(o[a.Stmt][a.Result])
			}
			if zero {
				return n
			}
		}
	}
	return nil
}

// isClosed reports whether a type is a struct of another module without a field that users can set.
func isClosed(pkg *load.Package, n *types.Named) bool {
	st, ok := n.Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 || n.Obj().Pkg() == nil || n.Obj().Pkg() == pkg.Types {
		return false
	}
	return !gosyntax.IsStandard(n.Obj().Pkg().Path(), "") && !slices.ContainsFunc(slices.Collect(st.Fields()), (*types.Var).Exported)
}

// isAllZero reports whether a value is a struct whose fields are all zero.
func isAllZero(v testcase.Value) bool {
	return v.Kind == testcase.Struct && !slices.ContainsFunc(v.Elems, func(e testcase.Value) bool {
		switch e.Kind {
		case testcase.Nil:
			return false
		case testcase.Struct:
			return !isAllZero(e)
		case testcase.String:
			return e.Str != ""
		}
		return e.Kind > testcase.String || e.Bits != 0
	})
}
