package literals

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// Struct is a struct of constants that the package's code writes out, or other code of the module.
type Struct struct {
	Type   types.Type
	Fields map[int]constant.Value // by the field's number; the others are zero
}

// structs returns the structs of constants in the code of a package, in the order of the source. What its authors give
// the fields are values that belong together.
func structs(src Source) []Struct {
	var out []Struct
	for _, f := range src.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok {
				if s, ok := structOf(src.Info, lit); ok {
					out = append(out, s)
				}
			}
			return true
		})
	}
	return out
}

// structOf returns a composite literal as a struct of constants. It returns false for literals of other types, for
// literals with elements that are no constants, and for those that set fewer than two fields.
func structOf(info *types.Info, lit *ast.CompositeLit) (Struct, bool) {
	const fewest = 2
	t := info.TypeOf(lit)
	if t == nil || len(lit.Elts) < fewest {
		return Struct{}, false
	}
	u, ok := t.Underlying().(*types.Struct)
	if !ok {
		return Struct{}, false
	}
	number := make(map[types.Object]int)
	for i := range u.NumFields() {
		number[u.Field(i)] = i
	}
	s := Struct{Type: t, Fields: make(map[int]constant.Value)}
	for i, e := range lit.Elts {
		field := i
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			id, isName := kv.Key.(*ast.Ident)
			if !isName {
				return Struct{}, false
			}
			field, e = number[info.Uses[id]], kv.Value
		}
		v := info.Types[e].Value
		if v == nil {
			return Struct{}, false
		}
		s.Fields[field] = v
	}
	return s, true
}
