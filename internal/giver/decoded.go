package giver

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
)

// maxDecoded is how many texts Decoded returns at the most.
const maxDecoded = 40

// Decoded returns JSON texts of the types into which functions of a package decode JSON: of values with all fields,
// without each of the first ones, with negative numbers, and an empty object. What comes from outside need not have
// been written by the package, or was written by an earlier version that did not know all fields.
func Decoded(pkg *load.Package) []string {
	var out []string
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				return true
			}
			fn, ok := pkg.Info.Uses[sel.Sel].(*types.Func)
			if !ok || fn.FullName() != "encoding/json.Unmarshal" && fn.FullName() != "(*encoding/json.Decoder).Decode" {
				return true
			}
			p, ok := types.Unalias(pkg.Info.TypeOf(call.Args[len(call.Args)-1])).(*types.Pointer)
			if !ok || types.IsInterface(p.Elem()) {
				return true
			}
			for _, text := range sampleJSON(p.Elem()) {
				if text != "{" && !slices.Contains(out, text) && len(out) < maxDecoded {
					out = append(out, text)
				}
			}
			return true
		})
	}
	return out
}
