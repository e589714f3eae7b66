package session

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// warnOfEffects warns of clauses of contracts that change something, or that call functions of the package
// which may change something. Such a clause is checked after its own change, and not as the code left the
// values.
func (s *Session) warnOfEffects() {
	if s.Pkg.Contracts == nil {
		return
	}
	pure := purity.New(s.Prog)
	warn := func(clauses []contract.Clause) {
		for _, c := range clauses {
			e, err := parser.ParseExpr(c.Text)
			if err != nil {
				continue // another warning says that the package has no such function
			}
			if name := s.changing(pure, e); name != "" {
				s.Events.Send(event.Diagnostic{Pos: c.Pos, Warning: true,
					Message: fmt.Sprintf("%s: %s may change something; if it does not, write //assay:pure above it", c, name)})
			} else if what := changingItself(e); what != "" {
				s.Events.Send(event.Diagnostic{Pos: c.Pos, Warning: true, Message: fmt.Sprintf("%s: %s changes something", c, what)})
			}
		}
	}
	for _, f := range s.Pkg.Contracts.Funcs {
		warn(f.Clauses)
	}
	for _, t := range s.Pkg.Contracts.Types {
		warn(t.Clauses)
	}
}

// WarnOfFailing warns of the clauses that panic by themselves, or do not return, when they are asked about the values of
// cases: of each once.
func (s *Session) WarnOfFailing(judge finding.Judge, cases []*testcase.Case) {
	told := make(map[token.Position]bool)
	for _, c := range cases {
		clause, why, ok := judge.FailingClause(c)
		if !ok || told[clause.Pos] {
			continue
		}
		told[clause.Pos] = true
		message := fmt.Sprintf("%s %s on some values, of which it then says nothing", clause, why)
		if c.Observed.Status == testcase.Panicked {
			message += ": " + c.Observed.Panic.Message
		}
		s.Events.Send(event.Diagnostic{Pos: clause.Pos, Warning: true, Message: message})
	}
}

// warnOfPredicates warns of methods that have the name of a predicate and are none. Nobody asks such a method whether
// an object is valid.
func (s *Session) warnOfPredicates() {
	for _, t := range s.Pkg.Targets {
		if want := load.Predicates()[t.Obj.Name()]; t.Recv != nil && want != "" && !load.IsPredicate(t.Obj) {
			s.Events.Send(event.Diagnostic{Pos: t.Pos, Warning: true,
				Message: fmt.Sprintf("%s is no predicate: want %s; it is not asked whether an object is valid", t.Name, want)})
		}
	}
}

// changing names the first function of the package that an expression calls and that may change something, or
// "" if there is none. For a method it looks at all methods of the name.
func (s *Session) changing(pure *purity.Analysis, e ast.Expr) string {
	found := ""
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found != "" {
			return found == ""
		}
		for _, t := range s.Pkg.Targets {
			_, method, isMethod := strings.Cut(t.Name, ".")
			switch fun := ast.Unparen(call.Fun).(type) {
			case *ast.Ident:
				ok = !isMethod && fun.Name == t.Name
			case *ast.SelectorExpr:
				ok = isMethod && fun.Sel.Name == method
			default:
				ok = false
			}
			if ok && t.Func != nil && !pure.Pure(t.Func) {
				found = t.Name
			}
		}
		return found == ""
	})
	return found
}

// changingItself says which part of an expression changes something, apart from calls of the package's functions: a
// receive, a builtin, or an assignment in a function literal to a variable that the literal does not declare. It
// returns "" if nothing does.
func changingItself(e ast.Expr) string {
	what := ""
	own := make(map[string]bool) // the names that function literals declare
	declare := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			own[id.Name] = true
		}
	}
	set := func(e ast.Expr) {
		if id := rootOf(e); id == nil || !own[id.Name] && id.Name != "_" {
			what = "a function literal that sets " + types.ExprString(e)
		}
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				what = "a receive"
			}
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && slices.Contains([]string{"delete", "clear", "copy", "close", "print", "println"}, id.Name) {
				what = "a call of " + id.Name
			}
		case *ast.Field:
			for _, id := range n.Names {
				own[id.Name] = true
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				own[id.Name] = true
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				declare(n.Key)
				declare(n.Value)
			}
		case *ast.SendStmt:
			what = "a send"
		case *ast.IncDecStmt:
			set(n.X)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if n.Tok == token.DEFINE {
					declare(l)
				} else {
					set(l)
				}
			}
		}
		return what == ""
	})
	return what
}

// rootOf returns the variable to which an assignment assigns, or to a part of which it assigns. It returns
// nil if there is no such variable.
func rootOf(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.ParenExpr:
		return rootOf(e.X)
	case *ast.SelectorExpr:
		return rootOf(e.X)
	case *ast.IndexExpr:
		return rootOf(e.X)
	}
	return nil
}
