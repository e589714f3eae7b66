package requests

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"net/http"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// Compared has the constants that code compares a field with.
type Compared struct {
	Equal   []constant.Value // with ==, in a switch, or with < and the like, and then the number beside it, too
	Unequal []constant.Value // with !=: what answers have if all is well, more often than not
}

// mostCompared is how many constants are noted for one field at the most.
const mostCompared = 8

// Compared returns the constants that code compares a field with, or nil if it compares it with none.
func (f *Facts) Compared(field *types.Var) *Compared { return f.fields[fieldName(field)] }

// comparison notes what a comparison is about: the status of a response or a field.
func (f *finder) comparison(in *function, b *ast.BinaryExpr) {
	switch b.Op {
	case token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ:
	default:
		return
	}
	// The 299 of "code > 299" is no status that servers send, the 400 of "code >= 400" is one.
	if b.Op == token.EQL || b.Op == token.NEQ || b.Op == token.GEQ {
		f.status(in, b.X, b.Y)
	}
	if b.Op == token.EQL || b.Op == token.NEQ || b.Op == token.LEQ {
		f.status(in, b.Y, b.X)
	}
	f.field(in, b.X, b.Y, b.Op == token.NEQ, beyond[b.Op])
	f.field(in, b.Y, b.X, b.Op == token.NEQ, -beyond[b.Op])
}

// beyond is what leads from a constant c to the other side of a comparison x op c: of x > c to c+1, of x >= c and x < c to c-1.
var beyond = map[token.Token]int64{token.GTR: 1, token.LEQ: 1, token.LSS: -1, token.GEQ: -1}

// valueSwitch notes the cases of a switch over a status or a field.
func (f *finder) valueSwitch(in *function, s *ast.SwitchStmt) {
	if s.Tag == nil {
		return
	}
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			f.status(in, s.Tag, e)
			f.field(in, s.Tag, e, false, 0)
		}
	}
}

// status notes the status with which the one of a response is compared.
func (f *finder) status(in *function, x, y ast.Expr) {
	v := in.source.Info.Types[y].Value
	if v == nil || v.Kind() != constant.Int || !f.isStatus(in, x) {
		return
	}
	if code, exact := constant.Int64Val(v); exact && !slices.Contains(f.Statuses, int(code)) {
		f.Statuses = append(f.Statuses, int(code))
	}
}

// isStatus reports whether an expression is the status of a response, or a variable that holds one.
func (f *finder) isStatus(in *function, x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		v, ok := in.source.Info.Uses[x.Sel].(*types.Var)
		return ok && v.IsField() && v.Name() == "StatusCode" && v.Pkg() != nil && v.Pkg().Path() == "net/http"
	case *ast.Ident:
		v, ok := in.source.Info.Uses[x].(*types.Var)
		return ok && f.statuses[v]
	}
	return false
}

// holdsStatus notes a variable that a status is assigned to.
func (f *finder) holdsStatus(in *function, to, from ast.Expr) {
	if id, ok := to.(*ast.Ident); ok && f.isStatus(in, from) {
		if v, ok := in.source.Info.ObjectOf(id).(*types.Var); ok {
			f.statuses[v] = true
		}
	}
}

// field notes the constant with which a field is compared that is no field of the standard library, and the number that is so much
// beyond it.
func (f *finder) field(in *function, x, y ast.Expr, unequal bool, beyond int64) {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	value := in.source.Info.Types[y].Value
	if !ok || value == nil {
		return
	}
	v, ok := in.source.Info.Uses[sel.Sel].(*types.Var)
	if !ok || !v.IsField() || v.Pkg() == nil || f.isStandard(v.Pkg().Path()) {
		return
	}
	name := fieldName(v)
	if f.fields[name] == nil {
		f.fields[name] = new(Compared)
	}
	list := &f.fields[name].Equal
	if unequal {
		list = &f.fields[name].Unequal
	}
	addConstant(list, value)
	if value.Kind() == constant.Int && beyond != 0 {
		addConstant(list, constant.BinaryOp(value, token.ADD, constant.MakeInt64(beyond)))
	}
}

// addConstant notes a constant, once.
func addConstant(list *[]constant.Value, value constant.Value) {
	same := func(o constant.Value) bool { return o.ExactString() == value.ExactString() }
	if len(*list) < mostCompared && !slices.ContainsFunc(*list, same) {
		*list = append(*list, value)
	}
}

// isStandard reports whether an import path is one of the standard library.
func (f *finder) isStandard(path string) bool {
	return gosyntax.IsStandard(path, "") && f.sources[path] == nil
}

// headerKey notes the key that a call asks the header of a response for.
func (f *finder) headerKey(in *function, c *ast.CallExpr) {
	info := in.source.Info
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || len(c.Args) != 1 {
		return
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.FullName() != "(net/http.Header).Get" && fn.FullName() != "(net/http.Header).Values" {
		return
	}
	if of, ok := ast.Unparen(sel.X).(*ast.SelectorExpr); ok && isRequest(info.TypeOf(of.X)) {
		return
	}
	v := info.Types[c.Args[0]].Value
	if v == nil || v.Kind() != constant.String {
		return
	}
	if key := http.CanonicalHeaderKey(constant.StringVal(v)); !slices.Contains(f.Keys, key) {
		f.Keys = append(f.Keys, key)
	}
}

// isRequest reports whether a type is that of requests, or points to it.
func isRequest(t types.Type) bool {
	return t != nil && strings.TrimPrefix(types.TypeString(t, nil), "*") == "net/http.Request"
}
