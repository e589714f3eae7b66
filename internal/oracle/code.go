package oracle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// snippet is a piece of code of a passage that is translated from its beginning on.
type snippet struct {
	*translator
	r    *reader
	p    passage
	line func(token.Pos) int
	says func(line int) string // the text of a line
	// local are the variables of the code under names that no package declares.
	local map[string]string
	info  *types.Info // of the expression that was checked last
	out   printing
}

// code reads a block as Go; false if it is none.
func (r *reader) code(p passage, b block) bool {
	if !mentionsCall(b) {
		return false
	}
	var text strings.Builder
	for _, l := range b.lines {
		text.WriteString(l.text + "\n")
	}
	file, fset, shift := parseBlock(text.String())
	if file == nil {
		return false
	}
	lineOf := func(pos token.Pos) int {
		i := fset.Position(pos).Line - 1 - shift
		return b.lines[min(max(i, 0), len(b.lines)-1)].number
	}
	says := func(line int) string {
		for _, l := range b.lines {
			if l.number == line {
				return l.text
			}
		}
		return ""
	}
	for _, d := range file.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil || fd.Recv != nil || fd.Type.Params.NumFields() > 0 {
			continue
		}
		s := r.snippet(p, fset, importsOf(file), lineOf, says)
		s.comments(file, fd.Body)
	}
	return true
}

// mentionsCall reports whether anything in a block looks like a call.
func mentionsCall(b block) bool {
	for _, l := range b.lines {
		if strings.Contains(l.text, "(") {
			return true
		}
	}
	return false
}

// parseBlock parses a file, or statements; shift is how many lines come before them. It is nil for
// what is neither.
func parseBlock(text string) (file *ast.File, fset *token.FileSet, shift int) {
	const mode = parser.ParseComments | parser.SkipObjectResolution
	for _, around := range []struct {
		before, after string
		lines         int
	}{{"", "", 0}, {"package p; func _() {\n", "\n}", 1}, {"package p\n", "", 1}} {
		fset = token.NewFileSet()
		if f, err := parser.ParseFile(fset, "", around.before+text+around.after, mode); err == nil {
			return f, fset, around.lines
		}
	}
	return nil, nil, 0
}

func importsOf(file *ast.File) map[string]string {
	out := make(map[string]string)
	for _, i := range file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		out[name] = path
	}
	return out
}

func (r *reader) snippet(p passage, fset *token.FileSet, imports map[string]string, line func(token.Pos) int, says func(int) string) *snippet {
	return &snippet{translator: newTranslator(r.scope.fresh(imports), fset), r: r, p: p, line: line, says: says, local: make(map[string]string)}
}

// comments translates the statements of a body, and reads the comments behind them as what they
// come to.
func (s *snippet) comments(file *ast.File, body *ast.BlockStmt) {
	behind := make(map[int]*ast.Comment) // by line
	alone := make(map[int]*ast.Comment)
	used := make(map[int]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		if n != nil {
			used[s.fset.Position(n.Pos()).Line] = true
			_, isComment := n.(*ast.CommentGroup)
			return !isComment
		}
		return true
	})
	for _, g := range file.Comments {
		for _, c := range g.List {
			if c.Pos() < body.Lbrace || c.Pos() > body.Rbrace {
				continue
			}
			behind[s.fset.Position(c.Pos()).Line] = c
			alone[s.fset.Position(c.Pos()).Line] = c
		}
	}
	for i, st := range body.List {
		if i >= maxStatements || !s.statement(st) {
			return
		}
		end := s.fset.Position(st.End()).Line
		c := behind[end]
		marked := false
		if c == nil {
			if c = alone[end+1]; c != nil {
				if _, ok := cutMarker(commentText(c)); !ok {
					c = nil
				}
				marked = c != nil
			}
		}
		if c != nil {
			s.claim(st, c, marked)
		}
	}
}

func commentText(c *ast.Comment) string {
	text := strings.TrimPrefix(c.Text, "//")
	if t, ok := strings.CutPrefix(text, "/*"); ok {
		text = strings.TrimSuffix(t, "*/")
	}
	return strings.TrimSpace(text)
}

// cutMarker returns what a comment says behind a word that announces a value.
func cutMarker(text string) (string, bool) {
	for _, m := range []string{"Output:", "output:", "Outputs:", "Prints:", "prints:", "=>", "->", "→", "⇒", "==", "returns ", "Returns ", "prints ", "Prints ", "= "} {
		if rest, ok := strings.CutPrefix(text, m); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return text, false
}

// claim reads a comment as what a statement comes to: what it prints, or what its call returns.
func (s *snippet) claim(st ast.Stmt, c *ast.Comment, marked bool) {
	if len(s.calls) == 0 {
		return
	}
	text, announced := cutMarker(commentText(c))
	line := s.line(c.Pos())
	says := s.says(line)
	if marked {
		says = s.says(s.line(st.Pos())) + " " + says
	}
	if s.out.isPrint(st) {
		s.printClaim(text, line, says, announced)
		return
	}
	last := s.calls[len(s.calls)-1]
	if len(s.stmts) != last+1 {
		return // the call is part of something else
	}
	w, ok := s.values(testcase.Ref{Stmt: last}, text)
	if !ok {
		return
	}
	// A number alone behind a statement may be a number of anything.
	bare := !announced && strings.Trim(text, "-0123456789") == ""
	s.r.add(s.p, line, says, s.called(last), w.checks, w.soft || bare || strings.TrimLeft(w.rest, " .") != "")
}

// called returns the call that a statement of the translation is.
func (s *snippet) called(stmt int) called {
	seq := s.sequence(stmt + 1)
	return called{testcase.TargetName(seq.Last().Op.Func), seq}
}

// statement translates a statement; false ends the translation.
func (s *snippet) statement(st ast.Stmt) bool {
	s.out.last = nil
	switch st := st.(type) {
	case *ast.EmptyStmt:
		return true
	case *ast.ExprStmt:
		call, ok := ast.Unparen(st.X).(*ast.CallExpr)
		if !ok {
			line := s.line(st.Pos()) // Foo("a") == "b"
			s.r.line(s.p, line, s.says(line))
			return true
		}
		if s.out.prints(call) {
			return s.print(call)
		}
		_, ok = s.check(st.X)
		return ok
	case *ast.AssignStmt:
		return s.assign(st)
	case *ast.DeclStmt:
		return s.declaration(st)
	case *ast.DeferStmt:
		return true // it runs after all that is looked at
	case *ast.IfStmt:
		return handlesError(st)
	}
	return false
}

// handlesError reports whether a statement only says what happens where a call has failed.
func handlesError(st *ast.IfStmt) bool {
	if st.Init != nil || st.Else != nil {
		return false
	}
	b, ok := st.Cond.(*ast.BinaryExpr)
	if !ok || b.Op != token.NEQ {
		return false
	}
	x, ok1 := b.X.(*ast.Ident)
	y, ok2 := b.Y.(*ast.Ident)
	return ok1 && ok2 && y.Name == "nil" && strings.HasPrefix(strings.ToLower(x.Name), "err")
}

// check checks and translates an expression.
func (s *snippet) check(e ast.Expr) (testcase.Ref, bool) {
	s.rename(e)
	info, ok := s.scope.check(s.fset, e)
	if !ok {
		return testcase.Ref{}, false
	}
	s.info = info
	var ref testcase.Ref
	ok = s.try(func() (ok bool) {
		ref, ok = s.expr(info, e)
		return ok
	})
	return ref, ok
}

// rename gives the variables of the code the names under which they are declared in the scope.
func (s *snippet) rename(e ast.Expr) {
	fields := make(map[*ast.Ident]bool)
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			fields[n.Sel] = true
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				fields[id] = true
			}
		case *ast.Ident:
			if to, ok := s.local[n.Name]; ok && !fields[n] {
				n.Name = to
			}
		}
		return true
	})
}

// declare makes a name mean a result.
func (s *snippet) declare(name string, t types.Type, ref testcase.Ref) bool {
	if name == "_" {
		return true
	}
	unique := name + " " + strconv.Itoa(len(s.vars))
	v, ok := s.scope.declare(unique, t)
	if !ok {
		return false
	}
	s.local[name] = unique
	s.vars[v] = ref
	return true
}

// example reads an example with the output that it says.
func (r *reader) example(p passage) {
	line := func(pos token.Pos) int { return p.fset.Position(pos).Line }
	body, ok := p.example.Code.(*ast.BlockStmt)
	if !ok {
		if file, isFile := p.example.Code.(*ast.File); isFile {
			for _, d := range file.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Name.Name == "main" {
					body = fd.Body
				}
			}
		}
		if body == nil {
			return
		}
	}
	output := strings.TrimRight(p.example.Output, "\n")
	s := r.snippet(p, p.fset, p.imports, line, func(int) string { return "" })
	s.out.rest, s.out.compared = output, true
	for i, st := range body.List {
		if i >= maxStatements || !s.statement(st) || !s.out.compared {
			return
		}
	}
}
