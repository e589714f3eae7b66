package check

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/load"
)

// Assumptions of other tools have predicates of their own. A line of the file of facts with the action
// "assumption" names a statement, a Go expression that was taken for granted there, and the identifier by
// which assertions refer to it. Plant inserts the predicate into the source, in front of the statement, as a
// call of an annotation. The analyser and the machine then treat the call like an assay.Assumed. A line
// comment for the compiler keeps the positions of the code behind it.
//
// A predicate may ask for more than is there: kg[i] > 0 where i is no index. Such a predicate does not hold, and evaluating it must
// not be a fault of the code. Plant therefore writes the conditions in front under which it can be evaluated (see defined).

// HasPredicates reports whether some line is an assumption with a predicate.
func (f *ExternalFacts) HasPredicates() bool { return f != nil && len(f.assumptions) > 0 }

// insertion is a text that is put into a file, with the condition in it.
type insertion struct {
	offset    int
	text      string
	predicate string
}

// Plant returns the files of a package with the predicates of the facts inserted, by their names, and
// the facts that do not fit.
func (f *ExternalFacts) Plant(prog *load.Program, pkg *load.Package) (map[string][]byte, []FactProblem) {
	var problems []FactProblem
	inserted := map[string][]insertion{}
	taken := map[string]int{} // lines of facts, by function and identifier
	for _, fact := range f.assumptions {
		if fact.Package != "" && fact.Package != pkg.Path {
			continue
		}
		for _, file := range pkg.Syntax {
			name := prog.Fset.PositionFor(file.FileStart, false).Filename
			if !samePosition(fact.fileName(), name) {
				continue
			}
			in, why := fact.plant(prog, pkg, file, taken)
			if why != "" {
				problems = append(problems, f.problem(fact.line, "%s: %s", fact.Pos, why))
				continue
			}
			inserted[name] = append(inserted[name], in)
			if f.planted == nil {
				f.planted = make(map[string]string)
			}
			f.planted[in.predicate] = fact.Predicate
		}
	}
	out := map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(inserted)) {
		src, err := prog.Source(name)
		if err != nil {
			problems = append(problems, f.problem(1, "%v", err))
			continue
		}
		list := inserted[name]
		slices.SortStableFunc(list, func(a, b insertion) int { return a.offset - b.offset })
		var b bytes.Buffer
		at := 0
		for _, in := range list {
			b.Write(src[at:in.offset])
			b.WriteString(in.text)
			at = in.offset
		}
		b.Write(src[at:])
		if len(out) == 0 {
			b.WriteString(contract.AssumedDeclaration)
		}
		out[name] = b.Bytes()
	}
	return out, problems
}

// plant returns the text to insert into a file for an assumption, or the reason why it does not fit.
func (f *factLine) plant(prog *load.Program, pkg *load.Package, file *ast.File, taken map[string]int) (in insertion, why string) {
	stmt, decl := statementAt(prog.Fset, file, f.Pos)
	if stmt == nil {
		return in, "no statement is there"
	}
	at := prog.Fset.PositionFor(stmt.Pos(), false)
	if line, err := sourceLine(prog.Source, at.Filename, positionLine(f.Pos)); err == nil && f.Source != "" && line != f.Source {
		return in, fmt.Sprintf("another version of the file: the line is %q", line)
	}
	e, err := parser.ParseExpr(f.Predicate)
	if err != nil {
		return in, fmt.Sprintf("the predicate %q is no expression of Go", f.Predicate)
	}
	if what := changes(e, pkg); what != "" {
		return in, fmt.Sprintf("the predicate %q has %s, which may change something", f.Predicate, what)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	if err := types.CheckExpr(prog.Fset, pkg.Types, stmt.Pos(), e, info); err != nil {
		text := err.Error()
		if te, ok := err.(types.Error); ok {
			text = te.Msg
		}
		return in, "the predicate: " + text
	}
	if b, ok := info.Types[e].Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
		return in, fmt.Sprintf("the predicate %q is no condition", f.Predicate)
	}
	predicate, what := (&definer{info: info}).condition(e)
	if what != "" {
		return in, fmt.Sprintf("the predicate %q has %s, which may panic", f.Predicate, what)
	}
	key := fmt.Sprint(decl.Pos(), f.ID)
	if line := taken[key]; line > 0 {
		return in, fmt.Sprintf("the identifier %s is that of line %d", f.ID, line)
	}
	taken[key] = f.line
	text := fmt.Sprintf("%s(%s, %s); /*line %s:%d:%d*/", contract.AssumedName, strconv.Quote(f.ID), predicate, at.Filename, at.Line, at.Column)
	return insertion{offset: at.Offset, text: text, predicate: predicate}, ""
}

// statementAt returns the innermost statement of a list at a position, and its function, or nil if there is
// none.
func statementAt(fset *token.FileSet, file *ast.File, pos string) (found ast.Stmt, decl *ast.FuncDecl) {
	line, column := positionLine(pos), positionColumn(pos)
	covers := func(n ast.Node) bool {
		from, to := fset.PositionFor(n.Pos(), false), fset.PositionFor(n.End(), false)
		after := line > from.Line || line == from.Line && column >= from.Column
		return after && (line < to.Line || line == to.Line && column < to.Column)
	}
	for _, d := range file.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil || !covers(fd) {
			continue
		}
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			var list []ast.Stmt
			switch n := n.(type) {
			case *ast.BlockStmt:
				list = n.List
			case *ast.CaseClause:
				list = n.Body
			case *ast.CommClause:
				list = n.Body
			}
			for _, s := range list {
				switch s.(type) {
				case *ast.CaseClause, *ast.CommClause:
					continue // the statement has a list of statements of its own
				}
				if covers(s) {
					found, decl = s, fd
				}
			}
			return true
		})
	}
	return found, decl
}

// changes names a part of an expression that may change something, or "" if none does: a call (other than
// conversions and builtins that only compute), a receive or a function literal.
func changes(e ast.Expr, pkg *load.Package) string {
	what := ""
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			what = "a function literal"
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				what = "a receive"
			}
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			if !ok {
				what = "a call"
				break
			}
			switch id.Name {
			case "len", "cap", "min", "max", "real", "imag", "complex":
				return what == ""
			}
			_, universe := types.Universe.Lookup(id.Name).(*types.TypeName)
			_, own := pkg.Types.Scope().Lookup(id.Name).(*types.TypeName)
			if !universe && !own {
				what = "a call of " + id.Name
			}
		}
		return what == ""
	})
	return what
}

// definer writes conditions so that they can be evaluated everywhere.
type definer struct {
	info  *types.Info
	parts []string // the conditions under which the expression that is visited can be evaluated
	what  string   // a part for which there is no such condition
}

// condition returns a condition that is true where e can be evaluated and is true, and never panics. It returns a part of e that may
// panic under no condition that an expression can say.
func (d *definer) condition(e ast.Expr) (text, what string) {
	switch b := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if b.Op == token.LAND || b.Op == token.LOR {
			x, what := d.condition(b.X)
			if what != "" {
				return "", what
			}
			y, what := d.condition(b.Y)
			return fmt.Sprintf("(%s %s %s)", x, b.Op, y), what
		}
	}
	of := &definer{info: d.info}
	of.visit(e)
	return strings.Join(append(of.parts, "("+types.ExprString(e)+")"), " && "), of.what
}

// visit adds the conditions under which an expression can be evaluated, those of its parts first.
func (d *definer) visit(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				text, what := d.condition(n.Y) // evaluated only if the first part lets it
				d.visit(n.X)
				d.need("(!(%s) || %s)", either(n), text)
				d.what = cmp.Or(d.what, what)
				return false
			}
			d.operands(n)
			return false
		case *ast.StarExpr:
			d.visit(n.X)
			d.need("%s != nil", types.ExprString(n.X))
			return false
		case *ast.SelectorExpr:
			d.selector(n)
			return false
		case *ast.IndexExpr:
			d.visit(n.X)
			d.visit(n.Index)
			d.index(n.X, n.Index, "len", "<")
			return false
		case *ast.SliceExpr:
			d.slice(n)
			return false
		case *ast.TypeAssertExpr:
			d.what = cmp.Or(d.what, "a type assertion")
		case *ast.CallExpr:
			if tv := d.info.Types[n.Fun]; tv.IsType() && len(n.Args) == 1 {
				_, list := d.typeOf(n.Args[0]).Underlying().(*types.Slice)
				if _, isSlice := tv.Type.Underlying().(*types.Slice); list && !isSlice && !isString(tv.Type) {
					d.what = cmp.Or(d.what, "a conversion to an array")
				}
			}
		}
		return true
	})
}

// either returns when the second part of a && b or a || b is evaluated.
func either(b *ast.BinaryExpr) string {
	if b.Op == token.LOR {
		return "!(" + types.ExprString(b.X) + ")"
	}
	return types.ExprString(b.X)
}

func (d *definer) need(format string, args ...any) {
	d.parts = append(d.parts, fmt.Sprintf(format, args...))
}

func (d *definer) typeOf(e ast.Expr) types.Type {
	if t := d.info.Types[e].Type; t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// operands adds the conditions of a division, a shift, and a comparison of values of any type.
func (d *definer) operands(b *ast.BinaryExpr) {
	d.visit(b.X)
	d.visit(b.Y)
	t, isBasic := d.typeOf(b.Y).Underlying().(*types.Basic)
	constant := d.info.Types[b.Y].Value != nil
	switch b.Op {
	case token.QUO, token.REM:
		if isBasic && t.Info()&types.IsInteger != 0 && !constant {
			d.need("%s != 0", types.ExprString(b.Y))
		}
	case token.SHL, token.SHR:
		if isBasic && t.Info()&types.IsUnsigned == 0 && !constant {
			d.need("%s >= 0", types.ExprString(b.Y))
		}
	case token.EQL, token.NEQ:
		isNil := d.info.Types[b.X].IsNil() || d.info.Types[b.Y].IsNil()
		if types.IsInterface(d.typeOf(b.X)) && types.IsInterface(d.typeOf(b.Y)) && !isNil {
			d.what = cmp.Or(d.what, "a comparison of interfaces")
		}
	}
}

// selector adds that no pointer on the way to a field is nil.
func (d *definer) selector(n *ast.SelectorExpr) {
	sel := d.info.Selections[n]
	if sel == nil {
		return // a name of another package
	}
	d.visit(n.X)
	text, t := types.ExprString(n.X), sel.Recv()
	for _, i := range sel.Index() {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			d.need("%s != nil", text)
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			d.what = cmp.Or(d.what, "a method")
			return
		}
		text, t = text+"."+st.Field(i).Name(), st.Field(i).Type()
	}
}

// index adds that a number is an index of a list, or a bound of a part of it: at most its length or capacity.
func (d *definer) index(x, i ast.Expr, of, below string) {
	t := d.typeOf(x).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		d.need("%s != nil", types.ExprString(x))
		t = p.Elem().Underlying()
	}
	if _, isMap := t.(*types.Map); isMap {
		return
	}
	text := types.ExprString(i)
	if b, ok := d.typeOf(i).Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned == 0 {
		d.need("%s >= 0", text)
	}
	d.need("uint64(%s) %s uint64(%s(%s))", text, below, of, types.ExprString(x))
}

// slice adds that the bounds of a part of a list are in order.
func (d *definer) slice(n *ast.SliceExpr) {
	d.visit(n.X)
	of := "cap"
	if isString(d.typeOf(n.X)) {
		of = "len"
	}
	var last ast.Expr
	for _, bound := range []ast.Expr{n.Low, n.High, n.Max} {
		if bound == nil {
			continue
		}
		d.visit(bound)
		d.index(n.X, bound, of, "<=")
		if last != nil {
			d.need("uint64(%s) <= uint64(%s)", types.ExprString(last), types.ExprString(bound))
		}
		last = bound
	}
	if n.Low != nil && n.High == nil {
		d.index(n.X, n.Low, "len", "<=")
	}
}

// isPlanted reports whether a position lies in a call that Plant has inserted into a function. What the call asks is no assertion of the
// code.
func isPlanted(fn *ssa.Function, pos token.Pos) bool {
	found := false
	if syntax := fn.Syntax(); syntax != nil && pos.IsValid() {
		ast.Inspect(syntax, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				id, named := call.Fun.(*ast.Ident)
				found = found || named && id.Name == contract.AssumedName && call.Pos() <= pos && pos < call.End()
			}
			return !found && n != nil && n.Pos() <= pos && pos < n.End()
		})
	}
	return found
}

// withoutPlanted returns a line without the text that Plant inserted.
func withoutPlanted(line string) string {
	for {
		from := strings.Index(line, contract.AssumedName+"(")
		if from < 0 {
			return line
		}
		to := strings.Index(line[from:], "*/")
		if to < 0 {
			return line
		}
		line = line[:from] + line[from+to+len("*/"):]
	}
}
