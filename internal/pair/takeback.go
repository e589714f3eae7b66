package pair

import (
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

	"github.com/goassay/assay/internal/load"
)

// TakeBack returns the source of a version between both: the new one in which some hunks, by their numbers, say what they
// said before. The result has the files that differ from those of the new version, by their absolute names. Functions
// and other declarations of the old version that are gone are there again if gone is set, because what a hunk
// said may need them. Whether the result compiles is for the caller to see; if the lines of a hunk cannot be
// replaced there is no result.
func (p *Pairing) TakeBack(hunks []int, gone bool) (map[string][]byte, error) {
	files := map[string][]Hunk{}
	for _, i := range hunks {
		h := p.Hunks[i]
		if h.New.File == "" || h.Says != "" || strings.HasSuffix(h.New.File, "go.mod") {
			return nil, fmt.Errorf("%s is in no Go file of the new version, or no line of it has changed", h.Decl)
		}
		files[h.New.File] = append(files[h.New.File], h)
	}
	out := map[string][]byte{}
	for name, list := range files {
		src, err := p.New.Prog.Source(name)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(string(src), "\n")
		slices.SortFunc(list, func(a, b Hunk) int { return cmp.Compare(b.New.First, a.New.First) })
		from := map[string]string{}
		for _, h := range list {
			if lines, err = replaceLines(lines, h); err != nil {
				return nil, err
			}
			if !p.isBrought(h) { // an import needs no other
				from[h.Old.File] = packageOf(p.names.old, cmp.Or(p.names.from[h.Decl], h.Decl))
			}
		}
		text := strings.Join(lines, "\n")
		if gone {
			text += p.goneBehind(list, from)
		}
		if out[name], err = p.withImports(name, p.packageAt(list[0]), text, from); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// packageAt returns the package of the new version in whose file a hunk is.
func (p *Pairing) packageAt(h Hunk) string {
	path := p.importers[h.Decl]
	switch {
	case path == "":
		return packageOf(p.names.new, h.Decl)
	case h.New.Empty():
		return strings.TrimPrefix(p.names.to[packagePrefix+path], packagePrefix)
	}
	return path
}

// replaceLines puts the old lines of a hunk in the place of the new ones. The first and the last line of a piece may
// be parts of lines of the file.
func replaceLines(lines []string, h Hunk) ([]string, error) {
	first, end := h.New.First-1, h.New.End-1
	if first < 0 || end > len(lines) || first > end {
		return nil, fmt.Errorf("%s:%d: no such line", h.New.File, h.New.First)
	}
	text := slices.Clone(h.Old.Text)
	if h.New.Empty() {
		return slices.Insert(slices.Clone(lines), first, text...), nil
	}
	before, _, ok := strings.Cut(lines[first], h.New.Text[0])
	last := len(h.New.Text) - 1
	at := strings.LastIndex(lines[end-1], h.New.Text[last])
	if !ok || at < 0 {
		return nil, fmt.Errorf("%s:%d: another line", h.New.File, h.New.First)
	}
	after := lines[end-1][at+len(h.New.Text[last]):]
	if len(text) == 0 {
		text = []string{""}
	}
	text[0] = before + text[0]
	text[len(text)-1] += after
	return slices.Replace(slices.Clone(lines), first, end, text...), nil
}

// goneBehind returns the text of the functions that are gone, of the packages of some hunks. It adds the files in
// which they stood to from.
func (p *Pairing) goneBehind(hunks []Hunk, from map[string]string) string {
	var b strings.Builder
	for _, h := range p.Hunks {
		sameDir := slices.ContainsFunc(hunks, func(o Hunk) bool { return dirOf(o.Old.File) == dirOf(h.Old.File) })
		if h.New.File != "" || !sameDir || !strings.HasPrefix(p.names.old[h.Decl].Text, funcPrefix) {
			continue
		}
		b.WriteString("\n" + strings.Join(h.Old.Text, "\n") + "\n")
		from[h.Old.File] = packageOf(p.names.old, h.Decl)
	}
	return b.String()
}

// dirOf returns the directory of a file, as both have it in the name.
func dirOf(file string) string { return file[:strings.LastIndexAny(file, `/\`)+1] }

// withImports returns a file's text with the imports that it needs: those that it has, and those of the old files from
// which lines come, which are given with their packages. An import that the text no longer uses stays for its effects. Lines keep their numbers.
func (p *Pairing) withImports(name, path, text string, from map[string]string) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, 0)
	if err != nil {
		return nil, err
	}
	free := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		free[id] = true
	}
	needed := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && free[id] {
				needed[id.Name] = true
			}
		}
		return true
	})
	there := map[string]bool{}
	type edit struct {
		at   int
		text string
	}
	var edits []edit
	known, err := importNames(p.New, path, name)
	if err != nil {
		return nil, err
	}
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		called := known[path]
		if spec.Name != nil {
			called = spec.Name.Name
		}
		there[called] = true
		if called == "" || called == "_" || called == "." || needed[called] {
			continue
		}
		at := fset.Position(spec.Path.Pos()).Offset
		if spec.Name != nil {
			at = fset.Position(spec.Name.Pos()).Offset
			text = text[:at] + strings.Repeat(" ", len(spec.Name.Name)) + text[at+len(spec.Name.Name):]
		}
		edits = append(edits, edit{at, "_ "})
	}
	var more strings.Builder
	for _, old := range slices.Sorted(maps.Keys(from)) {
		if from[old] == "" {
			continue
		}
		names, err := importNames(p.Old, from[old], old)
		if err != nil {
			return nil, err
		}
		for path, called := range names {
			if needed[called] && !there[called] {
				there[called] = true
				fmt.Fprintf(&more, "; import %s %q", called, path)
			}
		}
	}
	edits = append(edits, edit{fset.Position(f.Name.End()).Offset, more.String()})
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(b.at, a.at) })
	for _, e := range edits {
		text = text[:e.at] + e.text + text[e.at:]
	}
	return []byte(text), nil
}

// packageOf returns the package of a declaration of a version, or "" if it has none.
func packageOf(decls map[string]load.Declaration, key string) string {
	// The last part of a path may have a dot, too.
	for i := strings.LastIndex(key, "/") + 1; i < len(key); i++ {
		if key[i] == '.' && has(decls, packagePrefix+key[:i]) {
			return key[:i]
		}
	}
	return ""
}

// importNames returns the names under which a file of a package knows others, by their paths as it writes them.
func importNames(side Side, pkg, file string) (map[string]string, error) {
	src, err := side.Prog.PackageSource(pkg)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, f := range src.Syntax {
		if side.Prog.Fset.PositionFor(f.Package, false).Filename != file {
			continue
		}
		for _, spec := range f.Imports {
			obj := src.Info.Implicits[spec]
			if spec.Name != nil {
				obj = src.Info.Defs[spec.Name]
			}
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, err
			}
			if name, ok := obj.(*types.PkgName); ok {
				out[path] = name.Name()
			}
		}
	}
	return out, nil
}
