package oracle

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// This file translates calls of fmt.Print and its relatives to calls of fmt.Sprint and its relatives, which
// return the text that would be printed.

// printing is the output of a snippet.
type printing struct {
	// rest is the remaining expected output of an example, if the output is compared. Each printed line takes
	// the next line of it.
	rest     string
	compared bool
	last     *printed // output of the last translated statement, or nil if it prints nothing
	since    int      // how many statements have printed since the last comment that was read as output
	perhaps  bool     // a statement among them may have printed or not
}

// printed is a translated call that prints.
type printed struct {
	text   testcase.Ref // the output, without the last line feed
	call   int          // the call of the package whose result is printed
	only   bool         // nothing but the call's first result is printed, as it is
	quotes bool         // texts are printed with their quotes (%q)
	ends   bool         // the output ends with a line feed
	stmt   int
}

// sprints are the functions of fmt that return the text which the others print.
var sprints = map[string]string{"Println": "Sprintln", "Print": "Sprint", "Printf": "Sprintf"}

// prints reports whether a call is one of a printing function of fmt, or of Go's own print or println.
func (o *printing) prints(call *ast.CallExpr) bool {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		x, ok := sel.X.(*ast.Ident)
		return ok && (x.Name == "fmt" || x.Name == "log") && sprints[sel.Sel.Name] != ""
	}
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "println"
}

// isPrint reports whether the statement that was translated last prints.
func (o *printing) isPrint(st ast.Stmt) bool {
	e, ok := st.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	return ok && o.prints(call)
}

// print translates a call that prints, and compares its output with the example's.
func (s *snippet) print(call *ast.CallExpr) bool {
	s.out.since++
	name := "Sprintln"
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		name = sprints[sel.Sel.Name]
	}
	var args []testcase.Ref
	known := s.try(func() bool {
		for _, a := range call.Args {
			ref, ok := s.typeCheck(a)
			if !ok {
				return false
			}
			args = append(args, ref)
		}
		return true
	})
	if !known {
		return false
	}
	if name == "Sprintln" && len(args) == 1 {
		name = "Sprint" // a single value prints the same in both, but for the line feed
	}
	f, err := s.scope.prog.Imported("fmt", name)
	if err != nil {
		return false
	}
	p := printed{call: -1}
	for _, a := range args {
		for k := len(s.calls) - 1; k >= 0; k-- {
			if s.calls[k] == a.Stmt {
				p.call = max(p.call, a.Stmt)
				break
			}
		}
	}
	format := formatOf(call)
	p.quotes = name == "Sprintf" && (strings.Contains(format, "q") || strings.Contains(format, "#v"))
	alone := len(args) == 1 || name == "Sprintf" && len(args) == 2 && slices.Contains([]string{"%v", "%s", "%d", "%t", "%q"}, strings.TrimSuffix(format, "\n"))
	p.only = alone && args[len(args)-1].Result == 0
	p.ends = name == "Sprintln" || name == "Sprintf" && strings.HasSuffix(format, "\n")
	p.text = s.add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, args...)
	p.stmt = len(s.stmts)
	s.out.last = &p
	if s.out.compared {
		return s.printsNext(call, name)
	}
	return true
}

// printsNext compares a printed text with the next lines of an example's output. It returns false if the
// number of lines in the text cannot be known.
func (s *snippet) printsNext(call *ast.CallExpr, name string) bool {
	p := s.out.last
	line, rest, _ := strings.Cut(s.out.rest, "\n")
	if name == "Sprintf" {
		format := formatOf(call)
		if strings.Count(format, "\n") != 1 || !strings.HasSuffix(format, "\n") {
			return false
		}
		line += "\n"
	} else if f, ok := call.Fun.(*ast.SelectorExpr); name == "Sprint" && ok && f.Sel.Name == "Print" {
		return false // the next call may print to the same line
	}
	if name == "Sprintln" {
		line += "\n"
	}
	s.out.rest = rest
	if p.call >= 0 {
		says := "Output: " + strings.TrimSpace(line)
		s.r.add(s.p, s.lineOf(call.Pos()), says, s.called(p.call), wanted{checks: s.saysText(p, line)})
	}
	return true
}

// formatOf returns the constant format of a Printf, or "" if the format is no constant.
func formatOf(call *ast.CallExpr) string {
	if len(call.Args) == 0 {
		return ""
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return ""
	}
	text, err := unquote(lit.Value)
	if err != nil {
		return ""
	}
	return text
}

// printClaim reads a comment as the output of the last statement.
func (s *snippet) printClaim(text string, line int, says string, announced bool) {
	p, since, perhaps := s.out.last, s.out.since, s.out.perhaps
	s.out.since, s.out.perhaps = 0, false
	if p == nil || p.call < 0 || text == "" || perhaps && announced {
		return
	}
	if lines := strings.Split(text, "\n"); since > 1 && len(lines) > 1 {
		if len(lines) != since || perhaps {
			return // it is not known which lines the last statement has printed
		}
		text = strings.TrimSpace(lines[since-1])
	}
	if p.only {
		// A value of the result's own type says more than its text.
		if w, ok := s.valuesOf(p.call, text); ok && !w.soft {
			w.soft = w.goesOn()
			s.r.add(s.p, line, says, s.called(p.call), w)
			return
		}
	}
	if value, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) && !p.quotes {
		text = value // the comment gives the value as Go has it, which is printed without quotes
	}
	if p.ends {
		text += "\n"
	}
	s.r.add(s.p, line, says, s.called(p.call), wanted{checks: s.saysText(p, text), soft: !announced})
}

// valuesOf does the same as values for a call that is not the last statement of the translation.
func (s *snippet) valuesOf(call int, text string) (wanted, bool) {
	t := *s.translator
	t.stmts = t.stmts[: call+1 : call+1]
	return t.values(testcase.Ref{Stmt: call}, text)
}

// saysText returns the sequences that compare printed text with a text.
func (s *snippet) saysText(p *printed, said string) []*testcase.Sequence {
	seq := s.sequence(p.stmt)
	n := seq.Len()
	return []*testcase.Sequence{seq.Extend(
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: stringType, Lit: testcase.Literal{Kind: testcase.LitString, Str: said}}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpCheck, Check: checkOf(stringType)}, Args: []testcase.Ref{p.text, {Stmt: n}}},
	)}
}
