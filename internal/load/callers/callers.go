package callers

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Bounds of what is read.
const (
	mostEntries   = 50_000    // files and directories of the module that are looked at
	mostWalked    = 5000      // files of the module whose imports are read
	mostImporting = 40        // files that are parsed for one package
	mostCallers   = Most      // declarations that are returned for one package
	largestFile   = 256 << 10 // bytes
	largestCaller = 16 << 10  // bytes of a declaration
)

// Most is how many declarations are returned for one package at the most.
const Most = 80

// A Caller is a declaration elsewhere in the module that names the package.
type Caller struct {
	File    string            // the name within the module's directory, with slashes
	Line    int               // the first line of Source
	Source  string            // the declaration: a function or method, or a variable within a function without a name
	Imports map[string]string // the import paths in the file by their names there
}

// Index has the files of a module by the packages that they import.
type Index struct {
	root      string
	files     []string
	importing map[string][]string // the names of files, as in Caller.File, by import path
}

// NewIndex reads the imports of the Go files below a directory. Files that assay or another program has written are no callers, nor
// are those of dependencies that are kept in the module.
func NewIndex(root string) *Index {
	x := &Index{root: root, importing: make(map[string][]string)}
	left, entries := mostWalked, mostEntries
	// An error of the walk is one of a single directory, which is left out.
	_ = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		base := filepath.Base(name)
		entries--
		switch {
		case left == 0 || entries < 0:
			return fs.SkipAll
		case err != nil:
			return skip(e)
		case e.IsDir() && name != root && (base == "vendor" || base == "testdata" || base == "node_modules" || base[0] == '.'):
			return fs.SkipDir
		case !e.Type().IsRegular() || filepath.Ext(name) != ".go":
			return nil
		}
		if info, err := e.Info(); err != nil || info.Size() > largestFile {
			return nil
		}
		left--
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return nil
		}
		imports, ok := importsOf(name)
		if ok {
			x.files = append(x.files, name)
		}
		for _, p := range imports {
			x.importing[p] = append(x.importing[p], filepath.ToSlash(rel))
		}
		return nil
	})
	for _, names := range x.importing {
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b)) })
	}
	return x
}

// Files returns the Go files of the module that people have written, by their full names.
func (x *Index) Files() []string { return x.files }

// Importing returns the files that import a package, by their full names: examples, then tests, then others.
func (x *Index) Importing(importPath string) []string {
	var out []string
	for _, rel := range x.importing[importPath] {
		out = append(out, filepath.Join(x.root, filepath.FromSlash(rel)))
	}
	return out
}

// ImportedWith returns what else the files import that import a package, in order.
func (x *Index) ImportedWith(importPath string) []string {
	in := make(map[string]bool)
	for _, rel := range x.importing[importPath] {
		in[rel] = true
	}
	var out []string
	for other, files := range x.importing {
		if other != importPath && slices.ContainsFunc(files, func(rel string) bool { return in[rel] }) {
			out = append(out, other)
		}
	}
	slices.Sort(out)
	return out
}

// skip leaves out what cannot be read.
func skip(e fs.DirEntry) error {
	if e != nil && e.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// rank tells which of the files show the plainest uses: examples, then tests, then other code.
func rank(name string) int {
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		if d := strings.Trim(strings.ToLower(dir), "_"); d == "example" || d == "examples" {
			return 0
		}
	}
	if strings.HasSuffix(name, "_test.go") {
		return 1
	}
	return 2
}

// importsOf returns what a file imports, and false for a file that is no Go or that a program has written.
func importsOf(name string) ([]string, bool) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, false
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly|parser.ParseComments)
	if err != nil || ast.IsGenerated(f) {
		return nil, false
	}
	var out []string
	for _, i := range f.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, true
}

// Of returns the declarations that name a package, given its import path, its name and its directory. Files of this directory are
// left out: they are the package itself and its own tests.
func (x *Index) Of(importPath, name, dir string) []Caller {
	var out []Caller
	parsed := 0
	for _, rel := range x.importing[importPath] {
		file := filepath.Join(x.root, filepath.FromSlash(rel))
		if filepath.Dir(file) == dir {
			continue
		}
		if parsed++; parsed > mostImporting {
			break
		}
		for _, c := range inFile(file, importPath, name) {
			c.File = rel
			if out = append(out, c); len(out) == mostCallers {
				return out
			}
		}
	}
	return out
}

// inFile returns the declarations of one file that name a package.
func inFile(file, importPath, name string) []Caller {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	imports := make(map[string]string)
	as := "" // the package's name in the file
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		local := lastElement(p)
		if p == importPath {
			local = name
		}
		if i.Name != nil {
			local = i.Name.Name
		}
		imports[local] = p
		if p == importPath {
			as = local
		}
	}
	if as == "" || as == "." || as == "_" {
		return nil
	}
	var out []Caller
	for _, d := range f.Decls {
		from, to := fset.Position(d.Pos()), fset.Position(d.End())
		if to.Offset-from.Offset > largestCaller || !names(d, as) {
			continue
		}
		c := Caller{Line: from.Line, Source: string(src[from.Offset:to.Offset]), Imports: imports}
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			c.Source = string(bytes.TrimSpace(src[fset.Position(d.Type.Func).Offset:to.Offset])) // without the doc comment
			c.Line = fset.Position(d.Type.Func).Line
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			c.Source = "func _() { " + c.Source + "\n}"
		}
		out = append(out, c)
	}
	return out
}

// lastElement guesses the name of a package from its import path: the last element that is no version.
func lastElement(importPath string) string {
	base := path.Base(importPath)
	if v, ok := strings.CutPrefix(base, "v"); ok && strings.Trim(v, "0123456789") == "" && v != "" {
		base = path.Base(path.Dir(importPath))
	}
	return base
}

// names reports whether a declaration has a selector of a package.
func names(d ast.Decl, pkg string) bool {
	found := false
	ast.Inspect(d, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			id, ok := sel.X.(*ast.Ident)
			found = found || ok && id.Name == pkg
		}
		return !found
	})
	return found
}
