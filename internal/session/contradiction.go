package session

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/gosyntax"
)

// warnOfContradictions warns of two promises of a function, or two invariants of a type, that no value keeps: they compare
// the same expression with constants, and no number is in both ranges, or the same two expressions. Each call would break one of them, and the finding
// would blame the function.
func (s *Session) warnOfContradictions() {
	if s.Pkg.Contracts == nil {
		return
	}
	for _, f := range s.Pkg.Contracts.Funcs {
		s.warnOfContradiction(f.Clauses, func(k contract.Kind) bool { return k == contract.Ensures }, "nothing keeps both")
	}
	for _, t := range s.Pkg.Contracts.Types {
		s.warnOfContradiction(t.Clauses, func(contract.Kind) bool { return true }, "nothing keeps both")
	}
}

// WarnOfRequirements warns of two requirements of a function that no input satisfies. Verbs that make inputs say so where they
// find none, but what a verifier says of such a function holds of no call at all.
func (s *Session) WarnOfRequirements() {
	if s.Pkg.Contracts == nil {
		return
	}
	for _, f := range s.Pkg.Contracts.Funcs {
		s.warnOfContradiction(f.Clauses, func(k contract.Kind) bool { return k == contract.Requires }, "no input satisfies both, and what is said of "+f.Decl.Name.Name+" holds of no call")
	}
}

// warnOfContradiction warns of the first clause of certain kinds that contradicts an earlier one, or itself.
func (s *Session) warnOfContradiction(clauses []contract.Clause, kind func(contract.Kind) bool, so string) {
	type bound struct {
		comparison
		from contract.Clause
	}
	var bounds []bound
	for _, c := range clauses {
		e, err := parser.ParseExpr(c.Text)
		if err != nil || !kind(c.Kind) {
			continue
		}
		for _, cmp := range s.comparisons(e) {
			for _, b := range bounds {
				if b.excludes(cmp) {
					s.Events.Send(event.Diagnostic{Pos: c.Pos, Warning: true, Message: fmt.Sprintf("%s contradicts %s: %s", c, strings.Replace(b.from.String(), c.String(), "itself", 1), so)})
					return
				}
			}
			bounds = append(bounds, bound{cmp, c})
		}
	}
}

// comparison says how an expression compares with a number, or with another expression.
type comparison struct {
	what   string // the expression, as text
	op     token.Token
	number constant.Value
}

// comparisons lists the comparisons that hold wherever e does.
func (s *Session) comparisons(e ast.Expr) []comparison {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	if b.Op == token.LAND {
		return append(s.comparisons(b.X), s.comparisons(b.Y)...)
	}
	x, op, n := b.X, b.Op, s.numberOf(b.Y)
	if n == nil {
		x, op, n = b.Y, gosyntax.Mirrored(b.Op), s.numberOf(b.X)
	}
	if _, ok := gosyntax.Negated(op); !ok || s.numberOf(x) != nil {
		return nil
	}
	if n == nil {
		return []comparison{between(types.ExprString(b.X), b.Op, types.ExprString(b.Y))}
	}
	return []comparison{{types.ExprString(x), op, n}}
}

// between is the comparison of two expressions: of their difference with zero, as it were.
func between(x string, op token.Token, y string) comparison {
	if x > y {
		x, op, y = y, gosyntax.Mirrored(op), x
	}
	return comparison{x + " and " + y, op, constant.MakeInt64(0)}
}

// numberOf returns the number that an expression is in the package, or nil if it is no constant number.
func (s *Session) numberOf(e ast.Expr) constant.Value {
	v, err := types.Eval(token.NewFileSet(), s.Pkg.Types, token.NoPos, types.ExprString(e))
	if err != nil || v.Value == nil || v.Value.Kind() != constant.Int && v.Value.Kind() != constant.Float {
		return nil
	}
	return v.Value
}

// excludes reports whether no number satisfies both comparisons.
func (a comparison) excludes(b comparison) bool {
	if a.what != b.what {
		return false
	}
	holds := func(x constant.Value, c comparison) bool { return constant.Compare(x, c.op, c.number) }
	switch {
	case a.op == token.EQL:
		return !holds(a.number, b)
	case b.op == token.EQL:
		return !holds(b.number, a)
	case a.op == token.NEQ || b.op == token.NEQ:
		return false
	}
	lo, hi := a, b
	if b.op == token.GTR || b.op == token.GEQ {
		lo, hi = b, a
	}
	if lo.op == token.LSS || lo.op == token.LEQ || hi.op == token.GTR || hi.op == token.GEQ {
		return false // both are lower bounds, or both are upper ones
	}
	if constant.Compare(lo.number, token.EQL, hi.number) {
		return lo.op == token.GTR || hi.op == token.LSS
	}
	return constant.Compare(lo.number, token.GTR, hi.number)
}
