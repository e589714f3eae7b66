package gofile

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// declared returns the exported variable of the package that begins with an observed value, nil if there is none. Only
// arrays have such names: of an identifier of twenty bytes nobody sees that it is the greatest one, and Max says so.
func (w *Writer) declared(v testcase.Value, t types.Type) *types.Var {
	named := load.NamedOf(t)
	if v.Kind != testcase.Array || named == nil || named.Obj().Pkg() != w.Pkg.Types || !types.Identical(types.Unalias(t), named) {
		return nil
	}
	for _, d := range w.Pkg.Variables() {
		if !d.Object.Exported() || d.Shared || !types.Identical(d.Object.Type(), t) {
			continue
		}
		if d.Value == nil && v.IsZero() || d.Value != nil && w.spells(d.Value, v) {
			return d.Object
		}
	}
	return nil
}

// spells reports whether an expression of constants has the given value.
func (w *Writer) spells(e ast.Expr, v testcase.Value) bool {
	if c := w.Pkg.Info.Types[e].Value; c != nil {
		n := constant.ToInt(c)
		switch v.Kind {
		case testcase.Int:
			i, exact := constant.Int64Val(n)
			return n.Kind() == constant.Int && exact && i == int64(v.Bits)
		case testcase.Uint:
			u, exact := constant.Uint64Val(n)
			return n.Kind() == constant.Int && exact && u == v.Bits
		case testcase.String:
			return c.Kind() == constant.String && constant.StringVal(c) == v.Str && !v.Cut
		}
		return false
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok || v.Kind != testcase.Array {
		return false
	}
	at, seen := 0, make(map[int]bool)
	for _, elem := range lit.Elts {
		if kv, ok := elem.(*ast.KeyValueExpr); ok {
			index, exact := constant.Int64Val(constant.ToInt(w.Pkg.Info.Types[kv.Key].Value))
			if !exact {
				return false
			}
			at, elem = int(index), kv.Value
		}
		if at >= len(v.Elems) || !w.spells(elem, v.Elems[at]) {
			return false
		}
		seen[at] = true
		at++
	}
	for i, elem := range v.Elems {
		if !seen[i] && !elem.IsZero() {
			return false
		}
	}
	return true
}
