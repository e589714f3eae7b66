package vm

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// Conditions returns the decisions that a path took in the package under test, in
// their order, in the words of the source. Decisions that the compiler made up (of
// range loops and switches over types) are left out.
func (m *Machine) Conditions(p *Path) []testcase.Condition { return m.ConditionsFrom(p, 0) }

// ConditionsFrom does the same as Conditions without the path's first from decisions.
func (m *Machine) ConditionsFrom(p *Path, from int) []testcase.Condition {
	var out []testcase.Condition
	for _, d := range p.State.trail.decisions()[from:] {
		s := m.sites[d.site()]
		if !s.own {
			continue
		}
		text, ok := m.conditionAt(s, m.cfg.TruthValues)
		if !ok {
			continue
		}
		taken := d.taken()
		if text.negated {
			taken = !taken
		}
		out = append(out, testcase.Condition{Pos: m.prog.Fset.Position(text.pos), Text: text.text, True: taken})
	}
	return out
}

// conditionAt returns the condition that a branch asks, in the words of the source, or false if the source has no such condition. Conditions that
// are a truth value by themselves, and types, count only with truths.
func (m *Machine) conditionAt(s site, truths bool) (conditionText, bool) {
	text, ok := m.conditionTexts()[s.pos]
	br, isIf := s.ins.(*ssa.If)
	if turnsLoop(br) {
		return conditionText{}, false
	}
	if !truths || !isIf {
		return text, ok
	}
	if test := typeTest(br); test != nil {
		if text, ok = m.tests[test.Pos()]; ok {
			text.text += ".(type) == " + types.TypeString(test.AssertedType, types.RelativeTo(m.pkg.Types))
		}
		return text, ok
	}
	if named, isNamed := m.namedResult(br); isNamed {
		return named, true
	}
	if ok {
		return text, true
	}
	if _, computed := br.Cond.(*ssa.Phi); computed {
		return conditionText{}, false
	}
	if text, ok = m.truths[s.pos]; !ok && isElement(br.Cond) {
		text, ok = m.rangedTruth(s.fn.ssa)
	}
	return text, ok
}

// namedResult returns the condition of a branch on one of several results, of a call, a lookup or a receive: the variable that the source
// gives it, as ok in "n, ok := m[k]". It returns false if the branch is none, or the result has no variable.
func (m *Machine) namedResult(br *ssa.If) (conditionText, bool) {
	if br == nil {
		return conditionText{}, false
	}
	e, ok := br.Cond.(*ssa.Extract)
	if !ok || typeTest(br) != nil {
		return conditionText{}, false
	}
	vars := m.results[e.Tuple.Pos()]
	if e.Index >= len(vars) {
		return conditionText{}, false
	}
	return conditionText{text: types.ExprString(vars[e.Index]), pos: vars[e.Index].Pos()}, true
}

// addResults notes the variables that a statement gives several results of a call, a lookup or a receive, under the position of these in go/ssa.
func (m *Machine) addResults(n *ast.AssignStmt) {
	if len(n.Rhs) != 1 || len(n.Lhs) < 2 {
		return
	}
	switch e := ast.Unparen(n.Rhs[0]).(type) {
	case *ast.CallExpr:
		m.results[e.Lparen] = n.Lhs
	case *ast.IndexExpr:
		m.results[e.Lbrack] = n.Lhs
	case *ast.UnaryExpr:
		m.results[e.OpPos] = n.Lhs
	}
}

// turnsLoop reports whether a branch asks whether a loop over a list, a map or a text goes on. Such a branch is in no place of the source, and
// stands under the last one before it: that of the call of f in "range f(x)".
func turnsLoop(br *ssa.If) bool {
	if br == nil {
		return false
	}
	switch cond := br.Cond.(type) {
	case *ssa.BinOp:
		return !cond.Pos().IsValid()
	case *ssa.Extract:
		_, next := cond.Tuple.(*ssa.Next)
		return next && cond.Index == 0
	}
	return false
}

// typeTest returns the type assertion whose success a branch asks for, or nil.
func typeTest(br *ssa.If) *ssa.TypeAssert {
	if br == nil {
		return nil
	}
	e, ok := br.Cond.(*ssa.Extract)
	if !ok || e.Index != 1 {
		return nil
	}
	test, _ := e.Tuple.(*ssa.TypeAssert)
	return test
}

// mostAskedBehind is how many operations asksInput looks behind.
const mostAskedBehind = 6

// asksInput reports whether a condition asks something of the input: of a parameter, a field, what a pointer leads to, an
// interface's type. Such a condition need not be a symbol, because pointers are decided when they are looked at, and
// because calls before may have left numbers in a receiver. A counter of a loop asks nothing.
func asksInput(v ssa.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	some := func(list ...ssa.Value) bool {
		for _, x := range list {
			if asksInput(x, depth-1) {
				return true
			}
		}
		return false
	}
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.FieldAddr, *ssa.Field, *ssa.TypeAssert:
		return true
	case *ssa.UnOp:
		return some(v.X)
	case *ssa.BinOp:
		return some(v.X, v.Y)
	case *ssa.IndexAddr:
		return some(v.X)
	case *ssa.Index:
		return some(v.X)
	case *ssa.Extract:
		if next, ok := v.Tuple.(*ssa.Next); ok {
			over, ok := next.Iter.(*ssa.Range)
			return ok && v.Index > 0 && some(over.X)
		}
		return some(v.Tuple)
	case *ssa.Lookup:
		return some(v.X, v.Index)
	case *ssa.Call:
		return some(v.Call.Args...) || v.Call.IsInvoke() && some(v.Call.Value)
	case *ssa.Convert:
		return some(v.X)
	case *ssa.ChangeType:
		return some(v.X)
	case *ssa.ChangeInterface:
		return some(v.X)
	case *ssa.MakeInterface:
		return some(v.X)
	}
	return false
}

// isElement reports whether a value is an element of a list or a map, as loops take it that range over it.
func isElement(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		_, index := v.X.(*ssa.IndexAddr)
		return index
	case *ssa.Index:
		return true
	case *ssa.Extract:
		_, next := v.Tuple.(*ssa.Next)
		return next && v.Index == 2
	}
	return false
}

// rangedTruth returns the condition of the only if statement of a function that asks the truth which a loop ranges over. Such a
// variable has no position in go/ssa. It returns false if there are several such statements.
func (m *Machine) rangedTruth(fn *ssa.Function) (conditionText, bool) {
	body := fn.Syntax()
	if body == nil {
		return conditionText{}, false
	}
	ranged := make(map[types.Object]bool)
	var asked []*ast.Ident
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == body
		case *ast.RangeStmt:
			if id, ok := n.Value.(*ast.Ident); ok {
				ranged[m.pkg.Info.Defs[id]] = true
			}
		case *ast.IfStmt:
			cond := ast.Unparen(n.Cond)
			for not, ok := cond.(*ast.UnaryExpr); ok && not.Op == token.NOT; not, ok = cond.(*ast.UnaryExpr) {
				cond = ast.Unparen(not.X)
			}
			if id, ok := cond.(*ast.Ident); ok && ranged[m.pkg.Info.Uses[id]] {
				asked = append(asked, id)
			}
		}
		return true
	})
	if len(asked) != 1 {
		return conditionText{}, false
	}
	return conditionText{text: asked[0].Name, pos: asked[0].Pos()}, true
}

// conditionText is a condition in the source. For x != y go/ssa makes a branch at the same position as for x
// == y, so the text says what the branch tests.
type conditionText struct {
	text    string
	pos     token.Pos
	negated bool
}

// conditionTexts finds the expressions of the package by the position that go/ssa
// gives their value.
func (m *Machine) conditionTexts() map[token.Pos]conditionText {
	if m.texts != nil {
		return m.texts
	}
	m.texts, m.truths, m.tests = map[token.Pos]conditionText{}, map[token.Pos]conditionText{}, map[token.Pos]conditionText{}
	m.results = map[token.Pos][]ast.Expr{}
	if m.pkg == nil {
		return m.texts
	}
	add := func(at token.Pos, e ast.Expr) {
		m.texts[at] = conditionText{text: types.ExprString(e), pos: e.Pos()}
	}
	for _, f := range m.pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				switch n.Op {
				case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
					add(n.OpPos, n)
				}
			case *ast.CallExpr:
				if m.isAnnotation(n) {
					return false // the condition is no decision of the code under test
				}
				add(n.Lparen, n)
			case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
				m.addTruth(n.(ast.Expr))
			case *ast.AssignStmt:
				m.addResults(n)
			case *ast.TypeAssertExpr:
				m.tests[n.Lparen] = conditionText{text: types.ExprString(n.X), pos: n.Pos()}
			case *ast.TypeSwitchStmt:
				m.addTypeSwitch(n)
			case *ast.SwitchStmt:
				// A clause "case x:" compares the tag with x at the clause's position.
				if n.Tag == nil {
					return true
				}
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						m.texts[e.Pos()] = conditionText{text: types.ExprString(n.Tag) + " == " + types.ExprString(e), pos: e.Pos()}
					}
				}
			}
			return true
		})
	}
	return m.texts
}

// addTypeSwitch notes what the clauses of a switch over types ask. In go/ssa a clause is a type assertion at the position of
// the clause, and nil is a comparison.
func (m *Machine) addTypeSwitch(n *ast.TypeSwitchStmt) {
	var of string
	ast.Inspect(n.Assign, func(x ast.Node) bool {
		if test, ok := x.(*ast.TypeAssertExpr); ok && test.Type == nil {
			of = types.ExprString(test.X)
			return false
		}
		return true
	})
	for _, c := range n.Body.List {
		cc := c.(*ast.CaseClause)
		m.tests[cc.Case] = conditionText{text: of, pos: cc.Pos()}
		for _, e := range cc.List {
			if m.pkg.Info.Types[e].IsNil() {
				m.texts[e.Pos()] = conditionText{text: of + " == nil", pos: e.Pos()}
			}
		}
	}
}

// addTruth notes an expression that is a condition by itself: a parameter, a variable, a field or an element that is a
// truth value.
func (m *Machine) addTruth(e ast.Expr) {
	t := m.pkg.Info.TypeOf(e)
	if t == nil {
		return
	}
	if b, ok := t.Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
		return
	}
	at := e.Pos()
	switch e := e.(type) {
	case *ast.Ident:
		if v, ok := m.pkg.Info.Uses[e].(*types.Var); ok && !v.IsField() {
			// A parameter is no load, so its position is that of its declaration.
			m.truths[v.Pos()] = conditionText{text: e.Name, pos: e.Pos()}
		}
	case *ast.SelectorExpr:
		at = e.Sel.Pos()
	case *ast.IndexExpr:
		at = e.Lbrack
	}
	if _, isIdent := e.(*ast.Ident); !isIdent || m.truths[at].text == "" {
		m.truths[at] = conditionText{text: types.ExprString(e), pos: e.Pos()}
	}
}

// isAnnotation reports whether a call in the package under test is one of an annotation.
func (m *Machine) isAnnotation(call *ast.CallExpr) bool {
	f := gosyntax.Callee(m.pkg.Info, call)
	return f != nil && m.notes.Of(m.prog.Fset, f) != contract.None
}

// Decision is a branch decision of a path.
type Decision struct {
	Instr ssa.Instruction
	Taken bool
}

// Way returns a number for all branches that the target's call took, with symbols for conditions or not, and for which of the keys
// that it looked up were in maps, in functions that it calls, too. Paths with the same number went the same way through the code, from other inputs or objects. It is 0 without
// Config.Show.
func (p *Path) Way() uint64 { return p.State.way }

// Decisions returns all decisions of a path in order, including those in dependencies.
func (p *Path) Decisions() []Decision {
	var out []Decision
	for _, d := range p.State.trail.decisions() {
		out = append(out, Decision{p.State.m.sites[d.site()].ins, d.taken()})
	}
	return out
}

// Complete reports whether every branch of a function has gone both ways on some paths.
func (m *Machine) Complete(fn *ssa.Function) bool {
	f := m.bySSA[fn]
	if f == nil || f.code == nil {
		return false
	}
	for pc, s := range f.sites {
		if s < 0 {
			continue
		}
		switch f.code[pc].Op {
		case opIf, opIfEq, opIfNe, opIfLtS, opIfLeS, opIfLtU, opIfLeU:
			if m.uncovered(int(s)<<2) || m.uncovered(int(s)<<2|1) {
				return false
			}
		}
	}
	return true
}
