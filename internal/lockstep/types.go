package lockstep

import (
	"go/types"
	"slices"
)

// sameType reports whether types of the two versions are the same but for the names of what they consist of: named
// types belong together if they are paired. Whether what is declared under the names is the same is not asked here.
func (c *comparer) sameType(old, new types.Type) bool {
	if old == nil || new == nil {
		return old == nil && new == nil
	}
	switch a := types.Unalias(old).(type) {
	case *types.Basic:
		return types.Identical(a, new)
	case *types.Named:
		b, ok := types.Unalias(new).(*types.Named)
		return ok && c.sameNamed(a, b)
	case *types.Pointer:
		b, ok := types.Unalias(new).(*types.Pointer)
		return ok && c.sameType(a.Elem(), b.Elem())
	case *types.Slice:
		b, ok := types.Unalias(new).(*types.Slice)
		return ok && c.sameType(a.Elem(), b.Elem())
	case *types.Array:
		b, ok := types.Unalias(new).(*types.Array)
		return ok && a.Len() == b.Len() && c.sameType(a.Elem(), b.Elem())
	case *types.Map:
		b, ok := types.Unalias(new).(*types.Map)
		return ok && c.sameType(a.Key(), b.Key()) && c.sameType(a.Elem(), b.Elem())
	case *types.Chan:
		b, ok := types.Unalias(new).(*types.Chan)
		return ok && a.Dir() == b.Dir() && c.sameType(a.Elem(), b.Elem())
	case *types.Tuple:
		b, ok := new.(*types.Tuple)
		return ok && c.sameTuple(a, b)
	case *types.Signature:
		b, ok := types.Unalias(new).(*types.Signature)
		return ok && c.sameSignature(a, b)
	case *types.Struct:
		b, ok := types.Unalias(new).(*types.Struct)
		return ok && c.sameStruct(a, b)
	case *types.Interface:
		b, ok := types.Unalias(new).(*types.Interface)
		return ok && c.sameInterface(a, b)
	case *types.Union:
		b, ok := new.(*types.Union)
		return ok && c.sameUnion(a, b)
	case *types.TypeParam:
		// A function has one list of these, and the lists of two functions are compared with these.
		b, ok := types.Unalias(new).(*types.TypeParam)
		return ok && a.Index() == b.Index()
	}
	return false // a type of the SSA's own
}

// sameNamed compares named types.
func (c *comparer) sameNamed(a, b *types.Named) bool {
	if isLocal(a) || isLocal(b) {
		return isLocal(a) && isLocal(b) && c.sameLocal(a, b)
	}
	x, y := typesOf(a.TypeArgs()), typesOf(b.TypeArgs())
	return c.sameObject(a.Obj(), b.Obj()) && slices.EqualFunc(x, y, c.sameType)
}

// isLocal reports whether a type is declared within a function.
func isLocal(n *types.Named) bool {
	p := n.Obj().Pkg()
	return p != nil && n.Obj().Parent() != p.Scope()
}

// sameLocal compares types that are declared within functions. These have no names by which they could be paired, so
// the first types that are compared belong together, wherever they occur.
func (c *comparer) sameLocal(a, b *types.Named) bool {
	if c.locals[0][a] != nil || c.locals[1][b] != nil {
		return c.locals[0][a] == b && c.locals[1][b] == a
	}
	if a.Obj().Name() != b.Obj().Name() || a.TypeArgs().Len()+b.TypeArgs().Len()+a.TypeParams().Len()+b.TypeParams().Len() > 0 {
		return false
	}
	c.locals[0][a], c.locals[1][b] = b, a // the types may refer to themselves
	if c.sameType(a.Underlying(), b.Underlying()) {
		return true
	}
	delete(c.locals[0], a)
	delete(c.locals[1], b)
	return false
}

func typesOf(list *types.TypeList) []types.Type {
	var out []types.Type
	for t := range list.Types() {
		out = append(out, t)
	}
	return out
}

func (c *comparer) sameTuple(a, b *types.Tuple) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !c.sameType(a.At(i).Type(), b.At(i).Type()) {
			return false
		}
	}
	return true
}

func (c *comparer) sameSignature(a, b *types.Signature) bool {
	if !c.sameTypeParams(a.TypeParams(), b.TypeParams()) || !c.sameTypeParams(a.RecvTypeParams(), b.RecvTypeParams()) {
		return false
	}
	return a.Variadic() == b.Variadic() && c.sameTuple(a.Params(), b.Params()) && c.sameTuple(a.Results(), b.Results())
}

// sameTypeParams compares the constraints of type parameters. With other types an operator may mean something else.
func (c *comparer) sameTypeParams(a, b *types.TypeParamList) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !c.sameType(a.At(i).Constraint(), b.At(i).Constraint()) {
			return false
		}
	}
	return true
}

func (c *comparer) sameUnion(a, b *types.Union) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if a.Term(i).Tilde() != b.Term(i).Tilde() || !c.sameType(a.Term(i).Type(), b.Term(i).Type()) {
			return false
		}
	}
	return true
}

func (c *comparer) sameStruct(a, b *types.Struct) bool {
	if a.NumFields() != b.NumFields() {
		return false
	}
	for i := range a.NumFields() {
		f, g := a.Field(i), b.Field(i)
		if f.Name() != g.Name() || f.Embedded() != g.Embedded() || a.Tag(i) != b.Tag(i) || !c.sameType(f.Type(), g.Type()) {
			return false
		}
	}
	return true
}

func (c *comparer) sameInterface(a, b *types.Interface) bool {
	if a.IsMethodSet() != b.IsMethodSet() || a.NumMethods() != b.NumMethods() {
		return false
	}
	for i := range a.NumMethods() {
		f, g := a.Method(i), b.Method(i)
		if f.Name() != g.Name() || !c.sameType(f.Type(), g.Type()) {
			return false
		}
	}
	if a.IsMethodSet() {
		return true
	}
	if a.NumEmbeddeds() != b.NumEmbeddeds() {
		return false
	}
	for i := range a.NumEmbeddeds() {
		if !c.sameType(a.EmbeddedType(i), b.EmbeddedType(i)) {
			return false
		}
	}
	return true
}
