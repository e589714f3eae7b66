package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// maxElements is the number of elements from which on a composite literal counts as a table. Elements of
// tables are not mutated.
const maxElements = 16

func (w *rewriter) exprs(l []ast.Expr) {
	for _, e := range l {
		w.expr(e)
	}
}

// expr rewrites an expression whose value is used.
func (w *rewriter) expr(e ast.Expr) {
	tv, ok := w.info.Types[e]
	if e == nil || ok && (tv.IsType() || tv.IsNil()) {
		return
	}
	if ok && tv.Value != nil {
		w.constant(e, tv)
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		w.expr(e.X)
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND || e.Op == token.LOR:
			w.logical(e)
		case negation(e.Op):
			w.comparison(e)
		default:
			w.arithmetic(e)
		}
	case *ast.UnaryExpr:
		w.unary(e)
	case *ast.CallExpr:
		w.call(e)
	case *ast.FuncLit:
		if sig, ok := w.info.TypeOf(e).(*types.Signature); ok {
			w.body(sig.Results(), e.Body)
		}
	case *ast.CompositeLit:
		w.composite(e)
	case *ast.IndexExpr:
		w.expr(e.X)
		if !w.end(e) && !w.other(e) {
			w.read(e.Index)
		}
	case *ast.SliceExpr:
		w.expr(e.X)
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			if i != nil {
				w.expr(i)
			}
		}
	case *ast.SelectorExpr:
		w.expr(e.X)
	case *ast.StarExpr:
		w.expr(e.X)
	case *ast.TypeAssertExpr:
		w.expr(e.X)
	}
}

// negation reports whether op is a comparison.
func negation(op token.Token) bool {
	return op == token.EQL || op == token.NEQ || boundary(op) != token.ILLEGAL
}

// composite rewrites the elements of a composite literal.
func (w *rewriter) composite(e *ast.CompositeLit) {
	if len(e.Elts) > maxElements {
		return
	}
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if w.field(e, kv) {
				continue
			}
			x = kv.Value // keys of arrays and slices must stay constant
		}
		w.expr(x)
	}
}

// field rewrites an element of a literal of a struct, so that the field may stay at its zero value. It reports
// whether it did: constants have mutants of their own, and values that share the zero value's text have none.
func (w *rewriter) field(e *ast.CompositeLit, kv *ast.KeyValueExpr) bool {
	t := w.info.TypeOf(e)
	name, named := kv.Key.(*ast.Ident)
	tv := w.info.Types[kv.Value]
	if t == nil || !named || tv.Value != nil || tv.IsNil() {
		return false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok { // the type of an element is left out
		t = p.Elem()
	}
	f, ok := w.info.Uses[name].(*types.Var)
	if _, isStruct := t.Underlying().(*types.Struct); !isStruct || !ok {
		return false
	}
	switch ast.Unparen(kv.Value).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr:
	default:
		return false // what a literal or a comparison becomes is a mutant of its own
	}
	open := "@zero("
	if !types.Identical(tv.Type, f.Type()) {
		typ := w.spell(f.Type())
		if typ == "" {
			return false
		}
		open = "@zero[" + typ + "]("
	}
	k, ok := w.site(kv, Field, "is left out")
	if ok {
		w.insert(kv.Value.Pos(), open+k+", ")
	}
	w.expr(kv.Value)
	if ok {
		w.insert(kv.Value.End(), ")")
	}
	return true
}

func (w *rewriter) unary(e *ast.UnaryExpr) {
	name := map[token.Token]string{token.SUB: "neg", token.XOR: "com"}[e.Op]
	switch {
	case e.Op == token.NOT:
		w.cond(e.X)
		return
	case name == "":
		w.expr(e.X)
		return
	}
	k, ok := w.site(e, Sign, "becomes "+w.text(e.X))
	if ok {
		w.replace(e.OpPos, 1, "@"+name+"("+k+", ")
	}
	w.expr(e.X)
	if ok {
		w.insert(e.X.End(), ")")
	}
}

// cond rewrites a condition.
func (w *rewriter) cond(e ast.Expr) {
	tv, ok := w.info.Types[e]
	if ok && tv.Value != nil {
		return
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		w.cond(x.X)
		return
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			w.cond(x.X)
			return
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			w.logical(x)
		} else {
			w.comparison(x)
		}
		return
	}
	k, ok := "", false
	if w.plain(e) {
		k, ok = w.site(e, Negation, "is inverted")
	}
	if ok {
		w.insert(e.Pos(), "@not("+k+", ")
	}
	w.expr(e)
	if ok {
		w.insert(e.End(), ")")
	}
}

// plain reports whether an expression has the type bool itself, and not a named type.
func (w *rewriter) plain(e ast.Expr) bool {
	t := w.info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && (b.Kind() == types.Bool || b.Kind() == types.UntypedBool)
}

// logical rewrites && and ||. Each operand of a || b || c has a mutant without it, which is noticed where this operand alone
// holds. Where && would take the place of || is noticed by these inputs, too, so there is no mutant for that.
func (w *rewriter) logical(e *ast.BinaryExpr) {
	neutral := "true"
	if e.Op == token.LOR {
		neutral = "false"
	}
	for _, x := range []ast.Expr{e.X, e.Y} {
		if b, ok := ast.Unparen(x).(*ast.BinaryExpr); ok && b.Op == e.Op {
			w.cond(x) // its operands are operands of the whole
			continue
		}
		k, ok := "", false
		c, compares := ast.Unparen(x).(*ast.BinaryExpr)
		if w.plain(x) && w.info.Types[x].Value == nil && !(compares && negation(c.Op) && w.trivial(c)) {
			k, ok = w.site(x, Operand, "is left out of "+e.Op.String())
		}
		if ok {
			w.insert(x.Pos(), "@pick("+k+", ")
		}
		w.cond(x)
		if ok {
			w.insert(x.End(), ", "+neutral+")")
		}
	}
}

// comparison rewrites a comparison.
func (w *rewriter) comparison(e *ast.BinaryExpr) {
	k, ok := "", false
	negated, _ := gosyntax.Negated(e.Op)
	relation := boundary(e.Op) != token.ILLEGAL
	switch {
	case !w.plain(e) || w.trivial(e):
	case relation:
		x, y := w.text(e.X), w.text(e.Y)
		k, ok = w.site(e,
			Boundary, "becomes "+shorten(x+" "+boundary(e.Op).String()+" "+y),
			Negation, "becomes "+shorten(x+" "+negated.String()+" "+y))
	default:
		k, ok = w.site(e, Negation, "becomes "+shorten(w.text(e.X)+" "+negated.String()+" "+w.text(e.Y)))
	}
	switch {
	case ok && relation:
		w.insert(e.Pos(), "@"+helper(e.Op)+"("+k+", ")
		w.limit(e.X, e.Op == token.LEQ || e.Op == token.GTR)
		w.replace(e.OpPos, len(e.Op.String()), ",")
		w.limit(e.Y, e.Op == token.GEQ || e.Op == token.LSS)
		w.insert(e.End(), ")")
	case ok:
		w.insert(e.Pos(), "@not("+k+", ")
		w.operand(e.X)
		w.operand(e.Y)
		w.insert(e.End(), ")")
	default:
		w.operand(e.X)
		w.operand(e.Y)
	}
}

// limit rewrites an operand of a relation. The relation's own mutant moves a limit by one in one direction, x >= 60 to x > 60. A whole number
// moves in the other one as well, to x >= 59, so that both sides of the limit have to be tested; down says in which direction that is.
func (w *rewriter) limit(e ast.Expr, down bool) {
	tv := w.info.Types[e]
	b, isBasic := types.Unalias(tv.Type).Underlying().(*types.Basic)
	if tv.Value == nil || w.sibling(e) != nil || w.imported(e) || !isBasic || b.Info()&types.IsInteger == 0 || down && b.Info()&types.IsUnsigned != 0 && isConst(tv.Value, 0) {
		w.operand(e)
		return
	}
	name, what := "inc", "+1"
	if down {
		name, what = "dec", "-1"
	}
	w.moved(e, tv, name, what)
}

// trivial reports whether a relation always holds or never holds because of the operands' types.
func (w *rewriter) trivial(e *ast.BinaryExpr) bool {
	b, ok := w.info.TypeOf(e.X).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsUnsigned == 0 {
		return false
	}
	v := w.info.Types[e.Y].Value
	return v != nil && (e.Op == token.GEQ || e.Op == token.LSS) && isConst(v, 0)
}

func isConst(v constant.Value, n int64) bool {
	return (v.Kind() == constant.Int || v.Kind() == constant.Float) && constant.Compare(v, token.EQL, constant.MakeInt64(n))
}

// operand rewrites an operand. A constant stays unless it has a sibling, because the operator's mutants have the same effects.
func (w *rewriter) operand(e ast.Expr) {
	if w.info.Types[e].Value == nil || w.sibling(e) != nil {
		w.expr(e)
	}
}

// arithmetic rewrites an arithmetic expression, or a concatenation.
func (w *rewriter) arithmetic(e *ast.BinaryExpr) {
	t := w.info.TypeOf(e)
	k, ok := "", false
	name := helper(e.Op)
	shift := e.Op == token.SHL || e.Op == token.SHR
	switch {
	case w.unit(e.Op, e.Y), shift && w.info.Types[e.X].Value != nil:
		// The type of a shifted constant comes from the context.
	default:
		if isString(t) {
			name = "cat"
		}
		k, ok = w.site(e, Math, w.swapText(e.Op, t))
	}
	if !ok {
		w.operand(e.X)
		w.operand(e.Y)
		return
	}
	w.insert(e.Pos(), "@"+name+"("+k+", ")
	if tv := w.info.Types[e.X]; tv.Value != nil && isString(t) {
		w.emptyText(e.X, tv) // that the text behind it is missing is another fault
	} else {
		w.addend(e)
	}
	w.replace(e.OpPos, len(e.Op.String()), ",")
	w.operand(e.Y)
	w.insert(e.End(), ")")
}

// addend rewrites the left operand of an operation. In a sum of two values it is left out by a mutant, which a test notices whose left
// operand is not zero: what was there before counts.
func (w *rewriter) addend(e *ast.BinaryExpr) {
	k, ok := "", false
	if e.Op == token.ADD && w.info.Types[e.X].Value == nil && w.info.Types[e.Y].Value == nil {
		k, ok = w.site(e, Forget, "loses its left operand")
	}
	if ok {
		w.insert(e.X.Pos(), "@zero("+k+", ")
	}
	w.operand(e.X)
	if ok {
		w.insert(e.X.End(), ")")
	}
}

// swapText returns the text for the replacement of an operator.
func (w *rewriter) swapText(op token.Token, t types.Type) string {
	if isString(t) {
		return "loses its right operand"
	}
	return "becomes " + swap(op).String()
}

// unit reports whether y is neutral, so that the operation returns x.
func (w *rewriter) unit(op token.Token, y ast.Expr) bool {
	v := w.info.Types[y].Value
	if v == nil {
		return false
	}
	switch op {
	case token.MUL, token.QUO:
		return isConst(v, 1)
	case token.ADD, token.SUB, token.SHL, token.SHR:
		return isConst(v, 0)
	}
	return false
}

// end rewrites the index of the first or the last element of a list or text, and reports whether it did. Where there is only
// one element, both are the same.
func (w *rewriter) end(e *ast.IndexExpr) bool {
	t := w.info.TypeOf(e.X)
	if t == nil || !w.repeatable(e.X) {
		return false
	}
	if _, isSlice := t.Underlying().(*types.Slice); !isSlice && !isString(t) {
		return false
	}
	last := "len(" + w.text(e.X) + ")-1"
	v := w.info.Types[e.Index].Value
	other := "0"
	switch {
	case v != nil && isConst(v, 0):
		other = last
	case strings.ReplaceAll(w.text(e.Index), " ", "") != strings.ReplaceAll(last, " ", ""):
		return false
	}
	k, ok := w.site(e, End, "becomes "+shorten(w.text(e.X)+"["+other+"]"))
	if ok {
		w.insert(e.Index.Pos(), "@at("+k+", ")
		w.insert(e.Index.End(), ", "+other+")")
	}
	return ok
}

// sibling returns the constant that follows, in its declaration, a constant which an expression names. Of the last one it
// is the one before. It returns nil if there is none of the same type and another value.
func (w *rewriter) sibling(e ast.Expr) *types.Const {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	c, ok := w.info.Uses[id].(*types.Const)
	if !ok || c.Parent() != w.pkg.Types.Scope() {
		return nil
	}
	if w.siblings == nil {
		w.siblings = w.findSiblings()
	}
	s := w.siblings[c]
	if s == nil {
		return nil
	}
	if in := w.pkg.Types.Scope().Innermost(e.Pos()); in != nil {
		if _, seen := in.LookupParent(s.Name(), e.Pos()); seen != s {
			return nil // the name means something else here
		}
	}
	return s
}

// findSiblings returns the neighbours of all constants that are declared together with others.
func (w *rewriter) findSiblings() map[*types.Const]*types.Const {
	out := make(map[*types.Const]*types.Const)
	for _, f := range w.pkg.Syntax {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			var before *types.Const
			for _, spec := range g.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					c, ok := w.info.Defs[name].(*types.Const)
					if !ok || name.Name == "_" {
						continue
					}
					if before != nil && types.Identical(before.Type(), c.Type()) && before.Val().Kind() == c.Val().Kind() && !constant.Compare(before.Val(), token.EQL, c.Val()) {
						out[before], out[c] = c, before // the next one, if there is one, replaces the second
					}
					before = c
				}
			}
		}
	}
	return out
}

// emptyText rewrites a constant text, so that it may be empty.
func (w *rewriter) emptyText(e ast.Expr, tv types.TypeAndValue) {
	typ := w.spell(types.Default(tv.Type))
	if typ == "" || constant.StringVal(tv.Value) == "" {
		return
	}
	if k, ok := w.site(e, Text, "becomes \"\""); ok {
		w.insert(e.Pos(), "@pick["+typ+"]("+k+", ")
		w.insert(e.End(), ", \"\")")
	}
}

// constant rewrites a constant.
func (w *rewriter) constant(e ast.Expr, tv types.TypeAndValue) {
	b, ok := types.Unalias(tv.Type).Underlying().(*types.Basic)
	if !ok || w.imported(e) {
		return
	}
	if s := w.sibling(e); s != nil {
		if typ := w.spell(types.Default(tv.Type)); typ != "" {
			if k, ok := w.site(e, Sibling, "becomes "+s.Name()); ok {
				w.insert(e.Pos(), "@pick["+typ+"]("+k+", ")
				w.insert(e.End(), ", "+s.Name()+")")
			}
		}
		return
	}
	name, what := "inc", "+1"
	switch {
	case b.Info()&types.IsString != 0:
		w.emptyText(e, tv)
		return
	case b.Info()&types.IsBoolean != 0 && w.plain(e):
		if k, ok := w.site(e, Constant, "is inverted"); ok {
			w.insert(e.Pos(), "@not("+k+", ")
			w.insert(e.End(), ")")
		}
		return
	case b.Info()&types.IsNumeric == 0:
		return
	case isConst(tv.Value, 1):
		name, what = "dec", "-1"
	}
	w.moved(e, tv, name, what)
}

// moved rewrites a number, so that it may be one more or one less, by the helper of this name.
func (w *rewriter) moved(e ast.Expr, tv types.TypeAndValue, name, what string) {
	typ := w.spell(tv.Type)
	if typ == "" {
		return
	}
	if k, ok := w.site(e, Constant, "becomes "+shorten(w.text(e))+what); ok {
		w.insert(e.Pos(), "@"+name+"["+typ+"]("+k+", ")
		w.insert(e.End(), ")")
	}
}

// imported reports whether a constant belongs to another package.
func (w *rewriter) imported(e ast.Expr) bool {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	c, ok := w.info.Uses[s.Sel].(*types.Const)
	return ok && c.Pkg() != w.pkg.Types
}

// other rewrites the index of an element of a list that is computed, and reports whether it did: the first element may be taken in
// its place.
func (w *rewriter) other(e *ast.IndexExpr) bool {
	t, index := w.info.TypeOf(e.X), w.info.Types[e.Index]
	if t == nil || index.Value != nil || !types.Identical(types.Unalias(index.Type), types.Typ[types.Int]) {
		return false
	}
	switch ast.Unparen(e.Index).(type) {
	case *ast.Ident, *ast.SelectorExpr:
	default:
		return false // an operator in it has mutants of its own
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Array:
	default:
		return false
	}
	k, ok := w.site(e, Index, "takes the first element")
	if ok {
		w.insert(e.Index.Pos(), "@zero("+k+", ")
		w.insert(e.Index.End(), ")")
	}
	return ok
}

// never rewrites a value of a switch's case, which matches nothing with the mutant on.
func (w *rewriter) never(e ast.Expr) {
	tv := w.info.Types[e]
	b, ok := types.Unalias(tv.Type).Underlying().(*types.Basic)
	typ := w.spell(tv.Type)
	if tv.Value == nil || !ok || typ == "" {
		w.expr(e)
		return
	}
	name := ""
	switch {
	case b.Info()&types.IsString != 0:
		name = "miss"
	case b.Info()&types.IsNumeric != 0 && w.imported(e):
		name = "inc"
	default:
		w.expr(e)
		return
	}
	if k, ok := w.site(e, Case, "never matches"); ok {
		w.insert(e.Pos(), "@"+name+"["+typ+"]("+k+", ")
		w.insert(e.End(), ")")
	}
}

// spell writes a type as the file can name it, or "" if it cannot. The type checker decides whether the name
// denotes the type at that place.
func (w *rewriter) spell(t types.Type) string {
	ok := true
	s := types.TypeString(t, func(p *types.Package) string {
		if p == w.pkg.Types {
			return ""
		}
		name := w.imports[p.Path()]
		ok = ok && name != ""
		return name
	})
	if b, isBasic := t.(*types.Basic); isBasic && b.Info()&types.IsUntyped != 0 || !ok {
		return ""
	}
	return s
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// repeatable reports whether an operand may be written twice, because its evaluation has no effect.
func (w *rewriter) repeatable(e ast.Expr) bool { return !w.calls(e) }

// calls reports whether a part of e does more than compute a value.
func (w *rewriter) calls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			if tv := w.info.Types[n.Fun]; tv.IsType() {
				return true
			}
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			if !ok {
				found = true
				return false
			}
			b, ok := w.info.Uses[id].(*types.Builtin)
			found = found || !ok || b.Name() != "len" && b.Name() != "cap" && b.Name() != "min" && b.Name() != "max"
		}
		return !found
	})
	return found
}
