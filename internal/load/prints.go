package load

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// FunctionPrint identifies what a function does. Text stands for the source of all declarations of its
// package that it reaches, itself included, and for all packages that these use, with their imports.
// Place stands for the lines of the declarations.
type FunctionPrint struct{ Text, Place string }

// FunctionPrints identifies the parts of a package under test, so that a later run can tell which of
// its functions are unchanged. rest stands for everything that affects all of them: test files, init
// functions, the requirements, testdata, the go version. The functions are by Target.Name. Files for
// which leave returns true do not count.
func (p *Program) FunctionPrints(pkg *Package, leave func(file string) bool) (rest string, functions map[string]FunctionPrint, err error) {
	h := newPrint()
	h.note("package", pkg.Path, pkg.Dir, pkg.Module, pkg.GoVersion)
	h.note(pkg.GoFiles...)
	files := slices.DeleteFunc(slices.Concat(pkg.TestFiles, requirements(pkg)), leave)
	if err := p.noteFiles(h, pkg, files); err != nil {
		return "", nil, err
	}
	src, err := p.PackageSource(pkg.Path)
	if err != nil {
		return "", nil, err
	}
	g := newDeclGraph(p)
	g.spans = map[string][]span{}
	g.add(src, nil)
	r := &reacher{declGraph: g, uses: g.uses(), imported: map[string]string{}}
	var registrants []string
	for _, path := range p.Reached(pkg.Path) {
		registrants = append(registrants, p.Registrants(pkg, path)...)
	}
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	// Packages that change others at their start affect functions that do not mention them.
	for _, path := range registrants {
		if path != pkg.Path {
			s, err := r.closureOf(path)
			if err != nil {
				return "", nil, err
			}
			h.note(path, s)
		}
	}
	// Code that runs before everything else, and the runtime, affect all functions.
	before, err := r.reached(pkg.Path+".init", pkg.Path+"._")
	if err != nil {
		return "", nil, err
	}
	system, err := r.closureOf("runtime")
	if err != nil {
		return "", nil, err
	}
	h.note(before.Text, system)
	functions = map[string]FunctionPrint{}
	for _, t := range pkg.Targets {
		if functions[t.Name], err = r.reached(pkg.Path + "." + t.Name); err != nil {
			return "", nil, err
		}
	}
	return h.String(), functions, nil
}

// reacher follows the uses of declarations to everything that they reach.
type reacher struct {
	*declGraph
	uses     map[string][]string
	imported map[string]string // the print of each package
}

// closureOf identifies a package with all that it imports.
func (r *reacher) closureOf(path string) (string, error) {
	if s, ok := r.imported[path]; ok {
		return s, nil
	}
	h := newPrint()
	if err := r.prog.noteClosure(h, path); err != nil {
		return "", err
	}
	r.imported[path] = h.String()
	return r.imported[path], nil
}

// reached identifies everything that some declarations reach, including themselves.
func (r *reacher) reached(from ...string) (FunctionPrint, error) {
	text, place := newPrint(), newPrint()
	seen, todo := map[string]bool{}, from
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[n] {
			seen[n] = true
			todo = append(todo, r.uses[n]...)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(seen)) {
		if path, ok := strings.CutPrefix(n, packageNode); ok {
			s, err := r.closureOf(path)
			if err != nil {
				return FunctionPrint{}, err
			}
			text.note(n, s)
		}
		for _, s := range r.spans[n] {
			source, err := r.prog.Source(s.file)
			if err != nil {
				return FunctionPrint{}, err
			}
			text.note(n, string(source[s.from:s.to]))
			place.note(n, s.file, fmt.Sprint(s.line))
		}
	}
	return FunctionPrint{text.String(), place.String()}, nil
}

// span is where a declaration stands in its file.
type span struct {
	file           string
	from, to, line int
}

// spanOf returns where a node and the comment before it stand.
func (g *declGraph) spanOf(node ast.Node, doc *ast.CommentGroup) span {
	from := node.Pos()
	if doc != nil {
		from = min(from, doc.Pos())
	}
	at := g.prog.Fset.PositionFor(from, false)
	return span{at.Filename, at.Offset, g.prog.Fset.PositionFor(node.End(), false).Offset, at.Line}
}
