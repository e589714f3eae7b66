package finding

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// This file is about lists with a type of their own that functions of its package make: an option that is a list of one element
// or nil (Some and None of moznion/go-optional), a mask of four or sixteen bytes (NewHostMask of iplib), an address (net.ParseIP).
// The language lets anybody write such a list with any number of elements, and nobody does. It is also about structs that only a
// function makes which is under test itself.

// listMaker returns an exported function of the package of a named list type that returns such a list, or nil for other types.
func listMaker(t types.Type) *types.Func {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return nil
	}
	if _, isList := t.Underlying().(*types.Slice); !isList {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() || fn.Signature().Results().Len() == 0 {
			continue
		}
		made, ok := types.Unalias(fn.Signature().Results().At(0).Type()).(*types.Named)
		if ok && made.Origin() == named.Origin() {
			return fn
		}
	}
	return nil
}

// writtenList returns the maker of a list that an operation writes element by element, or nil if it writes no such list. A list
// that is nil is often one that the maker returns.
func writtenList(op *testcase.Operation) *types.Func {
	if op.Kind != testcase.OpComposite && op.Kind != testcase.OpConvert {
		return nil
	}
	return listMaker(op.Type)
}

// handWritten returns a key for a finding in which an index does not fit a list that the test has written so, and that is passed to the
// failing call, and "" for any other one. Every function that takes the first element fails alike.
func handWritten(f *testcase.Finding) string {
	if !isBound(f.Kind) {
		return ""
	}
	seq := f.Case.Seq
	for _, a := range seq.Last().Args {
		if op := seq.At(a.Stmt).Op; writtenList(op) != nil {
			return "written " + load.NamedOf(op.Type).Origin().String()
		}
	}
	return ""
}

// readsAny reports whether a struct that a test writes keeps a contract's promise although a function of the package makes other values: the
// function is the only one, it is the reader that the contract is about, and it takes any numbers. What only the function under test makes
// says nothing about which values there are. A reader that compares numbers may refuse some of them, and a text may have what separates
// the fields, so structs with texts and readers with such comparisons are left to what the reader itself returns.
func readsAny(rules *usage.Rules, named *types.Named, seq *testcase.Sequence) bool {
	check := seq.Last().Op.Check
	if check == nil || check.Contract != "roundtrip" {
		return false
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 {
		return false
	}
	for f := range st.Fields() {
		b, ok := f.Type().Underlying().(*types.Basic)
		if !ok || !f.Exported() || b.Info()&(types.IsInteger|types.IsBoolean) == 0 {
			return false
		}
	}
	for m := range named.Origin().Methods() {
		if load.IsInvariant(m.Name()) || strings.Contains(m.Name(), "Valid") {
			return false // not all values are valid
		}
	}
	for _, c := range rules.Pkg.Constructors(named) {
		if c.Exported && c.Obj != check.Object {
			return false
		}
	}
	for i := range seq.Len() {
		if op := seq.At(i).Op; op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitInt && int64(op.Lit.Bits) < 0 {
			return false // a sign may be what separates the numbers
		}
	}
	reader, ok := check.Object.(*types.Func)
	return ok && !comparesNumbers(rules.Pkg, reader, make(map[*types.Func]bool))
}

// comparesNumbers reports whether a function, or one of the package's that it calls, compares numbers other than lengths, positions and
// characters.
func comparesNumbers(pkg *load.Package, fn *types.Func, seen map[*types.Func]bool) bool {
	decl := pkg.Func(fn)
	if seen[fn] || decl == nil || decl.Body == nil {
		return false
	}
	seen[fn] = true
	found := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || isComparison(n.Op) && !asksForSign(n) && isNumber(pkg, n.X) && isNumber(pkg, n.Y)
		case *ast.SwitchStmt:
			found = found || n.Tag != nil && isNumber(pkg, n.Tag)
		case *ast.Ident:
			if f, ok := pkg.Info.Uses[n].(*types.Func); ok && f.Pkg() == pkg.Types {
				found = found || comparesNumbers(pkg, f.Origin(), seen)
			}
		}
		return !found
	})
	return found
}

// isComparison reports whether an operator compares.
func isComparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// asksForSign reports whether a comparison asks whether something is negative, as positions in a text are if there is none.
func asksForSign(x *ast.BinaryExpr) bool {
	zero, ok := x.Y.(*ast.BasicLit)
	return ok && zero.Value == "0" && (x.Op == token.LSS || x.Op == token.GEQ)
}

// isNumber reports whether an expression may be a number that was read, or what such a number is compared with. Lengths, characters and
// negative constants are none.
func isNumber(pkg *load.Package, x ast.Expr) bool {
	x = ast.Unparen(x)
	tv := pkg.Info.Types[x]
	b, ok := types.Default(tv.Type).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsNumeric == 0 {
		return false
	}
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Kind != token.CHAR
	case *ast.UnaryExpr:
		return x.Op != token.SUB // -1
	case *ast.CallExpr:
		id, ok := x.Fun.(*ast.Ident)
		return !ok || id.Name != "len"
	}
	return true
}
