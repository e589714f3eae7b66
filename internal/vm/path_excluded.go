package vm

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/bits"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
)

// Excluded is an outcome of a condition in the package under test that no path took
// because Assume excludes it.
type Excluded struct {
	Pos       token.Position
	Condition string // the condition that would have to hold
	// Shown are the blocks that run only where the condition has had this outcome, by their places. An execution that has run one
	// of them has had it. Comparing the conditions' texts would not do: they are printed here, and there they are the source's.
	Shown []testcase.Block
	// Hard says that the assumptions exclude the outcome whatever was decided before. If it is false
	// they exclude it together with the decisions of the paths so far, and only following all paths
	// proves that no other path has it.
	Hard bool
	// Beyond says that a path had the outcome behind an assumption that did not hold on it.
	Beyond bool
}

// exclusion says what keeps a path from an outcome.
type exclusion uint8

const (
	notExcluded exclusion = iota // decisions on the path exclude the outcome
	byPath                       // assumptions exclude the outcome after the path's decisions
	byHard                       // assumptions alone exclude the outcome
)

// exclude notes that one outcome of a branch is infeasible on a path with assumptions, and finds out whether
// the assumptions exclude the outcome. It asks once for each outcome that is not covered, with the
// assumptions left out of the path condition.
//
// Outcomes in the calls that prepare say nothing about the target.
func (m *Machine) exclude(st *State, site int32, c term.ID, onFalse bool) {
	if st.call < len(st.driver.Calls)-1 || st.handed {
		return
	}
	n := int(site) << 2
	if !onFalse {
		n |= 1
	}
	defer m.pass(st, n, c, onFalse)
	if old, asked := m.exclusions[n]; asked && old != notExcluded || !m.sites[site].own || !m.uncovered(n) {
		return
	}
	without := map[term.ID]bool{}
	for _, h := range slices.Concat(st.hard, st.weighed) {
		m.conjuncts(h, without)
	}
	q := m.sctx.NewPath()
	defer q.Release()
	for _, k := range st.pc.Conjuncts() {
		if !without[k] {
			m.sctx.Assume(q, k)
		}
	}
	for _, k := range st.past {
		m.sctx.Assume(q, k)
	}
	if onFalse {
		c = m.ts.Not(c)
	}
	if m.sctx.Feasible(q, c) != solver.Sat {
		m.exclusions[n] = notExcluded
		return
	}
	alone := m.sctx.NewPath()
	defer alone.Release()
	for _, h := range st.hard {
		m.sctx.Assume(alone, h)
	}
	m.exclusions[n] = byPath
	if m.sctx.Feasible(alone, c) == solver.Unsat {
		m.exclusions[n] = byHard
	}
}

// pass notes the way that a branch went which decisions for an assumption leave no other one. Without it what an earlier branch excludes would be
// laid at the assumption: of x > 0 || y > 0 one path knows that x > 0, and behind "if x <= 0 { return }" the others know it as well.
func (m *Machine) pass(st *State, n int, c term.ID, onFalse bool) {
	if len(st.weighed) == 0 || m.exclusions[n] == byHard {
		return
	}
	if !onFalse {
		c = m.ts.Not(c)
	}
	st.past = append(slices.Clip(st.past), c)
}

// conjuncts adds the conjuncts of a condition to a set.
func (m *Machine) conjuncts(c term.ID, set map[term.ID]bool) {
	set[c] = true
	if m.ts.Op(c) == term.OpAnd && m.ts.Width(c) == 1 {
		for _, a := range m.ts.Args(c) {
			m.conjuncts(a, set)
		}
	}
}

// span is a part of the source.
type span struct{ from, to token.Pos }

// weigh notes a decision for two paths, on one of which a condition holds, if it was made while the condition of an Assume was computed: an
// operand of && or || there, or a return of a predicate that it calls. On the path that goes on, the assumption has excluded
// the other outcome.
func (m *Machine) weigh(holds, other *State, site int32, c term.ID) {
	if m.assuming == nil {
		m.assuming = m.argumentsOfAssume()
	}
	if len(m.assuming) == 0 || !m.isAssuming(holds, site) {
		return
	}
	holds.weighed = append(slices.Clip(holds.weighed), c)
	other.weighed = append(slices.Clip(other.weighed), m.ts.Not(c))
}

// isAssuming reports whether a branch, or a call in which the branch is, belongs to the argument of an Assume.
func (m *Machine) isAssuming(st *State, site int32) bool {
	within := func(at token.Pos) bool {
		return slices.ContainsFunc(m.assuming, func(s span) bool { return s.from <= at && at <= s.to })
	}
	if within(m.sites[site].pos) {
		return true
	}
	for f := st.g().top.parent; f != nil; f = f.parent {
		if at := int(f.pc) - 1; f.fn != nil && at >= 0 && at < len(f.fn.pos) && within(f.fn.pos[at]) {
			return true
		}
	}
	return false
}

// argumentsOfAssume finds the arguments of calls of Assume in the package.
func (m *Machine) argumentsOfAssume() []span {
	out := []span{}
	if m.pkg == nil || m.pkg.Info == nil {
		return out
	}
	for _, f := range m.pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fun := ast.Unparen(call.Fun)
			if sel, ok := fun.(*ast.SelectorExpr); ok {
				fun = sel.Sel
			}
			if id, ok := fun.(*ast.Ident); ok {
				if obj, ok := m.pkg.Info.Uses[id].(*types.Func); ok && m.notes.Of(m.prog.Fset, obj) == contract.Assume {
					out = append(out, span{call.Lparen, call.Rparen})
				}
			}
			return true
		})
	}
	return out
}

// Excluded lists the outcomes of conditions that no path took so far and that Assume
// excludes, in the order of the source.
func (m *Machine) Excluded() []Excluded {
	var clauses map[token.Pos]clauseOf
	var out []Excluded
	for _, n := range m.leftOut() {
		text, ok := m.conditionAt(m.sites[n>>2], true)
		if !ok {
			continue
		}
		if clauses == nil {
			clauses = m.clauses()
		}
		condition, holds := text.text, (n&1 == 1) != text.negated
		if !holds {
			condition = "!(" + condition + ")"
		}
		out = append(out, Excluded{
			Pos: m.prog.Fset.Position(text.pos), Condition: condition, Hard: m.exclusions[n] == byHard, Beyond: hasBit(m.beyond, n), Shown: m.shown(text.pos, holds, clauses),
		})
	}
	slices.SortStableFunc(out, func(a, b Excluded) int {
		if a.Pos.Filename != b.Pos.Filename {
			return len(a.Pos.Filename) - len(b.Pos.Filename)
		}
		return a.Pos.Offset - b.Pos.Offset
	})
	return out
}

// leftOut returns the outcomes of branches that no path took, and that assumptions exclude: by their terms, or because only paths on which an
// assumption does not hold have taken them.
func (m *Machine) leftOut() []int {
	var out []int
	for n, how := range m.exclusions {
		if how != notExcluded && m.uncovered(n) {
			out = append(out, n)
		}
	}
	for w, set := range m.beyond {
		for ; set != 0; set &= set - 1 {
			n := w<<6 + bits.TrailingZeros64(set)
			_, isIf := m.sites[n>>2].ins.(*ssa.If)
			if isIf && n&2 == 0 && m.sites[n>>2].own && !hasBit(m.reached, n) && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return out
}

// shown returns the places of the blocks that run only where a condition has had an outcome. Most conditions have a block for
// each outcome, at their own place. Conditions of a switch have none, so the statements of its clauses tell: those of the
// clause itself, and if the condition is false, those of the clauses behind it.
func (m *Machine) shown(at token.Pos, holds bool, clauses map[token.Pos]clauseOf) []testcase.Block {
	out := []testcase.Block{{Pos: m.prog.Fset.Position(at), Text: "a condition", Value: holds}}
	c, ok := clauses[at]
	if !ok {
		return out
	}
	statements := func(clause *ast.CaseClause) {
		from := clause.Colon + 1
		if len(clause.Body) > 0 {
			from = clause.Body[0].Pos()
		}
		out = append(out, testcase.Block{Pos: m.prog.Fset.Position(from)})
	}
	if holds != c.negated {
		statements(c.in.Body.List[c.clause].(*ast.CaseClause))
		return out
	}
	for i, s := range c.in.Body.List {
		// Whoever falls through to the next clause has not gone past the condition.
		if clause := s.(*ast.CaseClause); clause.List == nil || i > c.clause && !fallsThrough(c.in.Body.List[i-1]) {
			statements(clause)
		}
	}
	return append(out, testcase.Block{Pos: m.prog.Fset.Position(c.in.Switch), Text: "no case applies", Value: true})
}

// fallsThrough reports whether a clause ends with the statement fallthrough.
func fallsThrough(clause ast.Stmt) bool {
	body := clause.(*ast.CaseClause).Body
	if len(body) == 0 {
		return false
	}
	b, ok := body[len(body)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// clauseOf says of which clause of a switch a condition decides. If it is negated, the clause runs where the condition is false.
type clauseOf struct {
	in      *ast.SwitchStmt
	clause  int
	negated bool
}

// clauses finds the conditions of the package that decide of the clauses of a switch, by where they begin. Operands of && and ||
// are not among them, because they have blocks of their own.
func (m *Machine) clauses() map[token.Pos]clauseOf {
	out := make(map[token.Pos]clauseOf)
	for _, f := range m.pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SwitchStmt)
			if !ok {
				return true
			}
			for i, c := range s.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					of := clauseOf{in: s, clause: i}
					if s.Tag == nil {
						e = ast.Unparen(e)
						for not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT; not, ok = e.(*ast.UnaryExpr) {
							e, of.negated = ast.Unparen(not.X), !of.negated
						}
						if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
							continue
						}
					}
					out[e.Pos()] = of
				}
			}
			return true
		})
	}
	return out
}
