package native

import (
	"go/ast"
	"go/types"
	"strings"
)

// annotations is the import path of assay's own annotations.
const annotations = "github.com/goassay/assay"

// hookDirectives maps the directives above functions of a user's own to the hook
// that a call's condition is passed through. What is not here means nothing in a
// native run: preferences, assumptions that concrete execution may violate, and
// the records of verifiers.
var hookDirectives = map[string]string{
	"//assay:assume": "assume",
	"//assay:assert": "assert",
}

// findHooks notes the functions of a file that have one of the directives.
func (in *instrumenter) findHooks(f *ast.File, info *types.Info) {
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Doc == nil {
			continue
		}
		for _, c := range d.Doc.List {
			if hook := hookDirectives[strings.TrimSpace(c.Text)]; hook != "" {
				in.hooks[info.Defs[d.Name]] = hook
			}
		}
	}
}

// hook returns the hook of a function, or "".
func (in *instrumenter) hook(f *types.Func) string {
	if f.Pkg() != nil && f.Pkg().Path() == annotations {
		switch f.Name() {
		case "Assume":
			return "assume"
		case "Assert":
			return "assert"
		}
	}
	return in.hooks[f]
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
	for i := range f.Signature().Params().Len() {
		b, ok := f.Signature().Params().At(i).Type().Underlying().(*types.Basic)
		if ok && b.Info()&types.IsBoolean != 0 && i < len(call.Args) {
			in.insert(call.Args[i].Pos(), in.prefix+hook+"(")
			in.insert(call.Args[i].End(), ")")
			return true
		}
	}
	return false
}
