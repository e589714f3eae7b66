package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"unicode/utf8"

	"github.com/goassay/assay/internal/gosyntax"
)

// asks returns the texts that a condition compares something with, and for which outcome: "a" and true for x == "a", 'a' == x and
// strings.HasPrefix(x, "a"), and "a" and false for x != "a". Any other condition may have either outcome because of a text that was
// looked for before, "=" in len(parts) == 2 behind parts := strings.Split(line, "="): then both outcomes ask for it.
func (in *Instrumenter) asks(e ast.Expr) (whenTrue, whenFalse []string) {
	switch x := e.(type) {
	case *ast.BinaryExpr:
		if texts := in.constantTexts(x.X, x.Y); len(texts) > 0 && x.Op == token.EQL {
			return texts, nil
		} else if len(texts) > 0 && x.Op == token.NEQ {
			return nil, texts
		}
	case *ast.CallExpr:
		if texts := in.constantTexts(x.Args...); len(texts) > 0 {
			return texts, nil
		}
	}
	var texts []string
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			texts = append(texts, in.sought[in.info.Uses[id]]...)
		}
		return true
	})
	return texts, texts
}

// noteSought notes which texts calls are passed whose results are assigned to variables in the body of a function.
func (in *Instrumenter) noteSought(body *ast.BlockStmt) {
	in.sought = make(map[types.Object][]string)
	ast.Inspect(body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 {
			return true
		}
		call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		looksUp := func(a ast.Expr) bool { return in.info.Types[a].Value == nil } // into something
		if !ok || in.info.Types[call.Fun].IsType() || gosyntax.IsError(in.info.TypeOf(call)) || !slices.ContainsFunc(call.Args, looksUp) {
			return true
		}
		texts := in.constantTexts(call.Args...)
		for _, left := range assign.Lhs {
			id, isIdent := left.(*ast.Ident)
			if !isIdent || len(texts) == 0 {
				continue
			}
			if obj := in.info.ObjectOf(id); obj != nil && !gosyntax.IsError(obj.Type()) { // an error says little of what was looked for
				in.sought[obj] = append(in.sought[obj], texts...)
			}
		}
		return true
	})
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
