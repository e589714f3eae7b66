package fold

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// calls compares calls of one function, or conversions to one type.
func (m *match) calls(cs []*ast.CallExpr, in place) bool {
	if !equal(each(cs, func(c *ast.CallExpr) bool { return c.Ellipsis.IsValid() })) {
		return false
	}
	if !m.readText(cs) && !slices.ContainsFunc(cs, func(c *ast.CallExpr) bool { return !m.movable(c) }) {
		return false // the values as a whole can be in rows
	}
	funs := each(cs, func(c *ast.CallExpr) ast.Expr { return c.Fun })
	args := each(cs, func(c *ast.CallExpr) []ast.Expr { return c.Args })
	if m.src.Info.Types[cs[0].Fun].IsType() {
		return same(m, funs) && m.exprs(args, func(int) place { return place{name: in.name, want: in.want, soft: in.soft, of: in.of} })
	}
	if !m.expr(funs, place{}) {
		return false
	}
	t := m.src.typeOf(cs[0].Fun)
	if t == nil {
		return false
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok { // a builtin
		return m.exprs(args, func(int) place { return place{} })
	}
	if !equal(each(args, func(l []ast.Expr) int { return len(l) })) {
		return !cs[0].Ellipsis.IsValid() && m.spread(cs, sig)
	}
	if gosyntax.TakesFormat(sig) && len(cs[0].Args) == sig.Params().Len()-1 && !same(m, each(cs, func(c *ast.CallExpr) ast.Expr { return c.Args[len(c.Args)-1] })) {
		return false // go vet refuses a format from a row without arguments behind it
	}
	return m.exprs(args, func(i int) place {
		arg := m.argument(cs[0], sig, i)
		if !arg.want && len(cs[0].Args) == 1 && in.typ != nil && !types.IsInterface(in.typ) {
			arg.alt = in.name // the value is made of the argument alone
		}
		return arg
	})
}

// readText reports whether calls make readers of constant texts, so that rows have the texts, which say more.
func (m *match) readText(cs []*ast.CallExpr) bool {
	return !slices.ContainsFunc(cs, func(c *ast.CallExpr) bool {
		f := m.src.text(c.Fun)
		return f != "strings.NewReader" && f != "bytes.NewBufferString" || len(c.Args) != 1 || !m.isConstant(c.Args[0])
	})
}

// argument returns the place of argument i of a call.
func (m *match) argument(call *ast.CallExpr, sig *types.Signature, i int) place {
	n := sig.Params().Len()
	if n == 0 {
		return place{}
	}
	p := sig.Params().At(min(i, n-1))
	in := place{typ: p.Type(), name: p.Name()}
	if sig.Variadic() && i >= n-1 && !call.Ellipsis.IsValid() {
		if s, ok := p.Type().Underlying().(*types.Slice); ok {
			in.typ = s.Elem()
		}
	}
	if got, ok := m.compares(call, i); ok {
		out := m.expected(got)
		if types.IsInterface(in.typ) {
			out.typ = in.typ
		}
		return out
	}
	if in.name == "" || in.name == "_" || in.name == "t" {
		in.name = m.nameOf(call.Args[i])
	}
	if sig.Recv() == nil && n == 1 && sig.Results().Len() > 0 && load.IsText(in.typ) {
		in.alt = gofile.LowerFirst(madeName(sig.Results().At(0).Type())) // the v of NewVersion(v) is the version
	}
	return in
}

// madeName returns the name of a type that a package declares, or of what a pointer to one points to, "" for other types.
func madeName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		return named.Obj().Name()
	}
	return ""
}

// compares reports whether argument i of a call is what the call compares another argument with, which it returns.
func (m *match) compares(call *ast.CallExpr, i int) (got ast.Expr, ok bool) {
	sel, isSel := call.Fun.(*ast.SelectorExpr)
	if !isSel {
		id, isIdent := call.Fun.(*ast.Ident)
		if isIdent && i == 1 && (strings.HasPrefix(id.Name, "sameFloat") || strings.HasPrefix(id.Name, "closeTo")) {
			return call.Args[0], true
		}
		return nil, false
	}
	f, isFunc := m.src.Info.Uses[sel.Sel].(*types.Func)
	if !isFunc || f.Pkg() == nil {
		return nil, false
	}
	if f.Signature().Recv() != nil {
		return sel.X, f.Name() == "Equal" && f.Pkg().Path() == "time"
	}
	switch path := f.Pkg().Path(); {
	case strings.HasPrefix(path, "github.com/stretchr/testify/"):
		switch f.Name() {
		case "Equal", "NotEqual", "InDelta", "ElementsMatch":
			if len(call.Args) > 2 {
				return call.Args[2], i == 1
			}
		case "ErrorIs", "EqualError", "Len", "ErrorContains":
			return call.Args[1], i == 2
		}
	case slices.Contains([]string{"errors", "slices", "maps", "bytes", "reflect", "github.com/google/go-cmp/cmp"}, path):
		return call.Args[0], i == 1 && (f.Name() == "Is" || strings.HasPrefix(f.Name(), "Equal") || f.Name() == "DeepEqual")
	}
	return nil, false
}

// spread makes a hole of the variadic arguments of calls that pass different numbers of them.
func (m *match) spread(cs []*ast.CallExpr, sig *types.Signature) bool {
	fixed := sig.Params().Len() - 1
	if !sig.Variadic() || slices.ContainsFunc(cs, func(c *ast.CallExpr) bool { return len(c.Args) < fixed }) {
		return false
	}
	p := sig.Params().At(fixed)
	list, ok := p.Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	head := each(cs, func(c *ast.CallExpr) []ast.Expr { return c.Args[:fixed] })
	if !m.exprs(head, func(i int) place { return m.argument(cs[0], sig, i) }) {
		return false
	}
	cells, lists := make([]string, len(cs)), make([]string, len(cs))
	for i, c := range cs {
		var texts []string
		for _, a := range c.Args[fixed:] {
			if !m.movable(a) {
				return false
			}
			texts = append(texts, m.src.text(a))
		}
		cells[i], lists[i] = "nil", strings.Join(texts, ", ")
		if len(texts) > 0 {
			if reason, _ := m.w.Attempt(func() { cells[i] = m.w.Type(types.NewSlice(list.Elem())) + "{" + lists[i] + "}" }); reason != "" {
				return false
			}
		}
	}
	h, ok := m.addHole(place{typ: types.NewSlice(list.Elem()), name: p.Name()}, cells, nil)
	if !ok {
		return false
	}
	h.lists = lists
	from := cs[0].Lparen + 1
	if fixed > 0 {
		h.lead, from = ", ", cs[0].Args[fixed-1].End()
	}
	m.edits = append(m.edits, edit{from: from, to: cs[0].Rparen, text: h.lead + h.mark() + "..."})
	return true
}

// setters compares calls of different methods on one variable, which prepare the object that the subtests are about. They
// become a column of functions: set func(table *Table).
func (m *match) setters(es []ast.Expr) bool {
	calls, ok := all[*ast.CallExpr](es)
	if !ok {
		return false
	}
	var object *ast.Ident
	for _, call := range calls {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !m.isMethod(sel) || slices.ContainsFunc(call.Args, func(x ast.Expr) bool { return !m.movable(x) }) {
			return false
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok || object != nil && x.Name != object.Name {
			return false
		}
		object = x
	}
	t := m.src.typeOf(object)
	const fewest = 3 // statements before the call: a short preparation is read as a whole
	at := slices.IndexFunc(m.rows[0].items, func(st ast.Stmt) bool { return st.Pos() <= es[0].Pos() && es[0].End() <= st.End() })
	if t == nil {
		return false
	}
	if _, isPointer := t.Underlying().(*types.Pointer); !isPointer && !types.IsInterface(t) {
		return false // the function would prepare a copy
	}
	const long = 6 // statements behind it: what they check is read once
	if at < fewest && len(m.rows[0].items)-at-1 < long || object.Name == "t" || slices.ContainsFunc(m.holes, func(h *hole) bool { return h.name == setterColumn }) {
		return false
	}
	typ := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(token.NoPos, nil, "", t)), nil, false)
	if reason, _ := m.w.Attempt(func() { m.w.Type(t) }); reason != "" {
		return false
	}
	cells := each(calls, func(c *ast.CallExpr) string {
		return "func(" + object.Name + " " + m.w.Type(t) + ") { " + m.src.text(c) + " }"
	})
	h, ok := m.addHole(place{typ: typ, name: setterColumn}, cells, nil)
	if ok {
		m.edits = append(m.edits, edit{from: es[0].Pos(), to: es[0].End(), text: h.mark() + "(" + object.Name + ")"})
	}
	return ok
}

// isMethod reports whether a selector names a method.
func (m *match) isMethod(sel *ast.SelectorExpr) bool {
	f, ok := m.src.Info.Uses[sel.Sel].(*types.Func)
	return ok && f.Signature().Recv() != nil
}

// setterColumn is the name of a column of functions that prepare an object.
const setterColumn = "set"
