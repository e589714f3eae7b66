package pair

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// What changes functions without a line in a declaration of theirs: packages that are imported for their effect only,
// the order in which variables are initialised, and what go.mod says. The lines that say so are hunks, too.

// importPrefix begins the Decl of the hunk of an import for its effect only: "import m/p".
const importPrefix = "import "

// addBrought adds the hunks of what has changed outside of declarations, and takes out those of packages that only came,
// or only went, with an import.
func (p *Pairing) addBrought(hunks []Hunk) ([]Hunk, error) {
	p.brought, p.importers = map[string][]string{}, map[string]string{}
	imports, with, err := p.importHunks()
	if err != nil {
		return nil, err
	}
	hunks = slices.DeleteFunc(hunks, func(h Hunk) bool {
		return with[cmp.Or(packageOf(p.names.new, h.Decl), packageOf(p.names.old, h.Decl))]
	})
	orders, err := p.orderHunks()
	if err != nil {
		return nil, err
	}
	required, err := p.requiredHunks()
	return slices.Concat(hunks, imports, orders, required), err
}

// importHunks returns the imports for the effect only of packages that just one version has, and the packages whose
// declarations explain nothing that these imports do not.
func (p *Pairing) importHunks() (out []Hunk, with map[string]bool, err error) {
	with = map[string]bool{}
	for _, new := range []bool{true, false} {
		side, decls, partner := p.Old, p.names.old, p.names.to
		if new {
			side, decls, partner = p.New, p.names.new, p.names.from
		}
		only := func(path string) bool { return has(decls, packagePrefix+path) && partner[packagePrefix+path] == "" }
		byName := map[string]bool{} // what a package that both versions have imports for other things, too
		var found []Hunk
		for _, key := range slices.Sorted(maps.Keys(decls)) {
			path, ok := strings.CutPrefix(key, packagePrefix)
			if !ok || len(decls[key].Uses) == 0 || partner[key] == "" {
				continue
			}
			list, err := p.importsIn(side, path, only, byName)
			if err != nil {
				return nil, nil, err
			}
			found = append(found, list...)
		}
		for _, h := range found {
			if p.brought[h.Decl] != nil {
				continue // another package imports it for its effect, too, and either is enough
			}
			for _, path := range side.Prog.Reached(strings.TrimPrefix(h.Decl, importPrefix)) {
				if only(path) {
					p.brought[h.Decl] = append(p.brought[h.Decl], p.startsOf(side, decls, path)...)
					with[path] = with[path] || !byName[path]
				}
			}
			if len(p.brought[h.Decl]) > 0 {
				out = append(out, h)
			}
		}
	}
	return out, with, nil
}

// importsIn returns the imports for the effect only in a package of a version of those packages that only holds for. What it
// imports by name is noted with all that this imports.
func (p *Pairing) importsIn(side Side, pkg string, only func(string) bool, byName map[string]bool) ([]Hunk, error) {
	src, err := side.Prog.PackageSource(pkg)
	if err != nil {
		return nil, err
	}
	var out []Hunk
	for _, f := range src.Syntax {
		for _, d := range f.Decls {
			d, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range d.Specs {
				spec, ok := spec.(*ast.ImportSpec)
				if !ok {
					continue
				}
				path, err := strconv.Unquote(spec.Path.Value)
				if err != nil || !only(path) {
					continue
				}
				if spec.Name == nil || spec.Name.Name != "_" {
					for _, reached := range side.Prog.Reached(path) {
						byName[reached] = true
					}
					continue
				}
				h, err := p.importHunk(side, pkg, d, spec)
				if err != nil {
					return nil, err
				}
				h.Decl = importPrefix + path
				p.importers[h.Decl] = pkg
				out = append(out, h)
			}
		}
	}
	return out, nil
}

// importHunk returns the hunk of an import. Where the new version does not have the line, it would stand behind the package
// clause of the file.
func (p *Pairing) importHunk(side Side, pkg string, d *ast.GenDecl, spec *ast.ImportSpec) (Hunk, error) {
	new := side.Prog == p.New.Prog
	at := side.Prog.Fset.PositionFor(spec.Pos(), false)
	text := "_ " + spec.Path.Value
	if new && d.Lparen.IsValid() {
		return Hunk{New: Stretch{at.Filename, at.Line, at.Line + 1, []string{text}}}, nil
	}
	text = "import " + text
	if new {
		return Hunk{New: Stretch{at.Filename, at.Line, at.Line + 1, []string{text}}}, nil
	}
	h := Hunk{Old: Stretch{at.Filename, at.Line, at.Line + 1, []string{text}}}
	src, err := p.New.Prog.PackageSource(strings.TrimPrefix(p.names.to[packagePrefix+pkg], packagePrefix))
	if err != nil {
		return Hunk{}, err
	}
	for _, to := range src.Syntax {
		clause := p.New.Prog.Fset.PositionFor(to.Name.Pos(), false)
		if filepath.Base(clause.Filename) == filepath.Base(at.Filename) {
			h.New = Stretch{File: clause.Filename, First: clause.Line + 1, End: clause.Line + 1}
		}
	}
	return h, nil
}

// startsOf returns the declarations by which a package has an effect on others: its own or, if only its version is known, the
// packages with which it registers.
func (p *Pairing) startsOf(side Side, decls map[string]load.Declaration, path string) []string {
	var out []string
	for key, d := range decls {
		switch other, ok := strings.CutPrefix(key, packagePrefix); {
		case !ok && packageOf(decls, key) == path:
			out = append(out, key)
		case ok && len(d.Uses) == 0 && slices.Contains(side.Prog.Registrants(side.Pkg, other), path):
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// orderHunks returns hunks of variables that say the same and are used in another order by what runs at the start.
func (p *Pairing) orderHunks() ([]Hunk, error) {
	var out []Hunk
	for _, key := range slices.Sorted(maps.Keys(p.changes.own)) {
		d, old := p.names.new[key], p.names.old[p.names.from[key]]
		if len(d.Order) != len(old.Order) {
			continue // what is new or gone is a hunk of its own
		}
		for i, first := range d.Order {
			was := old.Order[i]
			if was == first {
				continue
			}
			behind, at := slices.Index(old.Order, first) > i, p.names.new[packageOf(p.names.new, key)+"."+first]
			if behind && len(at.Pieces) > 0 {
				s, err := stretch(p.New.Prog, at.Pieces, 0)
				if err != nil {
					return nil, err
				}
				decl := "order of " + key
				p.brought[decl] = []string{key}
				for _, start := range d.Order {
					p.brought[decl] = append(p.brought[decl], packageOf(p.names.new, key)+"."+start)
				}
				out = append(out, Hunk{Decl: decl, New: s, Says: fmt.Sprintf("runs before %s at the start, and ran after it", was)})
			}
			break
		}
	}
	return out, nil
}

// requiredHunks returns the lines of go.mod that say something else and change declarations: the version of the language,
// and those of modules of which only the version is known.
func (p *Pairing) requiredHunks() ([]Hunk, error) {
	old, err := modLines(p.Old)
	if err != nil {
		return nil, err
	}
	new, err := modLines(p.New)
	if err != nil {
		return nil, err
	}
	var out []Hunk
	for _, key := range slices.Sorted(maps.Keys(p.changes.own)) {
		d := p.names.new[key]
		about := ""
		if path, ok := strings.CutPrefix(key, packagePrefix); ok && len(d.Uses) == 0 {
			for module := range new {
				if (path == module || strings.HasPrefix(path, module+"/")) && len(module) > len(about) {
					about = module
				}
			}
		} else if has(p.names.old, p.names.from[key]) && d.OldLoops != p.names.old[p.names.from[key]].OldLoops {
			about = "go"
		}
		is, was := new[about], old[about]
		if about == "" || len(is.Text) == 0 || len(was.Text) == 0 || is.Text[0] == was.Text[0] {
			continue
		}
		decl := "go.mod " + about
		if p.brought[decl] == nil {
			out = append(out, Hunk{Decl: decl, Old: was, New: is})
		}
		p.brought[decl] = append(p.brought[decl], key)
	}
	return out, nil
}

// modLines returns the lines of a version's go.mod about modules, by their paths, and about the version of the language, as "go".
func modLines(side Side) (map[string]Stretch, error) {
	name := load.FindUpwards(side.Pkg.Dir, "go.mod")
	if name == "" {
		return nil, nil
	}
	src, err := side.Prog.Source(name)
	if err != nil {
		return nil, err
	}
	out := map[string]Stretch{}
	for i, line := range strings.Split(string(src), "\n") {
		text, _, _ := strings.Cut(line, "//")
		fields := strings.Fields(strings.TrimPrefix(strings.TrimSpace(text), "require "))
		if len(fields) == 2 {
			out[fields[0]] = Stretch{name, i + 1, i + 2, []string{strings.Join(fields, " ")}}
		}
	}
	return out, nil
}

// isBrought reports whether a hunk is a line outside of all declarations that are compared.
func (p *Pairing) isBrought(h Hunk) bool { return p.brought[h.Decl] != nil }

// Reaches reports whether a function is, or reaches, what a hunk has changed.
func (p *Pairing) Reaches(f Function, hunk int) bool {
	decl := p.Hunks[hunk].Decl
	if slices.Contains(f.Behind, decl) {
		return true
	}
	keys, ok := p.brought[decl]
	return ok && (slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(f.Behind, key) }) ||
		slices.Contains(p.FunctionsAt(decl, false), f.Old.Name))
}
