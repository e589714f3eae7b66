package oracle

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// snippet is a piece of code of a passage that is being translated, from its beginning on.
type snippet struct {
	*translator
	r    *reader
	p    passage
	line func(token.Pos) int
	says func(line int) string // returns the text of a line
	// local has the variables of the code, under names that no package declares.
	local map[string]string
	info  *types.Info // the types of the expression that was checked last
	out   printing
	// lost says that a statement could not be translated. Its effects are not known, so no claims are read
	// behind the statement. Calls behind it are still uses.
	lost bool
	// denied says that the comment behind the current statement says something else than that it holds.
	denied bool
	// turn is the line of the loop of which a turn is being translated, or 0.
	turn int
}

// lineOf returns the line of a position. Turns of loops have positions of their own.
func (s *snippet) lineOf(pos token.Pos) int {
	if s.turn > 0 {
		return s.turn
	}
	return s.line(pos)
}

// code reads a block as Go. It returns false if the block is no Go code.
func (r *reader) code(p passage, b block) bool {
	if !isCode(b) {
		return false
	}
	var text strings.Builder
	for _, l := range b.lines {
		if line := l.text; strings.TrimSpace(line) != "..." { // "..." stands for further lines
			text.WriteString(line)
		}
		text.WriteString("\n")
	}
	file, fset, shift := parseBlock(text.String())
	imports := map[string]string{}
	if file == nil {
		// Many texts show an import and, behind it, statements. No Go file may have both, so they are
		// separated.
		head, rest := splitImports(text.String())
		if head == nil {
			return false
		}
		if file, fset, shift = parseBlock(rest); file == nil {
			return false
		}
		imports = importsOf(head)
	}
	maps.Copy(imports, importsOf(file))
	for name, path := range imports {
		r.imports[name] = path
	}
	imports = maps.Clone(r.imports) // later blocks of a text leave out what earlier ones have imported
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
	local := localTypes(file)
	for _, d := range file.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil {
			continue
		}
		s := r.snippet(p, fset, imports, lineOf, says)
		for i := len(r.blocks) - 1; i >= 0 && fd.Name.Name == "_"; i-- {
			if s.goesOn(fd.Body, r.blocks[i]) {
				s.continues(r.blocks[i])
				break
			}
		}
		s.provideContext(fd.Body)
		for _, t := range local {
			s.declareType(t) // a type that is not known makes what uses it unknown, too
		}
		s.lost = fd.Recv != nil || fd.Type.Params.NumFields() > 0 // the function's arguments are not known
		s.comments(file, fd.Body)
		if fd.Name.Name == "_" {
			r.remember(s)
			r.blocks = append(r.blocks[max(0, len(r.blocks)-maxBlocks+1):], s)
		}
	}
	return true
}

// goesOn reports whether a block of statements uses a variable that neither it nor the package declares, and that a
// block before it does. Many texts explain code piece by piece.
func (s *snippet) goesOn(body *ast.BlockStmt, before *snippet) bool {
	own := declaredIn(body)
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, func(x ast.Node) bool {
				id, ok := x.(*ast.Ident)
				found = found || ok && s.isFrom(id, own, before)
				return true
			})
			return false
		case *ast.Ident:
			found = found || s.isFrom(n, own, before)
		}
		return !found
	})
	return found
}

// isFrom reports whether an identifier can only denote what a block of code declared earlier.
func (s *snippet) isFrom(id *ast.Ident, own map[string]bool, before *snippet) bool {
	return !own[id.Name] && before.local[id.Name] != "" && s.scope.env.Scope().Lookup(id.Name) == nil
}

// continues begins with all that another snippet has translated.
func (s *snippet) continues(before *snippet) {
	s.scope, s.lost = before.scope, before.lost
	s.stmts, s.calls = slices.Clone(before.stmts), slices.Clone(before.calls)
	s.vars, s.pointers, s.fields, s.local = maps.Clone(before.vars), maps.Clone(before.pointers), maps.Clone(before.fields), maps.Clone(before.local)
}

// provideContext declares the variable ctx if a block uses one that nothing declares. Texts leave out what every caller
// has.
func (s *snippet) provideContext(body *ast.BlockStmt) {
	const name = "ctx"
	if s.local[name] != "" || s.scope.env.Scope().Lookup(name) != nil || declaredIn(body)[name] {
		return
	}
	used := false
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		used = used || ok && id.Name == name
		return !used
	})
	p := s.scope.imported("context")
	if !used || p == nil {
		return
	}
	background, ok := p.Scope().Lookup("Background").(*types.Func)
	if !ok {
		return
	}
	ref := s.add(&testcase.Operation{Kind: testcase.OpFunc, Func: background})
	s.declare(name, background.Signature().Results().At(0).Type(), ref) // nothing else has the name
}

// typesWithMethods returns the names of the types that code in the passage declares methods of.
func (p passage) typesWithMethods() map[string]bool {
	out := make(map[string]bool)
	if p.example != nil {
		return out
	}
	for _, b := range p.blocks() {
		var text strings.Builder
		for _, l := range b.lines {
			text.WriteString(l.text + "\n")
		}
		if b.foreign || !b.code || !strings.Contains(text.String(), "func (") {
			continue
		}
		if file, _, _ := parseBlock(text.String()); file != nil {
			for _, d := range file.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok {
					out[gosyntax.ReceiverName(fd)] = true
				}
			}
		}
	}
	return out
}

// localTypes returns the types without methods that a file declares, each behind those that it mentions.
func localTypes(file *ast.File) []*ast.TypeSpec {
	withMethods := make(map[string]bool)
	byName := make(map[string]*ast.TypeSpec)
	var names []string
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			withMethods[gosyntax.ReceiverName(d)] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok && byName[t.Name.Name] == nil {
					byName[t.Name.Name] = t
					names = append(names, t.Name.Name)
				}
			}
		}
	}
	var out []*ast.TypeSpec
	var add func(name string)
	add = func(name string) {
		t := byName[name]
		if t == nil || withMethods[name] {
			return
		}
		byName[name] = nil
		ast.Inspect(t.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				add(id.Name)
			}
			return true
		})
		out = append(out, t)
	}
	for _, name := range names {
		add(name)
	}
	return out
}

// isCode reports whether something in a block looks like a call or an import, or names a value.
func isCode(b block) bool {
	for _, l := range b.lines {
		if strings.Contains(l.text, "(") || strings.Contains(l.text, ":=") || strings.HasPrefix(l.text, "import ") {
			return true
		}
	}
	return false
}

// parseBlock parses a file, or statements; shift is how many lines were put in front of them. It
// returns nil for other text.
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

// splitImports returns the package clause and the imports that a text begins with, and the text with empty
// lines in their place, or nil if it does not begin with imports.
func splitImports(text string) (head *ast.File, rest string) {
	before, shift := "", 0
	if !strings.HasPrefix(strings.TrimSpace(text), "package ") {
		before, shift = "package p; ", len("package p; ")
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", before+text, parser.ImportsOnly|parser.SkipObjectResolution)
	if err != nil || len(f.Decls) == 0 {
		return nil, ""
	}
	end := fset.Position(f.Decls[len(f.Decls)-1].End()).Offset - shift
	return f, strings.Repeat("\n", strings.Count(text[:end], "\n")) + text[end:]
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
	return &snippet{translator: newTranslator(r.fresh(p, imports), fset), r: r, p: p, line: line, says: says, local: make(map[string]string)}
}

// comments translates the statements of a body, and reads the comments behind them as claims about
// their results.
func (s *snippet) comments(file *ast.File, body *ast.BlockStmt) {
	behind := s.remarks(file, body)
	for i, st := range body.List {
		if i >= maxStatements {
			return
		}
		from := len(s.calls)
		said := behind[s.fset.Position(st.End()).Line]
		s.denied = said != nil && !saysTrue(said.text)
		if !s.statement(st) {
			s.lost = true
			s.parts(st)
		}
		s.use(from, s.line(st.Pos()))
		if s.lost {
			continue
		}
		end := s.fset.Position(st.End()).Line
		c, below := behind[end], false
		next := end + 3 // one line in between may be empty
		if i+1 < len(body.List) {
			next = min(next, s.fset.Position(body.List[i+1].Pos()).Line)
		}
		if c == nil {
			c, below = s.remarkBelow(behind, end, next), true
		}
		if c != nil && !isComparison(st) { // a comment behind a comparison is about that
			s.claim(st, *c, below)
		}
	}
}

// isComparison reports whether a statement is an expression that is no call, as texts have them.
func isComparison(st ast.Stmt) bool {
	e, ok := st.(*ast.ExprStmt)
	if !ok {
		return false
	}
	_, ok = ast.Unparen(e.X).(*ast.BinaryExpr)
	return ok
}

// saysTrue reports whether a comment says that what stands before it holds.
func saysTrue(comment string) bool {
	text, _ := cutMarker(comment)
	return strings.EqualFold(strings.Trim(text, " ."), "true")
}

// remarkBelow returns the comment below a statement that ends in a line, if the comment says that it is about the
// statement, or if nothing stands directly below it that it could be about. The line next has the next statement, or is
// too far away.
func (s *snippet) remarkBelow(behind map[int]*remark, end, next int) *remark {
	for line := end + 1; line < next; line++ {
		c := behind[line]
		if c == nil {
			continue
		}
		if _, marked := cutMarker(c.text); marked {
			return c
		}
		if line == end+1 && line+1 < next && !strings.Contains(c.text, "\n") {
			return &remark{text: c.text, line: c.line, unmarked: true}
		}
		return nil
	}
	return nil
}

// remark is a comment. If its text only announces the comments that follow line by line, these are part of
// it.
type remark struct {
	text     string
	line     int
	unmarked bool // nothing but its place says what it is about
}

// remarks returns the comments of a body, by the lines in which they begin.
func (s *snippet) remarks(file *ast.File, body *ast.BlockStmt) map[int]*remark {
	out := make(map[int]*remark)
	for _, g := range file.Comments {
		for i, c := range g.List {
			if c.Pos() < body.Lbrace || c.Pos() > body.Rbrace {
				continue
			}
			r := &remark{text: commentText(c), line: s.line(c.Pos())}
			if rest, ok := cutMarker(r.text); ok && rest == "" {
				for _, next := range g.List[i+1:] {
					r.text += "\n" + commentText(next)
				}
			}
			out[s.fset.Position(c.Pos()).Line] = r
		}
	}
	return out
}

func commentText(c *ast.Comment) string {
	text := strings.TrimPrefix(c.Text, "//")
	if t, ok := strings.CutPrefix(text, "/*"); ok {
		text = strings.TrimSuffix(t, "*/")
	}
	return strings.TrimSpace(text)
}

// cutMarker removes a word that announces a value from the beginning of a text.
func cutMarker(text string) (string, bool) {
	for _, m := range []string{"Output:", "output:", "Outputs:", "Prints:", "prints:", "=>", "->", "→", "⇒", "==", "returns ", "Returns ", "prints out ", "Prints out ", "prints ", "Prints ", "= "} {
		if rest, ok := strings.CutPrefix(text, m); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return text, false
}

// claim reads a comment as a claim about a statement: about its output, or about the result of its call.
// The comment may stand below the statement.
func (s *snippet) claim(st ast.Stmt, c remark, below bool) {
	if len(s.calls) == 0 {
		return
	}
	text, announced := cutMarker(c.text)
	line := c.line
	says := s.says(line)
	if below {
		says = s.says(s.line(st.Pos())) + " " + says
	}
	if s.out.isPrint(st) {
		s.printClaim(text, line, says, announced)
		return
	}
	last := s.calls[len(s.calls)-1]
	if len(s.stmts) != last+1 {
		return // the call is part of a larger expression
	}
	w, ok := s.values(testcase.Ref{Stmt: last}, text)
	if !ok {
		return
	}
	// A number alone in a comment may be the number of anything.
	bare := !announced && strings.Trim(text, "-0123456789") == ""
	w.soft = w.soft || bare || c.unmarked || w.goesOn()
	s.r.add(s.p, line, says, s.called(last), w)
}

// called returns the call that a statement of the translation makes.
func (s *snippet) called(stmt int) called {
	seq := s.sequence(stmt + 1)
	return called{testcase.TargetName(seq.Last().Op.Func), seq}
}

// statement translates a statement. It returns false if the translation ends there.
func (s *snippet) statement(st ast.Stmt) bool {
	s.out.last = nil
	switch st := st.(type) {
	case *ast.EmptyStmt:
		return true
	case *ast.ExprStmt:
		call, ok := ast.Unparen(st.X).(*ast.CallExpr)
		if !ok {
			if s.turn > 0 {
				return true // the text of a turn stands nowhere
			}
			line := s.line(st.Pos()) // the line is a comparison, as in Foo("a") == "b"
			if b, ok := ast.Unparen(st.X).(*ast.BinaryExpr); ok && s.equates(b, line) {
				return true
			}
			if !s.lost {
				s.r.line(s.p, line, s.says(line))
			}
			return true
		}
		if s.out.prints(call) {
			return s.print(call)
		}
		_, ok = s.typeCheck(st.X)
		return ok
	case *ast.AssignStmt:
		return s.assign(st)
	case *ast.DeclStmt:
		return s.declaration(st)
	case *ast.DeferStmt:
		return true // a deferred call runs after all results were compared
	case *ast.IfStmt:
		return s.condition(st)
	case *ast.RangeStmt:
		return s.unrolled(st)
	case *ast.ReturnStmt:
		for _, e := range st.Results {
			if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
				s.typeCheck(call) // only its calls matter, because nothing comes behind it
			}
		}
	}
	return false
}

// equates reads a comparison of a variable as a claim about the last call, whose first result the variable has. It reports
// whether it did.
func (s *snippet) equates(b *ast.BinaryExpr, line int) bool {
	id, ok := ast.Unparen(b.X).(*ast.Ident)
	if !ok || b.Op != token.EQL || s.lost || len(s.calls) == 0 {
		return false
	}
	if s.denied {
		return true
	}
	last := s.calls[len(s.calls)-1]
	v := s.scope.env.Scope().Lookup(s.local[id.Name])
	if ref, known := s.vars[v]; !known || v == nil || ref != (testcase.Ref{Stmt: last}) {
		return false
	}
	var text strings.Builder
	if err := printer.Fprint(&text, s.fset, b.Y); err != nil {
		return false
	}
	w, ok := s.valuesOf(last, text.String())
	if ok {
		s.r.add(s.p, line, s.says(line), s.called(last), w)
	}
	return ok
}

// condition translates what an if statement calls before it decides. It returns false unless the statement does nothing
// else but to print, or to handle a failure. What its body prints is not known.
func (s *snippet) condition(st *ast.IfStmt) bool {
	defer s.leave(st, maps.Clone(s.local))
	prints, jumps := s.saysSomething(st)
	if s.out.compared && (prints || jumps) {
		return false // the next lines of the output may be those of the body
	}
	s.out.perhaps = s.out.perhaps || prints
	if st.Init != nil && !s.statement(st.Init) {
		return false
	}
	if handlesError(st) {
		return true
	}
	return s.try(func() bool {
		known := true
		ast.Inspect(st.Cond, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if ok && known {
				_, known = s.typeCheck(call)
			}
			return !ok
		})
		return known && s.saysOnly(st.Body) && (st.Else == nil || s.saysOnly(st.Else))
	})
}

// saysSomething reports whether a part of a statement prints, and whether one leaves a loop or its turn.
func (s *snippet) saysSomething(st ast.Stmt) (prints, jumps bool) {
	ast.Inspect(st, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			prints = prints || s.out.prints(n)
		case *ast.BranchStmt:
			jumps = true
		}
		return true
	})
	return prints, jumps
}

// leave forgets the variables that a statement has declared for itself, and knows those again that it has hidden.
func (s *snippet) leave(st ast.Stmt, before map[string]string) {
	for name := range declaredIn(st) {
		if old, ok := before[name]; ok {
			s.local[name] = old
		} else {
			delete(s.local, name)
		}
	}
}

// saysOnly reports whether a statement does nothing but print.
func (s *snippet) saysOnly(st ast.Stmt) bool {
	switch st := st.(type) {
	case *ast.BlockStmt:
		return !slices.ContainsFunc(st.List, func(st ast.Stmt) bool { return !s.saysOnly(st) })
	case *ast.ExprStmt:
		call, ok := st.X.(*ast.CallExpr)
		return ok && s.out.prints(call)
	}
	return false
}

// handlesError reports whether a statement only handles the failure of a call.
func handlesError(st *ast.IfStmt) bool {
	if st.Else != nil {
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

// typeCheck checks and translates an expression.
func (s *snippet) typeCheck(e ast.Expr) (testcase.Ref, bool) {
	s.rename(e)
	info, ok := s.scope.typeCheck(s.fset, e)
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

// unique returns the name under which the scope declares a variable, constant or type of the code. No code can have it.
func (s *snippet) unique(name string) string {
	s.r.declared++
	return name + " " + strconv.Itoa(s.r.declared)
}

// declare makes a name denote a result.
func (s *snippet) declare(name string, t types.Type, ref testcase.Ref) bool {
	if name == "_" {
		return true
	}
	unique := s.unique(name)
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
