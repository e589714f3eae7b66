package campaign

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// planted reports whether a case writes down the state of an object field by field, of a
// type that has methods to bring it there, and no predicate vouches for it.
func (g *gen) planted(c *testcase.Case) bool {
	if c.Whole {
		return false
	}
	for i := range c.Seq.Len() {
		if st := c.Seq.At(i); st.Op.Kind == testcase.OpComposite && len(st.Args) > 0 && isPlanted(g.pkg, st.Op) {
			return true
		}
	}
	return false
}

// natural returns what cases cover that are not planted: what else is covered is still
// worth a test that uses the package as its users do.
func (g *gen) natural() testcase.Cover {
	var out testcase.Cover
	add := func(cases []*testcase.Case) {
		for _, c := range cases {
			if c.Observed == nil || g.planted(c) {
				continue
			}
			if judged, f := judgeCase(g, c); judged == "" && f == nil {
				out.Union(c.Observed.Cover)
			}
		}
	}
	add(g.early)
	for _, x := range g.explored {
		add(x.cases)
	}
	return out
}

// isPlanted reports whether a composite literal sets a field which users of the package do
// not see, of an object of the package that no predicate of its own judges.
func isPlanted(pkg *load.Package, op *testcase.Operation) bool {
	st, ok := op.Type.Underlying().(*types.Struct)
	named := namedOf(op.Type)
	if !ok || named == nil || named.Obj().Pkg() != pkg.Types || named.NumMethods() == 0 && !hasConstructor(pkg, op.Type) {
		return false
	}
	for i := range named.NumMethods() {
		if isInvariant(named.Method(i).Name()) {
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
