package source

import (
	"go/ast"
	"go/token"

	"github.com/goassay/assay/internal/gosyntax"
)

// Effects says how far the effects of a call go. This is known by the call's name only.
type Effects struct {
	// Beyond says that a call may change memory that none of its arguments leads to, or that nothing is
	// known about it.
	Beyond bool
	// Arguments says that a call may change memory that its arguments, or its receiver, lead to.
	Arguments bool
	// Shares says that the results of a call may lead to memory that its arguments lead to.
	Shares bool
	// Plain says that the results of a call lead to no object: numbers, texts, truth values.
	Plain bool
}

// Names returns the meanings of names in a test.
type Names struct {
	// Call returns the effects of a call of a function, or of a method, of that name.
	Call func(name string, method bool) Effects
	// Global reports whether the package has a variable of that name.
	Global func(name string) bool
	// Findings says that the tests reproduce findings. The last statement of such a test may be the one that fails,
	// whatever the test asserts before it.
	Findings bool
}

// leadsNowhere reports whether an expression is a literal of a basic type or a call that returns such
// values.
func (d *deadness) leadsNowhere(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		return (e.Op == token.SUB || e.Op == token.ADD || e.Op == token.NOT || e.Op == token.XOR) && d.leadsNowhere(e.X)
	case *ast.BinaryExpr:
		return d.leadsNowhere(e.X) && d.leadsNowhere(e.Y)
	case *ast.CallExpr:
		return d.call(e).Plain
	}
	return false
}

// call returns the effects of a call.
func (d *deadness) call(c *ast.CallExpr) Effects {
	fun := ast.Unparen(c.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(x.X)
	}
	switch f := fun.(type) {
	case *ast.Ident:
		if d.local[f.Name] {
			return Effects{Beyond: true} // the call of a function value
		}
		return d.names.Call(f.Name, false)
	case *ast.SelectorExpr:
		return d.names.Call(f.Sel.Name, true)
	case *ast.ArrayType, *ast.InterfaceType, *ast.MapType:
		return Effects{Shares: true} // a conversion
	}
	return Effects{Beyond: true}
}

// effects returns the effects of all calls of a statement together. An assignment to memory that a
// variable leads to is an effect, too.
func (d *deadness) effects(s ast.Stmt) Effects {
	var all Effects
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE && !blank(s.Lhs) {
			all = d.assignment(s.Lhs)
		}
	case *ast.IncDecStmt:
		all = d.assignment([]ast.Expr{s.X})
	}
	callee := map[ast.Node]bool{}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			all.Shares = true
			return false // the name belongs to a value
		case *ast.UnaryExpr:
			all.Beyond = all.Beyond || n.Op == token.ARROW
		case *ast.CallExpr:
			callee[ast.Unparen(n.Fun)] = true
			e := d.call(n)
			all.Beyond = all.Beyond || e.Beyond
			all.Arguments = all.Arguments || e.Arguments
			all.Shares = all.Shares || e.Shares
		case *ast.CompositeLit, *ast.SelectorExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr:
			all.Shares = all.Shares || !callee[n]
		case *ast.Ident:
			all.Shares = all.Shares || (d.local[n.Name] || d.names.Global(n.Name)) && !inCall(s, n)
		}
		return true
	})
	return all
}

// assignment returns the effects of an assignment to those places.
func (d *deadness) assignment(places []ast.Expr) Effects {
	all := Effects{Arguments: true}
	for _, e := range places {
		id := gosyntax.Root(e)
		all.Beyond = all.Beyond || id == nil || id.Name != "_" && !d.local[id.Name]
	}
	return all
}

// inCall reports whether an identifier is an operand of a call in the statement. Then the effects of
// the call say how its result relates to the operand.
func inCall(s ast.Stmt, id *ast.Ident) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && c.Pos() <= id.Pos() && id.End() <= c.End() {
			found = true
		}
		return !found
	})
	if found {
		return true
	}
	for _, name := range defined(s) {
		if name == id.Name {
			return true // the statement declares the name
		}
	}
	return false
}
