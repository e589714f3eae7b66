package emit

import (
	"cmp"
	"go/ast"
	"slices"

	"github.com/goassay/assay/internal/emit/fold"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/load"
)

// fold writes subtests that are alike as tables, if the file is still right with them.
func (r *rendering) fold(check func(string, []byte) *load.TypedTest, f *sourceFile) {
	path := testfile.TestPath(f.path, false)
	if !slices.ContainsFunc(r.functions, func(fn function) bool { return fn.steps > 1 }) {
		return
	}
	typed := check(path, r.text)
	if typed == nil {
		return
	}
	src := &fold.Source{Fset: typed.Fset, File: typed.File, Text: r.text, Info: typed.Info}
	folded := make(map[int]fold.Folded) // the bodies of functions that have become shorter
	for _, d := range typed.File.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Recv != nil {
			continue
		}
		i := slices.IndexFunc(r.functions, func(fn function) bool { return fn.name == fd.Name.Name })
		if i < 0 || r.functions[i].steps < 2 {
			continue
		}
		if body, ok := fold.Tables(r.w.Writer, src, fd, r.functions[i].rows); ok {
			folded[i] = body
		}
	}
	if len(folded) == 0 || r.replace(folded, check, f) {
		return
	}
	// Some function is not right, and the others may be.
	for i := range r.functions {
		if body, ok := folded[i]; ok {
			r.replace(map[int]fold.Folded{i: body}, check, f)
		}
	}
}

// replace gives functions other bodies, and reports whether the file is right with these. If the file is not, it stays
// as it was.
func (r *rendering) replace(bodies map[int]fold.Folded, check func(string, []byte) *load.TypedTest, f *sourceFile) bool {
	before := *r
	r.functions = slices.Clone(r.functions)
	for i := range r.functions {
		if folded, ok := bodies[i]; ok {
			r.functions[i].body, r.functions[i].wide = folded.Body, false // the body begins with the skip
			r.functions[i].rows = renamed(r.functions[i].rows, folded.Renamed)
		}
	}
	r.assemble(f, false)
	if check(testfile.TestPath(f.path, false), r.text) == nil {
		*r = before
		return false
	}
	return true
}

// renamed returns the names of rows with those of some replaced.
func renamed(rows []string, with map[string]string) []string {
	out := slices.Clone(rows)
	for i, name := range rows {
		out[i] = cmp.Or(with[name], name)
	}
	return out
}
