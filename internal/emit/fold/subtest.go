package fold

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
)

// Source is a test file after its type check.
type Source struct {
	Fset *token.FileSet
	File *ast.File
	Text []byte
	Info *types.Info
}

// between returns the text from one position to another.
func (s *Source) between(from, to token.Pos) string {
	return string(s.Text[s.offset(from):s.offset(to)])
}

// text returns the text of a node.
func (s *Source) text(n ast.Node) string { return s.between(n.Pos(), n.End()) }

func (s *Source) offset(p token.Pos) int { return s.Fset.PositionFor(p, false).Offset }

// typeOf returns the type of an expression, or nil if the expression has none.
func (s *Source) typeOf(e ast.Expr) types.Type {
	t := s.Info.Types[e].Type
	if id, ok := e.(*ast.Ident); ok && t == nil {
		if o := s.Info.ObjectOf(id); o != nil {
			t = o.Type()
		}
	}
	if b, ok := t.(*types.Basic); ok && b.Kind() == types.Invalid {
		return nil
	}
	return t
}

// A subtest is a statement t.Run with a constant name and a function literal.
type subtest struct {
	stmt  *ast.ExprStmt
	name  *ast.BasicLit
	body  *ast.FuncLit
	items []ast.Stmt            // what the subtest does, without the definitions of expected values
	wants map[string]*wantValue // variables of expected values
	notes []string              // the comments
}

// A wantValue is the definition of an expected value: want := 3.
type wantValue struct {
	define *ast.AssignStmt
	value  ast.Expr
}

// subtests returns the subtests with which a test function ends, and where they begin. There is no result if
// anything else stands among them.
func (s *Source) subtests(fd *ast.FuncDecl) (out []*subtest, from token.Pos) {
	for _, st := range fd.Body.List {
		sub := s.subtest(st)
		switch {
		case sub != nil:
			if len(out) == 0 {
				from = st.Pos()
			}
			out = append(out, sub)
		case len(out) > 0:
			return nil, 0
		}
	}
	return out, from
}

// subtest reads a statement as a subtest. It returns nil if the statement is none.
func (s *Source) subtest(st ast.Stmt) *subtest {
	es, ok := st.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := es.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || s.text(call.Fun) != "t.Run" {
		return nil
	}
	name, isLit := call.Args[0].(*ast.BasicLit)
	body, isFunc := call.Args[1].(*ast.FuncLit)
	if !isLit || !isFunc || name.Kind != token.STRING || len(body.Body.List) == 0 {
		return nil
	}
	if inner := s.bubble(body.Body); inner != nil {
		body = inner
	}
	out := &subtest{stmt: es, name: name, body: body, wants: make(map[string]*wantValue)}
	for _, item := range body.Body.List {
		if id, want := expected(item); want != nil && out.wants[id] == nil {
			out.wants[id] = want
			continue
		}
		out.items = append(out.items, item)
	}
	for _, g := range s.File.Comments {
		if es.Pos() < g.Pos() && g.End() < es.End() {
			out.notes = append(out.notes, g.Text())
		}
	}
	return out
}

// bubble returns the function that a subtest runs in a bubble of testing/synctest, if it does nothing else, or nil.
func (s *Source) bubble(body *ast.BlockStmt) *ast.FuncLit {
	es, ok := body.List[0].(*ast.ExprStmt)
	if !ok || len(body.List) > 1 {
		return nil
	}
	call, ok := es.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || s.text(call.Fun) != "synctest.Test" {
		return nil
	}
	if inner, ok := call.Args[1].(*ast.FuncLit); ok && len(inner.Body.List) > 0 {
		return inner
	}
	return nil
}

// bubbled reports whether the subtest runs in a bubble.
func (s *subtest) bubbled() bool { return s.stmt.X.(*ast.CallExpr).Args[1] != ast.Expr(s.body) }

// expected reads a statement as the definition of an expected value. The value is nil if the statement is none.
func expected(st ast.Stmt) (name string, value *wantValue) {
	as, ok := st.(*ast.AssignStmt)
	if !ok || as.Tok != token.DEFINE || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
		return "", nil
	}
	id, ok := as.Lhs[0].(*ast.Ident)
	if !ok || !strings.HasPrefix(id.Name, "want") {
		return "", nil
	}
	return id.Name, &wantValue{as, as.Rhs[0]}
}

// Folded is a test function with tables in place of subtests that are alike.
type Folded struct {
	Body string
	// Renamed has the subtests that are called by what they pass now, by their names before.
	Renamed map[string]string
}

// Tables returns the body of a test function with tables in place of subtests that are alike, and false if there are
// none. The writer is that of the file; it imports what types of columns need. The parameter names has the names of all
// rows and subtests of the function.
func Tables(w *gofile.Writer, src *Source, fd *ast.FuncDecl, names []string) (Folded, bool) {
	subs, from := src.subtests(fd)
	if len(subs) < 2 {
		return Folded{}, false
	}
	renamed, rowNames := make(map[string]string), make(map[string]bool)
	for _, name := range names {
		rowNames[name] = true
	}
	taken := gofile.NewNames(w.Names)
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			taken.Add(id.Name)
		}
		return true
	})
	var tables, rest []string
	done := make(map[*subtest]bool)
	for i, sub := range subs {
		if done[sub] {
			continue
		}
		text, rows, called := "", []*subtest(nil), []string(nil)
		if len(tables) < len(tableNames) {
			text, rows, called = table(w, src, remaining(subs[i:], done), taken, rowNames)
		}
		if text == "" {
			rest = append(rest, src.text(sub.stmt)+"\n")
			continue
		}
		tables = append(tables, text)
		for k, r := range rows {
			done[r] = true
			if before, ok := unquoted(r.name); ok && called != nil {
				renamed[before] = called[k]
			}
		}
	}
	if len(tables) == 0 {
		return Folded{}, false
	}
	head := strings.TrimSpace(src.between(fd.Body.Lbrace+1, from))
	if head != "" {
		head += "\n\n"
	}
	return Folded{head + strings.Join(slices.Concat(tables, rest), "\n"), renamed}, true
}

// remaining returns the subtests that are in no table yet.
func remaining(subs []*subtest, done map[*subtest]bool) []*subtest {
	return slices.DeleteFunc(slices.Clone(subs), func(s *subtest) bool { return done[s] })
}

// tableNames are names for the variables of tables, of which a function may have several.
var tableNames = []string{"tests", "more", "others"}

// unquoted returns the value of a string literal.
func unquoted(lit *ast.BasicLit) (string, bool) {
	if lit == nil || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}
