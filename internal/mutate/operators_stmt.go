package mutate

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// removable rewrites a statement so that it may be left out.
func (w *rewriter) removable(s ast.Stmt, listed bool, inside func()) {
	k, ok := "", false
	if listed {
		k, ok = w.site(s, Removal, "is removed")
	}
	if ok {
		w.insert(s.Pos(), "if !@on("+k+"){")
	}
	inside()
	if ok {
		w.insert(s.End(), "}")
	}
}

// stmt rewrites a statement. The parameter listed says that it stands in a list of statements.
func (w *rewriter) stmt(s ast.Stmt, listed bool) {
	switch s := s.(type) {
	case nil:
	case *ast.ExprStmt:
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && (w.isPanic(call) || w.annotation(call) || w.prints(call) || w.locks(call)) {
			return
		}
		w.removable(s, listed, func() { w.expr(s.X) })
	case *ast.SendStmt:
		w.removable(s, listed, func() { w.expr(s.Value) })
	case *ast.DeferStmt:
		if w.locks(s.Call) {
			return
		}
		w.removable(s, listed, func() { w.call(s.Call) })
	case *ast.GoStmt:
		w.removable(s, listed, func() { w.call(s.Call) })
	case *ast.IncDecStmt:
		w.removable(s, listed, func() { w.incDec(s) })
	case *ast.AssignStmt:
		w.assign(s, listed)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				w.exprs(spec.(*ast.ValueSpec).Values)
			}
		}
	case *ast.ReturnStmt:
		w.returns(s)
	case *ast.BranchStmt:
		w.branch(s, listed)
	case *ast.BlockStmt:
		w.list(s.List)
	case *ast.LabeledStmt:
		w.stmt(s.Stmt, false)
	case *ast.IfStmt:
		w.stmt(s.Init, false)
		w.cond(s.Cond)
		w.list(s.Body.List)
		w.stmt(s.Else, false)
	case *ast.ForStmt:
		w.stmt(s.Init, false)
		if s.Cond != nil {
			w.cond(s.Cond)
		}
		w.stmt(s.Post, false)
		w.insert(s.Body.Lbrace+1, "@t();")
		if s.Cond != nil { // a loop without a condition may have nothing behind it
			w.once(s, s.Body, listed)
		}
		w.loop(token.FOR, s.Body)
	case *ast.RangeStmt:
		if t := w.info.TypeOf(s.X); t != nil {
			_, isMap := t.Underlying().(*types.Map)
			w.unordered[w.fn] = w.unordered[w.fn] || isMap
		}
		w.expr(s.X)
		w.insert(s.Body.Lbrace+1, "@t();")
		w.once(s, s.Body, listed)
		w.loop(token.FOR, s.Body)
	case *ast.SwitchStmt:
		w.stmt(s.Init, false)
		if s.Tag != nil {
			w.expr(s.Tag)
		}
		w.clauses(token.SWITCH, s.Body, s.Tag != nil)
	case *ast.TypeSwitchStmt:
		w.stmt(s.Init, false)
		w.clauses(token.SWITCH, s.Body, false)
	case *ast.SelectStmt:
		w.clauses(token.SELECT, s.Body, false)
	}
}

// once rewrites a loop in a list of statements, so that it may end after its first turn.
func (w *rewriter) once(s ast.Stmt, body *ast.BlockStmt, listed bool) {
	if !listed || len(body.List) == 0 {
		return
	}
	k, ok := w.site(s, Once, "")
	if !ok {
		return
	}
	last := w.sites[len(w.sites)-1]
	last.end = body.Lbrace + 1
	last.mutants[0].Text = shorten(strings.TrimSuffix(w.head(s, body), "{")) + "ends after its first turn"
	w.insert(s.Pos(), "@n"+k+" := 0; ")
	w.insert(body.Lbrace+1, "if @on("+k+"){ if @n"+k+" > 0 { break }; @n"+k+"++ };")
}

// head returns the text of a statement up to its body.
func (w *rewriter) head(s ast.Stmt, body *ast.BlockStmt) string {
	return strings.Join(strings.Fields(string(w.src[w.offset(s.Pos()):w.offset(body.Lbrace+1)])), " ")
}

// clauses rewrites the clauses of a switch or select statement.
func (w *rewriter) clauses(kind token.Token, body *ast.BlockStmt, tagged bool) {
	w.loops = append(w.loops, kind)
	defer func() { w.loops = w.loops[:len(w.loops)-1] }()
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			for _, e := range c.List {
				switch {
				case w.info.Types[e].IsType() || w.info.Types[e].IsNil():
				case tagged:
					w.never(e)
				default:
					w.cond(e)
				}
			}
			w.list(c.Body)
		case *ast.CommClause:
			w.stmt(c.Comm, false)
			w.list(c.Body)
		}
	}
}

// loop rewrites the body of a statement inside which break or continue has another target.
func (w *rewriter) loop(kind token.Token, b *ast.BlockStmt) {
	w.loops = append(w.loops, kind)
	w.list(b.List)
	w.loops = w.loops[:len(w.loops)-1]
}

// assign rewrites an assignment.
func (w *rewriter) assign(s *ast.AssignStmt, listed bool) {
	switch s.Tok {
	case token.DEFINE:
		w.exprs(s.Rhs)
		return
	case token.ASSIGN:
		blank := !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return !isBlank(e) })
		w.removable(s, listed && !blank, func() {
			w.exprs(s.Lhs)
			w.exprs(s.Rhs)
		})
		return
	}
	w.removable(s, listed, func() {
		op := assignOp(s.Tok)
		x, y := s.Lhs[0], s.Rhs[0]
		if w.repeatable(x) && !w.calls(y) && !w.unit(op, y) {
			name, what := helper(op), w.swapText(op, w.info.TypeOf(x))
			if isString(w.info.TypeOf(x)) {
				name = "cat"
			}
			if k, ok := w.site(s, Math, what); ok {
				w.replace(s.TokPos, len(s.Tok.String()), "= @"+name+"("+k+", "+w.forgotten(s, op, x)+", ")
				w.operand(y)
				w.insert(y.End(), ")")
				return
			}
		}
		w.expr(y)
	})
}

// forgotten returns the text of the variable of an assignment like +=, in place of which a mutant has zero: what was added up before is
// lost. A test that adds once, to an object with nothing in it, does not notice that.
func (w *rewriter) forgotten(s ast.Stmt, op token.Token, x ast.Expr) string {
	if op != token.ADD && op != token.OR {
		return w.text(x)
	}
	if k, ok := w.site(s, Forget, "becomes ="); ok {
		return "@zero(" + k + ", " + w.text(x) + ")"
	}
	return w.text(x)
}

// assignOp returns the operator of an assignment like +=.
func assignOp(t token.Token) token.Token { return t - token.ADD_ASSIGN + token.ADD }

// incDec rewrites x++ and x--.
func (w *rewriter) incDec(s *ast.IncDecStmt) {
	if !w.repeatable(s.X) {
		return
	}
	other, assign := "becomes --", "+="
	if s.Tok == token.DEC {
		other, assign = "becomes ++", "-="
	}
	k, ok := w.site(s, Math, other)
	if !ok {
		return
	}
	if _, local := ast.Unparen(s.X).(*ast.Ident); !local && s.Tok == token.INC { // a counter of turns that is forgotten makes a loop endless
		if was := w.forgotten(s, token.ADD, s.X); was != w.text(s.X) {
			assign = "= " + was + " + "
		}
	}
	w.replace(s.TokPos, 2, assign+"@one("+k+", "+w.text(s.X)+")")
}

// branch rewrites break and continue of the innermost loop.
func (w *rewriter) branch(s *ast.BranchStmt, listed bool) {
	if !listed || s.Label != nil || len(w.loops) == 0 || w.loops[len(w.loops)-1] != token.FOR {
		return
	}
	var other string
	switch s.Tok {
	case token.BREAK:
		other = "continue"
	case token.CONTINUE:
		other = "break"
	default:
		return
	}
	if k, ok := w.site(s, LoopJump, "becomes "+other); ok {
		w.insert(s.Pos(), "if @on("+k+"){"+other+"};")
	}
}

// returns rewrites a return statement.
func (w *rewriter) returns(s *ast.ReturnStmt) {
	want := w.results[len(w.results)-1]
	if len(s.Results) != want.Len() {
		w.exprs(s.Results)
		return
	}
	for i, e := range s.Results {
		tv := w.info.Types[e]
		t := want.At(i).Type()
		switch {
		case tv.IsNil():
			continue
		case tv.Value != nil && tv.Value.Kind() != constant.String:
			w.constant(e, tv)
			continue
		case tv.Value != nil && constant.StringVal(tv.Value) == "":
			continue
		case w.plain(e):
			w.verdict(e)
			continue
		}
		open := "@zero("
		if tv.Type == nil || tv.Value != nil || !types.Identical(tv.Type, t) {
			typ := w.spell(t)
			if typ == "" {
				w.expr(e)
				continue
			}
			open = "@zero[" + typ + "]("
		}
		k, ok := w.site(e, ReturnVal, "is returned as the zero value")
		if ok {
			w.insert(e.Pos(), open+k+", ")
		}
		if tv.Value == nil {
			w.expr(e)
		}
		if ok {
			w.insert(e.End(), ")")
		}
	}
}

// verdict rewrites a condition that is returned. No branch depends on a comparison there, and its own mutants may all be
// noticed where it has one result, so it may have each result always.
func (w *rewriter) verdict(e ast.Expr) {
	c, compares := ast.Unparen(e).(*ast.BinaryExpr)
	k, ok := "", false
	if compares && (negation(c.Op) || boundary(c.Op) != token.ILLEGAL) && !w.trivial(c) {
		k, ok = w.site(e, ReturnVal, "is returned as false", ReturnVal, "is returned as true")
	}
	if ok {
		w.insert(e.Pos(), "@always("+k+", ")
	}
	w.cond(e)
	if ok {
		w.insert(e.End(), ")")
	}
}

// emptied rewrites a function so that it may do nothing. If the function is a single return statement, the
// mutants of its results are enough.
func (w *rewriter) emptied(f *ast.FuncDecl) {
	if len(f.Body.List) == 0 {
		return
	}
	if _, returns := f.Body.List[0].(*ast.ReturnStmt); returns {
		return
	}
	k, ok := w.site(f.Body, Body, "")
	if !ok {
		return
	}
	last := w.sites[len(w.sites)-1]
	last.end = f.Body.Lbrace + 1 // the place at which the type checker would report an error
	last.mutants[0].Text = "the body of " + f.Name.Name + " is left out"
	var zeros, names []string
	if r := f.Type.Results; r != nil && len(r.List) > 0 && len(r.List[0].Names) == 0 {
		for i, field := range r.List {
			names = append(names, fmt.Sprint("@z", i))
			zeros = append(zeros, fmt.Sprint("var @z", i, " ", w.text(field.Type), ";"))
		}
	}
	w.insert(f.Body.Lbrace+1, "if @on("+k+"){"+strings.Join(zeros, "")+"return "+strings.Join(names, ", ")+"};")
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}
