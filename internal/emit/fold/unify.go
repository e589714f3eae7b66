package fold

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
)

// A match holds what several subtests have in common while they are compared: the text of the first one with edits.
type match struct {
	w        *gofile.Writer
	src      *Source
	rows     []*subtest
	holes    []*hole
	edits    []edit
	messages []message
	columns  []*column
	kept     map[string]bool        // the variables of expected values that stay in the body
	inlined  map[types.Object]*hole // variables that are nothing but a value of the row
	gone     []ast.Stmt             // their definitions
	pinned   map[string]bool        // variables that a loop uses, which have to stay
}

// matched compares subtests. It returns nil if they differ in anything but expressions of rows.
func matched(w *gofile.Writer, src *Source, rows []*subtest) *match {
	if slices.ContainsFunc(rows, func(r *subtest) bool { return !slices.Equal(r.notes, rows[0].notes) }) {
		return nil
	}
	lists := each(rows, func(r *subtest) []ast.Stmt { return r.items })
	// The same calls may stand in the header of an if and before it, depending on their length.
	for _, list := range [][][]ast.Stmt{lists, each(lists, apart)} {
		m := matchedLists(w, src, rows, list)
		if m != nil && m.fits() && !m.numbered() {
			return m
		}
		// Calls that fill a container are as many as it has elements.
		if runs := src.withRuns(list); runs != nil {
			if looping := matchedLists(w, src, rows, runs); looping != nil {
				return looping
			}
		}
		if m != nil {
			return m
		}
	}
	return nil
}

// matchedLists compares subtests that consist of these statements.
func matchedLists(w *gofile.Writer, src *Source, rows []*subtest, lists [][]ast.Stmt) *match {
	m := &match{w: w, src: src, rows: rows, kept: make(map[string]bool), inlined: make(map[types.Object]*hole), pinned: make(map[string]bool)}
	if !m.stmts(lists) || len(m.holes) == 0 {
		return nil
	}
	m.inline()
	for _, msg := range m.messages {
		if !m.message(msg) {
			return nil
		}
	}
	return m
}

// apart returns statements with the headers of ifs as statements of their own.
func apart(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, st := range list {
		s, ok := st.(*ast.IfStmt)
		if !ok {
			out = append(out, st)
			continue
		}
		if s.Init != nil {
			out = append(out, s.Init)
		}
		bare := *s
		bare.Init, bare.If = nil, s.Cond.Pos()
		out = append(out, &bare)
	}
	return out
}

// mark is a point to which a match can be taken back.
type mark struct{ holes, edits, messages int }

func (m *match) mark() mark { return mark{len(m.holes), len(m.edits), len(m.messages)} }

func (m *match) back(to mark) {
	m.holes, m.edits, m.messages = m.holes[:to.holes], m.edits[:to.edits], m.messages[:to.messages]
}

// same reports whether all nodes have one text, and the variables of expected values in them one value.
func same[N ast.Node](m *match, ns []N) bool {
	text := m.src.text(ns[0])
	if slices.ContainsFunc(ns[1:], func(n N) bool { return m.src.text(n) != text }) {
		return false
	}
	alike := true
	ast.Inspect(ns[0], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && m.rows[0].wants[id.Name] != nil {
			value := func(r *subtest) string {
				if r.wants[id.Name] == nil {
					return ""
				}
				return m.src.text(r.wants[id.Name].value)
			}
			alike = alike && equal(each(m.rows, value))
		}
		return alike
	})
	return alike
}

// all returns the nodes as nodes of one type, and false if one of them has another type.
func all[T, N ast.Node](ns []N) ([]T, bool) {
	out := make([]T, len(ns))
	for i, n := range ns {
		t, ok := any(n).(T)
		if !ok {
			return nil, false
		}
		out[i] = t
	}
	return out, true
}

// each returns a part of each node.
func each[T, N any](ns []N, part func(N) T) []T {
	out := make([]T, len(ns))
	for i, n := range ns {
		out[i] = part(n)
	}
	return out
}

// equal reports whether all values are equal.
func equal[T comparable](vs []T) bool {
	return !slices.ContainsFunc(vs, func(v T) bool { return v != vs[0] })
}

// stmts compares lists of statements.
func (m *match) stmts(lists [][]ast.Stmt) bool {
	if !equal(each(lists, func(l []ast.Stmt) int { return len(l) })) {
		return false
	}
	for i := range lists[0] {
		if !m.stmt(each(lists, func(l []ast.Stmt) ast.Stmt { return l[i] })) {
			return false
		}
	}
	return true
}

// stmt compares statements.
func (m *match) stmt(ss []ast.Stmt) bool {
	switch ss[0].(type) {
	case *run:
		if rs, ok := all[*run](ss); ok {
			return m.runs(rs)
		}
		return false
	case *ast.ExprStmt:
		if es, ok := all[*ast.ExprStmt](ss); ok {
			xs := each(es, func(e *ast.ExprStmt) ast.Expr { return e.X })
			start := m.mark()
			if m.report(xs) || m.expr(xs, place{}) || m.testifyTruths(xs) {
				return true
			}
			m.back(start)
			return m.setters(xs)
		}
	case *ast.AssignStmt:
		if as, ok := all[*ast.AssignStmt](ss); ok {
			return m.assign(as)
		}
	case *ast.IfStmt:
		if ifs, ok := all[*ast.IfStmt](ss); ok {
			return m.check(ifs)
		}
	case *ast.DeferStmt:
		if ds, ok := all[*ast.DeferStmt](ss); ok {
			return m.expr(each(ds, func(d *ast.DeferStmt) ast.Expr { return d.Call }), place{})
		}
	case *ast.RangeStmt:
		if rs, ok := all[*ast.RangeStmt](ss); ok {
			head := func(r *ast.RangeStmt) string { return m.src.between(r.Pos(), r.X.Pos()) }
			return equal(each(rs, head)) && m.expr(each(rs, func(r *ast.RangeStmt) ast.Expr { return r.X }), place{}) &&
				m.stmts(each(rs, func(r *ast.RangeStmt) []ast.Stmt { return r.Body.List }))
		}
	case *ast.ReturnStmt:
		if rs, ok := all[*ast.ReturnStmt](ss); ok {
			return m.exprs(each(rs, func(r *ast.ReturnStmt) []ast.Expr { return r.Results }), func(int) place { return place{} })
		}
	}
	return m.asItIs(ss)
}

// asItIs reports whether statements are the same, so that they can stay as they are.
func (m *match) asItIs(ss []ast.Stmt) bool {
	if !same(m, ss) {
		return false
	}
	m.keepWants(ss[0])
	return true
}

// keepWants has the definitions stay of the expected values that a node uses.
func (m *match) keepWants(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && m.rows[0].wants[id.Name] != nil {
			m.kept[id.Name] = true
		}
		return true
	})
}

// assign compares assignments.
func (m *match) assign(as []*ast.AssignStmt) bool {
	left := func(a *ast.AssignStmt) string { return m.src.between(a.Pos(), a.Rhs[0].Pos()) }
	if !equal(each(as, left)) {
		return false
	}
	lhs := as[0].Lhs
	return m.exprs(each(as, func(a *ast.AssignStmt) []ast.Expr { return a.Rhs }), func(i int) place {
		in := place{}
		if len(lhs) != len(as[0].Rhs) {
			return in
		}
		switch l := lhs[i].(type) {
		case *ast.Ident:
			in.name = l.Name
		case *ast.SelectorExpr:
			in.name = gofile.LowerFirst(l.Sel.Name)
		}
		if as[0].Tok != token.DEFINE {
			in.typ = m.src.typeOf(lhs[i])
		}
		return in
	})
}

// exprs compares lists of expressions, given the places of their elements.
func (m *match) exprs(lists [][]ast.Expr, in func(i int) place) bool {
	if !equal(each(lists, func(l []ast.Expr) int { return len(l) })) {
		return false
	}
	for i := range lists[0] {
		if !m.expr(each(lists, func(l []ast.Expr) ast.Expr { return l[i] }), in(i)) {
			return false
		}
	}
	return true
}

// expr compares expressions in a place. Where they differ, the smallest parts become holes that a reader would take for
// values: a constant, a literal as a whole unless only some of its fields differ, an argument of a call.
func (m *match) expr(es []ast.Expr, in place) bool {
	at := es[0]
	es = slices.Clone(es)
	for i, e := range es {
		es[i] = m.resolved(i, e)
	}
	if same(m, es) {
		m.keepWants(at)
		return true
	}
	if !slices.ContainsFunc(es, func(e ast.Expr) bool { return !m.isConstant(e) }) {
		return m.hole(at, es, in)
	}
	movable := !slices.ContainsFunc(es, func(e ast.Expr) bool { return !m.movable(e) })
	start := m.mark()
	if in.want && movable && m.hole(at, each(es, ast.Unparen), in) {
		return true // what is expected reads best as a whole; the message has it without parentheses
	}
	m.back(start)
	if at == es[0] {
		if m.parts(es, in) {
			return true
		}
		m.back(start)
	}
	return movable && m.hole(at, es, in)
}

// resolved returns the value of an expression of row i that is the variable of an expected value.
func (m *match) resolved(i int, e ast.Expr) ast.Expr {
	if id, ok := e.(*ast.Ident); ok {
		if want := m.rows[i].wants[id.Name]; want != nil {
			return want.value
		}
	}
	return e
}

// parts compares the parts of expressions.
func (m *match) parts(es []ast.Expr, in place) bool {
	switch es[0].(type) {
	case *ast.CallExpr:
		if cs, ok := all[*ast.CallExpr](es); ok {
			return m.calls(cs, in)
		}
	case *ast.CompositeLit:
		if ls, ok := all[*ast.CompositeLit](es); ok {
			return m.fields(ls)
		}
	case *ast.FuncLit:
		if fs, ok := all[*ast.FuncLit](es); ok {
			return same(m, each(fs, func(f *ast.FuncLit) ast.Node { return f.Type })) && m.stmts(each(fs, func(f *ast.FuncLit) []ast.Stmt { return f.Body.List }))
		}
	case *ast.UnaryExpr:
		if us, ok := all[*ast.UnaryExpr](es); ok {
			return equal(each(us, func(u *ast.UnaryExpr) token.Token { return u.Op })) && m.expr(each(us, func(u *ast.UnaryExpr) ast.Expr { return u.X }), place{name: in.name, want: in.want, soft: in.soft, of: in.of}) && m.addressable(us)
		}
	case *ast.BinaryExpr:
		if bs, ok := all[*ast.BinaryExpr](es); ok {
			return m.operands(bs)
		}
	case *ast.ParenExpr:
		if ps, ok := all[*ast.ParenExpr](es); ok {
			return m.expr(each(ps, func(p *ast.ParenExpr) ast.Expr { return p.X }), in)
		}
	case *ast.StarExpr:
		if ps, ok := all[*ast.StarExpr](es); ok {
			return m.expr(each(ps, func(p *ast.StarExpr) ast.Expr { return p.X }), place{name: in.name, want: in.want, soft: in.soft, of: in.of})
		}
	case *ast.SelectorExpr:
		if ss, ok := all[*ast.SelectorExpr](es); ok {
			return equal(each(ss, func(s *ast.SelectorExpr) string { return s.Sel.Name })) && m.expr(each(ss, func(s *ast.SelectorExpr) ast.Expr { return s.X }), place{name: m.nameOf(ss[0].X)})
		}
	case *ast.IndexExpr:
		if is, ok := all[*ast.IndexExpr](es); ok {
			return m.expr(each(is, func(x *ast.IndexExpr) ast.Expr { return x.X }), place{}) && m.expr(each(is, func(x *ast.IndexExpr) ast.Expr { return x.Index }), place{name: "index"})
		}
	case *ast.TypeAssertExpr:
		if as, ok := all[*ast.TypeAssertExpr](es); ok {
			return same(m, each(as, func(a *ast.TypeAssertExpr) ast.Node { return a.Type })) && m.expr(each(as, func(a *ast.TypeAssertExpr) ast.Expr { return a.X }), place{name: in.name})
		}
	}
	return false
}

// addressable reports whether the operands of & are still composite literals of which only parts are in columns.
func (m *match) addressable(us []*ast.UnaryExpr) bool {
	return us[0].Op != token.AND || !slices.ContainsFunc(m.edits, func(e edit) bool { return e.from == us[0].X.Pos() && e.to == us[0].X.End() })
}

// nameOf returns what a column for an expression is called by its type.
func (m *match) nameOf(e ast.Expr) string {
	t := m.src.typeOf(e)
	if t == nil {
		return ""
	}
	name := gofile.ShortName(t)
	name = gofile.LowerFirst(gofile.Identifier(name[strings.LastIndexAny(name, ".*]")+1:]))
	if !gofile.Usable(name) {
		return ""
	}
	return name
}

// fields compares struct literals field by field if they have the same fields and differ in few of them, or if they
// have function literals, which cannot stand in rows.
func (m *match) fields(ls []*ast.CompositeLit) bool {
	const few = 2
	before := len(m.holes)
	for _, l := range ls {
		if l.Type == nil && ls[0].Type != nil || l.Type != nil && (ls[0].Type == nil || m.src.text(l.Type) != m.src.text(ls[0].Type)) || len(l.Elts) != len(ls[0].Elts) {
			return false
		}
	}
	for i := range ls[0].Elts {
		kvs, ok := all[*ast.KeyValueExpr](each(ls, func(l *ast.CompositeLit) ast.Expr { return l.Elts[i] }))
		if !ok || !same(m, each(kvs, func(kv *ast.KeyValueExpr) ast.Node { return kv.Key })) {
			return false
		}
		key, ok := kvs[0].Key.(*ast.Ident)
		if !ok {
			return false
		}
		in := place{name: gofile.LowerFirst(key.Name)}
		if f, ok := m.src.Info.Uses[key].(*types.Var); ok && f.IsField() {
			in.typ = f.Type()
		}
		if !m.expr(each(kvs, func(kv *ast.KeyValueExpr) ast.Expr { return kv.Value }), in) {
			return false
		}
	}
	return len(m.holes)-before <= few
}

// operands compares the operands of binary expressions. In a comparison one operand has the type of the other one, and
// the second is what is expected of the first.
func (m *match) operands(bs []*ast.BinaryExpr) bool {
	if !equal(each(bs, func(b *ast.BinaryExpr) token.Token { return b.Op })) {
		return false
	}
	left, right := place{}, place{}
	if op := bs[0].Op; op == token.EQL || op == token.NEQ || op == token.LSS || op == token.GTR || op == token.LEQ || op == token.GEQ {
		right = m.expected(bs[0].X)
	}
	return m.expr(each(bs, func(b *ast.BinaryExpr) ast.Expr { return b.X }), left) && m.expr(each(bs, func(b *ast.BinaryExpr) ast.Expr { return b.Y }), right)
}
