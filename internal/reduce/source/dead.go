package source

import (
	"go/ast"
	"go/token"
)

// dead returns the statements at the top of a test that are dead and pure: no statement
// that stays uses what they define, and what they do changes nothing. The statements that
// look at something are the final ones, so they are alive.
func dead(fn *ast.FuncDecl, pure func(name string, method bool) bool) []ast.Stmt {
	stmts := fn.Body.List
	removed := make([]bool, len(stmts))
	for again := true; again; {
		again = false
		used := map[string]int{}
		for i, s := range stmts {
			if removed[i] {
				continue
			}
			ast.Inspect(s, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					used[id.Name]++
				}
				return true
			})
		}
		for i := len(stmts) - 1; i >= 0; i-- {
			if removed[i] || !isDead(stmts[i], used) || !purely(stmts[i], pure) {
				continue
			}
			removed[i] = true
			again = true
			break
		}
	}
	var out []ast.Stmt
	for i, s := range stmts {
		if removed[i] {
			out = append(out, s)
		}
	}
	return out
}

// isDead reports whether a statement defines nothing, or nothing that another one uses:
// the names in it occur in it alone. Of the statements of other forms none is.
func isDead(s ast.Stmt, used map[string]int) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return true
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			return false
		}
		for _, spec := range d.Specs {
			for _, n := range spec.(*ast.ValueSpec).Names {
				if n.Name != "_" && used[n.Name] > 1 {
					return false
				}
			}
		}
		return true
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			id, ok := l.(*ast.Ident)
			if !ok || id.Name != "_" && (s.Tok != token.DEFINE || used[id.Name] > 1) {
				return false
			}
		}
		return true
	}
	return false
}

// purely reports whether executing a statement changes nothing that outlives it and
// cannot panic by the test's own doing.
func purely(s ast.Stmt, pure func(name string, method bool) bool) bool {
	ok := true
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // it is a value
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			switch f := ast.Unparen(n.Fun).(type) {
			case *ast.Ident:
				ok = ok && pure(f.Name, false)
			case *ast.SelectorExpr:
				ok = ok && pure(f.Sel.Name, true)
			case *ast.IndexExpr:
				if id, is := f.X.(*ast.Ident); is {
					ok = ok && pure(id.Name, false)
				} else if sel, is := f.X.(*ast.SelectorExpr); is {
					ok = ok && pure(sel.Sel.Name, true)
				} else {
					ok = false
				}
			case *ast.IndexListExpr:
				if id, is := f.X.(*ast.Ident); is {
					ok = ok && pure(id.Name, false)
				} else {
					ok = false
				}
			case *ast.ArrayType, *ast.InterfaceType, *ast.MapType:
			default:
				ok = false
			}
		}
		return ok
	})
	return ok
}
