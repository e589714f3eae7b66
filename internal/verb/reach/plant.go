package reach

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/session"
)

// marker is the message of the planted panic.
const marker = "assay: reached"

// assertedSource is a source in which the question has become an assertion.
type assertedSource struct {
	function string // the function that contains the place: "Func" or "Type.Method"
	source   []byte
	asked    string // the question in words
	line     int    // the line of the place, in the source as it was
	// at is where the assertion is in the new source. If it is a clause of a contract, clause is its text.
	// The field shift is by how many lines the rest of the file has moved down.
	at     token.Position
	clause string
	shift  int
}

// plant puts the question into the source of a file.
func plant(name string, src []byte, q Question) (*assertedSource, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, session.UsageError(err.Error())
	}
	if q.Breaks != "" {
		if _, err := parser.ParseExpr(q.Breaks); err != nil || strings.ContainsAny(q.Breaks, "\n\r") {
			return nil, session.UsageError(fmt.Sprintf("the condition %q is no expression of Go on one line", q.Breaks))
		}
	}
	s := &source{name: name, src: src, fset: fset, file: f}
	if q.Line == 0 {
		return s.plantClause(q)
	}
	decl := s.enclosing(q.Line)
	if decl == nil {
		return nil, session.UsageError(fmt.Sprintf("%s:%d is in no function with a body", name, q.Line))
	}
	if q.Outcome != "" {
		return s.plantOutcome(decl, q)
	}
	offset, err := s.place(decl, q.Line)
	if err != nil {
		return nil, err
	}
	if q.Breaks == "" {
		return s.insert(decl, q.Line, offset, "panic(\""+marker+"\"); ", fmt.Sprintf("reach line %d", q.Line)), nil
	}
	return s.insert(decl, q.Line, offset, "if !("+q.Breaks+") { panic(\""+marker+"\") }; ", fmt.Sprintf("%s is false at line %d", q.Breaks, q.Line)), nil
}

// source is a file with its syntax.
type source struct {
	name string
	src  []byte
	fset *token.FileSet
	file *ast.File
}

func (s *source) line(p token.Pos) int   { return s.fset.PositionFor(p, false).Line }
func (s *source) offset(p token.Pos) int { return s.fset.PositionFor(p, false).Offset }

// enclosing returns the declared function that a line is in.
func (s *source) enclosing(line int) *ast.FuncDecl {
	for _, d := range s.file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && s.line(d.Pos()) <= line && line <= s.line(d.End()) {
			return d
		}
	}
	return nil
}

// insert returns the source with a text at an offset. The text contains one panic, which is the assertion.
func (s *source) insert(decl *ast.FuncDecl, line, offset int, text, asked string) *assertedSource {
	out := slices.Concat(s.src[:offset], []byte(text), s.src[offset:])
	call := offset + strings.Index(text, "panic(") + len("panic")
	column := call - bytes.LastIndexByte(out[:call], '\n')
	return &assertedSource{
		function: gosyntax.DeclName(decl), source: out, asked: asked, line: line,
		at: token.Position{Filename: s.name, Line: 1 + bytes.Count(out[:call], []byte("\n")), Column: column},
	}
}

// point is a place where a statement can be put.
type point struct {
	line, end int // the lines of the statement that follows, or of the bracket or colon in front
	offset    int
	statement bool // a statement follows
	compound  bool // and it contains statements
}

// place returns the offset of the first statement on a line.
func (s *source) place(decl *ast.FuncDecl, line int) (int, error) {
	var points []point
	list := func(stmts []ast.Stmt) {
		for _, st := range stmts {
			if _, empty := st.(*ast.EmptyStmt); empty {
				continue
			}
			compound := false
			ast.Inspect(st, func(n ast.Node) bool {
				_, block := n.(*ast.BlockStmt)
				compound = compound || block
				return !compound
			})
			points = append(points, point{s.line(st.Pos()), s.line(st.End()), s.offset(st.Pos()), true, compound})
		}
	}
	clauses := make(map[*ast.BlockStmt]bool) // bodies that consist of clauses, and not of statements
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			clauses[n.Body] = true
		case *ast.TypeSwitchStmt:
			clauses[n.Body] = true
		case *ast.SelectStmt:
			clauses[n.Body] = true
		case *ast.BlockStmt:
			if clauses[n] {
				return true
			}
			points = append(points, point{s.line(n.Lbrace), s.line(n.Lbrace), s.offset(n.Lbrace) + 1, false, false})
			list(n.List)
		case *ast.CaseClause:
			points = append(points, point{s.line(n.Pos()), s.line(n.Colon), s.offset(n.Colon) + 1, false, false})
			list(n.Body)
		case *ast.CommClause:
			points = append(points, point{s.line(n.Pos()), s.line(n.Colon), s.offset(n.Colon) + 1, false, false})
			list(n.Body)
		}
		return true
	})
	if i := slices.IndexFunc(points, func(p point) bool { return p.statement && p.line == line }); i >= 0 {
		return points[i].offset, nil
	}
	best := -1
	for i, p := range points {
		switch {
		case !p.statement && p.line <= line && line <= p.end:
			best = i // the block that begins last on the line
		case p.statement && !p.compound && p.line <= line && line <= p.end:
			return p.offset, nil
		}
	}
	if best >= 0 {
		return points[best].offset, nil
	}
	var near []string
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(abs(a.line-line), abs(b.line-line)) })
	for _, p := range points[:min(3, len(points))] {
		near = append(near, fmt.Sprint(p.line))
	}
	return 0, session.UsageError(fmt.Sprintf("%s:%d: nothing is executed at this line; there is at %s", s.name, line, strings.Join(near, ", ")))
}

func abs(n int) int { return max(n, -n) }

// plantOutcome makes the requested outcome of a condition panic.
func (s *source) plantOutcome(decl *ast.FuncDecl, q Question) (*assertedSource, error) {
	var cond ast.Expr
	consider := func(e ast.Expr) {
		if e == nil || s.line(e.Pos()) > q.Line || s.line(e.End()) < q.Line {
			return
		}
		if q.Column == 0 {
			if cond == nil {
				cond = e
			}
			return
		}
		for e != nil {
			p, end := s.fset.PositionFor(e.Pos(), false), s.fset.PositionFor(e.End(), false)
			if q.Line == p.Line && q.Column < p.Column || q.Line == end.Line && q.Column >= end.Column {
				return
			}
			cond = e
			e = s.operandAt(e, q)
		}
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			consider(n.Cond)
		case *ast.ForStmt:
			consider(n.Cond)
		}
		return true
	})
	if cond == nil {
		return nil, session.UsageError(fmt.Sprintf("%s:%d: there is no condition of an if or for here", s.name, q.Line))
	}
	not := ""
	if q.Outcome == "false" {
		not = "!"
	}
	from, to := s.offset(cond.Pos()), s.offset(cond.End())
	text := string(s.src[from:to])
	before := "func(b bool) bool { if " + not + "b { panic(\"" + marker + "\") }; return b }("
	p := s.insert(decl, q.Line, from, before, fmt.Sprintf("%s is %s at line %d", text, q.Outcome, q.Line))
	end := to + len(before)
	p.source = slices.Concat(p.source[:end], []byte(")"), p.source[end:])
	return p, nil
}

// operandAt returns the operand of a logical expression at a column, or nil if the expression has none.
func (s *source) operandAt(e ast.Expr, q Question) ast.Expr {
	at := func(e ast.Expr) bool {
		p, end := s.fset.PositionFor(e.Pos(), false), s.fset.PositionFor(e.End(), false)
		after := q.Line > p.Line || q.Line == p.Line && q.Column >= p.Column
		return after && (q.Line < end.Line || q.Line == end.Line && q.Column < end.Column)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		if at(e.X) {
			return e.X
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT && at(e.X) {
			return e.X
		}
	case *ast.BinaryExpr:
		if e.Op != token.LAND && e.Op != token.LOR {
			return nil
		}
		for _, x := range []ast.Expr{e.X, e.Y} {
			if at(x) {
				return x
			}
		}
	}
	return nil
}

// plantClause adds the condition on the function's results as a clause.
func (s *source) plantClause(q Question) (*assertedSource, error) {
	for _, d := range s.file.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || gosyntax.DeclName(d) != q.Func || d.Body == nil {
			continue
		}
		offset := s.offset(d.Type.Func)
		text := "//assay:ensures " + q.Breaks + "\n"
		return &assertedSource{
			function: q.Func, source: slices.Concat(s.src[:offset], []byte(text), s.src[offset:]), asked: q.Breaks + " is false when " + q.Func + " returns",
			line: s.line(d.Pos()), clause: q.Breaks, shift: strings.Count(text, "\n"), at: token.Position{Filename: s.name, Line: s.line(d.Type.Func)},
		}, nil
	}
	return nil, session.UsageError(fmt.Sprintf("%s declares no function %s with a body", s.name, q.Func))
}
