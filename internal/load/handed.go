package load

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/notation"
)

// deepestHanded is through how many functions of the package a text is followed to the one that reads it.
const deepestHanded = 3

// NotatedElements returns the notation of the texts in a list that a function of the package takes, and nil if it takes no list of
// texts, or if no notation is known.
func (pkg *Package) NotatedElements(f *types.Func, param int) *notation.Notation {
	params := f.Signature().Params()
	if param < 0 || param >= params.Len() {
		return nil
	}
	list, ok := params.At(param).Type().Underlying().(*types.Slice)
	if !ok || !isString(list.Elem()) {
		return nil
	}
	if n := pkg.handed(f, param, deepestHanded); n != nil {
		return n
	}
	return notation.For(notation.Place{Param: gosyntax.Words(params.At(param).Name())})
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// handed returns the notation that a function of another package reads to which a function hands a parameter, or the elements of
// one, itself or through functions of the package: what MatchesPrefix is passed may go to net.ParseCIDR. It is nil if there is no such function.
func (pkg *Package) handed(f *types.Func, param, depth int) *notation.Notation {
	decl := pkg.Func(f)
	if decl == nil || decl.Body == nil || pkg.Info == nil || depth == 0 {
		return nil
	}
	texts := map[types.Object]bool{f.Signature().Params().At(param): true} // the parameter, and variables with an element of it
	isText := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.Ident)
		return ok && texts[pkg.Info.Uses[x]]
	}
	var found *notation.Notation
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if value, ok := n.Value.(*ast.Ident); ok && isText(n.X) {
				texts[pkg.Info.Defs[value]] = true
			}
		case *ast.CallExpr:
			callee := gosyntax.Callee(pkg.Info, n)
			for k, arg := range n.Args {
				if found == nil && callee != nil && callee != f && isText(sameText(pkg.Info, arg)) {
					found = pkg.readAs(callee, k, depth)
				}
			}
		}
		return found == nil
	})
	return found
}

// sameText returns the expression whose text an argument is: without a conversion, the space around it, or the list that it is an element of.
func sameText(info *types.Info, e ast.Expr) ast.Expr {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			if _, ok := info.TypeOf(x.X).Underlying().(*types.Slice); !ok {
				return e
			}
			e = x.X
		case *ast.CallExpr:
			f := gosyntax.Callee(info, x)
			if len(x.Args) != 1 || !info.Types[x.Fun].IsType() && (f == nil || f.FullName() != "strings.TrimSpace") {
				return e
			}
			e = x.Args[0]
		default:
			return e
		}
	}
}

// readAs returns the notation in which a function that is called reads an argument, or nil.
func (pkg *Package) readAs(callee *types.Func, param, depth int) *notation.Notation {
	params := callee.Signature().Params()
	switch {
	case callee.Pkg() == nil || param >= params.Len():
		return nil
	case callee.Pkg() == pkg.Types:
		return pkg.handed(callee, param, depth-1)
	case !isReading(callee.Name()) || !takesText(params.At(param).Type()) || NamesPlace(params.At(param)):
		return nil
	case slices.Contains([]string{"os", "io", "io/fs", "bufio"}, callee.Pkg().Path()):
		return nil // they read whatever there is
	}
	return pkg.notationOf(callee, param)
}
