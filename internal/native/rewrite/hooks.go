package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/goassay/assay/internal/contract"
)

// hookCall has the condition of a call to an annotation pass through its hook, and
// reports whether call is one. The call itself stays, so the import is still used.
// What is inside the condition is not counted: its other outcome is no goal.
func (in *Instrumenter) hookCall(call *ast.CallExpr) bool {
	cond, before, after := in.Hook(call)
	if cond == nil {
		return false
	}
	in.insert(cond.Pos(), before)
	in.insert(cond.End(), after)
	return true
}

// Hook returns the condition of a call to an annotation and what is to stand before
// and after it, or nil if there is nothing: assumptions that concrete execution may
// violate, and those that a verifier made, mean nothing in a native run. What a verifier
// verified must hold there as any Assertion must, whatever it rests on.
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
	switch note {
	case contract.Assume:
		return cond, in.prefix + "assume(", ")"
	case contract.Prefer:
		return cond, in.prefix + "prefer(", ")"
	case contract.Assert, contract.Verified:
	default:
		return nil, "", ""
	}
	what := ""
	if v := in.info.Types[call.Args[0]].Value; v != nil && v.Kind() == constant.String {
		what = constant.StringVal(v)
	}
	n := len(in.Asserts)
	in.Asserts = append(in.Asserts, Assertion{Broken: contract.Broken(what), Pos: in.fset.Position(cond.Pos())})
	return cond, in.prefix + "assert(", ", " + strconv.Itoa(n) + ")"
}

// Assertion is what a violated Assertion is called, and where it is.
type Assertion struct {
	Broken string
	Pos    token.Position
}

// Hooks returns the text of a file that is not counted, with hooks only.
func (in *Instrumenter) Hooks(f *ast.File, src []byte) []byte {
	in.file, in.src, in.edits = in.fset.File(f.FileStart), src, nil
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			in.hookCall(call)
		}
		return true
	})
	return in.edited(f)
}
