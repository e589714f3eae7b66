package oracle

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"

	"github.com/goassay/assay/internal/load/callers"
	"github.com/goassay/assay/internal/load/literals"
)

// fewestFields is how many constants a struct has to have to be an example of its type.
const fewestFields = 2

// caller reads a declaration elsewhere in the module that uses the package. It says nothing about results, but what it passes are
// values that the package is there for. Its own arguments and what it takes from other packages are not known, so that calls
// which need these are left out.
func (r *reader) caller(c callers.Caller) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", "package p; "+c.Source, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return
	}
	fd, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok {
		return
	}
	p := passage{source: "code", file: c.File, outside: true}
	r.named, r.imports, r.blocks, r.withMethods = nil, nil, nil, nil
	line := func(pos token.Pos) int { return c.Line + fset.Position(pos).Line - 1 }
	s := r.snippet(p, fset, c.Imports, line, func(int) string { return "" })
	s.scope.near, s.lost = true, true
	s.structs(fd.Body)
	s.comments(f, fd.Body)
}

// structs notes the structs of the package that code writes out with constants alone.
func (s *snippet) structs(body ast.Node) {
	elided := make(map[*ast.CompositeLit]ast.Expr) // the type of literals within lists, which leave it out
	ast.Inspect(body, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if s.r.considered++; s.r.considered > maxConsidered {
			return false
		}
		typ := lit.Type
		if typ == nil {
			typ = elided[lit]
		}
		var elem ast.Expr
		switch t := typ.(type) {
		case *ast.ArrayType:
			elem = t.Elt
		case *ast.MapType:
			elem = t.Value
		case *ast.SelectorExpr:
			s.structOf(t, lit)
		}
		if star, ok := elem.(*ast.StarExpr); ok {
			elem = star.X
		}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			if inner, ok := e.(*ast.CompositeLit); ok && inner.Type == nil && elem != nil {
				elided[inner] = elem
			}
		}
		return true
	})
}

// structOf notes the constants of a literal of a struct of the package, which is named by a selector.
func (s *snippet) structOf(typ *ast.SelectorExpr, lit *ast.CompositeLit) {
	x, ok := typ.X.(*ast.Ident)
	if !ok || s.scope.imports[x.Name] != s.scope.pkg.Path {
		return
	}
	tn, ok := s.scope.pkg.Types.Scope().Lookup(typ.Sel.Name).(*types.TypeName)
	if !ok || !tn.Exported() {
		return
	}
	st, ok := tn.Type().Underlying().(*types.Struct)
	if named, isNamed := types.Unalias(tn.Type()).(*types.Named); !ok || !isNamed || named.TypeParams().Len() > 0 {
		return
	}
	out := literals.Struct{Type: tn.Type(), Fields: make(map[int]constant.Value)}
	for i, e := range lit.Elts {
		kv, isNamed := e.(*ast.KeyValueExpr)
		if isNamed {
			e = kv.Value
			i = fieldOf(st, kv.Key)
		}
		if i < 0 || i >= st.NumFields() || !st.Field(i).Exported() {
			return // the code does not fit the package as it is now
		}
		info, ok := s.scope.typeCheck(s.fset, e)
		v := info.Types[e].Value
		if !ok || v == nil {
			return // without the other fields it would be another struct
		}
		out.Fields[i] = v
	}
	if len(out.Fields) >= fewestFields {
		s.r.structs = append(s.r.structs, out)
	}
}

// fieldOf returns the number of the field that a key names, or -1 if there is none.
func fieldOf(st *types.Struct, key ast.Expr) int {
	id, ok := key.(*ast.Ident)
	if !ok {
		return -1
	}
	for i := range st.NumFields() {
		if st.Field(i).Name() == id.Name {
			return i
		}
	}
	return -1
}
