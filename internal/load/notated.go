package load

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/notation"
)

// Notated returns texts for a parameter of a function of the package, which must take a text: a string, bytes, or a
// reader. They are in the notation that the parameter asks for, those of the package's README first. It returns nil if
// no notation is known.
func (pkg *Package) Notated(f *types.Func, param int) []notation.Text {
	n := pkg.notationOf(f, param)
	if n == nil {
		return nil
	}
	var out []notation.Text
	if pkg.Literals != nil {
		for _, example := range pkg.Literals.Fenced {
			if n.Is(example.Language) {
				out = append(out, notation.Text{Name: "example of the README", Value: example.Text})
			}
		}
	}
	return append(out, n.Texts...)
}

// Routes returns the patterns of routers if an exported function of the package takes one, and nil otherwise.
func (pkg *Package) Routes() []notation.Text {
	for _, t := range pkg.Targets {
		if t.Obj == nil || !t.Obj.Exported() {
			continue
		}
		for i := range t.Obj.Signature().Params().Len() {
			if n := pkg.notationOf(t.Obj, i); n != nil && n == notation.Routes() {
				return n.Texts
			}
		}
	}
	return nil
}

// notationOf returns the notation that a parameter asks for, or nil.
func (pkg *Package) notationOf(f *types.Func, param int) *notation.Notation {
	params := f.Signature().Params()
	if param < 0 || param >= params.Len() || !takesText(params.At(param).Type()) || f.Pkg() == nil {
		return nil
	}
	place := notation.Place{Param: gosyntax.Words(params.At(param).Name()), Func: gosyntax.Words(f.Name()), Package: f.Pkg().Name(), HTTP: pkg.importsHTTP()}
	if recv := f.Signature().Recv(); recv != nil {
		if named := NamedOf(recv.Type()); named != nil {
			place.Type = gosyntax.Words(named.Obj().Name())
		}
	}
	if pkg.Info != nil {
		if decl := pkg.Func(f); decl != nil {
			place.Doc = decl.Doc.Text()
		}
	}
	return notation.For(place)
}

// importsHTTP reports whether the package is about HTTP, where paths are those of requests.
func (pkg *Package) importsHTTP() bool {
	return pkg.Types != nil && slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "net/http" })
}

// takesText reports whether values of a type are texts, or are read from.
func takesText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Uint8
	}
	return IsNamed(t, "io", "Reader")
}
