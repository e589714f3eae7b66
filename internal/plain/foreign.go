package plain

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Foreign is a way that makes structs of other packages by functions of these, where a case passes a zero value whose
// fields only its package sets: a date by date.New(2024, time.February, 3).
func Foreign(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	foreign := foreignArguments(pkg, c.Seq)
	made := 0
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if foreign[i] || st.Op.Kind != testcase.OpZero && !(st.Op.Kind == testcase.OpComposite && len(st.Args) == 0) {
			return st, false
		}
		f := foreignMaker(pkg, st.Op.Type)
		if f == nil {
			return st, false
		}
		call := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}}
		for _, op := range makerArguments(pkg, f, made) {
			call.Args = append(call.Args, testcase.Ref{Stmt: len(*out)})
			*out = append(*out, testcase.Statement{Op: op})
		}
		made++
		return call, true
	})
}

// Calm is a way that passes the background's context in place of others: that one is cancelled matters only if something looks.
func Calm(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	background := backgroundOf(pkg)
	if background == nil {
		return nil, false
	}
	results := c.Seq.ResultTypes()
	return rebuilt(c.Seq, func(i int, _ *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if i >= c.TargetStmt() || len(results[i]) != 1 || len(st.Args) > 0 || st.Op.Kind == testcase.OpZero || st.Op.Func != nil && st.Op.Func.FullName() == background.FullName() || !load.IsNamed(results[i][0], "context", "Context") {
			return st, false
		}
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: background}}, true
	})
}

// backgroundOf returns context.Background as a package knows it, nil if the package does not import context.
func backgroundOf(pkg *load.Package) *types.Func {
	if pkg.Types == nil {
		return nil
	}
	for _, p := range pkg.Types.Imports() {
		if p.Path() == "context" {
			f, _ := p.Scope().Lookup("Background").(*types.Func)
			return f
		}
	}
	return nil
}

// foreignMaker returns the function of another package that makes structs of one of its types from a few numbers,
// or nil if there is none, or if users can set fields of such structs. Of several it is the one whose name begins
// with New, and of these the one with most parameters.
func foreignMaker(pkg *load.Package, t types.Type) *types.Func {
	const mostParams = 4
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() == pkg.Path || !slices.Contains(pkg.Types.Imports(), n.Obj().Pkg()) {
		return nil
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok || slices.ContainsFunc(slices.Collect(st.Fields()), (*types.Var).Exported) {
		return nil
	}
	var found []*types.Func
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok || !f.Exported() || f.Signature().TypeParams().Len() > 0 || f.Signature().Variadic() {
			continue
		}
		params, results := f.Signature().Params(), f.Signature().Results()
		if results.Len() != 1 || !types.Identical(results.At(0).Type(), t) || params.Len() == 0 || params.Len() > mostParams {
			continue
		}
		if !slices.ContainsFunc(slices.Collect(params.Variables()), func(p *types.Var) bool {
			b, ok := p.Type().Underlying().(*types.Basic)
			return !ok || b.Info()&types.IsInteger == 0 || b.Kind() == types.Uint8
		}) {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return slices.MinFunc(found, func(a, b *types.Func) int {
		isNew := func(f *types.Func) int {
			if strings.HasPrefix(f.Name(), "New") {
				return 0
			}
			return 1
		}
		// Several parts say more than a number of seconds or days.
		return cmp.Or(isNew(a)-isNew(b), b.Signature().Params().Len()-a.Signature().Params().Len())
	})
}

// makerArguments returns the arguments of a call of a maker, for the n-th call of a case.
func makerArguments(pkg *load.Package, f *types.Func, n int) []*testcase.Operation {
	var out []*testcase.Operation
	for k := range f.Signature().Params().Len() {
		p := f.Signature().Params().At(k)
		value := primes[(n+k)%len(primes)]
		if named := numbersFor(pkg, p.Name()); len(named) > 0 {
			value = named[n%len(named)]
		}
		if declared := constantsOf(p.Type()); len(declared) >= fewestConstants {
			value = declared[(n+1)%len(declared)]
		}
		b := p.Type().Underlying().(*types.Basic)
		lit, _ := testcase.IntLiteral(b, value)
		out = append(out, &testcase.Operation{Kind: testcase.OpLiteral, Type: p.Type(), Lit: lit})
	}
	return out
}

// foreignMakers returns calls of the makers for parameters of the package's functions.
func foreignMakers(pkg *load.Package) []*testcase.Operation {
	var out []*testcase.Operation
	seen := make(map[*types.Func]bool)
	for _, t := range pkg.Targets {
		if t.Func == nil {
			continue
		}
		for p := range t.Func.Signature.Params().Variables() {
			if f := foreignMaker(pkg, p.Type()); f != nil && !seen[f] {
				seen[f] = true
				out = append(out, &testcase.Operation{Kind: testcase.OpFunc, Func: f})
			}
		}
	}
	return out
}
