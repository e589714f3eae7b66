package mutate

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
)

// maxRounds bounds how often mutants that do not check are taken out and the remaining ones are checked
// again.
const maxRounds = 8

// schemata are the sources of a package with all its mutants. It is a native.Rewriter.
type schemata struct {
	w       *rewriter
	sources map[*ast.File][]byte
	texts   map[*ast.File][]byte
	edits   map[*ast.File][]edit
}

// newSchemata rewrites the package and type-checks the result.
func newSchemata(prog *load.Program, pkg *load.Package, sources map[*ast.File][]byte, only func(string) bool) *schemata {
	return &schemata{
		w:       &rewriter{fset: prog.Fset, pkg: pkg, info: pkg.Info, only: only, notes: contract.Reader{Source: prog.Source}, dropped: map[int]bool{}, unordered: map[string]bool{}},
		sources: sources,
	}
}

// prepare rewrites the package, with new names that begin with the prefix, without the mutants that do
// not check.
func (s *schemata) prepare(prefix string) error {
	s.w.prefix = prefix
	for round := range maxRounds {
		s.texts = map[*ast.File][]byte{}
		s.edits = map[*ast.File][]edit{}
		s.w.begin()
		for _, f := range s.w.pkg.Syntax {
			src, ok := s.sources[f]
			if !ok {
				continue
			}
			s.texts[f] = s.w.rewrite(f, src)
			s.edits[f] = s.w.edits
		}
		errs, err := s.typeCheck()
		if err != nil {
			return err
		}
		if len(errs) == 0 {
			return nil
		}
		if !s.drop(errs, round > 2) && !s.dropDeclarations(errs) {
			return fmt.Errorf("mutate: %s: %s", s.w.pkg.Path, errs[0].msg)
		}
	}
	return errors.New("mutate: " + s.w.pkg.Path + ": rewriting does not check")
}

// place is where the type checker reports an error, in the original file.
type place struct {
	pos token.Pos
	msg string
}

// typeCheck type-checks the rewritten package.
func (s *schemata) typeCheck() ([]place, error) {
	fset := token.NewFileSet()
	imp := make(importMap)
	for _, p := range s.w.pkg.Types.Imports() {
		imp[p.Path()] = p
	}
	stub, err := parser.ParseFile(fset, "assayrt.go", runtimeStub, 0)
	if err != nil {
		panic("bug: mutate: " + err.Error())
	}
	rt, err := new(types.Config).Check("assayrt", fset, []*ast.File{stub}, nil)
	if err != nil {
		panic("bug: mutate: " + err.Error())
	}
	imp["assayrt"] = rt
	p := s.w.prefix
	header := fmt.Sprintf("package %s\n\nimport @rt \"assayrt\"\n\nvar @c [%d]@rt.Uint8\n\n", s.w.pkg.Name, s.w.count+1) +
		"func @assume(c @rt.Bool) @rt.Bool { return c }\n\nfunc @prefer(c @rt.Bool) @rt.Bool { return c }\n\n" +
		"func @assert(c @rt.Bool, _ @rt.Int) @rt.Bool { return c }\n\nfunc @ends(c @rt.Bool, _ @rt.Int) @rt.Bool { return c }\n\nfunc @r(m @rt.Any) *@rt.Ordered { return nil }\n\n" +
		"type @Float = @rt.Float64\n\nfunc @whole(x @Float, _ @rt.Int) @Float { return x }\n\n"
	header = strings.ReplaceAll(header, "@", p)
	helpers, err := parser.ParseFile(fset, "support.go", header+support(p), 0)
	if err != nil {
		panic("bug: mutate: " + err.Error())
	}
	files := []*ast.File{helpers}
	// asLoaded adds the declarations of a file that is not rewritten. Its positions belong to another file
	// set.
	asLoaded := func(f *ast.File) {
		var text bytes.Buffer
		if err := format.Node(&text, s.w.fset, f); err != nil {
			panic("bug: mutate: " + err.Error())
		}
		g, err := parser.ParseFile(fset, s.w.fset.File(f.FileStart).Name(), text.Bytes(), parser.SkipObjectResolution)
		if err != nil {
			panic("bug: mutate: " + err.Error())
		}
		files = append(files, g)
	}
	for _, f := range s.w.pkg.Generated() {
		asLoaded(f)
	}
	originals := map[*token.File]*ast.File{}
	for _, f := range s.w.pkg.Syntax {
		text, ok := s.texts[f]
		if !ok {
			asLoaded(f) // the file uses cgo or is not compiled, so it is used as it was loaded
			continue
		}
		g, err := parser.ParseFile(fset, s.w.fset.File(f.FileStart).Name(), text, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("bug: mutate: rewriting does not parse: %w", err)
		}
		originals[fset.File(g.FileStart)] = f
		files = append(files, g)
	}
	var out []place
	conf := types.Config{
		Importer: imp,
		Error: func(err error) {
			e, ok := err.(types.Error)
			if !ok {
				return
			}
			pl := place{msg: e.Msg}
			if tf := fset.File(e.Pos); tf != nil {
				if f := originals[tf]; f != nil {
					pl.pos = s.w.fset.File(f.FileStart).Pos(original(s.edits[f], tf.Offset(e.Pos)))
				}
			}
			out = append(out, pl)
		},
	}
	_, _ = conf.Check(s.w.pkg.Path, fset, files, nil) // conf.Error has seen the errors
	return out, nil
}

// drop takes out the innermost mutants around each place, or all, and reports whether
// there were any.
func (s *schemata) drop(errs []place, all bool) bool {
	some := false
	for _, e := range errs {
		var best *site
		for _, x := range s.w.sites {
			if x.pos > e.pos || e.pos > x.end || s.w.dropped[x.ordinal] {
				continue
			}
			if best == nil || x.end-x.pos <= best.end-best.pos {
				best = x
			}
			if all {
				s.w.dropped[x.ordinal] = true
				some = true
			}
		}
		if best != nil {
			s.w.dropped[best.ordinal] = true
			some = true
			continue
		}
		some = s.dropJumps(e.pos) || some
	}
	return some
}

// dropDeclarations takes out all mutants in the declarations that contain the places, and reports whether
// there were any. It is used because a rewritten operand may lead to an error at another place in the
// declaration.
func (s *schemata) dropDeclarations(errs []place) bool {
	some := false
	for _, e := range errs {
		some = s.dropAround(e.pos, func(*site) bool { return true }) || some
	}
	return some
}

// dropAround takes out those mutants in the declarations that contain a place for which which holds, and reports whether there
// were any.
func (s *schemata) dropAround(pos token.Pos, which func(*site) bool) bool {
	some := false
	for _, f := range s.w.pkg.Syntax {
		for _, d := range f.Decls {
			if pos < d.Pos() || pos > d.End() {
				continue
			}
			for _, x := range s.w.sites {
				if d.Pos() <= x.pos && x.end <= d.End() && which(x) && !s.w.dropped[x.ordinal] {
					s.w.dropped[x.ordinal], some = true, true
				}
			}
		}
	}
	return some
}

// dropJumps takes out the mutants of jumps in the function that ends at pos. The error there is "missing
// return": a mutated jump has made an endless loop end.
func (s *schemata) dropJumps(pos token.Pos) bool {
	return s.dropAround(pos, func(x *site) bool { return x.mutants[0].Operator == LoopJump })
}

// importMap returns imported packages from those that the package imports.
type importMap map[string]*types.Package

func (m importMap) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := m[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("not imported")
}

// Rewrite returns the text of a file. The first call rewrites the whole package.
func (s *schemata) Rewrite(prefix string, f *ast.File, _ []byte, hook native.Hook) ([]byte, error) {
	if s.texts == nil {
		s.w.hook = hook
		if err := s.prepare(prefix); err != nil {
			return nil, err
		}
	}
	text, ok := s.texts[f]
	if !ok {
		return nil, fmt.Errorf("bug: mutate: a file that was not rewritten")
	}
	return text, nil
}

// Support returns the helpers' declarations.
func (s *schemata) Support(prefix string) string { return support(prefix) }

// Counters returns the number of counters: counter 0 belongs to no mutant, and each mutant has one.
func (s *schemata) Counters() int { return s.w.count + 1 }
