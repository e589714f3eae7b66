package testfile

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// Normalised returns the text of declarations for comparison: without comments, spaces and semicolons, and
// with each name that the function other knows replaced by what it returns. It returns "" for a name that stays.
func Normalised(text string, other func(name string) string) string {
	var s scanner.Scanner
	src := []byte(text)
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, func(token.Position, string) {}, 0)
	var b strings.Builder
	before := token.ILLEGAL
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		if tok == token.SEMICOLON {
			continue // it does not matter whether a line ends there
		}
		switch {
		case tok == token.IDENT && before != token.PERIOD:
			if to := other(lit); to != "" {
				lit = to
			}
		case lit == "" || tok.IsOperator():
			lit = tok.String()
		}
		before = tok
		b.WriteString(lit + " ")
	}
}

// identifier is a name in a text.
type identifier struct {
	name string
	at   int
}

// identifiers returns the names in declarations that may denote imports or other declarations, each as often as it
// stands there. These are all but selected fields and methods, the fields of structs, and names before a colon in values of other types than maps.
func identifiers(text string) []identifier {
	const head = "package p\n"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", head+text, parser.SkipObjectResolution)
	if err != nil {
		panic("bug: testfile: a generated test does not parse: " + err.Error())
	}
	var out []identifier
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.StructType:
			for _, field := range n.Fields.List {
				ast.Inspect(field.Type, visit)
			}
			return false
		case *ast.CompositeLit:
			forEachElement(n, n.Type, func(e ast.Expr) { ast.Inspect(e, visit) })
			return false
		case *ast.Ident:
			out = append(out, identifier{n.Name, fset.Position(n.Pos()).Offset - len(head)})
		}
		return true
	}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv != nil {
			ast.Inspect(fd.Recv, visit)
			ast.Inspect(fd.Type, visit)
			if fd.Body != nil {
				ast.Inspect(fd.Body, visit)
			}
			continue
		}
		ast.Inspect(d, visit)
	}
	return out
}

// forEachElement calls a function with the type and the elements of a composite literal of a type, and with the keys, unless these may be
// the names of fields. Literals within it may leave out their types.
func forEachElement(lit *ast.CompositeLit, of ast.Expr, yield func(ast.Expr)) {
	if lit.Type != nil {
		yield(lit.Type)
	}
	var key, elem ast.Expr
	switch t := of.(type) {
	case *ast.MapType:
		key, elem = t.Key, t.Value
	case *ast.ArrayType:
		elem = t.Elt
	}
	part := func(e, of ast.Expr) {
		if inner, ok := e.(*ast.CompositeLit); ok && inner.Type == nil {
			forEachElement(inner, of, yield)
			return
		}
		yield(e)
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			part(e, elem)
			continue
		}
		if _, name := kv.Key.(*ast.Ident); !name || key != nil {
			part(kv.Key, key)
		}
		part(kv.Value, elem)
	}
}

// NamesIn returns the names in declarations that may denote imports or other declarations.
func NamesIn(text string) map[string]bool {
	out := make(map[string]bool)
	for _, id := range identifiers(text) {
		out[id.name] = true
	}
	return out
}

// Renamed returns declarations in which other names take the place of some.
func Renamed(text string, names map[string]string) string {
	if len(names) == 0 {
		return text
	}
	ids := identifiers(text)
	slices.SortFunc(ids, func(a, b identifier) int { return b.at - a.at })
	for _, id := range ids {
		if to := names[id.name]; to != "" {
			text = text[:id.at] + to + text[id.at+len(id.name):]
		}
	}
	return text
}

// retitled returns a declaration with another name at the beginning of its comment, or as it is if the name is "".
func retitled(text, from, to string) string {
	if to == "" {
		return text
	}
	if rest, ok := strings.CutPrefix(text, "// "+from+" "); ok {
		text = "// " + to + " " + rest
	}
	return text
}
