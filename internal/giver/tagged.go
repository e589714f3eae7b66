package giver

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// fieldsByName returns the names of fields that a package looks for among those of any struct: it compares the name of a
// reflect.StructField with them. Package encoding/xml knows an element by the field XMLName.
func fieldsByName(pkg *load.Package) []string {
	const most = 2
	var out []string
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			if !ok || b.Op != token.EQL && b.Op != token.NEQ {
				return true
			}
			for _, pair := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
				sel, ok := pair[0].(*ast.SelectorExpr)
				v := pkg.Info.Types[pair[1]].Value
				if !ok || sel.Sel.Name != "Name" || v == nil || v.Kind() != constant.String || !isStructField(pkg.Info.TypeOf(sel.X)) {
					continue
				}
				if name := constant.StringVal(v); token.IsIdentifier(name) && ast.IsExported(name) {
					addTo(&out, name, most)
				}
			}
			return true
		})
	}
	return out
}

// isStructField reports whether t is reflect.StructField, or a pointer to it.
func isStructField(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.TypeString(t, nil) == "reflect.StructField"
}

// withField returns the source of a struct with one more field, first in the outermost struct type.
func withField(code, field string) string {
	return strings.Replace(code, "struct{ ", "struct{ "+field+"; ", 1)
}

// optionStructs returns structs of which one field has an option in its tag, with a name before it and without, set and
// empty, beside another field.
func optionStructs(key string, options []string) []string {
	var out []string
	for _, word := range options {
		for _, name := range []string{"name", ""} {
			if word == key || slices.Contains(tagWords, word) {
				continue
			}
			typ := fmt.Sprintf("&struct{ Name string `%s:%q`; Port *int `%s:%q` }", key, name+","+word, key, "port")
			out = append(out, typ+"{Name: \"ann\"}")
		}
	}
	return out
}
