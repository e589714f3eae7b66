package requests

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// place is where a value can be: a parameter or a field, by its name, or a variable.
type place any

// flow is that a value goes to a place: that of an expression in a function, or what is in another place.
type flow struct {
	to   place
	from ast.Expr
	via  place
	in   *function
}

// paramPlace returns the place of the k-th parameter of a function.
func paramPlace(fn string, k int) place { return fmt.Sprintf("%s#%d", fn, k) }

// fieldName names a field. Fields of one name in one package are one place.
func fieldName(v *types.Var) string {
	if v.Pkg() == nil {
		return v.Name()
	}
	return v.Pkg().Path() + "." + v.Name()
}

// placeOf returns the place that an expression names, or nil.
func (f *finder) placeOf(in *function, e ast.Expr) place {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	v, ok := in.source.Info.ObjectOf(id).(*types.Var)
	if !ok {
		return nil
	}
	return f.placeOfVar(in, v)
}

// placeOfVar returns the place of a variable.
func (f *finder) placeOfVar(in *function, v *types.Var) place {
	if k, ok := in.params[v]; ok {
		return paramPlace(in.name, k)
	}
	if v.IsField() {
		return fieldName(v)
	}
	return v
}

// flow notes that the value of an expression goes to a place, if one can decode into what it is.
func (f *finder) flow(in *function, to place, from ast.Expr) {
	if to == nil {
		return
	}
	switch t := in.source.Info.TypeOf(from); t := types.Unalias(t).(type) {
	case *types.Pointer, *types.TypeParam:
		f.flows = append(f.flows, flow{to: to, from: from, in: in})
	default:
		if t != nil && types.IsInterface(t) {
			f.flows = append(f.flows, flow{to: to, from: from, in: in})
		}
	}
}

// literal notes which values go to the fields of a struct.
func (f *finder) literal(in *function, lit *ast.CompositeLit) {
	t := in.source.Info.TypeOf(lit)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			f.flow(in, f.placeOf(in, kv.Key), kv.Value)
		} else if i < s.NumFields() {
			f.flow(in, fieldName(s.Field(i)), e)
		}
	}
}

// typeSwitch notes that the variable of a type switch is, in each case, the value that the switch is about.
func (f *finder) typeSwitch(in *function, s *ast.TypeSwitchStmt) {
	assign, ok := s.Assign.(*ast.AssignStmt)
	if !ok {
		return
	}
	x := assign.Rhs[0].(*ast.TypeAssertExpr).X
	for _, c := range s.Body.List {
		if v, ok := in.source.Info.Implicits[c].(*types.Var); ok {
			f.flow(in, v, x)
		}
	}
}

// unwrapped returns what a type assertion or a conversion is made of, and whether an address is taken of it.
func unwrapped(info *types.Info, e ast.Expr) (x ast.Expr, address bool) {
	for {
		switch u := ast.Unparen(e).(type) {
		case *ast.TypeAssertExpr:
			e = u.X
			continue
		case *ast.CallExpr:
			if len(u.Args) == 1 && info.Types[u.Fun].IsType() {
				e = u.Args[0]
				continue
			}
		case *ast.UnaryExpr:
			if u.Op == token.AND {
				return ast.Unparen(u.X), true
			}
		}
		return ast.Unparen(e), false
	}
}
