package native

import "go/ast"

// hookCall has the condition of a call to an annotation pass through its hook, and
// reports whether call is one. The call itself stays, so the import is still used.
// What is inside the condition is not counted: its other outcome is no goal.
func (in *instrumenter) hookCall(call *ast.CallExpr) bool {
	cond, hook := Hook(in.fset, in.info, &in.notes, call)
	if cond == nil {
		return false
	}
	in.insert(cond.Pos(), in.prefix+hook+"(")
	in.insert(cond.End(), ")")
	return true
}
