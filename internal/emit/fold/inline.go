package fold

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// inline has the body use a column in place of a variable whose definition would be x := tt.x, and takes the definition
// out.
func (m *match) inline() {
	for _, st := range m.rows[0].items {
		as, ok := st.(*ast.AssignStmt)
		if !ok || as.Tok != token.DEFINE || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
			continue
		}
		id, ok := as.Lhs[0].(*ast.Ident)
		obj := m.src.Info.Defs[id]
		h := m.filling(as.Rhs[0])
		if !ok || obj == nil || h == nil || m.pinned[id.Name] {
			continue
		}
		uses, ok := m.readings(obj)
		if !ok {
			continue
		}
		for _, use := range uses {
			m.edits = append(m.edits, edit{from: use.Pos(), to: use.End(), text: h.mark()})
		}
		m.inlined[obj] = h
		m.gone = append(m.gone, st)
	}
}

// filling returns the hole that takes the whole place of an expression of the first subtest, or nil if there is none.
func (m *match) filling(e ast.Expr) *hole {
	for _, ed := range m.edits {
		if ed.from != e.Pos() || ed.to != e.End() {
			continue
		}
		i := slices.IndexFunc(m.holes, func(h *hole) bool { return h.mark() == ed.text })
		if i >= 0 {
			return m.holes[i]
		}
	}
	return nil
}

// readings returns where the first subtest uses a variable, outside of messages. It returns false if the subtest does
// anything to the variable but read it, or if a message has it within an expression.
func (m *match) readings(obj types.Object) (uses []*ast.Ident, ok bool) {
	ok = true
	is := func(e ast.Expr) bool {
		id, isIdent := ast.Unparen(e).(*ast.Ident)
		return isIdent && m.src.Info.Uses[id] == obj
	}
	ast.Inspect(m.rows[0].body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			ok = ok && !slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			ok = ok && !is(n.X)
		case *ast.UnaryExpr:
			ok = ok && (n.Op != token.AND || !is(n.X))
		case *ast.RangeStmt:
			ok = ok && (n.Key == nil || !is(n.Key)) && (n.Value == nil || !is(n.Value))
		case *ast.CallExpr:
			if !m.isMessage(n) {
				break
			}
			for _, a := range n.Args {
				ast.Inspect(a, func(x ast.Node) bool {
					id, isIdent := x.(*ast.Ident)
					ok = ok && (!isIdent || m.src.Info.Uses[id] != obj || a == ast.Expr(id))
					return true
				})
			}
			return false
		case *ast.Ident:
			if m.src.Info.Uses[n] == obj {
				uses = append(uses, n)
			}
		}
		return true
	})
	return uses, ok && !slices.ContainsFunc(m.edits, func(e edit) bool {
		// An edit that replaces more than the variable would be lost.
		return slices.ContainsFunc(uses, func(id *ast.Ident) bool { return e.from <= id.Pos() && id.End() <= e.to })
	})
}

// isMessage reports whether a call fails the test with a message that will be written anew.
func (m *match) isMessage(call *ast.CallExpr) bool {
	return slices.ContainsFunc(m.messages, func(msg message) bool { return msg.calls[0] == call })
}

// argumentText returns the text of a message's argument.
func (r *reading) argumentText(p part) string {
	if id, ok := p.expr.(*ast.Ident); ok {
		if h := r.inlined[r.src.Info.Uses[id]]; h != nil {
			return h.mark()
		}
	}
	return p.arg
}
