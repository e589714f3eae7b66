package session

import (
	"fmt"
	"go/ast"
	"go/parser"
	"strings"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/purity"
)

// warnOfEffects warns of contracts whose clauses call functions of the package that may change
// something: the check then no longer sees the state that the call left.
func (s *Session) warnOfEffects() {
	if s.Pkg.Contracts == nil {
		return
	}
	pure := purity.NewPurity(s.Prog)
	warn := func(clauses []contract.Clause) {
		for _, c := range clauses {
			if name := s.changing(pure, c.Text); name != "" {
				s.Events.Send(event.Diagnostic{Pos: c.Pos, Warning: true,
					Message: fmt.Sprintf("%s: %s may change something; if it does not, //assay:pure above it says so", c, name)})
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

// changing names the first function of the package that an expression calls and that may change
// something, "" if there is none. For a method it looks at all methods with that name.
func (s *Session) changing(pure *purity.Purity, text string) string {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return ""
	}
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
