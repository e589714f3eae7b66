package emit

import (
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
	before, text, imports := slices.Clone(r.functions), r.text, r.imports
	src := &fold.Source{Fset: typed.Fset, File: typed.File, Text: text, Info: typed.Info}
	changed := false
	for _, d := range typed.File.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		i := slices.IndexFunc(r.functions, func(fn function) bool { return fn.name == fd.Name.Name })
		if i < 0 || fd.Recv != nil {
			continue
		}
		if body, ok := fold.Tables(r.w.Writer, src, fd); ok {
			r.functions[i].body, r.functions[i].wide = body, false // the body begins with the skip
			changed = true
		}
	}
	if !changed {
		return
	}
	r.assemble(f, false)
	if check(path, r.text) == nil {
		r.functions, r.text, r.imports = before, text, imports
	}
}
