package literals

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Bounds of the sizes of a package. What is shorter comes by chance, and what is longer is no text that a test writes.
const (
	leastSize = 32
	mostSize  = 70_000
)

// sizes returns, in ascending order, the lengths of text for which the code of a package does something of its own: those of
// the buffers of bytes that it makes, and those that it compares the length of a text with. A text that is longer than a
// buffer, or than a limit, takes another way than all the short ones.
func sizes(src Source) []int {
	var out []int
	add := func(e ast.Expr) {
		v := src.Info.Types[e].Value
		if v == nil || v.Kind() != constant.Int {
			return
		}
		if n, exact := constant.Int64Val(v); exact && n >= leastSize && n <= mostSize {
			out = append(out, int(n))
		}
	}
	for _, f := range src.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ArrayType:
				if n.Len != nil && isByte(src.Info.TypeOf(n.Elt)) {
					add(n.Len)
				}
			case *ast.CallExpr:
				if isBuiltin(src.Info, n.Fun, "make") && len(n.Args) > 1 && isTextual(src.Info.TypeOf(n)) {
					add(n.Args[len(n.Args)-1])
				}
			case *ast.BinaryExpr:
				switch n.Op {
				case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
					if isLength(src.Info, n.X) {
						add(n.Y)
					}
					if isLength(src.Info, n.Y) {
						add(n.X)
					}
				}
			}
			return true
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isLength reports whether an expression is the length of a text, or what of its space is used.
func isLength(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && len(call.Args) == 1 && isBuiltin(info, call.Fun, "len") && isTextual(info.TypeOf(call.Args[0]))
}

func isBuiltin(info *types.Info, e ast.Expr, name string) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := info.Uses[id].(*types.Builtin)
	return ok && b.Name() == name
}

// isTextual reports whether t is a text or a slice of bytes.
func isTextual(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		return isByte(u.Elem())
	}
	return false
}

func isByte(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}
