package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// Registrants returns the packages among pkg's dependencies whose initialisers change something in the
// package at path. Either their init functions call one of its functions for its effect, or assign to one of
// its variables: packages that are imported only for their effect do this (crypto/sha256, image/png, drivers).
// Or a variable of theirs is initialised by a function there that keeps what it returns (keepers). They are
// sorted in the order of their initialisation, as far as paths decide it. Only the source of the init functions
// is read, and not that of the functions that they call. Functions of internal packages of the standard library are left
// out, because nothing registers there that a program could see; variables of theirs are hooks, as go/scanner sets one for go/parser.
func (p *Program) Registrants(pkg *Package, path string) []string {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	all, ok := p.deps.registrants[pkg.Path]
	if !ok {
		all = p.findRegistrants(pkg)
		if p.deps.registrants == nil {
			p.deps.registrants = map[string]map[string][]string{}
		}
		p.deps.registrants[pkg.Path] = all
	}
	return all[path]
}

// findRegistrants returns, for each package, the packages that register with it.
func (p *Program) findRegistrants(pkg *Package) map[string][]string {
	out := map[string][]string{}
	add := func(l *listed, with []string) {
		for _, at := range with {
			if !slices.Contains(out[at], l.ImportPath) {
				out[at] = append(out[at], l.ImportPath)
			}
		}
	}
	keepers := keepers{prog: p, of: map[string]map[string]bool{}}
	for _, l := range p.closure(pkg.Path) {
		if l.Standard && internalPath(l.ImportPath) || l.ImportPath == "runtime" {
			continue
		}
		for _, name := range l.abs(l.GoFiles) {
			src, err := p.Source(name)
			if err != nil || !bytes.Contains(src, []byte("\nfunc init()")) {
				continue // a file that was removed is reported where it is loaded
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
			if f == nil || err != nil {
				continue
			}
			add(l, p.registersWith(l, f))
		}
		add(l, keepers.enrolsWith(l))
	}
	return out
}

// registersWith lists the imported packages that the init functions of a file change.
func (p *Program) registersWith(l *listed, f *ast.File) []string {
	imports, all := p.importsOf(l, f), p.allImportsOf(l, f)
	var out []string
	note := func(e ast.Expr, imports map[string]string) {
		for {
			switch x := e.(type) {
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.StarExpr:
				e = x.X
				continue
			case *ast.SelectorExpr:
				if id, ok := x.X.(*ast.Ident); ok {
					if at := imports[id.Name]; at != "" {
						out = append(out, at)
					}
					return
				}
				e = x.X
				continue
			}
			return
		}
	}
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Name.Name != "init" || fd.Recv != nil || fd.Body == nil {
			continue
		}
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ExprStmt:
				if call, ok := n.X.(*ast.CallExpr); ok {
					note(call.Fun, imports)
				}
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					for _, e := range n.Lhs {
						note(e, all)
					}
				}
			}
			return true
		})
	}
	return out
}

// importsOf returns the paths that a file imports, by their names in the file. Internal packages of the standard
// library are left out.
func (p *Program) importsOf(l *listed, f *ast.File) map[string]string {
	imports := p.allImportsOf(l, f)
	maps.DeleteFunc(imports, func(_, at string) bool {
		dep := p.deps.listed[at]
		return dep != nil && dep.Standard && internalPath(at)
	})
	return imports
}

// allImportsOf does what importsOf does, and leaves none out.
func (p *Program) allImportsOf(l *listed, f *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range f.Imports {
		at, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if mapped := l.ImportMap[at]; mapped != "" {
			at = mapped
		}
		name := path.Base(at)
		if dep := p.deps.listed[at]; dep != nil && dep.Name != "" {
			name = dep.Name
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = at
	}
	return imports
}

// internalPath reports whether a package is internal to a tree.
func internalPath(path string) bool {
	return slices.Contains(strings.Split(path, "/"), "internal")
}

// Standard reports whether a path is that of a package of the standard library.
func (p *Program) Standard(path string) bool {
	l := p.deps.listed[path]
	return l != nil && l.Standard
}

// GOROOT returns the directory of the tool chain that the go command uses for the program, as the directories of the
// listed packages show, or "" if no package of the standard library is listed.
func (p *Program) GOROOT() string {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	for at, l := range p.deps.listed {
		if root, ok := strings.CutSuffix(filepath.ToSlash(l.Dir), "/src/"+at); ok && l.Standard {
			return filepath.FromSlash(root)
		}
	}
	return ""
}

// keepers knows which functions of packages keep what they make: they change a package-level variable of their
// package, as Register in
//
//	var ErrLate = codes.Register(7, "late")
//
// does. Who initialises a variable by such a function registers with its package. Only packages beyond the
// standard library are asked, and only functions, not methods.
type keepers struct {
	prog *Program
	of   map[string]map[string]bool // names of functions, by the path of their package
}

// function is a function of another package.
type function struct{ path, name string }

// enrolsWith lists the packages that l registers with by the initial values of its variables.
func (k keepers) enrolsWith(l *listed) []string {
	if l.Standard || !slices.ContainsFunc(l.Imports, func(path string) bool { return k.asked(l, path) != nil }) {
		return nil
	}
	files := k.parse(l, []byte("\nvar"))
	short := map[string]function{} // variables whose value is a function of another package
	for _, f := range files {
		imports := k.prog.importsOf(l, f)
		eachValue(f, func(name *ast.Ident, value ast.Expr) {
			if fn, ok := selected(imports, value); ok && name != nil {
				short[name.Name] = fn
			}
		})
	}
	var out []string
	for _, f := range files {
		imports := k.prog.importsOf(l, f)
		eachValue(f, func(_ *ast.Ident, value ast.Expr) {
			ast.Inspect(value, func(n ast.Node) bool {
				if _, ok := n.(*ast.FuncLit); ok {
					return false // it has not been called yet
				}
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				fn, ok := selected(imports, call.Fun)
				if id, isName := call.Fun.(*ast.Ident); isName {
					fn, ok = short[id.Name]
				}
				if dep := k.asked(l, fn.path); ok && dep != nil && k.keeps(dep)[fn.name] {
					out = append(out, dep.ImportPath)
				}
				return true
			})
		})
	}
	return out
}

// asked returns the package that l imports by the path, or nil if it is one of the standard library.
func (k keepers) asked(l *listed, path string) *listed {
	if mapped := l.ImportMap[path]; mapped != "" {
		path = mapped
	}
	if dep := k.prog.deps.listed[path]; dep != nil && !dep.Standard {
		return dep
	}
	return nil
}

// keeps returns the names of the functions of a package that change its variables.
func (k keepers) keeps(l *listed) map[string]bool {
	if out, ok := k.of[l.ImportPath]; ok {
		return out
	}
	out, calls := map[string]bool{}, map[string][]string{}
	k.of[l.ImportPath] = out
	files := k.parse(l, nil)
	vars := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					for _, name := range s.(*ast.ValueSpec).Names {
						vars[name.Name] = true
					}
				}
			}
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Body != nil {
				out[fd.Name.Name] = changesOneOf(vars, fd)
				calls[fd.Name.Name] = called(fd.Body)
			}
		}
	}
	for again := true; again; {
		again = false
		for name, callees := range calls {
			if !out[name] && slices.ContainsFunc(callees, func(c string) bool { return out[c] }) {
				out[name], again = true, true
			}
		}
	}
	return out
}

// parse parses the files of a package that contain the text. Files that have errors are left out, which are
// reported where they are loaded.
func (k keepers) parse(l *listed, text []byte) []*ast.File {
	var out []*ast.File
	for _, name := range l.abs(l.GoFiles) {
		src, err := k.prog.Source(name)
		if err != nil || !bytes.Contains(src, text) {
			continue
		}
		if f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution); err == nil {
			out = append(out, f)
		}
	}
	return out
}

// eachValue goes through the initial values of a file's variables. The name is nil where one value is for
// several variables.
func eachValue(f *ast.File, visit func(name *ast.Ident, value ast.Expr)) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			s := s.(*ast.ValueSpec)
			for i, v := range s.Values {
				var name *ast.Ident
				if len(s.Names) == len(s.Values) {
					name = s.Names[i]
				}
				visit(name, v)
			}
		}
	}
}

// selected returns the function of another package that an expression names.
func selected(imports map[string]string, e ast.Expr) (function, bool) {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		if id, ok := sel.X.(*ast.Ident); ok && imports[id.Name] != "" {
			return function{imports[id.Name], sel.Sel.Name}, true
		}
	}
	return function{}, false
}

// changesOneOf reports whether a function assigns to one of the package-level variables, or calls a method of one
// for its effect. Locks do not count.
func changesOneOf(vars map[string]bool, fd *ast.FuncDecl) bool {
	local := declared(fd)
	changes := false
	note := func(e ast.Expr) {
		if id := gosyntax.Root(e); id != nil && vars[id.Name] && !local[id.Name] {
			changes = true
		}
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					note(e)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.ExprStmt:
			call, _ := n.X.(*ast.CallExpr)
			if call == nil {
				break
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				switch sel.Sel.Name {
				case "Lock", "Unlock", "RLock", "RUnlock":
				default:
					note(sel.X)
				}
			}
		}
		return true
	})
	return changes
}

// declared returns the names that a function declares anywhere.
func declared(fd *ast.FuncDecl) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(fd, func(n ast.Node) bool {
		var names []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				names = n.Lhs
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				names = []ast.Expr{n.Key, n.Value}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				out[id.Name] = true
			}
		case *ast.Field:
			for _, id := range n.Names {
				out[id.Name] = true
			}
		}
		for _, e := range names {
			if id, ok := e.(*ast.Ident); ok {
				out[id.Name] = true
			}
		}
		return true
	})
	return out
}

// called lists the functions of its own package that a body calls.
func called(body ast.Node) []string {
	var out []string
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok {
				out = append(out, id.Name)
			}
		}
		return true
	})
	return out
}
