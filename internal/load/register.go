package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Registrants returns the packages among pkg's dependencies whose init functions change something in the
// package at path: they call one of its functions for its effect, or assign to one of its variables. Packages
// that are imported only for their effect do this (crypto/sha256, image/png, drivers). They are sorted in the
// order of their initialisation, as far as paths decide it. Only the source of the init functions is read,
// and not that of the functions that they call. Internal packages of the standard library are left out,
// because nothing registers there that a program could see.
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
			for _, with := range p.registersWith(l, f) {
				if !slices.Contains(out[with], l.ImportPath) {
					out[with] = append(out[with], l.ImportPath)
				}
			}
		}
	}
	return out
}

// registersWith lists the imported packages that the init functions of a file change.
func (p *Program) registersWith(l *listed, f *ast.File) []string {
	imports := map[string]string{} // by name in the file
	for _, spec := range f.Imports {
		at, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if mapped := l.ImportMap[at]; mapped != "" {
			at = mapped
		}
		dep := p.deps.listed[at]
		if dep != nil && dep.Standard && internalPath(at) {
			continue
		}
		name := path.Base(at)
		if dep != nil && dep.Name != "" {
			name = dep.Name
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = at
	}
	var out []string
	note := func(e ast.Expr) {
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
					note(call.Fun)
				}
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					for _, e := range n.Lhs {
						note(e)
					}
				}
			}
			return true
		})
	}
	return out
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
