package gofile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Comment returns text as a comment. Panic messages quote inputs, so characters that are invisible or
// not allowed in Go source are escaped.
func Comment(text string) string {
	var b strings.Builder
	text = strings.TrimSpace(text)
	for i, r := range text {
		switch _, size := utf8.DecodeRuneInString(text[i:]); {
		case r == '\n':
			b.WriteString("\n// ")
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\t' || strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return "// " + b.String() + "\n"
}

// Identifiers returns the identifiers in declarations that may name a helper. Selectors are not among them, but
// keys of composite literals are.
func Identifiers(decls []byte) map[string]bool {
	out := map[string]bool{}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.FuncDecl:
			if n.Recv != nil {
				ast.Inspect(n.Recv, visit)
			}
			ast.Inspect(n.Type, visit)
			ast.Inspect(n.Body, visit)
			return false
		case *ast.Ident:
			out[n.Name] = true
		}
		return true
	}
	for _, d := range parsed(decls).Decls {
		ast.Inspect(d, visit)
	}
	return out
}

// Qualifiers returns the identifiers in declarations that stand in front of a selector: an import is in use only
// if its name is among them. A field or a key of the same name does not use the import.
func Qualifiers(decls []byte) map[string]bool {
	out := map[string]bool{}
	for _, d := range parsed(decls).Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok {
					out[id.Name] = true
				}
			}
			return true
		})
	}
	return out
}

// parsed returns the syntax of declarations that were written here.
func parsed(decls []byte) *ast.File {
	src := append([]byte("package p\n"), decls...)
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		panic(fmt.Sprintf("bug: gofile: wrote what is no Go: %v\n%s", err, src))
	}
	return f
}

// ShortName returns the type's name without its package.
func ShortName(t types.Type) string {
	return types.TypeString(t, func(*types.Package) string { return "" })
}

// Article returns the name with its indefinite article.
func Article(name string) string {
	if name != "" && strings.ContainsRune("AEIOUaeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
