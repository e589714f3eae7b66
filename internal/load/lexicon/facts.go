package lexicon

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// A Module has what the files of a module say, each of which it reads once for all packages. The zero Module has read nothing.
type Module struct {
	files map[string]*facts
}

// file returns what a file says, nothing if it cannot be read.
func (m *Module) file(name string) *facts {
	if f := m.files[name]; f != nil {
		return f
	}
	if m.files == nil {
		m.files = make(map[string]*facts)
	}
	f := &facts{dir: filepath.Dir(name), params: make(map[string][]string), fields: make(map[string][]string)}
	m.files[name] = f
	src, err := os.ReadFile(name)
	if err != nil {
		return f
	}
	f.size = len(src)
	if syntax, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution); err == nil {
		f.read(syntax)
	}
	return f
}

// facts are what one file declares, and which texts it gives to what.
type facts struct {
	dir    string
	size   int                 // bytes
	params map[string][]string // names of parameters by function or method; "" where functions of one name differ
	fields map[string][]string // names of fields by struct type, like params
	given  []gift
}

// A gift is a text that code gives to a variable or field, by its name, or to a parameter or field, by its place. Where that is not
// declared in the same file, its name is known only when other files have been read.
type gift struct {
	name string
	of   string // the function or the struct type, if the name is not known
	call bool   // it is a function
	at   int    // the place
	text string
}

// use is a text of a name, by one of its keys.
type use struct{ name, text string }

// merge adds the declarations of another file.
func (f *facts) merge(o *facts) {
	for _, part := range []struct{ into, from map[string][]string }{{f.params, o.params}, {f.fields, o.fields}} {
		for name, list := range part.from {
			declare(part.into, name, list)
		}
	}
}

// declare notes the names of what stands at each place of a function or type.
func declare(into map[string][]string, name string, list []string) {
	old, ok := into[name]
	switch {
	case !ok:
		into[name] = slices.Clone(list)
	case len(old) != len(list):
		into[name] = nil
	default:
		for i := range old {
			if old[i] != list[i] {
				old[i] = ""
			}
		}
	}
}

// uses returns each text of the file once for each key of the names that it is given to.
func (f *facts) uses(declared *facts) []use {
	seen := make(map[use]bool)
	for _, g := range f.given {
		name := g.name
		if g.of != "" {
			places := declared.fields[g.of]
			if g.call {
				places = declared.params[g.of]
			}
			if g.at >= len(places) {
				continue
			}
			name = places[g.at]
		}
		words := gosyntax.Words(name)
		if len(words) == 0 || !says(words) {
			continue
		}
		for _, key := range keysOf(words) {
			if !slices.Contains(common, key) {
				seen[use{key, g.text}] = true
			}
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// read notes what a file declares, and what it gives to what.
func (f *facts) read(syntax *ast.File) {
	for _, d := range syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			declare(f.params, d.Name.Name, namesIn(d.Type.Params))
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok {
					if st, ok := ts.Type.(*ast.StructType); ok {
						declare(f.fields, ts.Name.Name, namesIn(st.Fields))
					}
				}
			}
		}
	}
	standard := make(map[string]bool) // names of packages
	for _, i := range syntax.Imports {
		if at, err := strconv.Unquote(i.Path.Value); err == nil && gosyntax.IsStandard(at, "") {
			name := at[strings.LastIndex(at, "/")+1:]
			if i.Name != nil {
				name = i.Name.Name
			}
			standard[name] = true
		}
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if of := calledName(n, standard); of != "" {
				for i, arg := range n.Args {
					f.give(gift{of: of, call: true, at: i}, arg)
				}
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i, to := range n.Lhs {
					f.give(gift{name: nameOf(to)}, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == len(n.Values) {
				for i, to := range n.Names {
					f.give(gift{name: to.Name}, n.Values[i])
				}
			}
		case *ast.CompositeLit:
			if n.Type != nil { // else elements has read it
				f.literal(n, n.Type)
			}
		}
		return true
	})
}

// namesIn returns the names of parameters or fields by position, "" for those without one.
func namesIn(list *ast.FieldList) []string {
	var out []string
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			out = append(out, n.Name)
		}
		if len(f.Names) == 0 {
			out = append(out, "")
		}
	}
	return out
}

// calledName returns the name of a called function, "" if it has none or is one of the standard library.
func calledName(call *ast.CallExpr, standard map[string]bool) string {
	fun := ast.Unparen(call.Fun)
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if x, ok := sel.X.(*ast.Ident); ok && standard[x.Name] {
			return ""
		}
	}
	return nameOf(fun)
}

// nameOf returns the name of what a value is given to, "" if it has none.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// literal reads the fields of a struct, and those of structs in a list whose type is written there.
func (f *facts) literal(lit *ast.CompositeLit, typ ast.Expr) {
	var names []string
	of := ""
	switch t := typ.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		of = nameOf(t)
	case *ast.StructType:
		names = namesIn(t.Fields)
	case *ast.ArrayType:
		f.elements(lit, t.Elt)
		return
	case *ast.MapType:
		f.elements(lit, t.Value)
		return
	}
	for i, e := range lit.Elts {
		switch kv, ok := e.(*ast.KeyValueExpr); {
		case ok:
			f.give(gift{name: nameOf(kv.Key)}, kv.Value)
		case of != "":
			f.give(gift{of: of, at: i}, e)
		case i < len(names):
			f.give(gift{name: names[i]}, e)
		}
	}
}

// elements reads the elements of a list or map that leave their type out.
func (f *facts) elements(lit *ast.CompositeLit, elem ast.Expr) {
	if star, ok := elem.(*ast.StarExpr); ok {
		elem = star.X
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if inner, ok := e.(*ast.CompositeLit); ok && inner.Type == nil {
			f.literal(inner, elem)
		}
	}
}

// give notes that code gives a value to something, if the value is a text or a list of some.
func (f *facts) give(to gift, value ast.Expr) {
	switch v := value.(type) {
	case *ast.BasicLit:
		if v.Kind != token.STRING || to.name == "" && to.of == "" {
			return
		}
		if text, err := strconv.Unquote(v.Value); err == nil && isTelling(text) {
			to.text = text
			f.given = append(f.given, to)
		}
	case *ast.CompositeLit:
		if list, ok := v.Type.(*ast.ArrayType); ok {
			if elem, ok := list.Elt.(*ast.Ident); ok && elem.Name == "string" {
				for _, e := range v.Elts {
					f.give(to, e)
				}
			}
		}
	}
}
