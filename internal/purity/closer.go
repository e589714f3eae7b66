package purity

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"golang.org/x/tools/go/ssa"
)

// closers are the names of methods that end what an object does, if they need no arguments but a context. If an object
// has none of them, a method counts whose name begins with one of these words, such as StopCleanup, and which returns
// nothing but an error.
var closers = []string{"Close", "Stop", "Shutdown"}

// Closer returns the method that ends what an object does that the package made, or nil if it has none. The object is of a
// type of the package, or behind an interface, which may be declared elsewhere.
func Closer(t types.Type, pkg *types.Package) *types.Func {
	ends := func(f *types.Func) bool {
		params := f.Signature().Params()
		return (f.Pkg() == pkg || types.IsInterface(t)) &&
			(params.Len() == 0 || params.Len() == 1 && load.IsNamed(params.At(0).Type(), "context", "Context"))
	}
	for _, name := range closers {
		obj, _, _ := types.LookupFieldOrMethod(t, true, pkg, name)
		if f, ok := obj.(*types.Func); ok && ends(f) {
			return f
		}
	}
	all := t
	if _, isPointer := t.Underlying().(*types.Pointer); !isPointer && !types.IsInterface(t) {
		all = types.NewPointer(t)
	}
	for m := range types.NewMethodSet(all).Methods() {
		f, ok := m.Obj().(*types.Func)
		if ok && f.Exported() && IsCloser(f.Name()) && ends(f) && onlyError(f.Signature().Results()) {
			return f
		}
	}
	return nil
}

// IsCloser reports whether the first word of a method's name says that the method ends something.
func IsCloser(name string) bool {
	words := gosyntax.Words(name)
	return len(words) > 0 && slices.ContainsFunc(closers, func(c string) bool { return strings.EqualFold(c, words[0]) })
}

// ClosesChannel reports whether a function itself closes a channel.
func ClosesChannel(fn *ssa.Function) bool {
	if fn == nil {
		return false
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok {
				if builtin, ok := call.Common().Value.(*ssa.Builtin); ok && builtin.Name() == "close" {
					return true
				}
			}
		}
	}
	return false
}

// onlyError reports whether a function returns nothing or an error.
func onlyError(results *types.Tuple) bool {
	return results.Len() == 0 || results.Len() == 1 && gosyntax.IsError(results.At(0).Type())
}

// CanEnd reports whether some object that a sequence makes has a method that ends what the object does.
func CanEnd(s *testcase.Sequence) bool {
	for i, results := range s.ResultTypes() {
		if k := s.At(i).Op.Kind; k != testcase.OpFunc && k != testcase.OpMethod && k != testcase.OpAddr {
			continue
		}
		for _, t := range results {
			named := load.NamedOf(t)
			if named != nil && named.Obj().Pkg() != nil && Closer(t, named.Obj().Pkg()) != nil {
				return true
			}
		}
	}
	return false
}
