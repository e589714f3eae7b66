package gosyntax

import (
	"go/ast"
	"go/token"
	"go/types"
)

// IsAny reports whether a type is an interface that every value implements, like any. Type parameters are no such types,
// whatever their constraint.
func IsAny(t types.Type) bool {
	if t == nil {
		return false
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// IsError reports whether a type is error itself.
func IsError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// ImplementsError reports whether values of a type are errors.
func ImplementsError(t types.Type) bool {
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// AllParts reports whether ok holds for all types that values of a type consist of: the fields of structs and the elements
// of arrays, and the type itself if it is neither. What pointers, slices and maps refer to is no part of them.
func AllParts(t types.Type, ok func(part types.Type) bool) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return AllParts(u.Elem(), ok)
	case *types.Struct:
		for f := range u.Fields() {
			if !AllParts(f.Type(), ok) {
				return false
			}
		}
		return true
	}
	return ok(t)
}

// HoldsInterface reports whether a part of the values of a type is an interface, so that comparing two of them may panic.
func HoldsInterface(t types.Type) bool {
	return !AllParts(t, func(part types.Type) bool { return !types.IsInterface(part) })
}

// IsPlainBasic reports whether a type is a number, a truth or a text. An unsafe pointer is none, although the language counts
// it among the basic types.
func IsPlainBasic(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}

// Callee returns the declared function or method that a call names, or nil if it calls a value, a builtin or a type. Of a
// generic function it returns the origin.
func Callee(info *types.Info, call *ast.CallExpr) *types.Func {
	if fn, ok := info.Uses[CalledIdent(call)].(*types.Func); ok {
		return fn.Origin()
	}
	return nil
}

// CalledIdent returns the name of what a call calls, or nil if it calls what has no name.
func CalledIdent(call *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(x.X)
	}
	switch x := fun.(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	}
	return nil
}

// AtomicField returns the selection of a field whose address a call hands to package sync/atomic, converted to another pointer or
// not. It returns nil for other calls.
func AtomicField(info *types.Info, call *ast.CallExpr) *ast.SelectorExpr {
	if f := Callee(info, call); f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || len(call.Args) == 0 {
		return nil
	}
	addr, ok := Unconverted(info, call.Args[0]).(*ast.UnaryExpr)
	if !ok || addr.Op != token.AND {
		return nil
	}
	sel, _ := ast.Unparen(addr.X).(*ast.SelectorExpr)
	return sel
}

// Unconverted returns an expression without the parentheses and the conversions around it.
func Unconverted(info *types.Info, e ast.Expr) ast.Expr {
	for {
		e = ast.Unparen(e)
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !info.Types[call.Fun].IsType() {
			return e
		}
		e = call.Args[0]
	}
}

// Yield returns the signature of the function that an iterator gives its values to: func(T) bool of a func(func(T) bool).
// It returns nil for types that are no iterators.
func Yield(t types.Type) *types.Signature {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return nil
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok || yield.Params().Len() > 2 || yield.Variadic() || yield.Results().Len() != 1 || !types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool]) {
		return nil
	}
	return yield
}

// HasLock reports whether copying a value of type t copies a lock, which go vet
// refuses.
func HasLock(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		if types.IsInterface(u) {
			return false
		}
		ms := types.NewMethodSet(types.NewPointer(u))
		if ms.Lookup(nil, "Lock") != nil && ms.Lookup(nil, "Unlock") != nil {
			return true
		}
		return HasLock(u.Underlying())
	case *types.Struct:
		for f := range u.Fields() {
			if HasLock(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return HasLock(u.Elem())
	}
	return false
}

// Pointed returns what a pointer type points to, and other types as they are.
func Pointed(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// IsBytes reports whether a type is a list of bytes.
func IsBytes(t types.Type) bool {
	list, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := list.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

// TakesFormat reports whether the last parameters of a function are a text and any number of values of any type, as those of fmt.Printf are.
func TakesFormat(sig *types.Signature) bool {
	n := sig.Params().Len()
	if !sig.Variadic() || n < 2 {
		return false
	}
	list, ok := sig.Params().At(n - 1).Type().(*types.Slice)
	text, isBasic := sig.Params().At(n - 2).Type().Underlying().(*types.Basic)
	return ok && IsAny(list.Elem()) && isBasic && text.Info()&types.IsString != 0
}

// ReturnsError reports whether the last result of a function is an error.
func ReturnsError(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && IsError(sig.Results().At(n-1).Type())
}
