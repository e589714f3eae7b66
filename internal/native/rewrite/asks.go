package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"unicode/utf8"
)

// asks returns the texts that a condition compares something with, and for which outcome: "a" and true for x == "a", 'a' == x and
// strings.HasPrefix(x, "a"), and "a" and false for x != "a".
func (in *Instrumenter) asks(e ast.Expr) (texts []string, outcome bool) {
	switch x := e.(type) {
	case *ast.BinaryExpr:
		if x.Op == token.EQL || x.Op == token.NEQ {
			return in.constantTexts(x.X, x.Y), x.Op == token.EQL
		}
	case *ast.CallExpr:
		return in.constantTexts(x.Args...), true
	}
	return nil, false
}

// constantTexts returns the constants among expressions that are texts or single characters.
func (in *Instrumenter) constantTexts(list ...ast.Expr) []string {
	var out []string
	for _, e := range list {
		v := in.info.Types[e].Value
		switch {
		case v == nil:
		case v.Kind() == constant.String:
			if s := constant.StringVal(v); s != "" {
				out = append(out, s)
			}
		case v.Kind() == constant.Int:
			if n, ok := constant.Int64Val(v); ok {
				out = append(out, in.character(e, n)...)
			}
		}
	}
	return out
}

// character returns the text of a constant whole number that stands for a byte or a character, and no text for other numbers.
func (in *Instrumenter) character(e ast.Expr, n int64) []string {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	t := in.info.TypeOf(e)
	switch {
	case types.Identical(t, types.Typ[types.Byte]):
		return []string{string([]byte{byte(n)})}
	case n >= 0 && n <= utf8.MaxRune && (types.Identical(t, types.Typ[types.Rune]) || ok && lit.Kind == token.CHAR):
		return []string{string(rune(n))}
	}
	return nil
}
