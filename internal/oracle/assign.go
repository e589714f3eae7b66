package oracle

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// assign translates an assignment of new values to variables, or to a field or an entry.
func (s *snippet) assign(st *ast.AssignStmt) bool {
	if st.Tok != token.DEFINE && st.Tok != token.ASSIGN {
		return false
	}
	if len(st.Rhs) == 1 && len(st.Lhs) == 1 {
		if _, isName := st.Lhs[0].(*ast.Ident); !isName {
			return s.store(st.Lhs[0], st.Rhs[0])
		}
	}
	var names []string
	for _, l := range st.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			return false
		}
		names = append(names, id.Name)
	}
	return s.bind(names, st.Rhs)
}

// bind makes names denote the results of expressions.
func (s *snippet) bind(names []string, values []ast.Expr) bool {
	if len(values) == 1 && len(names) > 1 {
		ref, ok := s.typeCheck(values[0])
		if !ok {
			return false
		}
		tuple, ok := s.info.Types[values[0]].Type.(*types.Tuple)
		if !ok || tuple.Len() != len(names) {
			return false
		}
		for i, n := range names {
			if !s.declare(n, tuple.At(i).Type(), testcase.Ref{Stmt: ref.Stmt, Result: i}) {
				return false
			}
		}
		return true
	}
	if len(names) != len(values) {
		return false
	}
	for i, n := range names {
		_, copies := ast.Unparen(values[i]).(*ast.Ident)
		ref, ok := s.typeCheck(values[i])
		if !ok {
			return false
		}
		t := types.Default(s.info.Types[values[i]].Type)
		switch t.Underlying().(type) {
		case *types.Struct, *types.Array:
			if copies {
				return false // either variable may be changed later
			}
		}
		if !s.declare(n, t, ref) {
			return false
		}
	}
	return true
}

// store translates an assignment to a field of an object, or to an entry of a map.
func (s *snippet) store(to, value ast.Expr) bool {
	switch to := ast.Unparen(to).(type) {
	case *ast.SelectorExpr:
		x, ok := s.typeCheck(to.X)
		if !ok {
			return false
		}
		if _, isPointer := s.info.Types[to.X].Type.Underlying().(*types.Pointer); !isPointer {
			return false
		}
		obj, index, _ := types.LookupFieldOrMethod(s.info.Types[to.X].Type, true, s.scope.env, to.Sel.Name)
		field, ok := obj.(*types.Var)
		if !ok || len(index) != 1 {
			return false
		}
		v, ok := s.converted(field.Type(), value)
		if !ok {
			return false
		}
		s.add(&testcase.Operation{Kind: testcase.OpSetField, Var: field}, x, v)
		return true
	case *ast.IndexExpr:
		x, ok := s.typeCheck(to.X)
		if !ok {
			return false
		}
		m, ok := s.info.Types[to.X].Type.Underlying().(*types.Map)
		if !ok {
			return false
		}
		k, ok := s.converted(m.Key(), to.Index)
		if !ok {
			return false
		}
		v, ok := s.converted(m.Elem(), value)
		if !ok {
			return false
		}
		s.add(&testcase.Operation{Kind: testcase.OpSetIndex}, x, k, v)
		return true
	}
	return false
}

// converted translates an expression that is assigned to a variable of a type.
func (s *snippet) converted(t types.Type, e ast.Expr) (testcase.Ref, bool) {
	s.rename(e)
	p, ok := s.valueOf(t, s.fset, e)
	if ok {
		s.stmts = append(s.stmts, p.stmts...)
		return p.value, true
	}
	return s.typeCheck(e)
}

// declaration translates variables that are declared with values or types.
func (s *snippet) declaration(st *ast.DeclStmt) bool {
	d, ok := st.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return false
	}
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		var names []string
		for _, n := range v.Names {
			names = append(names, n.Name)
		}
		if len(v.Values) > 0 {
			if v.Type != nil || !s.bind(names, v.Values) {
				return false
			}
			continue
		}
		info, ok := s.scope.typeCheck(s.fset, v.Type)
		if !ok || !info.Types[v.Type].IsType() {
			return false
		}
		t := info.Types[v.Type].Type
		for _, n := range names {
			if !s.declare(n, t, s.add(&testcase.Operation{Kind: testcase.OpZero, Type: t})) {
				return false
			}
		}
	}
	return true
}
