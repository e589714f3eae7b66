package vm

import "go/types"

// Closed reports whether the inputs of a function, its receiver included, can be symbols
// that stand for all values of their types: numbers, text, arrays and structs of these, and
// at most one pointer or slice, since two could lead to the same memory in more ways than
// the machine tries. A slice stands for those with no capacity behind their length. With any
// set fields that only the package pkg can set may be symbols as well; see DriverArg.Any.
func Closed(sig *types.Signature, pkg string, any bool) bool {
	c := closer{pkg: pkg, any: any}
	if r := sig.Recv(); r != nil && !c.input(r.Type()) {
		return false
	}
	for v := range sig.Params().Variables() {
		if !c.input(v.Type()) {
			return false
		}
	}
	return c.references <= 1
}

// TakesSlices reports whether a slice is among the inputs of a function, or in what they
// hold.
func TakesSlices(sig *types.Signature) bool {
	found := false
	seen := map[types.Type]bool{}
	var look func(t types.Type)
	look = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch u := t.Underlying().(type) {
		case *types.Slice:
			found = true
		case *types.Pointer:
			look(u.Elem())
		case *types.Array:
			look(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				look(f.Type())
			}
		}
	}
	if r := sig.Recv(); r != nil {
		look(r.Type())
	}
	for v := range sig.Params().Variables() {
		look(v.Type())
	}
	return found
}

type closer struct {
	pkg        string
	any        bool
	references int
}

// input reports whether an input of type t can be a symbol for all values.
func (c *closer) input(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		c.references++
		return c.value(p.Elem())
	}
	return c.value(t)
}

// value is input without pointers.
func (c *closer) value(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Slice:
		c.references++
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() != types.UnsafePointer
	case *types.Array:
		return c.value(u.Elem())
	case *types.Struct:
		if n, ok := types.Unalias(t).(*types.Named); ok && hidden(n) {
			own := n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == c.pkg
			if !own || n.Obj().Exported() && !c.any {
				return false
			}
		}
		for f := range u.Fields() {
			if !c.value(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}
