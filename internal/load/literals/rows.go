package literals

import (
	"go/ast"
	"go/constant"
)

// Limits of the rows that are kept for a package's tests, or for one function: how many rows, and how many
// bytes each string may have.
const (
	maxRows    = 400
	maxRowText = 4096
)

// rower collects rows: strings that stand together in a composite literal with at least two strings of
// its own (a row of a table), in a clause of a switch, or else in the same declaration. It does not
// matter how they are used, so helpers between a table and the function under test do not matter
// either.
type rower struct {
	value func(ast.Expr) constant.Value // returns the value of a constant expression, or nil for others
	rows  [][]string
}

// keep adds a row if the strings form one.
func (r *rower) keep(row []string) {
	if len(row) > 1 && len(r.rows) < maxRows {
		r.rows = append(r.rows, row)
	}
}

// walk adds the rows under a node and returns the strings that are in none.
func (r *rower) walk(n ast.Node) []string {
	var out []string
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.Field, *ast.ImportSpec:
			return false
		case *ast.CallExpr:
			if isReport(m) {
				return false
			}
		case *ast.CompositeLit:
			var row []string
			for _, e := range m.Elts {
				row = append(row, r.walk(e)...)
			}
			if len(row) < 2 {
				out = append(out, row...)
			}
			r.keep(row)
			return false
		case *ast.CaseClause:
			var row []string
			for _, e := range m.List {
				row = append(row, r.walk(e)...)
			}
			inner := &rower{value: r.value} // a clause is one row, together with the lists in it
			for _, s := range m.Body {
				row = append(row, inner.walk(s)...)
			}
			for _, in := range inner.rows {
				row = append(row, in...)
			}
			r.keep(row)
			return false
		}
		if e, ok := m.(ast.Expr); ok {
			if v := r.value(e); v != nil {
				if v.Kind() == constant.String && len(constant.StringVal(v)) <= maxRowText {
					out = append(out, constant.StringVal(v))
				}
				return false
			}
		}
		return true
	})
	return out
}

// testRows appends the rows of a test file to those of earlier files.
func testRows(into [][]string, f *ast.File) [][]string {
	r := &rower{value: constantOf, rows: into}
	for _, d := range f.Decls {
		r.keep(r.walk(d))
	}
	return r.rows
}

// codeRows returns the rows in a function's body.
func codeRows(src Source, body ast.Node) [][]string {
	r := &rower{value: func(e ast.Expr) constant.Value { return src.Info.Types[e].Value }}
	r.walk(body)
	return r.rows
}
