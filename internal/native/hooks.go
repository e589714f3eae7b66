package native

import (
	"go/ast"
	"go/types"
	"os"
	"strings"
)

// annotations is the import path of assay's own annotations.
const annotations = "github.com/goassay/assay"

// hookDirective returns the hook that a call's condition is passed through if the
// function has the given line above it. What has no hook means nothing in a native
// run: preferences, assumptions that concrete execution may violate, and the
// records of verifiers.
func hookDirective(line string) string {
	switch strings.TrimSpace(line) {
	case "//assay:assume":
		return "assume"
	case "//assay:assert":
		return "assert"
	}
	return ""
}

// findHooks notes the functions of a file that have one of the directives.
func (in *instrumenter) findHooks(f *ast.File, info *types.Info) {
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Doc == nil {
			continue
		}
		for _, c := range d.Doc.List {
			if hook := hookDirective(c.Text); hook != "" {
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
	hook, ok := in.hooks[f]
	if !ok && f.Signature().Results().Len() == 0 && condition(f.Signature()) >= 0 {
		hook = in.directiveAbove(f)
		in.hooks[f] = hook
	}
	return hook
}

// condition returns which parameter is the condition, the first boolean one; -1 if
// there is none.
func condition(sig *types.Signature) int {
	for i := range sig.Params().Len() {
		if b, ok := sig.Params().At(i).Type().Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
			return i
		}
	}
	return -1
}

// directiveAbove looks for a directive above the declaration of a function of
// another package, of which only the place is known.
func (in *instrumenter) directiveAbove(f *types.Func) string {
	pos := in.fset.Position(f.Pos())
	src, err := os.ReadFile(pos.Filename)
	if err != nil {
		return "" // without its source, it is a function like any other
	}
	lines := strings.Split(string(src), "\n")
	for i := min(pos.Line-2, len(lines)-1); i >= 0 && strings.HasPrefix(lines[i], "//"); i-- {
		if hook := hookDirective(lines[i]); hook != "" {
			return hook
		}
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
	i := condition(f.Signature())
	if i < 0 || i >= len(call.Args) {
		return false
	}
	in.insert(call.Args[i].Pos(), in.prefix+hook+"(")
	in.insert(call.Args[i].End(), ")")
	return true
}
