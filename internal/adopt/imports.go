package adopt

import (
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// joinImports returns the imports to add to a file for declarations that use the given names. It puts
// into names the names that they have to use instead of their own.
func (h *handFile) joinImports(f *ast.File, used map[string]bool, imports map[string]string, names map[string]string) []string {
	there := make(map[string]string) // names by paths
	taken := make(map[string]bool)
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := imports[p] // the package's own name, as in the generated file
		if i.Name != nil {
			name = i.Name.Name
		} else if name == "" {
			name = path.Base(p)
		}
		taken[name] = true
		if _, twice := there[p]; !twice && name != "_" && name != "." {
			there[p] = name
		}
	}
	for n := range h.declares {
		taken[n] = true
	}
	var specs []string
	for _, p := range slices.Sorted(maps.Keys(imports)) {
		name := imports[p]
		if !used[name] {
			continue
		}
		if n, ok := there[p]; ok && (n == name || !used[n]) {
			if n != name {
				names[name] = n
			}
			continue
		}
		spec := strconv.Quote(p)
		free := name
		for k := 2; taken[free] || free != name && used[free]; k++ {
			free = name + strconv.Itoa(k)
		}
		taken[free] = true
		if free != name {
			names[name] = free
		}
		if free != path.Base(p) {
			spec = free + " " + spec
		}
		specs = append(specs, spec)
	}
	return specs
}

// addImports returns a source with further imports in its first import declaration, those of the
// standard library before the others, in gofmt's order.
func addImports(src []byte, f *ast.File, fset *token.FileSet, specs []string) ([]byte, error) {
	if len(specs) == 0 {
		return src, nil
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	insert := func(where int, text string) []byte {
		out := append([]byte(nil), src[:where]...)
		return append(append(out, text...), src[where:]...)
	}
	var decl *ast.GenDecl
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && decl == nil && !importsC(g) {
			decl = g
		}
	}
	var std, others []string
	for _, s := range specs {
		if isStandard(s) {
			std = append(std, "\t"+s)
		} else {
			others = append(others, "\t"+s)
		}
	}
	if decl == nil {
		return insert(at(f.Name.End()), newImports(std, others)), nil
	}
	var stdHere, othersHere []ast.Spec
	for _, s := range decl.Specs {
		if isStandard(string(src[at(s.Pos()):at(s.End())])) {
			stdHere = append(stdHere, s)
		} else {
			othersHere = append(othersHere, s)
		}
	}
	if !decl.Lparen.IsValid() {
		spec := "\t" + string(src[at(decl.Specs[0].Pos()):at(decl.Specs[0].End())])
		if len(stdHere) > 0 {
			std = append([]string{spec}, std...)
		} else {
			others = append([]string{spec}, others...)
		}
		out := append([]byte(nil), src[:at(decl.Pos())]...)
		return append(append(out, importBlock(std, others)...), src[at(decl.End()):]...), nil
	}
	// The edits are made from the end to the beginning, so that positions stay right.
	if len(others) > 0 {
		text := "\n" + strings.Join(others, "\n")
		where := at(decl.Rparen)
		switch {
		case len(othersHere) > 0:
			where = lineEnd(src, at(othersHere[len(othersHere)-1].End()))
		case len(stdHere) > 0:
			text = "\n" + text
			where = lineEnd(src, at(stdHere[len(stdHere)-1].End()))
		}
		src = insert(where, text)
	}
	if len(std) > 0 {
		text := "\n" + strings.Join(std, "\n")
		where := at(decl.Lparen) + 1
		if len(stdHere) > 0 {
			where = lineEnd(src, at(stdHere[len(stdHere)-1].End()))
		} else {
			text += "\n"
		}
		src = insert(where, text)
	}
	return src, nil
}

// lineEnd returns where the line of a place ends. A comment may stand before the end.
func lineEnd(src []byte, at int) int {
	for at < len(src) && src[at] != '\n' && src[at] != '\r' {
		at++
	}
	return at
}

// importsC reports whether a declaration is cgo's import of C, which stands alone.
func importsC(d *ast.GenDecl) bool {
	return slices.ContainsFunc(d.Specs, func(s ast.Spec) bool { return s.(*ast.ImportSpec).Path.Value == `"C"` })
}

// isStandard reports whether an import looks like one of the standard library.
func isStandard(spec string) bool {
	_, p, _ := strings.Cut(spec, `"`)
	return gosyntax.IsStandard(strings.TrimSuffix(p, `"`), "")
}

// newImports returns the import declaration for a file that has none.
func newImports(std, others []string) string {
	if len(std)+len(others) == 1 {
		return "\n\nimport " + strings.TrimPrefix(strings.Join(append(std, others...), ""), "\t")
	}
	return "\n\n" + importBlock(std, others)
}

// importBlock returns an import declaration in parentheses, with packages of the standard library
// first.
func importBlock(std, others []string) string {
	var groups []string
	for _, g := range [][]string{std, others} {
		if len(g) > 0 {
			groups = append(groups, strings.Join(g, "\n"))
		}
	}
	return "import (\n" + strings.Join(groups, "\n\n") + "\n)"
}
