package plain

import (
	"cmp"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Enumerated is a way that passes declared constants in place of values that a type with constants does not have:
// time.February for the month 0. Equal values stay equal.
func Enumerated(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	foreign := foreignArguments(pkg, c.Seq)
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	given := make(map[string]*testcase.Operation)
	for i, st := range stmts {
		op := st.Op
		if foreign[i] || op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Choice != nil {
			continue
		}
		b, ok := op.Type.Underlying().(*types.Basic)
		if !ok || b.Info()&types.IsInteger == 0 {
			continue
		}
		declared := constantsOf(op.Type)
		if len(declared) < fewestConstants || slices.Contains(declared, int64(op.Lit.Bits)) {
			continue
		}
		key := types.TypeString(op.Type, nil) + " " + constant.MakeUint64(op.Lit.Bits).String()
		if given[key] == nil {
			n := declared[(len(given)+1)%len(declared)] // the first constant is often the zero value
			lit, _ := testcase.IntLiteral(b, n)
			given[key] = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}
		}
		stmts[i].Op = given[key]
	}
	if len(given) == 0 {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// Bounds of the constants of a type for which [EachConstant] makes a call each. Two are told apart by the tests that
// cover both ways through a function.
const fewestEach, mostEach = 3, 10

// EachConstant returns sequences of a case whose call takes one value of a type with constants of the package: one
// sequence for each of these constants.
func EachConstant(pkg *load.Package, c *testcase.Case) []*testcase.Sequence {
	at, ok := ConstantArgument(pkg, c)
	if !ok {
		return nil
	}
	op := c.Seq.At(at).Op
	b := op.Type.Underlying().(*types.Basic)
	var out []*testcase.Sequence
	for _, n := range constantsOf(op.Type) {
		lit, fits := testcase.IntLiteral(b, n)
		if !fits {
			continue
		}
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		stmts[at].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}
		out = append(out, testcase.NewSequence(stmts...))
	}
	return out
}

// ConstantArgument returns the statement that makes the only argument of a case's call whose type is one of the
// package's with a few constants. It returns false if there is no such argument, or if several are.
func ConstantArgument(pkg *load.Package, c *testcase.Case) (int, bool) {
	at, found := 0, 0
	for _, a := range c.Seq.At(c.TargetStmt()).Args {
		op := c.Seq.At(a.Stmt).Op
		if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
			continue
		}
		b, ok := op.Type.Underlying().(*types.Basic)
		named := load.NamedOf(op.Type)
		if !ok || b.Info()&types.IsInteger == 0 || named == nil || named.Obj().Pkg() != pkg.Types {
			continue
		}
		if n := len(constantsOf(op.Type)); n >= fewestEach && n <= mostEach {
			at, found = a.Stmt, found+1
		}
	}
	return at, found == 1
}

// fewestConstants is how many constants make an enumeration of a type. A single one is a name for a value
// among others.
const fewestConstants = 2

// constantsOf returns the values of the constants that are declared for an integer type in its package, in
// ascending order. There are none for durations, whose constants are units.
func constantsOf(t types.Type) []int64 {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || isDuration(t) {
		return nil
	}
	var out []int64
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), n) {
			continue
		}
		if v, exact := constant.Int64Val(constant.ToInt(c.Val())); exact && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

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
