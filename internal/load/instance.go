package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file makes instances of generic functions. go/ssa makes an instance only where its builder finds a
// use. This file therefore builds a function that uses the wanted instance. The function is a syntax tree
// with type information made by hand, because source text could not name unexported types.

// instance returns the SSA of generic function obj, which must be from source, for
// the given type arguments. Lock held.
func (p *Program) instance(obj *types.Func, targs []types.Type) (*ssa.Function, error) {
	sig, err := types.Instantiate(nil, obj.Type(), targs, false)
	if err != nil {
		return nil, fmt.Errorf("instantiating %s: %w", obj.FullName(), err)
	}
	origin := p.SSA.FuncValue(obj)
	if origin == nil {
		return nil, fmt.Errorf("instantiating %s: not from source", obj.FullName())
	}

	p.deps.insts++
	pkg := types.NewPackage(fmt.Sprintf("assay.instance/%d", p.deps.insts), "instance")
	pkg.SetImports([]*types.Package{obj.Pkg()})
	pkg.MarkComplete()
	use := ast.NewIdent(obj.Name())
	name := ast.NewIdent("use")
	decl := &ast.FuncDecl{
		Name: name,
		Type: &ast.FuncType{
			Params:  &ast.FieldList{},
			Results: &ast.FieldList{List: []*ast.Field{{Type: ast.NewIdent("result")}}},
		},
		Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{use}}}},
	}
	file := &ast.File{Name: ast.NewIdent("instance"), Decls: []ast.Decl{decl}}
	info := newInfo()
	result := types.NewTuple(types.NewVar(token.NoPos, pkg, "", sig))
	fn := types.NewFunc(token.NoPos, pkg, "use", types.NewSignatureType(nil, nil, nil, nil, result, false))
	info.Defs[name] = fn
	info.Uses[use] = obj
	info.Types[use] = types.TypeAndValue{Type: sig}
	info.Instances[use] = types.Instance{TypeArgs: typeList(targs), Type: sig}
	info.FileVersions[file] = "go1.26"

	s := p.SSA.CreatePackage(pkg, []*ast.File{file}, info, false)
	s.Build()
	for _, b := range s.Func("use").Blocks {
		for _, in := range b.Instrs {
			for _, op := range in.Operands(nil) {
				if f, ok := (*op).(*ssa.Function); ok && f.Origin() == origin {
					loadLate(f, nil) // of variables alone, instances keep the order that package ssa has
					return f, nil
				}
			}
		}
	}
	panic("bug: load: the SSA builder made no instance of " + obj.FullName())
}

// methodInstance returns the method of a generic type from source, for the given
// type arguments of the receiver. Lock held.
func (p *Program) methodInstance(named *types.Named, targs []types.Type, method string) (*ssa.Function, error) {
	inst, err := types.Instantiate(nil, named.Origin(), targs, false)
	if err != nil {
		return nil, fmt.Errorf("instantiating %s: %w", named, err)
	}
	n := inst.(*types.Named)
	for m := range n.Methods() {
		if m.Name() != method {
			continue
		}
		var recv types.Type = n
		if _, ok := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer); ok {
			recv = types.NewPointer(n)
		}
		return p.SSA.LookupMethod(recv, m.Pkg(), method), nil
	}
	return nil, fmt.Errorf("%s has no method %s", named, method)
}

// typeList makes a list of types as the type arguments of a type, because go/types has no other way to
// make one.
func typeList(targs []types.Type) *types.TypeList {
	tn := types.NewTypeName(token.NoPos, nil, "list", nil)
	named := types.NewNamed(tn, types.NewStruct(nil, nil), nil)
	params := make([]*types.TypeParam, len(targs))
	for i := range params {
		params[i] = types.NewTypeParam(types.NewTypeName(token.NoPos, nil, "T", nil), types.Universe.Lookup("any").Type())
	}
	named.SetTypeParams(params)
	inst, err := types.Instantiate(nil, named, targs, false)
	if err != nil {
		panic("bug: load: " + err.Error())
	}
	return inst.(*types.Named).TypeArgs()
}
