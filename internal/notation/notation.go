package notation

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// Text is a text in a notation.
type Text struct {
	Name  string // says what the text shows: "nested object", "unclosed list"
	Value string
}

// notation is a way to write something as text.
type notation struct {
	names    []string // words by which functions, parameters and packages are called after it
	mentions []string // words of documentation that speak of nothing else, in lower case
	texts    []Text   // what its readers accept, the plainest first, then what they refuse
}

// neutral are words at the end of a parameter's name that say no more than that it is a text.
var neutral = map[string]bool{
	"s": true, "str": true, "string": true, "text": true, "txt": true, "src": true, "source": true, "in": true, "input": true, "data": true, "b": true, "bs": true, "buf": true,
	"bytes": true, "body": true, "content": true, "contents": true, "raw": true, "doc": true, "document": true, "value": true, "val": true, "v": true, "r": true, "rd": true,
	"reader": true, "p": true, "line": true, "lines": true, "expr": true, "spec": true, "x": true, "a": true, "t": true, "arg": true, "payload": true, "code": true, "word": true, "": true,
}

// For returns texts for a parameter of a function of the package, which must take a text: a string, bytes, or a reader.
// They are in the notation that the parameter asks for. It returns nil if none is known.
func For(pkg *load.Package, f *types.Func, param int) []Text {
	params := f.Signature().Params()
	if param < 0 || param >= params.Len() || !takesText(params.At(param).Type()) {
		return nil
	}
	n := of(pkg, f, params.At(param).Name())
	if n == nil {
		return nil
	}
	var out []Text
	if pkg.Literals != nil {
		for _, d := range pkg.Literals.Fenced {
			if slices.Contains(n.names, d.Language) {
				out = append(out, Text{Name: "example of the README", Value: d.Text})
			}
		}
	}
	return append(out, n.texts...)
}

// Routes returns patterns of routers, of which a function of the package takes one and a handler, and nil if none does. The
// paths that they match are for the caller to make.
func Routes(pkg *load.Package) []Text {
	if !importsHTTP(pkg) {
		return nil
	}
	for _, t := range pkg.Targets {
		if t.Obj == nil || !t.Obj.Exported() {
			continue
		}
		takesRoute := false
		for v := range t.Obj.Signature().Params().Variables() {
			takesRoute = takesRoute || takesText(v.Type()) && of(pkg, t.Obj, v.Name()) == &routes
		}
		if takesRoute {
			return routes.texts
		}
	}
	return nil
}

// IsKnown reports whether a text is one of the table's.
func IsKnown(text string) bool { return known()[text] }

var known = sync.OnceValue(func() map[string]bool {
	out := make(map[string]bool)
	for _, n := range table {
		for _, t := range n.texts {
			out[t.Value] = true
		}
	}
	return out
})

// of returns the notation that a parameter of a function asks for, or nil.
func of(pkg *load.Package, f *types.Func, param string) *notation {
	words := gosyntax.Words(param)
	if len(words) > 0 && slices.Contains(routes.names, words[len(words)-1]) && importsHTTP(pkg) {
		return &routes
	}
	if n := called(words); n != nil {
		return n
	}
	if len(words) > 0 && !neutral[words[len(words)-1]] {
		return nil
	}
	if n := called(gosyntax.Words(f.Name())); n != nil {
		return n
	}
	if recv := f.Signature().Recv(); recv != nil {
		if named := load.NamedOf(recv.Type()); named != nil {
			if n := called(gosyntax.Words(named.Obj().Name())); n != nil {
				return n
			}
		}
	}
	if decl := pkg.Func(f); decl != nil {
		if n := mentioned(decl.Doc); n != nil {
			return n
		}
	}
	if f.Pkg() == nil {
		return nil
	}
	return within(f.Pkg().Name())
}

// importsHTTP reports whether a package is about HTTP, where paths are those of requests.
func importsHTTP(pkg *load.Package) bool {
	return pkg.Types != nil && slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "net/http" })
}

// called returns the notation that one of the words of a name stands for. Of several the last one counts, after which
// the thing is called: the dateURL is a URL.
func called(words []string) *notation {
	for _, w := range slices.Backward(words) {
		w = strings.ToLower(w)
		for i := range table {
			if n := &table[i]; slices.Contains(n.names, w) || strings.HasSuffix(w, "s") && slices.Contains(n.names, strings.TrimSuffix(w, "s")) {
				return n
			}
		}
	}
	return nil
}

// mentioned returns the notation that a doc comment mentions first.
func mentioned(doc *ast.CommentGroup) *notation {
	for word := range strings.FieldsFuncSeq(doc.Text(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		word = strings.ToLower(word)
		for i := range table {
			if slices.Contains(table[i].mentions, word) {
				return &table[i]
			}
		}
	}
	return nil
}

// within returns the notation whose name the name of a package has in it. Names of packages are written without a sign
// between their words, so that short names may be there by chance.
func within(name string) *notation {
	const shortest = 4
	var best *notation
	longest := 0
	for i := range table {
		for _, w := range table[i].names {
			if w == name || len(w) >= shortest && strings.Contains(name, w) {
				if len(w) > longest {
					best, longest = &table[i], len(w)
				}
			}
		}
	}
	return best
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
	return load.IsNamed(t, "io", "Reader")
}
