package fold

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
)

// check compares if statements: as they are, or in a form that is common to checks which say the same in several ways.
func (m *match) check(ifs []*ast.IfStmt) bool {
	if slices.ContainsFunc(ifs, func(s *ast.IfStmt) bool { return (s.Init == nil) != (ifs[0].Init == nil) || s.Else != nil }) {
		return m.asItIs(each(ifs, func(s *ast.IfStmt) ast.Stmt { return s }))
	}
	if ifs[0].Init != nil && !m.stmt(each(ifs, func(s *ast.IfStmt) ast.Stmt { return s.Init })) {
		return false
	}
	conds := each(ifs, func(s *ast.IfStmt) ast.Expr { return s.Cond })
	bodies := each(ifs, func(s *ast.IfStmt) []ast.Stmt { return s.Body.List })
	start := m.mark()
	if m.cond(conds) && m.stmts(bodies) {
		return true
	}
	m.back(start)
	reports := m.reports(bodies)
	if reports == nil {
		return false
	}
	if m.truth(conds, reports, ifs[0].Init == nil) {
		return true
	}
	m.back(start)
	if m.failures(conds, reports) {
		return true
	}
	m.back(start)
	return m.lists(conds, reports)
}

// cond compares conditions. Operands of || that are truths, as ok and !ok are, may differ.
func (m *match) cond(conds []ast.Expr) bool {
	start := m.mark()
	if m.expr(conds, place{}) {
		return true
	}
	m.back(start)
	operands := each(conds, func(e ast.Expr) []ast.Expr { return disjuncts(e) })
	if len(operands[0]) < 2 || !equal(each(operands, func(l []ast.Expr) int { return len(l) })) {
		return false
	}
	for i := range operands[0] {
		es := each(operands, func(l []ast.Expr) ast.Expr { return l[i] })
		before := m.mark()
		if m.expr(es, place{}) {
			continue
		}
		m.back(before)
		if x, h := m.truths(es); h == nil {
			return false
		} else if _, isCall := x.(*ast.CallExpr); isCall {
			return false
		}
	}
	return true
}

// disjuncts returns the operands of || in a condition.
func disjuncts(e ast.Expr) []ast.Expr {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LOR {
		return append(disjuncts(b.X), b.Y)
	}
	return []ast.Expr{e}
}

// truths compares conditions x and !x. It makes a comparison x != want of the first one, and returns x and the hole.
func (m *match) truths(es []ast.Expr) (x ast.Expr, h *hole) {
	xs, cells := make([]ast.Expr, len(es)), make([]string, len(es))
	for i, e := range es {
		xs[i], cells[i] = e, "false"
		if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
			xs[i], cells[i] = not.X, "true"
		}
		t := m.src.typeOf(xs[i])
		if t == nil || !types.Identical(t, types.Typ[types.Bool]) {
			return nil, nil
		}
	}
	if _, compares := xs[0].(*ast.BinaryExpr); compares || !m.expr(xs, place{}) {
		return nil, nil
	}
	h, ok := m.addHole(m.expected(xs[0]), cells, nil)
	if !ok {
		return nil, nil
	}
	if xs[0] != es[0] {
		m.edits = append(m.edits, edit{from: es[0].Pos(), to: xs[0].Pos(), text: ""})
	}
	m.edits = append(m.edits, edit{from: xs[0].End(), to: xs[0].End(), text: " != " + h.mark()})
	return xs[0], h
}

// reports returns the calls that fail the test in bodies of checks, or nil if the bodies do anything else.
func (m *match) reports(bodies [][]ast.Stmt) []ast.Expr {
	out := make([]ast.Expr, len(bodies))
	for i, b := range bodies {
		if len(b) != 1 {
			return nil
		}
		es, ok := b[0].(*ast.ExprStmt)
		if !ok {
			return nil
		}
		out[i] = es.X
	}
	return out
}

// truth compares checks whose only condition is x or !x, with messages that say "= true, want false" or the opposite.
// A call in the condition gets a variable for its result if there is room for one.
func (m *match) truth(conds, reports []ast.Expr, room bool) bool {
	x, h := m.truths(conds)
	if h == nil {
		return false
	}
	got := m.src.text(x)
	if _, isCall := x.(*ast.CallExpr); isCall {
		got = "got"
		if !room || m.uses("got") {
			return false
		}
		// The message shows the value, so that it needs a variable. The variable's definition replaces the first edit of
		// truths, which took the negation away.
		m.edits = slices.DeleteFunc(m.edits, func(e edit) bool { return e.text == "" && e.from == conds[0].Pos() && e.to == x.Pos() })
		m.edits = append(m.edits, edit{from: conds[0].Pos(), to: x.Pos(), text: "got := "})
		for i, e := range m.edits {
			if e.from == x.End() && e.to == x.End() {
				m.edits[i].text = "; got" + e.text
			}
		}
	}
	msg, ok := m.newMessage(reports)
	if !ok {
		return false
	}
	for i, cell := range h.cells {
		opposite := "true"
		if cell == opposite {
			opposite = "false"
		}
		if !msg.cutTail(i, " = "+opposite+", want "+cell) {
			return false
		}
		msg.parts[i] = append(msg.parts[i], words(" = ")...)
		msg.parts[i] = append(msg.parts[i], part{verb: "%t", arg: got})
		msg.parts[i] = append(msg.parts[i], words(", want ")...)
		msg.parts[i] = append(msg.parts[i], part{hole: h})
	}
	m.messages = append(m.messages, msg)
	return true
}

// testifyTruths compares the checks True and False of testify, which become Equal.
func (m *match) testifyTruths(xs []ast.Expr) bool {
	calls, ok := all[*ast.CallExpr](xs)
	if !ok {
		return false
	}
	cells, gots := make([]string, len(calls)), make([]ast.Expr, len(calls))
	var first *ast.SelectorExpr
	for i, c := range calls {
		sel, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || len(c.Args) != 2 || sel.Sel.Name != "True" && sel.Sel.Name != "False" || !m.isTestify(sel.Sel) {
			return false
		}
		if first == nil {
			first = sel
		}
		if m.src.text(sel.X) != m.src.text(first.X) {
			return false
		}
		cells[i], gots[i] = strings.ToLower(sel.Sel.Name), c.Args[1]
	}
	start := m.mark()
	if m.expr(gots, place{}) {
		in := m.expected(gots[0])
		in.typ = types.Typ[types.Bool]
		if h, ok := m.addHole(in, cells, nil); ok {
			at := gots[0].Pos()
			m.edits = append(m.edits, edit{from: first.Sel.Pos(), to: first.Sel.End(), text: "Equal"}, edit{from: at, to: at, text: h.mark() + ", "})
			return true
		}
	}
	m.back(start)
	return false
}

// isTestify reports whether an identifier is a function of testify.
func (m *match) isTestify(id *ast.Ident) bool {
	f, ok := m.src.Info.Uses[id].(*types.Func)
	return ok && f.Pkg() != nil && strings.HasPrefix(f.Pkg().Path(), "github.com/stretchr/testify/")
}

// uses reports whether the first subtest has a variable of this name.
func (m *match) uses(name string) bool {
	found := false
	ast.Inspect(m.rows[0].body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// failures compares checks of an error that should be nil, err != nil, and of one that should be a certain one,
// !errors.Is(err, want). Nothing but nil is nil for package errors, too.
func (m *match) failures(conds, reports []ast.Expr) bool {
	gots, cells, is := make([]ast.Expr, len(conds)), make([]string, len(conds)), ""
	for i, c := range conds {
		var got, want ast.Expr
		switch c := c.(type) {
		case *ast.BinaryExpr:
			if c.Op == token.NEQ && m.isNil(c.Y) {
				got, want = c.X, c.Y
			}
		case *ast.UnaryExpr:
			if call, ok := c.X.(*ast.CallExpr); ok && c.Op == token.NOT && len(call.Args) == 2 && m.src.text(call.Fun) == "errors.Is" {
				is = "errors.Is"
				got, want = call.Args[0], call.Args[1]
			}
		}
		if got == nil || !m.movable(want) {
			return false
		}
		if t := m.src.typeOf(got); t == nil || !gosyntax.IsError(t) {
			return false
		}
		gots[i], cells[i] = got, m.src.text(want)
	}
	if is == "" || !same(m, gots) {
		return false
	}
	h, ok := m.addHole(m.expected(gots[0]), cells, nil)
	if !ok {
		return false
	}
	c := conds[0]
	m.edits = append(m.edits, edit{from: c.Pos(), to: c.End(), text: "!" + is + "(" + m.src.text(gots[0]) + ", " + h.mark() + ")"})
	return m.report(reports)
}

// lists compares checks of a slice or map that say in different ways what it should be: nil, empty, or equal to a
// value. All of them become a comparison that tells nil and empty apart.
func (m *match) lists(conds, reports []ast.Expr) bool {
	gots, cells := make([]ast.Expr, len(conds)), make([]string, len(conds))
	kinds := make(map[string]bool)
	tails := make([]string, len(conds))
	var t types.Type
	for i, c := range conds {
		got, want, kind := m.list(i, c)
		if got == nil {
			return false
		}
		gt := m.src.typeOf(got)
		if gt == nil || t != nil && !types.Identical(t, gt) || kind == "elements" && !comparesAlike(gt) || !isList(gt) {
			return false
		}
		t, gots[i] = gt, got
		kinds[kind] = true
		switch kind {
		case "empty":
			if reason, _ := m.w.Attempt(func() { cells[i] = m.w.Type(t) + "{}" }); reason != "" {
				return false
			}
			tails[i] = "empty, not nil"
		case "nil":
			cells[i], tails[i] = "nil", "nil"
		default:
			if !m.movable(want) {
				return false
			}
			cells[i] = m.src.text(want)
		}
	}
	if len(kinds) < 2 || !same(m, gots) {
		return false
	}
	h, ok := m.addHole(m.expected(gots[0]), cells, nil)
	if !ok {
		return false
	}
	c := conds[0]
	m.edits = append(m.edits, edit{from: c.Pos(), to: c.End(), text: "!" + m.w.Std("reflect") + ".DeepEqual(" + m.src.text(gots[0]) + ", " + h.mark() + ")"})
	msg, ok := m.newMessage(reports)
	if !ok {
		return false
	}
	for i, tail := range tails {
		if tail != "" && msg.cutTail(i, ", want "+tail) {
			msg.parts[i] = append(append(msg.parts[i], words(", want ")...), part{hole: h})
		}
	}
	m.messages = append(m.messages, msg)
	return true
}

// isList reports whether a type is that of slices or maps.
func isList(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// comparesAlike reports whether values of a slice or map type are equal by package reflect if they are equal by slices
// or maps.
func comparesAlike(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return gofile.PlainlyComparable(u.Elem())
	case *types.Map:
		return gofile.PlainlyComparable(u.Elem()) && gofile.PlainlyComparable(u.Key())
	}
	return false
}

// list reads a condition of row i: got == nil || len(got) != 0 is "empty", got != nil is "nil", a comparison with want by
// reflect.DeepEqual is "deep", and one by slices.Equal and the like is "elements".
func (m *match) list(i int, c ast.Expr) (got, want ast.Expr, kind string) {
	switch c := c.(type) {
	case *ast.BinaryExpr:
		x, ok := c.X.(*ast.BinaryExpr)
		switch {
		case c.Op == token.NEQ && m.isNil(c.Y):
			return c.X, nil, "nil"
		case c.Op == token.LOR && ok && x.Op == token.EQL && m.isNil(x.Y) && m.src.text(c.Y) == "len("+m.src.text(x.X)+") != 0":
			return x.X, nil, "empty"
		}
	case *ast.UnaryExpr:
		call, ok := c.X.(*ast.CallExpr)
		if c.Op != token.NOT || !ok || len(call.Args) != 2 {
			return nil, nil, ""
		}
		want = m.resolved(i, call.Args[1])
		switch m.src.text(call.Fun) {
		case "reflect.DeepEqual":
			return call.Args[0], want, "deep"
		case "slices.Equal", "maps.Equal", "bytes.Equal":
			return call.Args[0], want, "elements"
		}
	}
	return nil, nil, ""
}
