package vm

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
)

// Closed reports whether the inputs of a function, its receiver included, can be symbols that stand for all
// values of their types: numbers, text, arrays and structs of these, and at most one pointer or slice,
// because two of them could share memory in more ways than the machine tries. A slice stands only for slices
// whose capacity is their length. If any is set, fields that only the package pkg can set may be symbols as
// well; see DriverArg.Any.
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

// TakesSlices reports whether a slice is among the inputs of a function, or within them.
func TakesSlices(sig *types.Signature) bool {
	return takes(sig, func(t types.Type) bool {
		_, ok := t.(*types.Slice)
		return ok
	})
}

// TakesLengths reports whether a slice or a text is among the inputs or within them. The machine makes no
// slice or text of maxLen elements or more.
func TakesLengths(sig *types.Signature) bool {
	return takes(sig, func(t types.Type) bool {
		b, ok := t.(*types.Basic)
		return ok && b.Info()&types.IsString != 0
	}) || TakesSlices(sig)
}

// takes reports whether is holds for the type of an input of a function, or for the type of a part of one.
func takes(sig *types.Signature, is func(underlying types.Type) bool) bool {
	seen := map[types.Type]bool{}
	var look func(t types.Type) bool
	look = func(t types.Type) bool {
		if seen[t] {
			return false
		}
		seen[t] = true
		if is(t.Underlying()) {
			return true
		}
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			return look(u.Elem())
		case *types.Slice:
			return look(u.Elem())
		case *types.Array:
			return look(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				if look(f.Type()) {
					return true
				}
			}
		}
		return false
	}
	if r := sig.Recv(); r != nil && look(r.Type()) {
		return true
	}
	for v := range sig.Params().Variables() {
		if look(v.Type()) {
			return true
		}
	}
	return false
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

// value does the same as input for types without pointers.
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
		if n, ok := types.Unalias(t).(*types.Named); ok && load.HasHiddenFields(n) {
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
