package usage

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
)

// Producer returns the function of the package whose results users pass on as values of a type that has no
// name, or nil if there is no such function, or more than one. Only lists of lists and maps of lists have a
// producer, because two functions hardly use such a type by chance. A value that is written by hand may be
// one that the package never makes, like a matrix whose rows differ in length.
func Producer(pkg *load.Package, t types.Type) *types.Func {
	if pkg.Types == nil || load.NamedOf(t) != nil {
		return nil
	}
	var elem types.Type
	switch u := types.Unalias(t).(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Map:
		elem = u.Elem()
	default:
		return nil
	}
	switch elem.Underlying().(type) {
	case *types.Slice, *types.Map:
	default:
		return nil
	}
	var out *types.Func
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok || !f.Exported() || f.Signature().Results().Len() == 0 || f.Signature().TypeParams().Len() > 0 || f.Signature().Variadic() || !types.Identical(f.Signature().Results().At(0).Type(), t) || takes(f, t) {
			continue
		}
		if out != nil {
			return nil
		}
		out = f
	}
	return out
}

// takes reports whether a function has a parameter of a type.
func takes(f *types.Func, t types.Type) bool {
	for p := range f.Signature().Params().Variables() {
		if types.Identical(p.Type(), t) {
			return true
		}
	}
	return false
}
