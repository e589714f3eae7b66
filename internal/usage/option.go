package usage

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// IsOption reports whether a type is that of functional options: an interface or a function type of the package of which exported
// functions take any number, and that other exported functions return. Users combine what these return, and write none of their own.
// An option changes what it is passed; a function that answers, as a filter does, is none.
func IsOption(pkg *load.Package, t types.Type) bool {
	named := load.NamedOf(t)
	if named == nil || pkg.Types == nil || named.Obj().Pkg() != pkg.Types {
		return false
	}
	switch u := named.Underlying().(type) {
	case *types.Signature:
		if !configures(u) {
			return false
		}
	case *types.Interface:
		if u.NumMethods() > 0 && !slices.ContainsFunc(slices.Collect(u.Methods()), func(m *types.Func) bool { return configures(m.Signature()) }) {
			return false
		}
	default:
		return false
	}
	taken, made := false, false
	for _, target := range pkg.Targets {
		if !target.Exported || target.Obj == nil {
			continue
		}
		sig := target.Obj.Signature()
		if n := sig.Params().Len(); sig.Variadic() {
			list, ok := sig.Params().At(n - 1).Type().(*types.Slice)
			taken = taken || ok && types.Identical(list.Elem(), t)
		}
		made = made || sig.Recv() == nil && sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), t)
	}
	return taken && made
}

// configures reports whether a function may be there for what it changes in its argument: it returns nothing but this argument, or an
// error.
func configures(sig *types.Signature) bool {
	if sig.Params().Len() == 0 {
		return false
	}
	for r := range sig.Results().Variables() {
		if !gosyntax.IsError(r.Type()) && !types.Identical(r.Type(), sig.Params().At(0).Type()) {
			return false
		}
	}
	return true
}
