package load

import (
	"errors"
	"go/token"
	"go/types"
	"os"
	"slices"

	"golang.org/x/tools/go/gcexportdata"
)

// The errors in this file are short, because the type checker puts "could not import path (...)" around them.

// importPath returns the types of the package that the package from imports as path. For a package under test
// these are its source types, and for a dependency its export data. The caller holds the lock.
func (p *Program) importPath(from *listed, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if from != nil {
		path = from.mapped(path)
	}
	return p.importTypes(path)
}

// mapped returns the canonical path of a package that this package imports as path, such as a vendored
// one.
func (l *listed) mapped(path string) string {
	if canonical, ok := l.ImportMap[path]; ok {
		return canonical
	}
	return path
}

// importTypes does the same as importPath for a canonical path. The caller holds the lock.
func (p *Program) importTypes(path string) (*types.Package, error) {
	d := &p.deps
	if root, ok := d.roots[path]; ok {
		if len(root.Errors) > 0 {
			return nil, errors.New("it has errors")
		}
		if root.Types == nil {
			return nil, errors.New("import cycle")
		}
		return root.Types, nil
	}
	if t := d.exports[path]; t != nil && t.Complete() {
		return t, nil
	}
	l := d.listed[path]
	if l == nil || l.Export == "" {
		if l != nil && l.Error != nil {
			return nil, errors.New(oneLine(l.Error.Err))
		}
		if l != nil {
			return nil, errors.New("it has no export data")
		}
		if err := p.listMore(path); err != nil {
			return nil, err
		}
		if l = d.listed[path]; l == nil || l.Export == "" {
			return nil, errors.New("not found")
		}
	}
	f, err := os.Open(l.Export)
	if err != nil {
		return nil, err
	}
	defer f.Close() // the file is only read, so nothing can be lost
	//lint:ignore SA1019 the toolchains in use write archives; Read alone takes only the format to come
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	t, err := gcexportdata.Read(r, p.Fset, d.exports, path)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// listMore asks the go command about packages that are no dependencies of the packages under test: a model of
// the runtime, or a generated test, may import such a package. What nearly all generated tests import is
// asked for at the same time, because each question starts the go command. The caller holds the lock.
func (p *Program) listMore(paths ...string) error {
	asked := slices.Clone(paths)
	for _, usual := range []string{"fmt", "reflect", "testing"} {
		if p.deps.listed[usual] == nil && !slices.Contains(asked, usual) {
			asked = append(asked, usual)
		}
	}
	more, stderr, err := goList(p.deps.ctx, p.deps.cfg, asked)
	if err != nil {
		return err
	}
	if len(more) == 0 {
		return errors.New(firstLine(stderr, "not found"))
	}
	for _, l := range more {
		if p.deps.listed[l.ImportPath] == nil {
			p.deps.listed[l.ImportPath] = l
		}
	}
	return nil
}

// importer finds the imports of one package for the type checker.
type importer struct {
	p    *Program
	from *listed // nil for source that is unknown to the go command
}

func (i importer) Import(path string) (*types.Package, error) { return i.p.importPath(i.from, path) }

// ssaImports creates SSA packages, without bodies, for the direct imports of pkg, because the SSA builder
// needs these before it builds pkg. The caller holds the lock.
func (p *Program) ssaImports(pkg *types.Package) {
	for _, imp := range pkg.Imports() {
		if p.SSA.Package(imp) == nil {
			p.SSA.CreatePackage(imp, nil, nil, true)
		}
	}
}

// position parses a "file:line:col" of the go command.
func position(dir, s string) token.Position {
	var pos token.Position
	if s == "" {
		return pos
	}
	pos.Filename = s
	for range 2 {
		i := len(pos.Filename) - 1
		for i >= 0 && pos.Filename[i] >= '0' && pos.Filename[i] <= '9' {
			i--
		}
		if i <= 0 || pos.Filename[i] != ':' || i == len(pos.Filename)-1 {
			break
		}
		n := 0
		for _, c := range pos.Filename[i+1:] {
			n = n*10 + int(c-'0')
		}
		pos.Column, pos.Line = pos.Line, n
		pos.Filename = pos.Filename[:i]
	}
	pos.Filename = absIn(dir, pos.Filename)
	return pos
}
