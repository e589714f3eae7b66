package oracle

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// assign translates an assignment of new values to variables, or to a field or an entry.
func (s *snippet) assign(st *ast.AssignStmt) bool {
	if st.Tok != token.DEFINE && st.Tok != token.ASSIGN {
		return false
	}
	if st.Tok == token.ASSIGN && slices.ContainsFunc(st.Lhs, s.isPointedTo) {
		return false // the pointer to the variable would not lead to the new value
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

// isPointedTo reports whether an expression is the name of a variable whose address the code has taken.
func (s *snippet) isPointedTo(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	obj := s.scope.env.Scope().Lookup(s.local[id.Name])
	_, ok = s.pointers[obj]
	return ok && !s.fields[obj]
}

// store translates an assignment to a field of an object, or to an entry of a map.
func (s *snippet) store(to, value ast.Expr) bool {
	switch to := ast.Unparen(to).(type) {
	case *ast.SelectorExpr:
		if v := s.packageVar(to); v != nil {
			value, ok := s.converted(v.Type(), value)
			if ok {
				s.add(&testcase.Operation{Kind: testcase.OpSetGlobal, Var: v}, value)
			}
			return ok
		}
		x, ok := s.typeCheck(to.X)
		if !ok {
			return false
		}
		if p, isPointedTo := s.pointerTo(s.info, to.X); isPointedTo {
			x = p
		} else if _, isPointer := s.info.Types[to.X].Type.Underlying().(*types.Pointer); !isPointer {
			if x, ok = s.fieldsOf(to.X); !ok {
				return false
			}
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

// fieldsOf returns a pointer to the struct in a variable, of which a field is set.
func (s *snippet) fieldsOf(variable ast.Expr) (testcase.Ref, bool) {
	id, ok := ast.Unparen(variable).(*ast.Ident)
	if !ok {
		return testcase.Ref{}, false
	}
	obj := s.info.Uses[id]
	p, ok := s.address(obj, types.NewPointer(s.info.TypeOf(variable)))
	s.fields[obj] = ok
	return p, ok
}

// packageVar returns the exported variable of the package under test that a selector names, or nil.
func (s *snippet) packageVar(e *ast.SelectorExpr) *types.Var {
	x, ok := e.X.(*ast.Ident)
	if !ok || s.local[x.Name] != "" || !s.isPackage(x.Name) {
		return nil
	}
	v, _ := s.scope.pkg.Types.Scope().Lookup(e.Sel.Name).(*types.Var)
	if v == nil || !v.Exported() {
		return nil
	}
	return v
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

// declaration translates variables, constants and types that are declared.
func (s *snippet) declaration(st *ast.DeclStmt) bool {
	d, ok := st.Decl.(*ast.GenDecl)
	return ok && s.declareAll(d)
}

// declareAll translates the variables, constants or types of one declaration.
func (s *snippet) declareAll(d *ast.GenDecl) bool {
	for _, spec := range d.Specs {
		ok := false
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			ok = s.declareType(spec)
		case *ast.ValueSpec:
			if d.Tok == token.CONST {
				ok = s.declareConsts(spec)
			} else {
				ok = s.declareVars(spec)
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// declareVars translates variables that are declared with values, types or both.
func (s *snippet) declareVars(v *ast.ValueSpec) bool {
	var names []string
	for _, n := range v.Names {
		names = append(names, n.Name)
	}
	if v.Type == nil {
		return s.bind(names, v.Values)
	}
	s.rename(v.Type)
	info, ok := s.scope.typeCheck(s.fset, v.Type)
	if !ok || !info.Types[v.Type].IsType() || len(v.Values) > 0 && len(v.Values) != len(names) {
		return false
	}
	t := info.Types[v.Type].Type
	for i, n := range names {
		var ref testcase.Ref
		if len(v.Values) == 0 {
			ref = s.add(&testcase.Operation{Kind: testcase.OpZero, Type: t})
		} else if ref, ok = s.converted(t, v.Values[i]); !ok {
			return false
		}
		if !s.declare(n, t, ref) {
			return false
		}
	}
	return true
}

// declareConsts makes constants known.
func (s *snippet) declareConsts(v *ast.ValueSpec) bool {
	if len(v.Values) != len(v.Names) || v.Type != nil {
		return false
	}
	for i, n := range v.Names {
		s.rename(v.Values[i])
		info, ok := s.scope.typeCheck(s.fset, v.Values[i])
		tv := info.Types[v.Values[i]]
		if !ok || tv.Value == nil {
			return false
		}
		unique := s.unique(n.Name)
		s.scope.env.Scope().Insert(types.NewConst(token.NoPos, s.scope.env, unique, tv.Type, tv.Value))
		s.local[n.Name] = unique
	}
	return true
}

// declareType makes a type known that has no methods. Tests write the type's parts in place of its name, so a type that
// contains itself is unknown, as is an interface.
func (s *snippet) declareType(spec *ast.TypeSpec) bool {
	if spec.TypeParams != nil || s.r.withMethods[spec.Name.Name] {
		return false
	}
	s.rename(spec.Type)
	info, ok := s.scope.typeCheck(s.fset, spec.Type)
	if !ok || !info.Types[spec.Type].IsType() || types.IsInterface(info.Types[spec.Type].Type) {
		return false
	}
	unique := s.unique(spec.Name.Name)
	s.scope.env.Scope().Insert(types.NewTypeName(token.NoPos, s.scope.env, unique, info.Types[spec.Type].Type))
	s.local[spec.Name.Name] = unique
	return true
}

// maxTurns is how many elements a list has at most over which code goes in a loop.
const maxTurns = 12

// unrolled translates a loop over the elements of a list that the code writes out, turn by turn. It returns false for other
// loops.
func (s *snippet) unrolled(st *ast.RangeStmt) bool {
	elem, hasElem := st.Value.(*ast.Ident)
	if key, ok := st.Key.(*ast.Ident); !ok || key.Name != "_" || !hasElem || st.Tok != token.DEFINE {
		return false
	}
	var body strings.Builder
	if err := printer.Fprint(&body, s.fset, st.Body); err != nil {
		return false
	}
	list, ok := s.typeCheck(st.X)
	if !ok {
		return false
	}
	for _, later := range s.stmts[list.Stmt+1:] {
		if slices.ContainsFunc(later.Args, func(a testcase.Ref) bool { return a.Stmt == list.Stmt }) {
			return false // the list may have been changed
		}
	}
	defer s.leave(st, maps.Clone(s.local))
	if s.turn == 0 {
		s.turn = s.line(st.Pos())
		defer func() { s.turn = 0 }()
	}
	made := s.stmts[list.Stmt]
	slice, ok := made.Op.Type.(*types.Slice)
	if !ok || made.Op.Kind != testcase.OpComposite || made.Op.Elems != nil || len(made.Args) != made.Op.N || len(made.Args) > maxTurns {
		return false
	}
	for _, x := range made.Args {
		// Each turn has a tree of its own, because translating renames the variables in it.
		f, err := parser.ParseFile(s.fset, "", "package p; func _() "+body.String(), parser.SkipObjectResolution)
		if err != nil || !s.declare(elem.Name, slice.Elem(), x) {
			return false
		}
		for _, in := range f.Decls[0].(*ast.FuncDecl).Body.List {
			if s.r.considered++; s.r.considered > maxConsidered {
				return false // loops in loops have many turns
			}
			if !s.statement(in) {
				if !s.lost {
					return false
				}
				s.parts(in) // only uses are looked for
			}
		}
	}
	return true
}
