package rewrite

import (
	"go/ast"
	"go/types"
	"strconv"
)

// Go leaves open what a conversion of a floating-point number to an integer type results in if the number is
// a NaN or out of the type's range, and processors differ. In a harness the first run has the processor's
// result, and the second run has another one, so that everything that depends on it differs between the two
// runs. For this purpose the conversion
//
//	T(x)
//
// becomes
//
//	T(p_whole(p_Float(x), size))
//
// Only the parentheses are replaced. Other changes to the operand or to the whole conversion therefore stay
// inside of them or outside.

// Converted returns the replacements that pass the operands of a file's conversions from floating-point
// numbers to integers through the harness. Inserted names begin with the prefix.
//
// Conversions to and from type parameters stay as they are, because the types differ between calls. So do
// those in the operands that a range statement assigns to: the loops over maps copy these.
func Converted(info *types.Info, f *ast.File, prefix string) []Replacement {
	var out []Replacement
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			ast.Inspect(n.X, visit)
			ast.Inspect(n.Body, visit)
			return false
		case *ast.CallExpr:
			if size, ok := wholeSize(info, n); ok {
				out = append(out, Replacement{n.Lparen, 1, "(" + prefix + "whole(" + prefix + "Float("},
					Replacement{n.Rparen, 1, ")," + strconv.Itoa(size) + "))"})
			}
		}
		return true
	}
	ast.Inspect(f, visit)
	return out
}

// wholeSize reports whether a call converts a floating-point number to an integer type while the program runs,
// and returns the type's size in bits: negative for signed types, and 1 or -1 for the size of a word.
func wholeSize(info *types.Info, call *ast.CallExpr) (size int, ok bool) {
	if len(call.Args) != 1 || !info.Types[call.Fun].IsType() || info.Types[call.Args[0]].Value != nil {
		return 0, false
	}
	from, isBasic := under(info, call.Args[0])
	to, isBasicToo := under(info, call.Fun)
	if !isBasic || !isBasicToo || from.Info()&types.IsFloat == 0 {
		return 0, false
	}
	size, ok = wholeSizes[to.Kind()]
	return size, ok
}

var wholeSizes = map[types.BasicKind]int{
	types.Int: -1, types.Int8: -8, types.Int16: -16, types.Int32: -32, types.Int64: -64,
	types.Uint: 1, types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64, types.Uintptr: 1,
}

// under returns the basic type that underlies the type of an expression.
func under(info *types.Info, e ast.Expr) (*types.Basic, bool) {
	t := info.TypeOf(e)
	if t == nil {
		return nil, false
	}
	b, ok := t.Underlying().(*types.Basic)
	return b, ok
}
