package native

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/goassay/assay/internal/contract"
)

// hook returns the hook that a call's condition is passed through, or "". What has no
// hook means nothing in a native run: preferences, assumptions that concrete execution
// may violate, and the records of verifiers.
func (in *instrumenter) hook(f *types.Func) string {
	switch in.notes.Of(in.fset, f) {
	case contract.Assume:
		return "assume"
	case contract.Assert:
		return "assert"
	}
	return ""
}

// hookCall has the condition of a call to an annotation pass through its hook, and
// reports whether call is one. The call itself stays, so the import is still used.
// What is inside the condition is not counted: its other outcome is no goal.
func (in *instrumenter) hookCall(call *ast.CallExpr) bool {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return false
	}
	f, ok := in.info.Uses[id].(*types.Func)
	if !ok {
		return false
	}
	hook := in.hook(f)
	if hook == "" {
		return false
	}
	i := contract.Condition(f.Signature())
	if i < 0 || i >= len(call.Args) {
		return false
	}
	in.insert(call.Args[i].Pos(), in.prefix+hook+"(")
	if hook == "assert" {
		what := ""
		if v := in.info.Types[call.Args[0]].Value; v != nil && v.Kind() == constant.String {
			what = constant.StringVal(v)
		}
		in.insert(call.Args[i].End(), ", "+strconv.Itoa(len(in.asserts))+")")
		in.asserts = append(in.asserts, assertion{contract.Broken(what), in.fset.Position(call.Args[i].Pos())})
		return true
	}
	in.insert(call.Args[i].End(), ")")
	return true
}

// assertion is what a violated assertion is called, and where it is.
type assertion struct {
	broken string
	pos    token.Position
}

// hooks returns the text of a file that is not counted, with hooks only.
func (in *instrumenter) hooks(f *ast.File, src []byte) []byte {
	in.file, in.src, in.edits = in.fset.File(f.FileStart), src, nil
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			in.hookCall(call)
		}
		return true
	})
	return in.edited()
}
