package fold

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A run is several calls of one method behind one another, with one argument each, as those that fill a container. In
// some subtests of a group it may have no calls.
type run struct {
	*ast.ExprStmt // the first of its calls, or a call of another subtest
	calls         []*ast.CallExpr
	before        ast.Stmt // the statement behind it, which is where a loop is written if there are no calls
}

// withRuns returns lists of statements in which calls behind one another are runs, and all of which have the same runs.
// It returns nil if the lists do not fit together in this way, or if there would be no loop.
func (s *Source) withRuns(lists [][]ast.Stmt) [][]ast.Stmt {
	collapsed := each(lists, s.collapse)
	longest := slices.MaxFunc(collapsed, func(a, b []ast.Stmt) int { return len(a) - len(b) })
	loops := false
	for i, list := range collapsed {
		var out []ast.Stmt
		for _, want := range longest {
			r, isRun := want.(*run)
			if len(list) > 0 && s.alike(want, list[0]) {
				loops = loops || isRun && len(list[0].(*run).calls) > 1
				out, list = append(out, list[0]), list[1:]
				continue
			}
			if !isRun || len(list) == 0 {
				return nil
			}
			out = append(out, &run{ExprStmt: r.ExprStmt, before: list[0]})
		}
		if len(list) > 0 {
			return nil
		}
		collapsed[i] = out
	}
	if !loops {
		return nil
	}
	return collapsed
}

// alike reports whether two statements may stand in the same place: they are runs of one method, or no runs.
func (s *Source) alike(a, b ast.Stmt) bool {
	ra, isRun := a.(*run)
	rb, both := b.(*run)
	return isRun == both && (!isRun || s.text(ra.calls[0].Fun) == s.text(rb.calls[0].Fun))
}

// collapse returns statements with runs in place of calls.
func (s *Source) collapse(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, st := range list {
		es, ok := st.(*ast.ExprStmt)
		call := s.fills(st)
		if !ok || call == nil {
			out = append(out, st)
			continue
		}
		if len(out) > 0 {
			if r, ok := out[len(out)-1].(*run); ok && s.text(r.calls[0].Fun) == s.text(call.Fun) {
				r.calls = append(r.calls, call)
				continue
			}
		}
		out = append(out, &run{ExprStmt: es, calls: []*ast.CallExpr{call}})
	}
	return out
}

// fills returns the call of a statement that calls a method of a variable with one constant, or nil if the statement
// does not.
func (s *Source) fills(st ast.Stmt) *ast.CallExpr {
	es, ok := st.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := es.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || call.Ellipsis.IsValid() || s.Info.Types[call.Args[0]].Value == nil {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	x, ok := sel.X.(*ast.Ident)
	if _, isVar := s.Info.Uses[x].(*types.Var); !ok || !isVar || x.Name == "t" {
		return nil
	}
	return call
}

// runs compares runs. If they differ, they become one loop over a column.
func (m *match) runs(rs []*run) bool {
	if equal(each(rs, func(r *run) int { return len(r.calls) })) {
		start := m.mark()
		first := len(rs[0].calls)
		ok := first > 0
		for k := range first {
			ok = ok && m.expr(each(rs, func(r *run) ast.Expr { return r.calls[k] }), place{})
		}
		if ok && (first == 1 || len(m.holes) == start.holes) {
			return true
		}
		m.back(start)
	}
	if !slices.ContainsFunc(rs, func(r *run) bool { return len(r.calls) > 1 }) {
		return false // a loop over one element says less than its call
	}
	var elem types.Type
	cells := make([]string, len(rs))
	some := rs[slices.IndexFunc(rs, func(r *run) bool { return len(r.calls) > 0 })].calls[0]
	for i, r := range rs {
		cells[i] = "nil"
		texts := make([]string, len(r.calls))
		for k, call := range r.calls {
			t := m.src.typeOf(call.Args[0])
			if t == nil || elem != nil && !types.Identical(elem, types.Default(t)) {
				return false
			}
			elem = types.Default(t)
			texts[k] = m.cell(call.Args[0], elem)
		}
		if len(texts) > 0 {
			if reason, _ := m.w.Attempt(func() { cells[i] = m.w.Type(types.NewSlice(elem)) + "{" + strings.Join(texts, ", ") + "}" }); reason != "" {
				return false
			}
		}
	}
	sig, ok := m.src.typeOf(some.Fun).(*types.Signature)
	if !ok || m.uses("v") {
		return false
	}
	h, ok := m.addHole(place{typ: types.NewSlice(elem), name: plural(m.argument(some, sig, 0).name)}, cells, nil)
	if !ok {
		return false
	}
	fun := m.src.text(some.Fun)
	loop := "for _, v := range " + h.mark() + " {\n" + fun + "(v)\n}"
	if calls := rs[0].calls; len(calls) > 0 {
		m.edits = append(m.edits, edit{from: calls[0].Pos(), to: calls[len(calls)-1].End(), text: loop})
	} else {
		at, first := m.behind(rs[0].before.Pos())
		text := "\n" + loop
		if first {
			text = loop + "\n"
		}
		m.edits = append(m.edits, edit{from: at, to: at, text: text})
	}
	object, _, _ := strings.Cut(fun, ".")
	m.pinned[object] = true
	return true
}

// behind returns where a statement can be written in front of the one at a position, which may be in the header of an
// if: behind the statement before it, or at its beginning if it is the first one.
func (m *match) behind(at token.Pos) (place token.Pos, first bool) {
	list := m.rows[0].body.Body.List
	k := slices.IndexFunc(list, func(st ast.Stmt) bool { return st.Pos() <= at && at < st.End() })
	if k <= 0 {
		return list[0].Pos(), true
	}
	return list[k-1].End(), false
}

// plural returns the name of a column for several values of a parameter.
func plural(name string) string {
	if len(name) < 2 {
		return "values"
	}
	if strings.HasSuffix(name, "s") {
		return name
	}
	if strings.HasSuffix(name, "y") && !strings.ContainsAny(name[len(name)-2:len(name)-1], "aeiou") {
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}
