package usage

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
)

// IsOption reports whether a type is that of functional options: an interface or a function type of the package of which exported
// functions take any number, and that other exported functions return. Users combine what these return, and write none of their own.
func IsOption(pkg *load.Package, t types.Type) bool {
	named := load.NamedOf(t)
	if named == nil || pkg.Types == nil || named.Obj().Pkg() != pkg.Types {
		return false
	}
	switch named.Underlying().(type) {
	case *types.Interface, *types.Signature:
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
