package load

import (
	"go/constant"
	"go/types"
	"math/bits"
	"slices"
)

// Flags returns the bits that the constants of a type name, or 0 if its constants are not meant to be
// combined. Constants are meant to be combined if the type is an integer type, if at least three of its
// constants and most of them are different powers of two, and if they do not simply count.
func Flags(t types.Type) uint64 {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return 0
	}
	if b, ok := named.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return 0
	}
	var all uint64
	var values []uint64
	others := 0
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), named) {
			continue
		}
		v, exact := constant.Uint64Val(constant.ToInt(c.Val()))
		switch {
		case !exact || slices.Contains(values, v):
			continue
		case bits.OnesCount64(v) == 1:
			all |= v
		case v != 0:
			others++
		}
		values = append(values, v)
	}
	single := bits.OnesCount64(all)
	if single < 3 || others >= single {
		return 0
	}
	if slices.Max(values)-slices.Min(values) == uint64(len(values)-1) {
		return 0 // 0, 1, 2, 3, 4: an enumeration
	}
	return all
}
