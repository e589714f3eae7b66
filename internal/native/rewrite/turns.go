package rewrite

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/load"
)

// This file bounds predicates: RepOK and CheckInvariants, which say whether an object is valid, and the clauses of
// contracts. A predicate that follows a broken structure for ever would take the time of all other cases. The turns of its
// loops are therefore counted, and those of the loops in the package's functions that it calls.

// predicates returns the declarations whose turns are counted. The value is true for the predicates
// themselves, and false for the functions of the package that predicates call by name.
func predicates(pkg *load.Package) map[*ast.FuncDecl]bool {
	decls := make(map[*types.Func]*ast.FuncDecl)
	out := make(map[*ast.FuncDecl]bool)
	var todo []ast.Node // bodies and conditions from which functions of the package are reached
	for _, file := range slices.Concat(pkg.Syntax, pkg.Generated()) {
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
			switch {
			case load.IsPredicate(f), contract.Asks(f.Name()):
				out[fd] = true
				todo = append(todo, fd.Body)
			case contract.Ours(f.Name()):
				for _, cond := range ensured(fd) {
					todo = append(todo, cond)
				}
			}
		}
	}
	for len(todo) > 0 {
		begin := todo[0]
		todo = todo[1:]
		ast.Inspect(begin, func(n ast.Node) bool {
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
					todo = append(todo, fd.Body)
				}
			}
			return true
		})
	}
	return out
}

// ensured returns the conditions that a function asserts which was generated to call another one behind its contract.
func ensured(run *ast.FuncDecl) []ast.Expr {
	var out []ast.Expr
	for _, s := range run.Body.List {
		if x, ok := s.(*ast.ExprStmt); ok {
			if call, ok := x.X.(*ast.CallExpr); ok && len(call.Args) == 2 {
				if id, ok := call.Fun.(*ast.Ident); ok && contract.Ours(id.Name) {
					out = append(out, call.Args[1])
				}
			}
		}
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
