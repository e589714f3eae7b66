package rewrite

import "go/types"

// TypeKey returns a string that is equal for identical types.
func TypeKey(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Path() })
}

// Leafs calls f for the leaf types of a type: reflection can construct the type from these.
func Leafs(t types.Type, f func(types.Type)) {
	switch t := types.Unalias(t).(type) {
	case *types.Slice:
		Leafs(t.Elem(), f)
	case *types.Array:
		Leafs(t.Elem(), f)
	case *types.Pointer:
		Leafs(t.Elem(), f)
	case *types.Chan:
		Leafs(t.Elem(), f)
	case *types.Map:
		Leafs(t.Key(), f)
		Leafs(t.Elem(), f)
	case *types.Signature:
		for v := range t.Params().Variables() {
			Leafs(v.Type(), f)
		}
		for v := range t.Results().Variables() {
			Leafs(v.Type(), f)
		}
	default:
		f(t)
	}
}

// HasTypeParam reports whether t depends on a type parameter.
func HasTypeParam(t types.Type) bool {
	found := false
	Leafs(t, func(l types.Type) {
		switch l := l.(type) {
		case *types.TypeParam:
			found = true
		case *types.Named:
			for a := range l.TypeArgs().Types() {
				found = found || HasTypeParam(a)
			}
			found = found || l.TypeArgs().Len() == 0 && l.TypeParams().Len() > 0
		case *types.Struct:
			for i := range l.NumFields() {
				found = found || HasTypeParam(l.Field(i).Type())
			}
		case *types.Interface:
			for m := range l.Methods() {
				found = found || HasTypeParam(m.Signature())
			}
		}
	})
	return found
}

// IsPointer reports whether the underlying type of a type is a pointer.
func IsPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
