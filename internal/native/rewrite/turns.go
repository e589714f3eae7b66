package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/goassay/assay/internal/load"
)

// This file bounds predicates: RepOK and CheckInvariants, which say whether an object is valid. A predicate
// that follows a broken structure for ever would take the time of all other cases. The turns of its loops are
// therefore counted, and those of the loops in the package's functions that it calls.

// predicates returns the declarations whose turns are counted. The value is true for the predicates
// themselves, and false for the functions of the package that predicates call by name.
func predicates(pkg *load.Package) map[*ast.FuncDecl]bool {
	decls := make(map[*types.Func]*ast.FuncDecl)
	out := make(map[*ast.FuncDecl]bool)
	var todo []*ast.FuncDecl
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			f, ok := pkg.Info.Defs[fd.Name].(*types.Func)
			if !ok {
				continue
			}
			decls[f] = fd
			if load.IsPredicate(f) {
				out[fd] = true
				todo = append(todo, fd)
			}
		}
	}
	for len(todo) > 0 {
		body := todo[0].Body
		todo = todo[1:]
		ast.Inspect(body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			f, ok := pkg.Info.Uses[id].(*types.Func)
			if !ok {
				return true
			}
			if fd := decls[f.Origin()]; fd != nil {
				if _, known := out[fd]; !known {
					out[fd] = false
					todo = append(todo, fd)
				}
			}
			return true
		})
	}
	return out
}

// beginPredicate inserts into a predicate that counting begins. Into a function that a predicate reaches it
// inserts a turn.
func (in *Instrumenter) beginPredicate(d *ast.FuncDecl) {
	predicate, counted := in.turns[d]
	in.turn = counted
	switch {
	case predicate:
		in.insert(d.Body.Lbrace+1, "defer "+in.prefix+"predicate()();")
	case counted:
		in.insert(d.Body.Lbrace+1, in.prefix+"turn();")
	}
}

// countTurn inserts a turn into the body of a loop, if the loop's function is counted.
func (in *Instrumenter) countTurn(body *ast.BlockStmt) {
	if in.turn {
		in.insert(body.Lbrace+1, in.prefix+"turn();")
	}
}
