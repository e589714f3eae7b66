package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/goassay/assay/internal/contract"
)

// hookCall passes the condition of a call to an annotation through its hook, and reports whether call
// is such a call. The call itself stays, so that the import is still used. Blocks inside the condition
// are not counted, because no test should aim at its other outcome.
func (in *Instrumenter) hookCall(call *ast.CallExpr) bool {
	cond, before, after := in.Hook(call)
	if cond == nil {
		return false
	}
	if id, ok := call.Fun.(*ast.Ident); ok && contract.Ours(id.Name) && in.notes.Of(in.fset, in.info.Uses[id].(*types.Func)) == contract.Assert {
		before, after = before+"func() bool { defer "+in.prefix+"predicate()(); return ", " }()"+after
	}
	in.insert(cond.Pos(), before)
	in.insert(cond.End(), after)
	return true
}

// Hook returns the condition of a call to an annotation and the texts to insert before and after it, or nil
// if nothing is to be inserted: assumptions that concrete execution may violate, and assumptions of a
// verifier, have no effect in a native run, so there is nothing to insert for them. A condition that a
// verifier has verified is checked like any Assertion, whatever assumptions the verifier made.
func (in *Instrumenter) Hook(call *ast.CallExpr) (cond ast.Expr, before, after string) {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil, "", ""
	}
	f, ok := in.info.Uses[id].(*types.Func)
	if !ok {
		return nil, "", ""
	}
	note := in.notes.Of(in.fset, f)
	i := contract.Condition(f.Signature())
	if i < 0 || i >= len(call.Args) {
		return nil, "", ""
	}
	cond = call.Args[i]
	hook := ""
	switch note {
	case contract.Assume:
		hook = "assume"
	case contract.Prefer:
		hook = "prefer"
	case contract.Assert, contract.Verified:
		if hook = "assert"; contract.Own(f) {
			hook = "ends" // a function of the module's own may do something itself
		}
		after = ", " + strconv.Itoa(len(in.Asserts))
	default:
		return nil, "", ""
	}
	before, after = in.prefix+hook+"(", after+")"
	if n, ok := types.Unalias(f.Signature().Params().At(i).Type()).(*types.Named); ok {
		if _, here := ast.Unparen(call.Fun).(*ast.Ident); !here || n.Obj().Pkg() != f.Pkg() || n.Obj().Parent() != f.Pkg().Scope() {
			return nil, "", "" // the type may have no name here
		}
		// The hook takes a bool, and the function a type of its own.
		before, after = n.Obj().Name()+"("+before+"bool(", ")"+after+")"
	}
	if note != contract.Assert && note != contract.Verified {
		return cond, before, after
	}
	what := ""
	if v := in.info.Types[call.Args[0]].Value; v != nil && v.Kind() == constant.String {
		what = constant.StringVal(v)
	}
	in.Asserts = append(in.Asserts, Assertion{Broken: contract.Broken(what), Pos: in.fset.Position(cond.Pos())})
	return cond, before, after
}

// Assertion is the name and the place of an assertion in the code.
type Assertion struct {
	Broken string
	Pos    token.Position
}

// Hooks returns the text of a file of contracts with hooks, but without counters.
func (in *Instrumenter) Hooks(f *ast.File, src []byte) []byte {
	in.file, in.src, in.edits = in.fset.File(f.FileStart), src, nil
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil && in.turns[n] {
				in.beginPredicate(n)
				in.turn = false
			}
		case *ast.CallExpr:
			in.hookCall(n)
		}
		return true
	})
	return in.edited(f)
}
