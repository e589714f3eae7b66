package load

import (
	"go/ast"
	"go/types"
)

// Source is a package with its syntax and type information: a package under test, or a dependency that
// was loaded from source.
type Source struct {
	Path      string
	GoVersion string // its module's go version, or "" if unknown
	Types     *types.Package
	Info      *types.Info
	Syntax    []*ast.File // includes the files generated for contracts of a package under test
}

// PackageSource returns the source of a package of the program, and loads it if only its export data is
// known. Its types are then other objects than those that importers see; names are the same.
func (p *Program) PackageSource(path string) (*Source, error) {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	if r := p.deps.roots[path]; r != nil && r.Info != nil {
		return &Source{path, r.GoVersion, r.Types, r.Info, r.allSyntax()}, nil
	}
	t, err := p.twinOf(path)
	if err != nil {
		return nil, err
	}
	s := &Source{Path: path, Types: t.types, Info: t.info, Syntax: t.syntax}
	s.GoVersion = p.deps.listed[path].language()
	return s, nil
}
