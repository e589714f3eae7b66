package gofile

import (
	"go/ast"
	"go/types"

	"github.com/goassay/assay/internal/load"
)

// Accessor returns the exported method with which users of the package read an unexported field of a struct: it takes nothing,
// and all that it returns is the field. It returns nil if there is none. A test that asks the method says what users see.
func (w *Writer) Accessor(t types.Type, field *types.Var) *types.Func {
	named := load.NamedOf(t)
	if named == nil || field.Exported() || w.Pkg.Info == nil {
		return nil
	}
	for m := range named.Origin().Methods() {
		sig := m.Signature()
		if !m.Exported() || sig.Params().Len() > 0 || sig.Results().Len() != 1 || len(m.Name()) < 2 {
			continue
		}
		if decl := w.Pkg.Func(m); decl != nil && w.returnsField(decl, field.Origin()) {
			return m
		}
	}
	return nil
}

// returnsField reports whether all return statements of a method return a field of its receiver, and nothing in it is
// assigned.
func (w *Writer) returnsField(decl *ast.FuncDecl, field *types.Var) bool {
	if decl.Body == nil || decl.Recv == nil || len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 {
		return false
	}
	recv := w.Pkg.Info.Defs[decl.Recv.List[0].Names[0]]
	returns, other := 0, false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.FuncLit, *ast.GoStmt:
			other = true
		case *ast.ReturnStmt:
			returns++
			if len(n.Results) != 1 {
				other = true
				break
			}
			sel, ok := ast.Unparen(n.Results[0]).(*ast.SelectorExpr)
			x, isIdent := (*ast.Ident)(nil), false
			if ok {
				x, isIdent = ast.Unparen(sel.X).(*ast.Ident)
			}
			if !isIdent || w.Pkg.Info.Uses[x] != recv {
				other = true
				break
			}
			read, _ := w.Pkg.Info.Uses[sel.Sel].(*types.Var)
			other = other || read == nil || read.Origin() != field
		}
		return !other
	})
	return returns > 0 && !other
}
