package check

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/load"
)

// Assumptions of other tools have predicates of their own. A line of the file of facts with the action
// "assumption" names a statement, a Go expression that was taken for granted there, and the identifier by
// which assertions refer to it. Plant inserts the predicate into the source, in front of the statement, as a
// call of an annotation. The analyser and the machine then treat the call like an assay.Assumed. A line
// comment for the compiler keeps the positions of the code behind it.

// HasPredicates reports whether some line is an assumption with a predicate.
func (f *ExternalFacts) HasPredicates() bool { return f != nil && len(f.assumptions) > 0 }

// insertion is a text that is put into a file.
type insertion struct {
	offset int
	text   string
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
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
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
	key := fmt.Sprint(decl.Pos(), f.ID)
	if line := taken[key]; line > 0 {
		return in, fmt.Sprintf("the identifier %s is that of line %d", f.ID, line)
	}
	taken[key] = f.line
	return insertion{at.Offset, fmt.Sprintf("%s(%s, %s); /*line %s:%d:%d*/", contract.AssumedName, strconv.Quote(f.ID), f.Predicate, at.Filename, at.Line, at.Column)}, ""
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
